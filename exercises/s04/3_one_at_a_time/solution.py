"""Exercise s04/3: reading side by side, writing in turn.

Two bookings for one slot arrive in one reply. Both look, both see that it is free, both write: a double booking.
Extend `run_tools`: calls of READING run side by side as before, all others one after another, in the order of the
calls. The results still go back in the order of the calls.

Run    python my/s04_3_one_at_a_time.py
Check  course check s04/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import datetime
import os
import time
from concurrent.futures import ThreadPoolExecutor

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPT = (
    "Book tomorrow at 10:00 for the sync and, if that still works, for the review as well. "
    "And what is on tomorrow and the day after?"
)

CALENDAR = {}  # stands for a calendar server: start -> title
READING = {"list_calendar_events"}

TOOLS = [
    {
        "name": "create_calendar_event",
        "description": "Put an event into the user's calendar. Fails if the time is taken.",
        "input_schema": {
            "type": "object",
            "properties": {"title": {"type": "string"}, "start": {"type": "string", "format": "date-time"}},
            "required": ["title", "start"],
        },
    },
    {
        "name": "list_calendar_events",
        "description": "List the events of one day.",
        "input_schema": {
            "type": "object",
            "properties": {"date": {"type": "string", "format": "date"}},
            "required": ["date"],
        },
    },
]


def create_calendar_event(title, start):
    print(f"  booking {title}")
    free = start not in CALENDAR
    time.sleep(0.1)  # a server far away
    if not free:
        return f"Taken: {start} is for {CALENDAR[start]}"
    CALENDAR[start] = title
    return f"Created: {title}, {start}"


def list_calendar_events(date):
    print(f"  reading {date}")
    time.sleep(0.2)
    print(f"  {date} is read")
    return f"{date}: {', '.join(title for start, title in CALENDAR.items() if start.startswith(date)) or 'free'}"


FUNCTIONS = {"create_calendar_event": create_calendar_event, "list_calendar_events": list_calendar_events}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = FUNCTIONS[call.name](**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def run_tools(reply):
    """Run the calls in the reply; return one result for each, in the same order."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    with ThreadPoolExecutor() as pool:
        reading = {call.id: pool.submit(run_tool, call) for call in calls if call.name in READING}
        results = [reading[call.id].result() if call.id in reading else run_tool(call) for call in calls]
    for call, result in zip(calls, results):
        print(f"  {call.name}({call.input}) -> {result['content']}")
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
