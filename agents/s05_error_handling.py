"""s05: when things go wrong.

A failing tool does not end the run: its error is a result too, marked `is_error`, and Claude finds a way round it.
Each way for the loop to end gets a sentence of its own, and after each of them `messages` can be sent again.

    call --> unknown tool? wrong arguments? tool raises? --yes--> result with is_error, saying what and which
                                |
                                +--no--> result
    reply --> tool_use: run, go on | pause_turn: go on | anything else: stop | MAX_TURNS: stop

Run         python agents/s05_error_handling.py ["Invite everyone to lunch tomorrow at noon"]
Costs       nothing without a key; with one, three requests, at most 0.04 USD, and never more than MAX_TURNS requests
Leaves out  errors of the API itself and limits on what a tool may do
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
MAX_ATTENDEES = 10  # a limit of the calendar that Claude is not told before it meets it
TEAM = [f"{name}@example.com" for name in "ana ben chen dana emil fay gus hana ivan jo kim lee mia nina omar".split()]
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}. Everyone is {', '.join(TEAM)}."
PROMPT = "Schedule a one-hour all-hands with everyone next Wednesday at 15:00."

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

ENDINGS = {  # what to tell the reader, by the stop reason of the last reply
    "tool_use": f"Stopped, though Claude wanted a tool: {MAX_TURNS} turns are the limit, or its reply held no call.",
    "pause_turn": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Raise MAX_TURNS?",
    "max_tokens": "Cut off after MAX_TOKENS. A call in this reply may be incomplete, so none was run.",
    "refusal": "Claude declined. Change the prompt: unchanged, it will most likely be declined again.",
    "model_context_window_exceeded": "The conversation no longer fits into the model. Start a new one.",
}


def create_calendar_event(title, start, end, attendees=(), recurrence=None):
    """Keep the event, once all of it is known to be right; say what was created, the last date of a series too."""
    if len(attendees) > MAX_ATTENDEES:
        raise ValueError(f"attendees: {len(attendees)} people, but one event takes at most {MAX_ATTENDEES}")
    if not all("@" in str(person) for person in attendees):
        raise ValueError(f"attendees: expected a list of e-mail addresses, got {attendees!r}")
    start, end = read_time("start", start).isoformat(), read_time("end", end).isoformat()
    event = {"title": title, "start": start, "end": end, "recurrence": recurrence}
    try:
        last = days_of(event)[-1]
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise ValueError(f"recurrence: expected {' or '.join(STEPS)} and a count from 1, got {recurrence}") from error
    CALENDAR.append(event)
    times = f", {recurrence['frequency']}, {recurrence['count']} times, last on {last}" if recurrence else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


def read_time(name, text):
    """Read a date, with a time or without; an error names the argument, so that Claude knows what to mend."""
    try:
        return datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: expected a date as in 2026-12-07 or 2026-12-07T09:00, got {text!r}") from error


def days_of(event):
    """The dates of an event: one, or all of a series."""
    first = datetime.date.fromisoformat(event["start"][:10])
    repeat = event["recurrence"] or {"frequency": "daily", "count": 1}
    return [first + datetime.timedelta(days=STEPS[repeat["frequency"]] * n) for n in range(repeat["count"])]


def list_calendar_events(date):
    """List the events of one day, repeated ones too, as slowly as a server far away."""
    day = read_time("date", date).date()
    time.sleep(1)
    found = [event for event in CALENDAR if day in days_of(event)]
    lines = sorted(f"{event['start'][11:16]}-{event['end'][11:16]} {event['title']}" for event in found)
    return f"{date}: {', '.join(lines) or 'free'}"


FUNCTIONS = {"create_calendar_event": create_calendar_event, "list_calendar_events": list_calendar_events}


def tool_result(call, content, is_error=False):
    return {"type": "tool_result", "tool_use_id": call.id, "content": sendable(content), "is_error": is_error}


def sendable(text):
    """Replace halves of characters (lone surrogates), which no request can hold."""
    return text.encode(errors="replace").decode()


def mend(reply):
    """Make a reply fit to be sent back: no blank text, no halves of characters, an id of its own for each call."""
    reply.content = [block for block in reply.content if block.type != "text" or block.text.strip()]
    ids = set()
    for block in reply.content:
        if block.type == "text":
            block.text = sendable(block.text)
        elif block.type == "tool_use":
            block.input = json.loads(sendable(json.dumps(block.input, ensure_ascii=False)))
            while block.id in ids:
                block.id += "_"
            ids.add(block.id)
    return reply


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    if call.name not in FUNCTIONS:
        return tool_result(call, f"Error: no tool {call.name}; there are {', '.join(FUNCTIONS)}", is_error=True)
    try:
        result = FUNCTIONS[call.name](**call.input)
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    except Exception as error:
        return tool_result(call, f"Error: {type(error).__name__}: {error}", is_error=True)
    return tool_result(call, text)


def skip_tools(reply):
    """Answer every call in the reply without running it: in a reply that was cut off, a call may lack its end."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    return [tool_result(call, f"Error: not run because of {reply.stop_reason}", is_error=True) for call in calls]


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
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` can be sent again wherever this ends."""
    for turn in range(1, MAX_TURNS + 1):
        reply = mend(ask_claude(messages))
        print(f"turn {turn}: {reply.stop_reason}")
        if reply.content:  # a reply can be empty, and the API takes no empty message back
            messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        results = run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason != "pause_turn" and not (reply.stop_reason == "tool_use" and results):
            break  # a paused reply, sent back as it is, goes on
    return reply


def main():
    prompt = " ".join(sys.argv[1:]) or PROMPT
    print(f"> {prompt}")
    reply = agent_loop([{"role": "user", "content": prompt}])
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason != "end_turn":
        print(ENDINGS.get(reply.stop_reason, f"Stopped for a reason unknown to this script: {reply.stop_reason}"))


if __name__ == "__main__":
    main()
