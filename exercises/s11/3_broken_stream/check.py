"""s11/3, the broken stream: what Claude says, which of its streams break off, and how to judge the run."""

import json

from course.checks.accepted import without_tools
from course.checks.obstacles import crash, endless, obstacle
from course.checks.refusals import ASKS
from course.checks.run import Run, Sent, blocks_of, results, text_of
from course.checks.verdict import Verdict, constant, fail, first, flat, names, place
from course.standin.talk import PLAYED, ApiFails, Reply, Talk, ask_for, say

NO_TOOL = "I cannot read the code: I have no tool for it."
SECOND, THIRD = "Read section 5.6", "What did you find?"
TEXTS = (
    "By section 5.3 a stair on a way out shall be at least 1,200 mm wide, and so shall each door on the way.",
    "Two things: how wide stairs and doors must be at least, and for how long each way out shall be lit in the dark.",
)
BEGIN = 15  # characters that are enough to know a text by


def play(talk: Talk) -> Reply:
    """A whole call; then, each time, an answer and a call that are cut off and an answer with an error in it."""
    if "read_section" not in talk.tools:
        return say(NO_TOOL)
    said = json.dumps(talk.body["messages"])
    if THIRD in said:
        raise ApiFails("stream_error", say(TEXTS[1]))
    if SECOND in said:
        if any(call.input.get("number") != "5.3" for call in talk.calls):
            return say("I could not read section 5.6.")
        raise ApiFails("cut", ask_for(("read_section", {"number": "5.6"})))
    if not talk.calls:
        return ask_for(("read_section", {"number": "5.3"}), text="I read the section.")
    raise ApiFails("cut", say(TEXTS[0]))


def judge(run: Run) -> Verdict:
    return first(
        run, _too_often, _kept, _ran, _error_event, obstacle, _left_out, crash, without_tools, _once, _twice, _silent
    )


def _broken(run: Run) -> list[list[Sent]]:
    """The replies that broke off, each with all requests for it."""
    found: dict[str, list[Sent]] = {}
    for sent in run.sent:
        if sent.rule == PLAYED:
            found.setdefault(json.dumps(sent.body["messages"]), []).append(sent)
    return list(found.values())


def _look(run: Run) -> int | None:
    return place(run, r"\.stream\(", r"def ask_claude")


def _too_often(run: Run) -> Verdict | None:
    most = constant(run, "TRIES", 3)
    for tries in _broken(run):
        if run.stopped == "requests" and len(tries) > most:
            return endless(run)
        if len(tries) > most:
            return fail("too_often", count=len(tries), most=most, line=place(run, r"range\(", r"while "))
    return None


def _ran(run: Run) -> Verdict | None:
    """A call of a reply that broke off has a result."""
    answered = {block.get("tool_use_id"): block for sent in run.sent for block in results(sent.body)}
    for sent in run.sent:
        for call in sent.calls if sent.rule == PLAYED else ():
            if call["id"] in answered:
                text = text_of(answered[call["id"]].get("content"))
                return fail("ran", call=names([call | {"input": call["input"] or {}}]), text=text, line=_look(run))
    return None


def _kept(run: Run) -> Verdict | None:
    """A piece of a reply that broke off stands in the history."""
    for sent in run.sent:
        said = flat(" ".join(block.get("text", "") for block in blocks_of(sent.body, "assistant", "text")))
        for text in TEXTS:
            if text[:BEGIN] in said:
                return fail("kept", number=run.number(sent), text=text[:BEGIN], line=_look(run))
    return None


def _error_event(run: Run) -> Verdict | None:
    failure = run.failure
    if not failure or not _broken(run) or "overloaded" not in failure.message.lower():
        return None
    return fail("error_event", type=failure.type, line=failure.line)


def _left_out(run: Run) -> Verdict | None:
    """The program ended before all prompts were asked."""
    if run.failure and run.failure.type not in ("SystemExit", "Broken"):
        return None
    if any(THIRD in json.dumps(sent.body.get("messages")) for sent in run.sent):
        return None
    return fail("left_out", prompt=THIRD, line=place(run, r"Broken", *ASKS))


def _once(run: Run) -> Verdict | None:
    for tries in _broken(run):
        if len(tries) == 1:
            sent = tries[0]
            return fail("once", "error" if sent.problem else "", number=run.number(sent), line=_look(run))
    return None


def _twice(run: Run) -> Verdict | None:
    for text in TEXTS:
        if (count := flat(run.printed).count(text[:BEGIN])) > 1:
            return fail("twice", count=count, text=text[:BEGIN], line=place(run, r"print\(.*end=", r"print\("))
    return None


def _silent(run: Run) -> Verdict | None:
    for text in TEXTS:
        if text[:BEGIN] not in flat(run.printed):
            return fail("silent", text=text[:BEGIN], line=place(run, r"print\(.*end=", r"print\("))
    return None
