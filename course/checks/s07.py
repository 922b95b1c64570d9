"""The exercises of s07: what Claude says in each, and how to judge the run.

The commands are harmless and end by themselves, as a program may fail to end them. What they leave behind in the
workspace shows, in the results of later commands, what really ran.
"""

import json
import re
from typing import Any

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import crash, empty_result, first, not_printed, obstacle, spread, unanswered, without_tools
from .run import Run, text_of
from .scene import ask_for, say
from .verdict import Verdict, constant, fail, passed, place

_ = translator("checks")

NO_TOOL = "I cannot run commands: I have no tool for it."


def _bash(command: str) -> tuple[str, dict[str, Any]]:
    return "bash", {"command": command}


def _windows(body: dict[str, Any]) -> bool:
    """Is it cmd that runs the commands? The starters' system prompts say so."""
    return "win32" in json.dumps(body.get("system"), ensure_ascii=False)


def _output(run: Run, command: str) -> list[str]:
    """What Claude was told about this command, once for each time it asked for it."""
    calls = [call for call in run.calls if call["input"] == {"command": command}]
    return [text_of((run.result(call) or {}).get("content")) for call in calls]


# --- 1: when the time is up -------------------------------------------------------------------------------------------

LIMIT = 0.5  # TIME_LIMIT in the starter, seconds
STEPS = 24
BUILD = f"for n in $(seq {STEPS}); do echo step >> steps.txt; sleep 0.05; done & wait"
LOOK = "wc -l < steps.txt; sleep 0.15; wc -l < steps.txt"
# cmd has no background jobs that write step by step. There, only the time tells: a child keeps the output open.
BUILD_WINDOWS, LOOK_WINDOWS = "ping -n 4 127.0.0.1", "echo 0 & echo 0"
LATE = 1.5  # seconds until Claude hears of a command that should have ended after LIMIT
TRIES = 3


def play_1(talk: Talk) -> Reply:
    """A build that takes too long, then two looks at how far it got: does it go on?"""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    windows = _windows(talk.body)
    if not talk.calls:
        return ask_for(_bash(BUILD_WINDOWS if windows else BUILD), text="I will start the build.")
    counts = _counts(talk.calls[-1].result or "") if talk.rounds > 1 else None
    if counts is None and talk.rounds <= TRIES:  # once more: on a busy machine even a look may take too long
        return ask_for(_bash(LOOK_WINDOWS if windows else LOOK))
    if counts is None:
        return say("I could not see how far the build got.")
    how_far = "" if windows else f" It got to step {counts[1]} of {STEPS}."
    return say(f"The build did not come to its end.{how_far}")


