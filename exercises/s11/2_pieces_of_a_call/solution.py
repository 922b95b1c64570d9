"""Exercise s11/2: pieces of a call.

This program puts the stream together by itself, event by event. Text arrives well, but with the first call the program
ends in an error. With the API all is well: find out what arrives in the pieces of a call, and repair `read_reply`, so
that each call gets the input that it had, also where several stand in one reply and where a tool takes no arguments.

Run    python my/s11_2_pieces_of_a_call.py
Check  course check s11/2

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import json
import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
PROMPT = "What do sections 5.3, 5.5 and 5.6 say, and which parts are there?"

SECTIONS = {
    "5.3": "Stairs and doors on a way out shall be at least 1,200 mm wide.",
    "5.5": "Floors and columns of a hall shall stand 90 minutes of fire.",
    "5.6": "Each way out shall be lit for 60 minutes after the power has failed.",
}
TOOLS = [
    {
        "name": "read_section",
        "description": "Read one section of the code by its number.",
        "input_schema": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]},
    },
    {
        "name": "list_parts",
        "description": "List the parts of the code.",
        "input_schema": {"type": "object", "properties": {}},
    },
]
FUNCTIONS = {
    "read_section": lambda number: SECTIONS[number],
    "list_parts": lambda: "general, loads, stiffness, materials, escape",
}


def read_reply(events):
    """Put a streamed reply together: return its blocks, as dicts, and its stop reason."""
    blocks, stop_reason, pieces = [], None, ""
    for event in events:
        if event.type == "content_block_start":
            blocks.append(event.content_block.to_dict())
            pieces = ""
        elif event.type == "content_block_delta":
            if event.delta.type == "input_json_delta":
                pieces += event.delta.partial_json
            else:  # text_delta fills "text", thinking_delta "thinking", signature_delta "signature"
                field = event.delta.type.removesuffix("_delta")
                blocks[-1][field] += getattr(event.delta, field)
        elif event.type == "content_block_stop":
            if pieces:  # a call without arguments sends none
                blocks[-1]["input"] = json.loads(pieces)
        elif event.type == "message_delta":
            stop_reason = event.delta.stop_reason
    return blocks, stop_reason


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    result = {"type": "tool_result", "tool_use_id": call["id"]}
    try:
        return result | {"content": FUNCTIONS[call["name"]](**call["input"])}
    except Exception as error:
        return result | {"content": f"Error: {type(error).__name__}: {error}", "is_error": True}


def main():
    print(f"> {PROMPT}")
    messages = [{"role": "user", "content": PROMPT}]
    for _ in range(MAX_TURNS):
        events = client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages, stream=True)
        blocks, stop_reason = read_reply(events)
        print("".join(block["text"] + "\n" for block in blocks if block["type"] == "text"), end="")
        messages.append({"role": "assistant", "content": blocks})
        if stop_reason != "tool_use":
            break
        results = [run_tool(block) for block in blocks if block["type"] == "tool_use"]
        print("".join(f"  -> {result['content']}\n" for result in results), end="")
        messages.append({"role": "user", "content": results})


if __name__ == "__main__":
    main()
