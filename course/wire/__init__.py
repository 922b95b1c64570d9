"""The wire as a person wants to read it: what each request adds, what came back, what it took and cost.

    wire = Wire(sys.stderr)
    create_app(answer, observe=wire)     # prints each exchange when it is over
    wire.finish()                        # prints the totals

No credential is ever printed (see record.redact), nor a control character that might steer the terminal. Requests that
are not about messages are told without their bodies.
"""

import json
from typing import Any, TextIO

from .. import console
from .record import Record, credentials, is_about_messages, make, redact, redact_pieces
from .view import View, plain

__all__ = ["Wire", "View"]


# A server that runs for weeks forgets the conversations before these.
MAX_CONVERSATIONS = 1_000


class Wire:
    """An observer that prints each exchange.

    Args:
        stream: where to; stdout belongs to the script, so use stderr.
        raw: print the bodies as they were sent, request and answer, instead of the story.
        paid: False says that a stand-in answered and nothing was paid.
        several: conversations may be mixed, as many clients lead them; each is told as one by its first message.
    """

    def __init__(self, stream: TextIO, raw: bool = False, paid: bool = False, several: bool = False) -> None:
        self._stream = stream
        self._raw = raw
        self._several = several
        self._paid = paid
        self._views: dict[str, View] = {}

    def __call__(self, exchange: Any) -> None:
        about_messages = exchange.method == "POST" and is_about_messages(exchange.path)
        if self._raw:
            self._print(raw(exchange, about_messages or not self._paid))
            return
        record, betas = make(exchange), exchange.headers.get("anthropic-beta", "")
        if about_messages:
            self._print(self._view(record).show(record, betas, exchange.rule))
        else:
            view = View(colour=console.colour(self._stream))
            self._print(view.show_other(exchange.method, record, betas, exchange.rule))

    def finish(self) -> None:
        """Print the totals."""
        for view in self._views.values():
            self._print(view.totals())

    def _view(self, record: Record) -> View:
        """The view that tells this record's conversation."""
        request = record["request"]
        messages = request.get("messages") if isinstance(request, dict) else None
        name = json.dumps(messages[:1]) if self._several and isinstance(messages, list) else ""
        if name not in self._views:
            if len(self._views) >= MAX_CONVERSATIONS:
                self._views.clear()
            self._views[name] = View(colour=console.colour(self._stream), paid=self._paid)
        return self._views[name]

    def _print(self, text: str) -> None:
        if text:
            # One write: stderr is shared with the script.
            self._stream.write(text + "\n")
            self._stream.flush()


def raw(exchange: Any, bodies: bool = True) -> str:
    """Both bodies, whole: JSON on one line each, a stream as its events. Credentials are taken out.

    Without bodies: the method, the path without its query, the status.
    """
    if not bodies:
        return plain(f"> {exchange.method} {exchange.path.partition('?')[0]}\n< {exchange.status or '-'}")
    secrets = credentials(exchange.headers)
    answer = "\n".join(_lines(b"".join(exchange.chunks).decode("utf-8", errors="replace").strip(), secrets))
    body = exchange.body.decode("utf-8", errors="replace").strip()
    asked = [f"> {exchange.method} {exchange.path}"]
    if betas := exchange.headers.get("anthropic-beta"):
        asked.append(f"> anthropic-beta: {betas}")
    status = f"< {exchange.status or '-'} {exchange.rule or ''}".rstrip()
    lines = [*asked, _one_line(body), status, answer]
    return plain(redact("\n".join(lines), secrets))


def _one_line(text: str) -> str:
    """JSON without its line ends; escaped control characters stay escaped. Other text as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except (ValueError, RecursionError):
        return text


def _lines(answer: str, secrets: list[str]) -> list[str]:
    """JSON as one line; a stream as its own lines, without credentials that are cut into pieces by its events."""
    if not answer.startswith(("event:", "data:")):
        return [_one_line(answer)]
    lines = answer.split("\n")
    events = {place: event for place, line in enumerate(lines) if (event := _event(line))}
    for name in ("text", "thinking", "partial_json"):
        deltas = [event["delta"] for event in events.values() if isinstance(event["delta"].get(name), str)]
        for delta, piece in zip(deltas, redact_pieces([each[name] for each in deltas], secrets), strict=True):
            delta[name] = piece
    return [
        f"data: {json.dumps(events[place], ensure_ascii=False)}" if place in events else line
        for place, line in enumerate(lines)
    ]


def _event(line: str) -> dict[str, Any] | None:
    """The event in a line of a stream that brings a piece of a block; None for another line."""
    try:
        event = json.loads(line.removeprefix("data:")) if line.startswith("data:") else None
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("delta"), dict) else None
