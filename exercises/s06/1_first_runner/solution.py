"""Exercise s06/1: hand it to the runner.

Claude is asked for the weather and has no tool. The function is there, and the SDK's tool runner could do the rest:
ask, run, answer, ask again. Complete the program: make `get_weather` a tool, and let a runner with at most MAX_TURNS
requests do the work of `agent_loop`. It takes three turns.

Run    python my/s06_1_first_runner.py
Check  course check s06/1

Without a key, and with PROMPT as it is, a run shows what the check shows.
"""

import os

import anthropic
from anthropic import beta_tool
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
MAX_TURNS = 10
PROMPT = "Where is it warmer today, in Oslo or in Austin?"

WEATHER = {"Austin": "95F, sunny", "Berlin": "41F, rain", "Chengdu": "57F, fog", "Oslo": "23F, snow"}


@beta_tool
def get_weather(city: str) -> str:
    """Get today's weather in one city.

    Args:
        city: The city's name in English, as in Austin
    """
    return f"Weather in {city}: {WEATHER[city]}"


def agent_loop(messages):
    """Return the last reply."""
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        tools=[get_weather],
        messages=messages,
        max_iterations=MAX_TURNS,
        thread=False,
    )
    return runner.until_done()


def main():
    print(f"> {PROMPT}")
    reply = agent_loop([{"role": "user", "content": PROMPT}])
    print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")


if __name__ == "__main__":
    main()
