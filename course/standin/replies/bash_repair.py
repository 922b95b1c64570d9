"""Repairing a small Python script by what its traceback says. Purely by text: nothing is run here."""

import difflib
import re
import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

ERROR = re.compile(r"^(\w+(?:\.\w+)*(?:Error|Exception|Exit|Interrupt)): ?(.*)$", re.MULTILINE)
BARE_ERROR = re.compile(r"^(\w+(?:Error|Exception))$", re.MULTILINE)
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
NAME = re.compile(r"[^\W\d]\w*")
MEANT = re.compile(r"Did you mean: '(\w+)'")
TEXT = r"(?:\"[^\"\n]*\"|'[^'\n]*')"
VALUE = r"[\w.]+(?:\([^()\n]*\)|\[[^\[\]\n]*\])*"
COMMON = (
    "print len range sum min max str int float list dict set open input sorted enumerate zip abs round True False None "
    "return append items keys values split join strip upper lower replace format extend insert remove"
).split()


class Problem(NamedTuple):
    """What a traceback says: the error's name and message, the script's line it points to, from 1 (0: none)."""

    error: str
    message: str
    line: int


class Repair(NamedTuple):
    """The repaired source, and why: `what` is the name of a sentence, `values` belong into it."""

    source: str
    what: str
    values: dict[str, str]


def problem_in(output: str, file: str) -> Problem | None:
    """Read the traceback of a run of `file`; None if there is none."""
    errors = ERROR.findall(output) or [(name, "") for name in BARE_ERROR.findall(output)]
    if not errors:
        return None
    base = _base(file)
    lines = [int(number) for path, number in PLACE.findall(output) if _base(path) == base]
    return Problem(errors[-1][0], errors[-1][1], lines[-1] if lines else 0)


