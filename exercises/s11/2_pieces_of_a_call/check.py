"""s11/2, pieces of a call: what Claude says, and how to judge the run."""

import json
from typing import Any

from course.checks.accepted import not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, blocks_of
from course.checks.verdict import Verdict, fail, first, names, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot read the code: I have no tool for it."


def play(talk: Talk) -> Reply:
    """One call; then three in one reply, the last without arguments; then what came of it."""
    if not talk.tools.keys() >= {"read_section", "list_parts"}:
        return say(NO_TOOL)
    if talk.rounds == 0:
        return ask_for(("read_section", {"number": "5.3"}), text="I read the first section.")
    if talk.rounds == 1:
        sections = [("read_section", {"number": number}) for number in ("5.5", "5.6")]
        return ask_for(*sections, ("list_parts", {}), text="Now the rest.")
    if any(call.is_error for call in talk.calls):
        return say("Not everything could be read.")
    return say("Stairs are 1,200 mm wide at least, a hall stands 90 minutes of fire, and the code has five parts.")


def judge(run: Run) -> Verdict:
    return first(
        run, _unreadable, obstacle, crash, without_tools, _wrong_input, _ended_early, unanswered, spread, not_printed
    )


def _look(run: Run) -> int | None:
    return place(run, r"json\.loads", r"partial_json", r"def read_reply")


def _unreadable(run: Run) -> Verdict | None:
    """The program ends with what json says about a piece, or about too many of them."""
    failure = run.failure
    if not failure or failure.type not in ("JSONDecodeError", "ValueError"):
        return None
    values: dict[str, Any] = {"message": failure.message, "line": failure.line}
    if len(run.accepted) == 1:
        return fail("each_piece", **values)
    if "Extra data" in failure.message:
        return fail("one_buffer", **values)
    return fail("no_arguments", **values)


def _wrong_input(run: Run) -> Verdict | None:
    """A call goes back to Claude with another input than it had."""
    sent = {block["id"]: block for one in run.sent for block in blocks_of(one.body, "assistant", "tool_use")}
    for call in run.calls:
        if call["id"] in sent and sent[call["id"]].get("input") != call["input"]:
            got = json.dumps(sent[call["id"]].get("input"), ensure_ascii=False)
            return fail("wrong_input", call=names([call]), got=got, line=_look(run))
    return None


def _ended_early(run: Run) -> Verdict | None:
    last = run.accepted[-1]
    if last.reply.get("stop_reason") != "tool_use":
        return None
    return fail("ended_early", call=names(last.calls), line=place(run, r"stop_reason", r"for _ in range"))
