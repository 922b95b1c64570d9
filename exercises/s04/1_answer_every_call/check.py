"""s04/1, answer every call: what Claude says, and how to judge the run."""

from course.checks import warmest
from course.checks.accepted import disorder, empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, fail, first, names, place

play = warmest.play


def judge(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        warmest.one_at_a_time,
        unanswered,
        empty_result,
        spread,
        warmest.foreign_content,
        _not_run,
        disorder,
        not_printed,
    )


def _not_run(run: Run) -> Verdict | None:
    """A result that is no weather: the call was answered without being run."""
    for call in run.calls:
        content = text_of((run.result(call) or {}).get("content"))
        if not warmest.WARMTH.search(content):
            return fail("not_run", call=names([call]), content=content[:100], line=place(run, r"def run_tools"))
    return None
