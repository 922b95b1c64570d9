"""s07: the bash agent.

The same loop with one real tool is a coding agent: it reads files, writes them, runs them, and goes on until the job is
done. It talks with you, prompt after prompt, and its history outlives Ctrl-C and a failed call of the API.

    > prompt --> agent_loop --> answer --> > next prompt --> ...          (one history for all)
                   |    ^
                   v    +------------------------------+
                 bash: shown, approved? --yes--> run --+-- exit code and output, cut to a bound
                                       --no------------+-- "not run: ..."

Run         python agents/s07_bash_agent.py [--yes] [--workspace FOLDER] ["Create hello.py that greets, and run it"]
Costs       nothing without a key; with one, some five requests a job, about 0.05 USD, and MAX_TURNS is the most you pay
Leaves out  confinement: a command can do whatever you can do, in any folder, so read it before you press Enter
"""

import argparse
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import anthropic
from course import load_env

with contextlib.suppress(ImportError):  # Windows has no such module
    import readline  # gives input() line editing

    readline.parse_and_bind("set enable-bracketed-paste on")  # pasted lines stay together, as one prompt

KEEP = "PATH HOME USER LANG LC_ALL LC_CTYPE TMPDIR TEMP TMP"  # all that a command gets to know of this environment
KEEP += " COMSPEC PATHEXT SYSTEMROOT SYSTEMDRIVE WINDIR USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA"
ENVIRONMENT = {name: os.environ[name] for name in KEEP.split() if name in os.environ}  # before load_env() adds .env
ENVIRONMENT |= {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}  # unbuffered, so that a time-out leaves what was printed

load_env()
client = anthropic.Anthropic()

parser = argparse.ArgumentParser()
parser.add_argument("prompt", nargs="*", help="one job to do; without it, prompts are read line by line")
parser.add_argument("--yes", action="store_true", help="run every command without asking")
parser.add_argument("--workspace", help="the folder to work in (default: a new one)")
OPTIONS = parser.parse_args()
TERMINAL = bool(sys.stdin and sys.stdin.isatty())  # is there somebody to ask?
WORKSPACE = os.path.abspath(OPTIONS.workspace or tempfile.mkdtemp(prefix="agent-"))

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 20  # the most requests one prompt may cost
TIME_LIMIT = 30  # seconds for one command
MAX_OUTPUT = 10_000  # bytes of output that Claude gets to see, one half from the head, one from the tail
MAX_LINES = 10  # lines of a result that you get to see
SHELL = [shutil.which("bash") or "/bin/sh", "-c"]
if os.name == "nt":
    SHELL = ["powershell", "-NoProfile", "-Command", "[Console]::OutputEncoding = [Text.Encoding]::UTF8;"]
