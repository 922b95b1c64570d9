"""Exercise s13/3: every ending.

A script for Claude, one reply a line, leads this loop to its first ending. Add scripts that lead it to the other five:
a call that is cut off, a refusal, an empty answer, the limit of turns, an API that stays overloaded.

Run    python my/s13_3_every_ending.py
Check  course check s13/3

No key is needed: Claude says what SCRIPTS holds.
"""

import os

import anthropic
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
SCRIPTS = {  # what Claude says, one reply a line
    "answered": """
        get_weather(city='Oslo')
        'Take a coat.'
    """,
    # TODO: the other five endings.
    "cut_off": "",
    "refused": "",
    "empty": "",
    "limit": "",
    "overloaded": "",
}


def agent_loop(client, messages):
    for _ in range(MAX_TURNS):
        reply = client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "assistant", "content": reply.content})
        results = []
        for call in reply.content:
            if call.type == "tool_use":
                text = WEATHER.get(call.input.get("city"), "Error: unknown city")
                results.append({"type": "tool_result", "tool_use_id": call.id, "content": text})
        messages.append({"role": "user", "content": results})
    return reply


def ending(client):
    """Where the loop ends up: one of the names in SCRIPTS, or what else happened."""
    try:
        reply = agent_loop(client, [{"role": "user", "content": "What should I wear in Oslo?"}])
    except anthropic.APIStatusError as error:
        return "overloaded" if error.status_code == 529 else f"error {error.status_code}"
    kinds = [block.type for block in reply.content]
    if reply.stop_reason == "max_tokens":
        return "cut_off" if "tool_use" in kinds else "max_tokens without a call"
    if reply.stop_reason == "end_turn":
        return "answered" if "text" in kinds else "empty"
    return {"tool_use": "limit", "refusal": "refused"}.get(reply.stop_reason, reply.stop_reason)


def main():
    for name, script in SCRIPTS.items():
        reached, problem = "nothing, the script is empty", ""
        if script.strip():
            try:
                with claude() as it:
                    it.says(script)
                    reached = ending(it.client)
            except (ValueError, AssertionError) as error:
                problem = str(error).splitlines()[0]
        print(f"{name} -> {problem or reached}")


if __name__ == "__main__":
    main()
