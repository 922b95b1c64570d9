"""s04/3, reading side by side, writing in turn: what Claude says, and how to judge the run."""

import datetime
import re

from course.checks.accepted import disorder, empty_result, not_printed, spread, unanswered, without_tools
from course.checks.dates import WHICH_DAY, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.side_by_side import one_by_one, pause, side_by_side
from course.checks.verdict import Verdict, fail, first, names, place
from course.checks.warmest import forbids_several, one_at_a_time
from course.standin.talk import Reply, Talk, ask_for, say


def play(talk: Talk) -> Reply:
    """Two days to read and two bookings of one slot, all at once."""
    if not {"create_calendar_event", "list_calendar_events"} <= talk.tools.keys():
        return say("I cannot do that: I have no tool for it.")
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day, after = (today + datetime.timedelta(days) for days in (1, 2))
    if not talk.calls and forbids_several(talk.body):
        return ask_for(("create_calendar_event", {"title": "Sync", "start": f"{day}T10:00:00"}))
    if not talk.calls:
        return ask_for(
            # Who lets nothing overtake the bookings has two to read side by side all the same.
            ("list_calendar_events", {"date": str(day)}),
            ("list_calendar_events", {"date": str(after)}),
            ("create_calendar_event", {"title": "Sync", "start": f"{day}T10:00:00"}),
            ("create_calendar_event", {"title": "Review", "start": f"{day}T10:00:00"}),
            ("list_calendar_events", {"date": str(day)}),
        )
    made = [call.input["title"] for call in talk.calls if (call.result or "").startswith("Created")]
    if len(made) == 2:
        return say("The sync and the review are both booked for tomorrow at 10:00.")
    return say(f"Booked for tomorrow at 10:00: {', '.join(made) or 'nothing'}. The day after tomorrow is free.")


def judge(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        one_at_a_time,
        unanswered,
        empty_result,
        spread,
        _mixed_up,
        _double,
        _not_run,
        _wrong_order,
        _no_pause,
        _one_by_one,
        disorder,
        not_printed,
    )


def _booking(run: Run, title: str) -> str:
    """What Claude was told of a booking."""
    call = next((call for call in run.calls if call["input"].get("title") == title), None)
    return text_of((run.result(call) or {}).get("content")) if call else ""


def _mixed_up(run: Run) -> Verdict | None:
    if len(run.accepted) < 2 or not run.calls:
        return None
    for call in run.calls:
        content = text_of((run.result(call) or {}).get("content"))
        reads = call["name"] == "list_calendar_events"
        # A list begins with its date; a booking says Created or Taken, and Created names its title.
        if reads != content.startswith(str(call["input"].get("date"))) or (
            content.startswith("Created") and call["input"]["title"] not in content
        ):
            return fail(
                "mixed_up",
                call=names([call]),
                content=content,
                line=place(run, r"zip\(", r"def run_tools"),
            )
    return None


def _double(run: Run) -> Verdict | None:
    if not all(_booking(run, title).startswith("Created") for title in ("Sync", "Review")):
        return None
    if (
        "in CALENDAR" not in run.source or "if not free" not in run.source
    ):  # for the words alone: the outcome is the same
        return fail("double_booking", "unchecked", line=place(run, r"def create_calendar_event"))
    return fail("double_booking", line=place(run, r"pool\.(map|submit)", r"def run_tools"))


def _not_run(run: Run) -> Verdict | None:
    """The second booking was answered without being tried, by the starter's prints."""
    booked = re.findall(r"booking (Sync|Review)", run.printed)
    if len(booked) != 1:
        return None
    other = "Review" if booked[0] == "Sync" else "Sync"
    return fail("not_run", title=other, content=_booking(run, other), line=place(run, r"def run_tools"))


def _wrong_order(run: Run) -> Verdict | None:
    if _booking(run, "Sync").startswith("Created"):
        return None
    return fail("wrong_order", line=place(run, r"reversed|sorted|\.sort\(", r"def run_tools"))


def _no_pause(run: Run) -> Verdict | None:
    """Booking takes no time any more: two bookings at once would come out right by luck."""
    booking = re.search(r"^def create_calendar_event\(.*?(?=^\S|\Z)", run.source, re.DOTALL | re.MULTILINE)
    if not booking or re.search(r"^[^#\n]*\bsleep\((?![0.]*\))", booking[0], re.MULTILINE):
        return None
    return fail("no_pause", line=place(run, r"def create_calendar_event"))


def _one_by_one(run: Run) -> Verdict | None:
    if side_by_side(run, "reading", "is read") or ("is read" not in run.printed and pause(run) < 0.75):
        return None
    return one_by_one(run)
