"""s09/3, before, not after: what Claude says, and how to judge the run."""

import re
from typing import Any

from course.checks.accepted import empty_result, not_printed, spread, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, Sent, blocks_of, results
from course.checks.verdict import Verdict, fail, first, place, raised_itself
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot read the log: I have no tool for it."
SECOND, THIRD = "Then say it from what you have read.", "I have added 0.10 USD. Say it now."
PRICE_INPUT, PRICE_OUTPUT = 2 / 1e6, 10 / 1e6  # USD for a token, as in the starter
BUDGET, MORE = 0.05, 0.1
FITS = 4  # requests that fit the budget; the fifth might end beyond it
LAST_PAGE = 9


def play(talk: Talk) -> Reply:
    """Page after page, each as long as the one before, so that each request costs more."""
    if "read_page" not in talk.tools:
        return say(NO_TOOL)
    if talk.aside:  # prompts that came behind the results at which the run had ended
        talk = talk.fresh()
    if SECOND in talk.prompt or THIRD in talk.prompt:
        read = [call for turn in talk.earlier for call in turn.calls if not call.is_error]
        return say(f"I have read {len(read)} pages of 9. On the last of them the moisture is {10 + len(read)} percent.")
    if len(talk.calls) < LAST_PAGE:
        return ask_for(("read_page", {"page": len(talk.calls) + 1}))
    return say("The most urgent point is on page 9: the moisture is 19 percent.")


def judge(run: Run) -> Verdict:
    return first(
        run, _risked, _too_soon, _history_broken, _no_third, obstacle, crash, without_tools, _never_again,
        _history_lost, empty_result, spread, _in_silence, not_printed,
    )  # fmt: skip


def _holds(sent: Sent, prompt: str) -> bool:
    return any(prompt in str(block.get("text")) for block in blocks_of(sent.body, "user", "text"))


def _part(run: Run, prompt: str) -> list[Sent]:
    """The requests for one prompt: "" for the first."""
    if prompt == THIRD:
        return [sent for sent in run.sent if _holds(sent, THIRD)]
    return [sent for sent in run.sent if not _holds(sent, THIRD) and _holds(sent, SECOND) == (prompt == SECOND)]


def _cost(sent: Sent) -> tuple[float, float]:
    """What a request cost, in USD: its input, and its reply."""
    usage = sent.reply.get("usage") or {}
    return usage.get("input_tokens", 0) * PRICE_INPUT, usage.get("output_tokens", 0) * PRICE_OUTPUT


def _place(run: Run) -> int | None:
    return place(run, r"BUDGET(?! [+=])", r"reply = ask_claude", r"messages\.create\(")


def _risked(run: Run) -> Verdict | None:
    """The first request that could have ended beyond the budget, had the reply taken all it may."""
    spent = 0.0
    for sent in run.accepted:
        given, taken = _cost(sent)
        most = int(sent.body.get("max_tokens") or 0) * PRICE_OUTPUT
        budget = BUDGET + (MORE if _holds(sent, THIRD) else 0)
        if spent + given + most > budget:
            later = sent is next(iter(_part(run, SECOND) if _holds(sent, SECOND) else []), None)
            values = {"spent": spent, "given": given, "most": most, "total": spent + given + most}
            percent: dict[str, Any] = {name: round(100 * value / budget) for name, value in values.items()}
            return fail("risked", "next_prompt" if later else "", number=run.number(sent), line=_place(run), **percent)
        spent += given + taken
    return None


def _too_soon(run: Run) -> Verdict | None:
    """A request that fits was not sent."""
    sent = _part(run, "")
    over = len(run.sent) > len(sent) or raised_itself(run) or not (run.failure or run.stopped)
    if not over or not sent or len(sent) >= FITS or any(one.status != 200 for one in sent) or not sent[-1].calls:
        return None
    return fail("too_soon", count=len(sent), line=_place(run))


def _history_broken(run: Run) -> Verdict | None:
    """The run was ended between the calls and their results."""
    if not run.refused or not _holds(run.refused[0], THIRD):
        return None
    sent = run.refused[0]
    calls = {block.get("id") for block in blocks_of(sent.body, "assistant", "tool_use")}
    if not calls - {block.get("tool_use_id") for block in results(sent.body)}:
        return None
    return fail("history_broken", api=f"{sent.status}: {sent.problem}", line=_place(run))


def _no_third(run: Run) -> Verdict | None:
    """The program ended with the run."""
    if _part(run, THIRD) or not raised_itself(run):
        return None
    return fail("no_third", line=run.failure.line if run.failure else None)


def _never_again(run: Run) -> Verdict | None:
    return None if _part(run, THIRD) else fail("never_again", line=_place(run))


def _history_lost(run: Run) -> Verdict | None:
    kept = {block.get("tool_use_id") for block in results(_part(run, THIRD)[0].body)}
    lost = [call for sent in _part(run, "") for call in sent.calls if call["id"] not in kept]
    return fail("history_lost", count=len(lost), line=place(run, r"messages = |clear|pop|del ")) if lost else None


def _in_silence(run: Run) -> Verdict | None:
    """To one of the prompts that were stopped, the user read nothing but what the starter prints anyway."""
    before, _, after = run.printed.partition(f"> {SECOND}")
    for printed in (before, after.partition(f"> {THIRD}")[0]):
        lines = [line for line in printed.splitlines() if line.strip() not in ("", "(no text)")]
        if all(re.match(r"> |  spent so far|  \w+\(", line) for line in lines):
            return fail("in_silence", line=place(run, r"break", r"BUDGET(?! [+=])"))
    return None
