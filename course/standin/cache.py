"""A prompt cache that remembers, so that `usage` tells what a conversation costs with its marks where they are.

    create_app(Cache(handle))

`Cache` stands between the server and whatever answers, faults included, and only it remembers: the core has no cache
and reports every token as input. What it does is what the documentation says, none of it tried against the API:

- Tools, system prompt and messages, in this order, are one prompt. Up to each block with `cache_control` it is written,
  unless it is shorter than the model's minimum (course/models.toml). A `cache_control` of the request's own marks the
  last block.
- What is written is read by a request that begins the same, up to that block. It is looked for at each mark and at the
  blocks before it, 20 places in all; calls side by side are one place, and so are results.
- It is kept for five minutes, or for an hour with `ttl: "1h"`, from the last request that wrote or read it.
- What changes between two requests is written anew from there on. Another order of tools or of the keys in a schema is
  a change; another `tool_choice` or `thinking` is one to the messages.

Source: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .. import models
from . import tokens
from .core import Chunk, Response, handle, unpack
from .ids import without_cache_control
from .jsontext import dumps
from .talk import blocks

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]

LOOK_BACK = 20  # places
LIVES = {"5m": 300.0, "1h": 3_600.0}  # seconds
RUNS = ("tool_use", "tool_result")  # neighbours of one of these types are one place
NOT_MARKED = ("thinking", "redacted_thinking")


@dataclass(slots=True)
class Block:
    """A block of a prompt: what stands up to its end, and whether it is marked.

    prefix  the digest of all up to here
    tokens  all up to here
    place   its number, for looking back
    ttl     "5m" or "1h" if it is marked, else ""
    """

    prefix: bytes
    tokens: int
    place: int
    ttl: str


@dataclass(slots=True)
class Entry:
    """What is kept of a prefix: until when (seconds of the clock), and for how long from each use."""

    until: float
    life: float


class Cache:
    """An answer for `create_app`: another one's, which must not be async, with the cache's part in its `usage`.

    Args:
        clock: seconds, for the five minutes and the hour.
    """

    def __init__(self, answer: Answer = handle, clock: Callable[[], float] = time.monotonic) -> None:
        self._answer = answer
        self._clock = clock
        self._kept: dict[bytes, Entry] = {}
        self._lock = threading.Lock()

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        began = self._clock()
        response = self._answer(method, path, headers, body)
        kind = response.headers.get("content-type", "")
        answered = response.status == 200 and kind.startswith(("application/json", "text/event-stream"))
        if not answered or path.partition("?")[0] != "/v1/messages" or method != "POST":
            return response
        plain = unpack(body, headers.get("content-encoding", ""))
        if isinstance(plain, bytes) and b'"cache_control"' in plain:
            asked = json.loads(plain)
            read, written = self.use(asked, began)
            # Counted here: what answers may have had a paused reply taken out of the request.
            usage = _usage(tokens.request(asked), read, written)
            response.chunks = [_told(chunk, usage) for chunk in response.chunks]  # type: ignore[union-attr]
        return response

    def use(self, body: dict[str, Any], now: float) -> tuple[int, dict[str, int]]:
        """The tokens that a valid request reads, and those that it writes by how long they are kept; now they are."""
        model = models.find(body["model"])
        prompt = list(_prompt(body, model.id if model else body["model"]))
        minimum = model.cache_minimum if model else 0
        places = [n for n, block in enumerate(prompt) if block.ttl and block.tokens >= minimum]
        marked = [prompt[n] for n in places]
        with self._lock:
            self._kept = {prefix: entry for prefix, entry in self._kept.items() if entry.until > now}
            found = next((hit for n in reversed(places) if (hit := self._before(prompt[: n + 1]))), None)
            if found:
                entry = self._kept[found.prefix]
                entry.until = now + entry.life
            for mark in marked:
                old = self._kept.get(mark.prefix)
                life = max(LIVES[mark.ttl], old.life if old else 0)
                self._kept[mark.prefix] = Entry(now + life, life)
        read = found.tokens if found else 0
        # The hour's marks come first, or the request is refused: so the hour is paid up to the last of them.
        hour = max([read, *[mark.tokens for mark in marked if mark.ttl == "1h"]])
        last = max([hour, *[mark.tokens for mark in marked]])
        return read, {"5m": last - hour, "1h": hour - read}

    def _before(self, prompt: list[Block]) -> Block | None:
        """The longest prefix that is kept and that a mark on the last of these blocks finds when it looks back."""
        seen = [block for block in prompt if block.place > prompt[-1].place - LOOK_BACK]
        return next((block for block in reversed(seen) if block.prefix in self._kept), None)


def _prompt(body: dict[str, Any], model: str) -> Iterator[Block]:
    """The blocks of a request's prompt, in the order in which the API reads them. Each model has a cache of its own."""
    digest = hashlib.sha256(model.encode())
    whole = body.get("cache_control")
    parts = list(_parts(body))
    last = max((n for n, part in enumerate(parts) if part[1].get("type") not in NOT_MARKED), default=-1)
    total = place = 0
    before = ""
    for n, (where, block, count) in enumerate(parts):
        digest.update(f"\n{where} ".encode() + _bytes(block))
        total += count
        kind = block.get("type", "")
        place += not (kind == before and kind in RUNS)
        before = kind
        control = block.get("cache_control") or (whole if n == last else None)
        yield Block(digest.digest(), total, place, (control.get("ttl") or "5m") if control else "")


