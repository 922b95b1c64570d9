"""What a judge says about a run, and the few ways to say it."""

import ast
import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .run import Run


@dataclass(frozen=True)
class Verdict:
    """In the reader's language, except `id`, which names the explanation.

    seen      what the program did: sent, printed, raised
    api       what the API says to it, in its own words; "" if it would take it
    expected  what a right program does here
    line      where in the reader's file to look; None if no place is better than another
    next      one step to take
    """

    passed: bool
    id: str
    seen: str
    expected: str = ""
    next: str = ""
    api: str = ""
    line: int | None = None


def fail(id: str, *, seen: str, expected: str, next: str, api: str = "", line: int | None = None) -> Verdict:
    return Verdict(False, id, seen, expected, next, api, line)


def passed(seen: str) -> Verdict:
    return Verdict(True, "passed", seen)


def place(run: Run, *patterns: str) -> int | None:
    """The line of the reader's file to look at: where the TODO still stands, else the first that a pattern matches.

    The patterns are tried in order; comments and docstrings do not count.
    """
    for number, line in enumerate(run.source.splitlines(), 1):
        if re.search(r"#\s*TODO\b", line):
            return number
    return place_of(run, *patterns)


def place_of(run: Run, *patterns: str) -> int | None:
    """The same, whether or not a TODO still stands."""
    for pattern in patterns:
        for number, line in _code(run.source):
            if re.search(pattern, line):
                return number
    return None


def constant(run: Run, name: str, otherwise: Any) -> Any:
    """The value that the reader's file gives to a name at its top level, if it stands there as a literal.

    Readers try other prompts and limits: a judge that speaks of them must know them. `otherwise`: what the starter has.
    """
    found = otherwise
    with suppress(SyntaxError, ValueError):
        for node in ast.parse(run.source).body:
            if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == name for target in node.targets):
                with suppress(ValueError):
                    found = ast.literal_eval(node.value)
    return found if isinstance(found, type(otherwise)) else otherwise


@lru_cache(maxsize=1)
def _code(source: str) -> list[tuple[int, str]]:
    """(line number, line) without comments and docstrings."""
    skipped: set[int] = set()
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return [(number, line) for number, line in lines if number not in skipped and not line.lstrip().startswith("#")]
