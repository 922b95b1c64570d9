"""Calls typed as a prompt: the reader plays Claude. What may be typed: course.standin.notation."""

import re
from collections.abc import Iterator
from typing import Any

from course.standin.talk import Block, Reply, Talk, say

from . import schema
from .arguments import slot
from .words import Texts, language_of, look

MOST = 3  # calls that are shown

PLAIN: dict[str, Any] = {  # by the name of an argument, by what such a name takes, by type
    "command": "ls", "sql": "SELECT 1", "title": "Sync", "page": 1,
    "place": "Oslo", "sum": "2 + 3", "address": "ana@example.com", "file": "notes.txt", "name": "Ana", "id": "A1",
    "string": "Hello", "integer": 10, "number": 10,
}  # fmt: skip

text = Texts("texts")


def play(talk: Talk) -> Reply | None:
    """The next line of a prompt that is calls; None if it is none. In the end what came back, unless a line says it."""
    if not talk.tools or not ("(" in talk.prompt or "（" in talk.prompt):
        return None
    from course.standin import notation  # for those who type calls

    if not notation.looks_like_calls(talk.prompt, talk.tools):
        return None
    language = language_of(*(turn.prompt for turn in reversed(talk.earlier)), talk.system, talk.prompt)
    try:
        lines = notation.read(talk.prompt)
    except notation.NotationError as slip:
        return say(slip.say(language))
    replies = [Reply(line.content, line.stop_reason) for line in lines]
    if not talk.parallel:  # one call a reply, where that is all that is allowed
        replies = [one for reply in replies for one in _apart(reply)]
    if talk.rounds < len(replies):
        return replies[talk.rounds]
    name = "failed" if talk.calls and talk.calls[-1].is_error else "result"
    results = [(call.name, (call.result or "-").strip()[:2000]) for call in talk.calls]
    return say("\n".join(text(language, name, name=one, result=result, error=result) for one, result in results))


def _apart(reply: Reply) -> Iterator[Reply]:
    """The same with each call in a reply of its own, and the texts before it."""
    content: list[Block] = []
    for block in reply.content:
        content.append(block)
        if block["type"] == "tool_use":
            yield Reply(content, reply.stop_reason)
            content = []
    if content or not reply.content:
        yield Reply(content)


def examples(talk: Talk) -> str:
    """Calls that could be typed, for the tools on offer: one a line."""
    return "\n".join(_example(tool) for tool in list(talk.tools.values())[:MOST])


def _example(tool: dict[str, Any]) -> str:
    """A call with its required arguments. PowerShell drops double quotes inside an argument, so texts stand in single
    ones; names that are no words stand in braces."""
    root = tool["input_schema"]
    known = schema.properties(root)
    given = {name: _plain(name, known.get(name, {}), root) for name in schema.required(root)}
    given = given if schema.valid(given, root, root) else schema.sample(root, root)
    if not all(re.fullmatch(r"[\w.-]+", name) for name in given):
        return f"{tool['name']}({given!r})"
    return f"{tool['name']}({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def _plain(name: str, about: Any, root: dict[str, Any]) -> Any:
    """A value for an argument: the example in its description, what such arguments take, or the plainest one."""
    one = schema.first(about, root)
    kind = schema.kind_of(one)
    shown = look("texts", "example").search(str(one.get("description", ""))) if kind == "string" else None
    tries = [shown[1].strip() if shown else None, PLAIN.get(name), PLAIN.get(slot(name)), PLAIN.get(kind)]
    fitted = (schema.fit(value, about, root) for value in tries if value is not None)
    found = next((value for value in fitted if value is not schema.NOTHING), schema.NOTHING)
    found = schema.sample(about, root, 1, name) if found is schema.NOTHING else found
    if look("calendar", "end").search(name) and isinstance(found, str):
        return found.replace("T10:00", "T10:30")  # what ends as it begins is no event
    return found
