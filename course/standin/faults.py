"""Faults on demand: what goes wrong in real life, when somebody asks for it.

    create_app(Faults(["rate_limit:2", "refusal"]))

`Faults` stands between the server and the stand-in's core. Only it counts; the core answers each request for itself.

A spec is NAME or NAME:N. N says how many requests the fault holds for, counted from the first; without it one, and all
for those in FOR_ALL. `cut@BYTE` says after which byte of the body to cut, `rate_limit@SECONDS` and `overloaded@SECONDS`
what their retry-after says, `window@TOKENS` how much a window holds.
Several specs follow one another: the first two requests above are answered with 429, the third with a refusal, the rest
as usual. `ok:N` lets N requests pass, so `ok refusal` spoils the second. Only messages are counted: token counts and
the like pass untouched, and so does a request that the API's rules refuse. A fault that needs something to take hold
of, such as an argument to spoil, waits for a reply that has it.
"""

import json
import math
import re
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from .. import i18n, models
from . import cors, sse, tokens
from . import fault_replies as spoil
from .core import LIMITS, Chunk, Pause, Reset, Response, handle, refuse
from .rules import Refusal

_ = i18n.translator("faults")

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]

RETRY_AFTER = range(1, 6)  # seconds, in the 429 and the 529: which of them depends on the request
SLOW = 3.0  # seconds before the first byte of a slow reply
TOO_MANY = 1_234  # tokens that a prompt has too many of
WINDOW = 2_000  # tokens that a small window holds
INSIDE = 0.01  # seconds between the first byte of a character and the next, when a stream comes byte by byte

HTML = """<!DOCTYPE html>
<html><head><title>Sign in to the network</title></head>
<body><h1>Please sign in to use this network</h1></body></html>
"""


def descriptions() -> dict[str, str]:
    """Every fault with one line on it in the reader's language, in the order in which to show them."""
    return {
        "ok": _("nothing: lets a request pass, so that the next fault comes later"),
        "rate_limit": _("429, too many requests, with retry-after; rate_limit@SECONDS: that long"),
        "spend_limit": _("429, the month's money is spent: no retry-after, and waiting does not help"),
        "overloaded": _("529, the API is overloaded; overloaded@SECONDS: its retry-after"),
        "api_error": _("500, an error inside the API"),
        "bad_key": _("401, the key is not known"),
        "no_permission": _("403, the key may not use this"),
        "no_credit": _("400, the account has no credit left"),
        "too_long": _("400, the prompt is too long"),
        "slow": _("a reply that takes {seconds} seconds to begin").format(seconds=f"{SLOW:g}"),
        "reset": _("the connection breaks before there is an answer"),
        "html": _("a web page instead of JSON, with status 200, as from a captive network"),
        "cut": _("the reply ends in the middle; a stream ends before message_stop; cut@BYTE: after so many bytes"),
        "cut_character": _("the reply ends inside a character of several bytes (needs a reply that has one)"),
        "byte_by_byte": _("a stream comes byte by byte, so characters are cut too (needs a streamed request)"),
        "stream_error": _("an error event in the middle of a stream (needs a streamed request)"),
        "max_tokens": _("the limit on tokens falls into the middle of a call"),
        "refusal": _("Claude declines"),
        "pause_turn": _("a long turn is paused; sent back as it is, it goes on"),
        "context_window": _("the conversation no longer fits: model_context_window_exceeded"),
        "window": _(
            "a window of {tokens} tokens: what is longer is refused or ends there; window@TOKENS: of so many"
        ).format(tokens=i18n.number(f"{WINDOW:,}")),
        "unknown_stop_reason": _("a stop reason that no program knows yet"),
        "empty": _("end_turn with no content at all"),
        "thinking_first": _("a final answer that begins with a thinking block"),
        "split_text": _("the text comes in several blocks"),
        "unknown_tool": _("a call of a tool that nobody offered"),
        "missing_argument": _("a call without a required argument"),
        "unknown_argument": _("a call with an argument that the schema does not have"),
        "mistyped_argument": _("a call with an argument of the wrong type"),
        "bad_format": _("a call with a date or an e-mail address in the wrong form"),
        "nested_argument": _("a call with a wrong value inside a nested argument"),
        "one_of_several": _("several calls, of which one lacks an argument"),
        "obeyed_order": _("a call as if a tool's result had ordered it (needs a result, and a tool that takes a text)"),
        "calls_without_end": _("one more call whenever the work would be done"),
    }


