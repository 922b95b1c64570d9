"""s08/2, what next: what Claude says, and how to judge the run."""

from course.checks.accepted import empty_result, not_printed, spread, tool_broke, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Block, Run, text_of
from course.checks.verdict import Verdict, fail, first, flat, names, place, shortened
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot read reports: I have no tool for it."
ASKED, RIGHT, OTHER = "harbour-hall", "harbor-hall", "mill-lane-depot"
PAGES = ("above a car park", "0.4 mm wide", "two stairs")  # words of each page


def play(talk: Talk) -> Reply:
    """A name that is nearly right, then pages on both sides of those that there are."""
    tool = talk.tools.get("read_report")
    if not tool:
        return say(NO_TOOL)
    listed = RIGHT in str((tool["input_schema"].get("properties") or {}).get("report"))
    results = [flat(call.result or "") for call in talk.calls]
    if talk.rounds == 0 and not listed:
        return ask_for(("read_report", {"report": ASKED, "page": 4}))
    asked = [call.input for call in talk.calls]
    if {"report": RIGHT, "page": 4} not in asked:
        if not listed and RIGHT not in results[0]:
            return say("There is no report on Harbour Hall, and I do not know which ones there are.")
        calls = [("read_report", {"report": RIGHT, "page": page}) for page in (4, 0)]
        return ask_for(*calls, text="Are the pages counted from 0 or from 1? I ask for both ends.")
    said = next(call.result or "" for call in talk.calls if call.input == {"report": RIGHT, "page": 4})
    if "two stairs" in flat(said):
        return say("Page 4 of the report on Harbor Hall speaks of stairs. It does not mention cracks.")
    if "3" not in said:
        return say("I could not read page 4, and I do not know which pages there are.")
    if {"report": RIGHT, "page": 1} not in asked:
        return ask_for(*(("read_report", {"report": RIGHT, "page": page}) for page in (1, 2, 3)))
    return say(
        "The report on Harbor Hall has 3 pages, so there is no page 4. Page 2 mentions a crack of 0.4 mm, in beam B4."
    )


def judge(run: Run) -> Verdict:
    return first(
        run, _nothing, obstacle, _raised, crash, without_tools, unanswered, empty_result, spread, tool_broke,
        _no_names, _invented, _no_pages, _no_error, _pages_lost, not_printed,
    )  # fmt: skip


def _look(run: Run) -> int | None:
    return place(run, r"def read_report")


def _calls(run: Run, report: str, *pages: int) -> list[tuple[Block, str, bool]]:
    """The calls for these pages: the call, its result's text, and whether it is marked as an error."""
    wanted = [{"report": report, "page": page} for page in pages]
    found = [(call, run.result(call) or {}) for call in run.calls if call["input"] in wanted]
    return [(call, text_of(result.get("content")), result.get("is_error") is True) for call, result in found]


def _nothing(run: Run) -> Verdict | None:
    """A function that ends without return gives None, which the API refuses."""
    for call in run.calls:
        result = run.result(call) or {}
        if call["name"] == "read_report" and "content" in result and result["content"] is None:
            return fail("nothing", call=names([call]), line=_look(run))
    return None


def _raised(run: Run) -> Verdict | None:
    """The program ends with the error, as run_tool no longer turns it into a result."""
    if (
        not run.failure
        or not run.calls
        or run.failure.type not in ("KeyError", "IndexError", "ValueError", "SystemExit")
    ):
        return None
    return fail("raised", type=run.failure.type, message=run.failure.message, line=run.failure.line)


def _no_names(run: Run) -> Verdict | None:
    for call, text, _ in _calls(run, ASKED, 4):
        if RIGHT not in text:
            return fail("no_names", call=names([call]), text=shortened(text), line=_look(run))
    return None


def _invented(run: Run) -> Verdict | None:
    """A page in place of one that does not exist."""
    for call, text, _ in _calls(run, ASKED, 4) + _calls(run, RIGHT, 4, 0):
        if any(words in flat(text) for words in PAGES):
            return fail("invented", call=names([call]), text=shortened(text, 80), line=_look(run))
    return None


def _no_pages(run: Run) -> Verdict | None:
    for call, text, _ in _calls(run, RIGHT, 4, 0):
        if "3" not in text:
            return fail("no_pages", call=names([call]), text=shortened(text), line=_look(run))
    return None


def _no_error(run: Run) -> Verdict | None:
    for call, text, is_error in _calls(run, ASKED, 4) + _calls(run, RIGHT, 4, 0):
        if not is_error:
            return fail("no_error", call=names([call]), text=shortened(text), line=_look(run))
    return None


def _pages_lost(run: Run) -> Verdict | None:
    for call, text, is_error in _calls(run, RIGHT, 1, 2, 3):
        if is_error or PAGES[call["input"]["page"] - 1] not in flat(text):
            return fail("pages_lost", call=names([call]), text=shortened(text), line=_look(run))
    return None
