"""s03: many turns.

The tool of s02 in the loop of s01. The history is one list: every reply and every result is added to it, and all of it
is sent each time. Claude knows no calendar date, so the system prompt says what day it is.

    messages = [prompt] --> ask_claude --> + reply --> run_tools --> + results --> ask_claude --> ...

Run         python agents/s03_multi_turn.py ["Book tennis with mia@example.com tomorrow from 6 to 7pm"]
Costs       nothing without a key; with one, three requests, at most 0.02 USD
Leaves out  several calls at the same time (s04), tools that fail and what else can end a run (s05)
"""

import datetime
import json
import os
import sys

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPT = (
    "Schedule a weekly team standup every Monday at 9am for the next 4 weeks, 15 minutes each, with ana@example.com "
    "and ben@example.com. Then book a one-hour retro with them at 2pm on the day of the last standup."
)

CALENDAR = []  # stands for a calendar server
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
    }
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


FUNCTIONS = {"create_calendar_event": create_calendar_event}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = FUNCTIONS[call.name](**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def run_tools(reply):
    """Run every call in the reply; return one result for each, in the same order."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    results = [run_tool(call) for call in calls]
    for call, result in zip(calls, results):
        show_call(call, result)
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
