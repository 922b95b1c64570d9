"""s07/2, the end of the output: what Claude says, and how to judge the run."""

import re

from course.checks.accepted import empty_result, not_printed, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.shell import bash, output, windows
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot run commands: I have no tool for it."


LINES = 5000
MOST = 2000  # MAX_OUTPUT in the starter, characters
SHORT = "echo 3 rows are new"
MIDDLE = "seq 530"  # a few characters more than MOST: halves that are too long overlap
MIDDLE_WINDOWS = "(for /L %i in (1,1,530) do @echo %i)"
HEAD, END = "Import from orders.csv", "Error in row 4711: no such customer"
IMPORT = f"echo {HEAD}; seq {LINES}; echo {END}; exit 1"
IMPORT_WINDOWS = f"echo {HEAD}& (for /L %i in (1,1,{LINES}) do @echo %i)& echo {END}& exit /b 1"


def play(talk: Talk) -> Reply:
    """One command with much output; the answer is in the first line and in the last."""
    if "bash" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        # And beside it one with an output that hardly needs cutting, and one whose output nobody needs to cut.
        commands = [IMPORT_WINDOWS, MIDDLE_WINDOWS] if windows(talk.body) else [IMPORT, MIDDLE]
        return ask_for(*map(bash, [*commands, SHORT]), text="I will run it.")
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
        _wrong_count,
        _overlap,
        _cut_for_nothing,
        not_printed,
    )


def _told(run: Run) -> str:
    return text_of((run.result(run.calls[0]) or {}).get("content"))


def _shorten_failed(run: Run) -> Verdict | None:
    """An exception in shorten, which run_tool passes on; or no return."""
    result = run.result(run.calls[0]) or {}
    content = _told(run)
    listed = bool(re.match(r"exit code 1\s+[\[(]'", content))
    if not result.get("is_error") and not listed and not re.fullmatch(r"exit code 1\s+None\s*", content):
        return None
    return fail(
        "shorten_failed",
        "listed" if listed else "",
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
    if re.search(r"[^\W\d_]{2}|[\u4e00-\u9fff]", _note(run)):
        return None
    return fail("cut_unsaid", line=place(run, r"return .*\+", r"def shorten"))


def _note(run: Run) -> str:
    """What is in the result and not in the output."""
    return re.sub(r"exit code:?", "", _told(run).replace(HEAD, "").replace(END, ""))


def _wrong_count(run: Run) -> Verdict | None:
    """The note names a number that is neither what is missing, in characters or lines, nor how long the output was."""
    told = _told(run)
    if braces := re.search(r".*\{\w[^{}]*\}.*", told):
        return fail(
            "wrong_count",
            "braces",
            text=braces[0].strip()[:100],
            missing=0,
            line=place(run, r"return .*\{", r"def shorten"),
        )
    notes = [line for line in told.splitlines() if re.search(r"[^\W\d_]{2}|[\u4e00-\u9fff]", _without_ends(line))]
    numbers = [int(number) for note in notes for number in re.findall(r"\d+", _without_ends(note).replace(",", ""))]
    numbers = [number for number in numbers if number > LINES]  # else a piece of the output, or a count of lines
    output = "\n".join([HEAD, *map(str, range(1, LINES + 1)), END, ""])
    missing = len(output) - (len(told) - sum(map(len, notes)) - len("exit code 1\n"))
    total = re.search(r"(?i)in all|in total|\bof\b|\bvon\b|insgesamt|共|总", " ".join(notes))
    if not numbers or any(abs(number - missing) < 60 or (total and number == len(output)) for number in numbers):
        return None
    return fail(
        "wrong_count", text=notes[-1].strip()[:100], missing=missing, line=place(run, r"missing|len\(", r"def shorten")
    )


def _without_ends(line: str) -> str:
    return re.sub(r"exit code:? \d+", "", line.replace(HEAD, "").replace(END, ""))


def _overlap(run: Run) -> Verdict | None:
    """What stands in both halves of an output that is a little too long."""
    content = next((text for command in (MIDDLE, MIDDLE_WINDOWS) for text in output(run, command)), "")
    lines = [line for line in content.splitlines() if len(line) == 3 and line.isdigit()]
    twice = [line for line in lines if lines.count(line) > 1]
    if len(twice) < 6:
        return None
    return fail("overlap", first=twice[0], last=twice[-1], line=place(run, r"\[\s*-", r"def shorten"))


def _cut_for_nothing(run: Run) -> Verdict | None:
    """A short output, taken apart and put together again."""
    call = next((call for call in run.calls if call["input"].get("command") == SHORT), None)
    content = text_of((run.result(call) or {}).get("content")) if call else ""
    said = SHORT.removeprefix("echo ")
    if not call or (content.count(said) == 1 and content.rstrip().endswith(said)):
        return None
    case = "nothing" if re.fullmatch(r"exit code 0\s+None\s*", content) else ""
    return fail(
        "cut_for_nothing", case, said=said, content=content[:160], line=place(run, r"return .*\[", r"def shorten")
    )
