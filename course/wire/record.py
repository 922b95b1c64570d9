"""One exchange as a record: what was asked, what came back, what it took.

The view, the trace and `course replay` share it.

A record is JSON:

    path      "/v1/messages" or "/v1/messages/count_tokens", without query
    request   the body that was sent (any JSON; text if it was none)
    status    HTTP status; null when the connection broke before there was one
    reply     the message that came back, a streamed one joined; null when none came
    error     {"type", "message"} of an error answer, or of an error event inside a stream; else null
    text      an answer that is no JSON (a proxy's HTML page); else null
    streamed  true for server-sent events
    complete  false when the answer ended too early
    retry_after  seconds that a refused client is to wait, or null
    seconds   from the request's arrival until the answer was over
    tokens    {"input", "output", "cache_read", "cache_write"}, and "cache_write_1h" if some of the last are kept for an
              hour; null when the answer does not say
    cost_usd  at the list price of the request's model (course/models.toml); null when the model is not in the table
"""

import json
import math
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..models import cache_write, find

Record = dict[str, Any]

HIDDEN = "[key]"
# The form of the API's own keys and tokens, wherever one turns up.
_KEY = re.compile(r"sk-ant-[A-Za-z0-9_-]{8,}")
# What variables that hold a secret are called, the SDK's and others.
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD")


def hidden(text: str) -> str:
    """The text without anything that has the form of a key."""
    return _KEY.sub(HIDDEN, text)


def is_about_messages(path: str) -> bool:
    """Whether an exchange is one that people want to see; all others (sign-in, files) may hold secrets."""
    return path.partition("?")[0].rstrip("/") in ("/v1/messages", "/v1/messages/count_tokens")


def make(exchange: Any) -> Record:
    """The record of an Exchange (course.standin.app). Credentials are taken out of everything that it holds."""
    secrets = credentials(exchange.headers)
    body = _json_or_text(exchange.body)
    answer = b"".join(exchange.chunks)
    streamed = str(exchange.response_headers.get("content-type", "")).startswith("text/event-stream")
    reply, error, text, complete = _read_stream(answer) if streamed else _read_body(answer, exchange)
    tokens = _tokens(reply)
    record = {
        "path": exchange.path.partition("?")[0],
        "request": body,
        "status": exchange.status or None,
        "reply": reply,
        "error": error,
        "text": text,
        "streamed": streamed,
        "complete": complete,
        "retry_after": _number(exchange.response_headers.get("retry-after")),
        "seconds": round(exchange.ended - exchange.started, 6),
        "tokens": tokens,
        "cost_usd": cost(body.get("model") if isinstance(body, dict) else None, tokens),
    }
    cleaned: Record = redact(record, secrets)
    return cleaned


def credentials(headers: Mapping[str, str]) -> list[str]:
    """Every credential that a text of this exchange must not show: from its headers and from this environment."""
    found = [headers.get("x-api-key", ""), headers.get("authorization", "").removeprefix("Bearer ")]
    found += [value for name, value in os.environ.items() if name.upper().endswith(_SECRET)]
    # Shorter ones are placeholders such as "test", which would blot out innocent words.
    return sorted({value.strip() for value in found if len(value.strip()) >= 12}, key=len, reverse=True)


def redact_pieces(pieces: list[str], secrets: Iterable[str]) -> list[str]:
    """The pieces of a text that was sent bit by bit, without the credentials that show when they are joined."""
    pattern = re.compile("|".join([*map(re.escape, secrets), _KEY.pattern]))
    found = [match.span() for match in pattern.finditer("".join(pieces))]
    if not found:
        return pieces
    cleaned = []
    at = 0
    for piece in pieces:
        kept = ""
        for place, character in enumerate(piece, at):
            begins = any(place == first for first, _end in found)
            inside = any(first <= place < end for first, end in found)
            kept += HIDDEN if begins else "" if inside else character
        cleaned.append(kept)
        at += len(piece)
    return cleaned


def redact(value: Any, secrets: Iterable[str]) -> Any:
    """`value` (JSON) with every credential in its strings and keys replaced by HIDDEN."""
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, HIDDEN)
        return _KEY.sub(HIDDEN, value)
    if isinstance(value, list):
        return [redact(item, secrets) for item in value]
    if isinstance(value, dict):
        return {redact(key, secrets): redact(item, secrets) for key, item in value.items()}
    return value


def cost(model: object, tokens: dict[str, int] | None) -> float | None:
    """US dollars, from the price table of models.toml; None for a model that it does not have, or without tokens."""
    row = find(model)
    if row is None or tokens is None:
        return None
    into, out = row.price
    hour = tokens.get("cache_write_1h", 0)
    written = hour * cache_write()["1h"] + (tokens["cache_write"] - hour) * cache_write()["5m"]
    full = (tokens["input"] + written) * into + tokens["cache_read"] * row.cache_read + tokens["output"] * out
    prompt = tokens["input"] + tokens["cache_read"] + tokens["cache_write"]
    longer, factor = row.long_prompt or (prompt, 1)
    return round(full * (factor if prompt > longer else 1) / 1_000_000, 9)