def _parts(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], int]]:
    """(where it stands, block, tokens that it adds) for each block of the prompt; a tool is one, too."""
    # The core counts the tools as one JSON text: the first one's brackets, and a comma with each.
    size = 2
    counted = 0
    for tool in body.get("tools") or ():
        if tool.get("defer_loading"):  # not in the prompt
            continue
        size += len(dumps(tool)) + (1 if counted else 0)
        total = tokens.TOOL_PROMPT - (-size // tokens.BYTES_PER_TOKEN)
        yield "tool", tool, total - counted
        counted = total
    for block in blocks(body.get("system") or []):
        yield "system", block, tokens.block(block)
    settings = json.dumps([body.get("tool_choice"), body.get("thinking")])
    for message in body["messages"]:
        for n, block in enumerate(blocks(message["content"])):
            yield f"{message['role']} {settings}", block, tokens.block(block) + (0 if n else tokens.MESSAGE)


def _bytes(block: dict[str, Any]) -> bytes:
    """What of a block is in the prompt: a text block is its text, however its keys are arranged."""
    if block.get("type") == "text":
        return b"text " + block["text"].encode("utf-8", "replace")
    text: bytes = dumps(block)
    return dumps(without_cache_control(block)) if b'"cache_control"' in text else text


def _usage(asked: int, read: int, written: dict[str, int]) -> dict[str, Any]:
    """The part of a reply's usage that is about the request."""
    return {
        "input_tokens": asked - read - sum(written.values()),
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": sum(written.values()),
        "cache_creation": {f"ephemeral_{ttl}_input_tokens": count for ttl, count in written.items()},
    }


def _told(chunk: Chunk, told: dict[str, Any]) -> Chunk:
    """The chunk with this usage in it, where it holds the whole body, or whole events of a stream."""
    if not isinstance(chunk, bytes) or b'"usage"' not in chunk:
        return chunk
    parts = []
    for part in chunk.split(b"\n\n"):
        head, mark, data = part.rpartition(b"\ndata: ")
        try:
            value = json.loads(data)
        except ValueError:  # cut by a fault, or what is behind the last event
            parts.append(part)
            continue
        usage = value.get("message", value).get("usage")
        if isinstance(usage, dict):
            usage |= {name: value for name, value in told.items() if name in usage}  # a stream's end has not all of it
        parts.append(head + mark + dumps(value))
    return b"\n\n".join(parts)
