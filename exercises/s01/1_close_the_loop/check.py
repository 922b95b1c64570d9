"""s01/1, close the loop: what Claude says, and how to judge the run."""

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, fail, first, named, names, passed, place, place_of
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
    if not all(_says_weather(call.result or "") for call in talk.calls):
        return say("I cannot tell: the results do not say how warm it is.")
    return say("Austin is warmer than Oslo today, by 72 degrees Fahrenheit.")


def _says_weather(result: str) -> bool:
    return any(character.isdigit() for character in result)


def judge(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        _stale,
        unanswered,
        empty_result,
        spread,
        _no_weather,
        not_printed,
        _no_limit,
    )


def _no_weather(run: Run) -> Verdict | None:
    """A result that is not what the tool returned."""
    for call in run.calls:
        content = text_of((run.result(call) or {}).get("content"))
        if not _says_weather(content):
            return fail("no_weather", call=names([call]), content=content[:100], line=place(run, r"tool_result"))
    return None


def _stale(run: Run) -> Verdict | None:
    """The same request twice: the loop turns, and Claude hears nothing new."""
    for before, after in zip(run.accepted, run.accepted[1:], strict=False):
        if before.body.get("messages") == after.body.get("messages"):
            return fail(
                "stale", number=run.number(after), line=place(run, r"messages\.append", r"(?<!def )ask_claude\(")
            )
    return None


def _no_limit(run: Run) -> Verdict | None:
    """Solved, and said all the same: the limit that the file gives is used nowhere, and no other one is."""
    limits = place_of(run, r"\brange\(", r"[<>]=?\s*\d")
    if "MAX_TURNS =" not in run.source or "MAX_TURNS" in named(run.source) or limits:
        return None
    return passed("no_limit")
