"""Ids shaped like the API's, and signatures of thinking blocks.

Both follow from the request alone: any number of servers give the same, and each can check what another one signed.
Only the id of a request is new each time, as two requests are two even if they say the same.
"""

import base64
import hashlib
import hmac
import json
import os
import re
from typing import Any, Literal

from course.standin.talk import blocks

# What a byte becomes in an id: one of the 58 letters and digits that cannot be mistaken for one another.
_ALPHABET = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_TABLE = bytes(_ALPHABET[byte % len(_ALPHABET)] for byte in range(256))

# Not a secret: it only lets the stand-in tell its own signatures from others.
_KEY = b"agent-loop-course"
_VERSION = b"\x01"
_PREFIX_BYTES = 16

Verdict = Literal["valid", "invalid", "other_conversation"]


def new_id(kind: str, seed: bytes, number: int = 0) -> str:
    """An id such as "msg_01AbC...": kind is "msg", "toolu" or "req"; equal arguments give equal ids."""
    digest = hashlib.sha256(b"%b %d %b" % (kind.encode(), number, seed)).digest()
    return f"{kind}_01{digest[:22].translate(_TABLE).decode()}"


def request_id() -> str:
    """A new "req_01AbC..."."""
    return new_id("req", os.urandom(16))


def without_chance(text: str) -> str:
    """The text of a run with "req_01..." for each id of a request, and one name for every folder for temporary files
    (tempfile.mkdtemp(prefix="agent-"), as the lessons make it): it is then the same the next time."""
    text = re.sub(r"\breq_01\w{22}\b", "req_01...", text)
    return re.sub(r"[^\s'\"()]*\bagent-\w{8}(?=[/\\])", "/tmp/agent-4k2x9w1c", text)


class Prefix:
    """The digest of a conversation as it grows block by block, for ids and for signatures.

    Two requests have the same prefix when system prompt, tools and all blocks so far say the same. What a client may
    change between two turns does not count: cache_control, thinking blocks left out, a string for one text block,
    several messages of one role for one.
    """

    __slots__ = ("_hash",)

    def __init__(self, body: dict[str, Any]) -> None:
        """Start with what stands before the messages: tools and system prompt."""
        self._hash = hashlib.sha256()
        # A deferred tool is not in the prompt: one may be added between two turns.
        if tools := [tool for tool in body.get("tools") or () if not tool.get("defer_loading")]:
            self._hash.update(_plain(tools))
        if system := body.get("system"):
            for block in blocks(system):
                self.add("", block)

    def add(self, role: str, block: dict[str, Any]) -> None:
        """Take in the next block of the conversation."""
        if block["type"] in ("thinking", "redacted_thinking"):
            return
        if block["type"] != "text":
            self._hash.update(b"\n%b block " % role.encode() + _plain(block))
            return
        text = block["text"]
        self._hash.update(b"\n%b text %d " % (role.encode(), len(text)) + text.encode("utf-8", "replace"))

    def digest(self) -> bytes:
        """The digest of all so far."""
        return self._hash.digest()


def prefixes(body: dict[str, Any]) -> dict[tuple[int, int], bytes]:
    """The digest before each thinking block: {(index of the message in the request, index of the block): digest}."""
    prefix = Prefix(body)
    found = {}
    for i, message in enumerate(body["messages"]):
        for j, block in enumerate(blocks(message["content"])):
            if block["type"] == "thinking":
                found[i, j] = prefix.digest()
            prefix.add(message["role"], block)
    return found


def conversation(body: dict[str, Any]) -> bytes:
    """The digest of a request's whole conversation: the seed of ids, and what a new thinking block is bound to."""
    prefix = Prefix(body)
    for message in body["messages"]:
        for block in blocks(message["content"]):
            prefix.add(message["role"], block)
    return prefix.digest()


def sign(thinking: str, prefix: bytes) -> str:
    """The signature of a thinking block with this text, written after the conversation with this digest."""
    bound = _VERSION + prefix[:_PREFIX_BYTES]
    return base64.b64encode(bound + _mac(thinking, bound)).decode()


def verify(signature: str, thinking: str, prefix: bytes | None = None) -> Verdict:
    """Judge a signature that came back.

    Returns "invalid" when the stand-in did not issue it for this text, "other_conversation" when it did, but after
    another conversation than the one with the digest `prefix` (not looked at when None), else "valid".
    """
    try:
        data = base64.b64decode(signature, validate=True)
    except ValueError:
        return "invalid"
    bound, mac = data[: 1 + _PREFIX_BYTES], data[1 + _PREFIX_BYTES :]
    if not hmac.compare_digest(mac, _mac(thinking, bound)):
        return "invalid"
    if prefix is not None and bound[1:] != prefix[:_PREFIX_BYTES]:
        return "other_conversation"
    return "valid"


def _mac(thinking: str, bound: bytes) -> bytes:
    return hmac.digest(_KEY, bound + thinking.encode("utf-8", "replace"), "sha256")


_dumps = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _plain(value: object) -> bytes:
    """JSON of a value with sorted keys, without cache_control."""
    text = _dumps(value)
    if '"cache_control"' in text:
        text = _dumps(without_cache_control(value))
    return text.encode()


def without_cache_control(value: Any) -> Any:
    """The same JSON without the marks for the prompt cache, wherever they stand."""
    if isinstance(value, dict):
        return {key: without_cache_control(item) for key, item in value.items() if key != "cache_control"}
    if isinstance(value, list):
        return [without_cache_control(item) for item in value]
    return value
