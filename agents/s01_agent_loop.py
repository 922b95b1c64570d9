"""s01: the agent loop.

An agent is a model in a loop. Ask Claude; while it asks for tools, run them and send the results back; stop when it
asks for none.

    prompt --> ask_claude --> stop_reason "tool_use"? --no--> answer
                   ^                 | yes
                   +--- results -- run_tools

Run         python agents/s01_agent_loop.py ["What should I wear in Oslo?"]
Costs       nothing without a key; with one, two short requests, less than 0.01 USD
Leaves out  today's date (s03), calls side by side (s04), tools that fail and what else can end a run (s05)
"""

import json
import os
import sys

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000  # the most one reply may take, thinking included
MAX_TURNS = 10  # the most requests one prompt may cost
PROMPT = "What should I wear in Austin today?"

WEATHER = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "The city's name in English, as in Austin"}},
            "required": ["city"],
        },
    }
]


def get_weather(city):
    """Look the city up; say so when it is not in the table, so that Claude has nothing to invent."""
    if city not in WEATHER:
        return f"No weather for {city}. Known cities: {', '.join(WEATHER)}"
    return f"Weather in {city}: {WEATHER[city]}"


FUNCTIONS = {"get_weather": get_weather}


def run_tool(call):
    """Run one tool_use block; return the tool_result block that answers it."""
    result = FUNCTIONS[call.name](**call.input)
    return {"type": "tool_result", "tool_use_id": call.id, "content": result}


def run_tools(reply):
    """Run every call in the reply; return one result for each, in the same order."""
    calls = [block for block in reply.content if block.type == "tool_use"]
    results = [run_tool(call) for call in calls]
    for call, result in zip(calls, results):
        show_call(call, result)
    return results


def show_call(call, result):
    print(f"  {call.name}({json.dumps(call.input, ensure_ascii=False)}) -> {result['content']}")


def ask_claude(messages):
    """Send the whole history, because the API remembers nothing; return one reply."""
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool. `messages` grows on the way."""
    for turn in range(1, MAX_TURNS + 1):
        reply = ask_claude(messages)
        print(f"turn {turn}: {reply.stop_reason}")
        messages.append({"role": "assistant", "content": reply.content})  # all of it: thinking, text and calls
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "user", "content": run_tools(reply)})
    return reply


def main():
    prompt = " ".join(sys.argv[1:]) or PROMPT
    print(f"> {prompt}")
    reply = agent_loop([{"role": "user", "content": prompt}])
    texts = [block.text for block in reply.content if block.type == "text"]
    print("\n".join(texts) or "(no text)")
    if reply.stop_reason == "tool_use":
        print(f"(stopped: the limit of {MAX_TURNS} turns is reached)")
    elif reply.stop_reason != "end_turn":
        print(f"(stopped early: {reply.stop_reason})")


if __name__ == "__main__":
    main()
