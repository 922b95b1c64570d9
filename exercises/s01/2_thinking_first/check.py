"""s01/2, where is the text: what Claude says, and how to judge the run."""

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, flat, place
from course.standin.talk import Reply, Talk, say

PACK = ("Warm clothes: Oslo has snow this week.", "And shoes that stay dry.")


def play(talk: Talk) -> Reply:
    """To the first question two text blocks, to the second none."""
    if "thank" in talk.prompt.lower():
        return say()
    return say(*PACK, think=True)


def judge(run: Run) -> Verdict:
    return first(run, obstacle, _first_block, _no_block, crash, _whole_text, _as_list, _nothing_said)


def _first_block(run: Run) -> Verdict | None:
    """It ended at the first reply, which begins with thinking."""
    if len(run.accepted) != 1 or not run.failure or " object has no attribute 'text'" not in run.failure.message:
        return None
    return fail(
        "thinking_first",
        type=run.failure.type,
        kinds=", ".join(block["type"] for block in run.accepted[0].reply["content"]),
        line=run.failure.line,
    )


def _no_block(run: Run) -> Verdict | None:
    """It ended at the second reply, which is empty."""
    if (
        not run.failure
        or len(run.accepted) < 2
        or run.failure.type not in ("IndexError", "StopIteration", "UnboundLocalError")
    ):
        return None
    return fail("empty_reply", type=run.failure.type, line=run.failure.line)


def _whole_text(run: Run) -> Verdict | None:
    printed = flat(run.printed)
    missing = [text for text in PACK if text not in printed]
    if not missing:
        return None
    return fail("half_text", text=missing[0], line=place(run, r"def text_of", r"print\("))


def _as_list(run: Run) -> Verdict | None:
    """print() of a list: brackets and quotation marks around every text."""
    if str(list(PACK)) not in run.printed:
        return None
    return fail("list_printed", list=list(PACK), code='"\\n".join(texts)', line=place(run, r"def text_of", r"print\("))


def _nothing_said(run: Run) -> Verdict | None:
    if len(run.accepted) < 2:
        return fail("one_question", line=place(run, r"for .* in PROMPTS", r"PROMPTS"))
    after = run.printed.rpartition(PACK[-1])[2]
    lines = [line for line in after.splitlines() if line.strip() and "Thank you" not in line]
    if lines and lines[-1].strip() not in ("None", "[]", "''"):
        return None
    return fail("silent", line=place(run, r"def text_of", r"print\("))
