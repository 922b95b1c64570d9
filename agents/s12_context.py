"""s12: long runs that stay cheap.

The API remembers nothing, so the whole history is sent each time, and paid for each time. Two things help. The cache:
what stood at the beginning of an earlier request, byte for byte, costs a twentieth. And less history: when it has grown
over LIMIT, old results are cut down to a line; if that is not enough, old questions and answers become a summary.

    tools, system, code | history ............................ | newest      | = a mark: up to here goes into the cache
    <- read from the cache, for a twentieth -----> <- written -> |

    before a request: count_tokens > LIMIT? --> keep a copy --> clear_results --> still too long? --> summarize

Run         python agents/s12_context.py ["Review Harbor Hall." "And Mill Lane Depot?"]
Costs       nothing without a key; with one, some ten requests, at most 0.06 USD; the last line says what was saved
Leaves out  the API's own clearing and compaction, which are in beta and do the same on the other side
"""

import json
import os
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

# ---- as in s08, unchanged

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
REVIEW = pathlib.Path(__file__).parent / "review"  # invented reports, an invented building code, measurements
if not REVIEW.is_dir():
    sys.exit(f"There is no folder {REVIEW}. This script reads it: copy it from the course, too.")
REPORTS = sorted(path.stem for path in (REVIEW / "reports").glob("*.txt"))
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

LIMIT = 2_300  # tokens; what is longer is shortened. So small that you see it happen: 100,000 is more usual
KEEP = 4  # messages at the end, of which nothing is cleared
PRICE_IN, PRICE_OUT = 2.00, 10.00  # USD per million tokens; into the cache 1.25 times PRICE_IN, from it 0.05
PRICED = MODEL == "claude-sonnet-5-5"  # the prices are those of this model: of others only tokens are told
TOTAL = {"spent": 0.0, "without the cache": 0.0, "with the whole history each time, too": 0.0}  # millionths of USD
LENGTH = {"saved": 0, "kept": 0, "estimated": False}  # tokens: cut off in all; left by the last cut; nobody counts
CACHE = {"type": "ephemeral"}  # a mark: the request up to here goes into the cache, for five minutes after each use
CODE = "\n\n".join((REVIEW / "code" / f"{part}.txt").read_text(encoding="utf-8").strip() for part in PARTS)
RULES = (
    "You review structural reports, each read to its end, against the code below. Answer in the user's language, one "
    f"line for each finding: what, on which page, by which section. Say nothing that you have not read.\n\n{CODE}"
)
SYSTEM = [{"type": "text", "text": RULES, "cache_control": CACHE}]  # always needed, never changed: no date, no counter
SUMMARY = (
    "You get the history of a review as JSON. Write a summary for the one who goes on with it, in <summary> tags: each "
    "question, word for word; each finding, with its numbers, page and section; what is open. Invent nothing."
)
PROMPTS = [
    "Review Harbor Hall.",
    "Review Lakeview School.",
    "Review Mill Lane Depot.",
    "Which of the three is the most urgent?",
    "What does page 2 of Harbor Hall say about the load, word for word?",
]

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


def ask_claude(messages):
    """Send the history, with two marks: behind the system prompt, and (by cache_control) behind the newest message."""
    return client.messages.create(
        model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages, cache_control=CACHE
    )


def count(messages):
    """Ask the API how many tokens a request would have, which costs nothing. Where nobody counts, estimate."""
    try:
        if not LENGTH["estimated"]:
            return client.messages.count_tokens(model=MODEL, system=SYSTEM, tools=TOOLS, messages=messages).input_tokens
    except (anthropic.NotFoundError, anthropic.PermissionDeniedError, anthropic.InternalServerError) as error:
        LENGTH["estimated"] = True
        print(f"  (tokens cannot be counted here, status {error.status_code}: estimated from now on)")
    return len(to_json([SYSTEM, TOOLS, messages])) // 3  # of English; Chinese has a token or more a character


