"""A reply as server-sent events, in the API's order.

message_start; for each block content_block_start, its deltas, content_block_stop; message_delta; message_stop. A ping
follows the first block's start. Source: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
import re
from collections.abc import Iterator
from typing import Any

TEXT_PIECE = 24  # characters in a text delta, about: it ends with a word
JSON_PIECE = 12  # characters in a delta of a tool's input

_WORDS = re.compile(rf".{{1,{TEXT_PIECE}}}(?:\s+|$)|.{{1,{TEXT_PIECE}}}", re.DOTALL)
_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def event(data: dict[str, Any]) -> bytes:
    """One event. Its name is the `type` in the data."""
    return f"event: {data['type']}\ndata: {_dumps(data)}\n\n".encode()


def events(message: dict[str, Any], cut_input: str | None = None) -> Iterator[bytes]:
    """The events of a message, one chunk each; joined and accumulated they give the message again.

    Args:
        message: the message as the JSON reply would be.
        cut_input: the JSON text of the last block's input, when `max_tokens` cut it in the middle.
    """
    usage = message["usage"]
    start = {**message, "content": [], "stop_reason": None, "stop_sequence": None, "stop_details": None}
    start["usage"] = {**usage, "output_tokens": min(1, usage["output_tokens"]), "output_tokens_details": None}
    yield event({"type": "message_start", "message": start})
    last = len(message["content"]) - 1
    for index, block in enumerate(message["content"]):
        opened, deltas = _parts(block, cut_input if index == last else None)
        yield event({"type": "content_block_start", "index": index, "content_block": opened})
        if index == 0:
            yield event({"type": "ping"})
        for delta in deltas:
            yield event({"type": "content_block_delta", "index": index, "delta": delta})
        yield event({"type": "content_block_stop", "index": index})
    delta = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
    totals = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
              "output_tokens_details")  # fmt: skip
    yield event({"type": "message_delta", "delta": delta, "usage": {key: usage[key] for key in totals}})
    yield event({"type": "message_stop"})


def _parts(block: dict[str, Any], cut_input: str | None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The block as it starts, and the deltas that fill it."""
    if block["type"] == "text":
        pieces = _WORDS.findall(block["text"])
        return {**block, "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]
    if block["type"] == "thinking":
        pieces = _WORDS.findall(block["thinking"])
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
        if block["signature"]:
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        return {**block, "thinking": "", "signature": ""}, deltas
    if block["type"] == "tool_use":
        text = _input_text(block["input"]) if cut_input is None else cut_input
        pieces = ["", *(text[i : i + JSON_PIECE] for i in range(0, len(text), JSON_PIECE))]
        return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return block, []


def _input_text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""
