"""s11: the reply as it arrives.

A reply takes seconds, and a stream brings it in pieces. Show the pieces at once, but act only on what is whole, and
whole is what has a stop reason. A stream may break off anywhere, without an exception even; then the same is asked
again, and what was read before is not shown twice.

    ask_claude --> pieces of text --------> show_text: what is new of them
                   thinking, arguments ---> show_progress: one line that is wiped again, on a terminal
                   stop reason came? --yes--> the whole reply, as before
                           +--no: cut, error, network--> wait, then ask for the same again

Run         python agents/s11_streaming.py ["How wide must a stair for 300 people be?"]
Costs       nothing without a key; with one, three requests, at most 0.04 USD; a reply that broke off is paid for, too
Leaves out  failures before the first piece: the SDK tries again, and s10 does it better
"""

import json
import os
import pathlib
import random
import shutil
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor

import anthropic
import httpx2  # what the SDK speaks HTTP with: when the network breaks in mid-stream, its exceptions come through
from course import load_env

load_env()
client = anthropic.Anthropic()

# ---- as in s08, unchanged

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
MAX_HITS = 5  # sections that one search returns
REVIEW = pathlib.Path(__file__).parent / "review"  # invented reports, an invented building code, measurements
if not REVIEW.is_dir():
    sys.exit(f"There is no folder {REVIEW}. This script reads it: copy it from the course, too.")
PARTS = sorted(path.stem for path in (REVIEW / "code").glob("*.txt"))

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


def read_code():
    """Return all sections by number, in the order of the code: {"4.3": its number, title and text, ...}"""
    texts = [(REVIEW / "code" / f"{part}.txt").read_text(encoding="utf-8").strip() for part in PARTS]
    return {section.split()[0]: section for section in "\n\n".join(texts).split("\n\n")}


def search_code(words, part=""):
    """List the sections that hold every word, the first MAX_HITS of them, and say how to get at the others."""
    found = [text for text in read_code().values() if text.startswith(part[:1])]  # a part begins with its number
    found = [text for text in found if all(word in text.lower() for word in words.lower().split())]
    if not found:
        return f"0 found with all of: {words}. Try fewer words or others, without a part."
    more = f", the first {MAX_HITS} follow: add a word or name a part to see others" if len(found) > MAX_HITS else ""
    lines = [textwrap.shorten(text.replace("\n", ": "), 100) for text in found[:MAX_HITS]]
    return "\n".join([f"{len(found)} found{more}", *lines])


def read_section(number):
    sections, number = read_code(), str(number)
    if number not in sections:
        near = [other for other in sections if other[0] == number[:1]] or list(sections)
        raise ValueError(f"number: there is no section {number}, only {near[0]} to {near[-1]}; try search_code")
    return sections[number]


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


# ---- new from here

WAITS = (0, 2, 4, 8, 16)  # about so many seconds before each try to get a reply whole
SEEN = {"text": "", "first": None}  # of the reply that is arriving: what was shown, and when it began
SYSTEM = (
    "You answer questions about the Model Building Code. Find the sections, read them, then answer in the user's "
    "language, with the number of each section. Say nothing that you have not looked up."
)
PROMPT = "What does the code say about stairs, lights, fire and snow?"

TOOLS = [
    {
        "name": "search_code",
        "description": "Find sections of the Model Building Code by words. Returns the number, title and first words "
        f"of at most {MAX_HITS} sections that hold every word. Use it when you do not know the number; then read "
        "the section before you rely on it.",
        "input_schema": {
            "type": "object",
            "properties": {
                "words": {"type": "string", "description": "One or two words, as in: cover outdoors. Case is ignored"},
                "part": {"type": "string", "enum": PARTS, "description": "Search this part only"},
            },
            "required": ["words"],
        },
    },
    {
        "name": "read_section",
        "description": "Read one section of the Model Building Code in full, by its number.",
        "input_schema": {
            "type": "object",
            "properties": {"number": {"type": "string", "description": "Part and section with a dot, as in 4.3"}},
            "required": ["number"],
        },
    },
]
for tool in TOOLS:  # Anthropic's API then keeps Claude to the schema; other endpoints may ignore it
    tool["strict"] = True
    tool["input_schema"]["additionalProperties"] = False
FUNCTIONS = {"search_code": search_code, "read_section": read_section}


def text_of(reply):
    return "".join(sendable(block.text) + "\n" for block in reply.content if block.type == "text")


