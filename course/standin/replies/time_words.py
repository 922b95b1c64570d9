"""Words for numbers, weekdays and months, in English, German and Chinese."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re

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


def regex(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def blank(match: re.Match[str]) -> str:
    return " " * len(match[0])