SHELL_NAME = os.path.basename(SHELL[0])
STREAMS = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "bufsize": 0}
OWN_GROUP = {"start_new_session": True, "creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
SYSTEM = (
    f"You are a careful coding agent in the folder {WORKSPACE.encode(errors='replace').decode()}. The shell is "
    f"{SHELL_NAME} on {sys.platform}. Look before you change something, change only what the job needs, run what you "
    "wrote, check the result. Then say in a few words what you did and found, in the user's language."
)
RESULTS = {}  # of the last reply's calls, by id, as they come: what close_history() needs after an interrupt
STARTED = []  # of the call that has no result yet: its command, once approved, and its process, once there is one

TOOLS = [
    {
        "name": "bash",
        "description": f"Run a command in {SHELL_NAME}; get its exit code and what it printed, with errors. It runs in "
        "the user's folder in a new shell, so a cd or a variable does not last, and it cannot ask for input. After "
        f"{TIME_LIMIT} seconds it is ended; its background jobs end with it. Long output loses its middle.",
        "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
    }
]

ENDINGS = {  # what to tell the reader, by the stop reason of the last reply
    "tool_use": f"Stopped, though Claude wanted a tool: {MAX_TURNS} turns are the limit, or its reply held no call.",
    "pause_turn": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Tell it to, if it should.",
    "max_tokens": "Cut off after MAX_TOKENS. A call in this reply may be incomplete, so none was run.",
    "refusal": "Claude declined. The prompt is taken back: unchanged, it will most likely be declined again.",
    "model_context_window_exceeded": "The conversation no longer fits into the model: /new begins another.",
}


def bash(command):
    """Run a command; return its exit code and output. Whatever happens, nothing that it started is left running."""
    approve(command)
    STARTED.append(command)
    output = {"head": b"", "tail": b"", "size": 0, "wanted": True}
    process = subprocess.Popen([*SHELL, command], cwd=WORKSPACE, env=ENVIRONMENT, **STREAMS, **OWN_GROUP)
    STARTED.append(process)
    try:
        reader = threading.Thread(target=read_output, args=(process.stdout, output), daemon=True)
        reader.start()
        deadline = time.monotonic() + TIME_LIMIT
        while (code := process.poll()) is None and time.monotonic() < deadline:
            time.sleep(0.02)  # in short steps: Windows does not notice Ctrl-C in a long wait
    finally:  # after Ctrl-C too
        end_group(process)
        process.wait()
    reader.join(0.5)  # no longer: a process that left the group may hold the pipe open, or print into it for ever
    output["wanted"] = False
    if code is None:
        raise TimeoutError(f"ended after {TIME_LIMIT} s, with all it had started. Until then:\n{text_of(output)}")
    return f"exit code {code}\n{text_of(output)}"


def approve(command):
    """Show a command and ask. Enter runs it; after another answer, or with nobody there to ask, it is not run."""
    print("  $ " + printable(command.replace("\n", "\n  > ")))
    if OPTIONS.yes:
        return
    if not TERMINAL:
        raise PermissionError("not run, because nobody is there to approve it: no terminal, and no --yes")
    waited = 0
    while waited < 0.2:  # an Enter typed or pasted before the question could be read is no answer to it
        asked = time.monotonic()
        try:
            answer = input("  Run it? [Enter: yes, anything else: no] ").strip()
        except EOFError as error:  # Ctrl-D
            raise PermissionError("not run, because the user declined it") from error
        waited = time.monotonic() - asked
    if answer.lower() not in ("", "y", "yes"):
        raise PermissionError(f"not run, because the user declined it: {printable(answer)}")


def read_output(pipe, output):
    """Read to the end, but keep only head and tail: a command may print without end."""
    with pipe:
        while output["wanted"] and (chunk := pipe.read(65536)):
            room = MAX_OUTPUT // 2 - len(output["head"])
            output["head"] += chunk[:room]
            output["tail"] = (output["tail"] + chunk[room:])[-MAX_OUTPUT // 2 :]
            output["size"] += len(chunk)


def text_of(output):
    missing = output["size"] - len(output["head"] + output["tail"])
    cut = f"\n[... {missing} bytes are missing here ...]\n".encode() if missing else b""
    text = (output["head"] + cut + output["tail"]).decode(errors="replace")
    return text.replace("\r\n", "\n").rstrip() or "(no output)"


def end_group(process):
    """End the shell and all that it started, background jobs too (on Windows, if the shell has not ended yet)."""
    if os.name == "nt":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True)
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):  # none is left; macOS says so in the second way
            os.killpg(process.pid, signal.SIGKILL)


FUNCTIONS = {"bash": bash}


def tool_result(call, content, is_error=False):
    return {"type": "tool_result", "tool_use_id": call.id, "content": sendable(content), "is_error": is_error}


def sendable(text):
    """Replace halves of characters (lone surrogates), which no request can hold."""
    return text.encode(errors="replace").decode()


def mend(reply):
    """Make a reply fit to be sent back: no blank text, no halves of characters, an id of its own for each call."""
    reply.stop_reason = printable(str(reply.stop_reason))
    reply.content = [block for block in reply.content if block.type != "text" or block.text.strip()]
    ids = set()
    for block in reply.content:
        if block.type == "text":
            block.text = sendable(block.text)
        elif block.type == "tool_use":
            block.input = json.loads(sendable(json.dumps(block.input, ensure_ascii=False)))
            while block.id in ids:
                block.id += "_"
            ids.add(block.id)
    return reply


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it. A failure is an answer too."""
    if call.name not in FUNCTIONS:
        return tool_result(call, f"Error: no tool {call.name}; there are {', '.join(FUNCTIONS)}", is_error=True)
    try:
        result = FUNCTIONS[call.name](**call.input)
        text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, default=str)
    except Exception as error:
        return tool_result(call, f"Error: {type(error).__name__}: {error}", is_error=True)
    return tool_result(call, text)


def skip_tools(reply):
    """Answer every call in the reply without running it: in a reply that was cut off, a call may lack its end."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    return [tool_result(call, f"Error: not run because of {reply.stop_reason}", is_error=True) for call in calls]


def run_tools(reply):
    """Run the calls one after another: a command may need what the one before it did. Return one result for each."""
    show_text(reply)
    RESULTS.clear()  # not every endpoint gives a call another id than those of the replies before
    calls = [block for block in reply.content if block.type == "tool_use"]
    for call in calls:
        RESULTS[call.id] = run_tool(call)
        STARTED.clear()
        show_call(call, RESULTS[call.id])
    return [RESULTS[call.id] for call in calls]


