"""Dates, times, lengths and repetitions, in English, German and Chinese: one grammar over kinds of words.

A text becomes a string of letters, one a word: "next Monday at 9" is "xd@n", and so is "nächsten Montag um 9". The
words of each letter stand in words.toml; the rules below are patterns over letters. What no rule takes is left unread.
"""

import re
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import time as Time
from datetime import timedelta as Delta
from functools import cache, lru_cache

from .words import READ, Words, alternatives, look, table

DAY = Delta(1)
FREQUENCIES = {1440: "daily", 10080: "weekly", 43200: "monthly", 525600: "yearly"}
DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True)) | {"两": 2}


@dataclass(slots=True)
class Token:
    """A word: its letter, what it means (a number, or two: hours of a span, hour and minute), and where it stands."""

    kind: str
    value: float
    pair: tuple[int, int]
    start: int
    end: int
    text: str


@dataclass(slots=True)
class When:
    """What a text says about time.

    days      in order; `any_of`: one of them is to be chosen ("Monday or Tuesday", "next week")
    window    a span of hours to look in, "between 9 and 12", "in the afternoon"
    repeat    "daily", "weekly", ... or ""; `every`: 2 for every other; `count`: how often in all
    workdays  no weekends
    unknown   today's date would be needed
    problem   a date that does not exist
    """

    days: list[Date] = field(default_factory=list)
    any_of: bool = False
    start: Time | None = None
    end: Time | None = None
    window: tuple[Time, Time] | None = None
    length: Delta | None = None
    repeat: str = ""
    every: int = 1
    count: int = 0
    workdays: bool = False
    weekdays: list[int] = field(default_factory=list)
    unknown: bool = False
    problem: str = ""

    def said(self) -> bool:
        return bool(self.days or self.start or self.window or self.repeat or self.unknown)


# --- from words to letters --------------------------------------------------------------------------------------------

NUMBER = r"\d+(?:[.,]\d+)?"
KINDS = "w i y m o k d p times n".split()  # what is not a list of words: the patterns of words.toml that tell them


@cache
def _grammar() -> tuple[re.Pattern[str], dict[str, tuple[str, float, tuple[int, int]]]]:
    """The pattern for all words, and what each of them is: its letter and what it means."""
    meaning: dict[str, tuple[str, float, tuple[int, int]]] = {}
    words = table("words")
    for letter, values in words["letters"].items():
        for value, names in values.items():
            low, dash, high = value.partition("-") if value[0] != "-" else (value, "", "")
            means = (letter, 0.0, (int(low), int(high))) if dash else (letter, float(value), (0, 0))
            for name in names.split():
                meaning.setdefault(name.replace("_", " "), means)
    months = "|".join(" ".join(words["letters"]["m"].values()).split())
    fixed = "|".join(f"(?P<{kind}>{look('words', kind).pattern})" for kind in KINDS).replace("MONTHS", months)
    signs = "|".join(re.escape(word) for word in meaning if not re.match(r"\w", word))
    named = alternatives(word for word in meaning if re.match(r"\w", word))
    rest = rf"(?P<word>{named})|(?P<sign>[,，;；:：]|{signs})|(?P<other>(?-i:[^\W\d_\u4e00-\u9fff])[\w'’]*|[^\s{READ}])"
    return re.compile(f"{fixed}|{rest}", re.IGNORECASE | re.VERBOSE), meaning


