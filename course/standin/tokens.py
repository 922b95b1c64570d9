"""Token counts. Estimates: the real tokenizer is not published, so expect the API's counts to differ by a third or so.

One token is taken as four bytes of UTF-8: about four letters of English, a little more than one Chinese character.
The API adds some of its own: a few for each message, a system prompt when tools are offered.
"""

import json
from typing import Any

from course.standin import talk

BYTES_PER_TOKEN = 4
MESSAGE = 4  # what marks the beginning and the end of a message
TOOL_PROMPT = 346  # https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing
IMAGE = 1_500  # about one megapixel; https://platform.claude.com/docs/en/build-with-claude/vision
DOCUMENT_BYTES_PER_TOKEN = 20  # of base64: a page of a PDF has some 2,000 tokens and 40 KB

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def text(value: str) -> int:
    """Tokens in a text."""
    length = len(value) if value.isascii() else len(value.encode("utf-8", "replace"))
    return -(-length // BYTES_PER_TOKEN)


def of_json(value: object) -> int:
    """Tokens in a value written as JSON: a tool's definition, the input of a call."""
    return text(_dumps(value))


def request(body: dict[str, Any]) -> int:
    """Tokens that a valid request takes: system prompt, tools and messages."""
    total = blocks(body.get("system") or "")
    if tools := body.get("tools"):
        total += TOOL_PROMPT + of_json(tools)
    for message in body["messages"]:
        total += MESSAGE + blocks(message["content"])
    return total


def blocks(content: Any) -> int:
    """Tokens in a message's content, a string or a list of blocks."""
    if isinstance(content, str):
        return text(content)
    return sum(map(block, talk.blocks(content)))


def block(item: dict[str, Any]) -> int:
    """Tokens in one content block."""
    kind = item.get("type")
    if kind == "text":
        return text(item["text"])
    if kind == "image":
        return IMAGE
    if kind == "tool_result":
        return MESSAGE + blocks(item.get("content") or "")
    if kind == "tool_use":
        return MESSAGE + text(item["name"]) + of_json(item["input"])
    if kind == "thinking":
        return text(item.get("thinking") or "")
    if kind == "document":
        source = item.get("source") or {}
        if source.get("type") == "base64":
            return len(source.get("data") or "") // DOCUMENT_BYTES_PER_TOKEN
    return of_json(item)
