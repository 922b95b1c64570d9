"""s13/2, tests that notice: how to judge the run. Claude says what the tests have written down."""

import ast
import re
from pathlib import Path

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, place, place_of, shortened
from course.standin.talk import Reply, Talk, say

BROKEN = ("first_only", "mixed_up", "no_error", "cut_off", "one_round", "no_limit")
STARTER = Path(__file__).with_name("starter.py").read_text(encoding="utf-8")


def play(_talk: Talk) -> Reply:
    return say("Nobody asks me: the tests have a Claude of their own.")


def judge(run: Run) -> Verdict:
    return first(run, obstacle, _crash, _changed, _no_tests, _right_fails, _not_noticed, _unseen)


def _crash(run: Run) -> Verdict | None:
    """Not the absence of requests: those of the tests go elsewhere."""
    return crash(run) if run.failure else None


def _loop(source: str) -> str:
    found = [each for each in ast.parse(source).body if getattr(each, "name", "") == "agent_loop"]
    return ast.dump(found[-1]) if found else ""


def _changed(run: Run) -> Verdict | None:
    same = _loop(run.source) == _loop(STARTER)
    return None if same else fail("changed", line=place_of(run, r"def agent_loop"))


def _no_tests(run: Run) -> Verdict | None:
    names = [getattr(each, "name", "") for each in ast.walk(ast.parse(run.source))]
    if any(name.startswith("test_") for name in names):
        return None
    return fail("no_tests", line=place(run, r"def failing"))


def _right_fails(run: Run) -> Verdict | None:
    found = re.search(r"^right: (\w+) fails, (.*)$", run.printed, re.MULTILINE)
    if found is None:
        return None
    return fail("right_fails", name=found[1], text=shortened(found[2], 200), line=place_of(run, rf"def {found[1]}\b"))


def _not_noticed(run: Run) -> Verdict | None:
    for name in BROKEN:
        if re.search(rf"^{name}\b.*: not noticed$", run.printed, re.MULTILINE):
            return fail("not_noticed", name, line=place(run, r"def test_"))
    return None


def _unseen(run: Run) -> Verdict | None:
    for name in BROKEN:
        if not re.search(rf"^{name}\b.*: noticed by ", run.printed, re.MULTILINE):
            return fail("unseen", name=name, line=place_of(run, r"def main"))
    return None
