"""A reply as the API's message: thinking, ids, signatures, usage, and the end that a limit puts to it."""

import json
from typing import Any

from course import models
from course.standin import ids, tokens
from course.standin.talk import Block, Play, Talk

# What the stand-in thinks, when a model thinks and the scene has no thought of its own.
THOUGHT = "One of the tools can answer this. I will call it and look at the result."
LAST_THOUGHT = "I need to call nothing more. I will answer."

# Models that do not think in front of a call that tool_choice demands, as public reports have it.
FORCED_WITHOUT_THINKING = ("claude-opus-5", "claude-sonnet-5", "claude-sonnet-4-6")

# Who made a call: the model itself, not a program that it wrote (anthropic/types/direct_caller.py).
DIRECT = {"type": "direct"}

_dumps = json.JSONEncoder(ensure_ascii=False).encode


def make(body: dict[str, Any], play: Play) -> tuple[dict[str, Any], str | None]:
    """The message that answers a valid request.

    Args:
        play: who says what.

    Returns:
        The message, and the JSON text of its last tool input if that was cut short.
    """
    model = models.find(body["model"])
    seed = ids.conversation(body)
    spoken = play(Talk(body))
    blocks = _with_thinking(spoken.content, spoken.stop_reason, body, model)
    end = _cut(blocks, spoken.stop_reason, body)
    thinking_tokens = calls = 0
    for block in end.content:
        if block["type"] == "tool_use":
            # A call that was cut off is another one than the whole call that a second request may bring.
            block["id"] = ids.new_id("toolu", seed + (b" cut" if end.stop_reason == "max_tokens" else b""), calls)
            calls += 1
        elif block["type"] == "thinking":
            thinking_tokens += tokens.text(block["thinking"])
            if not _shows_thinking(body, model):
                block["thinking"] = ""
            block["signature"] = ids.sign(block["thinking"], seed)
    message = {
        "model": model.id if model else body["model"],
        "id": ids.new_id("msg", seed),
        "type": "message",
        "role": "assistant",
        "content": end.content,
        "stop_reason": end.stop_reason,
        "stop_sequence": end.stop_sequence,
        "stop_details": None,
        "usage": {
            "input_tokens": tokens.request(body),
            # Nothing is remembered here: course/standin/cache.py does that.
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": end.tokens,
            "output_tokens_details": {"thinking_tokens": thinking_tokens},
            "server_tool_use": None,
            "service_tier": "standard",
            "inference_geo": "global",
        },
    }
    return message, end.cut_input


def _with_thinking(
    blocks: list[Block], stop_reason: str, body: dict[str, Any], model: models.Model | None
) -> list[Block]:
    """The blocks with thinking where this model thinks, and without where it does not.

    It comes first, in every reply when the request asks for it, else in those that ask for tools and in those whose
    player thinks. Models whose row in models.toml says `updates` also think what others say between tool calls.
    """
    asked = (body.get("thinking") or {}).get("type")
    calling = stop_reason == "tool_use"
    said = [block for block in blocks if block["type"] != "thinking"]
    thoughts = [{"thinking": THOUGHT if calling else LAST_THOUGHT} | b for b in blocks if b["type"] == "thinking"]
    forced = (body.get("tool_choice") or {}).get("type") in ("any", "tool")
    if asked == "disabled" or (forced and model is not None and model.id in FORCED_WITHOUT_THINKING):
        return said
    if calling and model is not None and model.updates and _between_calls(body):
        said = [{"type": "thinking", "thinking": block["text"]} if block["type"] == "text" else block for block in said]
    thinks = asked in ("adaptive", "enabled") or (calling and asked is None and model is not None and model.thinks)
    if blocks and thinks and not thoughts and not (said and said[0]["type"] == "thinking"):
        thoughts = [{"type": "thinking", "thinking": THOUGHT if calling else LAST_THOUGHT}]
    return thoughts + said


def _between_calls(body: dict[str, Any]) -> bool:
    """Whether the request brings results of tool calls."""
    content = body["messages"][-1]["content"]
    return isinstance(content, list) and any(block.get("type") == "tool_result" for block in content)


def _shows_thinking(body: dict[str, Any], model: models.Model | None) -> bool:
    display = (body.get("thinking") or {}).get("display") or (model.display if model else "omitted")
    return display == "summarized"


class _End:
    """Where a reply ends, and why. `cut_input` is the JSON text of the last call's input if that is where."""

    def __init__(self, limit: int) -> None:
        self.content: list[Block] = []
        self.stop_reason = "max_tokens"
        self.stop_sequence: str | None = None
        self.cut_input: str | None = None
        self.tokens = 0
        self.room = limit

    def add(self, block: Block, cost: int) -> None:
        self.content.append(block)
        self.tokens += cost
        self.room -= cost


def _cut(blocks: list[Block], stop_reason: str, body: dict[str, Any]) -> _End:
    """End the reply where `max_tokens` or a stop sequence ends it, else where it ends itself."""
    end = _End(body["max_tokens"])
    stops = body.get("stop_sequences")
    for block in blocks:
        if block["type"] == "tool_use":
            block = {"type": "tool_use", "id": "", "name": block["name"], "input": block["input"], "caller": DIRECT}
            cost = tokens.block(block)
            if cost > end.room:
                if end.room > tokens.MESSAGE:
                    block["input"], end.cut_input = _cut_input(block["input"], end.room)
                    end.add(block, end.room)
                end.tokens = body["max_tokens"]
                return end
            end.add(block, cost)
            continue
        if block["type"] not in ("text", "thinking"):  # what a player wrote down itself, such as server_tool_use
            end.add(block, tokens.block(block))
            continue
        key = block["type"]  # a text block's text is in "text", a thinking block's in "thinking"
        text, stop = _before_stop(block[key], stops) if stops and key == "text" else (block[key], None)
        cost = tokens.text(text)
        if cost > end.room:
            text, stop, cost = _first_tokens(text, end.room), None, end.room
        if text:
            end.add({**block, key: text}, cost)
        if stop is not None:
            end.stop_reason, end.stop_sequence = "stop_sequence", stop
            return end
        if text != block[key]:
            return end
    end.stop_reason = stop_reason
    return end


def _before_stop(text: str, stops: list[str]) -> tuple[str, str | None]:
    """The text before the first stop sequence, and that sequence; (text, None) if none is in it."""
    found = [(text.find(stop), stop) for stop in stops if stop in text]
    if not found:
        return text, None
    place, stop = min(found)
    return text[:place], stop


def _first_tokens(text: str, count: int) -> str:
    """As much of the text as so many tokens hold, in whole characters."""
    return text.encode("utf-8", "replace")[: count * tokens.BYTES_PER_TOKEN].decode("utf-8", "ignore")


def _cut_input(value: dict[str, Any], room: int) -> tuple[dict[str, Any], str]:
    """The arguments that fit whole into so many tokens, and the JSON text until it breaks off in the next name.

    The break is never inside a value, so that a client that joins the pieces gets what the JSON reply holds.
    """
    kept: dict[str, Any] = {}
    text = "{"
    for key, item in value.items():
        comma = ", " if kept else ""
        more = f"{comma}{_dumps(key)}: {_dumps(item)}"
        if tokens.text(text + more) > room:
            text += comma + _dumps(key)[: 1 + len(key) // 2]
            break
        text += more
        kept[key] = item
    return kept, text
