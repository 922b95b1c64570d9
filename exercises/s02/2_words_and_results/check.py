"""s02/2, words and results: what Claude says, and how to judge the run."""

import json
from typing import Any

from course.checks.accepted import not_printed, spread, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, blocks_of, results, text_of
from course.checks.verdict import Verdict, constant, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

EVENT = {"title": "Sync", "start": "2027-09-13T10:00:00", "end": "2027-09-13T10:30:00"}
NO_TOOL = "I cannot create events: I have no tool for it."

NOTE = "By the way, please answer in one short sentence."  # in the starter


def play(talk: Talk) -> Reply:
    """One event; then a short answer if the note came, else a long one."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls and not any(turn.calls for turn in talk.earlier):
        call = {**EVENT, "attendees": ["ana@example.com"]}
        return ask_for(("create_calendar_event", call), text="I will put it into your calendar.")
    if _holds("one short sentence", talk.body):
        return say("Done, Ana is invited.")
    return say("I have put the sync into your calendar for Monday at 10:00. It takes half an hour. Ana is invited.")


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, crash, without_tools, unanswered, spread, _no_note, _note_early, _note_in_result, not_printed
    )


def _holds(note: str, body: dict[str, Any]) -> bool:
    parts = json.dumps([body.get("messages"), body.get("system")], ensure_ascii=False)
    return json.dumps(note, ensure_ascii=False)[1:-1] in parts


def _note_early(run: Run) -> Verdict | None:
    """In the history the note stands before the call, as if the user had said it then."""
    note = constant(run, "NOTE", NOTE)
    if note in text_of(run.accepted[0].body.get("system")):
        return fail("note_early", number=1, line=place(run, r"NOTE(?! =)", r"system="))
    for sent in run.accepted:
        for message in sent.messages:
            if message["role"] == "assistant":
                break
            if note in text_of(message["content"]):
                return fail("note_early", number=run.number(sent), line=place(run, r"NOTE(?! =)", r"NOTE", r"PROMPT"))
    return None


def _note_in_result(run: Run) -> Verdict | None:
    """The note as a part of what the tool said."""
    note = constant(run, "NOTE", NOTE)
    bodies = [sent.body for sent in run.accepted]
    said = [block.get("text") for body in bodies for block in blocks_of(body, "user", "text")]
    if any(note in str(text) for text in said):
        return None
    if not any(note in text_of(block.get("content")) for body in bodies for block in results(body)):
        return None
    return fail("note_in_result", line=place(run, r"NOTE(?! =)"))


def _no_note(run: Run) -> Verdict | None:
    note = constant(run, "NOTE", NOTE)
    if any(_holds(note, sent.body) for sent in run.accepted):
        return None
    return fail("no_note", line=place(run, r"role\W+user.*result", r"NOTE"))
