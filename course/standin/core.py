"""The stand-in's core: one pure function from a request to an answer. No sockets, no threads, no memory of requests."""

import sys
import time
import traceback
import zlib
from collections.abc import AsyncIterable, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import unquote

from course.standin import cors, ids, message, model_list, paths, sse, tokens
from course.standin.jsontext import dumps
from course.standin.rules import Refusal, Request, check, check_http, parse_body, thinking
from course.standin.rules.http import MAX_BODY
from course.standin.talk import PLAYED, ApiFails, Play, Reply, Talk, say

THREADS_BETA = "message-threads-"

# A minute's allowance, as the rate-limit headers report it. Nothing is counted: every request finds it whole.
# Names: https://platform.claude.com/docs/en/api/rate-limits#response-headers
LIMITS = {"requests": 4_000, "input-tokens": 2_000_000, "output-tokens": 400_000, "tokens": 2_400_000}
ORGANIZATION = "00000000-0000-4000-8000-000000000000"


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


MISTAKE = (
    "The stand-in made a mistake of its own, and its traceback stands where its output goes. "
    "Your request is valid: nothing in it needs to be changed."
)

Answer = Callable[[str, str, Mapping[str, str], bytes], Response | Awaitable[Response]]


def handle(method: str, path: str, headers: Mapping[str, str], body: bytes, play: Play | None = None) -> Response:
    """Answer one request as the API would.

    Args:
        method: "POST".
        path: with its query, as in "/v1/messages?beta=true".
        headers: with lower-case names. A server adds the request's id as "request-id"; else one follows from the
            request.
        body: as it came, still compressed if `content-encoding` says so.
        play: who answers what the rules let pass; the scenes by default.

    Never raises: a mistake in the stand-in or in `play` is a 500, with the traceback on stderr.
    """
    request_id = headers.get("request-id") or ids.new_id("req", body or path.encode("utf-8", "replace"))
    try:
        answer = _route(method, path, headers, body, play, request_id)
    except Exception:
        traceback.print_exc(file=sys.stderr)
        answer = Refusal("api_error", 500, "api_error", MISTAKE)
    response = refuse(answer, request_id) if isinstance(answer, Refusal) else answer
    cors.open_to(headers, response.headers)
    return response


def refuse(refusal: Refusal, request_id: str) -> Response:
    """The answer for a refusal, in the API's envelope. A header of the stand-in's own names the rule."""
    error: dict[str, Any] = {"type": refusal.type, "message": refusal.message}
    if refusal.details:
        error["details"] = refusal.details
    response = _json({"type": "error", "error": error, "request_id": request_id}, request_id, refusal.status)
    retry = refusal.status in (408, 409, 429) or refusal.status >= 500
    response.headers["x-should-retry"] = "true" if retry else "false"
    response.headers["x-course-rule"] = response.rule = refusal.rule
    return response


def too_large() -> Refusal:
    """The refusal of a body over 32 MB."""
    return Refusal("request_too_large", 413, "request_too_large", "Request exceeds the maximum size")


def _route(
    method: str, path: str, headers: Mapping[str, str], body: bytes, play: Play | None, request_id: str
) -> Response | Refusal:
    place, _, query = path.partition("?")
    if cors.is_preflight(method, headers):
        return Response(200, cors.permission(headers), ())
    if place == "/health" and method in ("GET", "HEAD"):
        return _json({"status": "ok", "name": "stand-in for the Claude API", "plays": paths.PLAYED}, request_id)
    allowed = paths.method_of(place)
    if not allowed:
        return Refusal("unknown_path", 404, "not_found_error", paths.not_played(method, place))
    if method != allowed:
        response = refuse(Refusal("wrong_method", 405, "invalid_request_error", "Method Not Allowed"), request_id)
        response.headers["allow"] = allowed
        return response
    if refusal := check_http(method, path, headers, body):
        return refusal
    if allowed == "POST":
        return _messages(path, headers, body, play, request_id)
    name = unquote(place.removeprefix("/v1/models").removeprefix("/"))
    found = model_list.one(name) if name else model_list.page(query)
    return found if isinstance(found, Refusal) else _json(found, request_id)


