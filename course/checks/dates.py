"""The dates in what a program sends, and the events that players ask for."""

import datetime
import re
from collections.abc import Iterator
from typing import Any

from .run import text_of

WHICH_DAY = "What is today's date? I need it to know which day you mean."

MONTHS = "january february march april may june july august september october november december".split()
_NAME = "|".join(name for month in MONTHS for name in (month, f"{month[:3]}\\.?"))
_FORMS = (
    re.compile(r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})\b"),
    re.compile(r"(?P<y>\d{4})年\s?(?P<m>\d{1,2})月\s?(?P<d>\d{1,2})日"),
    re.compile(rf"\b(?P<n>{_NAME})\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s(?:of\s)?(?P<n>{_NAME}),?\s(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<n>{_NAME})\s+(?P<d>\d{{1,2}})\s[\d:]{{5,8}}\s(?P<y>\d{{4}})\b", re.IGNORECASE),  # ctime()
    re.compile(r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})\b"),
    # %x: Python writes it so on every machine, unless the program sets a locale.
    re.compile(r"(?<![\d/])(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d\d)(?![\d/])"),
    re.compile(r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d\d)(?![\d.]\d|\d)"),
    re.compile(r"\bdate\((?P<y>\d{4}), (?P<m>\d{1,2}), (?P<d>\d{1,2})\)"),
)


def dates_in(text: str) -> Iterator[datetime.date]:
    """The dates that a text names with their year, in the usual ways to write one."""
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = int(parts.get("m") or 0) or [name[:3] for name in MONTHS].index(parts["n"].lower()[:3]) + 1
            year = int(parts["y"])
            try:
                yield datetime.date(year + 2000 if year < 100 else year, month, int(parts["d"]))
            except ValueError:
                continue


def told_date(body: dict[str, Any]) -> datetime.date | None:
    """The date that a request names in its system prompt, its first message or its tools."""
    messages = [message for message in body.get("messages") or [] if message.get("role") in ("user", "system")]
    texts = [text_of(body.get("system")), *(text_of(message.get("content")) for message in messages)]
    texts += [str(tool.get("description", "")) for tool in body.get("tools") or []]
    return next((day for text in texts for day in dates_in(text)), None)


def event(title: str, day: datetime.date, hour: float, hours: float, *attendees: str) -> dict[str, Any]:
    start = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(hours=hour)
    end = start + datetime.timedelta(hours=hours)
    who = list(attendees) or ["ana@example.com"]
    return {"title": title, "start": start.isoformat(), "end": end.isoformat(), "attendees": who}
