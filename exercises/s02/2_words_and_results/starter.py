"""Exercise s02/2: words and results.

While the tool runs, the user adds something: NOTE. The program sends it along with the results, and the API refuses
the message. Repair `single_turn`, so that Claude gets the results and, after them, the note as words of the user.

Run    python my/s02_2_words_and_results.py
Check  course check s02/2

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
PROMPT = "Put a 30-minute sync with ana@example.com into my calendar: Monday, September 13, 2027 at 10:00."
NOTE = "By the way, please answer in one short sentence."

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
    return f"Created: {title}, {start} to {end}, {len(attendees)} invited"


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
        # TODO: repair what is sent here.
        messages.append({"role": "user", "content": [{"type": "text", "text": NOTE}] + results})
        reply = ask_claude(messages)
    return reply


def main():
    print(f"> {PROMPT}")
    reply = single_turn([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
