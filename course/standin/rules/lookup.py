"""From a refusal's message, as a terminal shows it, to the rules that say it."""

import difflib
import re
from functools import cache
from typing import Any, NamedTuple

from course.standin.rules import catalogue

# What may stand in a placeholder. Others hold anything.
_HELD = {
    "i": r"\d+",
    "j": r"[\w.]+",
    "k": r"\d+",
    "path": r"[\w.-]+",
    "place": r"[\w.]+",
    "key": r"[\w-]+",
    "model": r"\S+",
    "rule": r"(?:String|Input) should .+?|must be .+?|range: .+?",  # of field_value, which is nothing else
}
_QUOTES = re.compile(r"[\"'\\]")
_PARTS = re.compile(r"`([^`]*)`|\{(\w+)\}")  # what a shell may have eaten, and what differs from message to message


class Sentence(NamedTuple):
    """One sentence of an entry of the catalogue, and the pattern of the messages that it makes."""

    entry: dict[str, Any]
    template: str
    pattern: re.Pattern[str]


def find(text: str) -> list[Sentence]:
    """The sentences that stand in a text: more than one where the same words stand for several mistakes. The text may
    be a message with the SDK's decorations, in several lines, and without its quotes and what stood between them (a
    shell takes `words` in backquotes for a command).
    """
    flat = _flat(text)
    found = [sentence for sentence in _sentences() if sentence.pattern.search(flat)]
    most = max((_fixed(sentence) for sentence in found), default=0)
    best = [sentence for sentence in found if _fixed(sentence) == most]
    # The general entries stand for what has none of its own.
    return [sentence for sentence in best if sentence.entry["group"] != "fields"] or best


def nearest(text: str) -> Sentence | None:
    """The sentence that has most of a text's words in their order; None if none has two of them, and half."""
    words = _words(text)

    def likeness(sentence: Sentence) -> tuple[int, float]:
        matcher = difflib.SequenceMatcher(None, _words(sentence.template), words, autojunk=False)
        return sum(block.size for block in matcher.get_matching_blocks()), matcher.ratio()

    best = max(_sentences(), key=likeness)
    shared, _ = likeness(best)
    return best if shared >= max(2, len(words) / 2) else None


def _flat(text: str) -> str:
    return " ".join(_QUOTES.sub("", text).split())


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z_]{2,}", text.lower())


def _fixed(sentence: Sentence) -> int:
    """How many characters of a sentence are the same in each of its messages, whatever a shell ate."""
    return len(_PARTS.sub("", sentence.template))


@cache
def _sentences() -> list[Sentence]:
    return [
        Sentence(entry, template, re.compile(r"(?<![\w.])" + _pattern(_flat(template))))
        for entry in catalogue.entries().values()
        for template in catalogue.sentences(entry)
    ]


def _pattern(template: str) -> str:
    made = ""
    end = 0
    for part in _PARTS.finditer(template):
        quoted, placeholder = part.groups()
        made += _spaced(template[end : part.start()])
        made += f"(?:{_HELD.get(placeholder, '.+?')})" if placeholder else f"`?(?:{_pattern(quoted)})?`?"
        end = part.end()
    return made + _spaced(template[end:])


def _spaced(text: str) -> str:
    """A pattern for the text, with any white space where it has some."""
    return re.sub(r"(\\ )+", r"\\s*", re.escape(text))
