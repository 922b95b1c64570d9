"""s04/2, whose result is it: what Claude says, and how to judge the run."""

from course.checks import warmest
from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, results
from course.checks.side_by_side import one_by_one, pause, side_by_side
from course.checks.verdict import Verdict, constant, fail, first, passed, place

play = warmest.play

SECONDS = {"Austin": 0.1, "Chengdu": 0.2, "Oslo": 0.3}  # in the starter


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
        _too_quick,
        _one_by_one,
        not_printed,
        _well,
    )


def _too_quick(run: Run) -> Verdict | None:
    """get_weather does not wait for its station any more, or was not called: what the judge goes by is gone."""
    seconds = constant(run, "SECONDS", SECONDS)
    cities = [str(call["input"].get("city")) for call in run.calls]
    if len(cities) > 1 and sorted(cities, key=lambda city: seconds.get(city, 0.1)) == cities:
        return fail("too_quick", "in_order", line=place(run, r"SECONDS = "))
    if pause(run) >= 0.8 * max(SECONDS.values()):
        return None
    return fail("too_quick", line=place(run, r"def get_weather"))


def _one_by_one(run: Run) -> Verdict | None:
    # By the prints, or, should the reader have taken them out, by the time: one after another takes 0.6 s at least.
    if side_by_side(run, "asking", "answers") or (" answers" not in run.printed and pause(run) < 0.6):
        return None
    return one_by_one(run)


def _well(run: Run) -> Verdict:
    asked = [call["id"] for call in run.sent[0].calls]
    if [block["tool_use_id"] for block in results(run.accepted[-1].body)] != asked:
        return passed("other_order")
    return passed()
