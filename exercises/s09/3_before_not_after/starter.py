"""Exercise s09/3: before, not after.

BUDGET is what this program may spend, in USD. So far it only adds up what was spent, when it has been spent. Extend it:
no request is sent that could end beyond the budget, even if the reply takes all of MAX_TOKENS. When the run stops for
that, the user is told in a line, and the history can be sent again. A request that fits is sent.

Run    python my/s09_3_before_not_after.py
Check  course check s09/3

Without a key, and with PROMPTS as they are, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 1000  # the most one reply may take, thinking included
MAX_TURNS = 10
PRICE_INPUT, PRICE_OUTPUT = 2 / 1e6, 10 / 1e6  # USD for each token, of the model above
BUDGET = 0.05  # USD
MORE = [0, 0, 0.1]  # what the user adds to the budget before each of PROMPTS
PROMPTS = [
    "Read the log of the building site to its end, and name the most urgent point.",
    "Then say it from what you have read.",
    "I have added 0.10 USD. Say it now.",
]

TOOLS = [
    {
        "name": "read_page",
        "description": "Read a page of the log, from 1 to 9.",
        "input_schema": {"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"]},
    }
]
spent = 0  # USD


def read_page(page):
    line = f"Page {page}: beam {{}} inspected, the moisture is {10 + page} percent, nothing else to report today."
    return "\n".join(line.format(beam) for beam in range(1, 101))


FUNCTIONS = {"read_page": read_page}


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
        print(f"  {call.name}({call.input}) -> {result['content'][:40]}...")
    return results


def ask_claude(messages):
    """Send the whole history; add up what it costs."""
    global spent
    reply = client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)
    spent += reply.usage.input_tokens * PRICE_INPUT + reply.usage.output_tokens * PRICE_OUTPUT
    print(f"  spent so far: {spent:.4f} USD")
    return reply


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool."""
    for _ in range(MAX_TURNS):
        # TODO: only if the request fits, whatever comes
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")
            break
        messages.append({"role": "user", "content": run_tools(reply)})


def main():
    global BUDGET
    messages = []
    for prompt, more in zip(PROMPTS, MORE):
        BUDGET += more
        print(f"> {prompt}")
        messages.append({"role": "user", "content": prompt})
        agent_loop(messages)


if __name__ == "__main__":
    main()
