"""Times of day: "at half past nine", "von 14 bis 16 Uhr", "下午三点一刻"."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re

from .time_words import CHINESE_NUMBER, blank, number, regex
from .when import Time, When

DAY_MINUTES = 24 * 60
HALF_DAY = r"(?: ?(a\.?m\.?|p\.?m\.?|uhr(?: (?:morgens|früh|vormittags|nachmittags|abends))?|o'clock)(?![a-z]))?"
SIMPLE = rf"(\d{{1,2}})(?:[:.](\d\d))?{HALF_DAY}"
TIME_RANGE = regex(
    rf"(?:\b(from|von|at|um|(between|zwischen)) )?(?<![\d:.]){SIMPLE},? *(?:to|until|till|bis|(?:and )?(?:end|finish)(?:s|es|ing) at|-|–|—|(?(2)and|to)|(?(2)und|to)) *{SIMPLE}(?![\d:%])"
)
TIME = regex(rf"(?:\b(at|um|gegen|ab|around|by|@) )?(?<![\d:.-]){SIMPLE}(?: (\d\d)(?=[ ,.?!]|$))?(?![\d%])")
HOUR_WORD = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|ein|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
WORD_TIME = regex(
    r"\b(half past|quarter past|quarter to|halb|viertel nach|viertel vor|at|um) "
    rf"({HOUR_WORD}|\d{{1,2}})\b(?! ?:)(?: ?(?:uhr|o'clock))?(?: ?(a\.?m\.?|p\.?m\.?))?"
)
HOURS_H = re.compile(r"(?<![\d:.])(\d\d?)h(\d\d)\b")
WORD_RANGE = regex(
    rf"\b(from|between|von|zwischen) ({HOUR_WORD}) (to|and|until|till|bis|und) ({HOUR_WORD})\b(?! *(?:people|person|hour|minute|day|week|month|leute|stunde|minute|tag|woche|monat))"
)
ONE_TIME = r"(\d\d?(?:[:.]\d\d)?)(?![\d:.]\d)( ?(?:[ap]\.?m\b\.?|uhr))?"
LISTED_TIMES = regex(  # "at 10 and 11": a time of its own for each
    rf"\b(?P<at>at|um) {ONE_TIME}(?:(?:,? and |,? und |, | & )(?:at |um )?{ONE_TIME})+"
    r"(?= *(?:[,.;!?\n]|$|(?:on|with|for|and|tomorrow|today|next|every|each|mit|am|und|ein|eine|einen|morgen|heute|je)\b))"
)
ONE_TIME_ALONE = regex(ONE_TIME)
NAMED_TIME = regex(
    r"\b(noon|midday|mittags|midnight|mitternacht)\b|((?:正午|中午|午夜)(?! *[\d零一二两三四五六七八九十]))|\b(?:at|um|zu) (lunchtime|mittag)\b"
)
CHINESE_CLOCK = rf"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|明早)? *({CHINESE_NUMBER}) *(?:点钟?|时(?!间)|[:：](?=\d\d))(半|一刻|三刻|整|{CHINESE_NUMBER})?分?"
CHINESE_TIME_RANGE = regex(rf"{CHINESE_CLOCK} *(?:到|至|-|–|—|~|和(?=.{{1,12}}?(?:之间|期间))) *{CHINESE_CLOCK}")
CHINESE_TIME = regex(CHINESE_CLOCK)
PART_OF_DAY = {
    "morning": (regex(r"\bmorning\b|\bvormittag|\bmorgens\b|上午|早上"), Time(9), Time(12)),
    "afternoon": (regex(r"\bafternoon\b|nachmittag|下午"), Time(13), Time(17)),
    "evening": (regex(r"\bevening\b|\btonight\b|abend|晚上|今晚|明晚"), Time(18), Time(21)),
}
AFTERNOON = regex(r"\bafternoon\b|\bevening\b|\btonight\b|nachmittag|abend")
BETWEEN = regex(r"\bbetween\b|\bzwischen\b|之间|期间")
BEFORE = regex(r"\b(?:before|by|vor|bis spätestens|spätestens bis) $")
BEFORE_CHINESE = re.compile(r" *(?:之前|以前|前(?![台面]))")
UNTIL = regex(r"\b(?:until|till|bis|end(?:s|ing)|finish(?:es|ing)) $")
QUOTED = r"\"[^\"]{1,80}\"|“[^”]{1,80}”|„[^“”]{1,80}[“”]|「[^」]{1,80}」|《[^》]{1,80}》"


def in_digits(text: str) -> str:
    """Return the text with times of day in digits: "at noon" is "at 12:00", "um halb zehn" is "um 09:30"."""
    pm = bool(AFTERNOON.search(text))

    def named(match: re.Match[str]) -> str:
        name = next(filter(None, match.groups())).lower()
        return "00:00" if name in ("midnight", "mitternacht", "午夜") else "12:00"

    def word(match: re.Match[str]) -> str:
        if match[1].lower() in ("at", "um"):
            return match[0].replace(match[2], str(number(match[2])), 1)
        time = _word_time(match[1].lower(), match[2], match[3], pm)
        return f"{time:%H:%M}" if time else match[0]

    def both(match: re.Match[str]) -> str:
        return f"{match[1]} {number(match[2])} {match[3]} {number(match[4])}"

    def listed(match: re.Match[str]) -> str:
        found = ONE_TIME_ALONE.findall(match[0])
        half = ""
        for i in range(len(found) - 1, -1, -1):  # "at 2 and 4 pm": both are
            time, own = found[i]
            half = own or (half if int(re.split("[:.]", time)[0]) < 12 else "")
            found[i] = f"{match['at']} {time}{half}"
        return ", ".join(found)

    pieces = re.split(f"({QUOTED})", text)
    for i in range(0, len(pieces), 2):  # what is quoted is a title, and stays as it is
        piece = NAMED_TIME.sub(named, HOURS_H.sub(r"\1:\2", pieces[i]))
        pieces[i] = LISTED_TIMES.sub(listed, WORD_RANGE.sub(both, WORD_TIME.sub(word, piece)))
    return "".join(pieces)


def take_times(text: str, when: When) -> str:
    """Find the times of day; return the text without them."""
    pm = bool(AFTERNOON.search(text))
    chinese = re.search("[点时：:]", text) and re.search("[\u4e00-\u9fff]", text)
    if chinese and (match := CHINESE_TIME_RANGE.search(text)):
        start = _chinese_time(match[1], match[2], match[3])
        end = _chinese_time(match[4] or match[1], match[5], match[6])
        return _take_range(text, match, start, end, when)
    if chinese and (match := CHINESE_TIME.search(text)):
        _take_time(_chinese_time(match[1], match[2], match[3]), "", text[match.end() :], when)
        return CHINESE_TIME.sub(blank, text)
    for match in TIME_RANGE.finditer(text):
        word, _, h1, m1, half1, h2, m2, half2 = match.groups()
        if not (word or m1 or half1 or m2 or half2):
            continue
        end = _time(h2, m2, half2, pm)
        start = _time(h1, m1, half1 or (half2 if int(h1) <= int(h2) and h2 != "12" else None), pm)
        if half1 is None and start and end and start >= end and start.hour >= 12:
            start = _time(h1, m1, "am", False)
        if start and end and start >= end and half2 is None and end.hour < 12 and end.hour + 12 > start.hour:
            end = end.replace(hour=end.hour + 12)
        if start and end and start >= end and int(h2) < 12 and not (half2 or "").startswith("p"):
            end = end.replace(hour=end.hour % 12)  # "from 22 to 2"
        if start and end:
            return _take_range(text, match, start, end, when)
    for match in TIME.finditer(text):
        word, hour, minute, half, more = match.groups()
        if not (word or half or (minute and match[0].find(":") > 0)):
            continue
        if half is None or not half.lower().startswith("uhr"):
            more = None
        found = _time(hour, minute or more, half, pm)
        if found:
            _take_time(found, text[: match.start()], "", when)
            return text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    for pattern, low, high in PART_OF_DAY.values():
        if pattern.search(text):
            when.window = (low, high)
            break
    return text


def _take_time(time: Time | None, before: str, behind: str, when: When) -> None:
    """Take a time for the start, unless "before" says that it bounds a search, or "until" that it is the end."""
    if time and (BEFORE.search(before) or BEFORE_CHINESE.match(behind)):
        when.window = next(((low, time) for low in (Time(9), Time(6)) if low < time), None)
    elif not UNTIL.search(before):
        when.start = time


def _take_range(text: str, match: re.Match[str], start: Time | None, end: Time | None, when: When) -> str:
    if start and end and start != end:
        around = text[max(0, match.start() - 12) : match.end() + 4]
        minutes = minutes_between(start, end) % DAY_MINUTES
        if BETWEEN.search(around) or (when.length and minutes > when.length.total_seconds() / 60):
            when.window = (start, end) if start < end else None
        elif start < end or minutes <= DAY_MINUTES / 2:  # past midnight
            when.start, when.end = start, end
    return text[: match.start()] + " " * len(match[0]) + text[match.end() :]


def minutes_between(start: Time, end: Time) -> int:
    return (end.hour - start.hour) * 60 + end.minute - start.minute


def _time(hour: str, minute: str | None, half: str | None, pm: bool) -> Time | None:
    h, m = int(hour), int(minute or 0)
    half = (half or "").lower().replace(".", "")
    if half == "pm" or half.endswith(("nachmittags", "abends")):
        h += 12 if h < 12 else 0
    elif half == "am" or half.endswith(("morgens", "früh", "vormittags")):
        h = 0 if h == 12 else h
    elif h < 12 and ((pm and h) or (1 <= h <= 6 and not hour.startswith("0"))):
        h += 12  # "at 3" is in the afternoon
    if h == 24 and m == 0:
        return Time(23, 59)
    return Time(h, m) if h < 24 and m < 60 else None


def _word_time(word: str, hour: str, half: str | None, pm: bool) -> Time | None:
    time = _time(str(number(hour)), None, half, pm)
    if time is None:
        return None
    minutes = time.hour * 60
    minutes += {"half past": 30, "quarter past": 15, "viertel nach": 15, "quarter to": -15, "viertel vor": -15}.get(
        word, 0
    )
    minutes -= 30 if word == "halb" else 0
    return Time(minutes // 60 % 24, minutes % 60)


def _chinese_time(part: str | None, hour: str, minute: str | None) -> Time | None:
    h = number(hour)
    m = {"半": 30, "一刻": 15, "三刻": 45, "整": 0, None: 0}.get(minute, None if minute is None else -1)
    if m is None or m < 0:
        m = number(minute or "0")
    part = part or ""
    if part in ("下午", "傍晚", "晚上", "今晚", "明晚") and h < 12 or part == "中午" and h < 3:
        h += 12
    elif not part and 1 <= h <= 6:
        h += 12
    return Time(h, m) if h < 24 and m < 60 else None
