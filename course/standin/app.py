"""The stand-in as an ASGI application: reads a request, asks `answer` for the response, sends it."""

import asyncio
import inspect
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from course.standin.core import MAX_BODY, Answer, Chunk, Pause, Response, handle, refuse, too_large

BODY_SECONDS = 60.0  # for the whole of a request's body, however slowly it comes
DRAIN_BYTES = 4 * MAX_BODY  # of a body that is too large, read so that the client gets to see the answer

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


@dataclass(slots=True)
class Exchange:
    """One request and its answer, once it is over. Times are perf_counter seconds; `chunks` is what was sent.

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


def create_app(answer: Answer = handle, observe: Observer | None = None) -> Callable[..., Awaitable[None]]:
    """An ASGI 3 application that answers with `answer` and reports each exchange, when it is over, to `observe`."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            return await _lifespan(receive, send)
        if scope["type"] != "http":
            return
        started = time.perf_counter()
        path = scope["raw_path"].decode("latin-1") if scope.get("raw_path") else scope["path"]
        if scope["query_string"]:
            path += "?" + scope["query_string"].decode("latin-1")
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        method = scope["method"]
        body = await _read(receive)
        if body is None:  # the client left, or took too long
            return
        if len(body) > MAX_BODY:
            response = refuse(too_large(), path.encode())
            response.headers["connection"] = "close"
        else:
            answered = answer(method, path, headers, body)
            response = await answered if inspect.isawaitable(answered) else answered
        status, sent, first_byte = await _respond(response, method, send)
        if observe:
            times = (started, first_byte, time.perf_counter())
            observe(Exchange(method, path, headers, body, status, response.headers, sent, *times, response.rule))

    return app


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": message["type"] + ".complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def _read(receive: Receive) -> bytes | None:
    """The whole body, or its beginning just over the limit if it is too large. None if it did not come to its end."""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            message = await receive()
            if not message.get("more_body"):
                return message.get("body", b"") if message["type"] == "http.request" else None
            parts = [message["body"]]
            size = len(message["body"])
            while message.get("more_body"):
                message = await receive()
                if message["type"] != "http.request":
                    return None
                if size <= MAX_BODY:
                    parts.append(message["body"])
                size += len(message["body"])
                if size > DRAIN_BYTES:
                    break
            return b"".join(parts)
    except TimeoutError:
        return None


async def _respond(response: Response, method: str, send: Send) -> tuple[int, list[bytes], float]:
    """Send the response.

    Returns the status (0 if the connection was dropped before it), the chunks, and the time of the first byte.
    """
    fields = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers.items()]
    head = {"type": "http.response.start", "status": response.status, "headers": fields}
    streamed = response.headers.get("content-type", "").startswith("text/event-stream")
    sent: list[bytes] = []
    waiting: list[bytes] = []  # chunks that nothing keeps apart go out in one piece
    first_byte = 0.0

    async def flush(more: bool) -> None:
        nonlocal first_byte
        data = b"".join(waiting)
        if not first_byte:
            if not more and not streamed:
                fields.append((b"content-length", b"%d" % len(data)))
            await send(head)
            first_byte = time.perf_counter()
        if data or not more:
            await send({"type": "http.response.body", "body": b"" if method == "HEAD" else data, "more_body": more})
        sent.extend(waiting)
        waiting.clear()

    chunks = response.chunks
    async for chunk in chunks if isinstance(chunks, AsyncIterable) else _one_by_one(chunks):
        if isinstance(chunk, bytes):
            waiting.append(chunk)
            if isinstance(chunks, AsyncIterable):
                await flush(True)
        elif isinstance(chunk, Pause):
            # Before the first byte, a pause keeps back the status line too.
            if waiting or first_byte:
                await flush(True)
            await asyncio.sleep(chunk.seconds)
        else:
            if waiting or first_byte:
                await flush(True)
            await _drop(send)
            return (response.status if first_byte else 0), sent, first_byte or time.perf_counter()
    await flush(False)
    return response.status, sent, first_byte


async def _one_by_one(chunks: Iterable[Chunk]) -> AsyncIterator[Chunk]:
    for chunk in chunks:
        yield chunk


async def _drop(send: Send) -> None:
    """Drop the connection. ASGI has no message for it, so this reaches for uvicorn's transport."""
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if transport is None:
        raise ConnectionAbortedError("dropped on demand")
    transport.close()
    await asyncio.sleep(0)  # let uvicorn notice, or it tries to send a 500
