"""The exercises of s05: what Claude says in each, and how to judge the run."""

import datetime
import re
from typing import Any

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import crash, empty_result, endless, first, flat, not_printed, obstacle, spread, unanswered, without_tools
from .run import Run, Sent, blocks_of, results, text_of
from .s03 import WHICH_DAY, event, told_date
from .scene import ask_for, say
from .verdict import Verdict, constant, fail, passed, place

_ = translator("checks")

TEAM = [f"{name}@example.com" for name in ("ana", "ben", "chen", "dana", "emil")]
NO_TOOL = "I cannot do that: I have no tool for it."
UNKNOWN = "delete_calendar_events"


# --- 1: failure is an answer ------------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """A tool that does not exist and too many people; smaller meetings if the result says what was wrong."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.rounds:
        return ask_for(
            (UNKNOWN, {"date": str(day)}), ("create_calendar_event", event("Team meeting", day, 15, 1, *TEAM))
        )
    failed = [call for call in talk.calls if call.name == "create_calendar_event" and call.is_error]
    if talk.rounds == 1 and failed:
        if "3" not in (failed[0].result or ""):
            return say("The event could not be created, and I do not know why.")
        halves = (("Team meeting, part 1", TEAM[:3]), ("Team meeting, part 2", TEAM[3:]))
        calls = [("create_calendar_event", event(title, day, 15, 1, *people)) for title, people in halves]
        return ask_for(*calls, text="One event takes at most 3 people, so I will make two.")
    if talk.rounds == 1:
        return say("Your calendar is clear, and the meeting with the whole team is booked.")
    return say("I cannot delete events. The team meeting is booked as two events, as one takes at most 3 people.")


def judge_1(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        _raised,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _as_success,
        _no_reason,
        _name_alone,
        _all_failed,
        not_printed,
        _well_1,
    )


def _raised(run: Run) -> Verdict | None:
    if not run.failure or not run.calls or re.search("not JSON serializable|'NoneType' object", run.failure.message):
        return None
    expected = _("A tool_result for every call, also for one that fails: is_error true, and what was wrong as content.")
    if run.failure.type == "KeyError" and UNKNOWN in run.failure.message:
        return fail(
            "unknown_tool",
            seen=_("Claude called {name}, which does not exist, and the program ended with {type}.").format(
                name=UNKNOWN, type="KeyError"
            ),
            expected=expected,
            next=_("Look into FUNCTIONS first. If the name is not there, return an error result that says so."),
            line=run.failure.line,
        )
    if run.failure.type in ("ValueError", "TypeError", "AttributeError"):
        return fail(
            "tool_raised",
            seen=_("A tool failed, and the program ended with it. {type}: {message}").format(
                type=run.failure.type, message=run.failure.message
            ),
            expected=expected,
            next=_("Catch the exception where the tool is called, and return its message in an error result."),
            line=run.failure.line,
        )
    return None


def _first_results(run: Run) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    calls = run.sent[0].calls if run.sent else []
    return [(call, run.result(call) or {}) for call in calls]


def _as_success(run: Run) -> Verdict | None:
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if result.get("is_error") is not True and content.startswith("Created: "):
            return fail(
                "never_failed",
                seen=_('The call with too many people did not fail. Its result was "{content}".').format(
                    content=content[:100]
                ),
                expected=_("A tool that fails as it did when it was delivered: how Claude gets to know is your task."),
                next=_("Leave create_calendar_event and MAX_ATTENDEES as they were; change run_tool."),
                line=place(run, r"MAX_ATTENDEES = ", r"def create_calendar_event"),
            )
        if result.get("is_error") is not True:
            return fail(
                "as_success",
                seen=_('The call of {name} failed, and its result, "{content}", does not say is_error.').format(
                    name=call["name"], content=text_of(result.get("content"))[:100]
                ),
                expected=_(
                    "is_error true on every result of a call that failed. Without it Claude may take the text for "
                    "what it asked for."
                ),
                next=_('Add "is_error": True to the result.'),
                line=place(run, r"except", r"tool_result"),
            )
    return None