def _base(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def repair(source: str, problem: Problem) -> Repair | None:
    """Return the source with its fault repaired, None if this is a kind of fault that is not known here."""
    lines = source.split("\n")
    attempt = ATTEMPTS.get(problem.error)
    if not attempt or not 1 <= problem.line <= len(lines):
        return None
    return attempt(lines, problem.line - 1, problem.message)


def _changed(lines: list[str], i: int, new: str, what: str, **values: str) -> Repair | None:
    if new == lines[i]:
        return None
    return Repair("\n".join([*lines[:i], new, *lines[i + 1 :]]), what, {"line": str(i + 1), **values})


def _near(name: str, known: Iterable[str]) -> str:
    """Return the known name that is most like this one, "" if none is like it."""
    return next(iter(difflib.get_close_matches(name, sorted(set(known) - {name}), n=1, cutoff=0.7)), "")


def _unknown_name(lines: list[str], i: int, message: str) -> Repair | None:
    if not (found := re.match(r"name '(\w+)' is not defined", message)):
        return None
    name = found[1]
    if name in sys.stdlib_module_names:
        first = next((n for n, line in enumerate(lines) if re.match(r"(?:import|from) ", line)), None)
        if first is None:
            first = 1 if lines[0].startswith("#!") else 0
        return Repair("\n".join([*lines[:first], f"import {name}", *lines[first:]]), "import", {"module": name})
    meant = MEANT.search(message)
    words = [word for line in lines for word in NAME.findall(line)]
    right = meant[1] if meant else _near(name, [*words, *COMMON])
    if not right:
        return None
    return _changed(lines, i, re.sub(rf"\b{name}\b", right, lines[i]), "name", wrong=name, right=right)


def _unknown_attribute(lines: list[str], i: int, message: str) -> Repair | None:
    if not (found := re.search(r"has no attribute '(\w+)'", message)):
        return None
    meant = MEANT.search(message)
    right = meant[1] if meant else _near(found[1], COMMON)
    if not right:
        return None
    new = re.sub(rf"\.{found[1]}\b", f".{right}", lines[i])
    return _changed(lines, i, new, "name", wrong=found[1], right=right)


def _unknown_module(lines: list[str], i: int, message: str) -> Repair | None:
    found = re.match(r"No module named '(\w+)'", message)
    if not found or not (right := _near(found[1], sys.stdlib_module_names)):
        return None
    return _changed(lines, i, re.sub(rf"\b{found[1]}\b", right, lines[i]), "name", wrong=found[1], right=right)


def _syntax(lines: list[str], i: int, message: str) -> Repair | None:
    line = lines[i].rstrip()
    if "expected ':'" in message:
        return _changed(lines, i, line + ":", "add", sign=":")
    if found := re.match(r"'([(\[{])' was never closed", message):
        sign = {"(": ")", "[": "]", "{": "}"}[found[1]]
        return _changed(lines, i, line + sign, "add", sign=sign)
    if message.startswith("unterminated string literal"):
        quote = '"' if line.count('"') % 2 else "'"
        end = re.search(r"[)\]},:]*$", line)
        at = end.start() if end else len(line)
        return _changed(lines, i, line[:at] + quote + line[at:], "add", sign=quote)
    if "Missing parentheses in call to 'print'" in message:
        return _changed(lines, i, re.sub(r"\bprint\s+(.+)$", r"print(\1)", line), "add", sign="( )")
    if "instead of '='" in message:
        return _changed(lines, i, re.sub(r"(?<![=!<>:])=(?!=)", "==", line, count=1), "compare")
    return None


def _indentation(lines: list[str], i: int, message: str) -> Repair | None:
    before = next((line for line in reversed(lines[:i]) if line.strip()), "")
    indent = before[: len(before) - len(before.lstrip())]
    if message.startswith("expected an indented block"):
        return _changed(lines, i, indent + "    " + lines[i].lstrip(), "indent")
    if message.startswith("unexpected indent"):
        return _changed(lines, i, indent + lines[i].lstrip(), "indent")
    return None


def _zero(lines: list[str], i: int, message: str) -> Repair | None:
    found = re.search(rf"({VALUE}) (//?|%) (len\(([\w.]+)\)|[\w.]+)", lines[i])
    if not found or found[3].isdigit():
        return None
    safe = f"{found[1]} {found[2]} {found[3]} if {found[4] or found[3]} else 0"
    alone = re.search(rf"(?:return|=) {re.escape(found[0])}$", lines[i].rstrip())
    new = lines[i].replace(found[0], safe if alone else f"({safe})", 1)
    return _changed(lines, i, new, "zero", divisor=found[3])


def _types(lines: list[str], i: int, message: str) -> Repair | None:
    if not re.search(r"can only concatenate str|for \+: '\w+' and 'str'|must be str, not", message):
        return None
    value = rf"(?!str\()({VALUE})"
    new = re.sub(rf"({TEXT}) \+ {value}(?! ?[*/])", r"\1 + str(\2)", lines[i])
    if new == lines[i]:
        new = re.sub(rf"(?<![\w.\"')]){value} \+ ({TEXT})", r"str(\1) + \2", lines[i])
    return _changed(lines, i, new, "text")


def _index(lines: list[str], i: int, message: str) -> Repair | None:
    """One place too far: x[len(x)] in this line, or range(len(x) + 1) in this line or above it."""
    new = re.sub(r"(\w+)\[len\(\1\)\]", r"\1[-1]", lines[i])
    if new != lines[i]:
        return _changed(lines, i, new, "far")
    for above in range(i, -1, -1):
        new = re.sub(r"range\((.*?)len\((\w+)\) \+ 1\)", r"range(\1len(\2))", lines[above])
        if new != lines[above]:
            return _changed(lines, above, new, "far")
    return None


ATTEMPTS: dict[str, Callable[[list[str], int, str], Repair | None]] = {
    "NameError": _unknown_name,
    "AttributeError": _unknown_attribute,
    "ModuleNotFoundError": _unknown_module,
    "SyntaxError": _syntax,
    "IndentationError": _indentation,
    "ZeroDivisionError": _zero,
    "TypeError": _types,
    "IndexError": _index,
}
