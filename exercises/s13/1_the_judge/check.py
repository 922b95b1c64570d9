"""s13/1, the judge: what Claude says, and how to judge the run."""

import re

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, place, shortened
from course.standin.talk import Reply, Talk, say

RIGHT = 5  # answers, the first of them
ANSWERS = [
    "The floor carries 3.0 kN/m2 where section 2.3 asks for 5.0, and the stairs are too narrow.\nNot met: 2.3, 5.3",
    "Not met: 5.3, 2.3",
    "Floor and stairs fall short; the sag of 1/310 is within section 3.1.\nnot met: 2.3, 5.3.",
    "Section 3.1 is met, the other two are not.\n**Not met:** 2.3 and 5.3",
    "Two findings.\nNot met: sections 2.3 (floor load) and 5.3 (width of stairs)\n",
    "I compared the floor with section 2.3 and the stairs with section 5.3. Both are fine.\nNot met: none",
    "Sections 2.3, 3.1 and 5.3 were looked up. The stairs will do for 180 people.\nNot met: 2.3",
    "The floor, the stairs and the sag fall short.\nNot met: 2.3, 3.1, 5.3",
    "The floor breaks section 12.3, the stairs section 5.3.\nNot met: 12.3, 5.3",
    "I will compare the floor with section 2.3 and the stairs with section 5.3.",
]
# Which kind of mistake a judge makes that lets it pass, from the sixth on.
KINDS = ("mentioned", "half", "more", "other", "unfinished")


def play(talk: Talk) -> Reply:
    """The answer of that run: it stands in the prompt, as a reply is a function of the request alone."""
    run = re.search(r"Run (\d+)", talk.prompt)
    number = int(run[1]) if run else 0
    return say(ANSWERS[number - 1] if 0 < number <= len(ANSWERS) else ANSWERS[-1])


def judge(run: Run) -> Verdict:
    return first(run, obstacle, crash, _unseen, _too_strict, _too_kind)


def _verdicts(run: Run) -> dict[int, bool]:
    """By the number of the run: whether the program's judge let it pass."""
    found = re.findall(r"^run (\d+): (passed|failed)\b", run.printed, re.MULTILINE)
    return {int(number): word == "passed" for number, word in found}


def _look(run: Run) -> int | None:
    return place(run, r"def judge")


def _unseen(run: Run) -> Verdict | None:
    seen = _verdicts(run)
    missing = [str(number) for number in range(1, len(ANSWERS) + 1) if number not in seen]
    return fail("unseen", count=len(missing), line=place(run, r"print\(")) if missing else None


def _too_strict(run: Run) -> Verdict | None:
    for number, passed in _verdicts(run).items():
        if number <= RIGHT and not passed:
            return fail("too_strict", number=number, text=shortened(ANSWERS[number - 1], 200), line=_look(run))
    return None


def _too_kind(run: Run) -> Verdict | None:
    for number, passed in _verdicts(run).items():
        if number > RIGHT and passed:
            text = shortened(ANSWERS[number - 1], 200)
            return fail("too_kind", KINDS[number - RIGHT - 1], number=number, text=text, line=_look(run))
    return None
