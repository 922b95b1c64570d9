"""s05/2, the call that was cut off: what Claude says, and how to judge the run."""

import datetime
from collections.abc import Sequence

from course.checks.accepted import not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.refusals import api
from course.checks.run import Block, Run, Sent, blocks_of, results, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, flat, names, passed, place, raised_itself
from course.standin.talk import Call, Reply, Talk, ask_for, say

TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
LAST_WORDS = "I will invite everyone"
NO_TOOL = "I cannot do that: I have no tool for it."

HALF = 2  # people in the call that was cut off
HOLD, PREPARE, MEET = "Hold: team meeting", "Prepare", "Team meeting"
CUT_AT = 8000  # MAX_TOKENS in the starter
WHAT = "What have you booked?"


def play(talk: Talk) -> Reply:
    """A whole reply with a call; then one with two calls that is cut off in the second, or whole if the program makes
    room for it or says that it was cut off. At last, what was booked."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if WHAT in talk.prompt and talk.earlier:
        return _what_is_booked([call for turn in talk.earlier for call in turn.calls])
    hold, prepare, meet = event(HOLD, day, 15, 1), event(PREPARE, day, 14, 0.5), event(MEET, day, 15, 1, *TEAM)
    hold["attendees"] = prepare["attendees"] = []
    if not talk.calls:  # for all to see that the program still runs what is whole
        return ask_for(("create_calendar_event", hold), text="I hold the slot first.")
    later = [call for call in talk.calls if call.input.get("title") != HOLD]
    if any(call.input.get("title") == MEET and not call.is_error for call in later):
        return _what_is_booked(talk.calls)
    if later or talk.body.get("max_tokens", 0) > CUT_AT:
        booked = [call.input.get("title") for call in later if not call.is_error]
        calls = [("create_calendar_event", call) for call in (prepare, meet) if call["title"] not in booked]
        return ask_for(*calls)
    meet["attendees"] = TEAM[:HALF]
    calls = [("create_calendar_event", call) for call in (prepare, meet)]
    return ask_for(*calls, text=f"{LAST_WORDS}.", stop_reason="max_tokens")


def _what_is_booked(calls: Sequence[Call]) -> Reply:
    done = {call.input.get("title"): call for call in calls if call.result and not call.is_error}
    if MEET in done:
        people = len(done[MEET].input.get("attendees") or [])
        return say(f"The meeting is booked for tomorrow at 15:00, and {people} people are invited.")
    return say("I hold the slot tomorrow at 15:00. The meeting itself is not booked, and nobody is invited.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        _cut_call_ran,
        _claimed,
        _no_reason,
        _whole_skipped,
        _asks_on,
        _history_broken,
        obstacle,
        _left,
        crash,
        without_tools,
        spread,
        unanswered,
        _never_cut,
        _no_second,
        _forgotten,
        _nothing_said,
        not_printed,
        _well,
    )


def _left(run: Run) -> Verdict | None:
    """The program ended at the cut: sys.exit("...") or an exception of its own."""
    if not _cut(run) or not run.failure or run.accepted[-1] is not _cut(run)[-1]:
        return None
    if raised_itself(run):
        return fail("left", type=run.failure.type, message=run.failure.message[:100], line=run.failure.line)
    return None


def _cut(run: Run) -> list[Sent]:
    return [sent for sent in run.accepted if sent.reply.get("stop_reason") == "max_tokens"]


def _cut_results(run: Run) -> list[tuple[Block, Block]]:
    """(call, its result or {}) for each call of a reply that was cut off."""
    return [(call, run.result(call) or {}) for sent in _cut(run) for call in sent.calls]


def _cut_call_ran(run: Run) -> Verdict | None:
    """By what Claude was told, or, should the results have gone nowhere, by the starter's prints."""
    ran = {
        str(call["input"].get("title"))
        for call, result in _cut_results(run)
        if text_of(result.get("content")).startswith("Created")
    }
    if f"created: {MEET}, {HALF} invited" in run.printed:
        ran.add(MEET)
    if run.printed.count(f"created: {PREPARE}, ") > _whole(run).count(PREPARE):
        ran.add(PREPARE)
    look = place(run, r"if not calls", r"stop_reason", r"run_tool\(")
    if MEET in ran:
        return fail("cut_call_ran", count=HALF, all=len(TEAM), line=look)
    return fail("cut_call_ran", "another", title=PREPARE, line=look) if ran else None


