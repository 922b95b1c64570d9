"""s13/3, every ending: how to judge the run. Claude says what the program's scripts hold."""

import re

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, place, shortened
from course.standin.talk import Reply, Talk, say

ENDINGS = ("answered", "cut_off", "refused", "empty", "limit", "overloaded")
# What the program prints where a script led nowhere: its own words, and else those of `claude`, which are a sentence.
_PLAIN = re.compile(r"error \d+|\w+|max_tokens without a call")


def play(_talk: Talk) -> Reply:
    return say("Nobody asks me: the scripts have a Claude of their own.")


def judge(run: Run) -> Verdict:
    return first(run, obstacle, _crash, _unseen, _missing, _trouble, _elsewhere)


def _crash(run: Run) -> Verdict | None:
    """Not the absence of requests: those of the scripts go elsewhere."""
    return crash(run) if run.failure else None


def _reached(run: Run) -> dict[str, str]:
    """By the name of a script: what the program says of it."""
    return dict(re.findall(r"^(\w+) -> (.*)$", run.printed, re.MULTILINE))


def _look(run: Run, name: str) -> int | None:
    return place(run, rf"[\"']{name}[\"']", r"SCRIPTS = ")


def _unseen(run: Run) -> Verdict | None:
    for name in ENDINGS:
        if name not in _reached(run):
            return fail("unseen", name=name, line=_look(run, name))
    return None


def _missing(run: Run) -> Verdict | None:
    for name in ENDINGS:
        if _reached(run)[name].startswith("nothing, "):
            return fail("missing", name, name=name, line=_look(run, name))
    return None


def _trouble(run: Run) -> Verdict | None:
    """A script that cannot be read, or has more replies than the loop asks for, or fewer."""
    for name in ENDINGS:
        said = _reached(run)[name]
        if not _PLAIN.fullmatch(said):
            return fail("trouble", name=name, text=shortened(said, 250), line=_look(run, name))
    return None


def _elsewhere(run: Run) -> Verdict | None:
    for name in ENDINGS:
        said = _reached(run)[name]
        if said != name:
            return fail("elsewhere", name, name=name, reached=said, line=_look(run, name))
    return None
