"""s06/3, ask before you invite: what Claude says, and how to judge the run."""

import datetime
import re
from typing import Any

from course.checks.accepted import not_printed, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, named, place
from course.standin.talk import Reply, Talk, ask_for, say

OUTSIDE = "zoe@elsewhere.test"


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
        obstacle,
        crash,
        without_tools,
        _left_alone,
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
        if (_result_of(run, "Sync") or {}).get("is_error"):
            return fail("inverted", who=OUTSIDE, line=place(run, r"approved\((?!.*:$)"))
        if ", 0 invited" in content:
            return fail("filtered", who=OUTSIDE, content=content, line=place(run, r"approved\((?!.*:$)"))
        return fail(
            "declined_and_ran",
            who=OUTSIDE,
            line=place(run, r"append_messages", r"approved\((?!.*:$)", r"invitation sent"),
        )
    return fail("not_asked", who=OUTSIDE, line=place(run, r"invitation sent", r"def create_calendar_event"))


def _left_alone(run: Run) -> Verdict | None:
    """The program stopped at the no, and Claude never heard it."""
    if any(run.result(call) for call in run.calls) or not run.calls:
        return None
    return fail("claude_not_told", line=place(run, r"break|exit\(|return", r"approved\((?!.*:$)"))


def _declined_too_much(run: Run) -> Verdict | None:
    result = _result_of(run, "Sync") or {}
    if not result.get("is_error") and text_of(result.get("content")).startswith("Created"):
        return None
    return fail(
        "declined_too_much",
        content=text_of(result.get("content"))[:120],
        line=place(run, r"approved\((?!.*:$)", r"def create_calendar_event"),
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
    if says_why(content, OUTSIDE) and not re.search(r"is not iterable|EOFError|EOF when reading", content):
        return None
    case = "input" if "EOF" in content else "returned" if "iterable" in content else ""
    return fail(
        "no_without_words",
        case,
        content=content[:120],
        line=place(run, r"ToolError\(", r"input\(", r"approved\((?!.*:$)"),
    )


def _by_name(run: Run) -> Verdict | None:
    """A rule of the program's own stands in for the person."""
    if "approved" in named(run.source):
        return None
    return fail("by_name", line=place(run, r"elsewhere|example\.com\"(?!.*all)", r"def create_calendar_event"))
