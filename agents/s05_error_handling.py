"""s05: when things go wrong.

A failing tool does not end the run: its error is a result too, marked `is_error`, and Claude finds a way round it.
Each way for the loop to end gets a sentence of its own, and after each of them `messages` can be sent again.

    call --> unknown tool? wrong arguments? tool raises? --yes--> result with is_error, saying what and which
                                |
                                +--no--> result
    reply --> tool_use: run, go on | pause_turn: go on | anything else: stop | MAX_TURNS: stop

Run         python agents/s05_error_handling.py ["Invite everyone to lunch tomorrow at noon"]
Costs       nothing without a key; with one, three requests, about 0.03 USD, and MAX_TURNS is the most you pay for
Leaves out  errors of the API itself and limits on what a tool may do
"""

import datetime
import json
import os
import re
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
    "tool_use": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Raise MAX_TURNS?",
    "pause_turn": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Raise MAX_TURNS?",
    "max_tokens": "Cut off after MAX_TOKENS. A call in this reply may be incomplete, so none was run.",
    "refusal": "Claude declined. Change the prompt: unchanged, it will most likely be declined again.",
    "model_context_window_exceeded": "The conversation no longer fits into the model. Start a new one.",
}


def create_calendar_event(title, start, end, attendees=(), recurrence=None):
    """Keep the event; say what was created, so that Claude can tell the user."""
    if len(attendees) > MAX_ATTENDEES:
        raise ValueError(f"attendees: {len(attendees)} people, but one event takes at most {MAX_ATTENDEES}")
    CALENDAR.append({"title": title, "start": start, "end": end, "recurrence": recurrence})
    times = f", {recurrence['frequency']}, {recurrence['count']} times" if recurrence else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


def list_calendar_events(date):
    """List the events of one day, repeated ones too, as slowly as a server far away."""
    time.sleep(1)
    found = [event for event in CALENDAR if is_on(event, date)]
    lines = sorted(f"{event['start'][11:16]}-{event['end'][11:16]} {event['title']}" for event in found)
    return f"{date}: {', '.join(lines) or 'free'}"


def is_on(event, date):
    days = (datetime.date.fromisoformat(date) - datetime.date.fromisoformat(event["start"][:10])).days
    repeat = event["recurrence"] or {"frequency": "daily", "count": 1}
    step = {"daily": 1, "weekly": 7}[repeat["frequency"]]
    return days % step == 0 and 0 <= days // step < repeat["count"]


FUNCTIONS = {"create_calendar_event": create_calendar_event, "list_calendar_events": list_calendar_events}
SCHEMAS = {tool["name"]: tool["input_schema"] for tool in TOOLS}
TYPES = {"string": str, "integer": int, "array": list, "object": dict}
FORMATS = {"date": r"\d{4}-\d\d-\d\d$", "date-time": r"\d{4}-\d\d-\d\dT\d\d:\d\d", "email": r"\S+@\S+$"}


def find_mistakes(value, schema, name=""):
    """Yield one sentence for each argument that is missing, unknown or not as its schema says, nested ones too."""
    if type(value) is not TYPES[schema["type"]] or not re.match(FORMATS.get(schema.get("format"), ""), str(value)):
        yield f"{name or 'input'}: expected {schema.get('format', schema['type'])}, got {json.dumps(value)}"
    elif value not in schema.get("enum", [value]):
        yield f"{name}: expected one of {', '.join(schema['enum'])}, got {json.dumps(value)}"
    elif schema["type"] == "array":
        for i, item in enumerate(value):
            yield from find_mistakes(item, schema["items"], f"{name}[{i}]")
    elif schema["type"] == "object":
        prefix = f"{name}." if name else ""
        for key in schema["required"]:
            if key not in value:
                yield f"{prefix}{key}: missing"
        for key, item in value.items():
            if key in schema["properties"]:
                yield from find_mistakes(item, schema["properties"][key], f"{prefix}{key}")
            else:
                yield f"{prefix}{key}: no such argument"


def tool_result(call, content, is_error=False):
    return {"type": "tool_result", "tool_use_id": call.id, "content": content, "is_error": is_error}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    if call.name not in FUNCTIONS:
        return tool_result(call, f"Error: no tool {call.name}; there are {', '.join(FUNCTIONS)}", is_error=True)
    mistakes = "; ".join(find_mistakes(call.input, SCHEMAS[call.name]))
    if mistakes:
        return tool_result(call, f"Error: {mistakes}", is_error=True)
    try:
        result = FUNCTIONS[call.name](**call.input)
    except Exception as error:
        return tool_result(call, f"Error: {type(error).__name__}: {error}", is_error=True)
    return tool_result(call, result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str))


def skip_tools(reply):
    """Answer every call in the reply without running it: in a reply that was cut off, a call may lack its end."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    return [tool_result(call, "Error: not run, because the reply was cut off", is_error=True) for call in calls]


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
        reply = ask_claude(messages)
        print(f"turn {turn}: {reply.stop_reason}")
        if reply.content:  # a reply can be empty, and the API takes no empty message back
            messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        results = run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason not in ("tool_use", "pause_turn"):  # a paused reply, sent back as it is, goes on
            break
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
