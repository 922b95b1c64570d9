"""Exercise s05/1: failure is an answer.

Claude calls a tool that does not exist, and invites more people than the calendar takes. Both end the program.
Complete `run_tool`: whatever goes wrong becomes a result with `is_error` that says what was wrong, so that Claude can
do better.

Run    python my/s05_1_failure_is_an_answer.py
Check  course check s05/1

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
MAX_ATTENDEES = 3
TODAY = datetime.date.today()
TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}. The team is {', '.join(TEAM)}."
PROMPT = "Clear my calendar for tomorrow, and book a meeting with the whole team tomorrow at 15:00 for an hour."

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
    if len(attendees) > MAX_ATTENDEES:
        raise ValueError(f"{len(attendees)} attendees, but one event takes at most {MAX_ATTENDEES}")
    return f"Created: {title}, {start} to {end}, {len(attendees)} invited"


FUNCTIONS = {"create_calendar_event": create_calendar_event}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    # TODO: the tool may not exist, and it may raise.
    result = FUNCTIONS[call.name](**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def run_tools(reply):
    """Run every call in the reply; return one result for each, in the same order."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    results = [run_tool(call) for call in calls]
    for call, result in zip(calls, results):
        print(f"  {call.name} -> {result['content']}")
    return results


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


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
