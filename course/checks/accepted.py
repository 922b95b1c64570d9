"""Requests that the API takes, and that are wrong all the same."""

from .refusals import ASKS, RESULT, SENDS_RESULTS
from .run import Run, results, text_of
from .told import is_slip
from .verdict import Verdict, fail, flat, names, place, shortened


def without_tools(run: Run) -> Verdict | None:
    """Claude called nothing: the tools of the starter did not reach it, or what it was asked."""
    if run.calls:
        return None
    return fail("without_tools", text=shortened(run.accepted[0].text), line=place(run, r"tools=", *ASKS))


def unanswered(run: Run) -> Verdict | None:
    """The program ends, or asks anew, without an answer to Claude's calls."""
    for sent in run.accepted:
        missing = [call for call in sent.calls if not run.result(call)]
        if sent.reply.get("stop_reason") != "tool_use" or not missing:
            continue
        return fail("unanswered", names=names(missing), line=place(run, *SENDS_RESULTS))
    return None


def spread(run: Run) -> Verdict | None:
    """Results of one reply in several messages."""
    for sent in run.sent:
        before = 0
        for message in sent.body.get("messages") or []:
            content = message.get("content")
            holds = isinstance(content, list) and any(
                isinstance(block, dict) and block.get("type") == "tool_result" for block in content
            )
            if message.get("role") == "user" and holds and before:
                return fail("spread", number=run.number(sent), line=place(run, r"role\W+user.*result", *SENDS_RESULTS))
            before = before + 1 if message.get("role") == "user" and holds else 0
    return None


def tool_broke(run: Run) -> Verdict | None:
    """A tool ended with an error that nobody wrote: run_tool made a result of it, and the program goes on."""
    for call in run.calls:
        result = run.result(call) or {}
        text = text_of(result.get("content"))
        if result.get("is_error") is True and is_slip(text):
            return fail(
                "tool_broke", name=call["name"], text=shortened(text), line=place(run, rf"def {call['name']}\b")
            )
    return None


def empty_result(run: Run) -> Verdict | None:
    """A result without content: accepted, and Claude learns nothing."""
    for sent in run.accepted:
        for block in results(sent.body):
            if block.get("content") in (None, "", []):
                failed = block.get("is_error") is True
                where = (r"is_error", *RESULT) if failed else RESULT
                case = "failed" if failed else ""
                return fail("empty_result", case, number=run.number(sent), line=place(run, *where, *SENDS_RESULTS))
    return None


def disorder(run: Run) -> Verdict | None:
    """Results that are right in themselves, in another order than the calls."""
    for sent in run.accepted:
        calls = [call["id"] for call in sent.calls]
        found = [block.get("tool_use_id") for later in run.accepted for block in results(later.body)]
        answered = [id for id in dict.fromkeys(found) if id in calls]
        if answered != calls[: len(answered)]:
            return fail("disorder", line=place(run, r"results \+=", r"def run_tools", *SENDS_RESULTS))
    return None


def not_printed(run: Run) -> Verdict | None:
    """Claude's last answer does not show up in the output."""
    last = run.accepted[-1]
    if not last.text or flat(last.text) in flat(run.printed):
        return None
    return fail("not_printed", text=shortened(last.text), line=place(run, r"print\(.*(reply|text|content)", r"print\("))
