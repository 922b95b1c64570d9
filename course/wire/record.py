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
    tokens    {"input", "output", "cache_read", "cache_write"}; null when the answer does not say
    cost_usd  at the list price of the request's model (course/models.toml); null when the model is not in the table
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..models import find

Record = dict[str, Any]

HIDDEN = "[key]"
# The form of the API's own keys and tokens, wherever one turns up.
_KEY = re.compile(r"sk-ant-[A-Za-z0-9_-]{8,}")
# Cached input costs these parts of the input price, read and written for five minutes (platform.claude.com/docs).
_CACHE_READ, _CACHE_WRITE = 0.1, 1.25


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
    found += [os.environ.get(name, "") for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")]
    # Shorter ones are placeholders such as "test", which would blot out innocent words.
    return sorted({value.strip() for value in found if len(value.strip()) >= 12}, key=len, reverse=True)


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
    full = tokens["input"] + tokens["cache_read"] * _CACHE_READ + tokens["cache_write"] * _CACHE_WRITE
    return round((full * into + tokens["output"] * out) / 1_000_000, 9)


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
    return {short: int(usage.get(long) or 0) for short, long in names.items()}


def _number(text: str | None) -> float | None:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def _json_or_text(data: bytes) -> Any:
    text = data.decode("utf-8", errors="replace")
    try:
        return json.loads(text)
    except ValueError:
        return text


Answer = tuple[dict[str, Any] | None, dict[str, Any] | None, str | None, bool]


def _read_body(data: bytes, exchange: Any) -> Answer:
    """(reply, error, text, complete) of an answer in one piece."""
    length = exchange.response_headers.get("content-length")
    complete = bool(exchange.status) and (length is None or len(data) >= int(length))
    body = _json_or_text(data)
    if not isinstance(body, dict):
        return None, None, data.decode("utf-8", errors="replace") or None, complete
    error = body.get("error")
    if isinstance(error, dict):
        return None, {"type": str(error.get("type")), "message": str(error.get("message"))}, None, complete
    return body, None, None, complete


def _read_stream(data: bytes) -> Answer:
    """(reply, error, text, complete) of server-sent events, put together as the SDK puts them together."""
    reply: dict[str, Any] | None = None
    error = None
    complete = False
    partial: dict[int, str] = {}
    for event in _events(data):
        kind = event.get("type")
        if kind == "message_start":
            reply = dict(event["message"])
            reply["content"] = list(reply.get("content") or [])
        elif kind == "error":
            error = {"type": str(event["error"].get("type")), "message": str(event["error"].get("message"))}
        elif kind == "message_stop":
            complete = True
        elif reply is None:
            continue
        elif kind == "content_block_start":
            reply["content"].append(dict(event["content_block"]))
        elif kind == "content_block_delta":
            _add_delta(reply["content"][-1], event["delta"], partial, len(reply["content"]) - 1)
        elif kind == "message_delta":
            reply.update(event["delta"])
            reply["usage"] = {**(reply.get("usage") or {}), **(event.get("usage") or {})}
    for place, text in partial.items():
        if text:
            try:
                reply["content"][place]["input"] = json.loads(text)  # type: ignore[index]
            except ValueError:
                reply["content"][place]["partial_json"] = text  # type: ignore[index]
    return reply, error, None, complete


def _add_delta(block: dict[str, Any], delta: dict[str, Any], partial: dict[int, str], place: int) -> None:
    if delta.get("type") == "input_json_delta":
        partial[place] = partial.get(place, "") + delta.get("partial_json", "")
        return
    for name in ("text", "thinking", "signature"):
        if name in delta:
            block[name] = block.get(name, "") + delta[name]


def _events(data: bytes) -> list[dict[str, Any]]:
    events = []
    # Not splitlines(): it would also split at U+2028 and its like, which may stand inside the JSON.
    for line in data.split(b"\n"):
        if line.startswith(b"data:"):
            event = _json_or_text(line[5:])
            if isinstance(event, dict):
                events.append(event)
    return events