def _no_reason(run: Run) -> Verdict | None:
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if call["name"] == "create_calendar_event" and "3" not in content:
            return fail(
                "no_reason",
                seen=_('Claude was told "{content}". It could do nothing but give up.').format(content=content[:100]),
                expected=_(
                    "What was wrong, in words: the exception's message names the limit, and Claude keeps to it."
                ),
                next=_("Put the exception's text into the content: str(error)."),
                line=place(run, r"except", r"is_error"),
            )
    return None


def _name_alone(run: Run) -> Verdict | None:
    """str() of a KeyError is the key, and nothing else."""
    for call, result in _first_results(run):
        content = text_of(result.get("content"))
        if call["name"] == UNKNOWN and content.strip(" \"'") == UNKNOWN:
            return fail(
                "name_alone",
                seen=_('Of the tool that does not exist Claude was told "{content}", and nothing else.').format(
                    content=content
                ),
                expected=_("A sentence: that there is no tool of this name. str() of a KeyError is the key alone."),
                next=_("Look into FUNCTIONS first. If the name is not there, return an error result that says so."),
                line=place(run, r"except", r"is_error"),
            )
    return None


def _all_failed(run: Run) -> Verdict | None:
    """Results of calls that went well, marked as errors."""
    for call in run.calls[2:]:
        result = run.result(call) or {}
        if result.get("is_error"):
            return fail(
                "all_failed",
                seen=_('"{content}" went back with is_error, although nothing failed.').format(
                    content=text_of(result.get("content"))[:100]
                ),
                expected=_("is_error only on results of calls that failed."),
                next=_("Set is_error where the failure is, and nowhere else."),
                line=place(run, r"is_error"),
            )
    return None


def _well_1(run: Run) -> Verdict:
    return passed(_("Two calls failed, Claude read why, and made two smaller meetings of one."))


# --- 2: the call that was cut off -------------------------------------------------------------------------------------

HALF = 2  # people in the call that was cut off
HOLD = "Hold: team meeting"
CUT_AT = 8000  # MAX_TOKENS in the starter


