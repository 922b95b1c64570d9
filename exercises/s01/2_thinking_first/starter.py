"""Exercise s01/2: where is the text?

No tools here: two questions, two answers. The program takes the answer from the first block, which works until Claude
thinks before it speaks, or says nothing at all. Repair `text_of`: all the text of a reply, in order, and NO_TEXT when
there is none. Leave `thinking` on.

Run    python my/s01_2_thinking_first.py
Check  course check s01/2

Without a key, and with PROMPTS as it is, a run shows what the check shows.
"""

import os

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
PROMPTS = ["What should I pack for a week in Oslo?", "Thank you, that is all."]
NO_TEXT = "(no text)"


def ask_claude(messages):
    return client.messages.create(model=MODEL, max_tokens=MAX_TOKENS, thinking={"type": "adaptive"}, messages=messages)


def text_of(reply):
    """Return all the text of a reply as one string, or NO_TEXT."""
    # TODO: repair. The first block need not be text, there may be several, and there may be none.
    return reply.content[0].text


def main():
    for prompt in PROMPTS:
        print(f"> {prompt}")
        print(text_of(ask_claude([{"role": "user", "content": prompt}])))


if __name__ == "__main__":
    main()
