"""s02/3, a schema that Claude can fill: what Claude says, and how to judge the run."""

import json
from typing import Any

from course.checks.accepted import not_printed, unanswered
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.replies.schema import variants
from course.standin.talk import Reply, Talk, ask_for, say

EVENT = {"title": "Sync", "start": "2027-09-13T10:00:00", "end": "2027-09-13T10:30:00"}
NO_TOOL = "I cannot create events: I have no tool for it."


def play(talk: Talk) -> Reply:
    """One event, with the reminder as far as the schema says how to fill it."""
    tool = talk.tools.get("create_calendar_event")
    if not tool:
        return say(NO_TOOL)
    if not talk.calls:
        schema = tool["input_schema"]
        properties = schema.get("properties") or {}
        more = {name: _fill(name, part, schema) for name, part in properties.items() if name not in EVENT}
        return ask_for(("create_calendar_event", {**EVENT, **more}))
    result = talk.calls[-1].result or ""
    if "15 minutes before" in result:
        return say("The sync is in your calendar, and you get an e-mail 15 minutes before.")
    return say("The sync is in your calendar, but I could not set the reminder.")


def _fill(name: str, schema: Any, root: dict[str, Any]) -> Any:
    """A value as the schema asks for it. Where it leaves something open, one that a person might well write."""
    part = variants(schema, root)[0]
    if "const" in part:
        return part["const"]
    if part.get("enum"):
        return next((one for one in part["enum"] if "mail" in str(one)), part["enum"][0])
    kind = part.get("type")
    if kind == "object" or "properties" in part:
        inner = part.get("properties")
        if not inner:
            return {"before": "15 min", "by": "mail"}
        return {key: _fill(key, value, root) for key, value in inner.items()}
    if kind == "array":
        return [_fill(name, part.get("items", {}), root)]
    if kind in ("integer", "number"):
        return 15
    if kind == "boolean":
        return True
    return (
        "15 minutes" if "min" in name.lower() else "E-Mail" if "meth" in name.lower() else "15 minutes before, by mail"
    )


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, _no_reminder, _unfit, crash, unanswered, _not_whole, _other_methods, _not_required, not_printed
    )


def _reminder(run: Run) -> dict[str, Any] | None:
    """The schema of the reminder as it was sent."""
    for tool in run.sent[0].body.get("tools") or [] if run.sent else []:
        schema = tool.get("input_schema") or {}
        found = (schema.get("properties") or {}).get("reminder")
        if isinstance(found, dict):
            return variants(found, schema)[0]
    return None


def _no_reminder(run: Run) -> Verdict | None:
    if not run.sent or _reminder(run) is not None:
        return None
    return fail("no_reminder", line=place(run, r"\"properties\""))


def _unfit(run: Run) -> Verdict | None:
    """The function did not take what Claude made of the schema."""
    schema = _reminder(run)
    if not run.failure or schema is None or not run.calls:
        return None
    given = json.dumps(run.calls[0]["input"].get("reminder"), ensure_ascii=False)
    inner = schema.get("properties") or {}
    look = place(run, r"reminder\": \{", r"\"reminder\"")
    if schema.get("type", "object") != "object" or not inner:
        return fail("unfit", "open_object", given=given, line=look)
    if not {"minutes", "method"} <= set(inner):
        return fail("unfit", "other_names", given=given, line=look)
    if run.calls[0]["input"]["reminder"].get("method") not in ("email", "popup"):
        nested = any(
            isinstance(one, list) for one in (inner["method"].get("enum") or [] if _is_dict(inner["method"]) else [])
        )
        return fail(
            "unfit",
            "nested_enum" if nested else "open_method",
            given=given,
            line=place(run, r"method\": \{", r"\"method\""),
        )
    return fail("unfit", "minutes_type", given=given, line=place(run, r"minutes\": \{", r"\"minutes\""))


def _not_whole(run: Run) -> Verdict | None:
    """Claude sent a whole number, but the schema does not ask for one."""
    minutes = ((_reminder(run) or {}).get("properties") or {}).get("minutes")
    if (
        not isinstance(minutes, dict)
        or minutes.get("type") != "number"
        or {"enum", "const", "multipleOf"} & set(minutes)
    ):
        return None
    return fail("not_whole", line=place(run, r"minutes\": \{", r"\"minutes\""))


def _other_methods(run: Run) -> Verdict | None:
    """Words that the function does not know, or not all that it knows."""
    method = ((_reminder(run) or {}).get("properties") or {}).get("method")
    if not _is_dict(method):
        return None
    allowed = [word for part in variants(method, {}) for word in part.get("enum") or [part.get("const")] if word]
    known = constant(run, "METHODS", ["email", "popup"])
    if not allowed or set(map(str, allowed)) == set(known):
        return None
    listed = ", ".join(map(str, allowed))
    return fail(
        "other_methods", allowed=listed, known=", ".join(known), line=place(run, r"method\": \{", r"\"method\"")
    )


def _is_dict(value: object) -> bool:
    return isinstance(value, dict)


def _not_required(run: Run) -> Verdict | None:
    schema = _reminder(run) or {}
    missing = [name for name in ("minutes", "method") if name not in (schema.get("required") or [])]
    if not missing:
        return None
    return fail("not_required", names=", ".join(missing), line=place(run, r"reminder\": \{", r"\"reminder\""))
