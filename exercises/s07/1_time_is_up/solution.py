"""Exercise s07/1: when the time is up.

A command gets TIME_LIMIT seconds. `subprocess.run` then ends the shell, and what the shell has started works on.
Complete `bash`: when the time is up, everything that the command has started is ended, and Claude gets an error result
that says so.

Run    python my/s07_1_time_is_up.py
Check  course check s07/1

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import contextlib
import os
import signal
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
TIME_LIMIT = 0.5  # seconds for one command
if os.name == "nt":
    OWN_GROUP = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    OWN_GROUP = {"start_new_session": True}
STREAMS = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
WORKSPACE = tempfile.mkdtemp(prefix="agent-")
SHELL = "cmd" if os.name == "nt" else "sh"
SYSTEM = f"You are a careful agent in the folder {WORKSPACE}. The shell is {SHELL} on {sys.platform}."
PROMPT = "Run the build, and see how far it got."

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


def end_group(process):
    """End a process that was started with OWN_GROUP, and all that it has started."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # none is left
            os.killpg(process.pid, signal.SIGKILL)


def bash(command):
    """Run a command; return its exit code and output. Nothing of it is left when its time is up."""
    approve(command)
    options = {"shell": True, "cwd": WORKSPACE, "env": ENVIRONMENT, "encoding": "utf-8", "errors": "replace"}
    process = subprocess.Popen(command, **options, **STREAMS, **OWN_GROUP)
    try:
        output, _ = process.communicate(timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired as error:
        end_group(process)
        output, _ = process.communicate()
        raise TimeoutError(f"ended after {TIME_LIMIT} s, with all it had started. Until then:\n{output}") from error
    return f"exit code {process.returncode}\n{output}"


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
