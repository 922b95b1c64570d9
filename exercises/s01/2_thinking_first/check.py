"""s01/2, where is the text: what Claude says, and how to judge the run."""

import re

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, constant, fail, first, flat, place
from course.standin.talk import Reply, Talk, say

NO_TEXT = "(no text)"  # in the starter
JOIN = '"\\n".join(texts)'
PACK = ("Warm clothes: Oslo has snow this week.", "And shoes that stay dry.")


def play(talk: Talk) -> Reply:
    """To the first question two text blocks, to the second none."""
    if "thank" in talk.prompt.lower():
        return say()
    return say(*PACK, think=True)


def judge(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        _first_block,
        _no_block,
        crash,
        _as_objects,
        _whole_text,
        _other_order,
        _as_list,
        _nothing_said,
        _always_said,
    )


def _first_block(run: Run) -> Verdict | None:
    """It ended at the first reply, which begins with thinking."""
    if len(run.accepted) != 1 or not run.failure or "Block' object has no attribute 'text'" not in run.failure.message:
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
    case = "none" if len(missing) == len(PACK) else ""
    return fail("half_text", case, text=missing[0], line=place(run, r"def text_of", r"print\("))


def _as_objects(run: Run) -> Verdict | None:
    """print() of the blocks themselves, or of a generator."""
    if found := re.search(r"\w+Block\(|<generator object", run.printed):
        return fail(
            "list_printed", "objects", list=f"{found[0]}...", code=JOIN, line=place(run, r"def text_of", r"print\(")
        )
    return None


def _other_order(run: Run) -> Verdict | None:
    printed = flat(run.printed)
    if printed.find(PACK[0]) < printed.find(PACK[1]):
        return None
    return fail("other_order", line=place(run, r"reversed|insert\(|\[::-1\]|sort", r"def text_of"))


def _always_said(run: Run) -> Verdict | None:
    """NO_TEXT behind a reply that had text."""
    no_text = constant(run, "NO_TEXT", NO_TEXT)
    first_answer = run.printed.partition("Thank you")[0]
    if no_text and no_text in first_answer:
        return fail("always_said", text=no_text, line=place(run, r"NO_TEXT(?! =)"))
    return None


def _as_list(run: Run) -> Verdict | None:
    """print() of a list: brackets and quotation marks around every text."""
    if str(list(PACK)) not in run.printed:
        return None
    return fail("list_printed", list=list(PACK), code=JOIN, line=place(run, r"def text_of", r"print\("))


def _nothing_said(run: Run) -> Verdict | None:
    if len(run.accepted) < 2:
        return fail("one_question", line=place(run, r"for .* in PROMPTS", r"PROMPTS"))
    after = run.printed.rpartition(PACK[-1])[2]
    lines = [line for line in after.splitlines() if line.strip() and "Thank you" not in line]
    last = lines[-1].strip() if lines else ""
    if last not in ("", "None", "[]", "''", "NO_TEXT"):
        return None
    case = {"None": "none", "NO_TEXT": "quoted"}.get(last, "")
    return fail("silent", case, line=place(run, r"def text_of", r"print\("))
