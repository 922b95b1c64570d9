"""Inside the worker: the SDK's transport to the stand-in, what stands in for threads, and the run of a lesson."""

import heapq
import os
import random
import runpy
import sys
import time
import traceback
import types
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent import futures
from typing import Any

from httpx2._exceptions import RemoteProtocolError
from httpx2._models import Response
from httpx2._transports.base import AsyncBaseTransport, BaseTransport
from httpx2._types import AsyncByteStream, SyncByteStream

real_sleep = time.sleep
clocks: list[float] = []  # of the calls that run "side by side": the seconds that each has slept


class Stream(SyncByteStream, AsyncByteStream):
    def __init__(self, chunks: Any) -> None:
        self.chunks = chunks

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self.chunks:
            if isinstance(chunk, bytes):
                yield chunk
            elif hasattr(chunk, "seconds"):
                time.sleep(chunk.seconds)
            else:
                raise RemoteProtocolError("Server disconnected without sending a response.")

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self:
            yield chunk


def answer(request: Any, body: bytes) -> Any:
    from course.standin.core import handle

    headers = {name.lower(): value for name, value in request.headers.items()}
    made = handle(request.method, request.url.raw_path.decode(), headers, body)
    return Response(made.status, headers=made.headers, stream=Stream(made.chunks))


class Transport(BaseTransport):
    def __init__(self, *args: Any, **options: Any) -> None: ...
    def handle_request(self, request: Any) -> Any:
        return answer(request, b"".join(request.stream))


class AsyncTransport(AsyncBaseTransport):
    def __init__(self, *args: Any, **options: Any) -> None: ...
    async def handle_async_request(self, request: Any) -> Any:
        return answer(request, b"".join([part async for part in request.stream]))


def sleep(seconds: float) -> None:
    """time.sleep, or, within a call of the executor below, the clock of that call put forward."""
    if clocks:
        clocks[-1] += seconds
    else:
        real_sleep(seconds)


class Executor(futures.Executor):
    """No threads here: runs each call at once, and sleeps at the end only as long as the threads would have in all."""

    def __init__(self, max_workers: int = 8, *args: Any, **options: Any) -> None:
        self.free = [0.0] * max_workers

    def submit(self, call: Any, /, *args: Any, **options: Any) -> Any:
        future: futures.Future[Any] = futures.Future()
        clocks.append(0.0)
        try:
            future.set_result(call(*args, **options))
        except Exception as error:
            future.set_exception(error)
        heapq.heapreplace(self.free, self.free[0] + clocks.pop())
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        sleep(max(self.free))
        self.free = [0.0] * len(self.free)


def install() -> None:
    """Once, before the first run."""
    from course.standin import server

    nowhere = types.SimpleNamespace(base_url="http://127.0.0.1:1")  # the transport above answers
    server.start = lambda *args, **options: nowhere  # type: ignore[assignment]
    time.sleep = sleep  # type: ignore[assignment]
    futures.ThreadPoolExecutor = Executor  # type: ignore[misc, assignment]


def run(path: str, arguments: Iterable[str] = (), trace: Any = None) -> Any:
    """Run a lesson as `python path arguments` would; the exit status. `trace` is for sys.settrace."""
    from course import env

    env._done = False
    random.seed()
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        del os.environ[name]
    sys.argv = [path, *arguments]
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    sys.settrace(trace)
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as stop:
        if isinstance(stop.code, str):
            print(stop.code, file=sys.stderr)
            return 1
        return stop.code or 0
    except BaseException as error:
        # As Python prints it: without the frames of the playground and of runpy above the script's own.
        frame = error.__traceback__
        while frame and frame.tb_frame.f_code.co_filename != path:
            frame = frame.tb_next
        traceback.print_exception(type(error), error, frame or error.__traceback__)
        return 1
    finally:
        sys.settrace(None)
        sys.stdout.flush()
        sys.stderr.flush()
    return 0
