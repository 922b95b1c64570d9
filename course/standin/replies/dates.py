"""Dates, times, lengths and repetitions in a sentence of English, German or Chinese.

Words for days become dates only if today's date is known; nothing here looks at a clock.
"""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

from .relative_days import take_relative_days
from .repeats import first_days, take_length, take_repeat
from .time_words import blank, regex
from .times import QUOTED, in_digits, take_times
from .when import DAY, Date, Time, When
from .written_dates import absolute_dates, take_nth_weekday, today_said

__all__ = ["absolute_dates", "read", "today_said"]

TONIGHT = regex(r"\btonight\b|\bheute (?:nacht|abend)\b|今晚")
NOT_TIMES = regex(
    rf"{QUOTED}|"
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|\b\d+[ -]*(?:people|persons?|attendees?|guests?|personen|leuten?|gästen?|teilnehmer\w*|%)|\d+ *[个位名]?人"
)


def read(text: str, today: Date | None) -> When:
    """Return what `text` says about time."""
    when = When()
    text = in_digits(NOT_TIMES.sub(blank, text))
    text = take_nth_weekday(text, today, when)
    found, text, missing, times = absolute_dates(text, today)
    when.dates += found
    when.needs_today = when.needs_today or missing
    when.length, text = take_length(text)
    when.repeat, text = take_repeat(text, when.repeat)
    text = take_times(text, when)
    if times and not when.start:
        when.start, when.end = times[0], times[1] if len(times) > 1 else None
        if when.end and when.end <= when.start:
            when.dates = when.dates[:1]
    if not when.dates or not when.repeat:
        take_relative_days(text, today, when)
    if when.repeat and when.any_of and when.repeat.frequency == "daily":  # every day of next week
        when.repeat.count = when.repeat.count or len(when.dates)
        when.dates, when.any_of = when.dates[:1], False
    if when.repeat and not when.dates and not when.needs_today:
        first_days(when, today)
    if when.start == Time(0) and TONIGHT.search(text):
        when.dates = [date + DAY for date in when.dates]
    return when
