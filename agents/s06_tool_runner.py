"""s06: the SDK's tool runner.

The agent of s05 without its loop: `@beta_tool` writes the schema from the function's signature and docstring, and
`tool_runner` asks, runs and answers. Iterating over it gives one reply a turn.

    for reply in tool_runner(tools, messages): print it    <-- ask, run, answer, ask again: all inside

Run         python agents/s06_tool_runner.py ["Invite everyone to lunch tomorrow at noon"]
Costs       nothing without a key; with one, three requests, at most 0.04 USD, and never more than MAX_TURNS requests
Hides       the history, the order of events, the requests (thread=False: each sends everything, as in s01 to s05)
Bites       tools run one after another; a wrong argument reaches Claude only as "Invalid arguments for function ...";
            an exception other than ToolError sends its repr and prints a traceback; a tool must return a string;
            without max_iterations there is no limit, and with it the last turn's tools run but nobody reads the results
"""

import datetime
import json
import os
import sys
import time
from dataclasses import asdict, dataclass
from typing import Literal

import anthropic
from anthropic import beta_tool
from anthropic.lib.tools import ToolError
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

ENDINGS = {  # what to tell the reader, by the stop reason of the last reply
    "tool_use": f"Stopped, though Claude wanted a tool: {MAX_TURNS} turns are the limit, or its reply held no call.",
    "pause_turn": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Raise MAX_TURNS?",
    "max_tokens": "Cut off after MAX_TOKENS. A call in this reply may be incomplete, so none was run.",
    "refusal": "Claude declined. Change the prompt: unchanged, it will most likely be declined again.",
    "model_context_window_exceeded": "The conversation no longer fits into the model. Start a new one.",
}


@dataclass
class Recurrence:
    frequency: Literal["daily", "weekly"]
    count: int


@beta_tool
def create_calendar_event(
    title: str, start: str, end: str, attendees: tuple[str, ...] = (), recurrence: Recurrence | None = None
) -> str:
    """Put an event into the user's calendar and invite people.

    Args:
        start: Date and time, as in 2026-12-07T09:00
        end: Date and time, as in 2026-12-07T09:30
        attendees: E-mail addresses
        recurrence: How often and how many times in all; leave out for a single event
    """
    if len(attendees) > MAX_ATTENDEES:
        raise ToolError(f"attendees: {len(attendees)} people, but one event takes at most {MAX_ATTENDEES}")
    repeat = asdict(recurrence) if recurrence else None
    event = {"title": title, "start": start, "end": end, "recurrence": repeat}
    last = days_of(event)[-1]
    CALENDAR.append(event)
    times = f", {repeat['frequency']}, {repeat['count']} times, last on {last}" if repeat else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


def days_of(event):
    """The dates of an event: one, or all of a series."""
    first = datetime.date.fromisoformat(event["start"][:10])
    repeat = event["recurrence"] or {"frequency": "daily", "count": 1}
    return [first + datetime.timedelta(days=STEPS[repeat["frequency"]] * n) for n in range(repeat["count"])]


@beta_tool
def list_calendar_events(date: str) -> str:
    """List the events of one day.

    Args:
        date: The day, as in 2026-12-07
    """
    day = datetime.date.fromisoformat(date)
    time.sleep(1)
    found = [event for event in CALENDAR if day in days_of(event)]
    lines = sorted(f"{event['start'][11:16]}-{event['end'][11:16]} {event['title']}" for event in found)
    return f"{date}: {', '.join(lines) or 'free'}"


def show_call(call, result):
    print(f"  {call.name}({json.dumps(call.input, ensure_ascii=False)}) -> {result['content']}")


def agent_loop(messages):
    """The loop is inside the runner. This one looks on, and keeps a history of its own, as the runner shows none."""
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        system=SYSTEM,
        tools=[create_calendar_event, list_calendar_events],
        messages=messages,
        max_iterations=MAX_TURNS,
        thread=False,  # by default the server keeps the history and each request sends only what is new
    )
    for turn, reply in enumerate(runner, 1):
        print(f"turn {turn}: {reply.stop_reason}")
        calls = [block for block in reply.content if block.type == "tool_use"]
        if calls and reply.stop_reason == "tool_use":
            start = time.perf_counter()
            response = runner.generate_tool_call_response()  # runs the calls now; the runner will not run them again
            for call, result in zip(calls, response["content"]):
                show_call(call, result)
            print(f"  ({time.perf_counter() - start:.1f} s in all)")
            messages += [{"role": "assistant", "content": reply.content}, response]
        elif reply.content and not calls:  # a call that was cut off has no result, so it stays out of the history
            messages.append({"role": "assistant", "content": reply.content})
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
