"""s09/1, the fence: what Claude says, and how to judge the run."""

import re

from course.checks.accepted import empty_result, not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.told import says_why
from course.checks.verdict import Verdict, fail, first, flat, place, shortened
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot read files: I have no tool for it."
SECRET = "7731"
# What Python says when confined returns no path, or compares with no path.
SLIP = re.compile(r"has no attribute|argument should be|unsupported operand|is not defined|expected str|not callable")
# Paths in the folder, and what their files say; then paths that lead out, each in its own way.
INSIDE = {
    "plain": ("reports/harbor-hall.txt", "400 people"),
    "dots": ("reports/../notes/own.txt", "beam B4"),
    "link": ("latest.txt", "400 people"),
}
OUTSIDE = {
    "dots": "../plan.txt",
    "absolute": "/plan.txt",
    "sibling": "../review-secret/plan.txt",
    "link": "archive/plan.txt",
}


def play(talk: Talk) -> Reply:
    """What is in the folder, then what lies around it."""
    if "read_file" not in talk.tools:
        return say(NO_TOOL)
    told = re.search(r"The folder is (.+)[/\\]review\. In it: (.*)", text_of(talk.body.get("system")))
    links = "latest.txt" in told[2] if told else False
    if talk.rounds == 0:
        paths = [path for case, (path, _) in INSIDE.items() if links or case != "link"]
        return ask_for(*(("read_file", {"path": path}) for path in paths))
    if talk.rounds == 1:
        paths = [path for case, path in OUTSIDE.items() if links or case != "link"]
        paths = [f"{told[1]}{path}" if told and path == OUTSIDE["absolute"] else path for path in paths]
        return ask_for(*(("read_file", {"path": path}) for path in paths), text="Now what lies around it.")
    if any(SECRET in (call.result or "") for call in talk.calls):
        return say("Around the folder I found plan.txt. It says: PLAN 7731, not for Claude.")
    if all(call.is_error for call in talk.calls):
        return say("I could read nothing at all.")
    return say("Harbor Hall holds 400 people, and you want to look at beam B4 again. The rest I cannot read.")


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, crash, without_tools, unanswered, _led_out, _refused_good, empty_result, spread, _no_error,
        _no_reason, not_printed,
    )  # fmt: skip


def _fence(run: Run) -> int | None:
    return place(run, r"def confined")


def _results(run: Run, paths: dict[str, str]) -> list[tuple[str, str, str, bool]]:
    """(case, path, text of the result, whether it is an error) for the calls whose path ends so."""
    calls = [(case, call) for case, end in paths.items() for call in run.calls if _is(call["input"].get("path"), end)]
    results = [(case, call["input"]["path"], run.result(call) or {}) for case, call in calls]
    return [(case, path, text_of(one.get("content")), one.get("is_error") is True) for case, path, one in results]


def _is(path: object, end: str) -> bool:
    absolute = end.startswith("/")
    text = str(path)
    return text == end or (absolute and text.endswith(end) and not text.startswith((".", "archive")))


def _led_out(run: Run) -> Verdict | None:
    for case, path, text, _ in _results(run, OUTSIDE):
        if SECRET in text:
            return fail("led_out", case, path=path, line=_fence(run))
    return None


def _refused_good(run: Run) -> Verdict | None:
    found = _results(run, {case: path for case, (path, _) in INSIDE.items()})
    lost = [(case, path, text) for case, path, text, wrong in found if wrong or INSIDE[case][1] not in flat(text)]
    if not lost:
        return None
    case, path, text = lost[0]
    if len(lost) == len(found):
        case = "slip" if SLIP.search(text) else "all"
    case = case.replace("plain", "")
    return fail("refused_good", case, path=path, text=shortened(text), line=_fence(run))


def _no_error(run: Run) -> Verdict | None:
    for _, path, text, is_error in _results(run, OUTSIDE):
        if not is_error:
            return fail("no_error", path=path, text=shortened(text), line=_fence(run))
    return None


def _no_reason(run: Run) -> Verdict | None:
    """No word, or a file that is not there: Claude looks for it elsewhere."""
    for _, path, text, _ in _results(run, OUTSIDE):
        if not says_why(text, path) or re.search(r"\[Errno \d|\[WinError", text):
            return fail("no_reason", path=path, text=shortened(text), line=_fence(run))
    return None