def _whole(run: Run) -> list[str]:
    """The titles in the calls of all replies that were not cut off."""
    return [str(call["input"].get("title")) for sent in run.accepted if sent not in _cut(run) for call in sent.calls]


def _claimed(run: Run) -> Verdict | None:
    """Not run, and answered as if it had been."""
    for call, result in _cut_results(run):
        if result and result.get("is_error") is not True:
            content = text_of(result.get("content"))[:100]
            return fail("claimed", call=names([call]), content=content, line=place(run, r"tool_result"))
    return None


def _no_reason(run: Run) -> Verdict | None:
    """An error, and no word on what it is."""
    for call, result in _cut_results(run):
        content = text_of(result.get("content"))
        if result and not says_why(content):
            return fail(
                "no_reason", call=names([call]), content=content[:100], line=place(run, r"is_error", r"tool_result")
            )
    return None


def _forgotten(run: Run) -> Verdict | None:
    """The second prompt came without what was said and done before the cut."""
    sent = next(sent for sent in run.accepted if _asks_what(sent))
    kept = [block.get("input", {}).get("title") for block in blocks_of(sent.body, "assistant", "tool_use")]
    if HOLD in kept or HOLD not in _whole(run):
        return None
    return fail("forgotten", line=place(run, r"clear\(|pop\(|del |messages = ", r"break"))


def _whole_skipped(run: Run) -> Verdict | None:
    """A call of a reply that came to its end."""
    call = next((call for call in run.calls if call["input"].get("title") == HOLD), None)
    result = (run.result(call) or {}) if call else {}
    if not result.get("is_error"):
        return None
    content = text_of(result.get("content"))[:100]
    return fail("whole_skipped", content=content, line=place(run, r"stop_reason", r"run_tool\("))


def _history_broken(run: Run) -> Verdict | None:
    """The reply that was cut off is in the history, and its calls are not answered."""
    if not run.refused or not _cut(run) or run.number(run.refused[0]) < run.number(_cut(run)[0]):
        return None
    sent = run.refused[0]
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    if not calls - {block.get("tool_use_id") for block in results(sent.body)}:
        return None
    return fail("history_broken", api=api(sent), line=place(run, r"break", r"stop_reason", r"return reply"))


def _asks_on(run: Run) -> Verdict | None:
    """The same request again and again: it is cut off each time."""
    if len(_cut(run)) < 3:
        return None
    return fail("cut_again", count=len(_cut(run)), line=place(run, r"max_tokens", r"for ", r"while "))


def _never_cut(run: Run) -> Verdict | None:
    """More room from the start: the case that the exercise is about did not come up."""
    if _cut(run):
        return None
    return fail(
        "never_cut",
        most=run.accepted[0].body.get("max_tokens"),
        count=CUT_AT,
        line=place(run, r"MAX_TOKENS = ", r"max_tokens="),
    )


def _asks_what(sent: Sent) -> bool:
    """Does the request hold the second prompt?"""
    return any(WHAT in str(block.get("text")) for block in blocks_of(sent.body, "user", "text"))


def _no_second(run: Run) -> Verdict | None:
    if run.failure or _asks_what(run.accepted[-1]):
        return None
    return fail("no_second_prompt", line=place(run, r"exit\(|raise ", r"PROMPTS(?! =)"))


def _nothing_said(run: Run) -> Verdict | None:
    """The first prompt ended at the cut, without a word on it."""
    cut = _cut(run)[-1]
    after = run.accepted[run.accepted.index(cut) + 1 :]
    if after and not _asks_what(after[0]):
        return None  # it went on with the first prompt
    printed = flat(run.printed.lower()).partition(f"> {WHAT.lower()}")[0]
    last = printed.rpartition("stop_reason: max_tokens")[2] or printed
    if any(word in last for word in ("max_tokens", "max tokens", "cut", "stopped", "incomplete", "limit", "truncat")):
        return None
    # In whatever language: a line after the reply's own text.
    if any(character.isalpha() for character in last.rpartition(f"{LAST_WORDS.lower()}.")[2]):
        return None
    return fail("cut_in_silence", line=place(run, r"stop_reason"))


def _well(run: Run) -> Verdict:
    return passed("tried_again" if MEET in _whole(run) else "")
