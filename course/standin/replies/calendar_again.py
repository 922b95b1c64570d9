"""The same again: what was booked for the prompt before, so much later, or on another day or at another time."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import re
from typing import Any

from . import dates, times
from .answers import Reply
from .calendar_calls import carry_out
from .calendar_taken import stamp
from .calendar_texts import tell
from .calendar_tools import Tool
from .calendar_words import Asked, Wish
from .conversation import Conversation
from .time_words import CHINESE_NUMBER, LATIN_NUMBER, number
from .when import DAY, Date

AGAIN = re.compile(
    r"\bsame\b.*\b(?:again|later|for|on|at|next|tomorrow|meeting|event|thing)\b|\b(?:once|one time) more\b|\b(?:book|do|schedule) (?:it|that|this) again\b"
    r"|\b(?:dasselbe|das ?selbe|das gleiche|denselben|noch (?:ein)?mal|nochmals)\b|再(?:来|安排|订|约|开)?一[次个遍]|[同一]样的?.{0,4}(?:再|安排|日程|会)|同样",
    re.IGNORECASE,
)
LATER = re.compile(
    rf"\b(?P<number>{LATIN_NUMBER}|an?) (?P<unit>hours?|days?|weeks?|stunden?|tage?|wochen?) (?:later|after|später|darauf|danach)\b"
    r"|\b(?:the )?(?P<next>(?:next|following) (?P<unit_>day|week)|day after|week after|(?:am )?tag (?:darauf|danach)|woche (?:darauf|danach))\b"
    rf"|(?P<chinese>{CHINESE_NUMBER}) *(?P<chinese_unit>个?小时|天|周|个?星期)(?:之?后)?|第二天",
    re.IGNORECASE,
)
STAMP = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)(?:(?P<gap>[T ])(?P<time>\d\d:\d\d))?")


def booked_before(conversation: Conversation, creator: Tool) -> list[dict[str, Any]]:
    """Return what was booked for the prompt before, if this one wants the same again."""
    if not conversation.earlier or not AGAIN.search(conversation.words):
        return []
    calls = conversation.earlier[-1].calls
    return [call.input for call in calls if call.name == creator.name and call.result and not call.is_error]


def book_again(asked: Asked, creator: Tool, before: list[dict[str, Any]]) -> Reply:
    """Book what was booked before, at the time that the prompt says."""
    shift, text = _later_by(asked.text)
    when = dates.read(text, asked.today)
    if not shift and when.needs_today:
        return tell(asked.conversation, "which_date")
    first = {role: before[0].get(name, "") for role, name in creator.roles.items()}
    date, time = stamp(first.get("start", ""))
    date = date or stamp(first.get("date", ""))[0]
    if not shift and when.dates and date:
        shift = when.dates[0] - date
    if when.start and time:
        shift += datetime.timedelta(minutes=times.minutes_between(time, when.start))
    if not shift:
        return tell(asked.conversation, "which_day")
    movable = {creator.roles.get(role) for role in ("start", "end", "date")}
    inputs = [{name: _later(v, shift) if name in movable else v for name, v in given.items()} for given in before]
    return carry_out(asked.conversation, creator, inputs, Wish(when, ""), [])


def _later_by(text: str) -> tuple[datetime.timedelta, str]:
    """Return how much later a prompt wants it, "a week later", and the prompt without that."""
    match = LATER.search(text)
    if not match:
        return datetime.timedelta(), text
    unit = (match["unit"] or match["unit_"] or match["next"] or match["chinese_unit"] or "day").lower()
    count = number(match["number"] or match["chinese"] or "one")
    weeks, hours = re.search("we+k|woche|周|星期", unit), re.search("hour|stunde|小时", unit)
    shift = datetime.timedelta(hours=count) if hours else DAY * count * (7 if weeks else 1)
    return shift, text.replace(match[0], " ")


def _later(value: Any, shift: datetime.timedelta) -> Any:
    """Return a date, a date and time or a time of day so much later, in the form it has."""

    def moved(match: re.Match[str]) -> str:
        if not match["time"]:
            return str(Date.fromisoformat(match["date"]) + DAY * round(shift / DAY))
        moment = datetime.datetime.fromisoformat(f"{match['date']}T{match['time']}") + shift
        return f"{moment:%Y-%m-%d}{match['gap']}{moment:%H:%M}"

    if isinstance(value, dict):
        return {key: _later(part, shift) for key, part in value.items()}
    if not isinstance(value, str):
        return value
    if re.fullmatch(r"\d\d:\d\d(?::\d\d)?", value):
        moment = datetime.datetime.fromisoformat(f"2000-01-03T{value}") + shift
        return moment.time().isoformat()[: len(value)]
    return STAMP.sub(moved, value)
