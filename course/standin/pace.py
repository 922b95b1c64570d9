"""Pace: the events of a stream come one after another, as they do from a model, for those who watch.

    create_app(Pace(handle))

`Pace` stands between the server and whatever answers, and puts a Pause before each event. Without it a stream is over
in a few milliseconds, and a program that shows the reply as it grows looks like one that waits for the end.
"""

import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping

from .core import Chunk, Pause, Response

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]

SECONDS = (0.010, 0.050)  # between two events: at least, at most


class Pace:
    """An answer for `create_app`: another one's, its streams slowed down. That other one must not be async."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        response = self._answer(method, path, headers, body)
        if response.headers.get("content-type", "").startswith("text/event-stream"):
            response.chunks = _slowed(response.chunks)  # type: ignore[arg-type]
        return response


def wait_before(chunk: bytes) -> float:
    """Seconds between the event before and this one. They depend on the event alone: no two runs differ."""
    shortest, longest = SECONDS
    return shortest + zlib.crc32(chunk) % 1_000 / 1_000 * (longest - shortest) if chunk.startswith(b"event:") else 0.0


def _slowed(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """The chunks with a pause before each event but the first."""
    begun = False
    for chunk in chunks:
        if begun and isinstance(chunk, bytes) and (seconds := wait_before(chunk)):
            yield Pause(seconds)
        begun = True
        yield chunk


def on_a_terminal(answer: Answer) -> Answer:
    """The answer with pace if somebody may be watching, which is when stdout is a terminal; else as it is."""
    try:
        watched = sys.stdout is not None and sys.stdout.isatty()  # None: closed before Python began
    except ValueError:  # closed since
        watched = False
    return Pace(answer) if watched else answer
