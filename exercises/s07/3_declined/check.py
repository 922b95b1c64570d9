"""s07/3, a no is an answer: what Claude says, and how to judge the run."""

from typing import Any

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.shell import bash, windows
from course.checks.told import says_no
from course.checks.verdict import Verdict, called, fail, first, named, place
from course.standin.talk import Reply, Talk, ask_for, say

# How the starter's person decides. Whether it still stands there decides on the words alone.
PERSON = 'return command.split()[0] not in ("rm", "del")'
NO_TOOL = "I cannot run commands: I have no tool for it."


MAKE, OTHER = "echo hello> draft.txt", "echo on we go"
REMOVE, LIST = "rm draft.txt", "ls"
REMOVE_WINDOWS, LIST_WINDOWS = "del draft.txt", "dir /b"


def play(talk: Talk) -> Reply:
    """A file; then its removal, which is declined, beside a harmless command; then a look at what is there."""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    on_windows = windows(talk.body)
    if not talk.rounds:
        return ask_for(bash(MAKE))
    if talk.rounds == 1:
        return ask_for(bash(REMOVE_WINDOWS if on_windows else REMOVE), bash(OTHER))
    if talk.rounds == 2:
        return ask_for(bash(LIST_WINDOWS if on_windows else LIST))
    if any(call.is_error for call in talk.calls if call.input.get("command") in (REMOVE, REMOVE_WINDOWS)):
        return say("I made draft.txt. You did not want it deleted, so it is still there.")
    return say("I made draft.txt and deleted it.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        _deleted,
        _inverted,
        _went_away,
        _not_the_command,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        _no_without_words,
        spread,
        _others_declined,
        _no_as_success,
        _by_name,
        not_printed,
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
    line = place(run, r"(?<!def )approved\(", r"bash\(\*\*", r"def run_tool")
    if "approved" in named(run.source) and "approved" not in called(run.source):
        return fail("nobody_asked", "not_called", command=REMOVE, line=place(run, r"(?<!def )approved\b"))
    if "approved" in named(run.source) and PERSON not in run.source:
        return fail("person_changed", line=place(run, r"def approved"))
    if "approved" in named(run.source):
        return fail("no_and_ran", command=REMOVE, line=line)
    return fail("nobody_asked", command=REMOVE, line=line)


def _inverted(run: Run) -> Verdict | None:
    """What was declined ran, and what was allowed did not."""
    removed = _results_of(run, REMOVE, REMOVE_WINDOWS)
    others = _results_of(run, MAKE, OTHER)
    if not removed or not others or removed[0].get("is_error") is True or not all(r.get("is_error") for r in others):
        return None
    return fail("inverted", command=REMOVE, line=place(run, r"(?<!def )approved\("))


def _went_away(run: Run) -> Verdict | None:
    """The no ended the program, or the loop, and Claude never heard it."""
    removals = _results_of(run, REMOVE, REMOVE_WINDOWS)
    if run.refused or run.stopped or not removals or removals[0]:
        return None
    return fail(
        "no_unheard",
        line=(run.failure and run.failure.line) or place(run, r"break|exit\(|raise ", r"(?<!def )approved\("),
    )


def _not_the_command(run: Run) -> Verdict | None:
    """approved was given the call or its input: by what Python says of it."""
    if not run.failure or "has no attribute 'split'" not in run.failure.message:
        return None
    kind = run.failure.message.split("'")[1]
    return fail("not_the_command", kind=kind, line=place(run, r"(?<!def )approved\("))


def _others_declined(run: Run) -> Verdict | None:
    for result in _results_of(run, MAKE, OTHER, LIST, LIST_WINDOWS):
        content = text_of(result.get("content"))
        if result.get("is_error") and content.startswith("exit code 0"):
            return fail("false_alarm", content=content[:100], line=place(run, r"is_error"))
        if result.get("is_error") and PERSON not in run.source:
            return fail("person_changed", line=place(run, r"def approved"))
        if result.get("is_error"):
            return fail(
                "others_declined",
                content=text_of(result.get("content"))[:120],
                line=place(run, r"(?<!def )approved\(", r"def run_tool"),
            )
    return None


def _no_as_success(run: Run) -> Verdict | None:
    result = next(iter(_results_of(run, REMOVE, REMOVE_WINDOWS)), {})
    if result.get("is_error"):
        return None
    return fail(
        "no_as_success",
        content=text_of(result.get("content"))[:120],
        line=place(run, r"(?i)declin|denied|not run", r"(?<!def )approved\(", r"def run_tool"),
    )


def _no_without_words(run: Run) -> Verdict | None:
    result = next(iter(_results_of(run, REMOVE, REMOVE_WINDOWS)), {})
    content = text_of(result.get("content"))
    if not result.get("is_error") or says_no(content, REMOVE, REMOVE_WINDOWS):
        return None
    return fail("no_without_words", content=content, line=place(run, r"is_error", r"(?<!def )approved\("))


def _by_name(run: Run) -> Verdict | None:
    """A rule of the program's own stands in for the person."""
    if "approved" in named(run.source):
        return None
    return fail("by_name", line=place(run, r"\brm\b|\bdel\b", r"def run_tool"))
