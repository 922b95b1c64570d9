"""s06/3, ask before you invite: what Claude says, and how to judge the run."""

import datetime
from typing import Any

from course.checks.accepted import not_printed, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.returned import bad_return
from course.checks.run import Run, text_of
from course.checks.told import says_no
from course.checks.verdict import Verdict, called, fail, first, named, place, raised_itself
from course.standin.talk import Reply, Talk, ask_for, say

OUTSIDE = "zoe@elsewhere.test"
# How the starter's person decides. Whether it still stands there decides on the words alone.
PERSON = 'return all(address.endswith("@example.com") for address in attendees)'


def play(talk: Talk) -> Reply:
    """Two events, of which one is to be declined."""
    if "create_calendar_event" not in talk.tools:
        return say("I cannot create events: I have no tool for it.")
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.calls:
        return ask_for(
            ("create_calendar_event", event("Sync", day, 10, 1, "ana@example.com")),
            ("create_calendar_event", event("Lunch", day, 12, 1, OUTSIDE)),
        )
    if talk.calls[-1].is_error:
        return say("The sync with Ana is booked. The lunch is not: the invitation was declined.")
    return say("The sync with Ana and the lunch with Zoe are booked.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        _ran_all_the_same,
        _left_alone,
        bad_return,
        obstacle,
        crash,
        without_tools,
        unanswered,
        _declined_too_much,
        _declined_as_success,
        _no_without_words,
        _by_name,
        not_printed,
    )


def _result_of(run: Run, title: str) -> dict[str, Any] | None:
    call = next((call for call in run.calls if call["input"].get("title") == title), None)
    return run.result(call) if call else None


def _ran_all_the_same(run: Run) -> Verdict | None:
    content = text_of((_result_of(run, "Lunch") or {}).get("content"))
    if "sent: Lunch" not in run.printed and not content.startswith("Created"):
        return None
    if "approved" in named(run.source):
        if "approved" not in called(run.source):
            return fail("not_asked", "not_called", who=OUTSIDE, line=place(run, r"(?<!def )approved\b"))
        if PERSON not in run.source and (_result_of(run, "Sync") or {}).get("is_error") is not True:
            return fail("person_changed", line=place(run, r"def approved"))
        if (_result_of(run, "Sync") or {}).get("is_error"):
            return fail("inverted", who=OUTSIDE, line=place(run, r"(?<!def )approved\("))
        if ", 0 invited" in content:
            return fail("filtered", who=OUTSIDE, content=content, line=place(run, r"(?<!def )approved\("))
        return fail(
            "declined_and_ran",
            who=OUTSIDE,
            line=place(run, r"append_messages", r"(?<!def )approved\(", r"invitation sent"),
        )
    return fail("not_asked", who=OUTSIDE, line=place(run, r"invitation sent", r"def create_calendar_event"))


def _left_alone(run: Run) -> Verdict | None:
    """The program stopped at the no, and Claude never heard it."""
    if any(run.result(call) for call in run.calls) or not run.calls:
        return None
    if run.stopped or run.died or (run.failure and not raised_itself(run)):
        return None
    left = run.failure and run.failure.line
    return fail("claude_not_told", line=left or place(run, r"exit\(|break", r"(?<!def )approved\("))


def _declined_too_much(run: Run) -> Verdict | None:
    result = _result_of(run, "Sync") or {}
    if not result.get("is_error") and text_of(result.get("content")).startswith("Created"):
        return None
    if not result:
        return None
    if PERSON not in run.source and "EOF" not in text_of(result.get("content")):
        return fail("person_changed", line=place(run, r"def approved"))
    return fail(
        "declined_too_much",
        "input" if "EOF" in text_of(result.get("content")) else "",
        content=text_of(result.get("content"))[:120],
        line=place(run, r"(?<!def )approved\(", r"def create_calendar_event"),
    )


def _declined_as_success(run: Run) -> Verdict | None:
    result = _result_of(run, "Lunch") or {}
    if result.get("is_error"):
        return None
    return fail(
        "declined_as_success",
        content=text_of(result.get("content"))[:120],
        line=place(run, r"return .*(?i:declin|denied|not )", r"def create_calendar_event"),
    )


def _no_without_words(run: Run) -> Verdict | None:
    """An error, but not the no: Claude cannot know that somebody declined."""
    content = text_of((_result_of(run, "Lunch") or {}).get("content"))
    if says_no(content, OUTSIDE):
        return None
    case = "input" if "EOF" in content else ""
    return fail(
        "no_without_words",
        case,
        content=content[:120],
        line=place(run, r"raise ToolError", r"input\(", r"(?<!def )approved\(", r"def create_calendar_event"),
    )


def _by_name(run: Run) -> Verdict | None:
    """A rule of the program's own stands in for the person."""
    if "approved" in named(run.source):
        return None
    return fail("by_name", line=place(run, r"elsewhere|example\.com\"(?!.*all)", r"def create_calendar_event"))
