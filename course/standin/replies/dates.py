"""Dates, times, lengths and repetitions in a sentence of English, German or Chinese.

Words for days become dates only if today's date is known; nothing here looks at a clock.
"""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import re
from dataclasses import dataclass, field

Date = datetime.date
Time = datetime.time

DAY = datetime.timedelta(days=1)
DAY_MINUTES = 24 * 60

MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan januar jänner|february feb februar|march mar märz mrz|april apr|may mai|june jun juni|july jul juli"
        "|august aug|september sep sept|october oct oktober okt|november nov|december dec dezember dez".split("|"),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        "monday mon montag 一|tuesday tue tues dienstag 二|wednesday wed mittwoch 三|thursday thu thurs donnerstag 四"
        "|friday fri freitag 五|saturday sat samstag sonnabend 六|sunday sun sonntag 日 天".split("|")
    )
    for name in names.split()
}
NUMBERS = {
    name: number
    for number, names in enumerate(
        "zero null 零|one a an ein eine einen einem einer eins 一|two zwei zwo 两 二|three drei 三|four vier 四|five fünf 五"
        "|six sechs 六|seven sieben 七|eight acht 八|nine neun 九|ten zehn 十|eleven elf 十一|twelve zwölf 十二"
        "|thirteen 十三|fourteen 十四|fifteen fünfzehn 十五".split("|")
    )
    for name in names.split()
}
NUMBERS |= {"twenty": 20, "zwanzig": 20, "二十": 20, "三十": 30, "thirty": 30, "dreißig": 30, "四十": 40, "四十五": 45}
NUMBERS |= {"forty-five": 45, "fünfundvierzig": 45, "sixty": 60, "六十": 60, "ninety": 90, "neunzig": 90, "九十": 90}


