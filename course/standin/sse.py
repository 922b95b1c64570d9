"""A reply as server-sent events, in the API's order.

message_start; for each block content_block_start, its deltas, content_block_stop; message_delta; message_stop. A ping
follows the first block's start. Source: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

import json
import re
from typing import Any

from course.standin.jsontext import dumps, dumps_each

TEXT_PIECE = 24  # characters in a text delta, about: it ends with a word
JSON_PIECE = 12  # characters in a delta of a tool's input

_WORDS = re.compile(rf".{{1,{TEXT_PIECE}}}(?:\s+|$)|.{{1,{TEXT_PIECE}}}", re.DOTALL)


def event(data: dict[str, Any]) -> bytes:
    """One event. Its name is the `type` in the data."""
    return b"event: %b\ndata: %b\n\n" % (data["type"].encode(), dumps(data))


def events(message: dict[str, Any], cut_input: str | None = None) -> list[bytes]:
    """The events of a message, one chunk each; joined and accumulated they give the message again.

    Args:
        message: the message as the JSON reply would be.
        cut_input: the JSON text of the last block's input, when `max_tokens` cut it in the middle.
    """
    usage = message["usage"]
    used = {**usage, "output_tokens": min(1, usage["output_tokens"]), "output_tokens_details": None}
    start = {**message, "content": [], "stop_reason": None, "stop_sequence": None, "stop_details": None, "usage": used}
    sent = [event({"type": "message_start", "message": start})]
    last = len(message["content"]) - 1
    for index, block in enumerate(message["content"]):
        opened, kind, field, pieces = _pieces(block, cut_input if index == last else None)
        sent.append(event({"type": "content_block_start", "index": index, "content_block": opened}))
        if index == 0:
            sent.append(PING)
        sent += _deltas(index, kind, field, pieces)
        if block.get("signature"):
            sent += _deltas(index, "signature_delta", "signature", [block["signature"]])
        sent.append(b'event: content_block_stop\ndata: {"type":"content_block_stop","index":%d}\n\n' % index)
    # What of the usage the end of a stream repeats: anthropic/types/message_delta_usage.py.
    final = {
        "input_tokens": usage["input_tokens"],
        "cache_creation_input_tokens": usage["cache_creation_input_tokens"],
        "cache_read_input_tokens": usage["cache_read_input_tokens"],
        "output_tokens": usage["output_tokens"],
        "output_tokens_details": usage["output_tokens_details"],
    }
    delta = {
        "stop_reason": message["stop_reason"],
        "stop_sequence": message["stop_sequence"],
        "stop_details": message["stop_details"],
    }
    ended = {"type": "message_delta", "delta": delta, "usage": final}
    if "input_transformations" in message:
        ended["input_transformations"] = message["input_transformations"]
    sent.append(event(ended))
    sent.append(MESSAGE_STOP)
    return sent


PING = event({"type": "ping"})
MESSAGE_STOP = event({"type": "message_stop"})


def _deltas(index: int, kind: str, field: str, pieces: list[str]) -> list[bytes]:
    """The content_block_delta events of a block. Written by hand, because a stream is made of these."""
    data = f'{{"type":"content_block_delta","index":{index},"delta":{{"type":"{kind}","{field}":'
    before = f"event: content_block_delta\ndata: {data}".encode()
    return [before + piece + b"}}\n\n" for piece in dumps_each(pieces)]


def _pieces(block: dict[str, Any], cut_input: str | None) -> tuple[dict[str, Any], str, str, list[str]]:
    """The block as it starts, the kind of its deltas, the field that they fill, and what is in each."""
    if block["type"] == "text":
        return {**block, "text": ""}, "text_delta", "text", _WORDS.findall(block["text"])
    if block["type"] == "thinking":
        opened = {**block, "thinking": "", "signature": ""}
        return opened, "thinking_delta", "thinking", _WORDS.findall(block["thinking"])
    if block["type"] in ("tool_use", "server_tool_use", "mcp_tool_use"):
        text = cut_input if cut_input is not None else _input_text(block["input"])
        pieces = ["", *(text[i : i + JSON_PIECE] for i in range(0, len(text), JSON_PIECE))]
        return {**block, "input": {}}, "input_json_delta", "partial_json", pieces
    return block, "", "", []


def _input_text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""
