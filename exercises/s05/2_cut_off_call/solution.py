"""Exercise s05/2: the call that was cut off.

The reply ends at MAX_TOKENS, in the middle of a call: half of the people are missing from it. The program runs the
call all the same, and sends a wrong invitation. Repair `agent_loop`: no call of such a reply is run; if it stays in the
history, Claude hears, as an error, that it was not run. The next prompt works all the same, in the same conversation.

Run    python my/s05_2_cut_off_call.py
Check  course check s05/2

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
MAX_TURNS = 10
TODAY = datetime.date.today()
TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}. The team is {', '.join(TEAM)}."
PROMPTS = [
    "Book half an hour tomorrow at 14:00 for me to prepare, and a meeting with the whole team from 15:00 to 16:00.",
    "What have you booked?",
]

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
    print(f"  created: {title}, {len(attendees)} invited")
    return f"Created: {title}, {start} to {end}, {len(attendees)} invited"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = create_calendar_event(**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` can be sent again wherever this ends."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        print(f"stop_reason: {reply.stop_reason}")
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if reply.stop_reason == "tool_use":
            results = [run_tool(call) for call in calls]
        else:  # a call needs its answer all the same, or the API refuses the history
            failed = {"content": f"Error: not run, the reply ended with {reply.stop_reason}", "is_error": True}
            results = [{"type": "tool_result", "tool_use_id": call.id, **failed} for call in calls]
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason != "tool_use":
            break
    return reply


def main():
    messages = []
    for prompt in PROMPTS:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": prompt})
        reply = agent_loop(messages)
        print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")
        if reply.stop_reason != "end_turn":
            print(f"(stopped early: {reply.stop_reason})")


if __name__ == "__main__":
    main()
