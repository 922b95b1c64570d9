"""Exercise s01/3: a second tool.

Claude can look up the weather but not the time. The function `get_time` is there; Claude has never heard of it.
Extend the program: describe the tool in TOOLS and enter it in FUNCTIONS.

Run    python my/s01_3_second_tool.py
Check  course check s01/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
PROMPT = "What is the weather in Chengdu, and what time is it there?"

WEATHER = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}
TIME = {"Austin": "03:40", "Berlin": "10:40", "Chengdu": "17:40", "Oslo": "10:40"}

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The city's name in English, as in Austin"}},
            "required": ["city"],
        },
    },
    # TODO: the second tool
]


def get_weather(city):
    return f"Weather in {city}: {WEATHER[city]}"


def get_time(city):
    return f"Local time in {city}: {TIME[city]}"


FUNCTIONS = {"get_weather": get_weather}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = FUNCTIONS[call.name](**call.input)
    print(f"  {call.name}({call.input}) -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
