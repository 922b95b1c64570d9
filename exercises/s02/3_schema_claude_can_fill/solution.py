"""Exercise s02/3: a schema that Claude can fill.

`create_calendar_event` takes a reminder, but the schema does not say so. Extend the schema by `reminder`: an object
with `minutes`, a whole number, and `method`, one of METHODS; both are needed. Leave the function as it is.

Run    python my/s02_3_schema_claude_can_fill.py
Check  course check s02/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
PROMPT = "Schedule a sync on Monday, September 13, 2027 from 10:00 to 10:30. Remind me by e-mail 15 minutes before."
METHODS = ["email", "popup"]

TOOLS = [
    {
        "name": "create_calendar_event",
        "description": "Put an event into the user's calendar and set a reminder.",
        "input_schema": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "start": {"type": "string", "format": "date-time"},
                "end": {"type": "string", "format": "date-time"},
                "reminder": {
                    "type": "object",
                    "properties": {
                        "minutes": {"type": "integer", "description": "How many minutes before the start"},
                        "method": {"type": "string", "enum": METHODS},
                    },
                    "required": ["minutes", "method"],
                },
            },
            "required": ["title", "start", "end"],
        },
    }
]


def create_calendar_event(title, start, end, reminder=None):
    if reminder is None:
        return f"Created: {title}, {start} to {end}, no reminder"
    minutes, method = reminder["minutes"], reminder["method"]
    if method not in METHODS or not isinstance(minutes, int):
        raise ValueError(f"a reminder of {minutes!r} minutes by {method!r} cannot be set")
    return f"Created: {title}, {start} to {end}, reminder by {method} {minutes} minutes before"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = create_calendar_event(**call.input)
    print(f"  create_calendar_event -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        tools=TOOLS,
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
        messages=messages,
    )


def single_turn(messages):
    """Ask; if Claude asks for the tool, run it and ask once more; return the last reply."""
    reply = ask_claude(messages)
    messages.append({"role": "assistant", "content": reply.content})
    if reply.stop_reason == "tool_use":
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
        reply = ask_claude(messages)
    return reply


def main():
    print(f"> {PROMPT}")
    reply = single_turn([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
