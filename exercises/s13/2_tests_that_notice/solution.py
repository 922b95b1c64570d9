"""Exercise s13/2: tests that notice.

These two tests pass, and they would pass on any of the six broken loops, too. Repair the tests, or write others: the
right loop passes all of them, and each broken one fails at least one. `agent_loop` stays as it is.

Run    python my/s13_2_tests_that_notice.py
Check  course check s13/2

No key is needed: in each test Claude says what the test has written down.
"""

import functools
import os

from course import load_env
from course.testing import claude

load_env()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 3
WEATHER = {"Oslo": "5C, rain", "Berlin": "9C, cloudy"}
TOOLS = [
    {
        "name": "get_weather",
        "description": "Get the weather of a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
BROKEN = {
    "first_only": "answers the first of several calls",
    "mixed_up": "gives the results to the wrong calls",
    "no_error": "does not mark what failed",
    "cut_off": "runs the calls of a reply that was cut off",
    "one_round": "ends after one round of calls",
    "no_limit": "goes on for ever",
}


def agent_loop(client, prompt, broken=""):
    """The loop in short. `broken` names the mistake that it makes. Returns the last reply."""
    messages = [{"role": "user", "content": prompt}]
    for turn in range(1000 if broken == "no_limit" else MAX_TURNS):
        reply = client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if reply.stop_reason != "tool_use" and not (broken == "cut_off" and calls):
            break
        if broken == "one_round" and turn > 0:
            break
        texts = [WEATHER.get(call.input.get("city"), "Error: unknown city") for call in calls]
        if broken == "mixed_up":
            texts.reverse()
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": text.startswith("Error")}
            for call, text in zip(calls, texts)
        ]
        if broken == "no_error":
            results = [{**result, "is_error": False} for result in results]
        messages.append({"role": "user", "content": results[:1] if broken == "first_only" else results})
    return reply


def test_two_calls(claude, loop):
    claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
    loop(claude.client, "Oslo or Berlin?")
    assert [result["content"] for result in claude.results] == [WEATHER["Oslo"], WEATHER["Berlin"]]


def test_unknown_city(claude, loop):
    claude.says("get_weather(city='Atlantis')", "'There is no such city.'")
    loop(claude.client, "What should I wear in Atlantis?")
    assert claude.results[0]["is_error"]


def test_cut_off(claude, loop):
    claude.says("get_weather(city='Oslo') max_tokens")
    loop(claude.client, "What should I wear in Oslo?")


def test_limit(claude, loop):
    claude.says(*["get_weather(city='Oslo')"] * MAX_TURNS)
    loop(claude.client, "What should I wear in Oslo?")


def failing(broken):
    """What each failing test says, by its name."""
    failed = {}
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            try:
                with claude() as it:
                    test(it, functools.partial(agent_loop, broken=broken))
            except Exception as error:
                failed[name] = f"{type(error).__name__}: {error}".splitlines()[0]
    return failed


def main():
    for name, error in failing("").items():
        print(f"right: {name} fails, {error}")
    for broken, what in BROKEN.items():
        failed = failing(broken)
        print(f"{broken} ({what}): {'noticed by ' + ', '.join(failed) if failed else 'not noticed'}")


if __name__ == "__main__":
    main()
