"""A verdict in words, from the exercise's exercise.toml or, for what any exercise may need, explanations.toml.

[explain.stale]            by the verdict's id, with texts by language under seen, expected, next
[explain.stale.some_case]  what is different about a case of it
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..standin.rules.hints import advice
from .verdict import Verdict

Texts = Mapping[str, Any]


@dataclass(frozen=True)
class Explanation:
    """
    seen      what the program did: sent, printed, raised
    expected  what a right program does here
    next      one step to take
    """

    seen: str
    expected: str
    next: str


def explain(verdict: Verdict, own: Texts, language: str, untouched: bool = False) -> Explanation:
    """The verdict in one language.

    Args:
        own: the exercise's explanations, by id.
        language: "en", "zh" or "de".
        untouched: nobody has changed the starter; what a case of that name says comes first.

    Raises:
        KeyError: there is no explanation of this id, or a text names a value that the verdict does not have.
    """
    texts = {**shared().get(verdict.id, {}), **own.get(verdict.id, {})}
    if not texts:
        raise KeyError(verdict.id)
    cases = [texts.get("untouched", {}) if untouched else {}, texts[verdict.case] if verdict.case else {}, texts]
    values = dict(verdict.values)
    if values.get("rule"):  # what the API refused has words of its own, for all who meet it
        values |= advice(language)[values["rule"]]

    def part(name: str) -> str:
        by_language: Mapping[str, str] = next((case[name] for case in cases if name in case), {})
        return by_language.get(language, "").format(**values)

    return Explanation(part("seen"), part("expected"), part("next"))


@lru_cache
def shared() -> Texts:
    """The explanations that any exercise may need."""
    text = Path(__file__).with_name("explanations.toml").read_text(encoding="utf-8")
    found: Texts = tomllib.loads(text)["explain"]
    return found
