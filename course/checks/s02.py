"""The exercises of s02: what Claude says in each, and how to judge the run."""

import json
from typing import Any

from ..i18n import translator
from ..standin.replies.schema import variants
from ..standin.talk import Reply, Talk
from .common import (
    api,
    crash,
    empty_result,
    first,
    not_printed,
    obstacle,
    spread,
    unanswered,
    unreadable,
    without_tools,
)
from .run import Run, results, text_of
from .scene import ask_for, say
from .verdict import Verdict, constant, fail, passed, place

_ = translator("checks")

EVENT = {"title": "Sync", "start": "2027-09-13T10:00:00", "end": "2027-09-13T10:30:00"}
NO_TOOL = "I cannot create events: I have no tool for it."


# --- 1: answer a call -------------------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """One event, then a sentence that holds what the result said."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        call = {**EVENT, "attendees": ["ana@example.com"]}
        return ask_for(("create_calendar_event", call), text="I will put it into your calendar.")
    if _says_what_came(talk.calls[-1].result or ""):
        return say("Done: the sync is in your calendar, and Ana is invited.")
    return say("I asked your calendar for the event, but I cannot tell what came of it.")


def _says_what_came(result: str) -> bool:
    """The number of the event, or, should the reader have given it another, what it is and when."""
    return "EV-2709" in result or (EVENT["title"] in result and EVENT["start"] in result)


def judge_1(run: Run) -> Verdict:
    return first(
        run,
        _no_id,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        _not_the_result,
        spread,
        not_printed,
        _well_1,
    )


def _no_id(run: Run) -> Verdict | None:
    """The block as the starter leaves it: a type and nothing else."""
    if unreadable(run) or not run.refused:
        return None
    for block in results(run.refused[0].body):
        if "tool_use_id" not in block:
            return fail(
                "no_id",
                seen=_("The tool_result in request {number} does not say which call it answers.").format(
                    number=run.number(run.refused[0])
                ),
                expected=_("Three things: the type, the id of the call as tool_use_id, and the result as content."),
                next=_("Complete the block that run_tool returns. The id is call.id."),
                api=api(run.refused[0]),
                line=place(run, r"tool_result"),
            )
    return None


def _not_the_result(run: Run) -> Verdict | None:
    for sent in run.accepted:
        for block in results(sent.body):
            content = text_of(block.get("content"))
            if not _says_what_came(content):
                return fail(
                    "not_the_result",
                    seen=_('Claude got "{content}" as the result, without the number of the event.').format(
                        content=content[:100]
                    ),
                    expected=_(
                        "All that the tool returned, keys and values, as text: Claude knows nothing else of it."
                    ),
                    next=_("Use json.dumps(result) as the content."),
                    line=place(run, r"tool_result"),
                )
            if block.get("is_error"):
                return fail(
                    "false_alarm",
                    seen=_('"{content}" went back with is_error, although nothing failed.').format(
                        content=content[:100]
                    ),
                    expected=_("is_error only on results of calls that failed."),
                    next=_("Leave is_error out: without it a result counts as a success."),
                    line=place(run, r"is_error", r"tool_result"),
                )
    return None


def _well_1(run: Run) -> Verdict:
    return passed(_("The result carries the id of the call and what the tool returned: Claude knows what came of it."))


# --- 2: words and results ---------------------------------------------------------------------------------------------

NOTE = "By the way, please answer in one short sentence."  # in the starter


