"""A verdict for the terminal."""

import shutil
import unicodedata
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..console import plain
from ..i18n import language, translator
from ..wire.record import hidden
from .exercises import Exercise, exercises

if TYPE_CHECKING:
    from .session import Checked

_ = translator("checks")

PRINTED = 6  # lines of the program's own output


def title(exercise: Exercise) -> str:
    return f"{exercise.id}  {exercise.title[language()]}"


def line(exercise: Exercise, state: str) -> str:
    """One line of a list, wide enough for every title."""
    name, width = title(exercise), max(columns(title(one)) for one in exercises())
    return f"{name}{' ' * (width - columns(name))}  {state}"


def copied(exercise: Exercise, how: str) -> None:
    """Say how the reader's copy came about (what `copies.ensure` returned), if it is new."""
    if how == "starter":
        print(_("{file} is new: your copy of the starter. Edit it there.").format(file=exercise.shown))
    elif how == "moved":
        print(_("{file} is new: your version, copied from where it stood before.").format(file=exercise.shown))


def explain(exercise: Exercise, checked: "Checked") -> str:
    """All that the verdict says, what the reader can do next, and the end of what the program printed.

    Of a starter that nobody has touched it says what happens, and leaves the rest to the reader.
    """
    verdict = checked.verdict
    said = exercise.explain(verdict, language(), checked.untouched)
    if verdict.passed:
        return "\n".join(fold(plain(said.seen), 0))
    where = f"{exercise.shown}:{verdict.line}" if verdict.line else exercise.shown
    parts = [
        (_("What happened"), said.seen),
        (_("The API"), verdict.api),
        (_("Expected"), said.expected),
        (_("Look at"), where),
        (_("Next"), said.next),
    ]
    if checked.untouched:
        todo = "# TODO" in exercise.starter.read_text(encoding="utf-8")
        begin = _("This is still the starter. Change it, and check again; `course hint {id}` helps.")
        parts = [*parts[:2], *(parts[3:4] if todo else []), (_("Next"), begin.format(id=exercise.id))]
    width = max(columns(label) for label, _text in parts) + 2
    lines = []
    for label, text in parts:
        if text:
            first, *rest = fold(plain(text), width + 2)
            lines.append(f"  {label}{' ' * (width - columns(label))}{first}")
            lines += [" " * (width + 2) + more for more in rest]
    end = [one for one in checked.printed.splitlines() if one.strip()][-PRINTED:]
    if end:
        lines += ["", "  " + _("The program printed, at the end:"), *(f"  | {_shown(one)}" for one in end)]
    return hidden("\n".join(lines))


def _shown(line: str) -> str:
    """A line of somebody else's output: short, and without what a terminal would take for commands."""
    line = plain(line.replace("\t", "    "))
    return line if len(line) <= 110 else line[:107] + "..."


def fold(text: str, indent: int) -> Iterator[str]:
    """The text in lines that fit into the terminal, at most 100 columns wide."""
    room = max(30, min(100, shutil.get_terminal_size((100, 24)).columns) - indent - 1)
    current = ""
    for piece in _pieces(" ".join(text.splitlines())):
        if current and columns(current + piece.rstrip()) > room:
            yield current.rstrip()
            current = ""
        current += piece if current else piece.lstrip()
    yield current.rstrip()


def _pieces(text: str) -> Iterator[str]:
    """The parts between which a line may break: words, and Chinese characters with the punctuation behind them."""
    piece = ""
    for character in text:
        wide = _wide(character) and not unicodedata.category(character).startswith("P")
        if piece and (piece[-1] == " " or wide) and character != " ":
            yield piece
            piece = ""
        piece += character
    yield piece


def columns(text: str) -> int:
    """How many columns of a terminal the text takes: a Chinese character takes two."""
    return sum(2 if _wide(character) else 1 for character in text)


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
