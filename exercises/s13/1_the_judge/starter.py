"""Exercise s13/1: the judge.

Ten runs of one task, and by hand you would say: the first five answers are right, the others are not. Complete `judge`
so that it says the same. It must not depend on how a right answer is worded, nor on where else a number turns up.

Run    python my/s13_1_the_judge.py
Check  course check s13/1

Without a key, and with PROMPTS as they are, a run shows what the check shows.
"""

import os
import re

import anthropic
from course import load_env

load_env()
client = anthropic.Anthropic()

MODEL = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
MAX_TOKENS = 8000
SYSTEM = (
    "Harbor Hall: its floor carries 3.0 kN/m2, its stairs are 1,800 mm wide, its floors sag by 1/310. Section 2.3 asks "
    "for 5.0 kN/m2, section 5.3 for stairs of 2,000 mm, section 3.1 for no more than 1/300. End your answer with one "
    "line: Not met: and the numbers of the sections, or none."
)
PROMPTS = [
    "Run 1: does Harbor Hall meet the code?",
    "Run 2: does Harbor Hall meet the code?",
    "Run 3: does Harbor Hall meet the code?",
    "Run 4: does Harbor Hall meet the code?",
    "Run 5: does Harbor Hall meet the code?",
    "Run 6: does Harbor Hall meet the code?",
    "Run 7: does Harbor Hall meet the code?",
    "Run 8: does Harbor Hall meet the code?",
    "Run 9: does Harbor Hall meet the code?",
    "Run 10: does Harbor Hall meet the code?",
]
EXPECTED = {"2.3", "5.3"}  # the sections that are not met


def judge(answer):
    """Whether the answer says that the sections in EXPECTED are not met, these and no others."""
    # TODO: an answer can name a section and say that it is met. Which line of an answer counts?
    return all(number in answer for number in EXPECTED)


def ask(prompt):
    reply = client.messages.create(
        model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, messages=[{"role": "user", "content": prompt}]
    )
    return "\n".join(block.text for block in reply.content if block.type == "text")


def main():
    passed = 0
    for number, prompt in enumerate(PROMPTS, 1):
        answer = ask(prompt)
        verdict = judge(answer)
        passed += bool(verdict)
        print(f"run {number}: {'passed' if verdict else 'failed'}   {answer!r}")
    print(f"{passed} of {len(PROMPTS)} passed")


if __name__ == "__main__":
    main()
