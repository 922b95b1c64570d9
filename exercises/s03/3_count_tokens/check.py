"""s03/3, count the tokens: what Claude says, and how to judge the run."""

import datetime
import re

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, fail, first, passed, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot create events: I have no tool for it."


def play(talk: Talk) -> Reply:
    """Two events, one after the other."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.calls:
        return ask_for(("create_calendar_event", event("Tennis", day, 18, 1, "mia@example.com")), text="Tennis first.")
    if len(talk.calls) == 1:
        return ask_for(("create_calendar_event", event("Lunch", day, 19, 1, "mia@example.com")))
    return say("Tennis and lunch with Mia are both in your calendar.")


def judge(run: Run) -> Verdict:
    return first(run, obstacle, crash, without_tools, unanswered, empty_result, spread, not_printed, _sums, _well)


def _sums(run: Run) -> Verdict | None:
    usage = [sent.reply["usage"] for sent in run.accepted]
    into, out = (sum(one[name] for one in usage) for name in ("input_tokens", "output_tokens"))
    printed = {int(re.sub(r"[.,_' ]", "", number)) for number in re.findall(r"\d[\d.,_']*\d|\d", run.printed)}
    if {into, out} <= printed:
        return _swapped(run, into, out)
    numbers = ", ".join(f"{one['input_tokens']}/{one['output_tokens']}" for one in usage)
    look = place(run, r"usage", r"def agent_loop")
    last = usage[-1]
    if into + out in printed:
        return fail("no_sums", "one_sum", sum=into + out, into=into, out=out, numbers=numbers, line=look)
    if {into - last["input_tokens"], out - last["output_tokens"]} <= printed:
        return fail("no_sums", "without_last", into=into, out=out, numbers=numbers, line=look)
    if len({into, out} & printed) == 1:
        return fail("no_sums", "half_sum", into=into, out=out, numbers=numbers, line=look)
    if run.printed.count(str(last["input_tokens"])) > 1:
        return fail("no_sums", "last_only", into=into, out=out, numbers=numbers, line=look)
    return fail("no_sums", into=into, out=out, numbers=numbers, line=look)


def _swapped(run: Run, into: int, out: int) -> Verdict | None:
    """Both sums, each under the name of the other, as the starter writes a turn: 12 in, 34 out."""
    if not re.search(rf"\b{out} in\b.*\b{into} out\b", run.printed):
        return None
    return fail("sums_swapped", into=into, out=out, line=place(run, r"print\(.* in, ", r"usage"))


def _well(run: Run) -> Verdict:
    usage = [sent.reply["usage"]["input_tokens"] for sent in run.accepted]
    return passed(last=usage[-1], first=usage[0])
