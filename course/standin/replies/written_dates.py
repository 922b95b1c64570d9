"""Dates that are written out, "December 7", "7.12.2026", "12月7日", and those that a month counts: its first Monday."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re

from .time_words import CHINESE_NUMBER, LATIN_DAY, LATIN_MONTH, MONTHS, WEEKDAYS, blank, number, regex
from .when import DAY, Date, Repeat, Time, When

# A weekday beside a date says nothing new and goes with it.
WITH_DAY = rf"(?:\b(?:{LATIN_DAY})\b\.?,? *(?:the |de[nmr] )?)?"
ISO = regex(
    WITH_DAY + r"(?<![\d-])(\d{4})-(\d\d?)-(\d\d?)(?!\d)(?:[T ](\d\d):(\d\d)(?::\d\d)?)?(?: *[(（][^)）]*[)）])?"
)
CHINESE_DATE = regex(
    rf"(?:(\d{{4}}) *年 *)?({CHINESE_NUMBER}) *月 *({CHINESE_NUMBER}) *[日号]?(?: *[(（]?(?:周|星期|礼拜)[一二三四五六日天][)）]?)?"
)
MONTH_FIRST = regex(WITH_DAY + rf"\b({LATIN_MONTH})\.? +(\d\d?)(?:st|nd|rd|th)?\b(?:,? *(\d{{4}})\b)?")
DAY_FIRST = regex(WITH_DAY + rf"\b(\d\d?)(?:\.|st|nd|rd|th)?(?: of)? ({LATIN_MONTH})\b\.?(?:,? *(\d{{4}})\b)?")
DOTTED = regex(WITH_DAY + r"\b(\d\d?)\.(\d\d?)\.(?:(\d{4})|(?!\d))")
SLASHED = regex(WITH_DAY + r"\b(\d\d?)/(\d\d?)/(\d{4})\b")
DAY_ONLY = regex(  # "the 15th", "Freitag, den 11.", "下个月15号"
    rf"(?:\b(?:{LATIN_DAY})\b\.?,? *(?:the |de[nmr] )?|\b(?:on the|the|on|am|de[nm]|vom|zum) )(\d\d?)(?:st|nd|rd|th|\.)(?P<next> of next month| (?:des )?nächsten monats)?"
    r"(?= *(?:[,;!?\n]|\.?$|(?:at|from|with|and|or|to|for|in the|between|until|through|um|von|ab|ein|eine|einen|mit|und|oder|zwischen|bis)\b))"
    rf"|(?:本月|这个?月|(?P<next_>下个?月))?的? *(?<!\d)({CHINESE_NUMBER}) *(?:号(?![线楼会房门厅])|日(?![程历报]))(?: *[(（]?(?:周|星期|礼拜)[一二三四五六日天][)）]?)?"
)
ORDINALS = {
    "first": 1,
    "1st": 1,
    "erste": 1,
    "一": 1,
    "second": 2,
    "2nd": 2,
    "zweite": 2,
    "二": 2,
    "third": 3,
    "3rd": 3,
    "dritte": 3,
}
ORDINALS |= {"三": 3, "fourth": 4, "4th": 4, "vierte": 4, "四": 4, "last": -1, "letzte": -1, "最后": -1}
NTH_WEEKDAY = regex(  # "the first Monday of March", "jeden letzten Freitag im Monat", "每月第一个周一"
    rf"(?P<every>\b(?:every|each|jede[nrs]?) )?\b(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last|(?:erste|zweite|dritte|vierte|letzte)[nrs]?) (?P<day>{LATIN_DAY})"
    rf" (?:of|in|im|des|eines|jeden) ?(?:the |each (?P<each>)|every (?P<each_>)|jeden (?P<each__>))?(?P<next>next |nächsten )?(?P<month>{LATIN_MONTH}|months?|monats?)\b(?:,? *(?P<year>\d{{4}})\b)?"
    rf"|(?P<every_>每个?月)?(?:(?:(?P<year_>\d{{4}}) *年)? *(?P<month_>{CHINESE_NUMBER}) *月(?:份)?|(?P<next_>下个?月)|本月|这个?月)?的?(?:第(?P<nth_>[一二三四])|(?P<last>最后)一)个?(?:周|星期|礼拜)(?P<day_>[一二三四五六日天])"
)
BETWEEN_DAYS = r" *(?:to|through|until|bis|and|und|&|-|–|—) *"
SHORTENED = (  # "December 7 to 9", "7. bis 9. Dezember", "12月7日到9日": the month for both
    (regex(rf"\b({LATIN_MONTH})\.? +(\d\d?)(?:st|nd|rd|th)?({BETWEEN_DAYS})(?:the )?(?=\d\d?(?:st|nd|rd|th)?\b(?! ?[ap]\.?m|[:.]\d))"), r"\1 \2\3\1 "),
    (regex(rf"\b(\d\d?)(?:\.|st|nd|rd|th)?({BETWEEN_DAYS})(?:de[nr] |the )?(?=\d\d?(?:\.|st|nd|rd|th)?(?: of)? ({LATIN_MONTH})\b)"), r"\1. \3\2"),
    (regex(rf"(?<![\d.])(\d\d?)\.({BETWEEN_DAYS})(?=\d\d?\.(\d\d?)\.)"), r"\1.\3.\2"),
    (regex(rf"({CHINESE_NUMBER}) *月 *({CHINESE_NUMBER}) *[日号]?( *(?:到|至|-|–|—|~|和|、) *)(?={CHINESE_NUMBER} *[日号])"), r"\1月\2日\3\1月"),
)  # fmt: skip  # fmt: skip
TODAY_SAID = regex(
    r"\btoday\b|\bcurrent date|\bdate(?: today)?(?: is|:)|\bit is\b|\bnow\b|heute|aktuelle[sr]? datum|\bdatum\b|今天|今日|当前|现在|日期"
)
RANGED = regex(r"^\s*(?:to|through|until|till|bis(?: zum)?|到|至|-|–|—|~)\s*$")


def today_said(*texts: str) -> Date | None:
    """Return the date that one of the texts says is today's."""
    for text in texts:
        if not text:
            continue
        for match in TODAY_SAID.finditer(text):
            near = text[match.start() : match.start() + 100]
            found = absolute_dates(near, None)[0]
            if found:
                return found[0]
        for match in TODAY_SAID.finditer(text):
            before = absolute_dates(text[max(0, match.start() - 40) : match.start()], None)[0]
            if before:
                return before[-1]
    return None


