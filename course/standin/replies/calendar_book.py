"""Booking: what has to be asked first, which free time is chosen, and the calls that this leads to."""

from dataclasses import replace

from . import people, repair, titles
from .answers import Reply, ask_for, say
from .calendar_calls import carry_out
from .calendar_events import MAX_EVENTS, Event, events_of, input_of, spread
from .calendar_input import fill, needs_count
from .calendar_look import listing, look_after, slot_text
from .calendar_several import wishes_of
from .calendar_taken import free_slot, taken
from .calendar_texts import TEXTS, tell
from .calendar_tools import Tool
from .calendar_words import EITHER, THEN_LOOKS, WHEN_FREE, Asked, Wish, wish_of
from .schema import NOTHING
from .when import Time
from .wording import days, phrase


def book(asked: Asked, creator: Tool, forced: bool) -> Reply:
    """Book what is wished for, at a free time if need be; ask for what is missing, unless a call is forced."""
    conversation, lister = asked.conversation, asked.lister
    wish = wish_of(asked, asked.text, asked.when)
    missing = _missing(asked, wish, creator)
    if missing and not forced:
        return tell(conversation, missing)
    several = wishes_of(asked, wish)
    if lister and wish.when.dates and not wish.all_day and not wish.when.repeat and _must_choose(asked):
        chosen = _choose(asked, lister, several or [wish])
        if isinstance(chosen, Reply):
            return chosen
        events, intro = chosen, _passed_over(asked, lister, chosen)
    elif several:
        events, intro = [(event, one) for one in several for event in events_of(one)], []
    else:
        single, left = spread(events_of(wish, either=bool(EITHER.search(asked.text))), creator)
        events = [(event, wish) for event in single]
        intro = [TEXTS.get(asked.language, "only_first", count=MAX_EVENTS, left=left)] if left else []
    if several:
        wish.attendees = list(dict.fromkeys(address for one in several for address in one.attendees))
    inputs = [input_of(event, one, creator, conversation) for event, one in events]
    if forced and not inputs:
        inputs = [fill(creator, {"title": wish.title, "attendees": wish.attendees or NOTHING})]
    reply = carry_out(conversation, creator, inputs, wish, intro)
    if lister and reply.stop_reason == "end_turn" and THEN_LOOKS.search(asked.text):
        return look_after(asked, creator, lister, reply)
    return reply


def _missing(asked: Asked, wish: Wish, creator: Tool) -> str:
    """Return the name of the question to ask before anything can be booked, or ""."""
    when = wish.when
    if not when.start:
        when.start = titles.usual_start(wish.title)
    has_time = (
        wish.all_day or when.start or (asked.lister and when.dates and (when.window or WHEN_FREE.search(asked.text)))
    )
    if not has_time and when.window and when.dates:
        has_time = when.start = when.window[0]
    if not when.dates:
        return "which_day" if has_time else "which_day_and_time"
    if asked.today and min(when.dates) < asked.today:
        return "past"
    if not has_time:
        return "which_time"
    if when.any_of and (when.repeat or not asked.lister):
        return "which_day"
    if when.repeat and not when.repeat.count and needs_count(creator):
        return "how_often"
    many = people.EVERYONE.search(asked.text) or people.people_wanted(asked.text)
    if many and not wish.attendees and "attendees" in creator.roles:
        return "who"
    return ""


def _must_choose(asked: Asked) -> bool:
    """Whether there is a choice of times, so that the calendar has to be looked at."""
    when = asked.when
    several_days = when.any_of or (len(when.dates) > 1 and EITHER.search(asked.text))
    return bool(WHEN_FREE.search(asked.text) or not when.start or several_days)


def _choose(asked: Asked, lister: Tool, wishes: list[Wish]) -> list[tuple[Event, Wish]] | Reply:
    """Return the first free time for each wish, or the reply that finds out or says that there is none."""
    conversation = asked.conversation
    if calls := listing(conversation, lister, list(dict.fromkeys(date for one in wishes for date in one.when.dates))):
        return ask_for(calls)
    busy, failures = taken(conversation, lister)
    if not busy and failures:
        return tell(conversation, "look_failed", error=repair.error_of(failures[0]))
    chosen = []
    for wish in wishes:
        event = next(iter(events_of(wish)), None)
        when = replace(wish.when, length=event.end - event.start if event else titles.usual_length(wish.title))
        if slot := free_slot(busy, when):
            chosen.append((Event(*slot), wish))
            continue
        later = free_slot(busy, replace(when, window=(Time(8), Time(18)), start=None, end=None))
        offer = TEXTS.get(asked.language, "offer", slot=slot_text(later, asked.language)) if later else ""
        return say(phrase([TEXTS.get(asked.language, "nothing_free"), offer], asked.language))
    return chosen


def _passed_over(asked: Asked, lister: Tool, chosen: list[tuple[Event, Wish]]) -> list[str]:
    """Say which of the wanted days had no time, before the first that has."""
    busy, _ = taken(asked.conversation, lister)
    first = min(event.start.date() for event, _ in chosen)
    full = [date for date in asked.when.dates if date in busy and date < first]
    return [TEXTS.get(asked.language, "full", days=days(full, asked.language))] if full else []
