"""Requests per second of the stand-in and of published mocks of this API: in one run, a process each, the same request.

    python benchmarks/mocks.py [--seconds 3] [--rounds 5] [--clients 16] [--cache FOLDER]

The mocks are installed into the folder (default: a temporary one) by pip and npm. Runs alternate, so that what else the
machine does falls on all alike; the table shows medians over the rounds. All rules of the stand-in are on. Each mock is
given one fixture that answers the request, and is told to log as little as it can. One that answers a request for a
stream with JSON has no place in the streaming table.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import urllib.request
import venv
from collections.abc import Callable
from pathlib import Path

from load import free_port, load, machine, wait_for

ROOT = Path(__file__).parents[1]
TEXT = "Hello! How can I help you today?"
BODY = {"model": "claude-sonnet-5-5", "max_tokens": 1000, "messages": [{"role": "user", "content": "Hello"}]}


def pip_install(folder: Path, name: str) -> Path:
    """The script of a PyPI package in an environment of its own."""
    scripts = folder / name / ("Scripts" if sys.platform == "win32" else "bin")
    if not (scripts / name).exists():
        venv.create(folder / name, with_pip=True)
        subprocess.run([scripts / "python", "-m", "pip", "install", "-q", name], check=True)
    return scripts / name


def stand_in(folder: Path, port: int) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from course.standin.server import listen, serve; "
    return [sys.executable, "-c", f"{code}serve(listen(port={port}))"]


def aimock(folder: Path, port: int) -> list[str]:
    npm = shutil.which("npm")
    assert npm, "npm is needed to install aimock"
    command = folder / "npm" / "node_modules" / ".bin" / "llmock"
    if not command.exists():
        (folder / "npm").mkdir(exist_ok=True)
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", "@copilotkit/aimock"]
        subprocess.run([*install, "--prefix", str(folder / "npm")], check=True)
    fixture = folder / "aimock.json"
    rules = [{"match": {"userMessage": "Hello"}, "response": {"content": TEXT}}]
    fixture.write_text(json.dumps({"fixtures": rules}), encoding="utf-8")
    return [str(command), "-p", str(port), "-f", str(fixture), "--log-level", "silent", "--journal-max", "1"]


def fakellm(folder: Path, port: int) -> list[str]:
    config = folder / "fakellm.yaml"
    rule = {"name": "hello", "when": {"messages_contain": "Hello"}, "respond": {"content": TEXT}}
    config.write_text(json.dumps({"rules": [rule]}), encoding="utf-8")
    return [str(pip_install(folder, "fakellm")), "serve", "--port", str(port), "--config", str(config)]


def stubllm(folder: Path, port: int) -> list[str]:
    config = folder / "stubllm.yaml"
    match = {"provider": "any", "messages": [{"role": "user", "content": {"contains": "Hello"}}]}
    config.write_text(
        json.dumps({"fixtures": [{"name": "hello", "match": match, "response": {"content": TEXT}}]}), encoding="utf-8"
    )
    command = [str(pip_install(folder, "stubllm")), "serve", "--port", str(port), "--fixture-file", str(config)]
    return [*command, "--log-level", "error"]


def mocktopus(folder: Path, port: int) -> list[str]:
    config = folder / "mocktopus.yaml"
    rule = {"type": "llm.openai", "when": {"messages_contains": "Hello"}, "respond": {"content": TEXT}}
    config.write_text(json.dumps({"version": 1, "rules": [rule]}), encoding="utf-8")
    return [str(pip_install(folder, "mocktopus")), "serve", "-s", str(config), "-p", str(port)]


SERVERS: dict[str, Callable[[Path, int], list[str]]] = {
    "stand-in": stand_in,
    "aimock": aimock,
    "mocktopus": mocktopus,
    "stubllm": stubllm,
    "fakellm": fakellm,
}


def measure(folder: Path, seconds: float, rounds: int, clients: int) -> None:
    running = {}
    results: dict[tuple[str, bool], list] = {}
    try:
        for name, make in SERVERS.items():
            port = free_port()
            command = make(folder, port)
            log = (folder / f"{name}.log").open("wb")
            process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=environment())
            running[name] = (process, f"http://127.0.0.1:{port}/v1/messages")
            wait_for(port)
        streaming = {name for name, (_, url) in running.items() if streams(url)}
        for number in range(rounds + 1):
            for stream in (False, True):
                for name, (_, url) in running.items():
                    if stream and name not in streaming:
                        continue
                    # The first round warms everything up and is not counted.
                    result = load(url, BODY | ({"stream": True} if stream else {}), seconds if number else 1, clients)
                    if number:
                        results.setdefault((name, stream), []).append(result)
    finally:
        for process, _ in running.values():
            process.terminate()
            process.wait(timeout=20)
    report(results, rounds, seconds, clients)


def streams(url: str) -> bool:
    """Whether a server answers a request for a stream with server-sent events."""
    headers = {"content-type": "application/json", "x-api-key": "key", "anthropic-version": "2023-06-01"}
    request = urllib.request.Request(url, json.dumps(BODY | {"stream": True}).encode(), headers)
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(request, timeout=20) as response:
        return response.headers.get_content_type() == "text/event-stream"


def environment() -> dict[str, str]:
    keep = ("PATH", "HOME", "SYSTEMROOT", "TEMP", "LANG")
    return {name: os.environ[name] for name in keep if name in os.environ}


def report(results: dict[tuple[str, bool], list], rounds: int, seconds: float, clients: int) -> None:
    print(f"{machine()}; {rounds} rounds of {seconds:g} s, {clients} clients, medians\n")
    for stream in (False, True):
        print("streaming" if stream else "not streaming")
        print(f"  {'server':12} {'requests/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'errors':>7}")
        for name in SERVERS:
            runs = results.get((name, stream))
            if not runs:
                print(f"  {name:12} answers with JSON")
                continue
            rate = statistics.median(run.rate for run in runs)
            p50, p99 = (statistics.median(run.percentile(percent) for run in runs) for percent in (50, 99))
            print(f"  {name:12} {rate:10,.0f} {p50:8.2f} {p99:8.2f} {sum(run.errors for run in runs):7}")
        print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--cache", type=Path, help="where the mocks are, or will be, installed")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = args.cache or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        measure(folder, args.seconds, args.rounds, args.clients)


if __name__ == "__main__":
    main()
