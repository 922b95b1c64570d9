"""s07/2, the end of the output: what Claude says, and how to judge the run."""

import re

from course.checks.accepted import empty_result, not_printed, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.shell import bash, windows
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot run commands: I have no tool for it."


LINES = 5000
MOST = 2000  # MAX_OUTPUT in the starter, characters
SHORT = "echo 3 rows are new"
HEAD, END = "Import from orders.csv", "Error in row 4711: no such customer"
IMPORT = f"echo {HEAD}; seq {LINES}; echo {END}; exit 1"
IMPORT_WINDOWS = f"echo {HEAD}& (for /L %i in (1,1,{LINES}) do @echo %i)& echo {END}& exit /b 1"


def play(talk: Talk) -> Reply:
    """One command with much output; the answer is in the first line and in the last."""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        # And one command beside it, with an output that nobody needs to cut.
        return ask_for(bash(IMPORT_WINDOWS if windows(talk.body) else IMPORT), bash(SHORT), text="I will run it.")
    told = talk.calls[0].result or ""
    if END not in told:
        return say("The import printed many numbers and failed. I see no reason for it in the output.")
    if HEAD not in told:
        return say("Row 4711 names a customer who does not exist. Which file that is in, I cannot see.")
    return say("Row 4711 of orders.csv names a customer who does not exist.")


def judge(run: Run) -> Verdict:
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
        content=content[:160],
        line=place(run, r"/", r"def shorten") if result.get("is_error") else place(run, r"def shorten"),
    )


def _lost_end(run: Run) -> Verdict | None:
    if END in _told(run):
        return None
    return fail(
        "lost_end",
        count=len(_told(run)),
        end=" ".join(_told(run).split())[-30:],
        text=END,
        line=place(run, r"\[\s*:", r"def shorten"),
    )


def _lost_head(run: Run) -> Verdict | None:
    if HEAD in _told(run):
        return None
    return fail("lost_head", text=HEAD, line=place(run, r"\[\s*-", r"def shorten"))


def _not_cut(run: Run) -> Verdict | None:
    most = min(constant(run, "MAX_OUTPUT", MOST), 3 * MOST)
    if len(_told(run)) <= most + 300:
        return None
    if len(_told(run)) < 5 * MOST:
        return fail("too_long", count=len(_told(run)), most=most, line=place(run, r"\[\s*:", r"def shorten"))
    return fail("not_cut", count=len(_told(run)), line=place(run, r"def shorten"))


def _cut_in_silence(run: Run) -> Verdict | None:
    """Nothing but pieces of the output."""
    rest = re.sub(r"exit code:?", "", _told(run).replace(HEAD, "").replace(END, ""))
    if re.search(r"[^\d\s]", rest):
        return None
    return fail("cut_unsaid", line=place(run, r"return .*\+", r"def shorten"))


def _cut_for_nothing(run: Run) -> Verdict | None:
    """A short output, taken apart and put together again."""
    call = next((call for call in run.calls if call["input"].get("command") == SHORT), None)
    content = text_of((run.result(call) or {}).get("content")) if call else ""
    said = SHORT.removeprefix("echo ")
    if not call or (content.count(said) == 1 and content.rstrip().endswith(said)):
        return None
    return fail("cut_for_nothing", said=said, content=content[:160], line=place(run, r"return .*\[", r"def shorten"))
