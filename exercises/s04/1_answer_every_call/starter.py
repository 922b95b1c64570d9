"""Exercise s04/1: answer every call.

Claude asks for three cities in one reply. The program runs the first call and forgets the others. Complete
`run_tools`: run every call of the reply, and return one result for each.

Run    python my/s04_1_answer_every_call.py
Check  course check s04/1

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
PROMPT = "Which is the warmest today: Oslo, Austin or Chengdu?"

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


def run_tools(reply):
    """Run every call in the reply; return one result for each, in the same order."""
    for block in reply.content:
        if block.type == "tool_use":
            return [run_tool(block)]  # TODO: the reply may hold more than one call


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