def absolute_dates(text: str, today: Date | None) -> tuple[list[Date], str, bool, list[Time]]:
    """Return (dates written out in `text`, the text without them, whether a year was missing and not known, times)."""
    found: list[tuple[int, int, Date]] = []  # from, to, date
    missing = False
    times: list[Time] = []
    for pattern, both in SHORTENED:
        text = pattern.sub(both, text)

    def day_only(m: re.Match[str]) -> str:
        nonlocal missing
        date = _day_of_month(number(m[1] or m[4]), today, bool(m["next"] or m["next_"])) if today else None
        missing = missing or today is None
        found.extend([(*m.span(), date)] if date else [])
        return blank(m)

    def take(match: re.Match[str], year: str | None, month: int, day: int) -> str:
        nonlocal missing
        date = _date(year, month, day, today)
        if date is None:
            if year is None and today is None and 1 <= month <= 12 and 1 <= day <= 31:
                missing = True
                return " " * len(match[0])
            return match[0]
        found.append((*match.span(), date))
        return " " * len(match[0])

    def iso(m: re.Match[str]) -> str:
        if m[4] and int(m[4]) < 24 and int(m[5]) < 60:
            times.append(Time(int(m[4]), int(m[5])))
        return take(m, m[1], int(m[2]), int(m[3]))

    text = ISO.sub(iso, text)
    text = CHINESE_DATE.sub(lambda m: take(m, m[1], number(m[2]), number(m[3])), text) if "月" in text else text
    text = MONTH_FIRST.sub(lambda m: take(m, m[3], MONTHS[m[1].lower()], int(m[2])), text)
    text = DAY_FIRST.sub(lambda m: take(m, m[3], MONTHS[m[2].lower()], int(m[1])), text)
    text = DOTTED.sub(lambda m: take(m, m[3], int(m[2]), int(m[1])), text)
    text = SLASHED.sub(lambda m: take(m, m[3], int(m[1]), int(m[2])), text)
    text = DAY_ONLY.sub(day_only, text)
    return _with_days_between(sorted(found), text), text, missing, times


