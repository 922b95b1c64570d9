"""A prompt that names several events: where each begins, and what it takes over from the one before."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re
from dataclasses import replace

from . import dates, times
from .calendar_events import MAX_EVENTS, events_of
from .calendar_words import EITHER, REMINDS, THEN_LOOKS, Asked, Wish, names_event, wish_of
from .when import Date

PARTS = re.compile(
    r"(?P<stop>(?<!\d)(?<!\.m)[.!?](?= +[A-ZÄÖÜ])|\.(?= +(?:then|and|also|book|schedule|dann|danach|und|außerdem)\b)|[。！？])|[,，;；]?\s*(?:\b(?:and|und)\b|和(?! *[她他A-Za-z])|以及|还有|然后|再)|[,，;；、]",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\bafter (?:it|that|this)\b|\bafterwards?\b|\bdanach\b|\banschließend\b|\bim anschluss\b|之后|然后|接着",
    re.IGNORECASE,
)
AS_WELL = re.compile(r"\bas well\b|\btoo\b|\bauch\b|也", re.IGNORECASE)
SAME_PEOPLE = re.compile(r"\b(?:with|mit) (?:her|him|them|ihr|ihm|ihnen)\b|[她他]", re.IGNORECASE)
EACH = re.compile(r"\beach\b|\bjeweils\b|\bje\b|各", re.IGNORECASE)


def wishes_of(asked: Asked, whole: Wish) -> list[Wish]:
    """Return a wish for each event of a prompt that names several, each with a time of its own; [] if it does not."""
    text, today = times.in_digits(asked.text), asked.today
    if whole.when.repeat or times.BETWEEN.search(text) or EITHER.search(text):
        return []
    if (looks := THEN_LOOKS.search(text)) and dates.read(text[: looks.start()], today).start:
        text = text[: looks.start()]
    parts = _parts(text, today)
    if len(parts) < 2:
        return []
    own = sum(map(names_event, parts))
    whens = [dates.read(part, today) for part in parts]
    with_own_people = [wish_of(asked, part, when, asked.text) for part, when in zip(parts, whens, strict=True)]
    each_with = all(one.attendees or one.strangers for one in with_own_people)
    wishes: list[Wish] = []
    for part, when, alone in list(zip(parts, whens, with_own_people, strict=True))[:MAX_EVENTS]:
        before = wishes[-1] if wishes else None
        if own > 1 and (names_event(part) or before is None):
            one = wish_of(asked, part, when)
            if before and not one.attendees and SAME_PEOPLE.search(part):
                one.attendees = before.attendees
        elif each_with:
            one = alone
        else:
            like = before if own > 1 and before else whole
            one = replace(like, when=when)
        when.dates = when.dates or (before.when.dates if before else next((w.dates for w in whens if w.dates), []))
        if when.length is None and (own < 2 or EACH.search(text)):
            when.length = whole.when.length
        if before and when.start is None and (events := events_of(before)):
            when.start = events[-1].end.time() if AFTER.search(part) else events[-1].start.time()
        wishes.append(one)
    return wishes


def _begins_with_time(piece: str) -> bool:
    """Whether a piece is about a time of its own, as in "at 9:00 and at 15:00", and not one for a reminder."""
    text = piece.lstrip()
    patterns = (times.TIME, times.CHINESE_TIME, times.TIME_RANGE)
    return any(pattern.match(text) for pattern in patterns) and not REMINDS.search(piece)


def _parts(text: str, today: Date | None) -> list[str]:
    """Cut a prompt where another event begins: with a time of its own, or a relation to the one before."""
    ranges = [m.span() for pattern in (times.TIME_RANGE, times.CHINESE_TIME_RANGE) for m in pattern.finditer(text)]
    cuts = [m for m in PARTS.finditer(text) if not any(a < m.end() and m.start() < b for a, b in ranges)]
    found: list[str] = []
    begin = 0
    for cut, following in zip(cuts, [*cuts, None][1:], strict=True):
        start = cut.start() if AFTER.search(cut[0]) else cut.end()
        piece = text[start : following.start() if following else len(text)]
        when = dates.read(piece, today)
        named = names_event(piece)
        timed = when.start and (named or ((when.dates or _begins_with_time(piece)) and not cut["stop"]))
        related = named and (AFTER.search(piece) or AS_WELL.search(piece))
        if (timed or related) and dates.read(text[begin : cut.start()], today).start:
            found.append(text[begin : cut.start()])
            begin = start
    return [*found, text[begin:]]
