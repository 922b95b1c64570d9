"""Lengths and repetitions: "half an hour", "every weekday for two weeks"."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import re

from .time_words import CHINESE_NUMBER, LATIN_DAY, LATIN_NUMBER, WEEKDAYS, blank, number, regex
from .when import DAY, Date, Repeat, When
from .written_dates import after

LENGTHS = [  # in minutes or hours
    regex(text)
    for text in (
        r"(?P<quarters>quarter of an hour|viertelstunde|一刻钟)",
        r"(?P<threequarters>three quarters of an hour|dreiviertelstunde|dreiviertel stunde)",
        r"(?P<half>half an? hour|half[- ]hour|halbe(?:n|r)? stunde|halbstündig\w*|半个?(?:小时|钟头))",
        r"(?P<onehalf>(?:an|one) hour and a half|anderthalb(?:stündig\w*| ?stunden)|eineinhalb(?:stündig\w*| ?stunden)|[一1]个?半(?:小时|钟头)|[一1]个?小时半)",
        r"\b(?P<halfhours>zwei|drei|vier)einhalb(?:stündig\w*| ?stunden)|(?P<chinesehalf>[二两三四2345])个半(?:小时|钟头)",
        rf"(?<![\d:.])(?P<hours>\d+(?:[.,]\d+)?|{LATIN_NUMBER}|an?)[ -]*(?:free |open |spare |freien? )?(?:hours?|hrs?|h|stunden?|std\.?|stündig\w*)\b"
        rf"(?: (?:and |und )?(?P<andminutes>\d{{1,4}})[ -]*(?:minutes?|minuten|mins?))?",
        rf"(?<![\d:.])(?P<minutes>\d+|{LATIN_NUMBER})[ -]*(?:minutes?|mins?|minuten?|minütig\w*)\b",
        r"(?P<chinesehours>\d+(?:\.\d+)?|[一二两三四五六七八九十]+) *个? *(?:小时|钟头)",
        rf"(?P<chineseminutes>{CHINESE_NUMBER}) *分钟",
        r"(?P<onehour>hour-long|hourlong|stundenlang|an? (?:free|open|spare) hour|eine freie stunde)",
    )
]
EVERY_OTHER = regex(
    r"\bbi-?weekly\b|\bevery (?:other|two|2|second) weeks?\b|\balle (?:zwei|2) wochen\b|\b14-tägig|每两周|每隔一周|隔周"
)
MONTHLY = regex(r"\bmonthly\b|\b(?:every|each) month\b|\bmonatlich\w*|\bjeden monat\b|每个?月")
YEARLY = regex(r"\b(?:yearly|annually)\b|\bevery year\b|\bjährlich\w*|\bjedes jahr\b|每年")
WEEKLY_ON = regex(
    rf"\b(?:every|each|jede[nr]?) ((?:{LATIN_DAY})\b(?:(?:,? *(?:and|und) *|, *)(?:{LATIN_DAY})\b)*)|\b((?:mon|tues|wednes|thurs|fri|satur|sun)days|montags|dienstags"
    r"|mittwochs|donnerstags|freitags|samstags|sonntags)\b|每(?:个)?(?:周|星期|礼拜)((?:[一二三四五六日天](?:[、和及](?:周|星期)?)?)+)"
)
WORKDAYS = regex(
    r"\b(?:every|each) (?:weekday|workday|working day)s?\b|\b(?:jeden|an jedem) (?:werktag|arbeitstag)\b|\bwerktags\b|每个?工作日"
    r"|\b(?:every|each|jeden) mon(?:day|tag)? *(?:to|through|bis|-|–) *(?:fri(?:day)?|freitag)\b|\bmontags bis freitags\b|每个?(?:周|星期)一[到至](?:周|星期)?五"
)
DAILY = regex(
    r"\bdaily\b|\b(?:every|each) (?:single )?(?:day|morning|afternoon|evening)\b|\btäglich\w*|\bjeden (?:tag|morgen|abend)\b|每[天日]"
)
WEEKLY = regex(r"\bweekly\b|\b(?:every|each) week\b|\bwöchentlich\w*|\bjede woche\b|每个?(?:周|星期|礼拜)")
TIMES = regex(
    rf"\b({LATIN_NUMBER}) ?(?:times|mal|occurrences|occasions|sessions|termine)\b|(?:共|一共|总共|连续|重复)? *({CHINESE_NUMBER}) *次|\b(twice|zweimal|dreimal|viermal|fünfmal)\b"
)
SPAN = regex(
    rf"(?<!in )\b({LATIN_NUMBER}|a) (days?|weeks?|months?|tagen?|tage|wochen?|monate?n?)\b"
    rf"|(?<!每)(?:连续|接下来|未来|持续|为期|共)?的? *({CHINESE_NUMBER}) *(天|周|个?星期|个月)(?!之?[后一二三四五六日])"
)
FREQUENCY_DAYS = {"daily": 1, "weekly": 7, "monthly": 30, "yearly": 365}


def take_length(text: str) -> tuple[datetime.timedelta | None, str]:
    for pattern in LENGTHS:
        if match := pattern.search(text):
            minutes = _minutes({name: value for name, value in match.groupdict().items() if value})
            if minutes:
                return datetime.timedelta(minutes=min(minutes, 14 * 24 * 60)), pattern.sub(blank, text)
    return None, text


def _minutes(found: dict[str, str]) -> float:
    fixed = {"quarters": 15, "threequarters": 45, "half": 30, "onehalf": 90, "onehour": 60}
    for name, value in found.items():
        if name in fixed:
            return fixed[name]
        if name in ("halfhours", "chinesehalf"):
            return number(value) * 60 + 30
        if name in ("hours", "chinesehours"):
            hours = float(value.replace(",", ".")) if value[0].isdigit() else number(value)
            return hours * 60 + int(found.get("andminutes", 0))
        if name in ("minutes", "chineseminutes"):
            return number(value)
    return 0


def take_repeat(text: str, repeat: Repeat | None) -> tuple[Repeat | None, str]:
    if repeat:
        text = MONTHLY.sub(blank, text)
    elif not WORKDAYS.search(text) and (match := WEEKLY_ON.search(text)):
        days = match[1] or match[2] or match[3]
        if match[3]:
            weekdays = [WEEKDAYS[letter] for letter in days if letter in WEEKDAYS]
        else:
            weekdays = [WEEKDAYS[day.lower()] for day in re.findall(rf"(?:{LATIN_DAY})(?=s?\b)", days, re.IGNORECASE)]
        repeat = Repeat("weekly", weekdays=weekdays)
        text = WEEKLY.sub(blank, WEEKLY_ON.sub(blank, text))
    else:
        tests = (
            (EVERY_OTHER, Repeat("weekly", every=2)),
            (WORKDAYS, Repeat("daily", weekdays=[0, 1, 2, 3, 4])),
            (DAILY, Repeat("daily")),
            (MONTHLY, Repeat("monthly")),
            (YEARLY, Repeat("yearly")),
            (WEEKLY, Repeat("weekly")),
        )
        for pattern, one in tests:
            if pattern.search(text):
                repeat, text = one, pattern.sub(blank, text)
                break
    if repeat is None:
        return None, text
    if match := TIMES.search(text):
        word = match[1] or match[2] or match[3]
        repeat.count = {"twice": 2, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5}.get(word.lower()) or number(
            word
        )
        repeat.in_all = len(repeat.weekdays) > 1
        text = TIMES.sub(blank, text)
    elif match := SPAN.search(text):
        repeat.count = _count(repeat, number(match[1] or match[3]), (match[2] or match[4]).lower())
        text = SPAN.sub(blank, text)
    return repeat, text


def _count(repeat: Repeat, length: int, unit: str) -> int:
    """Return how often it takes place in so many days, weeks or months."""
    if unit[0] in "dt天":
        days = length
    elif unit[0] in "w周" or "星期" in unit:
        days = length * 7
    else:
        days = length * 28
        if repeat.frequency == "monthly":
            return length
    if repeat.frequency == "daily" and repeat.weekdays:
        return max(1, days * 5 // 7) if unit[0] not in "dt天" else length
    return max(1, days // (FREQUENCY_DAYS[repeat.frequency] * repeat.every))


def first_days(when: When, today: Date | None) -> None:
    if today is None:
        when.needs_today = True
        return
    assert when.repeat is not None
    weekdays = when.repeat.weekdays
    if when.repeat.frequency == "weekly" and weekdays:
        when.dates = sorted(after(today, day) for day in weekdays)
    elif weekdays:
        when.dates = [min(after(today, day) for day in weekdays)]
    else:
        when.dates = [today + DAY]
