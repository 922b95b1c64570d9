"""Exercise s11/3: the broken stream.

The program takes the end of a stream for the end of the reply: half an answer goes into the history as if it were a
whole one, a call without its arguments is run, and an error inside a stream ends the program. Let `ask_claude` return
whole replies only. One that broke off it asks for again, TRIES times at most in all, and shows nothing twice; then it
raises Broken.

Run    python my/s11_3_broken_stream.py
Check  course check s11/3

Without a key, and with PROMPTS as they are, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
TRIES = 3  # requests for one reply
PROMPTS = ["How wide must a stair be, by section 5.3?", "Read section 5.6, too.", "What did you find?"]

SECTIONS = {
    "5.3": "Stairs and doors on a way out shall be at least 1,200 mm wide.",
    "5.6": "Each way out shall be lit for 60 minutes after the power has failed.",
}
TOOLS = [
    {
        "name": "read_section",
        "description": "Read one section of the code by its number.",
        "input_schema": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]},
    }
]


class Broken(Exception):
    """A reply broke off, TRIES times."""


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    text = SECTIONS.get(call.input.get("number"), "Error: no such section")
    print(f"  {call.name}({call.input}) -> {text}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": text.startswith("Error")}


def ask_claude(messages):
    """Show the reply while it arrives; return it when it is whole."""
    shown = ""
    for _ in range(TRIES):
        seen = ""
        try:
            with client.messages.stream(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages) as stream:
                for text in stream.text_stream:
                    seen += text
                    if len(seen) > len(shown):
                        print(seen[len(shown) :], end="", flush=True)
                        shown = seen
                reply = stream.get_final_message()
        except anthropic.APIStatusError as error:
            if error.status_code != 200:
                raise
            continue
        if reply.stop_reason:
            print()
            return reply
    raise Broken(f"The reply broke off {TRIES} times.")


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        if not results:
            break
        messages.append({"role": "user", "content": results})


def main():
    messages = []
    for prompt in PROMPTS:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": prompt})
        try:
            agent_loop(messages)
        except Broken as error:
            print(f"\n({error})")


if __name__ == "__main__":
    main()