def play_2(talk: Talk) -> Reply:
    """One event; then a short answer if the note came, else a long one."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls and not any(turn.calls for turn in talk.earlier):
        call = {**EVENT, "attendees": ["ana@example.com"]}
        return ask_for(("create_calendar_event", call), text="I will put it into your calendar.")
    if _holds("one short sentence", talk.body):
        return say("Done, Ana is invited.")
    return say("I have put the sync into your calendar for Monday at 10:00. It takes half an hour. Ana is invited.")


def judge_2(run: Run) -> Verdict:
    return first(run, obstacle, crash, without_tools, unanswered, spread, _no_note, _note_early, not_printed, _well_2)


def _holds(note: str, body: dict[str, Any]) -> bool:
    parts = json.dumps([body.get("messages"), body.get("system")], ensure_ascii=False)
    return json.dumps(note, ensure_ascii=False)[1:-1] in parts


def _note_early(run: Run) -> Verdict | None:
    """In the history the note stands before the call, as if the user had said it then."""
    note = constant(run, "NOTE", NOTE)
    for sent in run.accepted:
        for message in sent.messages:
            if message["role"] == "assistant":
                break
            if note in text_of(message["content"]):
                return fail(
                    "note_early",
                    seen=_("In request {number} the note stands before Claude's call.").format(number=run.number(sent)),
                    expected=_(
                        "A history in the order in which things happened: the prompt, the call, its result, and then "
                        "what the user added."
                    ),
                    next=_("Send the note in the same message, behind the results."),
                    line=place(run, r"NOTE(?! =)", r"NOTE", r"PROMPT"),
                )
    return None


def _no_note(run: Run) -> Verdict | None:
    note = constant(run, "NOTE", NOTE)
    if any(_holds(note, sent.body) for sent in run.accepted):
        return None
    return fail(
        "no_note",
        seen=_("The results arrived, but what the user added did not."),
        expected=_("The results and, behind them, the note: a text block may follow the tool_result blocks."),
        next=_("Send the note in the same message, behind the results."),
        line=place(run, r"role\W+user.*result", r"NOTE"),
    )


def _well_2(run: Run) -> Verdict:
    return passed(_("The results come first and the note follows; Claude took both into account."))


# --- 3: a schema that Claude can fill ---------------------------------------------------------------------------------


def play_3(talk: Talk) -> Reply:
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


def judge_3(run: Run) -> Verdict:
    return first(
        run, obstacle, _no_reminder, _unfit, crash, unanswered, _not_whole, _not_required, not_printed, _well_3
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
    return fail(
        "no_reminder",
        seen=_("The schema has no property named reminder, so Claude sent none."),
        expected=_("reminder among the properties, beside title, start and end."),
        next=_("Add reminder to the properties, as an object with properties of its own."),
        line=place(run, r"\"properties\""),
    )


def _unfit(run: Run) -> Verdict | None:
    """The function did not take what Claude made of the schema."""
    schema = _reminder(run)
    if not run.failure or schema is None or not run.calls:
        return None
    given = json.dumps(run.calls[0]["input"].get("reminder"), ensure_ascii=False)
    inner = schema.get("properties") or {}
    seen = _("By your schema Claude sent the reminder {given}, and the function could not use it.").format(given=given)
    look = place(run, r"reminder\": \{", r"\"reminder\"")
    if schema.get("type", "object") != "object" or not inner:
        return fail(
            "open_object",
            seen=seen,
            expected=_('Properties inside the reminder. "An object" alone leaves Claude to guess what goes into it.'),
            next=_("Give reminder its own properties, minutes and method, and its own required."),
            line=look,
        )
    if not {"minutes", "method"} <= set(inner):
        return fail(
            "other_names",
            seen=seen,
            expected=_("The names that the function reads: minutes and method."),
            next=_("Name the properties of reminder as the function does."),
            line=look,
        )
    if run.calls[0]["input"]["reminder"].get("method") not in ("email", "popup"):
        return fail(
            "open_method",
            seen=seen,
            expected=_("An enum: it tells Claude which words the calendar knows."),
            next=_("Give method an enum with METHODS."),
            line=place(run, r"method\": \{", r"\"method\""),
        )
    return _no_integer(run, seen)


def _no_integer(run: Run, seen: str) -> Verdict:
    return fail(
        "minutes_type",
        seen=seen,
        expected=_("minutes as a whole number: type integer."),
        next=_("Set the type of minutes to integer."),
        line=place(run, r"minutes\": \{", r"\"minutes\""),
    )


def _not_whole(run: Run) -> Verdict | None:
    """Claude sent a whole number, but the schema does not ask for one."""
    minutes = ((_reminder(run) or {}).get("properties") or {}).get("minutes")
    if (
        not isinstance(minutes, dict)
        or minutes.get("type") != "number"
        or {"enum", "const", "multipleOf"} & set(minutes)
    ):
        return None
    return _no_integer(run, _("By your schema Claude may send 7.5 minutes, and the function takes whole numbers only."))


def _not_required(run: Run) -> Verdict | None:
    schema = _reminder(run) or {}
    missing = [name for name in ("minutes", "method") if name not in (schema.get("required") or [])]
    if not missing:
        return None
    return fail(
        "not_required",
        seen=_("Claude may leave out {names}: the reminder does not list it under required.").format(
            names=", ".join(missing)
        ),
        expected=_("A reminder that, if there is one, has both. The function fails without either."),
        next=_("Inside reminder, add required with minutes and method. The outer required does not reach in there."),
        line=place(run, r"reminder\": \{", r"\"reminder\""),
    )


def _well_3(run: Run) -> Verdict:
    return passed(_("From the schema alone Claude knew what to send: 15 minutes, by email."))
