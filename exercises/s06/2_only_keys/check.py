"""s06/2, where are the values: what Claude says, and how to judge the run."""

import re
from typing import Any

from course.checks.accepted import not_printed, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.refusals import api
from course.checks.returned import bad_return
from course.checks.run import Run, results, text_of
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

FORECAST = {"high": 44, "rain": 80, "wind": 12}  # for Berlin, in the starter
NO_TOOL = "I cannot look that up: I have no tool for it."


def play(talk: Talk) -> Reply:
    """One call; an answer with the numbers, if the result holds them."""
    if "get_forecast" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        return ask_for(("get_forecast", {"city": "Berlin"}))
    if re.search(r"\d", talk.calls[-1].result or ""):
        return say("I have the forecast for Berlin: take an umbrella if rain is likely by these numbers.")
    return say("I cannot tell: the forecast that I got has no numbers in it.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        _only_keys,
        bad_return,
        obstacle,
        crash,
        without_tools,
        _values_missing,
        unanswered,
        not_printed,
    )


def _only_keys(run: Run) -> Verdict | None:
    """The runner takes a dict for a list of content blocks, and sends its keys."""
    for sent in run.sent:
        for block in results(sent.body):
            content = block.get("content")
            if isinstance(content, list) and content == list(FORECAST):
                return fail(
                    "only_keys",
                    content=str(content)[:120],
                    api=api(sent) if sent.status != 200 else "",
                    line=place(run, r"return .*FORECAST", r"def get_forecast"),
                )
    return None


def _sent_content(run: Run) -> list[Any]:
    return [block.get("content") for sent in run.sent for block in results(sent.body)]


def _forecast(run: Run) -> set[str]:
    """The numbers for Berlin, as the reader's file has them."""
    berlin = constant(run, "FORECAST", {"Berlin": {}}).get("Berlin") or FORECAST
    return set(re.findall(r"\d+", str(berlin)))


def _values_missing(run: Run) -> Verdict | None:
    contents = _sent_content(run)
    if not contents:
        return None
    content = contents[0] if isinstance(contents[0], str) else text_of(contents[0]) or str(contents[0])
    look = place(run, r"return .*FORECAST", r"def get_forecast")
    if any(block.get("is_error") for sent in run.sent for block in results(sent.body)):
        slips = {"no_import": r"'(json|str)' is not defined", "dump": r"dump\(\) missing", "city": "^KeyError"}
        case = next((case for case, pattern in slips.items() if re.search(pattern, content)), "")
        return fail("forecast_failed", case, content=content[:120], line=look)
    wanted, found = _forecast(run), set(re.findall(r"\d+", content))
    if wanted <= found and not re.search(r"[^\W\d_]", content):
        return fail("numbers_alone", content=content[:120], line=look)
    others = [city for city in constant(run, "FORECAST", {"Oslo": {}}) if city != "Berlin" and city in content]
    if wanted <= found and others:
        return fail("whole_table", content=content[:120], city=others[0], line=look)
    if wanted <= found:
        return None
    if wanted & found:
        return fail("half_values", content=content[:120], line=look)
    return fail("no_values", "other_numbers" if found else "", content=content[:120], line=look)
