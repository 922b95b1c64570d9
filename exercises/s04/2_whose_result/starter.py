"""Exercise s04/2: whose result is it?

The calls run side by side, and some weather stations are slower than others. Claude says that Oslo is the warmest. No
error anywhere. Find out which result goes back with which id, and repair `run_tools`. The calls must stay side by
side.

Run    python my/s04_2_whose_result.py
Check  course check s04/2

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
PROMPT = "Which is the warmest today: Oslo, Austin or Chengdu?"

WEATHER = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}
SECONDS = {"Austin": 0.1, "Chengdu": 0.2, "Oslo": 0.3}  # until the station answers

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The city's name in English, as in Austin"}},
            "required": ["city"],
        },
    }
]


def get_weather(city):
    print(f"  asking {city}")
    time.sleep(SECONDS.get(city, 0.1))
    print(f"  {city} answers")
    return f"Weather in {city}: {WEATHER[city]}"


def run_tool(call):
    """Run one tool_use block; return what the tool returned."""
    return get_weather(**call.input)


def run_tools(reply):
    """Run every call in the reply at the same time; return one result for each."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    with ThreadPoolExecutor() as pool:
        contents = [future.result() for future in as_completed([pool.submit(run_tool, call) for call in calls])]
    return [
        {"type": "tool_result", "tool_use_id": call.id, "content": content} for call, content in zip(calls, contents)
    ]


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "user", "content": run_tools(reply)})
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
