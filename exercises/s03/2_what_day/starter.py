"""Exercise s03/2: what day is it?

"Tomorrow" means nothing to Claude unless somebody says what day it is. This program means to, and Claude asks all the
same. Find out what Claude really gets to read, and repair it: it has to be right next week too.

Run    python my/s03_2_what_day.py
Check  course check s03/2

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import datetime
import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
TODAY = datetime.date.today()
SYSTEM = "You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPT = "Book tennis with mia@example.com tomorrow from 18:00 to 19:00."

TOOLS = [
    {
        "name": "create_calendar_event",
        "description": "Put an event into the user's calendar and invite people.",
        "input_schema": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "start": {"type": "string", "format": "date-time"},
                "end": {"type": "string", "format": "date-time"},
                "attendees": {"type": "array", "items": {"type": "string", "format": "email"}},
            },
            "required": ["title", "start", "end"],
        },
    }
]


def create_calendar_event(title, start, end, attendees=()):
    return f"Created: {title}, {start} to {end}, {len(attendees)} invited"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = create_calendar_event(**call.input)
    print(f"  create_calendar_event -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` grows on the way."""
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