# Answered instead of the core. These name the catalogue's entries, which hold the API's words.
ERRORS = {
    "rate_limit": "rate_limit",
    "spend_limit": "spend_limit",
    "overloaded": "overloaded",
    "api_error": "api_error",
    "bad_key": "bad_api_key",
    "no_permission": "permission",
    "no_credit": "credit_balance",
    "too_long": "prompt_too_long",
}
WITH_SECONDS = ("rate_limit", "overloaded")  # their retry-after can be set
WITH_NUMBER = ("cut", "window", *WITH_SECONDS)

_SPOILERS: dict[str, spoil.Spoiler] = {
    "max_tokens": spoil.max_tokens,
    "refusal": spoil.refusal,
    "pause_turn": spoil.pause_turn,
    "context_window": spoil.context_window,
    "unknown_stop_reason": spoil.unknown_stop_reason,
    "empty": spoil.empty,
    "split_text": spoil.split_text,
    "unknown_tool": spoil.unknown_tool,
    "missing_argument": spoil.missing_argument,
    "unknown_argument": spoil.unknown_argument,
    "mistyped_argument": spoil.mistyped_argument,
    "bad_format": spoil.bad_format,
    "nested_argument": spoil.nested_argument,
    "one_of_several": spoil.one_of_several,
    "obeyed_order": spoil.obeyed_order,
    "calls_without_end": spoil.endless_calls,
}

NAMES = (
    *("ok", *ERRORS, "slow", "reset", "html", "cut", "cut_character", "byte_by_byte", "stream_error", "thinking_first"),
    *("window", *_SPOILERS),
)
FOR_ALL = ("byte_by_byte", "calls_without_end", "spend_limit", "window")  # requests, unless the spec says for how many


def parse(spec: str) -> tuple[str, float]:
    """("rate_limit:2") -> ("rate_limit", 2), "cut@99" -> ("cut@99", 1). math.inf stands for all requests.

    Raises:
        ValueError: with one sentence for the reader.
    """
    name, colon, count = spec.partition(":")
    if re.fullmatch(rf"(?:{'|'.join(WITH_NUMBER)})@\d{{1,9}}", name, re.ASCII):
        pass
    elif name not in NAMES:
        import difflib  # for those who slip

        near = difflib.get_close_matches(name, NAMES, n=1, cutoff=0.5)
        if near:
            raise ValueError(_("There is no fault {name}; did you mean {near}?").format(name=name, near=near[0]))
        raise ValueError(_("There is no fault {name}. `--fault list` shows them.").format(name=name))
    if not colon:
        return name, math.inf if name.partition("@")[0] in FOR_ALL else 1
    if not (count.isascii() and count.isdigit() and int(count) > 0):
        raise ValueError(_("{spec}: after the colon comes a whole number of requests, from 1.").format(spec=spec))
    return name, int(count)


