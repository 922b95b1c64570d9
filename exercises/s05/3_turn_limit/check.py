"""s05/3, a turn limit: what Claude says, and how to judge the run."""

import datetime
import re

from course.checks.accepted import not_printed, spread, without_tools
from course.checks.dates import WHICH_DAY, told_date
from course.checks.obstacles import crash, endless, obstacle
from course.checks.run import Run, Sent, blocks_of, results
from course.checks.verdict import Verdict, constant, fail, first, place, raised_itself
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot do that: I have no tool for it."

LIMIT = 5  # MAX_TURNS in the starter
STOP = "Stop looking"
ENOUGH = 40  # calls; more than a check lets happen: by hand, too, there is to be an end


def play(talk: Talk) -> Reply:
    """One day after the other, until the user says stop."""
    if "list_calendar_events" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    if STOP in talk.prompt:
        seen = [call.input.get("date", "") for turn in talk.earlier for call in turn.calls]
        seen += [call.input.get("date", "") for call in talk.calls]
        return say(f"I have looked at {len(seen)} days, and none of them is free.")
    if len(talk.calls) >= ENOUGH:
        return say(f"I have looked at {len(talk.calls)} days, and none of them is free. Nothing but me has ended this.")
    return ask_for(("list_calendar_events", {"date": str(today + datetime.timedelta(len(talk.calls) + 1))}))


def judge(run: Run) -> Verdict:
    return first(
        run,
        _never_ends,
        _history_broken,
        obstacle,
        _too_many,
        _no_second,
        crash,
        without_tools,
        _too_few,
        _says_nothing,
        _always_says,
        spread,
        _days_lost,
        not_printed,
    )


def _before_stop(run: Run) -> list[Sent]:
    return [sent for sent in run.sent if not _has_stop(sent)]


def _has_stop(sent: Sent) -> bool:
    return any(STOP in str(block.get("text")) for block in blocks_of(sent.body, "user", "text"))


def _never_ends(run: Run) -> Verdict | None:
    return endless(run) if run.stopped == "requests" else None


def _history_broken(run: Run) -> Verdict | None:
    """The loop was left between the reply and its results, and the next prompt fails for it."""
    if not run.refused or not _has_stop(run.refused[0]):
        return None
    sent = run.refused[0]
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    if not calls - {block.get("tool_use_id") for block in results(sent.body)}:
        return None
    return fail(
        "history_broken",
        api=f"{sent.status}: {sent.problem}",
        line=place(run, r"MAX_TURNS\b(?! =)", r"break", r"return reply"),
    )


def _too_many(run: Run) -> Verdict | None:
    count, limit = len(_before_stop(run)), constant(run, "MAX_TURNS", LIMIT)
    if count <= limit:
        return None
    return fail("too_many", count=count, limit=limit, line=place(run, r"MAX_TURNS\b(?! =)", r"while ", r"for "))


def _no_second(run: Run) -> Verdict | None:
    if not run.sent or any(_has_stop(sent) for sent in run.sent) or (run.failure and not raised_itself(run)):
        return None
    left = run.failure and run.failure.line
    line = left or place(run, r"exit\(|raise ", r"MAX_TURNS\b(?! =)")
    return fail("no_second_prompt", count=len(run.sent), line=line)


def _too_few(run: Run) -> Verdict | None:
    count, limit = len(_before_stop(run)), constant(run, "MAX_TURNS", LIMIT)
    if count >= limit - 1:
        return None
    return fail("too_few", count=count, limit=limit, line=place(run, r"MAX_TURNS\b(?! =)", r"break", r"return"))


def _says_nothing(run: Run) -> Verdict | None:
    """Between the last day and the second prompt stands nothing but what the starter prints."""
    if _own_lines(run.printed.partition(f"> {STOP}")[0]):
        return None
    return fail("stops_in_silence", line=place(run, r"MAX_TURNS\b(?! =)", r"break"))


def _always_says(run: Run) -> Verdict | None:
    """The line on the limit also behind a prompt that was answered."""
    before, _prompt, after = run.printed.partition(f"> {STOP}")
    again = [line for line in _own_lines(before) if line in _own_lines(after)]
    if not again:
        return None
    return fail(
        "always_says", text=again[0], line=place(run, r"print\(.*(?i:limit|stop|MAX_TURNS)", r"MAX_TURNS\b(?! =)")
    )


def _own_lines(printed: str) -> list[str]:
    """What the program printed, without what the starter prints."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    return [
        line
        for line in lines
        if line != "(no text)"
        and not line.startswith((">", "list_calendar_events"))
        and "Workshop" not in line
        and not re.match(r"turn \d|stop_reason", line.lower())
    ]


def _days_lost(run: Run) -> Verdict | None:
    """The second prompt came without what was found before."""
    sent = next(sent for sent in run.accepted if _has_stop(sent))
    asked = [call["id"] for one in _before_stop(run) for call in one.calls]
    kept = [block.get("tool_use_id") for block in results(sent.body)]
    if len(set(kept) & set(asked)) >= len(asked) - 1 and kept:
        return None
    return fail("days_lost", line=place(run, r"messages = ", r"clear|pop|del ", r"MAX_TURNS\b(?! =)"))
