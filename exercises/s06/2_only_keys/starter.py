"""Exercise s06/2: where are the values?

The tool returns a dict with all that Claude needs, and the API refuses what the runner makes of it. Find out what is
sent, and repair `get_forecast`.

Run    python my/s06_2_only_keys.py
Check  course check s06/2

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
PROMPT = "Do I need an umbrella in Berlin tomorrow?"

FORECAST = {"Berlin": {"high": 44, "rain": 80, "wind": 12}, "Oslo": {"high": 26, "rain": 10, "wind": 5}}


@beta_tool
def get_forecast(city: str) -> str:
    """Get tomorrow's forecast for one city: high in Fahrenheit, rain in percent, wind in miles an hour.

    Args:
        city: The city's name in English, as in Berlin
    """
    return FORECAST[city]


def agent_loop(messages):
    """Return the last reply."""
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=MAX_TOKENS,
        tools=[get_forecast],
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
