"""s10/2, too long: what Claude says, what is too long, and how to judge the run."""

import json
from itertools import pairwise

from course.checks.accepted import not_printed, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, Sent, results, text_of
from course.checks.verdict import Verdict, fail, first, flat, passed, place, shortened
from course.standin.talk import PLAYED, ApiFails, Reply, Talk, ask_for, blocks_of, say

NO_TOOL = "I cannot read the log: I have no tool for it."
LIMIT = 12_000  # characters of all messages
PROMPT = "What happened to beam B4 in the first two weeks?"
SECOND = "And what do you make of this?"
ENOUGH = 3  # requests for one reply, before it is clear that the program does not end by itself


def play(talk: Talk) -> Reply:
    """Two weeks of the log, one after the other, which together are too long."""
    if "read_log" not in talk.tools:
        return say(NO_TOOL)
    if len(json.dumps(talk.body["messages"])) > LIMIT:
        raise ApiFails("too_long")
    if SECOND in talk.prompt:
        return say("The crane stood still.")
    weeks = [call.input.get("week") for call in talk.calls]
    if missing := [week for week in (1, 2) if week not in weeks]:
        return ask_for(("read_log", {"week": missing[0]}))
    if any("hit beam B4" in (call.result or "") for call in talk.calls):
        return say("On Friday of the second week the crane hit B4. Of the first week I have only the beginning.")
    return say("I have only the beginnings of both weeks. Nothing is reported there.")


def judge(run: Run) -> Verdict:
    return first(
        run, _dropped, _thinking, _forgotten, _no_end, obstacle, _not_ended, _crash, without_tools, _prompt_cut,
        _in_silence, _second_missing, not_printed, _well,
    )  # fmt: skip


def _look(run: Run) -> int | None:
    return place(run, r"def shorten")


def _too_long(run: Run) -> list[Sent]:
    return [sent for sent in run.sent if sent.rule == PLAYED]


def _refused_after(run: Run, *rules: str) -> Sent | None:
    """The first request that the API refuses, if it came after the history was too long."""
    late = [sent for sent in run.refused if _too_long(run) and run.number(sent) > run.number(_too_long(run)[0])]
    return late[0] if late and (not rules or late[0].rule in rules) else None


def _dropped(run: Run) -> Verdict | None:
    """A message is gone that others need: the prompt, a call, or a result."""
    sent = _refused_after(run)
    if not sent:
        return None
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    answered = {block.get("tool_use_id") for block in results(sent.body)}
    case = "result" if calls - answered else "call" if answered - calls else ""
    if not case and len(sent.messages) >= len(_too_long(run)[0].messages):
        return None
    return fail("dropped", case, number=run.number(sent), api=sent.problem, line=_look(run))


def _thinking(run: Run) -> Verdict | None:
    sent = _refused_after(run, "thinking_prefix_mismatch")
    return fail("thinking", number=run.number(sent), api=sent.problem, line=_look(run)) if sent else None


def _no_end(run: Run) -> Verdict | None:
    """The same request again, though it was too long before."""
    asked = _too_long(run)
    same = [sent for sent, other in pairwise(asked) if sent.body == other.body]
    if not same and not (run.stopped and len(asked) > ENOUGH):
        return None
    return fail("no_end", count=len(asked), line=place(run, r"while ", r"def shorten"))


def _not_ended(run: Run) -> Verdict | None:
    """The program ends with the API's exception instead of a sentence."""
    if not run.failure or run.failure.type != "BadRequestError":
        return None
    return fail("raised", message=shortened(run.failure.message), line=run.failure.line)


def _forgotten(run: Run) -> Verdict | None:
    """A call that Claude made before: the history no longer says that it did."""
    weeks = [call["input"].get("week") for call in run.calls]
    again = next((week for week in weeks if weeks.count(week) > 1), None)
    return fail("forgotten", week=again, count=weeks.count(again), line=_look(run)) if again is not None else None


def _crash(run: Run) -> Verdict | None:
    """To end with a sentence of one's own is right where nothing can be shortened."""
    if run.failure and run.failure.type == "SystemExit" and run.sent[-1].rule == PLAYED:
        return None
    return crash(run)


def _prompt_cut(run: Run) -> Verdict | None:
    """What a person has written was sent shorter than it was."""
    longest: dict[str, str] = {}
    for sent in run.sent:
        said = [str(block.get("text")) for block in blocks_of(sent.body, "user", "text")]
        for begin in (PROMPT, SECOND):
            now = next((text for text in said if text.startswith(begin[:10])), "")
            before = longest.setdefault(begin, now)
            if len(now) < len(before):
                return fail("prompt_cut", number=run.number(sent), begin=begin, line=_look(run))
            longest[begin] = now
    return None


def _in_silence(run: Run) -> Verdict | None:
    """A result that is shorter than it was, and does not say so."""
    whole: dict[str, str] = {}
    for sent in run.sent:
        for block in results(sent.body):
            text, before = text_of(block.get("content")), whole.get(str(block.get("tool_use_id")), "")
            if len(text) < len(before) and (not text.strip() or flat(text) in flat(before)):
                return fail("in_silence", number=run.number(sent), end=flat(text)[-40:], line=_look(run))
            whole.setdefault(str(block.get("tool_use_id")), text)
    return None


def _second_missing(run: Run) -> Verdict | None:
    if any(SECOND in str(sent.body.get("messages")) for sent in run.sent):
        return None
    return fail("second_missing", line=place(run, r"SECOND(?! =)"))


def _well(run: Run) -> Verdict:
    return passed(count=len(_too_long(run)))
