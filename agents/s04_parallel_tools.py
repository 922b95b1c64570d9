"""s04: tools side by side.

Claude may ask for several calls in one reply. They are independent, so they run at the same time; their results go
back in one message, in the order of the calls. A second tool reads the calendar.

    reply = [call A, call B, call C] --> run_tools --> A, B, C on threads --> one message [result A, result B, result C]

Run         python agents/s04_parallel_tools.py ["Which of my next three days is the quietest?"]
Costs       nothing without a key; with one, three requests, at most 0.03 USD
Leaves out  tools that fail and what else can end a run (s05)
"""

import datetime
import json
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPT = "Book an hour with ana@example.com next week on Monday, Tuesday or Wednesday between 9 and 12, when I am free."

MONDAY = TODAY + datetime.timedelta(days=7 - TODAY.weekday())
DAILY = {"frequency": "daily", "count": 5}
CALENDAR = [  # stands for a calendar server
    {"title": "Standup", "start": f"{MONDAY}T09:00", "end": f"{MONDAY}T09:15", "recurrence": DAILY},
    {"title": "Board meeting", "start": f"{MONDAY}T09:30", "end": f"{MONDAY}T12:00", "recurrence": None},
]
STEPS = {"daily": 1, "weekly": 7}  # days from one date of a series to the next

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
                "recurrence": {
                    "type": "object",
                    "properties": {
                        "frequency": {"type": "string", "enum": ["daily", "weekly"]},
                        "count": {"type": "integer", "description": "How many times in all"},
                    },
                    "required": ["frequency", "count"],
                },
            },
            "required": ["title", "start", "end"],
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


def create_calendar_event(title, start, end, attendees=(), recurrence=None):
    """Keep the event; say what was created, the last date of a series too, so that Claude can go on from there."""
    event = {"title": title, "start": start, "end": end, "recurrence": recurrence}
    last = days_of(event)[-1]
    CALENDAR.append(event)
    times = f", {recurrence['frequency']}, {recurrence['count']} times, last on {last}" if recurrence else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


def days_of(event):
    """The dates of an event: one, or all of a series."""
    first = datetime.date.fromisoformat(event["start"][:10])
    repeat = event["recurrence"] or {"frequency": "daily", "count": 1}
    return [first + datetime.timedelta(days=STEPS[repeat["frequency"]] * n) for n in range(repeat["count"])]


def list_calendar_events(date):
    """List the events of one day, repeated ones too, as slowly as a server far away."""
    time.sleep(1)
    day = datetime.date.fromisoformat(date)
    found = [event for event in CALENDAR if day in days_of(event)]
    lines = sorted(f"{event['start'][11:16]}-{event['end'][11:16]} {event['title']}" for event in found)
    return f"{date}: {', '.join(lines) or 'free'}"


FUNCTIONS = {"create_calendar_event": create_calendar_event, "list_calendar_events": list_calendar_events}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = FUNCTIONS[call.name](**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def run_tools(reply):
    """Run every call in the reply at the same time; return one result for each, in the order of the calls."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    start = time.perf_counter()
    with ThreadPoolExecutor(max_workers=16) as pool:
        results = list(pool.map(run_tool, calls))  # map keeps the order, whichever call ends first
    for call, result in zip(calls, results):
        show_call(call, result)
    print(f"  ({time.perf_counter() - start:.1f} s in all)")
    return results


def show_call(call, result):
    print(f"  {call.name}({json.dumps(call.input, ensure_ascii=False)}) -> {result['content']}")


def ask_claude(messages):
    """Send the whole history, because the API remembers nothing; return one reply."""
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` grows on the way."""
    for turn in range(1, MAX_TURNS + 1):
        reply = ask_claude(messages)
        print(f"turn {turn}: {reply.stop_reason}")
        messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "user", "content": run_tools(reply)})
    return reply


def main():
    prompt = " ".join(sys.argv[1:]) or PROMPT
    print(f"> {prompt}")
    reply = agent_loop([{"role": "user", "content": prompt}])
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason == "tool_use":
        print(f"(stopped: the limit of {MAX_TURNS} turns is reached)")
    elif reply.stop_reason != "end_turn":
        print(f"(stopped early: {reply.stop_reason})")


if __name__ == "__main__":
    main()
