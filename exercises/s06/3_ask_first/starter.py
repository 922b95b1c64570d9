"""Exercise s06/3: ask before you invite.

Nobody outside the company is to be invited without a yes. `approved` stands for the person who would be asked; leave it
as it is. Extend the program: a call that is not approved does not run, and Claude hears, as an error, that it was
declined. Calls that are approved run as before.

Run    python my/s06_3_ask_first.py
Check  course check s06/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import datetime
import os

import anthropic
from anthropic import beta_tool
from anthropic.lib.tools import ToolError
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
TODAY = datetime.date.today()
SYSTEM = f"You manage the user's calendar. Today is {TODAY:%A}, {TODAY}."
PROMPT = "Tomorrow: a sync with ana@example.com at 10:00 and a lunch with zoe@elsewhere.test at 12:00, an hour each."


def approved(attendees):
    """Stands for a person who says yes or no: no to everyone who is not at example.com."""
    return all(address.endswith("@example.com") for address in attendees)


@beta_tool
def create_calendar_event(title: str, start: str, end: str, attendees: list[str]) -> str:
    """Put an event into the user's calendar and invite people.

    Args:
        start: Date and time, as in 2026-12-07T09:00
        end: Date and time, as in 2026-12-07T10:00
        attendees: E-mail addresses
    """
    # TODO: ask before anything happens; ToolError says no
    print(f"  invitation sent: {title}, to {', '.join(attendees)}")
    return f"Created: {title}, {start} to {end}, {len(attendees)} invited"


def agent_loop(messages):
    """Return the last reply."""
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        system=SYSTEM,
        tools=[create_calendar_event],
        messages=messages,
        max_iterations=MAX_TURNS,
        thread=False,
    )
    return runner.until_done()


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
