"""The terms of the course in three languages: one file feeds the glossary page, Chinese word search and a test."""

import re
from dataclasses import dataclass, field
from functools import lru_cache

from course.site import LANGUAGES
from course.site.labels import HERE, label, load


@dataclass(frozen=True)
class Term:
    """A term, by language: its names, a sentence of explanation, everyday words for it, and those that pages avoid."""

    id: str
    group: str
    name: dict[str, str]
    explain: dict[str, str]
    also: dict[str, list[str]]  # what readers may search for
    forbidden: dict[str, list[str]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)  # further Chinese words that search keeps whole


@lru_cache
def terms() -> list[Term]:
    """All terms, in the order of the file."""
    return [Term(**entry) for entry in load(HERE / "glossary.toml")["term"]]


def chinese_words() -> list[str]:
    """Words that search must not cut: every Chinese name, without what stands in it in Latin letters."""
    words = {word for term in terms() for name in [term.name["zh"], *term.words] for word in re.split(r"[\s、]+", name)}
    return sorted(word for word in words if not word.isascii())


def glossary_fence(body: str, language: str) -> str:
    """All terms with their explanations, by group. The anchor of a term is its id, in every language."""
    out: list[str] = []
    group = ""
    for term in terms():
        if term.group != group:
            group = term.group
            out += [f"## {label(language, 'terms_' + group)} {{#terms-{group}}}", ""]
        others = ", ".join(f"{term.name[other]} ({other})" for other in LANGUAGES if other != language)
        comma, colon = ("、", "：") if language == "zh" else (", ", ": ")
        also = label(language, "also") + colon + comma.join(term.also[language])
        out += [
            f"### {term.name[language]} {{#{term.id}}}",
            "",
            f"{term.explain[language]} *{others} · {also}*{{ .other-languages }}",
            "",
        ]
    return "\n".join(out)
