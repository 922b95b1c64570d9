"""Exercise s01/1: close the loop.

Claude asks for the weather and the tool runs, but nobody tells Claude what came out. Complete `agent_loop`: send the
results back and ask again, until Claude asks for no tool. At most MAX_TURNS requests; `main` prints the last reply.

Run    python my/s01_1_close_the_loop.py
Check  course check s01/1

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
PROMPT = "Is it warmer in Oslo or in Austin today?"

WEATHER = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}

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
    return f"Weather in {city}: {WEATHER[city]}"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = get_weather(**call.input)
    print(f"  get_weather({call.input}) -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    reply = ask_claude(messages)
    results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
    # TODO: Claude has not seen `results` yet, and may want another tool after that.
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
