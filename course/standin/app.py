"""The stand-in as an ASGI application: reads a request, asks `answer` for the response, sends it."""

import asyncio
import sys
import time
import traceback
from collections.abc import AsyncIterable, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from course.standin import ids
from course.standin.core import MAX_BODY, Answer, Pause, Reset, Response, handle, refuse, too_large

BODY_SECONDS = 60.0  # for a request's body, once its first bytes are there
DRAIN_BYTES = 4 * MAX_BODY  # of a body that is too large, read so that the client gets to see the answer

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Exchange:
    """One request and its answer, when it is over. Times are perf_counter seconds; `chunks` is what was sent.

    `status` is 0 when the connection was dropped before the first byte.
    """

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    status: int
    response_headers: dict[str, str]
    chunks: list[bytes]
    started: float
    first_byte: float
    ended: float
    rule: str | None


Observer = Callable[[Exchange], None]


def create_app(answer: Answer = handle, observe: Observer | None = None, body_seconds: float = BODY_SECONDS) -> "App":
    """An ASGI 3 application that answers with `answer` and reports each exchange, when it is over, to `observe`.

    A request whose body takes longer than `body_seconds` is dropped.
    """
    return App(answer, observe, body_seconds)


class App:
    """What `create_app` makes."""

    def __init__(self, answer: Answer, observe: Observer | None, body_seconds: float) -> None:
        self.answer = answer
        self.observe = observe
        self.body_seconds = body_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        if scope["type"] != "http":
            return
        try:
            await self.exchange(scope, receive, send)
        except asyncio.CancelledError:  # the server ends
            await _drop(send)

    async def exchange(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a request and answer it."""
        started = time.perf_counter()
        path = scope["raw_path"].decode("latin-1") if scope.get("raw_path") else scope["path"]
        if scope["query_string"]:
            path += "?" + scope["query_string"].decode("latin-1")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        headers["request-id"] = ids.request_id()
        method = scope["method"]
        body = await _read(receive, self.body_seconds)
        if body is None:  # the client left, or took too long
            return await _drop(send)
        if len(body) > MAX_BODY:
            response = refuse(too_large(), headers["request-id"])
            response.headers["connection"] = "close"
        else:
            answered = self.answer(method, path, headers, body)
            response = answered if isinstance(answered, Response) else await answered

        def finish(status: int, sent: list[bytes], first_byte: float) -> None:
            self.report(method, path, headers, body, response, status, sent, started, first_byte)

        await _respond(response, scope, send, finish)

    def report(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes,
        response: Response,
        status: int,
        sent: list[bytes],
        started: float,
        first_byte: float,
    ) -> None:
        """Tell the observer, if there is one, of an exchange. `first_byte` is 0.0 when all is sent at once."""
        if self.observe is None:
            return
        times = (started, first_byte or time.perf_counter(), time.perf_counter())
        try:
            self.observe(Exchange(method, path, headers, body, status, response.headers, sent, *times, response.rule))
        except Exception:  # an observer's mistake is not the client's
            traceback.print_exc(file=sys.stderr)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _read(receive: Receive, seconds: float) -> bytes | None:
    """The whole body, or its beginning just over the limit if it is too large. None if it did not come to its end."""
    message = await receive()
    if message["type"] != "http.request":
        return None
    if not message.get("more_body"):
        return message.get("body", b"")
    parts = [message["body"]]
    size = len(message["body"])
    try:
        async with asyncio.timeout(seconds):
            while message.get("more_body") and size <= DRAIN_BYTES:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                if size <= MAX_BODY:
                    parts.append(message["body"])
                size += len(message["body"])
    except TimeoutError:
        return None
    return b"".join(parts)


async def _respond(
    response: Response, scope: Scope, send: Send, finish: Callable[[int, list[bytes], float], None]
) -> None:
    """Send the response, and call `finish(status, chunks, time of the first byte)` just before its last bytes go out.

    Before, not after: a script may end as soon as it has its answer, and what observers have to say is not to be lost.
    The events of a stream go out one by one, other chunks in one piece unless a pause keeps them apart.
    """
    streams = response.headers.get("content-type", "").startswith("text/event-stream")
    in_pieces = streams and scope["http_version"] != "1.0"  # which knows no chunks
    fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers.items()]
    head = {"type": "http.response.start", "status": response.status, "headers": fields}
    sent: list[bytes] = []
    waiting: list[bytes] = []
    first_byte = 0.0

    async def flush() -> None:
        nonlocal first_byte
        if not first_byte:
            first_byte = time.perf_counter()
            await send(head)
        if waiting:
            sent.extend(waiting)
            await send({"type": "http.response.body", "body": b"".join(waiting), "more_body": True})
            waiting.clear()
            await asyncio.sleep(0)  # lets uvicorn notice that the client has left

    async def stopped_by(mark: Pause | Reset) -> bool:
        if waiting or first_byte:  # else a pause keeps back the status line too
            await flush()
        if isinstance(mark, Pause):
            await asyncio.sleep(mark.seconds)
            return False
        finish(response.status if first_byte else 0, sent, first_byte)
        await _drop(send)
        return True

    chunks = response.chunks
    if isinstance(chunks, AsyncIterable):
        async for chunk in chunks:
            if isinstance(chunk, bytes):
                waiting.append(chunk)
                await flush()
            elif await stopped_by(chunk):
                return
    else:
        for chunk in chunks:
            if isinstance(chunk, bytes):
                if in_pieces and waiting:
                    await flush()
                waiting.append(chunk)
            elif await stopped_by(chunk):
                return
    sent.extend(waiting)
    finish(response.status, sent, first_byte)
    data = b"".join(waiting)
    if not first_byte:
        if not in_pieces:
            fields.append((b"content-length", b"%d" % len(data)))
        await send(head)
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else data})


async def _drop(send: Send) -> None:
    """Drop the connection. ASGI has no message for it, so this reaches for uvicorn's transport."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        raise ConnectionAbortedError("dropped on demand")
    transport.close()
    await asyncio.sleep(0)  # let uvicorn notice, or it tries to send a 500
