"""Exercise s08/2: what next?

Asked about page 4 of a report, Claude gives up, although nearly everything it needs is there. And once it has the
right name, it tells of a page that does not exist. With the API all is well: find out what `read_report` tells Claude,
and repair it. A call that cannot be answered gets an error that says what there is.

Run    python my/s08_2_what_next.py
Check  course check s08/2

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
PROMPT = "What does page 4 of the report on Harbour Hall say about cracks?"

REPORTS = {
    "harbor-hall": [
        "HARBOR HALL. New event hall on one floor above a car park. It holds 400 people.",
        "Floor of the hall. It is designed for 3.0 kN/m2. One crack in beam B4 is 0.4 mm wide.",
        "Ways out. Each of the two stairs is 1,800 mm wide. The longest way to a stair is 31 m.",
    ],
    "mill-lane-depot": [
        "MILL LANE DEPOT. Storage building on two floors, with a loading deck in the open.",
        "Upper floor. It is designed for 7.5 kN/m2. Paper is stored there, 9.0 kN/m2.",
    ],
}

TOOLS = [
    {
        "name": "read_report",
        "description": "Read one page of a report.",
        "input_schema": {
            "type": "object",
            "properties": {"report": {"type": "string"}, "page": {"type": "integer"}},
            "required": ["report", "page"],
        },
    }
]


def read_report(report, page):
    if report not in REPORTS:
        raise ValueError(f"report: there is no {report}, only {', '.join(REPORTS)}")
    pages = REPORTS[report]
    if page not in range(1, len(pages) + 1):
        raise ValueError(f"page: {report} has the pages 1 to {len(pages)}, not {page}")
    return pages[page - 1]


FUNCTIONS = {"read_report": read_report}


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
