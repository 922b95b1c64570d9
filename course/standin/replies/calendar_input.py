"""The input of a calendar tool: a value for each of its properties, in the form that its schema asks for."""

import datetime
import json
import re
from typing import Any

from . import schema
from .calendar_tools import Tool
from .schema import NOTHING
from .when import Repeat


def fill(tool: Tool, values: dict[str, Any]) -> dict[str, Any]:
    """Return an input for a tool: a value for each property whose role has one, in the form its schema asks for."""
    root = tool.root
    roles = {name: role for role, name in tool.roles.items()}
    apart = "date" in tool.roles and "start" in tool.roles  # a date and times of day, each for itself
    given: dict[str, Any] = {}
    for name, about in tool.properties.items():
        role = roles.get(name, "")
        value = values.get(role, NOTHING)
        if isinstance(value, Repeat):
            value = _repeat_value(value, about, root)
        elif role == "reminder" and value is not NOTHING:
            value = _reminder_value(value, values["method"], about, root)
        elif apart and isinstance(value, datetime.datetime) and _is_time_only(about, root):
            value = value.time()
        found = schema.fit(value, about, root, name)
        if found is not NOTHING:
            given[name] = found
        elif name in tool.required:
            given[name] = schema.placeholder(about, root, name=name)
    return given


def _reminder_value(minutes: int, method: str, about: Any, root: dict[str, Any]) -> Any:
    """Return a reminder as a number, as an object with its minutes and way, or as a list of one of those."""
    first = schema.variants(about, root)[0]
    kind = schema.kind_of(first)
    if kind == "array":
        return [_reminder_value(minutes, method, first.get("items", {}), root)]
    if kind == "boolean":
        return True
    if kind != "object":
        return minutes
    given = {}
    for name, part in schema.properties_of(first).items():
        is_number = schema.kind_of(schema.variants(part, root)[0]) in ("integer", "number")
        given[name] = schema.fit(minutes if is_number else method, part, root, name)
    return {name: value for name, value in given.items() if value is not NOTHING}


def _is_time_only(about: Any, root: dict[str, Any]) -> bool:
    first = schema.variants(about, root)[0]
    return first.get("format") != "date-time" and not re.search(
        r"\d{4}-\d\d|date|ISO", str(first.get("description", ""))
    )


def _repeat_value(repeat: Repeat, about: Any, root: dict[str, Any]) -> Any:
    """Return a repetition as an object, an RRULE, a list of one, or a word; NOTHING if that cannot say it."""
    first = schema.variants(about, root)[0]
    kind = schema.kind_of(first)
    if kind == "object":
        return _repeat_object(repeat, first, root)
    rule = f"FREQ={repeat.frequency.upper()}" + (f";INTERVAL={repeat.every}" if repeat.every > 1 else "")
    rule = f"RRULE:{rule}" + (f";COUNT={repeat.count}" if repeat.count else "")
    if kind == "array":
        return [rule]
    if "enum" in first or "rrule" not in str(about).lower():
        return repeat.frequency if repeat.every == 1 else NOTHING
    return rule


def _repeat_object(repeat: Repeat, about: schema.Schema, root: dict[str, Any]) -> Any:
    value: dict[str, Any] = {}
    for name, part in schema.properties_of(about).items():
        role = _repeat_role(name)
        if role == "frequency":
            if schema.fit(repeat.frequency, part, root, name) is NOTHING:
                return NOTHING
            value[name] = repeat.frequency
        elif role == "count" and repeat.count:
            value[name] = repeat.count
        elif role == "every" and (repeat.every > 1 or name in schema.required_of(about)):
            value[name] = repeat.every
    return value if any(_repeat_role(name) == "frequency" for name in value) else NOTHING


def _repeat_role(name: str) -> str:
    name = name.lower()
    if re.search(r"count|times|occur|number|repetition", name):
        return "count"
    if re.search(r"interval|every", name):
        return "every"
    return "frequency" if re.search(r"freq|type|rule|pattern|unit|period|kind", name) else ""


def needs_count(creator: Tool) -> bool:
    """Whether a repetition must say how often: the schema requires a count, or has none and events are made singly."""
    if "repeat" not in creator.roles:
        return True
    about = schema.variants(creator.properties[creator.roles["repeat"]], creator.root)[0]
    return "count" in creator.roles or any(_repeat_role(name) == "count" for name in schema.required_of(about))


def can_repeat(creator: Tool, repeat: Repeat) -> bool:
    """Whether the tool can express such a repetition."""
    if repeat.nth or (repeat.frequency == "daily" and repeat.weekdays and (repeat.count or 0) > 5):
        return False
    given = fill(creator, {"repeat": repeat, "count": repeat.count or NOTHING})
    value = given.get(creator.roles.get("repeat", ""))
    if value is None:
        return False
    return repeat.every == 1 or str(repeat.every) in json.dumps(value)
