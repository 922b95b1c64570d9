"""Three cities at once, and which of them is the warmest: two exercises are about it."""

import re
from typing import Any

from ..standin.talk import Reply, Talk, ask_for, say
from .run import Run, text_of
from .verdict import Verdict, fail, place, place_of

CITIES = ("Oslo", "Austin", "Chengdu")
WARMTH = re.compile(r"(-?\d+)F")


def play(talk: Talk) -> Reply:
    """Three cities at once; then the warmest, by the results."""
    if "get_weather" not in talk.tools:
        return say("I cannot look that up: I have no tool for it.")
    missing = [city for city in CITIES if not any(call.input.get("city") == city for call in talk.calls)]
    if missing and forbids_several(talk.body):
        return ask_for(("get_weather", {"city": missing[0]}))
    if missing:
        return ask_for(*[("get_weather", {"city": city}) for city in missing], text="I will look at all three.")
    degrees = {}
    for call in talk.calls:
        if found := WARMTH.search(call.result or ""):
            degrees[call.input["city"]] = int(found[1])
    if len(degrees) < len(CITIES):
        return say("I cannot tell: some of the results are missing.")
    warmest = max(degrees, key=lambda city: degrees[city])
    return say(f"The warmest of the three is {warmest}, with {degrees[warmest]} degrees Fahrenheit.")


def forbids_several(body: dict[str, Any]) -> bool:
    """Whether a request forbids more than one call in one reply."""
    return (body.get("tool_choice") or {}).get("disable_parallel_tool_use") is True


def one_at_a_time(run: Run) -> Verdict | None:
    """Several calls at once, which this is about, never came."""
    if not any(forbids_several(sent.body) for sent in run.accepted):
        return None
    return fail("one_at_a_time", count=len(run.accepted), line=place_of(run, r"disable_parallel_tool_use"))


def foreign_content(run: Run) -> Verdict | None:
    """A result that goes back with the id of another call."""
    for call in run.calls:
        result = run.result(call)
        city = str(call["input"].get("city"))
        content = text_of(result.get("content")) if result else ""
        if result and city not in content and WARMTH.search(content):
            line = place(run, r"as_completed\(", r"zip\(", r"tool_use_id")
            return fail("foreign_content", city=city, content=content, line=line)
    return None
