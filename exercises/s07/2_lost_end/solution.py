"""Exercise s07/2: the end of the output.

A command prints much, and the error stands at the end. The program cuts the output to MAX_OUTPUT characters, and the
error never reaches Claude. Repair `shorten`: the beginning and the end stay, the middle goes, and a note says so.

Run    python my/s07_2_lost_end.py
Check  course check s07/2

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
MAX_OUTPUT = 2000  # characters of output that Claude gets to see
WORKSPACE = tempfile.mkdtemp(prefix="agent-")
SHELL = "cmd" if os.name == "nt" else "sh"
SYSTEM = f"You are a careful agent in the folder {WORKSPACE}. The shell is {SHELL} on {sys.platform}."
PROMPT = "Run the import. What goes wrong?"

TOOLS = [
    {
        "name": "bash",
        "description": "Run a command in the shell; get its exit code and what it printed, with errors.",
        "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    }
]


def approve(command):
    """Show a command, and ask if there is somebody to ask: what Claude wants to run may do anything."""
    print(f"  $ {command}")
    answer = input("  Run it? [Enter: yes, anything else: no] ") if sys.stdin.isatty() else ""
    if answer.strip().lower() not in ("", "y", "yes"):
        raise PermissionError("not run, because the user declined it")


def shorten(text):
    """Return a text that is no longer than MAX_OUTPUT, but for a note on what is missing."""
    missing = len(text) - MAX_OUTPUT
    if missing <= 0:
        return text
    half = MAX_OUTPUT // 2
    return f"{text[:half]}\n[... {missing} characters are missing here ...]\n{text[-half:]}"


def bash(command):
    """Run a command; return its exit code and output."""
    approve(command)
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
    return f"exit code {process.returncode}\n{shorten(process.stdout)}"


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    result = {"type": "tool_result", "tool_use_id": call.id}
    try:
        result["content"] = bash(**call.input)
    except Exception as error:
        result |= {"content": f"Error: {error}", "is_error": True}
    print(f"    {result['content'][-300:]}")
    return result


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
