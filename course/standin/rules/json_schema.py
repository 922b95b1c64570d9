"""Whether a value is a valid JSON Schema of draft 2020-12: the part of its meta-schema that tool definitions meet.

A library (jsonschema) would do this too, but it needs a compiled part that Pyodide does not have.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

TYPES = frozenset({"array", "boolean", "integer", "null", "number", "object", "string"})

# Keywords by what stands in them: one schema, a list of schemas, an object of schemas.
ONE = frozenset(
    {
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
SOME = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
NAMED = frozenset({"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"})


def is_valid(schema: Any) -> bool:
    """Whether this is a JSON Schema. Unknown keywords are let through, as the draft says; `$ref` is not followed."""
    waiting = [schema]
    while waiting:
        part = waiting.pop()
        if type(part) is bool:
            continue
        if type(part) is not dict:
            return False
        for keyword, value in part.items():
            if keyword in ONE:
                waiting.append(value)
            elif keyword in SOME:
                if type(value) is not list or not value:
                    return False
                waiting.extend(value)
            elif keyword in NAMED:
                if type(value) is not dict or (keyword == "patternProperties" and not all(map(is_regex, value))):
                    return False
                waiting.extend(value.values())
            else:
                fits = _PLAIN.get(keyword)
                if fits is not None and not fits(value):
                    return False
    return True


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A valid schema and all schemas inside it (objects only)."""
    waiting: list[Any] = [schema]
    while waiting:
        part = waiting.pop()
        if type(part) is not dict:
            continue
        yield part
        for keyword, value in part.items():
            if keyword in ONE:
                waiting.append(value)
            elif keyword in SOME and type(value) is list:
                waiting.extend(value)
            elif keyword in NAMED and type(value) is dict:
                waiting.extend(value.values())


def open_object(schema: dict[str, Any]) -> dict[str, Any] | None:
    """The first object in the schema that leaves its keys open: no `additionalProperties: false`."""
    for part in parts(schema):
        if "object" in _types(part) and part.get("additionalProperties") is not False:
            return part
    return None


# Limits that a reply cannot be held to while it is written:
# https://platform.claude.com/docs/en/build-with-claude/structured-outputs
_NUMBER = frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})
LIMITS = {
    "number": _NUMBER,
    "integer": _NUMBER,
    "string": frozenset({"minLength", "maxLength"}),
    "array": frozenset({"maxItems", "uniqueItems"}),
}


def limits(schema: dict[str, Any]) -> dict[str, str] | None:
    """The first limit in a schema that structured output does not take: `type` and `keywords`, as the API's sentence
    has them, and which of its sentences ("variant").
    """
    for part in parts(schema):
        for kind in _types(part):
            found = sorted(LIMITS.get(kind, frozenset()) & part.keys())
            if found:
                named = {"type": kind, "keywords": ", ".join(found)}
                return named if len(found) > 1 else named | {"variant": "one"}
            if kind == "array" and part.get("minItems", 0) not in (0, 1):
                return {"variant": "min_items"}
    return None


def _types(part: dict[str, Any]) -> list[Any]:
    kind = part.get("type")
    return kind if type(kind) is list else [kind] if type(kind) is str else []


# What Python says of a pattern that no dialect takes. Others, such as \p{L}, are good JavaScript and let through.
_BROKEN = ("unterminated", "missing )", "unbalanced", "nothing to repeat", "bad character range", "bad escape (end")
_LONGEST_PATTERN = 10_000


@lru_cache(1024)
def is_regex(pattern: str) -> bool:
    """Whether a pattern is a regular expression. In doubt it is: JSON Schema's dialect is JavaScript's, not
    Python's.
    """
    if len(pattern) > _LONGEST_PATTERN:
        return True
    try:
        re.compile(pattern.replace("(?<", "(?P<") if "(?<" in pattern and "(?<=" not in pattern else pattern)
    except re.error as error:
        return not str(error).startswith(_BROKEN)
    except (OverflowError, RecursionError, ValueError):
        return True
    return True


def _type(value: Any) -> bool:
    if type(value) is str:
        return value in TYPES
    return (
        type(value) is list
        and bool(value)
        and all(type(name) is str and name in TYPES for name in value)
        and len(set(value)) == len(value)
    )


def _number(value: Any) -> bool:
    return type(value) is int or type(value) is float


def _count(value: Any) -> bool:
    return (type(value) is int or (type(value) is float and value.is_integer())) and value >= 0


def _names(value: Any) -> bool:
    return type(value) is list and all(type(name) is str for name in value) and len(set(value)) == len(value)


def _text(value: Any) -> bool:
    return type(value) is str


def _flag(value: Any) -> bool:
    return type(value) is bool


def _list(value: Any) -> bool:
    return type(value) is list


_PLAIN: dict[str, Callable[[Any], bool]] = {
    "type": _type,
    "required": _names,
    "dependentRequired": lambda value: type(value) is dict and all(map(_names, value.values())),
    "enum": _list,
    "examples": _list,
    "pattern": lambda value: type(value) is str and is_regex(value),
    "multipleOf": lambda value: _number(value) and value > 0,
    **dict.fromkeys(("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum"), _number),
    **dict.fromkeys(
        (
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxProperties",
            "minProperties",
            "maxContains",
            "minContains",
        ),
        _count,
    ),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), _flag),
    **dict.fromkeys(
        ("title", "description", "format", "$ref", "$id", "$schema", "$comment", "$anchor", "contentEncoding"), _text
    ),
}