class Faults:
    """An answer for `create_app` that spoils what another one answers.

    Args:
        specs: "NAME" or "NAME:N", see above.
        answer: what is spoiled; must not be async.
        slow: seconds that `slow` waits.
        retry_after: seconds that `rate_limit` and `overloaded` ask for; None: one of RETRY_AFTER, by the request, so
            that many clients do not all come back at once.

    Raises:
        ValueError: a spec that cannot be read.
    """

    def __init__(
        self, specs: Iterable[str], answer: Answer = handle, *, slow: float = SLOW, retry_after: float | None = None
    ) -> None:
        self._left = [parse(spec) for spec in specs]
        self._answer = answer
        self._slow = slow
        self._retry_after = retry_after
        self._lock = threading.Lock()
        self._met: set[str] = set()
        self._names = [name for name, _count in self._left]

    def unmet(self) -> list[str]:
        """The faults that were asked for and never came, because no reply had what they need."""
        return [name for name in dict.fromkeys(self._names) if name not in self._met and name != "ok"]

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        if method != "POST" or path.partition("?")[0] != "/v1/messages":
            return self._answer(method, path, headers, body)
        with self._lock:
            body = _resumed(body)
            name = self._left[0][0] if self._left else "ok"
            response = self._answer(method, path, headers, body)
            spoiled = self._spoil(name, response, body, lambda other: self._answer(method, path, headers, other))
            if spoiled is None:  # nothing to take hold of: the fault waits
                return response
            cors.open_to(headers, spoiled.headers)
            self._met.add(name)
            if self._left:
                self._left[0] = (name, self._left[0][1] - 1)
                if self._left[0][1] <= 0:
                    del self._left[0]
            return spoiled

    def _spoil(self, name: str, response: Response, body: bytes, ask: Callable[[bytes], Response]) -> Response | None:
        """What to answer instead of `response`; None where this fault does not apply. `ask` asks the core again."""
        kind, _at, number = name.partition("@")
        if kind in ERRORS:
            refused = refuse(_refusal(ERRORS[kind], body), response.headers["request-id"])
            if kind in WITH_SECONDS:
                by_chance = RETRY_AFTER[zlib.crc32(body) % len(RETRY_AFTER)]
                seconds = by_chance if self._retry_after is None else self._retry_after
                refused.headers["retry-after"] = number or f"{seconds:g}"
            return refused
        if name == "reset":
            return Response(0, {}, [Reset()])
        if name == "html":
            return Response(200, {"content-type": "text/html; charset=utf-8"}, (HTML.encode(),))
        if response.status != 200:
            return None
        if kind == "window":
            return _in_window(int(number or WINDOW), response, body, ask)
        if name == "slow":
            return _with_chunks(response, lambda chunks: [Pause(self._slow), *chunks])
        if name == "cut":
            return _with_chunks(response, _halved if _is_stream(response) else _broken)
        if name == "cut_character" or "@" in name:
            return _cut(response, name)
        if name == "byte_by_byte":
            return _with_chunks(response, _bytes) if _is_stream(response) else None
        if name == "stream_error":
            return _with_chunks(response, _with_error) if _is_stream(response) else None
        if name == "thinking_first" or name in _SPOILERS:
            return _reworded(name, response, json.loads(body), ask)
        return response