def _any(names: dict[str, int]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


LATIN_NUMBER = r"\d+|" + "|".join(
    sorted((name for name in NUMBERS if name[0] < "\u2000" and name not in ("a", "an")), key=len, reverse=True)
)
CHINESE_NUMBER = r"\d+|[零一二两三四五六七八九十]+"
LATIN_DAY = "|".join(sorted((name for name in WEEKDAYS if name[0] < "\u2000"), key=len, reverse=True))
LATIN_MONTH = _any(MONTHS)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


# Absolute dates. A weekday beside one says nothing new and goes with it.
WITH_DAY = rf"(?:\b(?:{LATIN_DAY})\b\.?,? *(?:the |de[nmr] )?)?"
ISO = _pattern(
    WITH_DAY + r"(?<![\d-])(\d{4})-(\d\d?)-(\d\d?)(?!\d)(?:[T ](\d\d):(\d\d)(?::\d\d)?)?(?: *[(（][^)）]*[)）])?"
)
CHINESE_DATE = _pattern(
    rf"(?:(\d{{4}}) *年 *)?({CHINESE_NUMBER}) *月 *({CHINESE_NUMBER}) *[日号]?(?: *[(（]?(?:周|星期|礼拜)[一二三四五六日天][)）]?)?"
)
MONTH_FIRST = _pattern(WITH_DAY + rf"\b({LATIN_MONTH})\.? +(\d\d?)(?:st|nd|rd|th)?\b(?:,? *(\d{{4}})\b)?")
DAY_FIRST = _pattern(WITH_DAY + rf"\b(\d\d?)(?:\.|st|nd|rd|th)?(?: of)? ({LATIN_MONTH})\b\.?(?:,? *(\d{{4}})\b)?")
DOTTED = _pattern(WITH_DAY + r"\b(\d\d?)\.(\d\d?)\.(?:(\d{4})|(?!\d))")
SLASHED = _pattern(WITH_DAY + r"\b(\d\d?)/(\d\d?)/(\d{4})\b")
DAY_ONLY = _pattern(  # "the 15th", "Freitag, den 11.", "下个月15号"
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
NTH_WEEKDAY = _pattern(  # "the first Monday of March", "jeden letzten Freitag im Monat", "每月第一个周一"
    rf"(?P<every>\b(?:every|each|jede[nrs]?) )?\b(?P<nth>first|1st|second|2nd|third|3rd|fourth|4th|last|(?:erste|zweite|dritte|vierte|letzte)[nrs]?) (?P<day>{LATIN_DAY})"
    rf" (?:of|in|im|des|eines|jeden) ?(?:the |each (?P<each>)|every (?P<each_>)|jeden (?P<each__>))?(?P<next>next |nächsten )?(?P<month>{LATIN_MONTH}|months?|monats?)\b(?:,? *(?P<year>\d{{4}})\b)?"
    rf"|(?P<every_>每个?月)?(?:(?:(?P<year_>\d{{4}}) *年)? *(?P<month_>{CHINESE_NUMBER}) *月(?:份)?|(?P<next_>下个?月)|本月|这个?月)?的?(?:第(?P<nth_>[一二三四])|(?P<last>最后)一)个?(?:周|星期|礼拜)(?P<day_>[一二三四五六日天])"
)
BETWEEN_DAYS = r" *(?:to|through|until|bis|and|und|&|-|–|—) *"
SHORTENED = (  # "December 7 to 9", "7. bis 9. Dezember", "12月7日到9日": the month for both
    (_pattern(rf"\b({LATIN_MONTH})\.? +(\d\d?)(?:st|nd|rd|th)?({BETWEEN_DAYS})(?:the )?(?=\d\d?(?:st|nd|rd|th)?\b(?! ?[ap]\.?m|[:.]\d))"), r"\1 \2\3\1 "),
    (_pattern(rf"\b(\d\d?)(?:\.|st|nd|rd|th)?({BETWEEN_DAYS})(?:de[nr] |the )?(?=\d\d?(?:\.|st|nd|rd|th)?(?: of)? ({LATIN_MONTH})\b)"), r"\1. \3\2"),
    (_pattern(rf"(?<![\d.])(\d\d?)\.({BETWEEN_DAYS})(?=\d\d?\.(\d\d?)\.)"), r"\1.\3.\2"),
    (_pattern(rf"({CHINESE_NUMBER}) *月 *({CHINESE_NUMBER}) *[日号]?( *(?:到|至|-|–|—|~|和|、) *)(?={CHINESE_NUMBER} *[日号])"), r"\1月\2日\3\1月"),
)  # fmt: skip

TODAY_SAID = _pattern(
    r"\btoday\b|\bcurrent date|\bdate(?: today)?(?: is|:)|\bit is\b|\bnow\b|heute|aktuelle[sr]? datum|\bdatum\b|今天|今日|当前|现在|日期"
)

# Days that depend on today.
EXPRESSIONS = {
    -1: r"\byesterday\b|\bgestern\b|昨天",
    2: r"\bthe day after(?= *[?.!,]|$)|\bthe day after tomorrow\b|\bday after tomorrow\b|\bübermorgen\b|后天",
    1: r"\btomorrow\b|(?<!am )(?<!heute )(?<!guten )\bmorgen\b|明[天日早晚]",
    0: r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|\bheute\b|今[天日晚早]",
}
RELATIVE = [(offset, _pattern(text)) for offset, text in EXPRESSIONS.items()]
DAY_WORD = rf"today|now|tomorrow|heute|morgen|übermorgen|{LATIN_DAY}"
IN_DAYS = _pattern(
    rf"(?:\b(?P<day>{DAY_WORD}) )?\bin (?P<number>{LATIN_NUMBER}|a|an) (?P<unit>days?|weeks?|tag(?:en)?|wochen?)\b(?:,? (?:on |am )?(?P<day_>{LATIN_DAY})\b)?"
    rf"|\b(?P<number_>{LATIN_NUMBER}|a|an) (?P<unit_>days?|weeks?) (?P<plus>from|after) (?P<day__>{DAY_WORD})\b"
    rf"|(?P<number__>{CHINESE_NUMBER}) *(?P<unit__>天|周|个?星期)(?:之?后)(?:的?(?:周|星期|礼拜)(?P<day___>[一二三四五六日天]))?"
)
NEXT_DAYS = _pattern(
    rf"\b(?:next|coming|following|nächsten|kommenden) ({LATIN_NUMBER}) (?:days?|tagen?|tage)\b"
    rf"|(?:接下来|未来|今后|往后)的? *({CHINESE_NUMBER}) *(?:天)"
)
NEXT_WEEK = _pattern(
    r"\b(?:next|coming) week\b|\b(?:nächste[rn]?|kommende[rn]?) woche\b|下(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天])"
)
THIS_WEEK = _pattern(r"\bthis week\b|\bdiese[rn]? woche\b|[这本]个?(?:周|星期)(?![一二三四五六日天])")
WEEKDAY = re.compile(
    rf"(?:(next|this|coming|nächste[rnms]?|kommende[rnms]?|diese[rnms]?) )?\b({LATIN_DAY})(?:s|morgen|vormittag|nachmittag|abend)?\b"
    rf"|(下下个?|下个?|这个?|本)?(?:周|星期|礼拜)([一二三四五六日天])",
    re.IGNORECASE,
)
CHAINED = _pattern(r"^[\s,、，/]*(?:or|and|oder|und|或者?|和|还是|及)?\s*(?:on |am )?$")
RANGED = _pattern(r"^\s*(?:to|through|until|till|bis(?: zum)?|到|至|-|–|—|~)\s*$")

# Lengths, in minutes or hours.
LENGTHS = [
    _pattern(text)
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

# Repetitions.
EVERY_OTHER = _pattern(
    r"\bbi-?weekly\b|\bevery (?:other|two|2|second) weeks?\b|\balle (?:zwei|2) wochen\b|\b14-tägig|每两周|每隔一周|隔周"
)
MONTHLY = _pattern(r"\bmonthly\b|\b(?:every|each) month\b|\bmonatlich\w*|\bjeden monat\b|每个?月")
YEARLY = _pattern(r"\b(?:yearly|annually)\b|\bevery year\b|\bjährlich\w*|\bjedes jahr\b|每年")
WEEKLY_ON = _pattern(
    rf"\b(?:every|each|jede[nr]?) ((?:{LATIN_DAY})\b(?:(?:,? *(?:and|und) *|, *)(?:{LATIN_DAY})\b)*)|\b((?:mon|tues|wednes|thurs|fri|satur|sun)days|montags|dienstags"
    r"|mittwochs|donnerstags|freitags|samstags|sonntags)\b|每(?:个)?(?:周|星期|礼拜)((?:[一二三四五六日天](?:[、和及](?:周|星期)?)?)+)"
)
WORKDAYS = _pattern(
    r"\b(?:every|each) (?:weekday|workday|working day)s?\b|\b(?:jeden|an jedem) (?:werktag|arbeitstag)\b|\bwerktags\b|每个?工作日"
    r"|\b(?:every|each|jeden) mon(?:day|tag)? *(?:to|through|bis|-|–) *(?:fri(?:day)?|freitag)\b|\bmontags bis freitags\b|每个?(?:周|星期)一[到至](?:周|星期)?五"
)
DAILY = _pattern(
    r"\bdaily\b|\b(?:every|each) (?:single )?(?:day|morning|afternoon|evening)\b|\btäglich\w*|\bjeden (?:tag|morgen|abend)\b|每[天日]"
)
WEEKLY = _pattern(r"\bweekly\b|\b(?:every|each) week\b|\bwöchentlich\w*|\bjede woche\b|每个?(?:周|星期|礼拜)")
TIMES = _pattern(
    rf"\b({LATIN_NUMBER}) ?(?:times|mal|occurrences|occasions|sessions|termine)\b|(?:共|一共|总共|连续|重复)? *({CHINESE_NUMBER}) *次|\b(twice|zweimal|dreimal|viermal|fünfmal)\b"
)
SPAN = _pattern(
    rf"(?<!in )\b({LATIN_NUMBER}|a) (days?|weeks?|months?|tagen?|tage|wochen?|monate?n?)\b"
    rf"|(?<!每)(?:连续|接下来|未来|持续|为期|共)?的? *({CHINESE_NUMBER}) *(天|周|个?星期|个月)(?!之?[后一二三四五六日])"
)
FREQUENCY_DAYS = {"daily": 1, "weekly": 7, "monthly": 30, "yearly": 365}

# Times of day.
HALF_DAY = r"(?: ?(a\.?m\.?|p\.?m\.?|uhr(?: (?:morgens|früh|vormittags|nachmittags|abends))?|o'clock)(?![a-z]))?"
CLOCK = rf"(\d{{1,2}})(?:[:.](\d\d))?{HALF_DAY}(?: ?(\d\d)\b(?=.{{0,3}}))?"
SIMPLE = rf"(\d{{1,2}})(?:[:.](\d\d))?{HALF_DAY}"
TIME_RANGE = _pattern(
    rf"(?:\b(from|von|at|um|(between|zwischen)) )?(?<![\d:.]){SIMPLE},? *(?:to|until|till|bis|(?:and )?(?:end|finish)(?:s|es|ing) at|-|–|—|(?(2)and|to)|(?(2)und|to)) *{SIMPLE}(?![\d:%])"
)
TIME = _pattern(rf"(?:\b(at|um|gegen|ab|around|by|@) )?(?<![\d:.-]){SIMPLE}(?: (\d\d)(?=[ ,.?!]|$))?(?![\d%])")
HOUR_WORD = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|ein|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf"
WORD_TIME = _pattern(
    r"\b(half past|quarter past|quarter to|halb|viertel nach|viertel vor|at|um) "
    rf"({HOUR_WORD}|\d{{1,2}})\b(?! ?:)(?: ?(?:uhr|o'clock))?(?: ?(a\.?m\.?|p\.?m\.?))?"
)
HOURS_H = re.compile(r"(?<![\d:.])(\d\d?)h(\d\d)\b")
WORD_RANGE = _pattern(
    rf"\b(from|between|von|zwischen) ({HOUR_WORD}) (to|and|until|till|bis|und) ({HOUR_WORD})\b(?! *(?:people|person|hour|minute|day|week|month|leute|stunde|minute|tag|woche|monat))"
)
ONE_TIME = r"(\d\d?(?:[:.]\d\d)?)(?![\d:.]\d)( ?(?:[ap]\.?m\b\.?|uhr))?"
LISTED_TIMES = _pattern(  # "at 10 and 11": a time of its own for each
    rf"\b(?P<at>at|um) {ONE_TIME}(?:(?:,? and |,? und |, | & )(?:at |um )?{ONE_TIME})+"
    r"(?= *(?:[,.;!?\n]|$|(?:on|with|for|and|tomorrow|today|next|every|each|mit|am|und|ein|eine|einen|morgen|heute|je)\b))"
)
ONE_TIME_ALONE = _pattern(ONE_TIME)
NAMED_TIME = _pattern(
    r"\b(noon|midday|mittags|midnight|mitternacht)\b|((?:正午|中午|午夜)(?! *[\d零一二两三四五六七八九十]))|\b(?:at|um|zu) (lunchtime|mittag)\b"
)
CHINESE_CLOCK = rf"(凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|明早)? *({CHINESE_NUMBER}) *(?:点钟?|时(?!间)|[:：](?=\d\d))(半|一刻|三刻|整|{CHINESE_NUMBER})?分?"
CHINESE_TIME_RANGE = _pattern(rf"{CHINESE_CLOCK} *(?:到|至|-|–|—|~|和(?=.{{1,12}}?(?:之间|期间))) *{CHINESE_CLOCK}")
CHINESE_TIME = _pattern(CHINESE_CLOCK)
PART_OF_DAY = {
    "morning": (_pattern(r"\bmorning\b|\bvormittag|\bmorgens\b|上午|早上"), Time(9), Time(12)),
    "afternoon": (_pattern(r"\bafternoon\b|nachmittag|下午"), Time(13), Time(17)),
    "evening": (_pattern(r"\bevening\b|\btonight\b|abend|晚上|今晚|明晚"), Time(18), Time(21)),
}
AFTERNOON = _pattern(r"\bafternoon\b|\bevening\b|\btonight\b|nachmittag|abend")
BETWEEN = _pattern(r"\bbetween\b|\bzwischen\b|之间|期间")
BEFORE = _pattern(r"\b(?:before|by|vor|bis spätestens|spätestens bis) $")
BEFORE_CHINESE = re.compile(r" *(?:之前|以前|前(?![台面]))")
TONIGHT = _pattern(r"\btonight\b|\bheute (?:nacht|abend)\b|今晚")
UNTIL = _pattern(r"\b(?:until|till|bis|end(?:s|ing)|finish(?:es|ing)) $")
QUOTED = r"\"[^\"]{1,80}\"|“[^”]{1,80}”|„[^“”]{1,80}[“”]|「[^」]{1,80}」|《[^》]{1,80}》"
NOT_TIMES = _pattern(
    rf"{QUOTED}|"
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|\b\d+[ -]*(?:people|persons?|attendees?|guests?|personen|leuten?|gästen?|teilnehmer\w*|%)|\d+ *[个位名]?人"
)


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
    start, end   times of day, an end before the start is on the next day; `window` instead of both if they bound a search
                 ("between 9 and 12")
    """

    dates: list[Date] = field(default_factory=list)
    any_of: bool = False
    needs_today: bool = False
    start: Time | None = None
    end: Time | None = None
    window: tuple[Time, Time] | None = None
    length: datetime.timedelta | None = None
    repeat: Repeat | None = None


def number(text: str) -> int:
    """Return the number that digits or a word stand for."""
    text = text.lower()
    if text.isdigit():
        return int(text[:6])
    if text in NUMBERS:
        return NUMBERS[text]
    if "十" in text:  # 二十三
        tens, _, units = text.partition("十")
        return NUMBERS.get(tens, 1) * 10 + NUMBERS.get(units, 0)
    return 1


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
        return _blank(m)

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
        return _after(Date(year, month, 1) - DAY, weekday) + DAY * 7 * (nth - 1)
    return _after(Date(year + month // 12, month % 12 + 1, 1) - DAY * 8, weekday)


def _nth_weekday(text: str, today: Date | None, when: When) -> str:
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
    return text[: match.start()] + _blank(match) + text[match.end() :]


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


def read(text: str, today: Date | None) -> When:
    """Return what `text` says about time."""
    when = When()
    text = in_digits(NOT_TIMES.sub(_blank, text))
    text = _nth_weekday(text, today, when)
    found, text, missing, times = absolute_dates(text, today)
    when.dates += found
    when.needs_today = when.needs_today or missing
    when.length, text = _length(text)
    when.repeat, text = _repeat(text, when.repeat)
    text = _times(text, when)
    if times and not when.start:
        when.start, when.end = times[0], times[1] if len(times) > 1 else None
        if when.end and when.end <= when.start:
            when.dates = when.dates[:1]
    if not when.dates or not when.repeat:
        _relative_days(text, today, when)
    if when.repeat and when.any_of and when.repeat.frequency == "daily":  # every day of next week
        when.repeat.count = when.repeat.count or len(when.dates)
        when.dates, when.any_of = when.dates[:1], False
    if when.repeat and not when.dates and not when.needs_today:
        _first_repeat(when, today)
    if when.start == Time(0) and TONIGHT.search(text):
        when.dates = [date + DAY for date in when.dates]
    return when


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _length(text: str) -> tuple[datetime.timedelta | None, str]:
    for pattern in LENGTHS:
        if match := pattern.search(text):
            minutes = _minutes({name: value for name, value in match.groupdict().items() if value})
            if minutes:
                return datetime.timedelta(minutes=min(minutes, 14 * 24 * 60)), pattern.sub(_blank, text)
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


def _repeat(text: str, repeat: Repeat | None) -> tuple[Repeat | None, str]:
    if repeat:
        text = MONTHLY.sub(_blank, text)
    elif not WORKDAYS.search(text) and (match := WEEKLY_ON.search(text)):
        days = match[1] or match[2] or match[3]
        if match[3]:
            weekdays = [WEEKDAYS[letter] for letter in days if letter in WEEKDAYS]
        else:
            weekdays = [WEEKDAYS[day.lower()] for day in re.findall(rf"(?:{LATIN_DAY})(?=s?\b)", days, re.IGNORECASE)]
        repeat = Repeat("weekly", weekdays=weekdays)
        text = WEEKLY.sub(_blank, WEEKLY_ON.sub(_blank, text))
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
                repeat, text = one, pattern.sub(_blank, text)
                break
    if repeat is None:
        return None, text
    if match := TIMES.search(text):
        word = match[1] or match[2] or match[3]
        repeat.count = {"twice": 2, "zweimal": 2, "dreimal": 3, "viermal": 4, "fünfmal": 5}.get(word.lower()) or number(
            word
        )
        repeat.in_all = len(repeat.weekdays) > 1
        text = TIMES.sub(_blank, text)
    elif match := SPAN.search(text):
        repeat.count = _count(repeat, number(match[1] or match[3]), (match[2] or match[4]).lower())
        text = SPAN.sub(_blank, text)
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


def _first_repeat(when: When, today: Date | None) -> None:
    if today is None:
        when.needs_today = True
        return
    assert when.repeat is not None
    weekdays = when.repeat.weekdays
    if when.repeat.frequency == "weekly" and weekdays:
        when.dates = sorted(_after(today, day) for day in weekdays)
    elif weekdays:
        when.dates = [min(_after(today, day) for day in weekdays)]
    else:
        when.dates = [today + DAY]


def _after(day: Date, weekday: int) -> Date:
    """Return the first such weekday after a day."""
    return day + DAY * ((weekday - day.weekday() - 1) % 7 + 1)


def _relative_days(text: str, today: Date | None, when: When) -> None:
    """Add the days that only today's date makes dates of."""
    found: list[tuple[int, Date]] = []
    base = today or Date(2000, 1, 3)  # any: without today's date only the fact that a day was named counts
    used = text
    if match := NEXT_DAYS.search(used):
        count = min(number(match[1] or match[2]), 31)
        found += [(match.start(), base + DAY * (i + 1)) for i in range(count)]
        used = NEXT_DAYS.sub(_blank, used)
    found += [(match.start(), _in_days(match, base)) for match in IN_DAYS.finditer(used)]
    used = IN_DAYS.sub(_blank, used)
    for offset, pattern in RELATIVE:
        for match in pattern.finditer(used):
            found.append((match.start(), base + DAY * offset))
        used = pattern.sub(_blank, used)
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
        return date + (_after(today, WEEKDAYS[day]) - today)
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
            day = _after(found[-1][1], weekday)
            if RANGED.match(gap):
                found += [(match.start(), found[-1][1] + DAY * i) for i in range(1, (day - found[-1][1]).days)]
        elif said.startswith("下"):
            day = monday + DAY * (weekday + (14 if said.startswith("下下") else 7))
        elif said and said[0] in "这本":
            day = monday + DAY * weekday
        elif NEXT_WEEK.search(text):
            day = monday + DAY * (7 + weekday)
        else:
            day = _after(today, weekday)
        found.append((match.start(), day))
        end, prefix = match.end(), said or prefix
    return found


def _times(text: str, when: When) -> str:
    """Find the times of day; return the text without them."""
    pm = bool(AFTERNOON.search(text))
    chinese = re.search("[点时：:]", text) and re.search("[\u4e00-\u9fff]", text)
    if chinese and (match := CHINESE_TIME_RANGE.search(text)):
        start = _chinese_time(match[1], match[2], match[3])
        end = _chinese_time(match[4] or match[1], match[5], match[6])
        return _take_range(text, match, start, end, when)
    if chinese and (match := CHINESE_TIME.search(text)):
        _take_time(_chinese_time(match[1], match[2], match[3]), "", text[match.end() :], when)
        return CHINESE_TIME.sub(_blank, text)
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