def close_history(messages):
    """Make `messages` fit to be sent again after a turn that was broken off, wherever that was."""
    last = messages[-1]
    if last["role"] == "assistant":  # while the tools ran: every call needs an answer
        calls = [block for block in last["content"] if block.type == "tool_use"]
        for call in [call for call in calls if call.id not in RESULTS]:
            how_far = "may have partly run" if STARTED else "not run"
            RESULTS[call.id] = tool_result(call, f"Error: interrupted by the user, {how_far}", is_error=True)
            STARTED.clear()  # it was the first of them that ran
        if calls:
            messages.append({"role": "user", "content": [RESULTS[call.id] for call in calls]})
    elif isinstance(last["content"], str):  # before the first reply: take the prompt back
        messages.pop()


def show_call(call, result):
    """Show the head of a result; its command was shown before it ran."""
    lines = printable(result["content"]).splitlines()
    lines[MAX_LINES:] = [f"({len(lines) - MAX_LINES} more lines)"] if len(lines) > MAX_LINES else []
    print("\n".join(f"    {line[:200]}" for line in lines))


def show_text(reply, instead=""):
    text = "\n".join(block.text for block in reply.content if block.type == "text") or instead
    if text:
        print(printable(text))


def printable(text):
    """Escape control characters, because a terminal obeys them: they could hide a part of a command."""
    return "".join(c if c.isprintable() or c in "\n\t\u3000" else c.encode("unicode_escape").decode() for c in text)


def ask_claude(messages):
    """Send the whole history, because the API remembers nothing; return one reply."""
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` can be sent again wherever this ends."""
    for turn in range(1, MAX_TURNS + 1):
        reply = mend(ask_claude(messages))
        print(f"turn {turn}: {reply.stop_reason}")
        if reply.content:  # a reply can be empty, and the API takes no empty message back
            messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        results = run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason != "pause_turn" and not (reply.stop_reason == "tool_use" and results):
            break  # a paused reply, sent back as it is, goes on
    return reply


def read_prompts():
    """Yield the words on the command line as one prompt, or else line after line, typed or piped, until they end."""
    if OPTIONS.prompt:
        yield " ".join(OPTIONS.prompt)
        return
    sys.stdin.reconfigure(errors="replace")  # whatever bytes a console sends
    while True:
        try:
            prompt = input("> " if TERMINAL else "").strip()
        except KeyboardInterrupt:  # as in a shell: drop the line, ask anew
            print()
            continue
        except EOFError:
            print()
            return
        if prompt == "exit":
            return
        if prompt:
            yield prompt


def leave(number, frame):
    """End the command that runs, and the session. Here, because a signal may break off bash()'s own cleaning up.

    It does not wait: poll() may have been broken off, and wait() would then wait for poll() to end.
    """
    for process in STARTED[1:]:
        end_group(process)
    sys.exit(128 + number)


def main():
    for name in {"SIGTERM", "SIGHUP", "SIGQUIT", "SIGBREAK"} & set(dir(signal)):  # a closed window sends one of them
        signal.signal(getattr(signal, name), leave)
    try:
        os.makedirs(WORKSPACE, exist_ok=True)
    except OSError as error:
        parser.error(f"--workspace: {error}")
    print(f"Working in {WORKSPACE}. Commands start there, but nothing keeps them there.")
    messages = []
    for prompt in read_prompts():
        if OPTIONS.prompt or not TERMINAL:
            print(f"> {prompt}")
        if prompt == "/new":
            messages.clear()
            continue
        start = len(messages)
        messages.append({"role": "user", "content": sendable(prompt)})
        try:
            reply = agent_loop(messages)
            show_text(reply, instead="(no text)")
            if reply.stop_reason != "end_turn":
                print(ENDINGS.get(reply.stop_reason, f"Stopped for an unknown reason: {reply.stop_reason}"))
            if reply.stop_reason == "refusal":
                del messages[start:]
        except (KeyboardInterrupt, Exception) as error:  # whatever ends a turn, the session goes on
            close_history(messages)
            if not isinstance(error, (KeyboardInterrupt, anthropic.APIError)):  # such as an answer that is no JSON
                sys.excepthook(*sys.exc_info())
            print(printable(f"\n{error}" if str(error) else "\nInterrupted."))
            if getattr(error, "status_code", 0) in (400, 413):  # refused as it is, and so would the next prompt be
                print("If the conversation so far is the cause, /new begins another.")
            if OPTIONS.prompt:
                sys.exit(1)


if __name__ == "__main__":
    main()
