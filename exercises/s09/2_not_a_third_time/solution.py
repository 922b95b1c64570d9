"""Exercise s09/2: not a third time.

A guard against calls that go round in circles ends the run in the middle of good work, and after that the conversation
is over, too. Find out why, and repair `agent_loop`. The rule is: when Claude makes a call (same tool, same arguments)
that has failed twice for this prompt, it is not run a third time. It gets an error that says so, the other calls of the
reply get their results, and the run ends with a line for the user. The next prompt goes on as if nothing had been.

Run    python my/s09_2_not_a_third_time.py
Check  course check s09/2

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
PROMPTS = ["How many people does each building of the archive hold?", "The archive is up again. Try once more."]

REPORTS = {"harbor-hall": "It holds 400 people.", "mill-lane-depot": "It holds 40 people."}
DOWN = {"mill-lane-depot"}  # what the archive cannot find at the moment

TOOLS = [
    {
        "name": "fetch_report",
        "description": "Fetch a report from the archive.",
        "input_schema": {"type": "object", "properties": {"report": {"type": "string"}}, "required": ["report"]},
    },
    {
        "name": "archive_status",
        "description": "What the archive is doing.",
        "input_schema": {"type": "object", "properties": {}},
    },
]


def fetch_report(report):
    print(f"    the archive is asked for {report}")
    if report in DOWN:
        raise TimeoutError(f"the archive does not answer for {report}")
    if report not in REPORTS:
        raise ValueError(f"report: there is no {report}, only {', '.join(REPORTS)}")
    return REPORTS[report]


def archive_status():
    return "still copying"


FUNCTIONS = {"fetch_report": fetch_report, "archive_status": archive_status}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    try:
        result |= {"content": FUNCTIONS[call.name](**call.input), "is_error": False}
    except Exception as error:
        result |= {"content": f"Error: {error}", "is_error": True}
    print(f"  {call.name}({call.input}) -> {result['content']}")
    return result


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    failed = []
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        results, again = [], []
        for call in [block for block in reply.content if block.type == "tool_use"]:
            if failed.count((call.name, call.input)) >= 2:
                again.append(call.name)
                text = "Error: not run a third time, because the same call has failed twice"
                results.append({"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": True})
                continue
            results.append(run_tool(call))
            if results[-1]["is_error"]:
                failed.append((call.name, call.input))
        messages.append({"role": "user", "content": results})
        if again:
            print(f"Stopped: the same call of {again[0]} has failed twice, and came again.")
            break
    return reply


def main():
    messages = []
    for prompt in PROMPTS:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": prompt})
        reply = agent_loop(messages)
        print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")
        DOWN.clear()


if __name__ == "__main__":
    main()
