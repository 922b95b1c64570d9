"""The stand-in's core: one pure function from a request to an answer. No sockets, no threads, nothing kept between requests."""

import json
import sys
import time
import traceback
import zlib
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, unquote

from course import models
from course.standin import ids, sse, tokens
from course.standin.replies import reply
from course.standin.rules import Refusal, Request, check, check_http, parse_body

MAX_BODY = 32 * 1024 * 1024  # bytes; https://platform.claude.com/docs/en/api/errors#request-size-limits
THREADS_BETA = "message-threads-"

# Tokens and requests a minute, as the rate-limit headers report them. Nothing is counted: every request finds them full.
LIMITS = {"requests": 4_000, "input-tokens": 2_000_000, "output-tokens": 400_000, "tokens": 2_400_000}

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(slots=True)
class Pause:
    """Among the chunks of a response: the app waits so many seconds before it sends what follows."""

    seconds: float


@dataclass(slots=True)
class Reset:
    """Among the chunks of a response: the app drops the connection."""


Chunk = bytes | Pause | Reset


@dataclass(slots=True)
class Response:
    """An answer: `chunks` is the body, one chunk for JSON, one chunk an event for SSE. Header names are lower-case.

    `rule` is the id of the rule that refused the request, if one did.
    """

    status: int
    headers: dict[str, str]
    chunks: Iterable[Chunk] | AsyncIterable[Chunk]
    rule: str | None = None


Answer = Callable[[str, str, Mapping[str, str], bytes], Response | Awaitable[Response]]