def show_text(text, whole=False):
    """Show what is new of a reply's text. After a break, nothing is new as long as the same words come again."""
    if text.startswith(SEEN["text"]):
        print(text[len(SEEN["text"]) :], end="", flush=True)  # without flush, a pipe gets all of it at the end
        SEEN["text"] = text
    elif whole or not SEEN["text"].startswith(text):  # other words than before the break, or fewer
        print(f"\n(from the beginning, in other words)\n{text}", end="", flush=True)
        SEEN["text"] = text


def show_progress(block, is_whole):
    """On a terminal, show in one line what arrives besides text; wipe the line when the block is whole."""
    if sys.stdout.isatty() and block.type != "text":
        width = shutil.get_terminal_size().columns - 1
        line = f"  {block.name}({json.dumps(block.input)}" if block.type == "tool_use" else f"  ({block.type})"
        print("\r" + ("" if is_whole else line)[:width].ljust(width), end="\r", flush=True)


def read_stream(messages):
    """Ask once and show the reply while it arrives. Return as much of it as came: all, a part, or None."""
    reply = None
    with client.messages.stream(
        model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages
    ) as stream:
        for event in stream:
            if event.type == "message_start":
                reply = stream.current_message_snapshot  # grows with every event
            elif reply and event.type == "text":
                SEEN["first"] = SEEN["first"] or time.perf_counter()
                show_text(text_of(reply)[:-1])  # more of this line may follow
            elif reply and event.type.startswith("content_block_"):  # _start, _delta, _stop
                show_progress(reply.content[event.index], event.type == "content_block_stop")
                if event.type == "content_block_stop":
                    show_text(text_of(reply))
    return reply


def ask_claude(messages):
    """Show the reply while it arrives; return it when it is whole. One that broke off is asked for again."""
    SEEN.update(text="", first=None)
    start = time.perf_counter()
    for wait in WAITS:
        time.sleep(wait * random.uniform(0.5, 1))
        try:
            reply = read_stream(messages)
            if reply and reply.stop_reason:
                show_text(text_of(reply), whole=True)
                if SEEN["first"]:
                    first, last = SEEN["first"] - start, time.perf_counter() - start
                    print(f"  (first word after {first:.1f} s, the last after {last:.1f} s)")
                return reply
            problem = "it ended in the middle" if reply else "no reply at all"  # no exception says so
        except anthropic.APIStatusError as error:
            if error.status_code != 200:  # refused before anything came, and the SDK has tried again already
                raise
            problem = error.type or error.message  # an error inside the stream: the SDK does not try again
        except (httpx2.HTTPError, ValueError) as error:  # the network; half a character; JSON that is no JSON
            problem = f"{type(error).__name__}: {error}"
        print(f"\n(broken off: {problem})", file=sys.stderr)
    raise ConnectionAbortedError(f"The reply broke off {len(WAITS)} times. Try again later.")


def close_history(messages):
    """Make `messages` fit to be sent again after a turn that was broken off, wherever that was."""
    last = messages[-1]
    if last["role"] == "assistant":  # the reply was whole, and its tools were running: every call needs an answer
        calls = [block for block in last["content"] if block.type == "tool_use"]
        lost = [tool_result(call, "Error: interrupted, may have partly run", is_error=True) for call in calls]
        messages += [{"role": "user", "content": lost}] if lost else []
    elif SEEN["text"].strip():  # in mid-reply: what the user has read stays, and no call that was arriving
        messages.append({"role": "assistant", "content": f"{SEEN['text'].strip()} (interrupted)"})
    elif isinstance(last["content"], str):  # before the first word: as if it had not been asked
        messages.pop()


def main():
    messages, prompt = [], " ".join(sys.argv[1:]) or PROMPT
    session = sys.stdin.isatty() and sys.stdout.isatty()  # is there somebody to type the next prompt?
    print(f"> {prompt}")
    while prompt:
        start = len(messages)
        messages.append({"role": "user", "content": sendable(prompt)})
        try:
            reply = agent_loop(messages)
            if not text_of(reply):
                print("(no text)")
            if reply.stop_reason != "end_turn":
                print(ENDINGS.get(reply.stop_reason, f"Stopped for an unknown reason: {reply.stop_reason}"))
            if reply.stop_reason == "refusal":  # whatever was shown of it; sent again, it would be declined again
                del messages[start:]
        except (KeyboardInterrupt, anthropic.APIError, ConnectionAbortedError) as error:
            close_history(messages)
            print(f"\n{error}" if str(error) else "\nInterrupted.")
            if not session:
                sys.exit(1)
        try:
            prompt = input("> ").strip() if session else ""
        except (KeyboardInterrupt, EOFError):
            prompt = ""


if __name__ == "__main__":
    main()
