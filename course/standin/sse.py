"""A reply as server-sent events, in the API's order.

message_start; for each block content_block_start, its deltas, content_block_stop; message_delta; message_stop. A ping
follows the first block's start. Source: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from course.standin.jsontext import dumps

TEXT_PIECE = 24  # characters in a text delta, about: it ends with a word
JSON_PIECE = 12  # characters in a delta of a tool's input

_WORDS = re.compile(rf".{{1,{TEXT_PIECE}}}(?:\s+|$)|.{{1,{TEXT_PIECE}}}", re.DOTALL)
_text = json.JSONEncoder(ensure_ascii=False).encode


def event(data: dict[str, Any]) -> bytes:
    """One event. Its name is the `type` in the data."""
    return b"event: %b\ndata: %b\n\n" % (data["type"].encode(), dumps(data))


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
        opened, kind, field, pieces = _pieces(block, cut_input if index == last else None)
        yield event({"type": "content_block_start", "index": index, "content_block": opened})
        if index == 0:
            yield PING
        for piece in pieces:
            yield _delta(index, kind, field, piece)
        if block.get("signature"):
            yield _delta(index, "signature_delta", "signature", block["signature"])
        yield event({"type": "content_block_stop", "index": index})
    delta = {key: message[key] for key in ("stop_reason", "stop_sequence", "stop_details")}
    yield event({"type": "message_delta", "delta": delta, "usage": {key: usage[key] for key in FINAL_USAGE}})
    yield MESSAGE_STOP


PING = event({"type": "ping"})
MESSAGE_STOP = event({"type": "message_stop"})
# What of the usage the end of a stream repeats (anthropic/types/message_delta_usage.py).
FINAL_USAGE = (
    "input_tokens",
    "cache_creation_input_tokens",
    "cache_read_input_tokens",
    "output_tokens",
    "output_tokens_details",
)


def _delta(index: int, kind: str, field: str, piece: str) -> bytes:
    """A content_block_delta. Written by hand, because a stream is made of these."""
    data = f'{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":{_text(piece)}}}}}'
    return f"event: content_block_delta\ndata: {data}\n\n".encode()


def _pieces(block: dict[str, Any], cut_input: str | None) -> tuple[dict[str, Any], str, str, list[str]]:
    """The block as it starts, the kind of its deltas, the field that they fill, and what is in each."""
    if block["type"] == "text":
        return {**block, "text": ""}, "text_delta", "text", _WORDS.findall(block["text"])
    if block["type"] == "thinking":
        opened = {**block, "thinking": "", "signature": ""}
        return opened, "thinking_delta", "thinking", _WORDS.findall(block["thinking"])
    if block["type"] == "tool_use":
        text = cut_input if cut_input is not None else _input_text(block["input"])
        pieces = ["", *(text[i : i + JSON_PIECE] for i in range(0, len(text), JSON_PIECE))]
        return {**block, "input": {}}, "input_json_delta", "partial_json", pieces
    return block, "", "", []


def _input_text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""
