"""Exercise s10/1: which are worth it?

The API fails, in another way with nearly each of these prompts, and the program asks three times, whatever it was.
Complete `is_passing`: true if the failure may pass by itself, false if only a person or money can mend it. What is not
worth it is asked once.

Run    python my/s10_1_worth_asking_again.py
Check  course check s10/1

Without a key, and with PROMPTS as it is, a run shows what the check shows.
"""

import os
import time

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic(max_retries=0)

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
TRIES = 3
WAIT = 0.05  # seconds before the second try; against the real API it would be 1
PROMPTS = [
    "How wide must a stair be?",
    "How long may a way out be?",
    "Which load must the floor of a hall bear?",
    "How much may a beam sag?",
    "How thick must concrete cover steel?",
    "How wet may timber be?",
    "How wide may a crack be?",
    "Where does the code speak of snow?",
]


def is_passing(error):
    """Whether the same request may succeed later, though nobody does anything but wait."""
    return True  # TODO: complete


def ask_claude(prompt):
    """Ask; wait and ask again while that can help. Raises what that cannot help."""
    for attempt in range(1, TRIES + 1):
        try:
            messages = [{"role": "user", "content": prompt}]
            return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, messages=messages)
        except anthropic.APIError as error:
            print(f"  {attempt}. {type(error).__name__}: {getattr(error, 'api_message', error)}")
            if attempt == TRIES or not is_passing(error):
                raise
            time.sleep(WAIT * 2 ** (attempt - 1))


def main():
    for prompt in PROMPTS:
        print(f"> {prompt}")
        try:
            reply = ask_claude(prompt)
            print("\n".join(block.text for block in reply.content if block.type == "text") or "(no text)")
        except anthropic.APIError:
            print("  given up")


if __name__ == "__main__":
    main()
