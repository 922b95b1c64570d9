"""The weather scene: what it is like in some cities, what to wear, whether to take an umbrella, the local time."""

import datetime
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from course.standin.talk import Call, Reply, Talk, ask_for, say

from . import schema, slots, when
from .wording import join, phrase
from .words import READ, Texts, Words, look, pattern, spoken_in, table

SOME_MONDAY = datetime.date(2001, 1, 1)  # days are only told apart
CLOTHES = ((26, "hot"), (19, "warm"), (12, "mild"), (6, "cool"), (-1, "cold"))

Found = tuple[dict[str, Any], str]  # a tool, and the name of the place among its arguments

text = Texts("weather")


@lru_cache(maxsize=4)  # asked for more than once for each reply
def tools_of(talk: Talk, kind: str = "tool") -> Found | None:
    """The tool for the weather or, with the kind "time_tool", for the local time, if it needs no more than a place."""
    looked = look("weather", kind)
    for name, tool in talk.tools.items():
        if looked.search(name) or (kind == "tool" and looked.search(str(tool.get("description", "")))):
            root = tool["input_schema"]
            known, needed = schema.properties(root), schema.required(root)
            for argument in known:
                if look("weather", "place").search(argument):
                    others = [known[name] for name in needed if name != argument and name in known]
                    return (tool, argument) if all("enum" in schema.first(other, root) for other in others) else None
    return None


def fits(talk: Talk) -> bool:
    """Whether there is a tool for the weather."""
    return tools_of(talk) is not None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: the weather (`about`), the time (`timed`), in which cities, on which days; what is unread."""

    language: str
    cities: tuple[str, ...]
    about: bool
    timed: bool
    days: tuple[datetime.date, ...]
    unread: tuple[str, ...]


@lru_cache(maxsize=256)
def _read(prompt: str, clock: bool, followed: bool, language: str) -> Asked:
    """Read a prompt. `clock`: there is a tool for the time; `followed`: the one before was about the weather."""
    words = Words(prompt)
    said = when.read(words, SOME_MONDAY)
    words.take(look("weather", "whether"))
    about = words.has(pattern("weather", "words"))
    timed = clock and words.has(pattern("weather", "time"))
    cities = slots.places(words)
    words.take(pattern("weather", "ask"))
    if followed:
        words.take(pattern("weather", "follow"))
    alone = _alone(words)
    words.take(pattern("weather", "beside"))
    words.take(pattern("words", "fillers"))
    unread = words.left(titles=True)
    if look("weather", "past").search(prompt) or not (about or timed or alone):
        unread = unread or [prompt]
    if said.start or said.repeat or said.length:
        unread = unread or [prompt]
    return Asked(language, tuple(cities), about, timed, tuple(said.days), (*unread, *filter(None, [said.problem])))


def _alone(words: Words) -> bool:
    """Whether there is nothing but names, and so no question about something else."""
    rest = pattern("weather", "bare").sub(" ", words.rest.replace(READ, " "))
    return not re.search(r"\w", rest)


def play(talk: Talk) -> Reply | list[str]:
    """Look up each city that the prompt names, then answer; what nobody understood, if there is something."""
    found, clock = tools_of(talk), tools_of(talk, "time_tool")
    assert found
    language = spoken_in(talk)
    followed = bool(talk.earlier) and any(call.name == found[0]["name"] for call in talk.earlier[-1].calls)
    asked = _read(talk.prompt, clock is not None, followed, language)
    if asked.unread or not (asked.cities or asked.about or asked.timed):
        return list(asked.unread)
    cities = asked.cities or _before(talk)
    root = found[0]["input_schema"]
    dated = bool(asked.days) and any(look("weather", "day").search(name) for name in schema.properties(root))
    other_day = bool(asked.days) and asked.days != (SOME_MONDAY,)
    if other_day and not dated and not 0 <= (asked.days[0] - SOME_MONDAY).days <= 1:
        return say(text(language, "later"))
    if not cities:
        return say(text(language, "which_city"))
    weather = [found] if asked.about or not asked.timed else []
    if dated:
        return [talk.prompt]  # a day as an argument, which nobody here knows how to give
    wanted: list[tuple[str, dict[str, Any]]] = []
    for city in cities:
        for tool in weather + ([clock] if asked.timed and clock else []):
            given = _input(tool, city, talk.prompt)
            if given is None:
                return [city]
            wanted.append((tool[0]["name"], given))
    done = [next((call for call in talk.calls if (call.name, call.input) == one), None) for one in wanted]
    if missing := [one for one, call in zip(wanted, done, strict=True) if call is None]:
        return ask_for(*missing)
    calls = [call for call in done if call]
    prompt = talk.prompt if asked.about else "\n".join([*(turn.prompt for turn in talk.earlier[-1:]), talk.prompt])
    per_city = len(calls) // len(cities)
    reports = [
        Weather(call, cities[n // per_city])
        for n, call in enumerate(calls)
        if weather and call.name == found[0]["name"]
    ]
    parts = _answer(reports, language, prompt)
    if reports and other_day:
        parts.insert(0, text(language, "today_only"))
    parts += [_quoted(call, language, "time") for call in calls if call.name != found[0]["name"]]
    return say("\n".join(parts) if len(calls) > 1 else phrase(parts, language))


def _before(talk: Talk) -> tuple[str, ...]:
    """The cities of the prompt before."""
    found = (slots.places(Words(turn.prompt)) for turn in reversed(talk.earlier))
    return tuple(next(filter(None, found), ()))


def _input(found: Found, city: str, prompt: str) -> dict[str, Any] | None:
    """The input for a city, with choices of other arguments that the prompt names; None if it takes no such city."""
    tool, argument = found
    root = tool["input_schema"]
    value = schema.fit(city, schema.properties(root)[argument], root)
    if value is schema.NOTHING:
        return None
    given = {argument: value}
    for name, about in schema.properties(root).items():
        choices = schema.first(about, root).get("enum") or []
        named = [choice for choice in choices if str(choice).lower() in prompt.lower()]
        given |= {name: named[0]} if named else {}
    return schema.complete(given, root)


class Weather:
    """One city's weather as a result gave it: `celsius` None and `sky` "" where it does not say."""

    def __init__(self, call: Call, city: str) -> None:
        self.city, self.call = city, call
        self.text = (call.result or "")[:2000]
        self.celsius, self.fahrenheit, self.sky = _measured(self.text, city)
        unknown = look("weather", "unknown").search(self.text.replace(city, " "))
        nothing = call.is_error or not self.text.strip() or bool(unknown)
        self.unknown = self.celsius is None and nothing


