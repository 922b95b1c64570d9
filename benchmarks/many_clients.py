"""Two hundred clients at once, each doing the two-turn weather loop by streaming.

    python benchmarks/many_clients.py [--clients 200] [--workers 1]

Every client has a connection of its own and starts at the same moment. Budget: no error, and 99 of 100 first bytes
within 100 ms of the request. The clients are asyncio protocols in this process; the server is a process of its own.
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

from load import complete, free_port, http_request, machine, wait_for, with_fast_loop

ROOT = Path(__file__).parents[1]
CITIES = ("Austin", "Berlin", "Chengdu", "Oslo", "Vienna")
TOOL = {
    "name": "get_weather",
    "description": "Get today's weather in one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


class Client(asyncio.Protocol):
    """One loop: ask, read the stream, answer the calls, read the second stream."""

    def __init__(self, url: str, number: int, first_bytes: list[float]) -> None:
        self.url = url
        self.first_bytes = first_bytes
        prompt = f"What should I wear in {CITIES[number % len(CITIES)]}, and is it good for a walk, friend {number}?"
        self.body = {
            "model": "claude-sonnet-5-5",
            "max_tokens": 1000,
            "stream": True,
            "tools": [TOOL],
            "messages": [{"role": "user", "content": prompt}],
        }
        self.reasons: list[str] = []
        self.finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.got = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport

    def ask(self) -> None:
        self.got = b""
        request = http_request(self.url, self.body)
        self.asked = time.perf_counter()
        self.transport.write(request)  # type: ignore[attr-defined]

    def data_received(self, data: bytes) -> None:
        if not self.got:
            self.first_bytes.append(time.perf_counter() - self.asked)
        self.got += data
        if complete(self.got):
            self.read_reply()

    def read_reply(self) -> None:
        reply = accumulate(self.got)
        self.reasons.append(reply["stop_reason"])
        calls = [block for block in reply["content"] if block["type"] == "tool_use"]
        if reply["stop_reason"] != "tool_use" or len(self.reasons) > 3:
            self.transport.close()
            self.finished.set_result(None)
            return
        results = [{"type": "tool_result", "tool_use_id": call["id"], "content": "41F, rain"} for call in calls]
        turn = [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": results}]
        self.body["messages"] = [*self.body["messages"], *turn]  # type: ignore[misc]
        self.ask()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.finished.done():
            self.reasons.append(f"connection lost: {error}")
            self.finished.set_result(None)


def accumulate(response: bytes) -> dict:
    """The message that a chunked stream of events adds up to."""
    head, _, rest = response.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        return {"stop_reason": head.split(b"\r\n")[0].decode(), "content": []}
    data = b""
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        data += rest[: int(size, 16)]
        rest = rest[int(size, 16) + 2 :]
    message: dict = {}
    inputs: dict[int, str] = {}
    for event in data.decode().split("\n\n")[:-1]:
        body = json.loads(event.split("\ndata: ")[1])
        if body["type"] == "message_start":
            message = body["message"]
        elif body["type"] == "content_block_start":
            message["content"].append(body["content_block"])
        elif body["type"] == "content_block_delta":
            block, delta = message["content"][body["index"]], body["delta"]
            if delta["type"] == "input_json_delta":
                inputs[body["index"]] = inputs.get(body["index"], "") + delta["partial_json"]
            else:
                field = delta["type"].removesuffix("_delta")
                block[field] += delta[field]
        elif body["type"] == "message_delta":
            message |= body["delta"]
    for index, text in inputs.items():
        message["content"][index]["input"] = json.loads(text or "{}")
    return message


def run(url: str, port: int, count: int) -> tuple[list[float], list[list[str]], float]:
    """One run: (seconds to each first byte, stop reasons of each client, seconds in all)."""

    async def main() -> tuple[list[float], list[list[str]], float]:
        loop = asyncio.get_running_loop()
        first_bytes: list[float] = []
        clients = []
        for number in range(count):
            made = await loop.create_connection(lambda n=number: Client(url, n, first_bytes), "127.0.0.1", port)
            clients.append(made[1])
        begun = time.perf_counter()
        for client in clients:
            client.ask()
        await asyncio.gather(*(client.finished for client in clients))
        return first_bytes, [client.reasons for client in clients], time.perf_counter() - begun

    return with_fast_loop(main)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()
    port = free_port()
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from course.standin.server import listen, serve; "
    code += f"serve(listen(port={port}), workers={args.workers})"
    server = subprocess.Popen([sys.executable, "-c", code])
    try:
        wait_for(port)
        url = f"http://127.0.0.1:{port}/v1/messages"
        p99s, totals, errors = [], [], 0
        for number in range(args.rounds + 1):
            first_bytes, reasons, seconds = run(url, port, args.clients)
            errors += sum(each != ["tool_use", "end_turn"] for each in reasons)
            if number:  # the first round warms up
                p99s.append(1000 * statistics.quantiles(first_bytes, n=100, method="inclusive")[98])
                totals.append(1000 * seconds)
    finally:
        server.terminate()
        server.wait(timeout=20)
    print(f"{machine()}; {args.clients} clients, {args.workers} worker(s), {args.rounds} rounds")
    print(
        f"  p99 to first byte: median {statistics.median(p99s):.0f} ms, worst round {max(p99s):.0f} ms (budget 100 ms)"
    )
    print(f"  both turns of all clients: median {statistics.median(totals):.0f} ms; errors: {errors}")


if __name__ == "__main__":
    main()
