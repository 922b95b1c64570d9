"""The generated diff from one lesson to the next: piece by piece, without what stayed the same."""

import difflib
from collections.abc import Iterator

from course.site import SiteError
from course.site.fences import code
from course.site.include import read
from course.site.lesson_parts import lesson
from course.site.source import Part, parts

CONTEXT = 2  # unchanged lines shown around a change


def changes(old: list[str], new: str) -> str:
    """A diff of a script to those it builds on, by parts. Module docstrings are left out: each lesson has its own.

    A part is compared with the last of the `old` scripts that has it; only parts gone from the last one are shown.
    A line `@@ name @@` heads each part that was added, changed or removed.
    """
    before: dict[str, list[str]] = {}
    for source in old:
        before |= _texts(source)
    after = _texts(new)
    last = list(_texts(old[-1]))
    found: list[str] = []
    for name in _in_order(last, list(after)):
        if name != "docstring" and before.get(name) != after.get(name):
            found += [f"@@ {name} @@", *_lines(before.get(name, []), after.get(name, []))]
    return "\n".join(found)


def edit(old: str, new: str) -> str:
    """The diff of two small pieces of code, all lines shown."""
    return "\n".join(_lines(old.splitlines(), new.splitlines()))


def _texts(source: str) -> dict[str, list[str]]:
    lines = source.splitlines()
    named: list[Part] = parts(source)
    return {part.name: lines[part.first - 1 : part.last] for part in named}


def _in_order(old: list[str], new: list[str]) -> list[str]:
    """The new script's order; what is gone stands where it stood."""
    names = list(new)
    for place, name in enumerate(old):
        if name not in new:
            earlier = [other for other in old[:place] if other in names]
            names.insert(names.index(earlier[-1]) + 1 if earlier else 0, name)
    return names


def _lines(old: list[str], new: list[str]) -> Iterator[str]:
    if not old or not new:
        yield from (f"-{line}" for line in old)
        yield from (f"+{line}" for line in new)
        return
    for number, line in enumerate(difflib.unified_diff(old, new, lineterm="", n=CONTEXT)):
        if number < 2:  # the two file names
            continue
        if not line.startswith("@@"):
            yield line.rstrip()
        elif number > 2:
            yield " ..."


def changes_fence(body: str) -> str:
    """Turn the body of a `changes` fence, `s03` or `s03 since s02`, into a diff block."""
    words = body.split()
    match words:
        case [new]:
            older = list(lesson(new).builds_on)
        case [new, "since", *older] if older:
            pass
        case _:
            raise SiteError(f"expected `s03` or `s03 since s02`, got `{body}`")
    if not older:
        raise SiteError(f"{new} builds on no lesson; say since which one, as in `{new} since s01`")
    files = [f"agents/{lesson(name).file}" for name in [*older, new]]
    imported = [f"agents/{name}.py" for name in lesson(new).imports]  # of what a script imports nothing has gone
    diff = changes([read(file) for file in files[:-1] if file not in imported] or [""], read(files[-1]))
    return code(diff, "diff", title=f"{', '.join(older)} → {files[-1]}")
