"""Exercise s08/3: a tool of your own.

Claude needs the members with the lowest values, and no tool names them. Add the tool `lowest_members` with `report`,
`column` and `count`: its definition, so that Claude cannot get it wrong, and its function. Lowest first, each member
with its value, never more than MAX_MEMBERS; cells without a value do not count. What cannot be answered gets an error
that says what there is.

Run    python my/s08_3_your_own_tool.py
Check  course check s08/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
MAX_MEMBERS = 5  # the most that one call returns
PROMPT = "Which three members of Harbor Hall have the least concrete cover?"

COLUMNS = ["span_over_sag", "cover_mm", "moisture_percent"]
ROWS = [  # what was measured: report, member, and a value for each of COLUMNS, None where there is none
    ("harbor-hall", "B1", 352, 31, None),
    ("harbor-hall", "B2", 341, 33, None),
    ("harbor-hall", "B3", 338, 30, None),
    ("harbor-hall", "B4", 287, 29, None),
    ("harbor-hall", "B5", 345, 32, None),
    ("harbor-hall", "B6", 349, None, None),
    ("harbor-hall", "B7", 333, 28, None),
    ("harbor-hall", "B8", 356, 34, None),
    ("lakeview-school", "T1", 231, None, 16.5),
    ("lakeview-school", "T2", 228, None, 17.0),
    ("lakeview-school", "T3", 225, None, 21.5),
]
REPORTS = sorted({row[0] for row in ROWS})

TOOLS = [
    {
        "name": "list_members",
        "description": "List the members of a building that were measured, without values.",
        "input_schema": {
            "type": "object",
            "properties": {"report": {"type": "string", "enum": REPORTS}},
            "required": ["report"],
        },
    },
    # TODO: lowest_members
]


def list_members(report):
    return ", ".join(row[1] for row in ROWS if row[0] == report)


FUNCTIONS = {"list_members": list_members}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    try:
        return result | {"content": FUNCTIONS[call.name](**call.input)}
    except Exception as error:
        return result | {"content": f"Error: {error}", "is_error": True}


def run_tools(reply):
    calls = [block for block in reply.content if block.type == "tool_use"]
    results = [run_tool(call) for call in calls]
    for call, result in zip(calls, results):
        print(f"  {call.name}({call.input}) -> {result['content']}")
    return results


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "user", "content": run_tools(reply)})
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