@lru_cache(maxsize=256)  # a conversation is read again for each of its replies
def _measured(result: str, city: str) -> tuple[float | None, bool, str]:
    """Degrees Celsius, whether they were given in Fahrenheit, and the sky."""
    said = result.replace(city, " ")  # a name says nothing about the sky, not even Windhoek's
    degrees = look("weather", "degrees").search(said)
    number = look("weather", "number").search(said)
    hot = number is not None and "celsius" not in said.lower() and float(number[1]) > 45
    fahrenheit = bool(degrees and degrees[2][0] in "fF℉华") or hot
    value = float(degrees[1]) if degrees else float(number[1]) if number else None
    sky = next((name for name, words in table("weather")["skies"].items() if re.search(words, said, re.I)), "")
    return value if value is None or not fahrenheit else (value - 32) / 1.8, fahrenheit, sky


def _quoted(call: Call, language: str, name: str = "quoted") -> str:
    city = slots.city_in(language, str(next(iter(call.input.values()), "")))
    return text(language, name, city=city, text=(call.result or "").strip())


def _answer(weather: list[Weather], language: str, asked: str) -> list[str]:
    known = [one for one in weather if not one.unknown]
    parts = [_report(one, language, asked) for one in known]
    told = {one.celsius for one in known}
    if len(told) > 1 and None not in told and pattern("weather", "compare").search(asked):
        order = sorted(known, key=lambda one: one.celsius or 0)
        name, most = ("cold", order[0]) if pattern("weather", "colder").search(asked) else ("warm", order[-1])
        name += "er" if len(known) == 2 else "est"
        parts.insert(0, text(language, name, city=slots.city_in(language, most.city)))
    if unknown := [one for one in weather if one.unknown]:
        cities = join([slots.city_in(language, one.city) for one in unknown], language, "or")
        listed = look("weather", "known_cities").search(unknown[0].text)
        names = [slots.city_in(language, name) for name in re.split(r", | and |、", listed[1])][:12] if listed else []
        parts.append(text(language, "unknown_but" if names else "unknown", city=cities, known=join(names, language)))
        parts += [_quoted(one.call, language) for one in unknown if one.call.is_error]
    return parts


def _report(one: Weather, language: str, asked: str) -> str:
    if one.celsius is None and not one.sky:
        return _quoted(one.call, language)
    facts = []
    if one.celsius is not None:
        fahrenheit = one.fahrenheit and language == "en" and "celsius" not in asked.lower()
        degrees = round(one.celsius * 1.8 + 32) if fahrenheit else round(one.celsius)
        facts.append(text(language, "degrees", degrees=degrees, unit="F" if fahrenheit else "C"))
    if one.sky:
        sky = text(language, f"sky_{one.sky}")
        facts.append(sky if facts or language != "de" else "es " + sky)
    parts = [text(language, "state", facts=text(language, "and").join(facts), city=slots.city_in(language, one.city))]
    if pattern("weather", "umbrella").search(asked):
        parts.append(text(language, "umbrella_yes" if one.sky in ("rain", "storm") else "umbrella_no"))
    elif pattern("weather", "wear").search(asked):
        if one.celsius is not None:
            clothes = next((name for least, name in CLOTHES if one.celsius >= least), "freezing")
            parts.append(text(language, f"clothes_{clothes}"))
        if one.sky in ("sun", "rain", "snow", "storm", "wind", "fog"):
            parts.append(text(language, f"extra_{one.sky}"))
    return phrase(parts, language)


def examples(talk: Talk, language: str) -> list[str]:
    """Prompts to try."""
    return list(table("weather")["examples"][language])
