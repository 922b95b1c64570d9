"""Replies and faults that a request asks for itself, so that tests in any language share one `course serve`.

    x-course-replies: get_weather(city='Oslo'); "Cold."
    x-course-fault: rate_limit

Nothing is remembered: which of the replies comes next follows from how many Claude has given in the conversation so
far. Errors among them (529, rate_limit) are met by the tries of one request, which SDKs count in
x-stainless-retry-count; so does the N of a fault NAME:N. Without N a fault holds for every request that has the header.

A value may be percent-encoded behind utf-8'' (RFC 8187), for clients that send no other letters than Latin ones.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..standin.core import Response, handle, refuse

if TYPE_CHECKING:
    from ..standin.notation import Line

REPLIES = "x-course-replies"
FAULT = "x-course-fault"
TRIES = "x-stainless-retry-count"


def asked(headers: Mapping[str, str]) -> bool:
    """Whether a request has one of the headers."""
    return REPLIES in headers or FAULT in headers


def answer(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
    """An answer for `create_app`: the stand-in, or what the headers ask for."""
    return _as_asked(method, path, headers, body) if asked(headers) else handle(method, path, headers, body)


def _as_asked(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
    from .. import i18n
    from ..standin import faults
    from ..standin.notation import NotationError
    from ..standin.rules import Refusal
    from .player import parsed, resumed, speak

    tries = int(count) if (count := headers.get(TRIES, "0")).isdecimal() else 0
    name = REPLIES
    try:
        lines = list(_lines(_text(headers[REPLIES]))) if REPLIES in headers else None
        name = FAULT
        fault, holds = faults.parse(_text(headers[FAULT])) if FAULT in headers else ("ok", 0)
    except ValueError as error:  # a slip, with a sentence
        words = f"{name}: {error.say(i18n.language()) if isinstance(error, NotationError) else error}"
        return refuse(Refusal("bad_course_header", 400, "invalid_request_error", words), headers["request-id"])

    def played(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        if lines is None:
            return handle(method, path, headers, body)
        messages = parsed(body).get("messages")
        said = sum(isinstance(m, dict) and m.get("role") == "assistant" for m in messages or ())
        line = line_after(lines, said, tries)
        return speak(lambda _talk: line, method, path, headers, resumed(body, lines))[0]

    if fault == "ok" or ":" in headers[FAULT] and tries >= holds:
        return played(method, path, headers, body)
    return faults.Faults([fault], played)(method, path, headers, body)


def line_after(lines: "list[Line]", said: int, tries: int) -> "Line | None":
    """The reply to a request after `said` replies, which was tried `tries` times before; None after the last."""
    rest = list(lines)
    while rest and said:
        said -= not _is_error(rest.pop(0))
    errors = len(list(takewhile(_is_error, rest)))
    place = min(tries, errors)
    return rest[place] if place < len(rest) else None


def _is_error(line: "Line") -> bool:
    from ..standin.faults import ERRORS

    return line.status is not None or line.fault in (*ERRORS, "reset", "html")


@lru_cache(maxsize=256)
def _lines(text: str) -> "tuple[Line, ...]":
    from .player import read

    return tuple(read(text))


def _text(value: str) -> str:
    if value[:7].lower() == "utf-8''":
        return unquote(value[7:])
    try:
        return value.encode("latin-1").decode("utf-8")  # as most clients send what is not Latin
    except UnicodeError:
        return value
