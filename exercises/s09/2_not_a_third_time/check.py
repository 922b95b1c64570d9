"""s09/2, not a third time: what Claude says, and how to judge the run."""

import re

from course.checks.accepted import empty_result, not_printed, spread, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Block, Run, Sent, blocks_of, results, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, names, place, raised_itself, shortened
from course.standin.talk import Asked, Reply, Talk, ask_for, say

NO_TOOL = "I cannot fetch reports: I have no tool for it."
GUESSES = ("harbor", "mill", "lakeview")  # names that do not exist: three failures, and all of them good work
RIGHT, DEAD = "harbor-hall", "mill-lane-depot"
STATUS: Asked = ("archive_status", {})
ASK_AGAIN = 8  # rounds after which Claude gives up by itself
SECOND = "The archive is up again. Try once more."


def play(talk: Talk) -> Reply:
    """Three wrong guesses; a status that is asked for three times; a report that fails, and is asked for to the end."""
    if "fetch_report" not in talk.tools:
        return say(NO_TOOL)
    dead = ("fetch_report", {"report": DEAD})
    if talk.aside == SECOND:  # it came behind the results at which the run had ended
        talk = talk.fresh()
    if talk.prompt == SECOND:
        if not talk.calls:
            return ask_for(dead)
        if talk.calls[-1].is_error:
            return say("The archive still has nothing for me.")
        return say("Harbor Hall holds 400 people, and Mill Lane Depot 40.")
    if talk.rounds == 0:
        return ask_for(*(("fetch_report", {"report": name}) for name in GUESSES))
    if talk.rounds == 1:
        return ask_for(("fetch_report", {"report": RIGHT}), dead, STATUS)
    if talk.rounds == 2:
        return ask_for(STATUS, dead)
    if talk.rounds == 3:
        return ask_for(STATUS, text="It is still copying. I look once more.")
    if talk.rounds < ASK_AGAIN:
        return ask_for(dead, STATUS)
    return say("Harbor Hall holds 400 people. For Mill Lane Depot the archive did not answer, however often I asked.")


def judge(run: Run) -> Verdict:
    return first(
        run, _too_soon, _history_broken, _no_second, obstacle, _unhashable, crash, without_tools, _third_time,
        _no_answer, _goes_on, _remembers, empty_result, spread, _no_words, _in_silence, not_printed,
    )  # fmt: skip


def _loop(run: Run) -> int | None:
    return place(run, r"failed", r"run_tool\(", r"def agent_loop")


def _is_second(sent: Sent) -> bool:
    return any(SECOND in str(block.get("text")) for block in blocks_of(sent.body, "user", "text"))


def _first_prompt(run: Run) -> list[Sent]:
    return [sent for sent in run.sent if not _is_second(sent)]


def _dead(sent: Sent) -> list[Block]:
    return [call for call in sent.calls if call["input"] == {"report": DEAD}]


def _third(run: Run) -> Block | None:
    """The call that must not run."""
    calls = [call for sent in _first_prompt(run) for call in _dead(sent)]
    return calls[2] if len(calls) > 2 else None


def _asked(printed: str) -> int:
    """How often the archive was asked for the report that it cannot find."""
    return printed.count(f"the archive is asked for {DEAD}")


def _too_soon(run: Run) -> Verdict | None:
    """The run ended before the call came a third time."""
    sent = _first_prompt(run)
    over = any(map(_is_second, run.sent)) or (raised_itself(run) and len(run.sent) == len(sent))
    if not over or _third(run) or not sent or any(one.status != 200 for one in sent):
        return None
    case = {1: "guesses", 3: "second", 4: "success"}.get(len(sent), "")
    return fail("too_soon", case, calls=names(sent[-1].calls), line=_loop(run))


def _history_broken(run: Run) -> Verdict | None:
    """The loop was left between the reply and its results, and the next prompt fails for it."""
    if not run.refused or not _is_second(run.refused[0]):
        return None
    sent = run.refused[0]
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    if not calls - {block.get("tool_use_id") for block in results(sent.body)}:
        return None
    return fail("history_broken", api=f"{sent.status}: {sent.problem}", line=place(run, r"break", r"return reply"))


def _no_second(run: Run) -> Verdict | None:
    if not _third(run) or any(map(_is_second, run.sent)) or not raised_itself(run):
        return None
    return fail("no_second", line=run.failure.line if run.failure else None)


def _unhashable(run: Run) -> Verdict | None:
    """The arguments of a call, a dict, as a key."""
    if not run.failure or "unhashable type" not in run.failure.message:
        return None
    return fail("unhashable", line=run.failure.line)


def _third_time(run: Run) -> Verdict | None:
    times = _asked(run.printed.partition(f"> {SECOND}")[0])
    return fail("third_time", times=times, line=_loop(run)) if times > 2 else None


def _no_answer(run: Run) -> Verdict | None:
    """The reply with the third call was taken out of the history."""
    third = _third(run)
    return fail("no_answer", line=place(run, r"\.pop\(|del ", r"break")) if third and not run.result(third) else None


def _goes_on(run: Run) -> Verdict | None:
    sent = _first_prompt(run)
    after = next((number for number, one in enumerate(sent, 1) if _third(run) in one.calls), len(sent))
    if len(sent) == after:
        return None
    return fail("goes_on", count=len(sent) - after, line=place(run, r"continue", r"failed", r"def agent_loop"))


def _remembers(run: Run) -> Verdict | None:
    """What failed for one prompt is held against the next."""
    second = [sent for sent in run.accepted if _is_second(sent)]
    if not second or not _dead(second[0]) or _asked(run.printed.partition(f"> {SECOND}")[2]):
        return None
    return fail("remembers", line=place(run, r"^\w+ = (\{\}|\[\]|set\(|Counter|defaultdict)", r"failed", r"def main"))


def _no_words(run: Run) -> Verdict | None:
    third = _third(run)
    result = run.result(third) if third else None
    if not result:
        return None
    content = text_of(result.get("content"))
    line = place(run, r"third|twice|again", r"is_error", r"def agent_loop")
    if result.get("is_error") is not True:
        return fail("no_words", "success", content=shortened(content), line=line)
    return None if says_why(content, DEAD, "fetch_report") else fail("no_words", content=content, line=line)


def _in_silence(run: Run) -> Verdict | None:
    """For the user stands nothing there but what the starter prints anyway."""
    lines = run.printed.partition(f"> {SECOND}")[0].splitlines()
    own = [
        line
        for line in lines
        if line.strip() not in ("", "(no text)") and not re.match(r">|    the archive is|  \w+\(", line)
    ]
    return None if own else fail("in_silence", line=place(run, r"break", r"def agent_loop"))
