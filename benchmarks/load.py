"""A load generator for the benchmarks: asyncio protocols, so that it costs less than the servers that it measures.

Each client sends its request again as soon as the answer is complete, on a connection that it keeps.
"""

import asyncio
import json
import os
import re
import statistics
import sys
import time
from dataclasses import dataclass
from urllib.parse import urlsplit

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass
class Result:
    """`latencies` in seconds, from the first byte sent to the last byte read; `seconds` is the length of the run."""

    latencies: list[float]
    seconds: float
    errors: int

    @property
    def rate(self) -> float:
        """Requests per second."""
        return len(self.latencies) / self.seconds

    def percentile(self, percent: int) -> float:
        """In milliseconds."""
        return 1000 * statistics.quantiles(self.latencies, n=100, method="inclusive")[percent - 1]


def http_request(url: str, body: dict) -> bytes:
    """A POST of a JSON body, with the headers of a client of this API."""
    parts = urlsplit(url)
    data = json.dumps(body).encode()
    head = (
        f"POST {parts.path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: application/json\r\n"
        f"authorization: Bearer key\r\nx-api-key: key\r\nanthropic-version: 2023-06-01\r\n"
        f"content-length: {len(data)}\r\n\r\n"
    )
    return head.encode() + data


class Client(asyncio.Protocol):
    """One connection that sends the same request until `run` says stop."""

    def __init__(self, request: bytes, done: "Run") -> None:
        self.request = request
        self.run = done
        self.begun = 0.0
        self.got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.send()

    def send(self) -> None:
        self.got = b""
        self.begun = time.perf_counter()
        self.transport.write(self.request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        self.got = self.got + data if self.got else data
        if not complete(self.got):
            return
        now = time.perf_counter()
        if self.got.startswith(b"HTTP/1.1 200"):
            self.run.latencies.append(now - self.begun)
        else:
            self.run.errors += 1
        if now < self.run.ends:
            self.send()
        else:
            self.transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if time.perf_counter() < self.run.ends:
            self.run.errors += 1
        self.run.open -= 1
        if not self.run.open and not self.run.finished.done():
            self.run.finished.set_result(None)


def complete(got: bytes) -> bool:
    """Whether these bytes are a whole response."""
    end = got.find(b"\r\n\r\n")
    if end < 0:
        return False
    length = LENGTH.search(got, 0, end)
    if length:
        return len(got) >= end + 4 + int(length[1])
    return got.endswith(b"0\r\n\r\n")


class Run:
    """What the clients of one run share."""

    def __init__(self, seconds: float, clients: int) -> None:
        self.latencies: list[float] = []
        self.errors = 0
        self.open = clients
        self.ends = time.perf_counter() + seconds
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()


def load(url: str, body: dict, seconds: float, clients: int) -> Result:
    """Send requests from so many clients for so long."""

    async def main() -> Result:
        parts = urlsplit(url)
        run = Run(seconds, clients)
        begun = time.perf_counter()
        loop = asyncio.get_running_loop()
        for _ in range(clients):
            await loop.create_connection(lambda: Client(http_request(url, body), run), parts.hostname, parts.port)
        await run.finished
        return Result(run.latencies, time.perf_counter() - begun, run.errors)

    return with_fast_loop(main)


def with_fast_loop(main):  # type: ignore[no-untyped-def]
    """asyncio.run, on uvloop when it is installed."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        from asyncio import new_event_loop
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(main())


def wait_for(port: int, seconds: float = 20) -> None:
    """Wait until something listens on a port of this machine. Raises OSError if nothing does in time."""
    import socket

    ends = time.monotonic() + seconds
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def machine() -> str:
    """What the numbers were measured on."""
    return f"{os.cpu_count()} cores, Python {sys.version.split()[0]}, {sys.platform}"
