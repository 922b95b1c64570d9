"""The faults that sit inside a reply: a good reply goes in, a spoiled one comes out.

Each function takes the message that the stand-in would have sent and the body of the request, and returns the message
to send instead, or None where the fault has nothing to take hold of (a reply without a call has no argument to spoil);
it then waits for a reply where it has. Messages are those of the API: {"id", "content": [...], "stop_reason",
"usage": {...}, ...}; they are copies, so they may be changed in place.
"""

import copy
import re
from collections.abc import Callable
from typing import Any

from . import ids
from .talk import blocks, blocks_of

Message = dict[str, Any]
Body = dict[str, Any]

# How a paused reply ends. A request that ends with it goes on where the pause was (see `resume`).
PAUSED = "I am not done yet."
UNKNOWN_STOP_REASON = "some_new_reason"

# What an injected order makes of an argument, by its name; harmless even where nothing holds.
ORDERS = (
    ("(?i)command|cmd|script", "echo This order stood in the result of a tool."),
    ("(?i)path|file", "../obeyed.txt"),
    ("(?i)url|uri", "https://example.com/obeyed"),
    ("(?i)^to$|recipient|e?mail|attendee", "nobody@example.com"),
    ("", "As ordered"),
)


def max_tokens(message: Message, body: Body) -> Message | None:
    """The limit falls into the middle of the last call: half of its arguments are missing."""
    calls = _calls(message)
    if not calls:
        return None
    cut = calls[-1]
    del message["content"][message["content"].index(cut) + 1 :]
    cut["input"] = dict(list(cut["input"].items())[: len(cut["input"]) // 2])
    limit = body.get("max_tokens", 0)
    if limit > message["usage"].get("output_tokens", 0):
        message["usage"]["output_tokens"] = limit
    return _stop(message, "max_tokens")


def refusal(message: Message, body: Body) -> Message | None:
    message["content"] = []
    # The SDK's type is RefusalStopDetails (anthropic 2.14, types/refusal_stop_details.py).
    message["stop_details"] = {"type": "refusal", "category": None, "explanation": None}
    return _stop(message, "refusal")


def pause_turn(message: Message, body: Body) -> Message | None:
    message["content"] = [{"type": "text", "text": PAUSED}]
    return _stop(message, "pause_turn")


def resume(body: Body) -> Body:
    """The request without the paused replies in it. The API knows that it paused; the stand-in, which has no memory,
    would take one at the end for a prefill, and what it signed afterwards for part of another conversation.
    """
    messages = body.get("messages")
    if not isinstance(messages, list):
        return body
    return {**body, "messages": [message for message in messages if not _is_paused(message)]}


def _is_paused(message: Any) -> bool:
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, list) and [block.get("text") for block in blocks(content)] == [PAUSED]


def context_window(message: Message, body: Body) -> Message | None:
    message["content"] = [block for block in message["content"] if block["type"] == "text"]
    for block in message["content"]:
        block["text"] = _shortened(block["text"])
    return _stop(message, "model_context_window_exceeded")


def unknown_stop_reason(message: Message, body: Body) -> Message | None:
    message["content"] = [block for block in message["content"] if block["type"] != "tool_use"]
    return _stop(message, UNKNOWN_STOP_REASON)


def empty(message: Message, body: Body) -> Message | None:
    message["content"] = []
    return _stop(message, "end_turn")


def split_text(message: Message, body: Body) -> Message | None:
    """Each text of more than one word becomes several blocks; together they still hold every character."""
    content: list[dict[str, Any]] = []
    for block in message["content"]:
        words = re.findall(r"\S+\s*|^\s+", block["text"]) if block["type"] == "text" else []
        if len(words) < 2:
            content.append(block)
            continue
        third = -(-len(words) // 3)
        content += [{**block, "text": "".join(words[at : at + third])} for at in range(0, len(words), third)]
    if len(content) == len(message["content"]):
        return None
    message["content"] = content
    return message


def unknown_tool(message: Message, body: Body) -> Message | None:
    call = _first_call(message)
    if call is None:
        return None
    offered = {tool.get("name") for tool in body.get("tools") or []}
    while call["name"] in offered:
        call["name"] += "_v2"
    return message


def missing_argument(message: Message, body: Body) -> Message | None:
    call = _first_call(message)
    return message if call is not None and _drop_required(call, body) else None


def unknown_argument(message: Message, body: Body) -> Message | None:
    call = _first_call(message)
    if call is None:
        return None
    name = "mood"
    while name in _properties(_schema(body, call)):
        name += "_"
    call["input"][name] = "good"
    return message


def mistyped_argument(message: Message, body: Body) -> Message | None:
    call = _first_call(message)
    if call is None or not call["input"]:
        return None
    name = next(iter(call["input"]))
    call["input"][name] = _other_type(call["input"][name])
    return message


def bad_format(message: Message, body: Body) -> Message | None:
    """The first date, time or e-mail address, however deep, becomes words: a string still, but not of that format."""
    call = _first_call(message)
    if call is None:
        return None
    spoiled, done = _spoil(call["input"], _without_format)
    call["input"] = spoiled
    return message if done else None


def nested_argument(message: Message, body: Body) -> Message | None:
    """The last value inside an argument that is itself an object (else an array) gets the wrong type."""
    call = _first_call(message)
    if call is None:
        return None
    for kind in (dict, list):
        for value in call["input"].values():
            if isinstance(value, kind) and value:
                last = list(value)[-1] if isinstance(value, dict) else len(value) - 1
                value[last] = _other_type(value[last])
                return message
    return None


def one_of_several(message: Message, body: Body) -> Message | None:
    """At least two calls, the second of which lacks a required argument."""
    calls = _calls(message)
    choice = body.get("tool_choice")
    if not calls or (isinstance(choice, dict) and choice.get("disable_parallel_tool_use")):
        return None
    if len(calls) == 1:
        twin = copy.deepcopy(calls[0])
        twin["id"] = _new_id(calls[0]["id"])
        message["content"].insert(message["content"].index(calls[0]) + 1, twin)
        calls.append(twin)
    return message if _drop_required(calls[1], body) else None


def endless_calls(message: Message, body: Body) -> Message | None:
    """Where the reply would have ended the work, the last call of the conversation is asked for once more."""
    if _calls(message):
        return message
    past = list(blocks_of(body, "assistant", "tool_use"))
    if not past:
        return None
    again = {**past[-1], "id": _new_id(message["id"])}
    kept = [block for block in message["content"] if block["type"] in ("thinking", "redacted_thinking")]
    message["content"] = [*kept, again]
    return _stop(message, "tool_use")


def obeyed_order(message: Message, body: Body) -> Message | None:
    """Instead of the reply a call that nobody asked for, as if a tool's result had ordered it. It does no harm."""
    from .replies import schema

    last = body["messages"][-1]["content"]
    choice = body.get("tool_choice")
    if not any(block.get("type") == "tool_result" for block in blocks(last)):
        return None
    if isinstance(choice, dict) and choice.get("type") in ("none", "tool"):
        return None
    for pattern, value in ORDERS:
        for tool in body.get("tools") or []:
            root = tool.get("input_schema") or {}
            for name in schema.properties(root):
                given = schema.complete({name: value}, root)
                if re.search(pattern, name) and schema.valid(given, root, root):
                    call = {"type": "tool_use", "id": _new_id(message["id"]), "name": tool["name"], "input": given}
                    kept = [block for block in message["content"] if block["type"] == "thinking"]
                    message["content"] = [*kept, {"type": "text", "text": "As the result asks."}, call]
                    return _stop(message, "tool_use")
    return None


Spoiler = Callable[[Message, Body], Message | None]


def _stop(message: Message, reason: str) -> Message:
    message["stop_reason"] = reason
    message["stop_sequence"] = None
    return message


def _calls(message: Message) -> list[dict[str, Any]]:
    return [block for block in message["content"] if block["type"] == "tool_use"]


def _first_call(message: Message) -> dict[str, Any] | None:
    return next(iter(_calls(message)), None)


def _schema(body: Body, call: dict[str, Any]) -> dict[str, Any]:
    for tool in body.get("tools") or []:
        if tool.get("name") == call["name"] and isinstance(tool.get("input_schema"), dict):
            schema: dict[str, Any] = tool["input_schema"]
            return schema
    return {}


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _drop_required(call: dict[str, Any], body: Body) -> bool:
    for name in _schema(body, call).get("required") or []:
        if name in call["input"]:
            del call["input"][name]
            return True
    return False


def _other_type(value: Any) -> Any:
    """A value that no schema for `value` takes: a number for a string, words for everything else."""
    return 42 if isinstance(value, str) else "several"


def _without_format(text: str) -> str | None:
    if re.match(r"\d{4}-\d\d-\d\d", text):
        return "next Monday"
    if re.match(r"\S+@\S+$", text):
        return text.partition("@")[0]
    return None


def _spoil(value: Any, change: Callable[[str], str | None]) -> tuple[Any, bool]:
    """`value` with its first string that `change` has an answer for replaced; and whether there was one."""
    if isinstance(value, str):
        changed = change(value)
        return (value, False) if changed is None else (changed, True)
    items: Any = ()
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    for key, item in items:
        value[key], done = _spoil(item, change)
        if done:
            return value, True
    return value, False


def _shortened(text: str) -> str:
    words = text.split(" ")
    return " ".join(words[: max(1, len(words) // 2)])


def _new_id(seed: str) -> str:
    """An id that the conversation does not have, as `seed` is an id made for this very request."""
    return ids.new_id("toolu", seed.encode())
