"""What the results of a calendar say is taken, and when it leaves time."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import json
import re
from typing import Any

from . import dates, times
from .calendar_tools import Tool
from .conversation import Call, Conversation
from .when import Date, Time, When

Taken = tuple[Time, Time, str]  # from, to, what
Slot = tuple[datetime.datetime, datetime.datetime]

EMPTY = re.compile(
    r"^(?:\[\]|\{\}|null|none|-)$|\b(?:free|nothing|no|empty|none|frei|nichts|keine?|leer)\b|空|没有|无", re.IGNORECASE
)
BUSY = re.compile(
    r"(\d\d?:\d\d)(?::\d\d)?\s*(?:-|–|—|to|until|bis|到|至)\s*(?:\d{4}-\d\d-\d\dT)?(\d\d?:\d\d)(?::\d\d)?\s*:?\s*([^,;\n，；]*)"
)


def taken(conversation: Conversation, lister: Tool) -> tuple[dict[Date, list[Taken]], list[Call]]:
    """Return what the results say is taken, by day, and the calls that failed."""
    busy: dict[Date, list[Taken]] = {}
    failures = []
    for call in lister.calls(conversation):
        if call.is_error:
            failures.append(call)
            continue
        asked = dates.absolute_dates(" ".join(str(value) for value in call.input.values()), None)[0]
        for date in asked:
            busy.setdefault(date, [])
        for on, event in _events_in(call.result or "", asked[0] if asked else None):
            if on is not None and event not in busy.setdefault(on, []):
                busy[on].append(event)
    for events in busy.values():
        events.sort()
    return busy, failures


def is_untimed(call: Call) -> bool:
    """Whether a result names something for a day, but no times: it can only be quoted."""
    text = (call.result or "").strip()
    rest = dates.absolute_dates(text, None)[1].strip(" :：.\n")
    return bool(rest) and not call.is_error and not EMPTY.search(rest) and not _events_in(text, Date(2000, 1, 3))


def _events_in(text: str, date: Date | None) -> list[tuple[Date | None, Taken]]:
    """Return the events that a result lists, as text ("09:00-09:15 Standup") or as JSON with start and end."""
    found: list[tuple[Date | None, Taken]] = []
    for item in _records(_data(text)):
        start, end = (stamp(next((v for k, v in item.items() if word in k.lower()), "")) for word in ("start", "end"))
        if start[1] and end[1]:
            title = next((str(v) for k, v in item.items() if re.search("title|summary|name|subject", k)), "")
            found.append((start[0] or date, (start[1], end[1], title)))
    if found:
        return found
    here = date
    for line in text[:20_000].splitlines():
        here = next(iter(dates.absolute_dates(line[:2000], None)[0]), here)
        for match in BUSY.finditer(line[:2000]):
            a, b = _clock(match[1]), _clock(match[2])
            if a and b:
                found.append((here, (a, b, match[3].strip(" .()[]\"'"))))
    return found


def _data(text: str) -> Any:
    """Return what a result holds as JSON, None if it is other text."""
    try:
        return json.loads(text) if text.lstrip()[:1] in ("[", "{") else None
    except ValueError:
        return None


def _records(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, list):
        return [record for item in data for record in _records(item)]
    if isinstance(data, dict):
        if any("start" in key.lower() for key in data):
            return [data]
        return [record for value in data.values() for record in _records(value)]
    return []


def stamp(value: Any) -> tuple[Date | None, Time | None]:
    """Return the date and the time of day in a value, as far as it holds them."""
    text = " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)
    found, _, _, times = dates.absolute_dates(text, None)
    match = re.search(r"\b(\d\d?:\d\d)", text)
    return (found[0] if found else None), (times[0] if times else _clock(match[1]) if match else None)


def _clock(text: str) -> Time | None:
    hour, minute = map(int, text.split(":"))
    return Time(hour, minute) if hour < 24 and minute < 60 else None


def free_slot(busy: dict[Date, list[Taken]], when: When) -> Slot | None:
    """Return the first free time of the wanted length in the wanted days and hours."""
    low, high = when.window or (when.start or Time(9), when.end or Time(17))
    length = when.length or datetime.timedelta(minutes=60)
    if when.start and not when.window:
        low, high = when.start, _plus(when.start, when.end, length)
    for date in when.dates:
        if date not in busy:
            continue
        start = datetime.datetime.combine(date, low)
        last = datetime.datetime.combine(date, high)
        for a, b, _ in busy[date]:
            if datetime.datetime.combine(date, a) < start + length and datetime.datetime.combine(date, b) > start:
                start = datetime.datetime.combine(date, b)
        if start + length <= last:
            return start, start + length
    return None


def _plus(start: Time, end: Time | None, length: datetime.timedelta) -> Time:
    if end:
        return end
    total = min(start.hour * 60 + start.minute + int(length.total_seconds() // 60), 23 * 60 + 59)
    return Time(total // 60, total % 60)


def load(plan: tuple[Date, list[Taken]]) -> int:
    """Return the minutes that are taken on a day."""
    return sum(times.minutes_between(start, end) for start, end, _ in plan[1])
