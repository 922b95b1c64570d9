"""Exercise s08/1: too much.

A search for "shall" returns the whole code, and you pay for it again in every later turn. Complete `search_code`:
at most MAX_HITS sections, and a first line that says how many were found and what to do to see the others.

Run    python my/s08_1_too_much.py
Check  course check s08/1

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
MAX_HITS = 5  # sections that one search returns
PROMPT = "What does the code say about light on the way out?"

SECTIONS = """
2.1 Dead load: The weight of the building shall be taken from the drawings and raised by 10 percent.
2.2 Floors of homes and offices: A floor in a home shall carry 2.0 kN/m2, a floor in an office 3.0 kN/m2.
2.3 Floors where people gather: A floor in a hall, a theater or a gymnasium shall carry 5.0 kN/m2.
2.4 Floors for storage: A storage floor shall carry 7.5 kN/m2, or the weight of what is stored if that is more.
2.5 Snow: A roof below 500 m above the sea shall carry 1.5 kN/m2 of snow, a roof above that 2.5 kN/m2.
3.1 Sag of floors: The span of a floor member divided by its sag shall not be below 300.
3.2 Sag of roofs: The span of a roof member divided by its sag shall not be below 200.
4.2 Concrete cover indoors: Steel bars indoors shall lie under at least 25 mm of concrete.
4.3 Concrete cover outdoors: Steel bars in the open or in the ground shall lie under at least 40 mm of concrete.
4.6 Moisture of timber: Timber shall be built in at no more than 18 percent moisture.
5.2 Length of the way out: From no place shall the way to a stair or to the open be longer than 35 m.
5.3 Width of stairs and doors: Stairs and doors on a way out shall be 10 mm wide for each person who needs them.
5.6 Light on the way out: Each way out shall be lit for 60 minutes after the power has failed.
""".strip().splitlines()

TOOLS = [
    {
        "name": "search_code",
        "description": "Find sections of the building code that hold every one of some words.",
        "input_schema": {
            "type": "object",
            "properties": {"words": {"type": "string", "description": "One or two words, as in: cover outdoors"}},
            "required": ["words"],
        },
    }
]


def search_code(words):
    found = [section for section in SECTIONS if all(word in section.lower() for word in words.lower().split())]
    first = f"{len(found)} found"
    if len(found) > MAX_HITS:
        first += f", the first {MAX_HITS} follow. Add a word to see others."
    return "\n".join([first, *found[:MAX_HITS]])


FUNCTIONS = {"search_code": search_code}


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
        print(f"  {call.name}({call.input}) -> {result['content']}")
    return results


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, tools=TOOLS, messages=messages)


def agent_loop(messages):
    """Ask, run tools, ask again, until Claude asks for no tool; return the last reply."""
    for _ in range(MAX_TURNS):
        reply = ask_claude(messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        messages.append({"role": "user", "content": run_tools(reply)})
    return reply


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
