"""s01/1, close the loop: what Claude says, and how to judge the run."""

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot look that up: I have no tool for it."


def play(talk: Talk) -> Reply:
    """Oslo first, then Austin, then the answer."""
    if "get_weather" not in talk.tools:
        return say(NO_TOOL)
    asked = [call.input.get("city") for call in talk.calls]
    if "Oslo" not in asked:
        return ask_for(("get_weather", {"city": "Oslo"}), text="I will look at Oslo first.")
    if "Austin" not in asked:
        return ask_for(("get_weather", {"city": "Austin"}))
    return say("Austin is warmer than Oslo today, by 72 degrees Fahrenheit.")


def judge(run: Run) -> Verdict:
    return first(run, obstacle, crash, without_tools, _stale, unanswered, empty_result, spread, not_printed)


def _stale(run: Run) -> Verdict | None:
    """The same request twice: the loop turns, and Claude hears nothing new."""
    for before, after in zip(run.accepted, run.accepted[1:], strict=False):
        if before.body.get("messages") == after.body.get("messages"):
            return fail(
                "stale", number=run.number(after), line=place(run, r"messages\.append", r"(?<!def )ask_claude\(")
            )
    return None
