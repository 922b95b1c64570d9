"""Exercise s05/3: a turn limit.

Claude looks for a free day and would look for ever. Extend `agent_loop`: after MAX_TURNS requests for one prompt it
stops and prints that it did. Then the user says something else, in the same conversation, and that has to work.

Run    python my/s05_3_turn_limit.py
Check  course check s05/3

Without a key, and with PROMPTS as it is, a run shows what the check shows.
"""

import datetime
import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 5
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPTS = ["What is my next free day? Look at one day after the other.", "Stop looking. Which days have you seen?"]

TOOLS = [
    {
        "name": "list_calendar_events",
        "description": "List the events of one day.",
        "input_schema": {
            "type": "object",
            "properties": {"date": {"type": "string", "format": "date"}},
            "required": ["date"],
        },
    }
]


def list_calendar_events(date):
    return f"{date}: 09:00-17:00 Workshop"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = list_calendar_events(**call.input)
    print(f"  list_calendar_events -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` can be sent again wherever this ends."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return reply
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
    print(f"(stopped: the limit of {MAX_TURNS} turns is reached)")
    return reply


def main():
    messages = []
    for prompt in PROMPTS:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": prompt})
        reply = agent_loop(messages)
        print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
