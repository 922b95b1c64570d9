"""Exercise s11/1: the first word.

Who asks sees nothing until the reply is whole. And the second reply breaks off in the middle: not one of its words is
ever seen, though many had come. Let `ask_claude` show each piece of the text when it arrives. The program is then ended
as hard as by a power cut, so what still waits in a buffer is lost.

Run    python my/s11_1_first_word.py
Check  course check s11/1

Without a key, and with PROMPTS as they are, a run shows what the check shows.
"""

import os
import sys

import anthropic
from course import load_env

load_env()
sys.stdout.reconfigure(line_buffering=False, write_through=False)  # on a terminal as in a pipe: all waits in a buffer
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
PROMPTS = ["Why does a beam sag?", "And why does it crack?"]


def ask_claude(messages):
    """Show the text of the reply while it arrives; return the reply."""
    with client.messages.stream(model=MODEL, max_tokens=MAX_TOKENS, messages=messages) as stream:
        for text in stream.text_stream:
            print(text, end="", flush=True)
        reply = stream.get_final_message()
    print()
    return reply


def main():
    messages = []
    for prompt in PROMPTS:
        print(f"> {prompt}", flush=True)
        messages.append({"role": "user", "content": prompt})
        try:
            reply = ask_claude(messages)
        except anthropic.APIStatusError:  # an error in the middle of the stream: here the power fails
            os._exit(1)
        messages.append({"role": "assistant", "content": reply.content})


if __name__ == "__main__":
    main()
