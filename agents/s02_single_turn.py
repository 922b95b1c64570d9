"""s02: one turn by hand.

The loop of s01 taken apart: one request, one call, one result, one more request. The tool is new and its input nested.

    prompt --> ask_claude --> tool_use block --> run_tool --> tool_result block --> ask_claude --> answer

Run         python agents/s02_single_turn.py ["Lunch with mia@example.com on Friday, September 17, 2027 at noon"]
Costs       nothing without a key; with one, two short requests, about 0.01 USD
Leaves out  the loop (s03): should Claude ask for another call in its second reply, nobody answers it
"""

import json
import os
import sys

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
PROMPT = "Schedule a 30-minute sync with ana@example.com and ben@example.com on Monday, September 13, 2027 at 10:00."

CALENDAR = []  # stands for a calendar server

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
    """Keep the event; say what was created, so that Claude can tell the user."""
    CALENDAR.append({"title": title, "start": start, "end": end, "recurrence": recurrence})
    times = f", {recurrence['frequency']}, {recurrence['count']} times" if recurrence else ""
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


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
    return client.messages.create(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        tools=TOOLS,
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},  # Claude decides; one call at most
        messages=messages,
    )


def single_turn(messages):
    """Ask; if Claude asks for the tool, run it and ask once more. `messages` grows on the way."""
    reply = ask_claude(messages)
    print(f"turn 1: {reply.stop_reason}")
    print(reply.to_json())  # every part of a reply
    messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
    if reply.stop_reason != "tool_use":
        return reply
    results = run_tools(reply)
    print(json.dumps(results, indent=2, ensure_ascii=False))  # every part of a result
    messages.append({"role": "user", "content": results})
    reply = ask_claude(messages)
    print(f"turn 2: {reply.stop_reason}")
    return reply


def main():
    prompt = " ".join(sys.argv[1:]) or PROMPT
    print(f"> {prompt}")
    reply = single_turn([{"role": "user", "content": prompt}])
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason == "tool_use":
        print("(stopped: Claude asks for another call, and answering that takes a loop)")
    elif reply.stop_reason != "end_turn":
        print(f"(stopped early: {reply.stop_reason})")


if __name__ == "__main__":
    main()
