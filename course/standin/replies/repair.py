"""Correcting a call that a tool refused, from what the error says."""

import re
from typing import Any

from . import schema
from .conversation import Call

LIMIT = re.compile(
    r"(?:at most|maximum(?: of| is)?|max\.?(?: of)?|limit(?:ed)?(?: of| is| to)?|up to|only|no more than"
    r"|höchstens|maximal|最多|不超过|上限[为是]?)\D{0,12}(\d{1,6})"
    r"|(\d{1,6})(?: \w+)? (?:maximum|max\b|limit|allowed|erlaubt)",
    re.IGNORECASE,
)
UNWANTED = re.compile(
    r"no such|unexpected|unknown|not allowed|not permitted|extra|unrecognized|additional|nicht erlaubt", re.IGNORECASE
)
MISSING = re.compile(r"missing|required|must be (?:given|provided)|fehlt|erforderlich|缺少", re.IGNORECASE)
MISTYPED = re.compile(r"expected|must be|should be|invalid|not a|type|format|muss|erwartet|应为|格式", re.IGNORECASE)
PASSING = re.compile(
    r"time-?d? ?out|temporar|try again|unavailable|connection|overload|later|Zeitüberschreitung|超时|稍后",
    re.IGNORECASE,
)
BAD_ARGUMENTS = re.compile(r"invalid arguments", re.IGNORECASE)


def corrected(
    given: dict[str, Any], error: str, tool: dict[str, Any], title: str = ""
) -> tuple[list[dict[str, Any]], int]:
    """Return the inputs to try instead of a refused one, and the limit on people that made them several (else 0).

    `title` names the property that tells the parts of a split call apart.
    """
    error = error[:2000]
    lists = [name for name, value in given.items() if isinstance(value, list) and len(value) > 1]
    limits = [int(a or b) for a, b in LIMIT.findall(error)]
    for name in lists:
        if limits and 0 < limits[0] < len(given[name]):
            return _split(given, name, limits[0], title), limits[0]
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    better = dict(given)
    for clause in re.split(r"[;\n]", error):
        for name in [*given, *known]:
            if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", clause):
                continue
            if UNWANTED.search(clause) and name in better and name not in schema.required_of(root):
                del better[name]
            elif MISSING.search(clause) and name not in better:
                better[name] = schema.placeholder(known.get(name, {}), root)
            elif MISTYPED.search(clause) and name in better:
                better[name] = _retyped(better[name], clause)
    if better == given and BAD_ARGUMENTS.search(error):
        better = {name: value for name, value in given.items() if name in schema.required_of(root)}
    return ([better] if better != given and schema.valid(better, root, root) else []), 0


def _split(given: dict[str, Any], name: str, limit: int, title: str) -> list[dict[str, Any]]:
    everyone = given[name]
    count = -(-len(everyone) // limit)
    size, more = divmod(len(everyone), count)
    found, at = [], 0
    for i in range(count):
        upto = at + size + (i < more)
        part = {**given, name: everyone[at:upto]}
        if isinstance(given.get(title), str):
            part[title] = f"{given[title]} ({i + 1}/{count})"
        found.append(part)
        at = upto
    return found


def _retyped(value: Any, clause: str) -> Any:
    """Return a value in the form that an error asks for."""
    wanted = re.split(r"got|not ", clause.lower().split("expected", 1)[-1])[0]
    if isinstance(value, list) and re.search(r"string|text|str\b", wanted) and "list" not in wanted:
        return ", ".join(map(str, value))
    if isinstance(value, str):
        if re.search(r"array|list", wanted):
            return [part.strip() for part in value.split(",")]
        if re.search(r"integer|number|int\b|float", wanted) and (digits := re.search(r"\d{1,15}", value)):
            return int(digits[0])
        if re.search(r"time ?zone|offset|utc", wanted) and "T" in value and not value.endswith("Z"):
            return value + "Z"
        if re.search(r"date(?!(?:-| and |/| )?time)", wanted) and "T" in value:
            return value.split("T")[0]
        if "T" in value:
            return value.rstrip("Z")[:16]
    return str(value) if isinstance(value, int | float) and "string" in wanted else value


def error_of(call: Call) -> str:
    """Return an error result without its "Error: ValueError:" in front."""
    text = re.sub(
        r"^(?:Error|Fehler|错误)[:：] *(?:\w+(?:Error|Exception): *)?", "", (call.result or "")[:2000].strip()
    )
    return text[:500].strip(" .。") or "?"
