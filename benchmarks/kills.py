"""Lesson 10, killed at random moments: is there always a history, and does the API take it?

    python benchmarks/kills.py [--kills 100] [--seed 1]

Each process is killed (SIGKILL; on Windows TerminateProcess) at a moment by chance after its first reply, and another
one goes on with its file, until one comes to its end. Replies and tools take a twentieth of a second each, so that
kills fall into both. Counted: files that do not load, requests that are refused, wrong answers, all of which should be
0; and the requests that told Claude of a call that was lost. The stand-in repeats such a call once; that a page could
not be read, as it was lost twice, is a right answer, too.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from load import machine

from course.standin import server
from course.standin.app import Exchange, create_app
from course.standin.core import Pause, Response, handle

SCRIPT = Path(__file__).parents[1] / "agents" / "s10_api_errors.py"
SLOW = 0.05  # seconds of a reply, and of a tool
LONGEST = 0.3  # seconds from the first reply to the kill; a whole run takes a little less
ANSWER = "2.9 (page 2) and 3.1 (page 2)"
LOST = "interrupted, may have partly run"
PROGRAM = f"""
import runpy, sys, time
script = runpy.run_path(sys.argv[1])
read = script["FUNCTIONS"]["read_report"]
def slowly(**given):
    time.sleep({SLOW})
    return read(**given)
script["FUNCTIONS"]["read_report"] = slowly
del sys.argv[1]
script["main"]()
"""


def slowly(*request: object) -> Response:
    """The stand-in, which takes its time."""
    response = handle(*request)  # type: ignore[arg-type]
    response.chunks = [Pause(SLOW), *response.chunks]  # type: ignore[misc]
    return response


def run(file: Path, base_url: str, exchanges: list[Exchange], after: float) -> str:
    """One process, killed so many seconds after its first reply; what it printed if it came to its end before."""
    env = os.environ | {"ANTHROPIC_BASE_URL": base_url, "ANTHROPIC_API_KEY": "check", "NO_PROXY": "*"}
    seen = len(exchanges)
    command = [sys.executable, "-c", PROGRAM, str(SCRIPT), "--resume", str(file)]
    child = subprocess.Popen(
        command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, encoding="utf-8"
    )
    while child.poll() is None and len(exchanges) == seen:
        time.sleep(0.002)
    try:
        out, _ = child.communicate(timeout=after)
        return out
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    exchanges: list[Exchange] = []
    running = server.start(lambda: create_app(slowly, exchanges.append))
    kills = broken = runs = wrong = 0
    try:
        with tempfile.TemporaryDirectory() as folder:
            while kills < args.kills:
                file, out = Path(folder, f"{runs}.json"), ""
                while not out:
                    last = kills >= args.kills
                    out = run(file, running.base_url, exchanges, 60 if last else chance.uniform(0, LONGEST))
                    kills += not out
                    try:
                        json.loads(file.read_text(encoding="utf-8"))
                    except (OSError, ValueError):
                        broken += 1
                runs += 1
                wrong += ANSWER not in out and LOST not in out
    finally:
        running.stop()
    refused = sum(each.status != 200 for each in exchanges)
    told = sum(LOST.encode() in each.body for each in exchanges)
    print(machine())
    print(f"{kills} kills in {runs} runs, {len(exchanges)} requests, {told} of which told Claude of a lost call")
    print(f"histories that did not load: {broken}, requests refused: {refused}, runs with a wrong end: {wrong}")
    return int(bool(broken or refused or wrong))


if __name__ == "__main__":
    sys.exit(main())
