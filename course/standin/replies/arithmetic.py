"""A calculation in several steps, with tools that each do one: (3 + 5) * 12 with `add` and `multiply`."""

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from . import schema
from .conversation import Conversation
from .facts import expressions, numbers

OPERATORS: list[tuple[type[ast.operator], re.Pattern[str]]] = [
    (ast.Add, re.compile(r"^(?:add|addition|sum|plus|\+$)", re.IGNORECASE)),
    (ast.Sub, re.compile(r"^(?:sub|subtract|minus|-$)", re.IGNORECASE)),
    (ast.Mult, re.compile(r"^(?:mul|multiply|times|product|\*$)", re.IGNORECASE)),
    (ast.Div, re.compile(r"^(?:div|/$)", re.IGNORECASE)),
    (ast.Pow, re.compile(r"^(?:pow|exponent|\*\*$|\^$)", re.IGNORECASE)),
]
COMPUTED: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
LONGEST = 200  # characters of an expression

Calls = list[tuple[str, dict[str, Any]]]
Step = tuple[dict[str, Any], dict[str, Any]]  # a tool, and what of its input says which calculation it is to do


def steps(conversation: Conversation) -> tuple[Calls, list[float | None]] | None:
    """Return the calls to make now and the results: no calls, and None for what has failed.

    None if the prompt holds no calculation for tools that do one step each, or a tool for one of them is lacking.
    """
    roots = [root for text in expressions(conversation.words) if (root := _parsed(text))]
    if not roots:
        return None
    tools: dict[type[ast.operator], Step] = {}
    for tool in conversation.tools.values():
        for kind, given in _does(tool):
            tools.setdefault(kind, (tool, given))
    needed = [type(node.op) for root in roots for node in ast.walk(root) if isinstance(node, ast.BinOp)]
    if not needed or not all(kind in tools for kind in needed):
        return None
    if len(needed) == 1 and not tools[needed[0]][1]:
        return None  # one step with a tool of its own name is a call like any other
    calls: Calls = []
    values = [_value(root, tools, conversation, calls) for root in roots]
    return calls, values


def value_of(text: str) -> float | None:
    """Return what a calculation comes to, None if that is unknown."""
    root = _parsed(text)
    try:
        return None if root is None else _computed(root)
    except (ArithmeticError, ValueError):
        return None


def _computed(node: ast.expr) -> float | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _computed(node.operand)
        return None if value is None else -value
    compute = COMPUTED.get(type(node.op)) if isinstance(node, ast.BinOp) else None
    if not isinstance(node, ast.BinOp) or not compute:
        return None
    left, right = _computed(node.left), _computed(node.right)
    return None if left is None or right is None else compute(left, right)


def _parsed(text: str) -> ast.expr | None:
    try:
        return ast.parse(text, mode="eval").body if len(text) <= LONGEST else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _does(tool: dict[str, Any]) -> list[tuple[type[ast.operator], dict[str, Any]]]:
    """Return the steps that a tool with two numbers does, by its name or by a choice such as operation="add"."""
    if len(_numeric(tool)) != 2:
        return []
    root = tool["input_schema"]
    found: list[tuple[type[ast.operator], dict[str, Any]]] = []
    for kind, pattern in OPERATORS:
        if pattern.search(tool["name"]):
            found.append((kind, {}))
        for name, about in schema.properties_of(schema.resolve(root, root)).items():
            choices = schema.variants(about, root)[0].get("enum")
            found += [
                (kind, {name: choice})
                for choice in (choices if isinstance(choices, list) else [])
                if isinstance(choice, str) and pattern.search(choice)
            ]
    return found


def _numeric(tool: dict[str, Any]) -> list[str]:
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    return [
        name
        for name, about in known.items()
        if schema.kind_of(schema.variants(about, root)[0]) in ("integer", "number")
    ]


def _value(
    node: ast.expr, tools: dict[type[ast.operator], Step], conversation: Conversation, calls: Calls
) -> float | None:
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
    tool, which = tools[type(node.op)]
    given = {**which, **dict(zip(_numeric(tool), (left, right), strict=True))}
    for call in conversation.calls:
        if call.name == tool["name"] and call.input == given:
            found = [] if call.is_error else numbers(call.result or "")
            return found[-1] if found else None
    if (tool["name"], given) not in calls:
        calls.append((tool["name"], given))
    return None
