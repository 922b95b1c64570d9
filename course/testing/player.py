"""Replies as text, played: the n-th request for a message that the API's rules let pass gets the n-th reply."""

import copy
import json
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .. import i18n
from ..standin import faults, notation
from ..standin.core import Response, handle, refuse
from ..standin.notation import Line
from ..standin.rules import Refusal
from ..standin.talk import Reply, Talk

_ = i18n.translator("testing")

# What may stand in replies beside stop reasons. "ok" lets a request pass, as every other line does.
FAULTS = tuple(name for name in faults.NAMES if name not in (*notation.STOP_REASONS, "ok"))

# Of a status, the fault that has the API's own words for it, and else the type of its error
# (https://platform.claude.com/docs/en/api/errors).
_SAME_AS = {401: "bad_key", 403: "no_permission", 429: "rate_limit", 500: "api_error", 529: "overloaded"}
_TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 408: "timeout_error", 409: "conflict_error", 413: "request_too_large",
    429: "rate_limit_error", 504: "timeout_error", 529: "overloaded_error",
}  # fmt: skip

Choose = Callable[[Talk], Line | None]


def read(text: str) -> list[Line]:
    """The replies in a text. Raises notation.NotationError for the first slip."""
    return notation.read(text, FAULTS)


class Replies:
    """An answer for `create_app` that plays replies. What the API would refuse is refused, and takes none of them.

    Args:
        lines: what to say; may grow later.
        again: begin anew after the last one, for a server that many runs ask. Else a request too many is refused.
        quick: errors ask for a retry at once, and slow replies are less slow: for tests.

    Attributes:
        lines: the replies not asked for yet.
        requests: the bodies of the requests for a message, oldest first.
        refused: a sentence for each request that was refused, or that came after the last reply.
    """

    def __init__(self, lines: list[Line], again: bool = False, quick: bool = False) -> None:
        self.lines = lines
        self.requests: list[dict[str, Any]] = []
        self.refused: list[str] = []
        self._again = again
        self._quick = quick
        self._paused: list[Line] = []
        self._lock = threading.Lock()

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        with self._lock:
            return self._answer(method, path, headers, body)

    def left(self) -> str:
        """A sentence on the replies that nobody asked for; "" when there are none."""
        if not self.lines or self._again:
            return ""
        first = self.lines[0]
        return _("Replies that nobody asked for: {count}. The first, in line {number}: {text}").format(
            count=len(self.lines), number=first.number, text=notation.write([first]).strip()[:100]
        )

    def _answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        asked = parsed(body)
        response, line = speak(self._next, method, path, headers, resumed(body, self._paused), quick=self._quick)
        if response.rule == "thread_unsupported_request":  # an SDK's tool runner then sends the whole history
            return response
        place = path.partition("?")[0]
        if place == "/v1/messages":
            self.requests.append(asked)
            place = _("request {number}").format(number=len(self.requests))
        if line is OVER:
            self.refused.append(_("After the last reply came {request}.").format(request=place))
        elif response.rule == UNMET or line is None and response.status != 200:
            said = json.loads(b"".join(response.chunks))["error"]["message"]  # type: ignore[arg-type]
            self.refused.append(_("The API refuses {request}: {message}").format(request=place, message=said))
        elif line is not None and line.stop_reason == "pause_turn":
            self._paused.append(line)
        return response

    def _next(self, talk: Talk) -> Line | None:
        if not self.lines:
            return None
        line = self.lines.pop(0)
        if self._again:
            self.lines.append(line)
        return line


OVER = Line()
UNMET = "fault_unmet"


def speak(
    choose: Choose, method: str, path: str, headers: Mapping[str, str], body: bytes, *, quick: bool = False
) -> tuple[Response, Line | None]:
    """Answer one request with the reply that `choose` has for it.

    Returns the response and the reply that was used: None if the rules refuse the request or if it asks for no message,
    OVER if `choose` had none (the response is then an error that says so).
    """
    chosen: list[Line] = []

    def play(talk: Talk) -> Reply:
        chosen.append(choose(talk) or OVER)
        return _reply(chosen[0], talk)

    response = handle(method, path, headers, body, play)
    if not chosen or response.status != 200:
        return response, None
    line, request_id = chosen[0], response.headers["request-id"]
    if line is OVER:
        words = _("There is no reply left for this request.")
        return refuse(Refusal("replies_over", 400, "invalid_request_error", words), request_id), OVER
    fault = line.fault or (None if line.text else _SAME_AS.get(line.status or 0))
    if fault:
        again = partial(handle, play=lambda talk: _reply(line, talk))
        spoiler = faults.Faults([fault], again, slow=1.0 if quick else faults.SLOW)
        response = spoiler(method, path, headers, body)
        if spoiler.unmet():
            words = _("The fault {name} finds nothing to take hold of in its reply.").format(name=fault)
            response = refuse(Refusal(UNMET, 400, "invalid_request_error", words), request_id)
    elif line.status:
        kind = _TYPES.get(line.status, "api_error" if line.status >= 500 else "invalid_request_error")
        words = line.text or f"Error {line.status}"
        response = refuse(Refusal("scripted_error", line.status, kind, words), request_id)
    if quick and "x-should-retry" in response.headers:
        response.headers |= {"retry-after": "0", "retry-after-ms": "1"}
    return response, line


def resumed(body: bytes, lines: list[Line]) -> bytes:
    """The request without those of these replies in it that ended with pause_turn.

    The API knows that it paused. The rules would take a pause at the end for a prefill, and what was signed after it
    for part of another conversation.
    """
    paused = [_said(line.content) for line in lines if line.stop_reason == "pause_turn"]
    asked = parsed(body) if paused else {}
    if not isinstance(messages := asked.get("messages"), list):
        return body

    def is_paused(message: Any) -> bool:
        assistant = isinstance(message, dict) and message.get("role") == "assistant"
        return assistant and _said(message.get("content")) in paused

    kept = [message for message in messages if not is_paused(message)]
    return json.dumps({**asked, "messages": kept}).encode() if len(kept) < len(messages) else body


def _reply(line: Line, talk: Talk) -> Reply:
    return Reply(copy.deepcopy(line.content), line.stop_reason)


def _said(content: Any) -> list[Any]:
    """What a reply's content says, without what the stand-in adds to it."""
    if isinstance(content, str):
        return [content]
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return [
        block.get("text") or (block.get("name"), block.get("input"))
        for block in blocks
        if block.get("type") != "thinking"
    ]


def parsed(body: bytes) -> dict[str, Any]:
    """The body of a request as an object; empty if it is none."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