@lru_cache(maxsize=1024)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text."""
    looks, meaning = _grammar()
    found: list[Token] = []
    for match in looks.finditer(text):
        kind, word = match.lastgroup or "other", match[0].lower()
        value, pair = 0.0, (0, 0)
        if kind in ("word", "sign", "d", "p") and word in meaning:
            kind, value, pair = meaning[word]
        elif kind == "w":
            value = {"天": 1440.0, "月": 43200.0}.get(word[1], 10080.0)
        elif kind in ("n", "m", "o", "y"):
            value = meaning[word][1] if word in meaning else number(word)
        elif kind == "k":
            hour, minute = map(int, re.findall(r"\d+", word)[:2])
            pair = hour, minute
        elif kind == "times":
            kind = "*"
        elif kind == "sign":
            kind = ","
        elif kind == "other":
            kind = "_"
        if kind == "r" and word == "morgen" and found and found[-1].kind in "rd":
            kind, pair = "p", (5, 12)  # "heute morgen", "Montag Morgen"
        if kind == "P" and word == "am" and not (found and found[-1].kind in "nk"):
            kind = " "  # am Montag
        if word == "each" and found and found[-1].kind == "u":
            kind = " "  # an hour each
        if not (kind == "m" and word in ("may", "mar", "dec", "sun") and match[0] == word):
            found.append(Token(kind, value, pair, *match.span(), match[0]))
    return tuple(found)


def number(word: str) -> float:
    """The number that digits or Chinese numerals stand for."""
    if digits := re.search(NUMBER, word):
        return float(digits[0].replace(",", "."))
    numeral = "".join(re.findall("[零一二两三四五六七八九十]", word))
    tens, ten, units = numeral.partition("十")
    return DIGITS.get(tens, 1) * 10 + DIGITS.get(units, 0) if ten else float(DIGITS.get(numeral, 0))


# --- rules over letters -----------------------------------------------------------------------------------------------

HARD = "nkoimdDrRJqcPOewgy*lL"  # kinds of words that mean something: none may stay unread
TRAILING = ("each", "each one", "apiece", "lang", "long", "的", "起", "开始", ",", "，")
CLOCK = (
    r"(?:J[n1]|[qj][zZ]n|qtn|kc?|nc(?:[jq]|n(?!j?u)M?)?|nj(?!u)|n)"  # halb vier, quarter past nine, 9:15, 三点一刻, 9
)
TIME = rf"(?:[pO]?(?:{CLOCK})(?:c?(?:vp|p|P))?|O)"
AT = (  # one time; a bare number is none unless "at" stands before it
    rf"(?P<bound>[BFt])?@?(?P<at>(?<=@){TIME}"
    r"|[pO]?(?:J[n1]|[qj][zZ]n|qtn|kc?|nc(?:[jq]|n(?!j?u)M?)?)(?:vp|p|P)?|n[pP]|nvp|O)"
)
SPAN = rf"(?:(?P<b>b)@?(?P<b1>{TIME})[at](?P<b2>{TIME})|f?@?(?P<s1>{TIME})t@?(?P<s2>{TIME})(?P<b_>b)?)"
LENGTH = r"L|(?<![vbxh])(?:(?:[n1](?:a1)?j?|j1?)t?u(?:a1?j)?)(?![sB])"
COUNT = r"(?:nt?\*|x?nt?u)"
DATE = (
    r"(?:(?:d,?)?(?:i|m[no],?y?|[no],?m,?y?|y,?m[no]|o(?:xu)?)(?:,?d)?|[rd]?v[n1]ud?|[n1]usd?|[n1]ufd"
    r"|x?n?xud?|x[n]u|d,?[xh]u|[xh]ud?|[xh]?d|r,?d?|R|h(?=p))"
)


def read(words: Words, today: Date | None) -> When:
    """Read all that `words` say about time, and mark it as read."""
    return _Reader(words, today).when


class _Reader:
    def __init__(self, words: Words, today: Date | None) -> None:
        self.words, self.today, self.when = words, today, When()
        every = tokens(words.rest)
        self.tokens = [token for token in every if token.kind != " "]
        self.letters = "".join(token.kind for token in self.tokens)
        self.midnight = False  # "tonight at midnight" is tomorrow
        self.found: list[tuple[int, int, list[Date]]] = []  # from, to (tokens), the days
        self._repetition()
        self._spans()
        self._times()
        self._lengths()
        self._dates()
        self._count()
        self._parts_of_day()
        words.hard += [self.tokens[match.start()].start for match in self._matches("[xh]u")]  # next year, this month
        words.hard += [
            t.start
            for t, kind in zip(self.tokens, self.letters, strict=True)
            if kind in HARD and (kind, t.value) != ("n", 1)
        ]
        for token in reversed(every):  # small words in front of one that was read go with it, and some behind one
            if words.text[token.start - 1 : token.start] == "-":
                continue  # check-in
            before, behind = words.rest[: token.start].rstrip()[-1:], words.rest[token.end :].lstrip()[:1]
            if token.kind in " ftavb@," and (behind == READ or (before == READ and token.text.lower() in TRAILING)):
                words.mark(token.start, token.end)

    def _take(self, start: int, end: int) -> list[Token]:
        """Mark tokens as read."""
        taken = self.tokens[start:end]
        if taken:
            self.words.mark(taken[0].start, taken[-1].end)
        self.letters = self.letters[:start] + "." * (end - start) + self.letters[end:]
        return taken

    def _matches(self, rule: str) -> list[re.Match[str]]:
        return list(re.finditer(rule, self.letters))

    # Each rule

    def _repetition(self) -> None:
        for match in self._matches(r"w?(?:e(?:dtd|d(?:[,al]+d)*|g|n?u)|DtD|D(?:[,al]+D)*|g)|w"):
            taken = self._take(*match.span())
            kinds = "".join(token.kind for token in taken)
            days = [int(token.value) for token in taken if token.kind in "dD"]
            if "t" in kinds:  # Monday to Friday
                days = list(range(days[0], days[1] + 1))
            unit = next((int(token.value) for token in taken if token.kind in "wu"), 10080)
            repeat = "weekly" if days else "daily" if "g" in kinds else FREQUENCIES.get(unit, "?")
            if self.when.repeat and (repeat != self.when.repeat or days == self.when.weekdays):
                repeat = "weekly" if days else "?"  # "weekly ... every Monday" agree; two others do not
            self.when.repeat, self.when.workdays = repeat, self.when.workdays or "g" in kinds
            self.when.weekdays += days
            if "e" in kinds:
                times = [t.value for t in taken if t.kind == "n"]
                self.when.every = int(times[0] if times else next(t.value for t in taken if t.kind == "e"))

    def _spans(self) -> None:
        for match in self._matches(SPAN):
            first, last = ("b1", "b2") if match["b"] else ("s1", "s2")
            if not re.search(r"[kcpPfOb@J]", match[0]) or self.when.start:
                continue
            one, two = (self.tokens[slice(*match.span(part))] for part in (first, last))
            start, end = _clock(one, two), _clock(two, [])
            if not start or not end:
                continue
            if start.hour >= 18 and 13 <= end.hour <= 18 and not _part(two):
                end = end.replace(hour=end.hour - 12)  # past midnight
            if end < start and not _part(two) and start.hour < 12 and end.hour + 12 - start.hour < 10:
                end = end.replace(hour=end.hour + 12)  # "9 to 5"
            elif end < start and _part(one) and not _part(two) and end.hour < 12:
                end = end.replace(hour=end.hour + 12)  # 下午6点到7点
            around = match["b"] or match["b_"]
            self._take(*match.span())
            if around:
                self.when.window = (start, end)
            else:
                self.when.start, self.when.end = start, end

    def _times(self) -> None:
        for match in self._matches(AT):
            if self.letters[match.end() : match.end() + 1] in ("u", "*") and match["at"] in ("n", "J"):
                continue
            time = _clock(self.tokens[slice(*match.span("at"))], [])
            if (
                not time
                or (self.when.start and match["bound"] != "t")
                or (match["bound"] == "t" and not self.when.start)
            ):
                continue  # a second time stays unread
            taken = self._take(*match.span())
            if match["bound"] == "B":
                self.when.window = (Time(9 if time.hour > 9 else 6), time)
            elif match["bound"] == "F":
                self.when.window = (time, Time(20))
            elif match["bound"] == "t":
                self.when.end = time
            elif taken:
                self.when.start = time
                self.midnight = any(token.kind == "O" and token.value == 24 for token in taken)

    def _lengths(self) -> None:
        for match in self._matches(LENGTH):
            minutes = next(int(t.value) for t in self.tokens[slice(*match.span())] if t.kind in "uL")
            minutes = 60 if match[0] == "L" else minutes
            length = _length(self.tokens[slice(*match.span())])
            if minutes <= 60 and not self.when.length and length:  # 0 minutes stay unread
                self._take(*match.span())
                self.when.length = length

    def _dates(self) -> None:
        for match in self._matches(DATE):
            taken = self.tokens[slice(*match.span())]
            days = self._days("".join(token.kind for token in taken), taken)
            if days is None:
                continue
            if self.found:  # days that stand apart from those before are another matter, and stay unread
                _, end, before = self.found[-1]
                if not re.fullmatch("t|[,al.]*", self.letters[end : match.start()]) and not set(days) <= set(before):
                    continue
            self._take(*match.span())
            self.found.append((*match.span(), days))
        found = self.found
        for (_, end, days), (start, _, more) in zip(found, found[1:], strict=False):
            between = self.letters[end:start]
            if between == "t" and days and more and 0 < (more[0] - days[-1]).days <= 31:
                days += [days[-1] + DAY * n for n in range(1, (more[0] - days[-1]).days)]
                self._take(end, start)
            elif re.fullmatch("[,al]+", between):
                self.when.any_of |= "l" in between
                self._take(end, start)
        self.when.days = list(dict.fromkeys(day + DAY * self.midnight for _, _, days in found for day in days))

    def _days(self, kinds: str, taken: list[Token]) -> list[Date] | None:
        """The days that a date's words mean; None if they are no date."""
        values = {token.kind: token.value for token in taken}
        said = self.words.text[taken[0].start : taken[-1].end]
        if "i" in kinds or "m" in kinds or "o" in kinds:
            number_of_day = values.get("o", values.get("n"))
            found = (
                self._literal(said)
                if "i" in kinds
                else self._written(values.get("y"), values.get("m"), number_of_day, "x" in kinds, said)
            )
            if found and "d" in kinds and found[0].weekday() != values["d"]:
                self.when.problem = said  # Friday, December 5, which is a Saturday
            return found
        if kinds in ("u", "n", "xn") or (self.when.repeat and kinds == "xnu"):
            return None
        if self.today is None:
            self.when.unknown = True
            return []
        if "R" in kinds:
            self.when.window = (Time(18), Time(23))
            return [self.today + DAY * int(values["R"])]
        if kinds == "h":  # this afternoon
            return [self.today]
        if "r" in kinds and "u" not in kinds:
            day = self.today + DAY * int(values["r"])
            return [day] if "d" not in kinds or day.weekday() == values["d"] else None
        unit = int(values.get("u", 0)) // 1440
        count = int(values.get("n", values.get("1", 1)))
        if re.match("[rd]?v|[n1]u[sf]", kinds):  # in three days, two weeks later
            if unit not in (1, 7) or values.get("r"):
                return None
            if "uf" in kinds:  # a week from Wednesday
                return [after(self.today, int(values["d"])) + DAY * unit * count]
            day = self.today + DAY * unit * count
            return [day - DAY * day.weekday() + DAY * int(values["d"])] if "d" in kinds else [day]
        if kinds == "xnu" and unit == 1:
            return [self.today + DAY * n for n in range(1, min(count, 14) + 1)]
        if "u" in kinds:  # this week, next week, its Wednesday
            if unit != 7:
                return [self.today + DAY] if kinds == "xu" and unit == 1 else None
            weeks = kinds.count("x") if "h" not in kinds else 0
            monday = self.today - DAY * self.today.weekday() + DAY * 7 * weeks
            if "d" in kinds:
                return [monday + DAY * int(values["d"])]
            self.when.any_of = True
            return [day for n in range(5) if (day := monday + DAY * n) >= self.today]
        weekday = int(values["d"])
        if kinds == "xd" and taken[0].text.startswith("下"):  # the one of next week
            return [self.today + DAY * (7 - self.today.weekday() + weekday)]
        last = self.found[-1][2] if self.found else []
        follows = last and re.fullmatch("[,al.]+", self.letters[self.found[-1][1] : self.tokens.index(taken[0])])
        return [after(last[-1] if follows else self.today, weekday)]

    def _literal(self, said: str) -> list[Date] | None:
        numbers = list(map(int, re.findall(r"\d+", said)))
        if re.search(r"\d{4}[-/]", said):
            year, month, day = numbers[:3]
            if re.search(r"\dT\d", said):
                if numbers[3] > 23 or numbers[4] > 59:
                    self.when.problem = said
                    return []
                self.when.start = Time(numbers[3], numbers[4])
        elif "/" in said:
            month, day, year = numbers[:3]
            if day <= 12 and day != month:
                return None  # the month comes first for some, and the day for others
        else:
            day, month, year = (*numbers[:2], numbers[2] if len(numbers) > 2 else 0)
        return self._written(year or None, month, day, False, said)

    def _written(
        self, year: float | None, month: float | None, day: float | None, later: bool, said: str
    ) -> list[Date]:
        """A date of the calendar; without its year or month it is the next one."""
        if not year and self.today is None:
            self.when.unknown = True
            return []
        today = self.today or Date(1, 1, 1)
        for n in range(12 * 8):
            y, m = today.year + (today.month - 1 + n) // 12, (today.month - 1 + n) % 12 + 1
            if year:
                y, m = int(year), int(month or m)
            if month and m != int(month):
                continue
            try:
                found = Date(y, m, int(day or 0))
            except ValueError:
                if month and not (m == 2 and day == 29 and not year):
                    break
                continue
            if (found >= today and not (later and n == 0)) or year:
                return [found]
        self.when.problem = said
        return []

    def _count(self) -> None:
        """How often something is repeated, "4 times", "for the next 4 weeks", or from when and until when."""
        when = self.when
        for match in self._matches(COUNT) if when.repeat else []:
            taken = self._take(*match.span())
            number = int(next(t.value for t in taken if t.kind == "n"))
            unit = next((int(t.value) for t in taken if t.kind == "u"), 0)
            step = {name: minutes for minutes, name in FREQUENCIES.items()}.get(when.repeat, 0)
            a_day = {1440: 1, 10080: 5 if when.workdays else 7}.get(unit, 0)
            if when.count or (unit and not (a_day if step == 1440 else unit == step)):
                when.repeat = "?"
            each = a_day if step == 1440 else max(len(when.weekdays), 1)
            when.count = number * each // when.every if unit else number
        if when.repeat and not self.today and not when.days:
            when.unknown = True
        elif when.repeat and self.today and when.weekdays:
            begin = when.days[0] - DAY if when.days else self.today
            end = (
                when.days[-1]
                if len(when.days) == 1 and re.search(r"t\.+$|t\.", self.letters) and not when.count
                else None
            )
            first = [after(self.today if end else begin, weekday) for weekday in when.weekdays]
            if end:
                when.count = (end - min(first)).days // 7 // when.every + 1
            when.days = sorted(first)
        elif when.repeat and self.today and not when.days and when.repeat == "daily":
            when.days = [self.today + DAY]
            while when.workdays and when.days[0].weekday() > 4:
                when.days = [when.days[0] + DAY]

    def _parts_of_day(self) -> None:
        for match in self._matches(r"(?<=\.)(?:vp|p)|vp"):
            taken = self._take(*match.span())
            if not self.when.start and not self.when.window:
                low, high = taken[-1].pair
                self.when.window = (Time(max(low, 8)), Time(min(high, 22)))


