"""s05/2, the call that was cut off: what Claude says, and how to judge the run."""

import datetime

from course.checks.accepted import not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, Sent
from course.checks.verdict import Verdict, fail, first, flat, passed, place
from course.standin.talk import Reply, Talk, ask_for, say

TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
NO_TOOL = "I cannot do that: I have no tool for it."

HALF = 2  # people in the call that was cut off
HOLD = "Hold: team meeting"
CUT_AT = 8000  # MAX_TOKENS in the starter


def play(talk: Talk) -> Reply:
    """A whole call; then one that is cut off, or whole if the program makes room for it or says that it was cut off."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    call = event("Team meeting", today + datetime.timedelta(1), 15, 1, *TEAM)
    if not talk.calls:  # for all to see that the program still runs what is whole
        return ask_for(
            ("create_calendar_event", {**call, "title": HOLD, "attendees": []}), text="I hold the slot first."
        )
    invitations = [one for one in talk.calls if one.input.get("title") != HOLD]
    done = next((one for one in reversed(invitations) if not one.is_error), None)
    if done:
        people = len(done.input.get("attendees") or [])
        return say(f"The meeting is booked for tomorrow at 15:00, and {people} people are invited.")
    if invitations or talk.body.get("max_tokens", 0) > CUT_AT:
        return ask_for(("create_calendar_event", call))
    call["attendees"] = TEAM[:HALF]
    return ask_for(("create_calendar_event", call), text="I will invite everyone.", stop_reason="max_tokens")


def judge(run: Run) -> Verdict:
    return first(
        run,
        _cut_call_ran,
        _asks_on,
        obstacle,
        _left,
        crash,
        without_tools,
        spread,
        unanswered,
        _never_cut,
        _nothing_said,
        _well,
    )


def _left(run: Run) -> Verdict | None:
    """sys.exit("...") is a way to end with a message, too."""
    said = run.failure and run.failure.type == "SystemExit" and not run.failure.message.isdigit()
    return _well(run) if said and _cut(run) else None


def _cut(run: Run) -> list[Sent]:
    return [sent for sent in run.accepted if sent.reply.get("stop_reason") == "max_tokens"]


def _cut_call_ran(run: Run) -> Verdict | None:
    ran = [
        call
        for sent in _cut(run)
        for call in sent.calls
        if (run.result(call) or {"is_error": True}).get("is_error") is not True
    ]
    if not ran and f", {HALF} invited" not in run.printed:
        return None
    return fail(
        "cut_call_ran", count=HALF, all=len(TEAM), line=place(run, r"if not calls", r"stop_reason", r"run_tool\(")
    )


def _asks_on(run: Run) -> Verdict | None:
    """The same request again and again: it is cut off each time."""
    if len(_cut(run)) < 3:
        return None
    return fail("cut_again", count=len(_cut(run)), line=place(run, r"max_tokens", r"for ", r"while "))


def _never_cut(run: Run) -> Verdict | None:
    """More room from the start: the case that the exercise is about did not come up."""
    if _cut(run):
        return None
    return fail(
        "never_cut",
        most=run.accepted[0].body.get("max_tokens"),
        count=CUT_AT,
        line=place(run, r"MAX_TOKENS = ", r"max_tokens="),
    )


def _nothing_said(run: Run) -> Verdict | None:
    """It ended after the cut, without a word on it."""
    if run.accepted[-1].reply.get("stop_reason") != "max_tokens":
        return not_printed(run)
    printed = flat(run.printed.lower())
    last = printed.rpartition("stop_reason: max_tokens")[2] or printed
    if any(word in last for word in ("max_tokens", "max tokens", "cut", "stopped", "incomplete", "limit", "truncat")):
        return None
    # In whatever language: a line after the reply's own text.
    after = last.rpartition("i will invite everyone.")[2]
    if any(character.isalpha() for character in after):
        return None
    return fail("cut_in_silence", line=place(run, r"stop_reason"))


def _well(run: Run) -> Verdict:
    if run.accepted[-1].reply.get("stop_reason") == "max_tokens":
        return passed()
    return passed("tried_again")
