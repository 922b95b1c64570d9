"""s08: tools that Claude gets right.

Claude knows of a tool what you wrote about it, and nothing else. So each tool here does one thing, its arguments are
described or chosen from a list, its result has a bound and says how to get more, and its errors say what to do next.

    search_code --numbers--> read_section       5 hits, then one section
    read_report --cites----> read_section       one page, then one section
    summarize_measurements                      one line for any number of rows

Run         python agents/s08_tool_design.py ["Does Mill Lane Depot meet the code?"]
Costs       nothing without a key; with one, five requests, at most 0.06 USD, and never more than MAX_TURNS requests
Leaves out  tools that change something, and limits on what a tool may do
"""

import csv
import json
import os
import pathlib
import re
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

# ---- as in s05, unchanged

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost

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


def main():
    prompt = " ".join(sys.argv[1:]) or PROMPT
    print(f"> {prompt}")
    reply = agent_loop([{"role": "user", "content": prompt}])
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason != "end_turn":
        print(ENDINGS.get(reply.stop_reason, f"Stopped for a reason unknown to this script: {reply.stop_reason}"))


# ---- new from here

MAX_HITS = 5  # sections that one search returns
REVIEW = pathlib.Path(__file__).parent / "review"  # invented reports, an invented building code, measurements
if not REVIEW.is_dir():
    sys.exit(f"There is no folder {REVIEW}. This script reads it: copy it from the course, too.")
REPORTS = sorted(path.stem for path in (REVIEW / "reports").glob("*.txt"))
PARTS = sorted(path.stem for path in (REVIEW / "code").glob("*.txt"))
COLUMNS = ["span_mm", "span_over_sag", "cover_mm", "moisture_percent"]
SYSTEM = (
    "You review structural reports against the Model Building Code. Read the whole report first. For each value that "
    "the code limits, read the section and compare. Answer in the user's language with one line for each finding: what "
    "was found, on which page or member, and the number of the section. Say nothing that you have not looked up."
)
PROMPT = "Does Harbor Hall meet the code?"

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
    {
        "name": "summarize_measurements",
        "description": "Summarize what was measured for one report: how many values, how many are missing, lowest, "
        "mean and highest value, and the members they belong to. The rows themselves are not returned.",
        "input_schema": {
            "type": "object",
            "properties": {
                "report": {"type": "string", "enum": REPORTS},
                "column": {"type": "string", "enum": COLUMNS, "description": "span_over_sag: higher is stiffer"},
            },
            "required": ["report", "column"],
        },
    },
]
for tool in TOOLS:  # Anthropic's API then keeps Claude to the schema; other endpoints may ignore it
    tool["strict"] = True
    tool["input_schema"]["additionalProperties"] = False


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


def read_report(report, page):
    text = (REVIEW / "reports" / f"{one_of('report', report, REPORTS)}.txt").read_text(encoding="utf-8")
    pages = re.split(r"== Page \d+ ==\n", text)[1:]
    if page not in range(1, len(pages) + 1):
        raise ValueError(f"page: {report} has the pages 1 to {len(pages)}, not {page!r}")
    return f"{report}, page {page} of {len(pages)}\n{pages[page - 1].strip()}"


def summarize_measurements(report, column):
    """One line for any number of rows; which member a value belongs to is what a review needs."""
    report, column = one_of("report", report, REPORTS), one_of("column", column, COLUMNS)
    with open(REVIEW / "measurements.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["report"] == report]
    values = {row["member"]: float(row[column]) for row in rows if row[column]}
    if not values:
        measured = ", ".join(name for name in COLUMNS if any(row[name] for row in rows))
        raise ValueError(f"column: {column} was not measured for {report}, only {measured or 'nothing'}")
    low, high = min(values, key=values.get), max(values, key=values.get)
    mean = sum(values.values()) / len(values)
    return (
        f"{column} of {report}: {len(values)} values, {len(rows) - len(values)} missing; "
        f"lowest {values[low]:g} ({low}), mean {mean:.1f}, highest {values[high]:g} ({high})"
    )


def one_of(name, value, allowed):
    """Return the value if it is allowed; if not, raise an error that says what is, for Claude to choose from."""
    if value not in allowed:
        raise ValueError(f"{name}: expected one of {', '.join(allowed)}, got {value!r}")
    return value


FUNCTIONS = {
    "search_code": search_code,
    "read_section": read_section,
    "read_report": read_report,
    "summarize_measurements": summarize_measurements,
}


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


if __name__ == "__main__":
    main()
