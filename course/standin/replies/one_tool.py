"""Tools that no scene knows: exactly one that the prompt names, with all its arguments read without doubt."""

import re
from typing import Any

from course.standin.talk import Reply, Talk, ask_for, say

from . import schema
from .arguments import read, slot
from .words import Texts, Words, look, pattern, spoken_in

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
    if parts := re.findall("[a-zäöüß]{3,}", _apart(tool["name"])):
        words.take(re.compile("|".join(rf"\b{part}\w*" for part in parts), re.I))
    given = read(tool, words, talk)
    words.take(pattern("weather", "ask"))
    if given is None or words.left() or _strange(words, tool):
        return words.left(titles=True) or [talk.prompt]
    calls = [call for call in talk.calls if (call.name, call.input) == (tool["name"], given)]
    if not calls:
        return ask_for((tool["name"], given))
    name, result = "failed" if calls[-1].is_error else "result", calls[-1].result or "-"
    return say(text(language, name, name=tool["name"], result=result, error=result))


def _apart(name: str) -> str:
    """The words of a name, in lower case."""
    return re.sub("(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").lower()


def _stems(said: str) -> set[str]:
    said = _apart(said)
    found = {word[:4] for word in re.findall("[a-zäöüß]{3,}", said) if word not in SHALLOW}
    return found | {said[i : i + 2] for i in range(len(said)) if re.fullmatch("[\u4e00-\u9fff]{2}", said[i : i + 2])}


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
    if re.search("[\u4e00-\u9fff]", prompt) and not name & said:
        return len(_stems(str(tool.get("description", ""))) & said) / 2
    return len(name & said) / max(len(name), 1)


def _strange(words: Words, tool: dict[str, Any]) -> list[str]:
    """What is left of a prompt that has nothing to do with the tool."""
    known = _stems(f"{tool['name']} {tool.get('description', '')} {' '.join(schema.properties(tool['input_schema']))}")
    return [piece for piece in words.pieces() if not _stems(piece) <= known]


def examples(talk: Talk, language: str) -> list[str]:
    """None: what can be said depends on the tools."""
    return []
