"""A room of learners: each does the two-turn loop by streaming, with the real SDK, against one `course serve`.

    python benchmarks/many_learners.py [--learners 100] [--rounds 3]

All begin at the same moment, and the SDK may not retry. Budget: no error. (many_clients.py measures the server alone.)
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import time
from typing import Any

import anthropic
from load import free_port, machine, wait_for
from many_clients import CITIES, TOOL


async def learner(url: str, number: int) -> tuple[list[str], float]:
    """One loop: the stop reasons of its turns, or the error that ended it; and the seconds it took."""
    messages: list[Any] = [{"role": "user", "content": f"What should I wear in {CITIES[number % len(CITIES)]} today?"}]
    reasons: list[str] = []
    begun = time.perf_counter()
    try:
        async with anthropic.AsyncAnthropic(base_url=url, api_key="none", max_retries=0) as client:
            while len(reasons) < 3 and reasons[-1:] != ["end_turn"]:
                async with client.messages.stream(
                    model="claude-sonnet-5-5", max_tokens=8000, tools=[TOOL], messages=messages
                ) as stream:
                    reply = await stream.get_final_message()
                reasons.append(str(reply.stop_reason))
                calls = [block for block in reply.content if block.type == "tool_use"]
                results = [{"type": "tool_result", "tool_use_id": call.id, "content": "41F, rain"} for call in calls]
                messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
    except anthropic.AnthropicError as error:
        reasons.append(repr(error))
    return reasons, time.perf_counter() - begun


async def room(url: str, learners: int) -> list[tuple[list[str], float]]:
    return await asyncio.gather(*(learner(url, number) for number in range(learners)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--learners", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    port = free_port()
    server = subprocess.Popen([sys.executable, "-m", "course", "serve", "--port", str(port)], stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        done = [
            each for _ in range(args.rounds) for each in asyncio.run(room(f"http://127.0.0.1:{port}", args.learners))
        ]
    finally:
        server.terminate()
        server.wait(timeout=20)
    wrong = [reasons for reasons, _ in done if reasons != ["tool_use", "end_turn"]]
    seconds = [taken for _, taken in done]
    print(f"{machine()}; {args.learners} learners, {args.rounds} rounds")
    print(f"  both turns, SDK included: median {statistics.median(seconds):.1f} s, slowest {max(seconds):.1f} s")
    print(f"  errors: {len(wrong)}", *wrong[:3])


if __name__ == "__main__":
    main()