def _counts(text: str) -> tuple[int, int] | None:
    """The two numbers that a look ends with."""
    found = re.search(r"^\s*(\d+)\s+(\d+)\s*\Z", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


def judge_1(run: Run) -> Verdict:
    return first(
        run,
        _killed_itself,
        obstacle,
        _time_out_raised,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _no_limit,
        _survivor,
        _time_out_as_success,
        _never_looked,
        not_printed,
        _well_1,
    )


def _build(run: Run) -> dict[str, Any]:
    """The result of the build."""
    return (run.result(run.calls[0]) or {}) if run.calls else {}


def _killed_itself(run: Run) -> Verdict | None:
    """killpg on a process that is in the program's own group: the program is gone without a word."""
    if len(run.calls) != 1 or _build(run) or run.failure or run.stopped or "killpg" not in run.source:
        return None
    return fail(
        "killed_itself",
        seen=_("When the time was up, the program ended itself: the command was in the program's own process group."),
        expected=_("The command in a process group of its own: that group can be ended, and the program goes on."),
        next=_("Start the command with **OWN_GROUP, then end_group() ends the command's group only."),
        line=place(run, r"killpg\(", r"Popen\("),
    )


def _time_out_raised(run: Run) -> Verdict | None:
    if not run.failure or run.failure.type not in ("TimeoutExpired", "TimeoutError"):
        return None
    return fail(
        "time_out_raised",
        seen=_("The time was up, and with the command the program ended: {type}.").format(type=run.failure.type),
        expected=_("A command that takes too long is answered like any other: with a result, here an error result."),
        next=_("Catch the exception where the tool is called, and send its text with is_error."),
        line=run.failure.line,
    )


def _grown(run: Run) -> tuple[int, int]:
    """How many steps the build had done at the first and at the second look; (0, 0) if there was no look."""
    looks = [counts for counts in map(_counts, _output(run, LOOK)) if counts]
    return looks[-1] if looks else (0, 0)


def _no_limit(run: Run) -> Verdict | None:
    if _build(run).get("is_error") or (_grown(run)[0] < STEPS and not _waited(run)):
        return None
    if "exit code 0" not in text_of(_build(run).get("content")):
        return None
    return fail(
        "no_limit",
        seen=_("The command ran to its end, which took longer than TIME_LIMIT."),
        expected=_("A command is ended when it has run for TIME_LIMIT seconds, with all that it has started."),
        next=_("Wait for it with process.communicate(timeout=TIME_LIMIT)."),
        line=place(run, r"communicate\(", r"subprocess\.run\(", r"Popen\(", r"def bash"),
    )


def _waited(run: Run) -> bool:
    """Did Claude hear of the build much later than the time limit?"""
    asked = next((sent for sent in run.accepted if sent.calls), None)
    heard = next((sent for sent in run.accepted if asked and sent.started >= asked.ended), None)
    return bool(asked and heard and _windows(asked.body) and heard.started - asked.ended > LIMIT + LATE)


def _survivor(run: Run) -> Verdict | None:
    before, after = _grown(run)
    if before >= STEPS or _waited(run):
        seen = _(
            "When the time was up, only the shell was ended. What it had started worked on to its end, and the program "
            "even waited for it, because it held the output open."
        )
    elif before != after:
        seen = _(
            "When the time was up, only the shell was ended. What it had started worked on: at first Claude saw "
            "{before} steps of the build, and a moment later {after}."
        ).format(before=before, after=after)
    else:
        return None
    return fail(
        "survivor",
        seen=seen,
        expected=_("With the command ends all that it has started: its whole process group."),
        next=_(
            "Start the command with subprocess.Popen(..., **OWN_GROUP), wait with communicate(timeout=TIME_LIMIT), and "
            "call end_group(process) when that raises TimeoutExpired."
        ),
        line=place(run, r"\.kill\(|\.terminate\(", r"subprocess\.run\(.*command", r"Popen\(", r"def bash"),
    )


def _time_out_as_success(run: Run) -> Verdict | None:
    if _build(run).get("is_error"):
        return None
    return fail(
        "time_out_as_success",
        seen=_('The command was ended, and its result, "{content}", does not say is_error.').format(
            content=text_of(_build(run).get("content"))[:100]
        ),
        expected=_("is_error on a result that says that the time was up. Claude must not take the job for done."),
        next=_("Raise TimeoutError in bash: run_tool makes an error result of it."),
        line=place(run, r"except .*Timeout", r"return .*exit code", r"def bash"),
    )


def _never_looked(run: Run) -> Verdict | None:
    """After the time-out no command came through."""
    if _counts((_output(run, LOOK) + _output(run, LOOK_WINDOWS) or [""])[-1]):
        return None
    return fail(
        "nothing_after",
        seen=_('After the time-out a short command did not come through. Its result: "{content}"').format(
            content=(_output(run, LOOK) or [""])[-1][:160]
        ),
        expected=_("Every command runs by itself: exit code and output, whatever became of the one before."),
        next=_("If that is an error of bash itself, repair it; else compare what bash returns with the starter."),
        line=place(run, r"return .*exit code", r"def bash"),
    )


def _well_1(run: Run) -> Verdict:
    return passed(_("The time was up, the command ended with all that it had started, and Claude was told so."))


# --- 2: the end of the output -----------------------------------------------------------------------------------------

LINES = 5000
MOST = 2000  # MAX_OUTPUT in the starter, characters
SHORT = "echo 3 rows are new"
HEAD, END = "Import from orders.csv", "Error in row 4711: no such customer"
IMPORT = f"echo {HEAD}; seq {LINES}; echo {END}; exit 1"
IMPORT_WINDOWS = f"echo {HEAD}& (for /L %i in (1,1,{LINES}) do @echo %i)& echo {END}& exit /b 1"


def play_2(talk: Talk) -> Reply:
    """One command with much output; the answer is in the first line and in the last."""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        # And one command beside it, with an output that nobody needs to cut.
        return ask_for(_bash(IMPORT_WINDOWS if _windows(talk.body) else IMPORT), _bash(SHORT), text="I will run it.")
    told = talk.calls[0].result or ""
    if END not in told:
        return say("The import printed many numbers and failed. I see no reason for it in the output.")
    if HEAD not in told:
        return say("Row 4711 names a customer who does not exist. Which file that is in, I cannot see.")
    return say("Row 4711 of orders.csv names a customer who does not exist.")


def judge_2(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        _shorten_failed,
        _lost_end,
        _lost_head,
        _not_cut,
        _cut_in_silence,
        _cut_for_nothing,
        not_printed,
        _well_2,
    )


def _told(run: Run) -> str:
    return text_of((run.result(run.calls[0]) or {}).get("content"))


def _shorten_failed(run: Run) -> Verdict | None:
    """An exception in shorten, which run_tool passes on; or no return."""
    result = run.result(run.calls[0]) or {}
    content = _told(run)
    if not result.get("is_error") and not re.fullmatch(r"exit code 1\s+None\s*", content):
        return None
    return fail(
        "shorten_failed",
        seen=_('shorten did not return the text. Claude was told "{content}".').format(content=content[:160]),
        expected=_("A text, however long the output is."),
        next=_("Slices take whole numbers (// instead of /), and a function without return gives back None."),
        line=place(run, r"/", r"def shorten") if result.get("is_error") else place(run, r"def shorten"),
    )


def _lost_end(run: Run) -> Verdict | None:
    if END in _told(run):
        return None
    return fail(
        "lost_end",
        seen=_('Claude got {count} characters of output. They end with "{end}", and the error came after that.').format(
            count=len(_told(run)), end=" ".join(_told(run).split())[-30:]
        ),
        expected=_('The last lines reach Claude, with "{line}": errors stand at the end.').format(line=END),
        next=_("Keep one half of MAX_OUTPUT from the beginning and one half from the end."),
        line=place(run, r"\[\s*:", r"def shorten"),
    )


def _lost_head(run: Run) -> Verdict | None:
    if HEAD in _told(run):
        return None
    return fail(
        "lost_head",
        seen=_("Claude got the end of the output, but not its beginning."),
        expected=_('The first lines too, with "{line}": they say what was run on what.').format(line=HEAD),
        next=_("Keep one half of MAX_OUTPUT from the beginning and one half from the end."),
        line=place(run, r"\[\s*-", r"def shorten"),
    )


def _not_cut(run: Run) -> Verdict | None:
    most = min(constant(run, "MAX_OUTPUT", MOST), 3 * MOST)
    if len(_told(run)) <= most + 300:
        return None
    if len(_told(run)) < 5 * MOST:
        return fail(
            "too_long",
            seen=_("Claude got {count} characters of the output; MAX_OUTPUT is {most}.").format(
                count=len(_told(run)), most=most
            ),
            expected=_("No more than MAX_OUTPUT characters, but for the note on what is missing."),
            next=_("Keep one half of MAX_OUTPUT from the beginning and one half from the end."),
            line=place(run, r"\[\s*:", r"def shorten"),
        )
    return fail(
        "not_cut",
        seen=_("Claude got all {count} characters of the output.").format(count=len(_told(run))),
        expected=_("About MAX_OUTPUT characters at most: each of them is paid for in every request that follows."),
        next=_("Leave the middle out."),
        line=place(run, r"def shorten"),
    )


def _cut_in_silence(run: Run) -> Verdict | None:
    """Nothing but pieces of the output."""
    rest = re.sub(r"exit code:?", "", _told(run).replace(HEAD, "").replace(END, ""))
    if re.search(r"[^\d\s]", rest):
        return None
    return fail(
        "cut_unsaid",
        seen=_("The beginning and the end are there, and nothing says that something is missing between them."),
        expected=_("A note where the cut is, such as [... 21000 characters are missing here ...]."),
        next=_("Put a line between the two halves that says how much was left out."),
        line=place(run, r"return .*\+", r"def shorten"),
    )


def _cut_for_nothing(run: Run) -> Verdict | None:
    """A short output, taken apart and put together again."""
    call = next((call for call in run.calls if call["input"].get("command") == SHORT), None)
    content = text_of((run.result(call) or {}).get("content")) if call else ""
    said = SHORT.removeprefix("echo ")
    if not call or (content.count(said) == 1 and content.rstrip().endswith(said)):
        return None
    return fail(
        "cut_for_nothing",
        seen=_('Of the output "{said}" Claude was told: "{content}"').format(said=said, content=content[:160]),
        expected=_("A text that is no longer than MAX_OUTPUT goes through as it is."),
        next=_("At the beginning of shorten: return the text if it is short enough."),
        line=place(run, r"return .*\[", r"def shorten"),
    )


def _well_2(run: Run) -> Verdict:
    return passed(_("Beginning and end reached Claude, with a note on what is missing, and it found the error."))


# --- 3: a no is an answer ---------------------------------------------------------------------------------------------

MAKE, OTHER = "echo hello> draft.txt", "echo on we go"
REMOVE, LIST = "rm draft.txt", "ls"
REMOVE_WINDOWS, LIST_WINDOWS = "del draft.txt", "dir /b"


def play_3(talk: Talk) -> Reply:
    """A file; then its removal, which is declined, beside a harmless command; then a look at what is there."""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    windows = _windows(talk.body)
    if not talk.rounds:
        return ask_for(_bash(MAKE))
    if talk.rounds == 1:
        return ask_for(_bash(REMOVE_WINDOWS if windows else REMOVE), _bash(OTHER))
    if talk.rounds == 2:
        return ask_for(_bash(LIST_WINDOWS if windows else LIST))
    if any(call.is_error for call in talk.calls if call.input.get("command") in (REMOVE, REMOVE_WINDOWS)):
        return say("I made draft.txt. You did not want it deleted, so it is still there.")
    return say("I made draft.txt and deleted it.")


def judge_3(run: Run) -> Verdict:
    return first(
        run,
        _deleted,
        _went_away,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _others_declined,
        _no_as_success,
        _no_without_words,
        not_printed,
        _well_3,
    )


def _results_of(run: Run, *commands: str) -> list[dict[str, Any]]:
    calls = [call for call in run.calls if call["input"].get("command") in commands]
    return [run.result(call) or {} for call in calls]


def _deleted(run: Run) -> Verdict | None:
    """The look at the folder does not show the file that was to stay."""
    made = _results_of(run, MAKE)
    looks = _results_of(run, LIST, LIST_WINDOWS)
    if not looks or not looks[0] or looks[0].get("is_error") or (made and made[0].get("is_error")):
        return None
    if "draft.txt" in text_of(looks[0].get("content")):
        return None
    line = place(run, r"approved\((?!.*:$)", r"bash\(\*\*", r"def run_tool")
    if re.search(r"approved\(", re.sub(r"def approved\(.*", "", run.source)):
        return fail(
            "no_and_ran",
            seen=_('The command "{command}" was declined, and the file is gone all the same.').format(command=REMOVE),
            expected=_("Nothing happens before the yes."),
            next=_("Ask before bash is called, and do not call it when the answer is no."),
            line=line,
        )
    return fail(
        "nobody_asked",
        seen=_('The command "{command}" ran, and nobody was asked.').format(command=REMOVE),
        expected=_("approved(command) is asked before a command runs."),
        next=_("At the beginning of run_tool: if not approved(...), return an error result instead of running it."),
        line=line,
    )


def _went_away(run: Run) -> Verdict | None:
    """The no ended the program, or the loop, and Claude never heard it."""
    removals = _results_of(run, REMOVE, REMOVE_WINDOWS)
    if run.refused or run.stopped or not removals or removals[0]:
        return None
    return fail(
        "no_unheard",
        seen=_("The program stopped at the no, and Claude never heard of it."),
        expected=_("A result for each call of the reply. For the declined one an error result, and Claude goes on."),
        next=_("Return a tool_result from run_tool instead of leaving the program or the loop."),
        line=(run.failure and run.failure.line) or place(run, r"break|exit\(|raise ", r"approved\((?!.*:$)"),
    )


def _others_declined(run: Run) -> Verdict | None:
    for result in _results_of(run, MAKE, OTHER, LIST, LIST_WINDOWS):
        if result.get("is_error"):
            return fail(
                "others_declined",
                seen=_('A command that is allowed did not run as before. Its result was "{content}".').format(
                    content=text_of(result.get("content"))[:120]
                ),
                expected=_("The no concerns one call. The others in the same reply run as before."),
                next=_("Decide for each call by itself, in run_tool."),
                line=place(run, r"approved\((?!.*:$)", r"def run_tool"),
            )
    return None


def _no_as_success(run: Run) -> Verdict | None:
    result = next(iter(_results_of(run, REMOVE, REMOVE_WINDOWS)), {})
    if result.get("is_error"):
        return None
    return fail(
        "no_as_success",
        seen=_('The declined call came back as a success: "{content}", without is_error.').format(
            content=text_of(result.get("content"))[:120]
        ),
        expected=_("is_error true on the result of a call that did not run."),
        next=_('Add "is_error": True to the result.'),
        line=place(run, r"(?i)declin|denied|not run", r"approved\((?!.*:$)", r"def run_tool"),
    )


def _no_without_words(run: Run) -> Verdict | None:
    content = text_of(next(iter(_results_of(run, REMOVE, REMOVE_WINDOWS)), {}).get("content"))
    if content.strip(" .:!").lower() not in ("error", "failed", "failure", "false", "none", "no", "exit code 1"):
        return None
    return fail(
        "no_without_words",
        seen=_('Claude was told "{content}". It cannot know that somebody said no, and may try again.').format(
            content=content
        ),
        expected=_("A sentence for Claude: the command was not run, because the user declined it."),
        next=_("Say in the content of the result what happened."),
        line=place(run, r"is_error", r"approved\((?!.*:$)"),
    )


def _well_3(run: Run) -> Verdict:
    return passed(_("One command was declined and did not run, the others did, and Claude knows which is which."))
