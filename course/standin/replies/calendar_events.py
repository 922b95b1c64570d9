"""The events that a wish comes to: on several days, or repeated where a tool knows no repetition."""

import datetime
import re
from dataclasses import dataclass, replace
from typing import Any

from . import titles
from .calendar_input import can_repeat, fill
from .calendar_tools import Tool
from .calendar_words import Wish, system_of
from .conversation import Conversation
from .repeats import FREQUENCY_DAYS
from .schema import NOTHING
from .when import DAY, Repeat, Time
from .written_dates import nth_weekday

ZONE = re.compile(r"\b[A-Z][a-z]+/[A-Z][A-Za-z_]+\b")
MAX_EVENTS = 12  # created one by one where a tool knows no repetition


@dataclass(slots=True)
class Event:
    start: datetime.datetime
    end: datetime.datetime
    repeat: Repeat | None = None


def events_of(wish: Wish, either: bool = False) -> list[Event]:
    """Return the events that a wish comes to: one a day, at the only time or the first possible one."""
    when = wish.when
    length = when.length or titles.usual_length(wish.title)
    start = Time(0) if wish.all_day else when.start or (when.window and when.window[0])
    if wish.all_day:
        length = DAY
    if start is None:
        return []
    wanted = list(dict.fromkeys(when.dates))
    chosen = wanted[:1] if either and not when.repeat else wanted
    found = []
    for date in chosen[:MAX_EVENTS]:
        begin = datetime.datetime.combine(date, start)
        end = datetime.datetime.combine(date, when.end) if when.end else begin + length
        found.append(Event(begin, end if end > begin else end + DAY, when.repeat))
    if when.repeat and when.repeat.in_all and when.repeat.count:  # "every Monday and Thursday, 5 times": 3 and 2
        for i, event in enumerate(found):
            event.repeat = replace(when.repeat, count=(when.repeat.count - i - 1) // len(found) + 1)
        found = found[: when.repeat.count]
    return found


def spread(events: list[Event], creator: Tool) -> tuple[list[Event], int]:
    """Turn a repetition that the tool cannot express into single events; return them, and how many were too many."""
    spread: list[Event] = []
    left = 0
    for event in events:
        if event.repeat is None or can_repeat(creator, event.repeat):
            spread.append(event)
            continue
        days_on = (event.repeat.frequency == "daily" and event.repeat.weekdays) or range(7)
        moment = event.start
        count = min(event.repeat.count or 1, MAX_EVENTS)
        left += (event.repeat.count or 1) - count
        while count:
            if moment.weekday() in days_on:
                spread.append(Event(moment, moment + (event.end - event.start)))
                count -= 1
            moment = _following(moment, event.repeat)
    return spread, left


def _following(moment: datetime.datetime, repeat: Repeat) -> datetime.datetime:
    if repeat.nth:
        later = moment.replace(day=1) + DAY * 31
        return datetime.datetime.combine(nth_weekday(later.year, later.month, *repeat.nth), moment.time())
    if repeat.frequency in ("monthly", "yearly"):
        months = moment.month - 1 + (12 if repeat.frequency == "yearly" else 1) * repeat.every
        year, month = moment.year + months // 12, months % 12 + 1
        return moment.replace(year=year, month=month, day=min(moment.day, 28))
    return moment + DAY * FREQUENCY_DAYS[repeat.frequency] * repeat.every


def input_of(event: Event, wish: Wish, creator: Tool, conversation: Conversation) -> dict[str, Any]:
    """Return the input that creates one of the events of a wish."""
    zone = ZONE.search(system_of(conversation))
    values: dict[str, Any] = {
        "title": wish.title,
        "start": event.start,
        "end": event.end,
        "date": event.start.date(),
        "duration": event.end - event.start,
        "attendees": wish.attendees or NOTHING,
        "repeat": event.repeat or NOTHING,
        "count": event.repeat.count if event.repeat and event.repeat.count else NOTHING,
        "all_day": wish.all_day or NOTHING,
        "location": wish.location or NOTHING,
        "reminder": wish.reminder or NOTHING,
        "timezone": zone[0] if zone else NOTHING,
        "method": "email" if re.search(r"e-?mail|邮件", conversation.words, re.IGNORECASE) else "popup",
    }
    return fill(creator, values)