def after(day: Date, weekday: int) -> Date:
    """The first such weekday after a day."""
    return day + DAY * ((weekday - day.weekday() - 1) % 7 + 1)


def _part(taken: list[Token]) -> Token | None:
    return next((token for token in taken if token.kind in "pPO"), None)


def _clock(taken: list[Token], follower: list[Token]) -> Time | None:
    """The time of day that tokens mean. `follower`: the end of a span, whose "pm" goes for its beginning too."""
    kinds = "".join(token.kind for token in taken)
    part = _part(taken)
    figures = [t for t in taken if t.kind in "nk1"]
    if not figures:
        return None if kinds != "O" else Time(12) if taken[0].value == 12 else Time(0)
    first = figures[0]
    if first.kind == "k":
        hour, minute = first.pair
    else:
        if float(first.value) != int(first.value):
            return None
        hour = int(first.value)
        minute = int(figures[1].value) if len(figures) > 1 else 0
        more = next((int(t.value) for t in taken if t.kind in "jq"), 0)
        back = "J" in kinds or re.search("[qj]Z|qt", kinds)
        minute += -(30 if "J" in kinds else more) if back else more
    if hour > 24 or minute > 59:
        return None
    late = _late(part, hour)
    if late is None and first.kind == "n" and follower and (other := _part(follower)) and not _part(taken):
        late = _late(other, hour)
        ends = next((t for t in follower if t.kind in "nk"), None)
        if late and ends and ends.kind == "n" and hour > float(ends.value):
            late = False  # "11 to 1pm"
    if late is None:
        late = 1 <= hour <= 6 and not first.text.startswith("0")  # "at 3" is in the afternoon
    hour = hour + 12 if late and hour < 12 else 0 if hour == 12 and part and part.value == 0 else hour
    total = (hour * 60 + minute) % (24 * 60)
    return Time(total // 60, total % 60)


def _late(part: Token | None, hour: int) -> bool | None:
    """Whether an hour is one after noon, by the part of the day; None if that does not say."""
    if part is None:
        return None
    if part.kind == "p":
        low, high = part.pair
        return bool(low >= 12 and hour < 12)
    return part.value == 12 and (part.kind == "P" or hour < 3)


def _length(taken: list[Token]) -> Delta:
    values = {token.kind: token.value for token in taken}
    kinds = "".join(token.kind for token in taken)
    if kinds == "L":
        return Delta(minutes=values["L"])
    number = float(values.get("n", 1 if re.search("1(?!j)", kinds) and not re.search("j1", kinds) else 0))
    return Delta(minutes=(number + (0.5 if "j" in values else 0)) * int(values["u"]))


def _today(text: str, looked: re.Pattern[str]) -> tuple[Date, int, int] | None:
    """The date behind such words, and where the words begin and the date ends."""
    for match in looked.finditer(text):
        found = [t for t in tokens(text[match.start() : match.start() + 80]) if t.kind in "imoynd"]
        for size in range(1, len(found) + 1):
            begin, end = match.start() + found[0].start, match.start() + found[size - 1].end
            days = _Reader(Words(text[begin:end]), None).when.days
            if len(days) == 1:
                return days[0], match.start(), end
    return None


@lru_cache(maxsize=64)
def today_in(text: str) -> Date | None:
    """The date that a text says is today's."""
    found = _today(text, look("words", "today"))
    return found[0] if found else None


def take_today(words: Words) -> Date | None:
    """Like `today_in`, for a prompt that says "Today is ...", which is marked as read."""
    if found := _today(words.rest, look("words", "today_is")):
        words.mark(found[1], found[2])
    return found[0] if found else None