def handle(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
    """Answer one request as the API would.

    Args:
        method: "POST".
        path: with its query, as in "/v1/messages?beta=true".
        headers: with lower-case names.
        body: as it came, still compressed if `content-encoding` says so.

    Never raises: a mistake in the stand-in itself is a 500 with a traceback on stderr.
    """
    try:
        return _route(method, path, headers, body)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        return refuse(Refusal("api_error", 500, "api_error", "Internal server error"), _seed(path, body))


def refuse(refusal: Refusal, seed: bytes) -> Response:
    """The error answer for a refusal, in the API's envelope."""
    request_id = ids.new_id("req", seed)
    error: dict[str, Any] = {"type": refusal.type, "message": refusal.message}
    if refusal.details:
        error["details"] = refusal.details
    response = _json({"type": "error", "error": error, "request_id": request_id}, request_id, refusal.status)
    response.headers["x-should-retry"] = "true" if refusal.status in (408, 409, 429) or refusal.status >= 500 else "false"
    response.rule = refusal.rule
    return response


def _route(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
    place, _, query = path.partition("?")
    seed = _seed(path, body)
    if place == "/v1/messages":
        allowed = "POST"
    elif place == "/v1/messages/count_tokens":
        allowed = "POST"
    elif place == "/v1/models" or (place.startswith("/v1/models/") and len(place) > len("/v1/models/")):
        allowed = "GET"
    else:
        return refuse(Refusal("unknown_path", 404, "not_found_error", "Not Found"), seed)
    if method != allowed and not (method == "HEAD" and allowed == "GET"):
        response = refuse(Refusal("wrong_method", 405, "invalid_request_error", "Method Not Allowed"), seed)
        response.headers["allow"] = allowed
        return response
    refusal = check_http(method, path, dict(headers), body)
    if refusal:
        return refuse(refusal, seed)
    if allowed == "GET":
        return _models(place, query, seed)
    return _messages(path, headers, body, seed)


def _messages(path: str, headers: Mapping[str, str], raw: bytes, seed: bytes) -> Response:
    """/v1/messages and /v1/messages/count_tokens."""
    unpacked = _unpack(raw, headers.get("content-encoding", ""))
    body = parse_body(unpacked) if isinstance(unpacked, bytes) else unpacked
    if isinstance(body, Refusal):
        return refuse(body, seed)
    if "thread" in body and THREADS_BETA in headers.get("anthropic-beta", ""):
        return refuse(_no_threads(), seed)
    request = Request(body, headers, path)
    refusal = check(request)
    if refusal:
        return refuse(refusal, seed)
    request_id = ids.new_id("req", seed)
    if request.count_tokens:
        return _json({"input_tokens": tokens.request(body)}, request_id)
    message, cut_input = make_message(body)
    if body.get("stream"):
        return Response(200, _headers("text/event-stream; charset=utf-8", request_id), sse.events(message, cut_input))
    return _json(message, request_id)


def make_message(body: dict[str, Any]) -> tuple[dict[str, Any], str | None]:
    """The message that answers a valid request, and the JSON text of its last tool input if that was cut short."""
    model = models.find(body["model"])
    seed = ids.conversation(body)
    spoken = reply(body)
    blocks = _with_thinking(spoken.content, spoken.stop_reason, body, model)
    content, stop_reason, stop_sequence, cut_input, written = _cut(blocks, spoken.stop_reason, body)
    thinking_tokens = 0
    calls = 0
    for block in content:
        if block["type"] == "tool_use":
            block["id"] = ids.new_id("toolu", seed, calls)
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
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": stop_sequence,
        "stop_details": None,
        "usage": {
            "input_tokens": tokens.request(body),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": written,
            "output_tokens_details": {"thinking_tokens": thinking_tokens},
            "server_tool_use": None,
            "service_tier": "standard",
            "inference_geo": "global",
        },
    }
    return message, cut_input


THOUGHT = "The user wants something that one of the tools can do. I will call it and look at the result."


def _with_thinking(
    blocks: list[dict[str, Any]], stop_reason: str, body: dict[str, Any], model: models.Model | None
) -> list[dict[str, Any]]:
    """The blocks with thinking first where this model thinks, and without where it does not."""
    asked = (body.get("thinking") or {}).get("type")
    if asked in ("adaptive", "enabled"):
        thinks = True
    elif asked is None:
        thinks = bool(model and model.thinks) and stop_reason == "tool_use"
    else:
        thinks = False
    said = [block for block in blocks if block["type"] != "thinking"]
    if not thinks:
        return said
    thoughts = [block for block in blocks if block["type"] == "thinking"]
    return (thoughts or [{"type": "thinking", "thinking": THOUGHT}]) + said


def _shows_thinking(body: dict[str, Any], model: models.Model | None) -> bool:
    display = (body.get("thinking") or {}).get("display") or (model.display if model else "omitted")
    return display == "summarized"


def _cut(
    blocks: list[dict[str, Any]], stop_reason: str, body: dict[str, Any]
) -> tuple[list[dict[str, Any]], str, str | None, str | None, int]:
    """End the reply where `max_tokens` or a stop sequence ends it.

    Returns (content, stop_reason, stop_sequence, JSON text of a cut input, output tokens).
    """
    stops = body.get("stop_sequences") or ()
    limit = body["max_tokens"]
    written = 0
    content: list[dict[str, Any]] = []
    for block in blocks:
        block = dict(block)
        kind = block["type"]
        if kind == "tool_use":
            block = {"type": "tool_use", "id": "", "name": block["name"], "input": block["input"]}
            cost = tokens.block(block)
            if written + cost > limit:
                block["input"], cut_input = _cut_input(block["input"], limit - written)
                if limit > written:
                    content.append(block)
                return content, "max_tokens", None, cut_input, limit
        else:
            key = "thinking" if kind == "thinking" else "text"
            hit = None
            if kind == "text":
                found = [(block["text"].find(stop), stop) for stop in stops if stop and stop in block["text"]]
                if found:
                    end, hit = min(found, key=lambda pair: pair[0])
                    block["text"] = block["text"][:end]
            cost = tokens.text(block[key])
            if written + cost > limit:
                block[key] = _first_tokens(block[key], limit - written)
                if block[key]:
                    content.append(block)
                return content, "max_tokens", None, None, limit
            if hit is not None:
                if block["text"]:
                    content.append(block)
                return content, "stop_sequence", hit, None, written + cost
        written += cost
        content.append(block)
    return content, stop_reason, None, None, written


def _first_tokens(text: str, count: int) -> str:
    """As much of the text as so many tokens hold, whole characters."""
    return text.encode("utf-8", "replace")[: count * tokens.BYTES_PER_TOKEN].decode("utf-8", "ignore")


def _cut_input(value: dict[str, Any], room: int) -> tuple[dict[str, Any], str]:
    """The arguments that fit whole into so many tokens, and the JSON text written until then, broken off in the next one."""
    kept: dict[str, Any] = {}
    text = "{"
    for key, item in value.items():
        more = f"{'' if text == '{' else ', '}{_dumps(key)}: {json.dumps(item, ensure_ascii=False)}"
        if tokens.text(text + more) > room:
            text += ("" if text == "{" else ", ") + '"' + key[: len(key) // 2]
            break
        text += more
        kept[key] = item
    return kept, text


def _no_threads() -> Refusal:
    return Refusal(
        "thread_unsupported_request",
        400,
        "invalid_request_error",
        "This request cannot use `thread`. Send the full conversation without `thread`.",
        {"error_code": "thread_unsupported_request"},
    )


def _unpack(body: bytes, encoding: str) -> bytes | Refusal:
    """The body without its compression."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip"):
        return Refusal("content_encoding", 400, "invalid_request_error", f"Unsupported content encoding: {encoding}")
    unzip = zlib.decompressobj(wbits=31)
    try:
        unpacked = unzip.decompress(body, MAX_BODY + 1)
    except zlib.error:
        return Refusal("content_encoding", 400, "invalid_request_error", "The request body is not valid gzip data")
    if len(unpacked) > MAX_BODY:
        return too_large()
    if not unzip.eof:
        return Refusal("content_encoding", 400, "invalid_request_error", "The request body is not valid gzip data")
    return unpacked


def too_large() -> Refusal:
    """The refusal of a body over 32 MB."""
    return Refusal("request_too_large", 413, "request_too_large", "Request exceeds the maximum size")


def _models(place: str, query: str, seed: bytes) -> Response:
    """/v1/models, with `limit`, `after_id` and `before_id`, and /v1/models/{id}."""
    request_id = ids.new_id("req", seed)
    name = unquote(place[len("/v1/models/") :])
    if name:
        model = models.find(name)
        if model is None:
            return refuse(Refusal("model_not_found", 404, "not_found_error", f"model: {name}"), seed)
        return _json(_model_info(model), request_id)
    asked = {key: values[-1] for key, values in parse_qs(query).items()}
    limit = asked.get("limit", "20")
    if not limit.isascii() or not limit.isdigit() or not 1 <= int(limit[:9]) <= 1000:
        message = "limit: Input should be a valid integer between 1 and 1000"
        return refuse(Refusal("limit_range", 400, "invalid_request_error", message), seed)
    rows = list(models.all_models())
    names = [row.id for row in rows]
    for key in ("after_id", "before_id"):
        if key in asked and asked[key] not in names:
            return refuse(Refusal("cursor", 400, "invalid_request_error", f"{key}: {asked[key]} not found"), seed)
    if "before_id" in asked:
        before = rows[: names.index(asked["before_id"])]
        page = before[-int(limit) :]
        more = len(before) > len(page)
    else:
        after = rows[names.index(asked["after_id"]) + 1 :] if "after_id" in asked else rows
        page = after[: int(limit)]
        more = len(after) > len(page)
    data = [_model_info(row) for row in page]
    first, last = (data[0]["id"], data[-1]["id"]) if data else (None, None)
    return _json({"data": data, "has_more": more, "first_id": first, "last_id": last}, request_id)


def _model_info(model: models.Model) -> dict[str, Any]:
    def yes(supported: bool) -> dict[str, bool]:
        return {"supported": supported}

    def moment(day: Any) -> str | None:
        return f"{day}T00:00:00Z" if day else None

    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name,
        "created_at": moment(model.released),
        "line": model.line,
        "lifecycle": "deprecated" if model.deprecated else "active",
        "deprecated_at": moment(model.deprecated),
        "retires_at": moment(model.retires),
        "max_input_tokens": model.window,
        "max_tokens": model.max_output,
        "capabilities": {
            "batch": yes(True),
            "citations": yes(True),
            "code_execution": yes(True),
            "context_management": yes(True),
            "effort": yes(bool(model.effort))
            | {level: yes(level in model.effort) for level in ("low", "medium", "high", "xhigh", "max")},
            "image_input": yes(True),
            "pdf_input": yes(True),
            "server_tools": yes(False) | {"code_execution": yes(False), "web_search": yes(False)},
            "structured_outputs": yes(True),
            "thinking": yes(bool(model.thinking))
            | {"types": {kind: yes(kind in model.thinking) for kind in ("adaptive", "between_tools", "disabled", "enabled")}},
        },
    }


def _seed(path: str, body: bytes) -> bytes:
    return path.encode("utf-8", "replace") + b"\n" + body


def _json(value: dict[str, Any], request_id: str, status: int = 200) -> Response:
    return Response(status, _headers("application/json", request_id), (_dumps(value).encode("utf-8", "replace"),))


def _headers(content_type: str, request_id: str) -> dict[str, str]:
    reset = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    headers = {"content-type": content_type, "request-id": request_id, "anthropic-organization-id": ORGANIZATION}
    for kind, limit in LIMITS.items():
        headers[f"anthropic-ratelimit-{kind}-limit"] = str(limit)
        headers[f"anthropic-ratelimit-{kind}-remaining"] = str(limit)
        headers[f"anthropic-ratelimit-{kind}-reset"] = reset
    return headers


ORGANIZATION = "00000000-0000-4000-8000-000000000000"
