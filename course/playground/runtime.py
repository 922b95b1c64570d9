"""Inside the worker: the SDK's transport to the stand-in, what stands in for threads, and the run of a lesson."""
import heapq
import os
import random
import runpy
import sys
import time
import traceback
import types
from concurrent import futures

from httpx2._exceptions import RemoteProtocolError
from httpx2._models import Response
from httpx2._transports.base import AsyncBaseTransport, BaseTransport
from httpx2._types import AsyncByteStream, SyncByteStream

real_sleep = time.sleep
clocks = []  # of the calls that run "side by side": the seconds that each has slept
class Stream(SyncByteStream, AsyncByteStream):
    def __init__(self, chunks):
        self.chunks = chunks
    def __iter__(self):
        for chunk in self.chunks:
            if isinstance(chunk, bytes):
                yield chunk
            elif hasattr(chunk, "seconds"):
                time.sleep(chunk.seconds)
            else:
                raise RemoteProtocolError("Server disconnected without sending a response.")
    async def __aiter__(self):
        for chunk in self:
            yield chunk
def answer(request, body):
    from course.standin.core import handle
    headers = {name.lower(): value for name, value in request.headers.items()}
    made = handle(request.method, request.url.raw_path.decode(), headers, body)
    return Response(made.status, headers=made.headers, stream=Stream(made.chunks))
class Transport(BaseTransport):
    def __init__(self, *args, **options): ...
    def handle_request(self, request):
        return answer(request, b"".join(request.stream))
class AsyncTransport(AsyncBaseTransport):
    __init__ = Transport.__init__
    async def handle_async_request(self, request):
        return answer(request, b"".join([part async for part in request.stream]))
def sleep(seconds):
    """time.sleep, or, within a call of the executor below, the clock of that call put forward."""
    if clocks:
        clocks[-1] += seconds
    else:
        real_sleep(seconds)
class Executor(futures.Executor):
    """No threads here: runs each call at once, and sleeps at the end only as long as the threads would have in all."""
    def __init__(self, max_workers=8, *args, **options):
        self.free = [0.0] * max_workers
    def submit(self, call, /, *args, **options):
        future = futures.Future()
        clocks.append(0.0)
        try:
            future.set_result(call(*args, **options))
        except Exception as error:
            future.set_exception(error)
        heapq.heapreplace(self.free, self.free[0] + clocks.pop())
        return future
    def shutdown(self, wait=True, *, cancel_futures=False):
        sleep(max(self.free))
        self.free = [0.0] * len(self.free)
def install():
    """Once, before the first run."""
    from course.standin import server
    server.start = lambda *args, **options: types.SimpleNamespace(base_url="http://127.0.0.1:1")
    time.sleep = sleep
    futures.ThreadPoolExecutor = Executor
def run(path, arguments=(), trace=None):
    """Run a lesson as `python path arguments` would; the exit status. `trace` is for sys.settrace."""
    from course import env
    env._done = False
    random.seed()
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        del os.environ[name]
    sys.argv = [path, *arguments]
    sys.stdout.reconfigure(line_buffering=True)
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