def play_2(talk: Talk) -> Reply:
    """A whole call; then one that is cut off, or whole if the program makes room for it or says that it was cut off."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    call = event("Team meeting", today + datetime.timedelta(1), 15, 1, *TEAM)
    if not talk.calls:  # for all to see that the program still runs what is whole
        return ask_for(
            ("create_calendar_event", {**call, "title": HOLD, "attendees": []}), text="I hold the slot first."
        )
    invitations = [one for one in talk.calls if one.input.get("title") != HOLD]
    done = next((one for one in reversed(invitations) if not one.is_error), None)
    if done:
        people = len(done.input.get("attendees") or [])
        return say(f"The meeting is booked for tomorrow at 15:00, and {people} people are invited.")
    if invitations or talk.body.get("max_tokens", 0) > CUT_AT:
        return ask_for(("create_calendar_event", call))
    call["attendees"] = TEAM[:HALF]
    return ask_for(("create_calendar_event", call), text="I will invite everyone.", stop_reason="max_tokens")


def judge_2(run: Run) -> Verdict:
    return first(
        run,
        _cut_call_ran,
        _asks_on,
        obstacle,
        _left,
        crash,
        without_tools,
        spread,
        unanswered,
        _never_cut,
        _nothing_said,
        _well_2,
    )


def _left(run: Run) -> Verdict | None:
    """sys.exit("...") is a way to end with a message, too."""
    said = run.failure and run.failure.type == "SystemExit" and not run.failure.message.isdigit()
    return _well_2(run) if said and _cut(run) else None


def _cut(run: Run) -> list[Sent]:
    return [sent for sent in run.accepted if sent.reply.get("stop_reason") == "max_tokens"]


def _cut_call_ran(run: Run) -> Verdict | None:
    ran = [
        call
        for sent in _cut(run)
        for call in sent.calls
        if (run.result(call) or {"is_error": True}).get("is_error") is not True
    ]
    if not ran and f", {HALF} invited" not in run.printed:
        return None
    return fail(
        "cut_call_ran",
        seen=_(
            "The reply ended with stop_reason max_tokens, in the middle of a call. The program ran that call, and "
            "{count} of {all} people were invited."
        ).format(count=HALF, all=len(TEAM)),
        expected=_("No call of a reply that was cut off is run: its input may lack anything, and still look whole."),
        next=_("Decide by reply.stop_reason: run tools only when it is tool_use."),
        line=place(run, r"if not calls", r"stop_reason", r"run_tool\("),
    )


def _asks_on(run: Run) -> Verdict | None:
    """The same request again and again: it is cut off each time."""
    if len(_cut(run)) < 3:
        return None
    return fail(
        "cut_again",
        seen=_("The program asked {count} times with the same max_tokens, and was cut off each time.").format(
            count=len(_cut(run))
        ),
        expected=_(
            "An end with a message, or another try with more room. As it is, each try costs money and ends alike."
        ),
        next=_("Stop when the stop_reason is max_tokens, or raise max_tokens for the next try."),
        line=place(run, r"max_tokens", r"for ", r"while "),
    )


def _never_cut(run: Run) -> Verdict | None:
    """More room from the start: the case that the exercise is about did not come up."""
    if _cut(run):
        return None
    return fail(
        "never_cut",
        seen=_("With max_tokens {count} the reply was not cut off.").format(
            count=run.accepted[0].body.get("max_tokens")
        ),
        expected=_(
            "A loop that is right when a reply is cut off. More room makes that rarer, and does not rule it out."
        ),
        next=_("Set MAX_TOKENS to {count} again, and look at the stop_reason in agent_loop.").format(count=CUT_AT),
        line=place(run, r"MAX_TOKENS = ", r"max_tokens="),
    )


def _nothing_said(run: Run) -> Verdict | None:
    """It ended after the cut, without a word on it."""
    if run.accepted[-1].reply.get("stop_reason") != "max_tokens":
        return not_printed(run)
    printed = flat(run.printed.lower())
    last = printed.rpartition("stop_reason: max_tokens")[2] or printed
    if any(word in last for word in ("max_tokens", "max tokens", "cut", "stopped", "incomplete", "limit", "truncat")):
        return None
    # In whatever language: a line after the reply's own text.
    after = last.rpartition("i will invite everyone.")[2]
    if any(character.isalpha() for character in after):
        return None
    return fail(
        "cut_in_silence",
        seen=_("The program ended after the reply that was cut off, and said nothing about it."),
        expected=_("A line that tells the user that nothing was booked, and why."),
        next=_("Print the stop reason when it is not end_turn."),
        line=place(run, r"stop_reason"),
    )


def _well_2(run: Run) -> Verdict:
    if run.accepted[-1].reply.get("stop_reason") == "max_tokens":
        return passed(_("The reply was cut off, no half call was run, and the program says so."))
    return passed(_("The reply was cut off, no half call was run, and another try brought the whole one."))


# --- 3: a turn limit --------------------------------------------------------------------------------------------------

LIMIT = 5  # MAX_TURNS in the starter
STOP = "Stop looking"


def play_3(talk: Talk) -> Reply:
    """One day after the other, without end; until the user says stop."""
    if "list_calendar_events" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    if STOP in talk.prompt:
        seen = [call.input.get("date", "") for turn in talk.earlier for call in turn.calls]
        seen += [call.input.get("date", "") for call in talk.calls]
        return say(f"I have looked at {len(seen)} days, and none of them is free.")
    return ask_for(("list_calendar_events", {"date": str(today + datetime.timedelta(len(talk.calls) + 1))}))


def judge_3(run: Run) -> Verdict:
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
        spread,
        _days_lost,
        not_printed,
        _well_3,
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
        seen=_("The loop ended at the limit, but with a call that nobody answered, and the second prompt was refused."),
        expected=_("A history that can be sent again: each call in it is followed by its result, at the limit too."),
        next=_("Run the tools and append their results before you stop."),
        api=f"{sent.status}: {sent.problem}",
        line=place(run, r"MAX_TURNS\b(?! =)", r"break", r"return reply"),
    )


def _too_many(run: Run) -> Verdict | None:
    count, limit = len(_before_stop(run)), constant(run, "MAX_TURNS", LIMIT)
    if count <= limit:
        return None
    return fail(
        "too_many",
        seen=_("For the first prompt the program sent {count} requests; MAX_TURNS is {limit}.").format(
            count=count, limit=limit
        ),
        expected=_("At most MAX_TURNS requests for one prompt."),
        next=_("Count the requests, the first one included."),
        line=place(run, r"MAX_TURNS\b(?! =)", r"while ", r"for "),
    )


def _no_second(run: Run) -> Verdict | None:
    if not run.sent or any(_has_stop(sent) for sent in run.sent) or (run.failure and run.failure.type != "SystemExit"):
        return None
    return fail(
        "no_second_prompt",
        seen=_("The program stopped after {count} requests, and the second prompt was never sent.").format(
            count=len(run.sent)
        ),
        expected=_("agent_loop ends at the limit; the conversation goes on."),
        next=_("Leave the loop with break or return, not the program."),
        line=place(run, r"exit\(|raise ", r"MAX_TURNS\b(?! =)"),
    )


def _too_few(run: Run) -> Verdict | None:
    count, limit = len(_before_stop(run)), constant(run, "MAX_TURNS", LIMIT)
    if count >= limit - 1:
        return None
    return fail(
        "too_few",
        seen=_("The program gave up after {count} requests; MAX_TURNS is {limit}.").format(count=count, limit=limit),
        expected=_("MAX_TURNS requests for one prompt, if Claude asks for that many."),
        next=_("Check where your loop ends."),
        line=place(run, r"MAX_TURNS\b(?! =)", r"break", r"return"),
    )


def _says_nothing(run: Run) -> Verdict | None:
    """Between the last day and the second prompt stands nothing but what the starter prints."""
    before = run.printed.partition(f"> {STOP}")[0]
    lines = [line.strip() for line in before.splitlines() if line.strip()]
    own = [
        line
        for line in lines
        if line != "(no text)"
        and not line.startswith((">", "list_calendar_events"))
        and "Workshop" not in line
        and not re.match(r"turn \d|stop_reason", line.lower())
    ]
    if own:
        return None
    return fail(
        "stops_in_silence",
        seen=_("The program stopped at the limit and did not say so."),
        expected=_("A line from which the user sees that the work is not done, and why."),
        next=_("Print something when the limit is reached."),
        line=place(run, r"MAX_TURNS\b(?! =)", r"break"),
    )


def _days_lost(run: Run) -> Verdict | None:
    """The second prompt came without what was found before."""
    sent = next(sent for sent in run.accepted if _has_stop(sent))
    asked = [call["id"] for one in _before_stop(run) for call in one.calls]
    kept = [block.get("tool_use_id") for block in results(sent.body)]
    if len(set(kept) & set(asked)) >= len(asked) - 1 and kept:
        return None
    return fail(
        "days_lost",
        seen=_("The second prompt was sent without the days that Claude had seen."),
        expected=_("The same conversation: everything up to the limit, then the new prompt."),
        next=_("Leave messages as it is when the loop ends."),
        line=place(run, r"messages = ", r"clear|pop|del ", r"MAX_TURNS\b(?! =)"),
    )


def _well_3(run: Run) -> Verdict:
    return passed(_("The loop ended at the limit and said so, and the conversation went on where it was."))
