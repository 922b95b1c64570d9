"""What a prompt names: places, people, files. Each is read by one function, in three languages, and marked as read."""

import re
from functools import cache

from .words import CHINESE, READ, Words, alternatives, language_in, look, pattern, table


@cache
def cities() -> dict[str, str]:
    """Any name of a city, in lower case: its English one."""
    found: dict[str, str] = {}
    for english, others in table("cities")["cities"].items():
        found |= {name.lower(): english for name in (english, *filter(None, others))}
    return found | {name.lower(): english for name, english in table("cities")["short"].items()}


@cache
def _known_places() -> re.Pattern[str]:
    return re.compile(alternatives(name.replace(" ", "_") for name in cities()), re.IGNORECASE)


def city_in(language: str, name: str) -> str:
    """A city's name (in English, or with its region: "Austin, TX") as a language has it."""
    known = cities().get(name.split(",")[0].strip().lower(), name)
    german, chinese = table("cities")["cities"].get(known, ("", ""))
    return {"de": german, "zh": chinese}.get(language, "") or known


def places(words: Words) -> list[str]:
    """The cities that are named, in English, in their order: those that are known and what stands where one would."""
    found = {match.start(): cities()[match[0].lower()] for match in words.take(_known_places())}
    unknown = look("words", "place")
    while more := [
        match
        for match in unknown.finditer(words.rest.replace(READ, ","))
        if not _common(match["latin"] or match["chinese"])
    ]:
        for match in more:
            kind = "latin" if match["latin"] else "chinese"
            found[match.start(kind)] = match[kind]
            words.mark(*match.span(kind))
    if len(found) > 1:  # what joins them is read with them
        words.take(re.compile(f"(?<={READ}){look('words', 'joined').pattern}(?={READ})", re.VERBOSE))
    return list(dict.fromkeys(found[place] for place in sorted(found)))


def _common(name: str) -> bool:
    """Whether it is a word of the language, and so no name."""
    first = name.lower() if CHINESE.match(name) else name.lower().split()[0]
    known = table("words")
    days = (known["letters"][kind].values() for kind in "dDm")  # weekdays and months
    lists = (*known["languages"].values(), *known["fillers"].values(), *(names for each in days for names in each))
    if any(first in words.split() for words in lists):
        return True
    return bool(pattern("weather", "words").search(name) or pattern("words", "hard").search(name))


def addresses(text: str) -> list[str]:
    """The e-mail addresses in a text."""
    found = look("words", "address").findall(text)
    return list(dict.fromkeys(address.rstrip(".-") for address in found))


def first_name(address: str) -> str:
    """ "Ana" for ana@example.com."""
    return re.split(r"[@._+-]", address)[0].capitalize()


def people(words: Words, system: str) -> tuple[list[str], list[str]]:
    """(the addresses of those who are named, the names of those whose address is not known)."""
    known = addresses(system)
    found = list(dict.fromkeys(match[0].rstrip(".-") for match in words.take(look("words", "address"))))
    if words.take(look("words", "everyone")):
        listed = look("words", "listed").search(system)
        found += addresses(system[listed.end() :] if listed else system)
    strangers: list[str] = []
    while match := next((m for m in look("words", "person").finditer(words.rest) if _is_name(m)), None):
        group = match.lastgroup or "name"
        at: tuple[int, int] | None = match.span(group)
        while at:
            second = re.match(r" [A-Z][a-z]+", words.rest[at[1] :]) if language_in(words.text) == "en" else None
            if second and not _common(second[0].strip()):
                at = (at[0], at[1] + second.end())
            name = words.text[slice(*at)]
            address = next((one for one in known if first_name(one).lower() == name.lower()), None)
            (found if address else strangers).append(address or name)
            words.mark(match.start() if at[0] == match.start(group) else at[0], at[1])
            more = look("words", "and_person").match(words.rest[at[1] :])
            at = (at[1] + more.start("name"), at[1] + more.end("name")) if more else None
    for match in look("words", "joins_people").finditer(words.rest):
        if READ in (words.rest[match.end() :].lstrip()[:1], words.rest[: match.start()].rstrip()[-1:]):
            words.mark(*match.span())
    return list(dict.fromkeys(found)), list(dict.fromkeys(strangers))


def _is_name(match: re.Match[str]) -> bool:
    return not _common(match[match.lastgroup or "name"])


def files(words: Words) -> list[str]:
    """The names of files, relative ones."""
    found = words.take(look("words", "file"), lambda match: ".." not in match[0])
    return list(dict.fromkeys(match[0] for match in found))