def _with_days_between(found: list[tuple[int, int, Date]], text: str) -> list[Date]:
    """Return the dates, (from, to, date) each, and the days between two that "to" stands between."""
    all_dates: list[Date] = []
    end = 0
    for start, stop, date in found:
        if all_dates and RANGED.match(text[end:start]) and 1 < (date - all_dates[-1]).days <= 31:
            all_dates += [all_dates[-1] + DAY * i for i in range(1, (date - all_dates[-1]).days)]
        all_dates.append(date)
        end = stop
    return all_dates


def _date(year: str | None, month: int, day: int, today: Date | None) -> Date | None:
    try:
        if year:
            return Date(int(year), month, day) if 1900 <= int(year) <= 9000 else None
        if today is None:
            return None
        date = Date(today.year, month, day)
        return date if date >= today else Date(today.year + 1, month, day)
    except ValueError:
        return None


def _months_on(today: Date, months: int) -> tuple[int, int]:
    """Return the year and month so many months after today's."""
    years, month = divmod(today.month - 1 + months, 12)
    return today.year + years, month + 1


def _day_of_month(day: int, today: Date, next_month: bool) -> Date | None:
    """Return the next date with such a day of the month."""
    for months in (1,) if next_month else range(3):
        try:
            date = Date(*_months_on(today, months), day)
        except ValueError:
            continue
        if date >= today:
            return date
    return None


def nth_weekday(year: int, month: int, nth: int, weekday: int) -> Date:
    """Return a month's first (1) to fourth (4) or last (-1) such weekday."""
    if nth > 0:
        return after(Date(year, month, 1) - DAY, weekday) + DAY * 7 * (nth - 1)
    return after(Date(year + month // 12, month % 12 + 1, 1) - DAY * 8, weekday)


def take_nth_weekday(text: str, today: Date | None, when: When) -> str:
    """Find "the first Monday of March", or of each month; return the text without it."""
    match = NTH_WEEKDAY.search(text)
    if match is None:
        return text
    said = {name.rstrip("_"): value for name, value in match.groupdict().items() if value is not None}
    word = "last" if "last" in said else said["nth"].lower()
    nth, weekday = ORDINALS[word if word in ORDINALS else word[:-1]], WEEKDAYS[said["day"].lower()]
    if "every" in said or "each" in said:
        when.repeat = Repeat("monthly", nth=(nth, weekday))
    month = MONTHS.get(said.get("month", "").lower()) or (
        "月" in match[0] and said.get("month") and number(said["month"])
    )
    if today is None and not (month and "year" in said):
        when.needs_today = True
    elif month and "year" in said:
        when.dates.append(nth_weekday(int(said["year"]), month, nth, weekday))
    elif today:
        months = [_months_on(today, i) for i in range("next" in said, 13)]
        days = [nth_weekday(*one, nth, weekday) for one in months if not month or one[1] == month]
        when.dates.append(next(day for day in days if day >= today))
    return text[: match.start()] + blank(match) + text[match.end() :]


def after(day: Date, weekday: int) -> Date:
    """Return the first such weekday after a day."""
    return day + DAY * ((weekday - day.weekday() - 1) % 7 + 1)
