"""s08/3, a tool of your own: what Claude says, and how to judge the run."""

import re
from typing import Any

from course.checks.accepted import empty_result, not_printed, spread, tool_broke, unanswered
from course.checks.obstacles import crash, obstacle
from course.checks.run import Block, Run, text_of
from course.checks.verdict import Verdict, fail, first, flat, names, place, shortened
from course.standin.replies.schema import variants
from course.standin.talk import Reply, Talk, ask_for, say

NAME = "lowest_members"
ARGUMENTS = ("report", "column", "count")
LOWEST = ["B7", "B4", "B3"]  # cover_mm of harbor-hall: 28, 29, 30
VALUES = ["28", "29", "30"]
MEASURED = 7  # members of harbor-hall with a value there
MOST = 5
CHOICES = {"report": ["harbor-hall", "lakeview-school"], "column": ["span_over_sag", "cover_mm", "moisture_percent"]}


def play(talk: Talk) -> Reply:
    """The question, then calls beyond each of its edges, as far as the schema allows them."""
    tool = talk.tools.get(NAME)
    if not tool:
        return say(f"I cannot tell: I have no tool {NAME}.")
    given = _arguments(tool["input_schema"])
    if not talk.calls:
        return ask_for((NAME, _filled(given, "harbor-hall", "cover_mm", 3)))
    if talk.rounds == 1:
        edges = [("harbor-hall", "cover_mm", count) for count in (50, 0) if _allows(given.get("count"), count)]
        edges.append(("lakeview-school", "cover_mm", 3))
        return ask_for(*((NAME, _filled(given, *edge)) for edge in edges))
    if "B7" in (talk.calls[0].result or "") and not talk.calls[0].is_error:
        return say("The least cover have B7 (28 mm), B4 (29 mm) and B3 (30 mm).")
    return say("I could not find out which members have the least cover.")


