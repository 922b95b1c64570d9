"""Days that only today's date makes dates of: "tomorrow", "next Monday", "in two weeks"."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re

from .time_words import CHINESE_NUMBER, LATIN_DAY, LATIN_NUMBER, WEEKDAYS, blank, number, regex
from .when import DAY, Date, When
from .written_dates import RANGED, after

EXPRESSIONS = {
    -1: r"\byesterday\b|\bgestern\b|昨天",
    2: r"\bthe day after(?= *[?.!,]|$)|\bthe day after tomorrow\b|\bday after tomorrow\b|\bübermorgen\b|后天",
    1: r"\btomorrow\b|(?<!am )(?<!heute )(?<!guten )\bmorgen\b|明[天日早晚]",
    0: r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bheute\b|今[天日晚早]",
}
RELATIVE = [(offset, regex(text)) for offset, text in EXPRESSIONS.items()]
DAY_WORD = rf"today|now|tomorrow|heute|morgen|übermorgen|{LATIN_DAY}"
IN_DAYS = regex(
    rf"(?:\b(?P<day>{DAY_WORD}) )?\bin (?P<number>{LATIN_NUMBER}|a|an) (?P<unit>days?|weeks?|tag(?:en)?|wochen?)\b(?:,? (?:on |am )?(?P<day_>{LATIN_DAY})\b)?"
    rf"|\b(?P<number_>{LATIN_NUMBER}|a|an) (?P<unit_>days?|weeks?) (?P<plus>from|after) (?P<day__>{DAY_WORD})\b"
    rf"|(?P<number__>{CHINESE_NUMBER}) *(?P<unit__>天|周|个?星期)(?:之?后)(?:的?(?:周|星期|礼拜)(?P<day___>[一二三四五六日天]))?"
)
NEXT_DAYS = regex(
    rf"\b(?:next|coming|following|nächsten|kommenden) ({LATIN_NUMBER}) (?:days?|tagen?|tage)\b"
    rf"|(?:接下来|未来|今后|往后)的? *({CHINESE_NUMBER}) *(?:天)"
)
NEXT_WEEK = regex(
    r"\b(?:next|coming) week\b|\b(?:nächste[rn]?|kommende[rn]?) woche\b|下(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天])"
)
THIS_WEEK = regex(r"\bthis week\b|\bdiese[rn]? woche\b|[这本]个?(?:周|星期)(?![一二三四五六日天])")
WEEKDAY = re.compile(
    rf"(?:(next|this|coming|nächste[rnms]?|kommende[rnms]?|diese[rnms]?) )?\b({LATIN_DAY})(?:s|morgen|vormittag|nachmittag|abend)?\b"
    rf"|(下下个?|下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])",
    re.IGNORECASE,
)
CHAINED = regex(r"^[\s,、，/]*(?:or|and|oder|und|或者?|和|还是|及)?\s*(?:on |am )?$")


def take_relative_days(text: str, today: Date | None, when: When) -> None:
    """Add the days that only today's date makes dates of."""
    found: list[tuple[int, Date]] = []
    base = today or Date(2000, 1, 3)  # any: without today's date only the fact that a day was named counts
    used = text
    if match := NEXT_DAYS.search(used):
        count = min(number(match[1] or match[2]), 31)
        found += [(match.start(), base + DAY * (i + 1)) for i in range(count)]
        used = NEXT_DAYS.sub(blank, used)
    found += [(match.start(), _in_days(match, base)) for match in IN_DAYS.finditer(used)]
    used = IN_DAYS.sub(blank, used)
    for offset, pattern in RELATIVE:
        for match in pattern.finditer(used):
            found.append((match.start(), base + DAY * offset))
        used = pattern.sub(blank, used)
    weekdays = _weekdays(used, base)
    found += weekdays
    if not found:
        monday = base - DAY * base.weekday()
        if match := NEXT_WEEK.search(used):
            found = [(match.start(), monday + DAY * (7 + i)) for i in range(5)]
        elif match := THIS_WEEK.search(used):
            found = [(match.start(), monday + DAY * i) for i in range(5) if monday + DAY * i >= base]
        when.any_of = bool(found)
    if found and today is None:
        when.needs_today = True
    elif found:
        when.dates = list(dict.fromkeys(when.dates + [date for _, date in sorted(found)]))


def _in_days(match: re.Match[str], today: Date) -> Date:
    """Return the day that "in two weeks", "in two weeks on Monday" or "a week from Monday" means."""
    said = {name.rstrip("_"): value.lower() for name, value in match.groupdict().items() if value}
    weeks = said["unit"][0] in "w周" or "星期" in said["unit"]
    date = today + DAY * min(number(said["number"]) * (7 if weeks else 1), 3660)
    day = said.get("day", "today")
    if day in WEEKDAYS and "plus" in said:
        return date + (after(today, WEEKDAYS[day]) - today)
    if day in WEEKDAYS and weeks:
        return date + DAY * (WEEKDAYS[day] - date.weekday())
    return date + DAY * {"tomorrow": 1, "morgen": 1, "übermorgen": 2}.get(day, 0)


def _weekdays(text: str, today: Date) -> list[tuple[int, Date]]:
    found: list[tuple[int, Date]] = []
    end, prefix = 0, ""
    monday = today - DAY * today.weekday()
    for match in WEEKDAY.finditer(text):
        weekday = WEEKDAYS[(match[2] or match[4]).lower()]
        gap = text[end : match.start()]
        said = (match[1] or match[3] or "").lower()
        if found and (CHAINED.match(gap) or RANGED.match(gap)) and not (said and prefix and match[3]):
            day = after(found[-1][1], weekday)
            if RANGED.match(gap):
                found += [(match.start(), found[-1][1] + DAY * i) for i in range(1, (day - found[-1][1]).days)]
        elif said.startswith("下"):
            day = monday + DAY * (weekday + (14 if said.startswith("下下") else 7))
        elif said and said[0] in "这本":
            day = monday + DAY * weekday
        elif NEXT_WEEK.search(text):
            day = monday + DAY * (7 + weekday)
        else:
            day = after(today, weekday)
        found.append((match.start(), day))
        end, prefix = match.end(), said or prefix
    return found
