"""Booking events, and working around what a calendar refuses."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime, timedelta
from datetime import time as Time
from typing import Any

from course.standin.talk import Call, Reply, ask_for, say

from . import schema, slots
from .calendar_look import calls_for, gaps
from .calendar_read import Asked, Tool
from .when import DAY, When
from .wording import day, days, join, phrase, span, together
from .words import look, table

MOST = 12  # single events that are made for one prompt
SHORTEST, LONGEST = timedelta(minutes=5), timedelta(hours=12)
SOME_DAY = Date(2001, 1, 1)


@dataclass(slots=True)
class Event:
    """From when until when."""

    start: datetime
    end: datetime


def _usual(one: Asked) -> dict[str, Any]:
    """What is usual for an event of this title: minutes, and when it starts."""
    known = table("calendar")["usual"].values()
    return next((usual for usual in known if re.search(usual["words"], one.title, re.IGNORECASE)), {})


def _length(one: Asked) -> timedelta | None:
    """How long it is to be; None if what the prompt says makes no sense."""
    at = one.when
    length = at.length or timedelta(minutes=_usual(one).get("minutes", 30))
    if at.start and at.end:
        overnight = at.end < at.start and at.start.hour >= 18 and at.end.hour < 12
        length = datetime.combine(SOME_DAY + DAY * overnight, at.end) - datetime.combine(SOME_DAY, at.start)
        if at.length and at.length != length:
            return None
    return length if SHORTEST <= length <= LONGEST else None


def _start(one: Asked, chooses: bool) -> Time | None:
    usual = _usual(one).get("start")
    return one.when.start or (Time.fromisoformat(usual) if usual and not chooses else None)


def _chooses(one: Asked, lister: Tool | None) -> bool:
    """Whether a free time has to be found first."""
    at = one.when
    return lister is not None and bool(at.window or "free" in one.said or (at.any_of and at.start))


def problem(one: Asked, creator: Tool | None, lister: Tool | None) -> Reply | list[str] | None:
    """Why it cannot be booked, if so: what is not understood, or a question."""
    at = one.when
    if at.unknown:
        return say(one.tell("which_date"))
    if creator is None:
        return say(one.tell("cannot_book"))
    length = _length(one)
    if length is None:
        return [one.text]
    chooses = _chooses(one, lister)
    if (at.window or "free" in one.said) and not chooses:
        return say(one.tell("cannot_look"))
    start = _start(one, chooses)
    if not at.days and not one.last_day:
        return say(one.tell("which_day" if start or chooses else "which_day_and_time"))
    if at.days and one.last_day or (one.last_day and (chooses or at.repeat)):
        return [one.text]
    if one.today and at.days and min(at.days) < one.today:
        return say(one.tell("past"))
    if at.any_of and not chooses:
        return say(one.tell("which_day" if start else "which_day_and_time"))
    if not start and not chooses:
        return say(one.tell("which_time"))
    if look("words", "everyone").search(one.text) and not one.attendees and "attendees" in creator.roles:
        return say(one.tell("who"))
    if at.repeat and not at.count:
        return say(one.tell("how_often"))
    if not chooses and not one.last_day:
        try:
            _inputs(one, creator, _events(at.days, start or Time(), length))
        except LookupError:
            return [one.text]
    return None


def perform(one: Asked, creator: Tool, lister: Tool | None, calls: list[Call], last: Date | None) -> Reply:
    """Find a time if one has to be found, make the calls, mend those that were refused, say what came of it.

    `last` is the last day of the series that was booked before, where the prompt speaks of it.
    """
    length = _length(one)
    assert length
    intro: list[str] = []
    if _chooses(one, lister) and lister:
        chosen = _choose(one, lister, length, calls)
        if isinstance(chosen, Reply):
            return chosen
        events, intro = chosen
    else:
        start = _start(one, False)
        assert start
        events = _events([last] if one.last_day and last else one.when.days, start, length)
    return _carry_out(one, creator, _inputs(one, creator, events), intro, calls)


def _events(dates: list[Date], start: Time, length: timedelta) -> list[Event]:
    begins = [datetime.combine(date, start) for date in dates]
    return [Event(begin, begin + length) for begin in begins]


def _choose(one: Asked, lister: Tool, length: timedelta, calls: list[Call]) -> Reply | tuple[list[Event], list[str]]:
    """The first free time and which days had none, or the reply that finds out."""
    missing, plans = calls_for(lister, one.when.days, calls)
    if missing:
        return ask_for(*missing)
    full: list[Date] = []
    for plan in plans:
        if plan.error or plan.text:
            return say(one.tell("look_failed", error=plan.error or plan.text))
        if found := gaps(plan, one, length):
            return [Event(found[0][0], found[0][0] + length)], [
                one.tell("full", days=days(full, one.language))
            ] if full else []
        full.append(plan.date)
    return say(one.tell("nothing_free"))


def _inputs(one: Asked, creator: Tool, events: list[Event]) -> list[dict[str, Any]]:
    """The inputs of the calls for these events. Raises LookupError where the tool has no place for what is asked."""
    at = one.when
    repeat: Any = schema.NOTHING
    if at.repeat:
        wanted = {"frequency": at.repeat, "freq": at.repeat, "count": at.count, "occurrences": at.count}
        about = creator.about("repeat")
        knows = schema.kind_of(about) == "object" and {"count", "occurrences"} & schema.properties_of(about).keys()
        fitted = schema.fit(wanted, about, creator.root) if knows else schema.NOTHING
        if fitted and at.count and len(at.weekdays) < 2 and at.every == 1 and not at.workdays:
            repeat = fitted
        elif at.repeat not in ("daily", "weekly") or at.count * len(events) > MOST:
            raise LookupError("repeat")
        else:
            events = _each(at, events)
    return [_input(one, creator, event, repeat) for event in events]


def _each(at: When, events: list[Event]) -> list[Event]:
    """Every single time of a repeated event, for a tool that cannot repeat it so."""
    step = DAY * at.every * (7 if at.repeat == "weekly" else 1)
    found: list[Event] = []
    for n in range(400):
        for event in events:
            shifted = Event(event.start + step * n, event.end + step * n)
            if not at.workdays or shifted.start.weekday() < 5:
                found.append(shifted)
        if len(found) >= at.count:
            break
    return sorted(found, key=lambda event: event.start)[: at.count]


def _input(one: Asked, creator: Tool, event: Event, repeat: Any) -> dict[str, Any]:
    apart = "date" in creator.roles and not creator.about("start").get("format")  # day and time of day
    return creator.input(
        title=one.title,
        start=event.start.time() if apart else event.start,
        end=event.end.time() if apart else event.end,
        date=event.start.date(),
        duration=event.end - event.start,
        repeat=repeat,
        attendees=one.attendees or schema.NOTHING,
        location=one.location or schema.NOTHING,
    )


def _worked(call: Call) -> bool:
    return not call.is_error and not look("calendar", "failed").search(call.result or "")


def last_day(creator: Tool, calls: list[Call]) -> Date | None:
    """The last day of a series, as the result of booking it names it."""
    for call in reversed(calls):
        if call.name == creator.name and _worked(call):
            found = look("calendar", "names_last").search(call.result or "")
            return Date.fromisoformat(found[1]) if found else None
    return None


def _carry_out(one: Asked, creator: Tool, inputs: list[dict[str, Any]], intro: list[str], calls: list[Call]) -> Reply:
    """Make the calls, mend those that were refused, and say what came of it."""
    language = one.language
    mine = [call for call in calls if call.name == creator.name]
    people = creator.roles.get("attendees", "")
    todo: list[dict[str, Any]] = []
    done: list[dict[str, Any]] = []
    failed: list[Call] = []
    before, notes = list(intro), []

    def settle(given: dict[str, Any], depth: int = 0) -> None:
        tries = [call for call in mine if call.input == given]
        if not tries:
            todo.append(given)
            return
        result = tries[-1].result or ""
        if _worked(tries[-1]):
            done.append(given)
        elif len(tries) == 1 and look("calendar", "passing").search(result):
            todo.append(given)
        elif depth < 1 and (mended := list(_mended(creator, given, result))):
            if len(mended) > 1:
                limit = look("calendar", "limit").search(result)
                before.append(one.tell("was_split", limit=limit[1] if limit else "", count=len(mended)))
            elif people in given and people not in mended[0]:
                notes.append(one.tell("not_invited", who=_who(given[people], language)))
            for each in mended:
                settle(each, depth + 1)
        else:
            failed.append(tries[-1])

    for given in inputs:
        settle(given)
    if todo:
        return ask_for(*((creator.name, given) for given in todo))
    if done and one.strangers:
        notes.append(one.tell("strangers", names=join(one.strangers, language)))
    notes += [one.tell("failed", error=(call.result or "").strip().rstrip(".。")) for call in failed]
    booked = [_booked(one, creator, done)] if done else []
    return say("\n".join(filter(None, [phrase([*before, *booked], language), *notes])))


def _mended(creator: Tool, given: dict[str, Any], error: str) -> Iterator[dict[str, Any]]:
    """What to try instead of an input that was refused: groups of people that fit, or without an argument."""
    people, title = creator.roles.get("attendees", ""), creator.roles["title"]
    limit, unexpected = (look("calendar", name).search(error) for name in ("limit", "unexpected"))
    if limit and len(given.get(people, ())) > int(limit[1]) > 0:
        count = -(-len(given[people]) // int(limit[1]))
        size = -(-len(given[people]) // count)
        for n in range(count):
            group = given[people][n * size : (n + 1) * size]
            yield {**given, title: f"{given[title]} ({n + 1}/{count})", people: group}
    elif unexpected:
        name = unexpected[1] or unexpected[2] or people
        if name in given and name not in schema.required(creator.root):
            yield {key: value for key, value in given.items() if key != name}


def _booked(one: Asked, creator: Tool, done: list[dict[str, Any]]) -> str:
    events = [_described(one, creator, given) for given in done]
    if len(events) == 1:
        return one.tell("booked", event=events[0])
    return one.tell("booked_several", events="\n".join(f"- {event}" for event in events))


def _described(one: Asked, creator: Tool, given: dict[str, Any]) -> str:
    """An event as its input has it: title, when, how often, with whom."""
    language = one.language
    said = {role: given.get(name) for role, name in creator.roles.items()}
    date = creator.date_of(given)
    start, end = (_moment(said.get(role), date) for role in ("start", "end"))
    repeated = isinstance(said.get("repeat"), dict)
    parts = [one.tell("title", title=said["title"])]
    if date:
        parts[0] += one.tell("from" if repeated else "on", day=day(date, language))
    if start:
        parts.append(span(start, end, language))
    if repeated:
        parts += [one.tell(one.when.repeat), one.tell("times", count=one.when.count)]
    if people := said.get("attendees"):
        parts.append(one.tell("with", who=_who(people, language)))
    return ("，" if language == "zh" else ", ").join(parts)


def _moment(said: Any, date: Date | None) -> datetime | None:
    found = re.search(r"(\d\d):(\d\d)", str(said or ""))
    return datetime.combine(date, Time(int(found[1]), int(found[2]))) if found and date else None


def _who(people: Any, language: str) -> str:
    found = slots.addresses(str(people))  # in whatever form the tool takes them
    if len(found) > 4:
        return table("calendar")["texts"]["people"][language].format(count=len(found))
    return together(found, language)
