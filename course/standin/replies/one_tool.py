"""Tools that no scene knows: exactly one that the prompt names, with all its arguments read without doubt."""

import re
from functools import lru_cache
from typing import Any

from course.standin.talk import Reply, Talk, ask_for, say

from . import schema
from .arguments import measure, read, slot, takes_sql
from .words import CHINESE, Texts, Words, apart, look, pattern, spoken_in, table

SHALLOW = frozenset("the get and for with you our from any all your".split())

text = Texts("texts")


def fits(talk: Talk) -> bool:
    """Whether there are tools at all."""
    return bool(talk.tools)


def play(talk: Talk) -> Reply | list[str]:
    """Call the tool, then quote what came back; what nobody understood, if there is something."""
    language = spoken_in(talk)
    words = Words(talk.prompt)
    scores = {name: _score(tool, talk.prompt) for name, tool in talk.tools.items()}
    best = max(scores.values())
    named = [talk.tools[name] for name, score in scores.items() if score == best >= 0.5]
    if len(named) != 1 or look("texts", "no_order").search(talk.prompt):
        return words.left() or [talk.prompt]
    tool = named[0]
    given = read(tool, words, talk)
    known = _stems(_about(tool))
    if parts := re.findall("[a-zäöüß]{3,}", apart(tool["name"])):
        words.take(re.compile("|".join(rf"\b{part}\w*" for part in parts), re.I))
    for word in table("texts")["meanings"]:
        if word[:4] in known:
            words.take(pattern("texts", "meanings", word))
    for file, name in (("weather", "ask"), ("texts", "ask")):
        words.take(pattern(file, name))
    if given is None or words.left() or look("texts", "from").search(words.rest) or _strange(words, known):
        return words.left(titles=True) or [talk.prompt]
    calls = [call for call in talk.calls if (call.name, call.input) == (tool["name"], given)]
    if not calls:
        return ask_for((tool["name"], given))
    name, result = "failed" if calls[-1].is_error else "result", calls[-1].result or "-"
    return say(text(language, name, name=tool["name"], result=result, error=result))


def _about(tool: dict[str, Any]) -> str:
    return f"{tool['name']} {tool.get('description', '')} {' '.join(schema.properties(tool['input_schema']))}"


@lru_cache(maxsize=256)
def _stems(said: str) -> frozenset[str]:
    """The beginnings of its words, and what those of other languages are in English."""
    said = apart(said).replace("_", " ").lower()
    found = {word[:4].rstrip("s") for word in re.findall("[a-zäöüß]{3,}", said) if word not in SHALLOW}
    found |= {word[:4] for word in table("texts")["meanings"] if pattern("texts", "meanings", word).search(said)}
    return frozenset(
        found | {said[i : i + 2] for i in range(len(said)) if re.fullmatch(f"{CHINESE.pattern}{{2}}", said[i : i + 2])}
    )


def fitting(name: str, prompt: str) -> bool:
    """Whether a prompt says part of the name of a tool."""
    weather = look("weather", "tool").search(name) and pattern("weather", "words").search(prompt)
    return bool(weather or _stems(name) & _stems(prompt))


def _score(tool: dict[str, Any], prompt: str) -> float:
    """How much of a tool's name the prompt says; in Chinese, whether it says what the tool is for."""
    name, said = _stems(tool["name"]), _stems(prompt)
    sums = any(slot(argument) == "sum" for argument in schema.properties(tool["input_schema"]))
    if sums and look("texts", "calculation").search(prompt):
        return 1
    if takes_sql(tool) and look("texts", "statement").search(prompt) or measure(tool, Words(prompt)):
        return 1
    if CHINESE.search(prompt) and not name & said:
        return len(_stems(str(tool.get("description", ""))) & said) / 2
    return len(name & said) / max(len(name), 1)


def _strange(words: Words, known: frozenset[str]) -> bool:
    """Whether something is left of a prompt that has nothing to do with the tool."""
    return any(
        not (_stems(piece) or {piece if CHINESE.match(piece) else ""}) - {""} <= known for piece in words.pieces()
    )


def examples(talk: Talk, language: str) -> list[str]:
    """None: what can be said depends on the tools."""
    return []
