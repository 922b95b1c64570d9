"""The wire as a person wants to read it: what each request adds, what came back, what it took and cost.

    wire = Wire(sys.stderr)
    create_app(answer, observe=wire)     # prints each exchange when it is over
    wire.finish()                        # prints the totals

No credential is ever printed (see record.redact), nor a control character that might steer the terminal.
"""

import json
from typing import Any, TextIO

from .. import console
from .record import Record, credentials, is_about_messages, make, redact
from .view import View, plain

__all__ = ["Wire", "View"]


class Wire:
    """An observer that prints each exchange.

    Args:
        stream: where to; stdout belongs to the script, so use stderr.
        raw: print the bodies as they were sent, request and answer, instead of the story.
        paid: False says that a stand-in answered and nothing was paid.
    """

    def __init__(self, stream: TextIO, raw: bool = False, paid: bool = False) -> None:
        self._stream = stream
        self._raw = raw
        self._view = View(colour=console.colour(stream), paid=paid)

    def __call__(self, exchange: Any) -> None:
        if not is_about_messages(exchange.path):
            return
        self._print(raw(exchange) if self._raw else self._view.show(make(exchange)))

    def show(self, record: Record) -> None:
        self._print(self._view.show(record))

    def finish(self) -> None:
        if not self._raw:
            self._print(self._view.totals())

    def _print(self, text: str) -> None:
        if text:
            # One write: stderr is shared with the script.
            self._stream.write(text + "\n")
            self._stream.flush()


def raw(exchange: Any) -> str:
    """Both bodies, whole: JSON on one line each, a stream as its events. Credentials are taken out."""
    secrets = credentials(exchange.headers)
    answer = b"".join(exchange.chunks).decode("utf-8", errors="replace").strip()
    body = exchange.body.decode("utf-8", errors="replace").strip()
    lines = [f"> {exchange.method} {exchange.path}", _one_line(body), f"< {exchange.status or '-'}", _one_line(answer)]
    return plain(redact("\n".join(lines), secrets))


def _one_line(text: str) -> str:
    """JSON without its line ends; escaped control characters stay escaped. Other text as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except ValueError:
        return text
