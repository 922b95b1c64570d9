"""Sentences in three languages: choosing, joining, listing."""

import datetime

AND = {"en": " and ", "de": " und ", "zh": "和"}
OR = {"en": " or ", "de": " oder ", "zh": "或"}


class Texts:
    """Sentences by name and language: Texts(hello={"en": ..., "de": ..., "zh": ...})."""

    def __init__(self, **texts: dict[str, str]) -> None:
        self.texts = texts

    def get(self, language: str, name: str, /, **values: object) -> str:
        return self.texts[name][language].format(**values)


def join(parts: list[str], language: str, last: str = "and") -> str:
    """Return "a, b and c" in the language."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "、" if language == "zh" else ", "
    conjunction = (OR if last == "or" else AND)[language]
    if language == "zh" and (parts[-2] + parts[-1]).isascii():  # names of tools stand off from Chinese
        conjunction = f" {conjunction} "
    return comma.join(parts[:-1]) + conjunction + parts[-1]


def phrase(sentences: list[str], language: str) -> str:
    """Put sentences side by side, with a space between them where the language has one."""
    return ("" if language == "zh" else " ").join(filter(None, sentences))


MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "zh": "星期一 星期二 星期三 星期四 星期五 星期六 星期日".split(),
}


def day(date: datetime.date, language: str) -> str:
    """Return a date written out: "Monday, September 6, 2027", "Montag, 6. September 2027" and so on."""
    weekday = WEEKDAYS[language][date.weekday()]
    if language == "zh":
        return f"{date.year} 年 {date.month} 月 {date.day} 日（{weekday}）"
    month = MONTHS[language][date.month - 1]
    if language == "de":
        return f"{weekday}, {date.day}. {month} {date.year}"
    return f"{weekday}, {month} {date.day}, {date.year}"


def days(dates: list[datetime.date], language: str) -> str:
    """Return weekdays listed: "Monday and Tuesday"."""
    return join([WEEKDAYS[language][date.weekday()] for date in dates], language)


def span(start: datetime.datetime, end: datetime.datetime | None, language: str) -> str:
    """Return times of day: "10:00 to 10:30", "10:00 bis 10:30 Uhr", "10:00 至 10:30"."""
    if end is None:
        return f"{start:%H:%M}" + (" Uhr" if language == "de" else "")
    word = {"en": "to", "de": "bis", "zh": "至"}[language]
    return f"{start:%H:%M} {word} {end:%H:%M}" + (" Uhr" if language == "de" else "")