def _reworded(name: str, response: Response, body: dict[str, Any], ask: Callable[[bytes], Response]) -> Response | None:
    """The reply with a fault inside, in one piece or streamed, as it was asked for."""
    plain = {key: value for key, value in body.items() if key != "stream"}
    if name == "thinking_first":
        plain.setdefault("thinking", {"type": "adaptive"})
    answered = ask(_dump(plain))
    if answered.status != 200:
        return None
    message: dict[str, Any] = json.loads(b"".join(answered.chunks))  # type: ignore[arg-type]
    whole_input = message["content"][-1].get("input") if message["content"] else None
    cut_input = None
    if name in _SPOILERS:
        spoiled = _SPOILERS[name](message, body)
        if spoiled is None:
            return None
        message = spoiled
        if name == "max_tokens":
            text = json.dumps(whole_input, ensure_ascii=False)
            cut_input = text[: len(text) // 2]
    response.chunks = list(sse.events(message, cut_input)) if body.get("stream") else (_dump(message),)
    return response


def _in_window(window: int, response: Response, body: bytes, ask: Callable[[bytes], Response]) -> Response | None:
    """What a model with such a window answers: a longer prompt is refused, a reply ends where the window does."""
    request = _parsed(body)
    asked = tokens.request(request)
    if asked > window:
        return refuse(_refusal("prompt_too_long", body, n=asked, limit=window), response.headers["request-id"])
    room = max(1, window - asked)
    if room >= request["max_tokens"]:
        return None
    answered = ask(_dump({key: value for key, value in request.items() if key != "stream"} | {"max_tokens": room}))
    message = json.loads(b"".join(answered.chunks))  # type: ignore[arg-type]
    if message.get("stop_reason") != "max_tokens":  # it fits, or leaves no room for a budget of thinking
        return None
    message["stop_reason"] = "model_context_window_exceeded"
    response.chunks = sse.events(message) if request.get("stream") else (_dump(message),)
    return response


@cache
def _catalogue() -> dict[str, dict[str, Any]]:
    """The catalogue's entries by id."""
    file = Path(__file__).with_name("rules") / "catalogue.json"
    return {entry["id"]: entry for entry in json.loads(file.read_text(encoding="utf-8"))["errors"]}


def _refusal(rule: str, body: bytes = b"{}", **more: object) -> Refusal:
    """The refusal of the catalogue's words. `more` are values for them that do not follow from the body."""
    entry = _catalogue()[rule]
    model = _parsed(body).get("model", "")
    values: dict[str, object] = {
        "n": f"{LIMITS['input-tokens']:,}",
        "org": "00000000-0000-4000-8000-000000000000",
        "model": model,
        "advice": "Please try again later.",
        "date": _next_month(time.gmtime()),
    }
    details = {"error_code": "enforced_spend_limit_reached"} if rule == "spend_limit" else None
    if rule == "prompt_too_long":
        known = models.find(model)
        window = known.window if known else 200_000
        values |= {"n": window + TOO_MANY, "limit": window}
    return Refusal(rule, entry["status"], entry["type"], entry["message"].format(**values | more), details)


def _next_month(now: time.struct_time) -> str:
    """The first day of the month after a time, as in "2027-01-01"."""
    return f"{now.tm_year + now.tm_mon // 12}-{now.tm_mon % 12 + 1:02}-01"


def _is_stream(response: Response) -> bool:
    return response.headers.get("content-type", "").startswith("text/event-stream")


def _with_chunks(response: Response, change: Callable[[list[Chunk]], list[Chunk]]) -> Response:
    chunks: list[Chunk] = list(response.chunks)  # type: ignore[arg-type]
    response.chunks = change(chunks)
    return response


def _halved(chunks: list[Chunk]) -> list[Chunk]:
    """A stream that ends as if it were whole, which is the nasty way."""
    return chunks[: len(chunks) // 2]


def _broken(chunks: list[Chunk]) -> list[Chunk]:
    """A body in one piece, whose connection breaks in the middle."""
    whole = b"".join(chunk for chunk in chunks if isinstance(chunk, bytes))
    return [whole[: len(whole) // 2], Reset()]


def _cut(response: Response, name: str) -> Response | None:
    """The body up to a byte: the one that `cut@BYTE` names, or the first of a character that has several."""
    whole = b"".join(response.chunks)  # type: ignore[arg-type]
    if name == "cut_character":
        first = re.search(rb"[\xc0-\xff]", whole)
        place = first.end() if first else len(whole)
    else:
        place = int(name.partition("@")[2])
    response.chunks = (whole,)
    if place >= len(whole):
        return None
    response.chunks = [whole[:place]] if _is_stream(response) else [whole[:place], Reset()]
    return response


def _bytes(chunks: list[Chunk]) -> list[Chunk]:
    """Every byte alone, with a pause inside each character of several: else a client's buffers may join them again."""
    pieces: list[Chunk] = []
    for byte in b"".join(chunks):  # type: ignore[arg-type]
        pieces.append(bytes([byte]))
        if byte >= 0xC0:
            pieces.append(Pause(INSIDE))
    return pieces


def _with_error(chunks: list[Chunk]) -> list[Chunk]:
    overloaded = _refusal("overloaded")
    error = {"type": "error", "error": {"type": overloaded.type, "message": overloaded.message}}
    return [*chunks[: len(chunks) // 2], sse.event(error)]


def _resumed(body: bytes) -> bytes:
    if spoil.PAUSED.encode() not in body:
        return body
    parsed = _parsed(body)
    return _dump(spoil.resume(parsed)) if parsed else body


def _parsed(body: bytes) -> dict[str, Any]:
    """The body as an object; empty if it is none."""
    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
