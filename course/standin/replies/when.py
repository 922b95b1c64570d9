"""What a sentence says about time: days, times of day, lengths and repetitions."""

import datetime
from dataclasses import dataclass, field

Date = datetime.date
Time = datetime.time
DAY = datetime.timedelta(days=1)


@dataclass(slots=True)
class Repeat:
    """How often something takes place.

    frequency  "daily", "weekly", "monthly", "yearly"
    every      2 for every other week
    in_all     whether `count` is that of all weekdays together, rather than of each
    nth        (which, weekday) for "the first Monday of every month": (1, 0); -1 is the last
    """

    frequency: str
    count: int | None = None
    every: int = 1
    weekdays: list[int] = field(default_factory=list)
    in_all: bool = False
    nth: tuple[int, int] | None = None


@dataclass(slots=True)
class When:
    """What a sentence says about time.

    dates        days named, in their order
    any_of       whether they are those of a week, "next week", of which any may be meant
    needs_today  a day was named that only today's date can turn into a date, and that is not known
    start, end   times of day, an end before the start is on the next day; `window` instead of both if they bound
                 a search ("between 9 and 12")
    """

    dates: list[Date] = field(default_factory=list)
    any_of: bool = False
    needs_today: bool = False
    start: Time | None = None
    end: Time | None = None
    window: tuple[Time, Time] | None = None
    length: datetime.timedelta | None = None
    repeat: Repeat | None = None
