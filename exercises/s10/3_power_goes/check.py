"""s10/3, the power goes: what Claude says, and how to judge the two runs."""

from course.checks.accepted import not_printed, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Block, Run, Sent, results, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, names, passed, place, shortened
from course.standin.talk import Reply, Talk, ask_for, blocks_of, say

RESTARTS = 1
NO_TOOL = "I cannot order an inspection: I have no tool for it."
BEAMS = ("B4", "B7")
ORDER = "order_inspection"


def play(talk: Talk) -> Reply:
    """List, order both; after an interruption look what was ordered, and order what is missing."""
    if not {"list_beams", "list_orders", ORDER} <= set(talk.tools):
        return say(NO_TOOL)
    if not talk.calls:
        return ask_for(("list_beams", {}))
    ordered = [call for call in talk.calls if call.name == ORDER]
    if not ordered:
        return ask_for(*((ORDER, {"beam": beam}) for beam in BEAMS))
    if not any(call.is_error for call in ordered):
        return say("Inspections of B4 and B7 are ordered.")
    listed = [call.result or "" for call in talk.calls if call.name == "list_orders"]
    if not listed:
        return ask_for(("list_orders", {}), text="I was interrupted, so I look first what was ordered.")
    missing = [beam for beam in BEAMS if beam not in listed[-1]]
    if missing and talk.calls[-1].name == "list_orders":
        return ask_for(*((ORDER, {"beam": beam}) for beam in missing))
    return say("Inspections of B4 and B7 are ordered, each of them once.")


def judge(run: Run) -> Verdict:
    return first(
        run, _left_open, _as_text, obstacle, crash, without_tools, _not_killed, _begun_anew, _reply_lost, _ran_again,
        _claimed, _no_reason, _in_place, not_printed, _well,
    )  # fmt: skip


def _second(run: Run) -> Sent | None:
    """The first request of the second run."""
    return run.sent[run.restarts[0]] if run.restarts and len(run.sent) > run.restarts[0] else None


def _orders(run: Run) -> list[Block]:
    """The calls that the first run got and that no result came to."""
    before = run.sent[: run.restarts[0]] if run.restarts else ()
    return [call for sent in before for call in sent.calls if call["name"] == ORDER]


def _lost(run: Run) -> list[tuple[Block, Block]]:
    """(call, its result in the second run)."""
    return [(call, run.result(call) or {}) for call in _orders(run)]


def _saves(run: Run) -> int | None:
    return place(run, r"def save", r"dump", r"write", r"ask_claude\(messages\)")


def _left_open(run: Run) -> Verdict | None:
    """The reply is in the file, and its calls have no results."""
    sent = _second(run)
    if not sent or sent not in run.refused:
        return None
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    missing = calls - {block.get("tool_use_id") for block in results(sent.body)}
    open_calls = [call for call in _orders(run) if call["id"] in missing]
    if not open_calls:
        return None
    return fail("left_open", names=names(open_calls), api=sent.problem, line=place(run, r"def load", r"load"))


def _as_text(run: Run) -> Verdict | None:
    """What Claude said came back as the text of the SDK's objects."""
    sent = _second(run)
    kept = str(sent.body.get("messages")) if sent else ""
    if "Block(" not in kept:
        return None
    begin = kept.index("Block(")
    text = kept[max(0, begin - 10) : begin + 40]
    return fail("as_text", text=text, line=place(run, r"str\(|default=|repr\(", r"dump"))


def _not_killed(run: Run) -> Verdict | None:
    return None if run.restarts else fail("not_killed", line=place(run, r"_exit", r"def order_inspection"))


def _begun_anew(run: Run) -> Verdict | None:
    sent = _second(run)
    if sent is None or any(message["role"] == "assistant" for message in sent.messages):
        return None
    ordered = [call for call in run.calls if call["name"] == ORDER and call["input"] == {"beam": BEAMS[0]}]
    return fail("begun_anew", beam=BEAMS[0], count=len(ordered), line=_saves(run))


def _reply_lost(run: Run) -> Verdict | None:
    """The file was written before the request, and not after the reply."""
    sent = _second(run)
    if sent is None or not _orders(run):
        return None
    kept = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    lost = [call for call in _orders(run) if call["id"] not in kept]
    return fail("reply_lost", names=names(lost), line=place(run, r"ask_claude\(messages\)")) if lost else None


def _ran_again(run: Run) -> Verdict | None:
    for call, result in _lost(run):
        if text_of(result.get("content")).startswith("Ordered"):
            return fail("ran_again", call=names([call]), line=place(run, r"def load", r"run_tool\("))
    return None


def _claimed(run: Run) -> Verdict | None:
    for call, result in _lost(run):
        if result.get("is_error") is not True:
            text = shortened(text_of(result.get("content")))
            return fail("claimed", call=names([call]), text=text, line=place(run, r"tool_result"))
    return None


def _no_reason(run: Run) -> Verdict | None:
    for call, result in _lost(run):
        text = text_of(result.get("content"))
        if not says_why(text):
            return fail("no_reason", call=names([call]), text=shortened(text), line=place(run, r"is_error"))
    return None


def _in_place(run: Run) -> Verdict | None:
    if not run.overwrote:
        return None
    return fail("in_place", file=run.overwrote[0], line=place(run, r"open\(.*[\"']w", r"write_text", r"def save"))


def _well(run: Run) -> Verdict:
    return passed(count=len(_orders(run)))
