"""Exercise s10/2: too long.

The history no longer fits. So the program drops the longest message and asks again, and the API refuses that, too.
Find out what a history may not lose, and repair `shorten`: then Claude answers the first prompt. The second is too
long by itself: nothing helps there, so the program says so and ends. What a person has written is never cut.

Run    python my/s10_2_too_long.py
Check  course check s10/2

Without a key, and with PROMPT as it is, a run shows what the check shows. The stand-in takes 12,000
characters for too long here.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic(max_retries=0)

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
KEEP = 500  # characters that are left of a result which is too long
PROMPT = "What happened to beam B4 in the first two weeks?"
SECOND = "And what do you make of this? " + "The crane stood still. " * 1000

LOG = {1: "Nothing to report. " * 500, 2: "Nothing to report. " * 300 + "On Friday the crane hit beam B4."}
TOOLS = [
    {
        "name": "read_log",
        "description": "Read the site's log of one week.",
        "input_schema": {"type": "object", "properties": {"week": {"type": "integer"}}, "required": ["week"]},
    }
]


def read_log(week):
    return LOG.get(week, f"There is no log of week {week}, only of 1 and 2.")


def shorten(messages):
    """Make the history shorter; return whether that was possible."""
    blocks = [block for message in messages if isinstance(message["content"], list) for block in message["content"]]
    results = [block for block in blocks if block["type"] == "tool_result"]
    longest = max(results, key=lambda block: len(block["content"]), default={"content": ""})
    if len(longest["content"]) <= 2 * KEEP:
        return False
    longest["content"] = longest["content"][:KEEP] + "\n[cut: the conversation was too long]"
    for message in messages:  # thinking is bound to all that stood before it, and that has changed now
        if message["role"] == "assistant":
            message["content"] = [block for block in message["content"] if block["type"] != "thinking"]
    return True


def ask_claude(messages):
    """Ask; if the history is too long, shorten it and ask again. Raises what that cannot help."""
    while True:
        try:
            return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)
        except anthropic.BadRequestError as error:
            print(f"  {error.api_message}")
            if "too long" not in str(error) or not shorten(messages):
                raise


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": [block.to_dict() for block in reply.content]})
        calls = [block for block in reply.content if block.type == "tool_use"]
        if reply.stop_reason != "tool_use":
            break
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": read_log(**call.input)} for call in calls]
        messages.append({"role": "user", "content": results})
    return reply


def main():
    messages = []
    for prompt in (PROMPT, SECOND):
        print(f"> {prompt[:60]}")
        messages.append({"role": "user", "content": prompt})
        try:
            reply = agent_loop(messages)
        except anthropic.BadRequestError:
            print("Not answered. Begin a new conversation, with less in it.")
            break
        print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
