"""Exercise s09/1: the fence.

Claude may read what lies in ROOT, and nothing else. So far, `confined` refuses nothing: a path with "..", an absolute
path or a link leads anywhere. Complete it: it returns the place that a path really names, or raises an error that says
what is not allowed. Every path that names a file in ROOT works as before.

Run    python my/s09_1_the_fence.py
Check  course check s09/1

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

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
PROMPT = "What is in the review folder, and what lies around it?"

FILES = {  # made anew for each run; the folder that counts is review/
    "review/reports/harbor-hall.txt": "HARBOR HALL. It holds 400 people.",
    "review/notes/own.txt": "Look at beam B4 again.",
    "review-secret/plan.txt": "PLAN 7731, not for Claude.",
    "plan.txt": "PLAN 7731, not for Claude.",
}
TOP = pathlib.Path(tempfile.mkdtemp(prefix="agent-"))
for name, text in FILES.items():
    file = TOP / "real" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
try:
    os.symlink(TOP / "real", TOP / "link", target_is_directory=True)
    os.symlink(TOP / "real/review/reports/harbor-hall.txt", TOP / "real/review/latest.txt")
    os.symlink(TOP / "real/review-secret", TOP / "real/review/archive", target_is_directory=True)
except OSError:  # Windows, without the right to make links
    pass
# ROOT is reached through a link, as many folders are: /tmp on macOS, say.
ROOT = (TOP / "link" if (TOP / "link").exists() else TOP / "real") / "review"
NAMES = ", ".join(sorted(path.name for path in ROOT.iterdir()))
SYSTEM = f"You read files for the user. The folder is {ROOT}. In it: {NAMES}"

TOOLS = [
    {
        "name": "read_file",
        "description": "Read a file of the review folder.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    }
]


def confined(path):
    """Return the real place of a path in ROOT; raise PermissionError for one that leads out."""
    # TODO: refuse what leads out
    return ROOT / path


def read_file(path):
    return confined(path).read_text(encoding="utf-8")


FUNCTIONS = {"read_file": read_file}


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
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


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
