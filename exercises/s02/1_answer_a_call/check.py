"""s02/1, answer a call: what Claude says, and how to judge the run."""

import json

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle, unreadable
from course.checks.refusals import api
from course.checks.run import Run, results, text_of
from course.checks.verdict import Verdict, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

EVENT = {"title": "Sync", "start": "2027-09-13T10:00:00", "end": "2027-09-13T10:30:00"}
NO_TOOL = "I cannot create events: I have no tool for it."


def play(talk: Talk) -> Reply:
    """One event, then a sentence that holds what the result said."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        call = {**EVENT, "attendees": ["ana@example.com"]}
        return ask_for(("create_calendar_event", call), text="I will put it into your calendar.")
    if _says_what_came(talk.calls[-1].result or ""):
        return say("Done: the sync is in your calendar, and Ana is invited.")
    return say("I asked your calendar for the event, but I cannot tell what came of it.")


def _says_what_came(result: str) -> bool:
    """The number of the event, or, should the reader have given it another, what it is and when."""
    return "EV-2709" in result or (EVENT["title"] in result and EVENT["start"] in result)


def judge(run: Run) -> Verdict:
    return first(
        run,
        _no_id,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        _not_the_result,
        spread,
        not_printed,
    )


def _no_id(run: Run) -> Verdict | None:
    """The block as the starter leaves it: a type and nothing else."""
    if unreadable(run) or not run.refused:
        return None
    for block in results(run.refused[0].body):
        if "tool_use_id" not in block:
            return fail(
                "no_id", number=run.number(run.refused[0]), api=api(run.refused[0]), line=place(run, r"tool_result")
            )
    return None


def _not_the_result(run: Run) -> Verdict | None:
    for sent in run.accepted:
        for block in results(sent.body):
            content = text_of(block.get("content"))
            asked = run.calls[0]["input"]
            if not _says_what_came(content) or content in (json.dumps(asked), str(asked)):
                return fail("not_the_result", content=content[:100], line=place(run, r"tool_result"))
            if block.get("is_error"):
                return fail("false_alarm", content=content[:100], line=place(run, r"is_error", r"tool_result"))
    return None