def _tokens(reply: dict[str, Any] | None) -> dict[str, int] | None:
    usage = reply.get("usage") if reply else None
    if not isinstance(usage, dict):
        return None
    names = {
        "input": "input_tokens",
        "output": "output_tokens",
        "cache_read": "cache_read_input_tokens",
        "cache_write": "cache_creation_input_tokens",
    }
    # Some endpoints count wrongly, or not in numbers.
    tokens = {
        short: value if type(value := usage.get(long)) is int and 0 <= value < 10**12 else 0
        for short, long in names.items()
    }
    split = usage.get("cache_creation")
    hour = split.get("ephemeral_1h_input_tokens") if isinstance(split, dict) else None
    if type(hour) is int and 0 < hour <= tokens["cache_write"]:
        tokens["cache_write_1h"] = hour
    return tokens


def _number(text: str | None) -> float | None:
    try:
        number = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _json_or_text(data: bytes) -> Any:
    text = data.decode("utf-8", errors="replace")
    try:
        return json.loads(text, parse_constant=str)  # NaN, which Python's json takes and no other
    except (ValueError, RecursionError):
        return text


Answer = tuple[dict[str, Any] | None, dict[str, Any] | None, str | None, bool]


def _read_body(data: bytes, exchange: Any) -> Answer:
    """(reply, error, text, complete) of an answer in one piece."""
    length = _number(exchange.response_headers.get("content-length")) or 0
    body = _json_or_text(data)
    # Without a length, JSON that breaks off is the only sign.
    is_json = str(exchange.response_headers.get("content-type", "")).startswith("application/json")
    complete = bool(exchange.status) and len(data) >= length and not (is_json and isinstance(body, str))
    if isinstance(body, dict) and (error := _error(body)):
        return None, error, None, complete
    if _is_reply(body):
        return body, None, None, complete
    return None, None, data.decode("utf-8", errors="replace") or None, complete


def _is_reply(body: Any) -> bool:
    """A message, or the answer to count_tokens: what has content has it as a list of blocks."""
    content = body.get("content", []) if isinstance(body, dict) else None
    return isinstance(content, list) and all(isinstance(block, dict) for block in content)


def _error(body: dict[str, Any]) -> dict[str, str] | None:
    error = body.get("error")
    if not isinstance(error, dict):
        return None
    return {"type": str(error.get("type")), "message": str(error.get("message"))}


def _read_stream(data: bytes) -> Answer:
    """(reply, error, text, complete) of server-sent events, put together as the SDK puts them together."""
    reply: dict[str, Any] | None = None
    error = None
    complete = False
    partial: dict[int, str] = {}  # the input of each call, as JSON text that grows
    for event in events_in(data):
        kind = event.get("type")
        part = next((event[name] for name in ("message", "content_block", "delta") if name in event), None)
        if kind == "error":
            error = _error(event) or error
        elif kind == "message_stop":
            complete = True
        elif not isinstance(part, dict):
            continue
        elif kind == "message_start":
            reply = {**part, "content": []}
        elif reply is None:
            continue
        elif kind == "content_block_start":
            reply["content"].append(dict(part))
        elif kind == "content_block_delta" and reply["content"]:
            _add_delta(reply["content"], part, partial)
        elif kind == "message_delta":
            usage = event.get("usage")
            reply = {**reply, **part, "content": reply["content"]}
            if isinstance(usage, dict) and isinstance(reply.get("usage"), dict):
                reply["usage"] = {**reply["usage"], **usage}
    for place, text in partial.items():
        block = (reply or {})["content"][place]
        try:
            block["input"] = json.loads(text, parse_constant=str)
        except (ValueError, RecursionError):
            block["partial_json"] = text
    return reply, error, None if reply or error else data.decode("utf-8", errors="replace") or None, complete


def _add_delta(content: list[dict[str, Any]], delta: dict[str, Any], partial: dict[int, str]) -> None:
    block, place = content[-1], len(content) - 1
    if piece := delta.get("partial_json"):
        partial[place] = partial.get(place, "") + str(piece)
    for name in ("text", "thinking", "signature"):
        if name in delta:
            block[name] = str(block.get(name, "")) + str(delta[name])


def events_in(data: bytes) -> list[dict[str, Any]]:
    """The server-sent events whose data is a JSON object; others, and one that was cut, are left out."""
    events = []
    # Not splitlines(): it would also split at U+2028 and its like, which may stand inside the JSON.
    for line in data.split(b"\n"):
        if line.startswith(b"data:"):
            event = _json_or_text(line[5:])
            if isinstance(event, dict):
                events.append(event)
    return events
