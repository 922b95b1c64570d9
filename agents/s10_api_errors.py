"""s10: when the API fails.

A tool that fails is an answer for Claude (s05). When the API itself fails, nobody is there to answer: the program waits
and asks again, or stops with a sentence. In each case the history survives, in a file, too: a process that was killed
goes on where it was.

    request failed --> passes by itself? 429, 5xx, no connection --> wait, twice as long each time --> the same again
                   --> anything else, or PATIENCE is used up     --> a sentence; --resume goes on from here

Run         python agents/s10_api_errors.py [--resume FILE] ["What does Mill Lane Depot store?"]
Costs       nothing without a key; with one, three requests, at most 0.03 USD, and never more than MAX_TURNS requests
Leaves out  replies that break off in the middle (s11), a history that is too long (s12)
"""

import argparse
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import anthropic
from course import load_env

load_env()
# No retries by the SDK: it waits in silence, and as long as it is told to. 300 s are for one reply in one piece.
client = anthropic.Anthropic(max_retries=0, timeout=anthropic.Timeout(300, connect=5))

# ---- as in s08, unchanged

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
REVIEW = pathlib.Path(__file__).parent / "review"  # invented reports, an invented building code, measurements
if not REVIEW.is_dir():
    sys.exit(f"There is no folder {REVIEW}. This script reads it: copy it from the course, too.")
REPORTS = sorted(path.stem for path in (REVIEW / "reports").glob("*.txt"))

ENDINGS = {  # what to tell the reader, by the stop reason of the last reply
    "tool_use": f"Stopped, though Claude wanted a tool: {MAX_TURNS} turns are the limit, or its reply held no call.",
    "pause_turn": f"Stopped after {MAX_TURNS} turns, though Claude wanted to go on. Raise MAX_TURNS?",
    "max_tokens": "Cut off after MAX_TOKENS. A call in this reply may be incomplete, so none was run.",
    "refusal": "Claude declined. Change the prompt: unchanged, it will most likely be declined again.",
    "model_context_window_exceeded": "The conversation no longer fits into the model. Start a new one.",
}


def tool_result(call, content, is_error=False):
    return {"type": "tool_result", "tool_use_id": call.id, "content": sendable(content), "is_error": is_error}


def sendable(text):
    """Replace halves of characters (lone surrogates), which no request can hold."""
    return text.encode(errors="replace").decode()


def mend(reply):
    """Make a reply fit to be sent back: no blank text, no halves of characters, an id of its own for each call."""
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


def read_report(report, page):
    text = (REVIEW / "reports" / f"{one_of('report', report, REPORTS)}.txt").read_text(encoding="utf-8")
    pages = re.split(r"== Page \d+ ==\n", text)[1:]
    if page not in range(1, len(pages) + 1):
        raise ValueError(f"page: {report} has the pages 1 to {len(pages)}, not {page!r}")
    return f"{report}, page {page} of {len(pages)}\n{pages[page - 1].strip()}"


def one_of(name, value, allowed):
    """Return the value if it is allowed; if not, raise an error that says what is, for Claude to choose from."""
    if value not in allowed:
        raise ValueError(f"{name}: expected one of {', '.join(allowed)}, got {value!r}")
    return value


def run_tools(reply):
    """Run every call in the reply at the same time; return one result for each, in the order of the calls."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    with ThreadPoolExecutor(max_workers=16) as pool:
        results = list(pool.map(run_tool, calls))  # map keeps the order, whichever call ends first
    for call, result in zip(calls, results):
        show_call(call, result)
    return results


def show_call(call, result):
    """Show the call and the first line of its result, which says what the rest is. Claude gets all of it."""
    lines = result["content"].splitlines() or [""]
    rest = f" ({len(lines)} lines)" if len(lines) > 1 else ""
    print(f"  {call.name}({json.dumps(call.input, ensure_ascii=False)}) -> {lines[0]}{rest}")


# ---- new from here

OPTIONS = argparse.Namespace(resume="")  # the file that keeps the history; filled in by main()
PATIENCE = 300  # seconds that one request may wait in all
SYSTEM = (
    "You review structural reports. Read a report to its last page before you answer, in the user's language. Add "
    "nothing to what it says."
)
PROMPT = "Which sections of the code does the report of Harbor Hall name?"

TOOLS = [
    {
        "name": "read_report",
        "description": "Read one page of a report. The first line of the result says how many pages there are.",
        "input_schema": {
            "type": "object",
            "properties": {
                "report": {"type": "string", "enum": REPORTS},
                "page": {"type": "integer", "description": "Counted from 1"},
            },
            "required": ["report", "page"],
        },
    },
]
FUNCTIONS = {"read_report": read_report}

ADVICE = {  # what a person can do about it, by HTTP status; the API's own words say the rest
    401: "Check ANTHROPIC_API_KEY: it is wrong, or was withdrawn.",
    404: f"Check MODEL_ID and ANTHROPIC_BASE_URL: {MODEL} is not to be found there.",
    429: "The limits of this account are used up: come back later, or have them raised.",
    529: "Many ask at the moment: come back later.",
}


def is_passing(error):
    """Whether the same request may succeed later. By status and type: an error in mid-stream comes with status 200."""
    if isinstance(error, anthropic.APIConnectionError):  # time-outs, too
        return True
    if str(error.error_code).endswith("spend_limit_reached"):  # a 429 that only money, or the next month, makes pass
        return False
    passing = error.status_code in (408, 409, 429) or error.status_code >= 500
    return passing or error.type in ("rate_limit_error", "overloaded_error", "api_error", "timeout_error")


def seconds_to_wait(error, attempt):
    """Twice as long each time, at least as long as the API asks for, and never quite when all the others come back."""
    asked = error.response.headers.get("retry-after", "") if isinstance(error, anthropic.APIStatusError) else ""
    wait = max(2**attempt, float(asked) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", asked) else 0)
    return wait * random.uniform(1, 1.25)


def describe(error):
    """One line: status, the API's own words, the id that support asks for. Not the cause: it may hold the key."""
    if isinstance(error, anthropic.APIStatusError):
        asked = error.response.headers.get("retry-after", "")
        words = str(error.api_message or error)[:200] + (f" (retry after {asked[:20]} s)" if asked else "")
        return f"{error.status_code}: {words} (request {error.request_id})"
    if isinstance(error, anthropic.APIError):
        return f"{error} ({type(error.__cause__).__name__})"
    if isinstance(error, ValueError):  # such as json.JSONDecodeError, which is none of the SDK's exceptions
        begin = getattr(error, "doc", str(error))[:60]
        return f"This is no answer of the API. Check the network and ANTHROPIC_BASE_URL. It begins: {begin!r}"
    return str(error) or "Interrupted."


