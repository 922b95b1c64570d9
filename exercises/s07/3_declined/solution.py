"""Exercise s07/3: a no is an answer.

Nothing is to be deleted without a yes. `approved` stands for the person who would be asked, but nobody asks; leave it
as it is. Extend `run_tool`: a command that is declined does not run, and Claude hears, as an error, that it was
declined. The other commands run as before.

Run    python my/s07_3_declined.py
Check  course check s07/3

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os
import subprocess
import sys
import tempfile

import anthropic
from course import load_env

# What a command gets to know of this environment: no key.
ENVIRONMENT = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT", "COMSPEC") if name in os.environ}

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
TIME_LIMIT = 30  # seconds for one command
WORKSPACE = tempfile.mkdtemp(prefix="agent-")
SHELL = "cmd" if os.name == "nt" else "sh"
SYSTEM = f"You are a careful agent in the folder {WORKSPACE}. The shell is {SHELL} on {sys.platform}."
PROMPT = "Create draft.txt, delete it again, and list the files."

TOOLS = [
    {
        "name": "bash",
        "description": "Run a command in the shell; get its exit code and what it printed, with errors.",
        "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    }
]


def approved(command):
    """Stands for a person who says yes or no: no to rm and del."""
    return command.split()[0] not in ("rm", "del")


def bash(command):
    """Run a command; return its exit code and output."""
    process = subprocess.run(
        command,
        shell=True,
        cwd=WORKSPACE,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        timeout=TIME_LIMIT,
    )
    return f"exit code {process.returncode}\n{process.stdout}"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    print(f"  $ {call.input['command']}")
    if not approved(call.input["command"]):
        content = "Not run: the user declined this command."
        print(f"    {content}")
        return {"type": "tool_result", "tool_use_id": call.id, "content": content, "is_error": True}
    content = bash(**call.input)
    print(f"    {content}")
    return {"type": "tool_result", "tool_use_id": call.id, "content": content}


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        results = [run_tool(block) for block in reply.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": results})
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
