"""Calls typed as a prompt: the reader plays Claude. What may be typed: course.standin.notation."""

import json
import re
from collections.abc import Iterator
from typing import Any

from course.standin.talk import Block, Reply, Talk, say

from . import schema
from .words import Texts, language_of, look

MOST = 3  # calls that are shown

PLAIN: dict[str, Any] = {
    "city": "Oslo",
    "location": "Oslo",
    "command": "ls",
    "title": "Sync",
    "expression": "2 + 3",
    "page": 1,
}

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
    """A call with its required arguments, each by the example in its description or a plain value."""
    root = tool["input_schema"]
    given = {}
    for name, about in schema.properties(root).items():
        if name in schema.required(root):
            one = schema.first(about, root)
            shown = look("texts", "example").search(str(one.get("description", "")))
            value = schema.fit(shown[1].strip(), about, root) if shown and schema.kind_of(one) == "string" else None
            given[name] = value or PLAIN.get(name) or schema.sample(about, root)
            if look("calendar", "end").search(name) and isinstance(given[name], str):
                given[name] = given[name].replace("T10:00", "T10:30")  # what ends as it begins is no event
    return f"{tool['name']}({', '.join(f'{name}={_literal(value)}' for name, value in given.items())})"


def _literal(value: Any) -> str:
    """A value as it is typed. PowerShell drops double quotes inside an argument, so texts stand in single ones."""
    plain = isinstance(value, str) and not re.search(r"['\\\n]", value)
    return f"'{value}'" if plain else json.dumps(value, ensure_ascii=False)
