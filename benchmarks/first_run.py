"""What the stand-in adds to a learner's first run: s01 with the stand-in inside it, against the bare SDK.

    python benchmarks/first_run.py [--runs 21]

Both make the same two calls, each in a process of its own; the bare SDK calls a server that is already running. Runs
alternate; what counts is the ratio of the medians of wall-clock time. Budget: 1.10.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from load import machine

ROOT = Path(__file__).parents[1]
BUDGET = 1.10

BARE = """
import anthropic
client = anthropic.Anthropic()
tools = [{
    "name": "get_weather",
    "description": "Get today's weather in one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}]
messages = [{"role": "user", "content": "What should I wear in Austin today?"}]
ask = {"model": "claude-sonnet-5-5", "max_tokens": 8000, "tools": tools, "messages": messages}
reply = client.messages.create(**ask)
call = reply.content[-1]
messages.append({"role": "assistant", "content": reply.content})
result = {"type": "tool_result", "tool_use_id": call.id, "content": "Weather in Austin: 95F, sunny"}
messages.append({"role": "user", "content": [result]})
print(client.messages.create(**ask).content[-1].text)
"""


def seconds(command: list[str], env: dict[str, str]) -> float:
    """Wall-clock time of one run. Raises CalledProcessError if it fails."""
    begun = time.perf_counter()
    subprocess.run(command, env=env, check=True, capture_output=True)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=21)
    args = parser.parse_args()

    sys.path.insert(0, str(ROOT))
    from course.standin.server import start

    server = start()
    keep = ("PATH", "HOME", "SYSTEMROOT", "TEMP", "USERPROFILE", "APPDATA")
    plain = {name: os.environ[name] for name in keep if name in os.environ}
    running = plain | {"ANTHROPIC_BASE_URL": server.base_url, "ANTHROPIC_API_KEY": "key", "NO_PROXY": "*"}
    with tempfile.TemporaryDirectory() as scratch:
        bare = Path(scratch) / "bare.py"
        bare.write_text(BARE, encoding="utf-8")
        variants = {
            "bare SDK, server running": ([sys.executable, str(bare)], running),
            "s01 with the stand-in": ([sys.executable, str(ROOT / "agents" / "s01_agent_loop.py")], plain),
        }
        times: dict[str, list[float]] = {name: [] for name in variants}
        for number in range(args.runs + 1):
            for name, (command, env) in variants.items():
                took = seconds(command, env)
                if number:  # the first round fills the caches
                    times[name].append(took)
    server.stop()

    print(f"{machine()}; {args.runs} runs each, alternating")
    for name, took in times.items():
        print(f"  {name:26} median {1000 * statistics.median(took):6.0f} ms   least {1000 * min(took):6.0f} ms")
    bare_times, ours = times.values()
    ratio = statistics.median(ours) / statistics.median(bare_times)
    print(f"  ratio of medians {ratio:.3f} (budget {BUDGET:.2f}), of the least {min(ours) / min(bare_times):.3f}")


if __name__ == "__main__":
    main()
