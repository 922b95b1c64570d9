"""s05/1, failure is an answer: what Claude says, and how to judge the run."""

import datetime
import re
from typing import Any

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
NO_TOOL = "I cannot do that: I have no tool for it."
UNKNOWN = "delete_calendar_events"


def play(talk: Talk) -> Reply:
    """A tool that does not exist and too many people; smaller meetings if the result says what was wrong."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.rounds:
        return ask_for(
            (UNKNOWN, {"date": str(day)}), ("create_calendar_event", event("Team meeting", day, 15, 1, *TEAM))
        )
    failed = [call for call in talk.calls if call.name == "create_calendar_event" and call.is_error]
    if talk.rounds == 1 and failed:
        if "3" not in (failed[0].result or ""):
            return say("The event could not be created, and I do not know why.")
        halves = (("Team meeting, part 1", TEAM[:3]), ("Team meeting, part 2", TEAM[3:]))
        calls = [("create_calendar_event", event(title, day, 15, 1, *people)) for title, people in halves]
        return ask_for(*calls, text="One event takes at most 3 people, so I will make two.")
    if talk.rounds == 1:
        return say("Your calendar is clear, and the meeting with the whole team is booked.")
    return say("I cannot delete events. The team meeting is booked as two events, as one takes at most 3 people.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        _raised,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _as_success,
        _no_reason,
        _name_alone,
        _all_failed,
        not_printed,
    )


def _raised(run: Run) -> Verdict | None:
    if not run.failure or not run.calls or re.search("not JSON serializable|'NoneType' object", run.failure.message):
        return None
    if run.failure.type == "KeyError" and UNKNOWN in run.failure.message:
        return fail("raised", "unknown_tool", name=UNKNOWN, type="KeyError", line=run.failure.line)
    if run.failure.type in ("ValueError", "TypeError", "AttributeError"):
        return fail("raised", "tool", type=run.failure.type, message=run.failure.message, line=run.failure.line)
    return None


def _first_results(run: Run) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    calls = run.sent[0].calls if run.sent else []
    return [(call, run.result(call) or {}) for call in calls]


def _as_success(run: Run) -> Verdict | None:
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if result.get("is_error") is not True and content.startswith("Created: "):
            return fail(
                "never_failed",
                content=content[:100],
                line=place(run, r"MAX_ATTENDEES = ", r"def create_calendar_event"),
            )
        if result.get("is_error") is not True:
            return fail(
                "as_success",
                "unknown_tool" if call["name"] == UNKNOWN else "",
                name=call["name"],
                content=text_of(result.get("content"))[:100],
                line=place(run, r"except", r"tool_result"),
            )
    return None


def _no_reason(run: Run) -> Verdict | None:
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if call["name"] == "create_calendar_event" and "3" not in content:
            return fail("no_reason", content=content[:100], line=place(run, r"except", r"is_error"))
    return None


def _name_alone(run: Run) -> Verdict | None:
    """str() of a KeyError is the key, and repr() adds the name of the exception: neither is a reason."""
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if call["name"] == UNKNOWN and not says_why(content, UNKNOWN):
            return fail("name_alone", content=content, line=place(run, r"except", r"is_error"))
    return None


def _all_failed(run: Run) -> Verdict | None:
    """Results of calls that went well, marked as errors."""
    for call in run.calls[2:]:
        result = run.result(call) or {}
        if result.get("is_error"):
            return fail("false_alarm", content=text_of(result.get("content"))[:100], line=place(run, r"is_error"))
    return None
