"""A calculation in several steps, with tools that each do one: (3 + 5) * 12 with `add` and `multiply`."""

import ast
import re
from typing import Any

from . import schema
from .conversation import Conversation
from .facts import expression, numbers

OPERATORS: list[tuple[type[ast.operator], re.Pattern[str]]] = [
    (ast.Add, re.compile(r"^(?:add|addition|sum|plus)", re.IGNORECASE)),
    (ast.Sub, re.compile(r"^(?:sub|subtract|minus)", re.IGNORECASE)),
    (ast.Mult, re.compile(r"^(?:mul|multiply|times|product)", re.IGNORECASE)),
    (ast.Div, re.compile(r"^div", re.IGNORECASE)),
    (ast.Pow, re.compile(r"^(?:pow|exponent)", re.IGNORECASE)),
]
LONGEST = 200  # characters of an expression

Calls = list[tuple[str, dict[str, Any]]]


def steps(conversation: Conversation) -> tuple[Calls, float | None] | None:
    """Return the calls to make now and the result: no calls and None if one has failed.

    None if the prompt holds no calculation of several steps, or a tool for one of them is lacking.
    """
    text = expression(conversation.words)
    if not text or len(text) > LONGEST:
        return None
    try:
        root = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    tools = {
        kind: tool
        for kind, name in OPERATORS
        for tool in conversation.tools.values()
        if name.search(tool["name"]) and len(_numeric(tool)) == 2
    }
    needed = [type(node.op) for node in ast.walk(root) if isinstance(node, ast.BinOp)]
    if len(needed) < 2 or not all(kind in tools for kind in needed):
        return None
    calls: Calls = []
    value = _value(root, tools, conversation, calls)
    return calls, value


def _numeric(tool: dict[str, Any]) -> list[str]:
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    return [
        name
        for name, about in known.items()
        if schema.kind_of(schema.variants(about, root)[0]) in ("integer", "number")
    ]


def _value(node: ast.expr, tools: dict[Any, dict[str, Any]], conversation: Conversation, calls: Calls) -> float | None:
    """Return the value of a part as far as calls have brought it; else add the call that is its turn to `calls`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, tools, conversation, calls)
        return None if value is None else -value
    if not isinstance(node, ast.BinOp):
        return None
    left = _value(node.left, tools, conversation, calls)
    right = _value(node.right, tools, conversation, calls)
    if left is None or right is None:
        return None
    tool = tools[type(node.op)]
    given = dict(zip(_numeric(tool), (left, right), strict=True))
    for call in conversation.calls:
        if call.name == tool["name"] and call.input == given:
            found = [] if call.is_error else numbers(call.result or "")
            return found[-1] if found else None
    if (tool["name"], given) not in calls:
        calls.append((tool["name"], given))
    return None