def _arguments(schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The arguments of a tool; whatever lists the values that one takes stands under `enum`."""
    found = {}
    for name, part in (schema.get("properties") or {}).items():
        kinds = variants(part, schema)
        values = [
            value for kind in kinds for value in kind.get("enum") or [kind[key] for key in ("const",) if key in kind]
        ]
        found[name] = {**(part if isinstance(part, dict) else {}), **kinds[0]} | ({"enum": values} if values else {})
    return found


def _filled(given: dict[str, dict[str, Any]], report: str, column: str, count: int) -> dict[str, Any]:
    """The arguments that the schema names, as Claude fills them: without a list it writes what a person would."""
    wanted: dict[str, Any] = {
        "report": _chosen(given.get("report", {}), report, report.replace("-", " ").title()),
        "column": _chosen(given.get("column", {}), column, "concrete cover"),
        "count": str(count) if given.get("count", {}).get("type") == "string" else count,
    }
    return {name: wanted[name] for name in given if name in wanted}


def _chosen(part: dict[str, Any], wanted: str, otherwise: str) -> Any:
    values = part.get("enum") or [otherwise]
    return wanted if wanted in values else values[0]


def _allows(part: dict[str, Any] | None, count: int) -> bool:
    part = part or {}
    low, high = part.get("minimum", count), part.get("maximum", count)
    return low <= count <= high and count in part.get("enum", [count])


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, _no_tool, _other_arguments, _free_text, _no_number, crash, unanswered, empty_result, spread,
        tool_broke, _undescribed, _wrong_members, _unbounded, _silent, _zero, _unmeasured, not_printed,
    )  # fmt: skip


def _properties(run: Run) -> dict[str, dict[str, Any]] | None:
    """The arguments of the tool as it was sent."""
    for tool in run.sent[0].body.get("tools") or [] if run.sent else []:
        if tool.get("name") == NAME:
            return _arguments(tool.get("input_schema") or {})
    return None


def _definition(run: Run, *patterns: str) -> int | None:
    return place(run, *patterns, rf"name\W+{NAME}", r"TOOLS = ")


def _function(run: Run) -> int | None:
    return place(run, rf"def {NAME}", r"FUNCTIONS = ")


def _no_tool(run: Run) -> Verdict | None:
    if not run.sent or _properties(run) is not None:
        return None
    return fail("no_tool", line=_definition(run))


def _other_arguments(run: Run) -> Verdict | None:
    given = _properties(run)
    if given is None or set(ARGUMENTS) <= set(given):
        return None
    missing = [name for name in ARGUMENTS if name not in given]
    return fail("other_arguments", names=", ".join(missing), line=_definition(run))


def _free_text(run: Run) -> Verdict | None:
    given = _properties(run) or {}
    for name, choices in CHOICES.items():
        if name in given and set(given[name].get("enum", ())) != set(choices):
            wrong = run.calls[0]["input"].get(name, "") if run.calls else ""
            return fail("free_text", name=name, given=wrong, line=_definition(run, rf"['\"]{name}['\"]: "))
    return None


def _no_number(run: Run) -> Verdict | None:
    count = (_properties(run) or {}).get("count")
    if count is None or count.get("type") == "integer" or all(isinstance(one, int) for one in count.get("enum", [""])):
        return None
    return fail("no_number", kind=str(count.get("type")), line=_definition(run, r"['\"]count['\"]: "))


def _undescribed(run: Run) -> Verdict | None:
    given = _properties(run) or {}
    silent = [name for name, part in given.items() if not part.get("description") and not part.get("enum")]
    if silent:
        return fail("undescribed", names=", ".join(silent), line=_definition(run, rf"['\"]{silent[0]}['\"]: "))
    return None


def _asked(run: Run, **wanted: Any) -> tuple[Block | None, str, bool]:
    """The first call with these arguments, the text of its result, and whether that is marked as an error."""
    for call in run.calls:
        if wanted.items() <= call["input"].items():
            result = run.result(call) or {}
            return call, flat(text_of(result.get("content"))), result.get("is_error") is True
    return None, "", False


def _members(text: str) -> list[str]:
    return list(dict.fromkeys(re.findall(r"\b[BT]\d\b", text)))


def _wrong_members(run: Run) -> Verdict | None:
    call, text, is_error = _asked(run, count=3, report="harbor-hall")
    if not call:
        return None
    found = _members(text)
    if is_error and text.removeprefix("Error:").strip(" '\"") == NAME:
        return fail("wrong_members", "not_entered", call=names([call]), text=text, line=place(run, r"FUNCTIONS = "))
    if is_error or not found:
        return fail("wrong_members", "none", call=names([call]), text=shortened(text), line=_function(run))
    if found != LOWEST:
        return fail("wrong_members", call=names([call]), text=shortened(text), line=_function(run))
    if not all(re.search(rf"\b{value}\b", text) for value in VALUES):
        return fail("wrong_members", "no_values", call=names([call]), text=shortened(text), line=_function(run))
    return None


def _unbounded(run: Run) -> Verdict | None:
    _, text, is_error = _asked(run, count=50)
    found = _members(text)
    if is_error or len(found) <= MOST:
        return None
    return fail("unbounded", count=len(found), most=MOST, line=_function(run))


def _silent(run: Run) -> Verdict | None:
    """Fewer than were asked for, and no word of it."""
    call, text, _ = _asked(run, count=50)
    shown = len(_members(text))
    numbers = re.findall(r"(?<![\w.])\d+(?![\w.]*\d)", text)
    if not call or {str(MOST), str(MEASURED), str(MEASURED - shown)} & set(numbers):
        return None
    return fail("silent", text=shortened(text), most=MOST, line=_function(run))


def _zero(run: Run) -> Verdict | None:
    call, text, is_error = _asked(run, count=0)
    if not call or is_error:
        return None
    return fail("zero", text=shortened(text), line=_function(run))


def _unmeasured(run: Run) -> Verdict | None:
    call, text, is_error = _asked(run, report="lakeview-school")
    if not call or is_error and "span_over_sag" in text and "moisture_percent" in text:
        return None
    found = _members(text)
    case = "other_report" if "B" in str(found) else "blanks" if found else "" if is_error else "no_error"
    return fail("unmeasured", case, text=shortened(text), line=_function(run))
