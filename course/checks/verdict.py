"""What a judge says about a run, and the few ways to say it. In no language yet: see explanations."""

import ast
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .run import Block, Run


@dataclass(frozen=True)
class Verdict:
    """
    id      names the explanation; "passed" if the exercise is solved
    case    names a variant of it, whose texts stand in for some of its own; "" for none
    values  what the texts name in braces
    api     what the API says to it, in its own words; "" if it would take it
    line    where in the reader's file to look; None if no place is better than another
    """

    id: str
    case: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    api: str = ""
    line: int | None = None

    @property
    def passed(self) -> bool:
        return self.id == "passed"

    @property
    def name(self) -> str:
        return f"{self.id}.{self.case}" if self.case else self.id


Judge = Callable[[Run], Verdict | None]


def fail(id: str, case: str = "", *, api: str = "", line: int | None = None, **values: Any) -> Verdict:
    """Not solved: the explanation's name and case, and the values that its texts name in braces."""
    return Verdict(id, case, values, api, line)


def passed(case: str = "", **values: Any) -> Verdict:
    return Verdict("passed", case, values)


def first(run: Run, *judges: Judge) -> Verdict:
    """The first verdict that one of the judges comes to; passed if none has anything to say."""
    for judge in judges:
        if found := judge(run):
            return found
    return passed()


def place(run: Run, *patterns: str) -> int | None:
    """The line of the reader's file to look at: where the TODO still stands, else the first that a pattern matches.

    The patterns are tried in order; comments and docstrings do not count.
    """
    for number, line in enumerate(run.source.splitlines(), 1):
        if re.search(r"#\s*TODO\b", line):
            return number
    return place_of(run, *patterns)


def place_of(run: Run, *patterns: str, first: int = 1) -> int | None:
    """The same, whether or not a TODO still stands; from the line `first` on."""
    for pattern in patterns:
        for number, line in _code(run.source):
            if number >= first and re.search(pattern, line):
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
def named(source: str) -> frozenset[str]:
    """The names that a program uses: what it only defines is not among them."""
    found = set()
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                found.add(node.id)
            elif isinstance(node, ast.Attribute):
                found.add(node.attr)
    return frozenset(found)


@lru_cache(maxsize=1)
def called(source: str) -> frozenset[str]:
    """The names of the functions that a program calls somewhere."""
    found = set()
    with suppress(SyntaxError, ValueError):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                found.add(getattr(node.func, "attr", getattr(node.func, "id", "")))
    return frozenset(found)


def raised_itself(run: Run) -> bool:
    """Whether the exception that ended the program comes from a `raise` or an exit of its own."""
    if not run.failure or not run.failure.line:
        return False
    if run.failure.type in ("SystemExit", "KeyboardInterrupt"):
        return True
    return run.source.splitlines()[run.failure.line - 1].lstrip().startswith("raise")


@lru_cache(maxsize=1)
def _code(source: str) -> list[tuple[int, str]]:
    """(line number, line) without comments, docstrings, and functions that nothing in the file names."""
    skipped: set[int] = set()
    with suppress(SyntaxError, ValueError):
        nodes = list(ast.walk(ast.parse(source)))
        used = named(source)
        for node in nodes:
            comment = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            unused = isinstance(node, ast.FunctionDef) and not node.decorator_list and node.name not in used
            if (comment or unused) and isinstance(node, ast.stmt):
                skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return [(number, line) for number, line in lines if number not in skipped and not line.lstrip().startswith("#")]


# --- words for values -----------------------------------------------------------------------------------------------


def names(calls: list[Block]) -> str:
    """The calls as `get_weather({"city": "Oslo"})`."""
    inputs = [shortened(json.dumps(call.get("input"), ensure_ascii=False), 60) for call in calls]
    return ", ".join(f"{call.get('name')}({given})" for call, given in zip(calls, inputs, strict=True))


def flat(text: str) -> str:
    """The text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


def shortened(text: str, most: int = 160) -> str:
    text = flat(text)
    return text if len(text) <= most else text[: most - 3] + "..."
