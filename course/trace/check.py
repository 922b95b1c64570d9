"""Whether a trace is as schema.json says, and whether its places point to something."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _validator() -> Callable[[Any], Any]:
    import fastjsonschema

    schema = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
    compiled: Callable[[Any], Any] = fastjsonschema.compile(schema, use_default=False)
    return compiled


def problem(trace: dict[str, Any]) -> str | None:
    """What is wrong with it, in a few words; None if nothing is."""
    import fastjsonschema

    try:
        _validator()(trace)
    except fastjsonschema.JsonSchemaValueException as error:
        return f"{str(error.name).removeprefix('data.')}: {error.rule}"
    except RecursionError:
        return "nested too deeply"
    length = 0  # of the list `messages`
    for number, step in enumerate(trace["steps"]):
        for name, items in (("exchange", "exchanges"), ("call", "calls")):
            if name in step and not step[name] < len(trace[items]):
                return f"steps[{number}].{name}: {step[name]}, but there are {len(trace[items])}"
        if step["kind"] == "messages":
            if step["from"] > length:
                return f"steps[{number}].from: {step['from']}, but the list has {length}"
            length = step["from"] + len(step["messages"])
    for number, call in enumerate(trace["calls"]):
        if call["exchange"] >= len(trace["exchanges"]):
            return f"calls[{number}].exchange: {call['exchange']}"
    return None
