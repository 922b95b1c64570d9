"""s07/1, when the time is up: what Claude says, and how to judge the run."""

import re
from typing import Any

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.shell import bash, output, windows
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, flat, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot run commands: I have no tool for it."


LIMIT = 0.5  # TIME_LIMIT in the starter, seconds
STEPS = 24
BUILD = f"for n in $(seq {STEPS}); do echo step >> steps.txt; sleep 0.05; done & wait"
LOOK = "wc -l < steps.txt; sleep 0.15; wc -l < steps.txt"
# cmd has no background jobs that write step by step. There, only the time tells: a child keeps the output open.
BUILD_WINDOWS, LOOK_WINDOWS = "ping -n 4 127.0.0.1", "echo 0 & echo 0"
LATE = 1.5  # seconds until Claude hears of a command that should have ended after LIMIT
TRIES = 3


def play(talk: Talk) -> Reply:
    """A build that takes too long, then looks at how far it got: does it go on?"""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    on_windows = windows(talk.body)
    if not talk.calls:
        return ask_for(bash(BUILD_WINDOWS if on_windows else BUILD), text="I will start the build.")
    looks = [counts for counts in (_counts(call.result or "") for call in talk.calls[1:]) if counts]
    # Once more: on a busy machine a look may take too long, and a build that goes on may stand still for one.
    seen = len(looks) > 1 or (looks and (on_windows or looks[0][0] != looks[0][1]))
    if not seen and talk.rounds <= TRIES:
        return ask_for(bash(LOOK_WINDOWS if on_windows else LOOK))
    if not looks:
        return say("I could not see how far the build got.")
    how_far = "" if on_windows else f" It got to step {looks[-1][1]} of {STEPS}."
    return say(f"The build did not come to its end.{how_far}")


def _counts(text: str) -> tuple[int, int] | None:
    """The two numbers that a look ends with."""
    found = re.search(r"^\s*(\d+)\s+(\d+)\s*\Z", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


def judge(run: Run) -> Verdict:
    return first(
        run,
        _killed_itself,
        obstacle,
        _time_out_raised,
        crash,
        without_tools,
        unanswered,
        empty_result,
        _late_without_words,
        spread,
        _shell_failed,
        _no_limit,
        _survivor,
        _time_out_as_success,
        _never_looked,
        not_printed,
    )


def _build(run: Run) -> dict[str, Any]:
    """The result of the build."""
    return (run.result(run.calls[0]) or {}) if run.calls else {}


def _killed_itself(run: Run) -> Verdict | None:
    """killpg on a process that is in the program's own group: the program is gone without a word."""
    if len(run.calls) != 1 or _build(run) or run.failure or run.stopped or "killpg" not in run.source:
        return None
    return fail("killed_itself", line=place(run, r"killpg\(", r"Popen\("))


def _time_out_raised(run: Run) -> Verdict | None:
    if not run.failure or run.failure.type not in ("TimeoutExpired", "TimeoutError"):
        return None
    return fail("time_out_raised", type=run.failure.type, line=run.failure.line)


def _grown(run: Run) -> tuple[int, int]:
    """How many steps the build had done at the first look and at the last; (0, 0) if there was no look."""
    looks = [counts for counts in map(_counts, output(run, LOOK)) if counts]
    return (looks[0][0], looks[-1][1]) if looks else (0, 0)


def _no_limit(run: Run) -> Verdict | None:
    if _build(run).get("is_error") or (_grown(run)[0] < STEPS and not _waited(run)):
        return None
    if "exit code 0" not in text_of(_build(run).get("content")):
        return None
    return fail("no_limit", line=place(run, r"communicate\(", r"subprocess\.run\(", r"Popen\(", r"def bash"))


def _shell_failed(run: Run) -> Verdict | None:
    """The command was no command any more: a syntax error, or a program that is not there."""
    content = text_of(_build(run).get("content"))
    if not re.match(r"exit code:? (1|2|126|127)\b|Error: \[Errno|Error: .*WinError", content) or _grown(run)[0]:
        return None
    return fail(
        "shell_failed", content=flat(content)[:160], line=place(run, r"Popen\(", r"run\(.*command", r"def bash")
    )


def _waited(run: Run) -> bool:
    """Did Claude hear of the build much later than the time limit?"""
    asked = next((sent for sent in run.accepted if sent.calls), None)
    heard = next((sent for sent in run.accepted if asked and sent.started >= asked.ended), None)
    return bool(asked and heard and windows(asked.body) and heard.started - asked.ended > LIMIT + LATE)


def _survivor(run: Run) -> Verdict | None:
    before, after = _grown(run)
    waited = before >= STEPS or _waited(run)
    if before == after and not waited:
        return None
    return fail(
        "survivor",
        "waited" if waited else "",
        before=before,
        after=after,
        line=place(run, r"\.kill\(|\.terminate\(", r"subprocess\.run\(.*command", r"Popen\(", r"def bash"),
    )


def _time_out_as_success(run: Run) -> Verdict | None:
    if _build(run).get("is_error"):
        return None
    return fail(
        "time_out_as_success",
        content=text_of(_build(run).get("content"))[:100],
        line=place(run, r"except .*Timeout", r"return .*exit code", r"def bash"),
    )


def _late_without_words(run: Run) -> Verdict | None:
    result = _build(run)
    content = text_of(result.get("content"))
    if not result.get("is_error") or says_why(content, BUILD, BUILD_WINDOWS):
        return None
    return fail("late_without_words", content=content[:100], line=place(run, r"raise Timeout", r"is_error"))


def _never_looked(run: Run) -> Verdict | None:
    """After the time-out no command came through."""
    if any(_counts(text) for text in output(run, LOOK) + output(run, LOOK_WINDOWS)):
        return None
    return fail(
        "nothing_after",
        content=(output(run, LOOK) or [""])[-1][:160],
        line=place(run, r"return .*exit code", r"def bash"),
    )