def ask_claude(messages):
    """Send the whole history; wait and send it again while that can help. Raises what that cannot help."""
    attempt = waited = 0
    while True:
        try:
            reply = client.messages.create(
                model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages
            )
            if getattr(reply, "type", "") != "message":  # such as a page, a str: "sign in to this network"
                raise json.JSONDecodeError("not a message", str(reply), 0)
            return reply
        except anthropic.APIError as error:
            wait = seconds_to_wait(error, attempt)
            if not is_passing(error) or waited + wait > PATIENCE:
                raise
            print(f"  {describe(error)}\n  waiting {wait:.0f} s, then asking again (Ctrl-C stops)")
            time.sleep(wait)
            attempt, waited = attempt + 1, waited + wait


def save(messages):
    """Replace the file in one step: however the process ends, there is one whole history in it, the old or the new."""
    with open(f"{OPTIONS.resume}.new", "w", encoding="utf-8") as file:
        json.dump(messages, file, default=lambda block: block.to_dict())
        file.flush()
        os.fsync(file.fileno())
    os.replace(f"{OPTIONS.resume}.new", OPTIONS.resume)


def load():
    """Return the kept history, fit to be sent: calls that a killed process left without a result get one."""
    if not os.path.exists(OPTIONS.resume):
        return []
    try:
        with open(OPTIONS.resume, encoding="utf-8") as file:
            messages = json.load(file)
        blocks = messages[-1]["content"] if messages[-1]["role"] == "assistant" else []
        calls = [block["id"] for block in blocks if block["type"] == "tool_use"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        sys.exit(f"{OPTIONS.resume} holds no history: {error}")
    lost = {"type": "tool_result", "content": "Error: interrupted, may have partly run", "is_error": True}
    if calls:
        messages.append({"role": "user", "content": [{**lost, "tool_use_id": call} for call in calls]})
    return messages


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` is in the file wherever this ends."""
    for turn in range(1, MAX_TURNS + 1):
        save(messages)
        reply = mend(ask_claude(messages))
        print(f"turn {turn}: {reply.stop_reason}")
        if reply.content:  # a reply can be empty, and the API takes no empty message back
            messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
            save(messages)  # before the tools run: whoever kills this now knows that they may have run
        results = run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason != "pause_turn" and not (reply.stop_reason == "tool_use" and results):
            break  # a paused reply, sent back as it is, goes on
    save(messages)
    return reply


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("prompt", nargs="*")
    parser.add_argument("--resume", metavar="FILE", help="keep the history in FILE; go on from there if it exists")
    parser.parse_args(namespace=OPTIONS)
    OPTIONS.resume = OPTIONS.resume or os.path.join(tempfile.mkdtemp(prefix="agent-"), "history.json")
    messages = load()
    prompt = " ".join(OPTIONS.prompt) or ("" if messages else PROMPT)
    if prompt:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": sendable(prompt)})
    elif messages[-1]["role"] == "assistant":
        print("Finished already:", *[block["text"] for block in messages[-1]["content"] if block["type"] == "text"])
        return
    try:
        reply = agent_loop(messages)
    except (KeyboardInterrupt, anthropic.APIError, ValueError, OSError) as error:
        print(describe(error), ADVICE.get(getattr(error, "status_code", 0), ""))
        kept = os.path.exists(OPTIONS.resume)
        sys.exit(f'The history is kept. Go on with: --resume "{OPTIONS.resume}"' if kept else "No history was kept.")
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason != "end_turn":
        print(ENDINGS.get(reply.stop_reason, f"Stopped for a reason unknown to this script: {reply.stop_reason}"))


if __name__ == "__main__":
    main()
