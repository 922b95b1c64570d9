"""Exercise s10/3: the power goes.

In the middle of the first order the power goes, once, and the program is started again. It knows nothing any more, and
orders the same once more. Extend it so that it goes on: keep the history in HISTORY, whole at any moment, and send it
on when there is one. A call that was lost gets a result that says what is known about it.

Run    python my/s10_3_power_goes.py, and again when it has died
Check  course check s10/3

Without a key, and with PROMPT as it is, two runs show what the check shows.
"""

import json
import os
import pathlib
import tempfile

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
HISTORY = pathlib.Path(tempfile.gettempdir(), "s10_3_history.json")
ORDERS = pathlib.Path(tempfile.gettempdir(), "s10_3_orders.txt")
PROMPT = "Order an inspection of each beam of Harbor Hall that sags too much."

TOOLS = [
    {"name": "list_beams", "description": "List the beams that sag too much.", "input_schema": {"type": "object"}},
    {"name": "list_orders", "description": "List what was ordered.", "input_schema": {"type": "object"}},
    {
        "name": "order_inspection",
        "description": "Order an inspection of one beam. It costs 400 USD and cannot be taken back.",
        "input_schema": {"type": "object", "properties": {"beam": {"type": "string"}}, "required": ["beam"]},
    },
]


def list_beams():
    return "B4, B7"


def list_orders():
    return ", ".join(ORDERS.read_text(encoding="utf-8").split()) if ORDERS.exists() else "nothing"


def order_inspection(beam):
    first = not ORDERS.exists()
    with open(ORDERS, "a", encoding="utf-8") as file:
        file.write(f"{beam}\n")
    if first:
        os._exit(1)  # the power goes
    return f"Ordered: {beam}"


FUNCTIONS = {"list_beams": list_beams, "list_orders": list_orders, "order_inspection": order_inspection}


def run_tool(call):
    result = FUNCTIONS[call.name](**call.input)
    print(f"  {call.name}({call.input}) -> {result}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def save(messages):
    new = HISTORY.with_suffix(".new")
    with open(new, "w", encoding="utf-8") as file:
        json.dump(messages, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, HISTORY)


def load():
    if not HISTORY.exists():
        return [{"role": "user", "content": PROMPT}]
    messages = json.loads(HISTORY.read_text(encoding="utf-8"))
    if messages[-1]["role"] == "assistant":
        calls = [block["id"] for block in messages[-1]["content"] if block["type"] == "tool_use"]
        lost = {"type": "tool_result", "content": "Error: interrupted, it may have been done", "is_error": True}
        messages.append({"role": "user", "content": [{**lost, "tool_use_id": call} for call in calls]})
    return messages


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": [block.to_dict() for block in reply.content]})
        if reply.stop_reason != "tool_use":
            break
        save(messages)
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
        save(messages)
    return reply


def main():
    print(f"> {PROMPT}")
    messages = load()
    reply = agent_loop(messages)
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")
    for file in (HISTORY, ORDERS):
        file.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