def show_cost(usage, kind="tokens"):
    """Say what a reply cost; add it up, beside what it would have cost with the whole history and no cache."""
    read, written = usage.cache_read_input_tokens or 0, usage.cache_creation_input_tokens or 0
    whole = usage.input_tokens + written + read  # input_tokens alone is what the cache has nothing to do with
    out = usage.output_tokens * PRICE_OUT
    spent = (usage.input_tokens + 1.25 * written + 0.05 * read) * PRICE_IN + out
    cost = f": {spent / 1_000_000:.4f} USD" if PRICED else ""
    print(f"  {whole:,} {kind} in ({read:,} from the cache, {written:,} into it), {usage.output_tokens:,} out{cost}")
    TOTAL["spent"] += spent
    TOTAL["without the cache"] += whole * PRICE_IN + out
    if kind == "tokens":  # there would have been no summary
        TOTAL["with the whole history each time, too"] += (whole + LENGTH["saved"]) * PRICE_IN + out


def shorten(messages):
    """Shorten a history over LIMIT, unless a call or a paused reply is open, or the last cut left hardly less."""
    before = count(messages)
    if before <= max(LIMIT, 1.1 * LENGTH["kept"]) or messages[-1]["role"] == "assistant":
        return
    shorter = clear_results(messages)
    if count(shorter) > 0.9 * LIMIT:  # or it would be too long again soon, and each change costs the cache
        shorter = summarize(shorter)
    copy = pathlib.Path(tempfile.mkdtemp(prefix="agent-"), "history.json")
    copy.write_text(to_json(messages), encoding="utf-8")  # what Claude no longer sees is not lost
    messages[:] = shorter  # only now: had anything failed until here, the history would be as it was
    LENGTH["kept"] = count(messages)
    LENGTH["saved"] += before - LENGTH["kept"]
    print(f"  shortened from {before:,} to {LENGTH['kept']:,} tokens; what it was is in {copy}")


def clear_results(messages):
    """Return the history with old results cut down to a line. Each call keeps one, or the API would refuse it all."""
    shorter = []
    for place, message in enumerate(messages):
        content = message["content"]
        if message["role"] == "assistant":  # thinking is bound to what stood before it, and that changes
            content = [block for block in content if block.type not in ("thinking", "redacted_thinking")]
        elif isinstance(content, list) and place < len(messages) - KEEP:
            content = [cut_down(block) for block in content]
        if content:
            shorter.append({"role": message["role"], "content": content})
    return shorter


def cut_down(block):
    first, *more = block.get("content", "").splitlines() or [""]
    return {**block, "content": f"{first} [cleared to save room; call again for the rest]"} if more else block


def summarize(messages):
    """Return the history with all that stood before the last prompt in a few words. Cuts in front of a prompt only."""
    start = max(place for place, message in enumerate(messages) if isinstance(message["content"], str))
    if start == 0:
        return messages
    request = [{"role": "user", "content": to_json(messages[:start])}]  # as text: no call in it is open
    reply = mend(client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, system=SUMMARY, messages=request))
    show_cost(reply.usage, "tokens for a summary")
    summary = "".join(block.text for block in reply.content if block.type == "text")
    if reply.stop_reason != "end_turn" or not summary:
        return messages
    return [{"role": "user", "content": [{"type": "text", "text": summary}]}, *messages[start:]]


def to_json(messages):
    return json.dumps(messages, ensure_ascii=False, default=lambda block: block.to_dict())


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` can be sent again wherever this ends."""
    for turn in range(1, MAX_TURNS + 1):
        shorten(messages)
        reply = mend(ask_claude(messages))
        print(f"turn {turn}: {reply.stop_reason}")
        show_cost(reply.usage)
        if reply.content:  # a reply can be empty, and the API takes no empty message back
            messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        results = run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)
        if results:
            messages.append({"role": "user", "content": results})
        if reply.stop_reason != "pause_turn" and not (reply.stop_reason == "tool_use" and results):
            break  # a paused reply, sent back as it is, goes on
    return reply


def main():
    messages = []
    for prompt in sys.argv[1:] or PROMPTS:
        print(f"> {prompt}")
        messages.append({"role": "user", "content": sendable(prompt)})
        reply = agent_loop(messages)
        texts = [block.text for block in reply.content if block.type == "text"]
        print("\n".join(texts) or "(no text)")
        if reply.stop_reason != "end_turn":
            print(ENDINGS.get(reply.stop_reason, f"Stopped for a reason unknown to this script: {reply.stop_reason}"))
    if PRICED:
        print("USD in all:", ", ".join(f"{value / 1_000_000:.4f} {name}" for name, value in TOTAL.items()))


if __name__ == "__main__":
    main()
