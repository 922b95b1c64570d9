"""s06/2, where are the values: what Claude says, and how to judge the run."""

import re
from typing import Any

from course.checks.accepted import not_printed, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.refusals import api
from course.checks.run import Run, results, text_of
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

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
        _returned_none,
        obstacle,
        crash,
        without_tools,
        _values_missing,
        unanswered,
        not_printed,
    )


def _only_keys(run: Run) -> Verdict | None:
    """A list of strings as the content: the runner takes a dict for a list of content blocks, and sends its keys."""
    for sent in run.sent:
        for block in results(sent.body):
            content = block.get("content")
            if isinstance(content, list) and any(isinstance(item, str) for item in content):
                return fail(
                    "only_keys",
                    content=str(content)[:120],
                    api=api(sent) if sent.status != 200 else "",
                    line=place(run, r"return .*FORECAST", r"def get_forecast"),
                )
    return None


def _sent_content(run: Run) -> list[Any]:
    return [block.get("content") for sent in run.sent for block in results(sent.body)]


def _returned_none(run: Run) -> Verdict | None:
    """A tool without a return value."""
    contents = _sent_content(run)
    if contents and contents[0] is None:
        return fail("returned_none", line=place(run, r"def get_forecast"))
    return None


def _forecast(run: Run) -> set[str]:
    """The numbers for Berlin, as the reader's file has them."""
    berlin = constant(run, "FORECAST", {"Berlin": {}}).get("Berlin") or {"high": 44, "rain": 80, "wind": 12}
    return set(re.findall(r"\d+", str(berlin)))


def _values_missing(run: Run) -> Verdict | None:
    contents = _sent_content(run)
    if not contents:
        return None
    content = contents[0] if isinstance(contents[0], str) else text_of(contents[0]) or str(contents[0])
    errors = [block for sent in run.sent for block in results(sent.body) if block.get("is_error")]
    if errors and "not iterable" in content:
        return fail("returned_other", content=content[:120], line=place(run, r"return .*FORECAST", r"def get_forecast"))
    if errors:
        return fail(
            "forecast_failed", content=content[:120], line=place(run, r"return .*FORECAST", r"def get_forecast")
        )
    wanted = _forecast(run)
    numbers = wanted & set(re.findall(r"\d+", content))
    if numbers == wanted and not re.search(r"[^\W\d_]", content):
        return fail("numbers_alone", content=content[:120], line=place(run, r"return .*FORECAST", r"def get_forecast"))
    if numbers == wanted:
        return None
    if numbers:
        return fail("half_values", content=content[:120], line=place(run, r"return .*FORECAST", r"def get_forecast"))
    return fail("no_values", content=content[:120], line=place(run, r"return .*FORECAST", r"def get_forecast"))
