"""s03/1, keep the history: what Claude says, and how to judge the run."""

import datetime
from typing import Any

from course.checks.accepted import not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, Sent, blocks_of, text_of
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot create events: I have no tool for it."


def play(talk: Talk) -> Reply:
    """An event tomorrow; then the same event a day later, if the conversation still holds the first."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    later = "same again" in talk.prompt
    if later and "ana@example.com" not in talk.prompt + "".join(turn.prompt for turn in talk.earlier):
        return say("The same as what? This is the first thing that you say to me.")
    if later and not talk.calls and not any(turn.calls for turn in talk.earlier):
        return say("I have not booked anything for you yet, as far as I can see.")
    if talk.calls:
        return say(f"Done: the sync is on {talk.calls[-1].input.get('start', '')[:10]} at 10:00.")
    return ask_for(("create_calendar_event", event("Sync", today + datetime.timedelta(2 if later else 1), 10, 0.5)))


def judge(run: Run) -> Verdict:
    return first(
        run,
        _both_at_once,
        obstacle,
        crash,
        without_tools,
        _one_prompt,
        _forgotten,
        unanswered,
        _half_history,
        _said_twice,
        spread,
        not_printed,
    )


PROMPTS = [  # in the starter
    "Book a 30-minute sync with ana@example.com tomorrow at 10:00.",
    "The same again one day later.",
]


def _prompts(run: Run) -> list[str]:
    """The reader's two prompts."""
    found = constant(run, "PROMPTS", PROMPTS)
    return found if len(found) > 1 and all(isinstance(prompt, str) for prompt in found) else PROMPTS


def _with_second_prompt(run: Run) -> list[Sent]:
    second = _prompts(run)[1]
    return [sent for sent in run.accepted if any(second in text for text in _user_text(sent.body))]


def _both_at_once(run: Run) -> Verdict | None:
    """A list of all prompts, made beforehand: the first answer is already one to both."""
    start = run.accepted[0] if run.accepted else None
    if not start or not all(any(prompt in text for text in _user_text(start.body)) for prompt in _prompts(run)):
        return None
    return fail("both_at_once", line=place(run, r"for .* in PROMPTS", r"PROMPTS"))


def _said_twice(run: Run) -> Verdict | None:
    """An answer of Claude's that was appended by the loop and by main() as well."""
    sent = _with_second_prompt(run)[0]
    answers = [one.text for one in run.sent[: run.number(sent) - 1] if one.reply.get("stop_reason") == "end_turn"]
    said = [str(block.get("text")) for block in blocks_of(sent.body, "assistant", "text")]
    twice = next((answer for answer in answers if said.count(answer) > 1), None)
    if twice is None:
        return None
    return fail(
        "said_twice",
        number=run.number(sent),
        text=twice,
        line=place(run, r"^ {8}messages\.append\(.*assistant", r"role\W+assistant"),
    )


def _one_prompt(run: Run) -> Verdict | None:
    if _with_second_prompt(run):
        return None
    return fail("one_prompt", line=place(run, r"for .* in PROMPTS", r"PROMPTS"))


def _forgotten(run: Run) -> Verdict | None:
    sent = _with_second_prompt(run)[0]
    if any(_prompts(run)[0] in text for text in _user_text(sent.body)):
        return None
    return fail(
        "forgotten",
        number=run.number(sent),
        text=sent.text,
        line=place(run, r"messages = \[", r"(?<!def )agent_loop\("),
    )


def _user_text(body: dict[str, Any]) -> list[str]:
    return [str(block.get("text")) for block in blocks_of(body, "user", "text")]


def _half_history(run: Run) -> Verdict | None:
    """The first prompt is there, but not all that followed it."""
    sent = _with_second_prompt(run)[0]
    number = run.number(sent)
    said = [text_of(message["content"]) for message in sent.messages if message["role"] == "assistant"]
    calls = list(blocks_of(sent.body, "assistant", "tool_use"))
    answers = [one.text for one in run.sent[: number - 1] if one.reply.get("stop_reason") == "end_turn"]
    if not calls:
        return fail("calls_lost", number=number, line=place(run, r"(?<!def )agent_loop\(", r"messages"))
    if answers and not any(answers[-1] in text for text in said):
        return fail("answer_lost", number=number, line=place(run, r"role\W+assistant", r"break"))
    return None