def _messages(
    path: str, headers: Mapping[str, str], raw: bytes, play: Play | None, request_id: str
) -> Response | Refusal:
    """/v1/messages and /v1/messages/count_tokens."""
    encoding = headers.get("content-encoding")
    unpacked = unpack(raw, encoding) if encoding else raw
    if isinstance(unpacked, Refusal):
        return unpacked
    body = parse_body(unpacked)
    if isinstance(body, Refusal):
        return body
    if "thread" in body and THREADS_BETA in headers.get("anthropic-beta", ""):
        if body.pop("thread") is not None:  # null is no thread
            return _no_threads()
    request = Request(body, headers, path, len(unpacked))
    if refusal := check(request):
        return refusal
    if request.count_tokens:
        return _json({"input_tokens": tokens.request(body)}, request_id)
    try:
        made, cut_input = message.make(body, play or _scenes)
    except ApiFails as fails:
        return _failed(fails, path, headers, raw)
    if request.has_beta(thinking.BINDING_BETA):
        made["input_transformations"] = thinking.dropped(request)
    if body.get("stream"):
        return Response(200, _headers("text/event-stream; charset=utf-8", request_id), sse.events(made, cut_input))
    return _json(made, request_id)


def _failed(fails: ApiFails, path: str, headers: Mapping[str, str], raw: bytes) -> Response:
    """What comes when a player lets the API fail: no mistake of the client's, so no rule is named."""
    from course.standin.faults import Faults  # which imports this module

    answer = partial(handle, play=lambda talk: fails.reply or say("-"))
    failed = Faults([str(fails)], answer)("POST", path, headers, raw)
    failed.rule = PLAYED
    return failed


def _scenes(talk: Talk) -> Reply:
    """The player where no other is named. Imported late: an exercise and a test bring their own."""
    from course.standin.replies import play

    return play(talk)


def _no_threads() -> Refusal:
    """Conversations kept by the server: the stand-in keeps none. SDKs then send the whole history."""
    return Refusal(
        "thread_unsupported_request",
        400,
        "invalid_request_error",
        "This request cannot use `thread`. Send the full conversation without `thread`.",
        {"error_code": "thread_unsupported_request"},
    )


def unpack(body: bytes, encoding: str) -> bytes | Refusal:
    """The body without its compression, which `content-encoding` names; "" for none."""
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding not in ("gzip", "x-gzip"):
        return Refusal("content_encoding", 400, "invalid_request_error", f"Unsupported content encoding: {encoding}")
    unzip = zlib.decompressobj(wbits=31)
    try:
        unpacked = unzip.decompress(body, MAX_BODY + 1)
    except zlib.error:
        unpacked = b""
    if len(unpacked) > MAX_BODY:
        return too_large()
    if not unzip.eof:
        return Refusal("content_encoding", 400, "invalid_request_error", "The request body is not valid gzip data")
    return unpacked


def _json(value: dict[str, Any], request_id: str, status: int = 200) -> Response:
    return Response(status, _headers("application/json", request_id), (dumps(value),))


def _headers(content_type: str, request_id: str) -> dict[str, str]:
    headers = {"content-type": content_type, "request-id": request_id, "anthropic-organization-id": ORGANIZATION}
    headers.update(_allowance(int(time.time())))
    return headers


_allowances: dict[int, dict[str, str]] = {}


def _allowance(now: int) -> dict[str, str]:
    """The rate-limit headers at a time in seconds since 1970. Made once a second."""
    if now not in _allowances:
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
        made = {}
        for kind, limit in LIMITS.items():
            made[f"anthropic-ratelimit-{kind}-limit"] = str(limit)
            made[f"anthropic-ratelimit-{kind}-remaining"] = str(limit)
            made[f"anthropic-ratelimit-{kind}-reset"] = moment
        _allowances.clear()
        _allowances[now] = made
    return _allowances[now]
