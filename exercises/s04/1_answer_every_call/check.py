"""s04/1, answer every call: what Claude says, and how to judge the run."""

from course.checks import warmest
from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, first

play = warmest.play


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, crash, without_tools, unanswered, empty_result, spread, warmest.foreign_content, not_printed
    )
