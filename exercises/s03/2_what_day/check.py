"""s03/2, what day is it: what Claude says, and how to judge the run."""

import datetime

from course.checks.accepted import not_printed, unanswered
from course.checks.dates import WHICH_DAY, dates_in, event, told_date
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot create events: I have no tool for it."


def play(talk: Talk) -> Reply:
    """An event on the day after the one that the request names as today."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    if talk.calls:
        return say(f"Done: tennis with Mia is on {talk.calls[-1].input.get('start', '')[:10]}, from 18:00 to 19:00.")
    return ask_for(("create_calendar_event", event("Tennis", today + datetime.timedelta(1), 18, 1, "mia@example.com")))


def judge(run: Run) -> Verdict:
    return first(run, obstacle, crash, _not_told, _wrong_day, _fixed_day, unanswered, not_printed)


def _not_told(run: Run) -> Verdict | None:
    sent = run.accepted[0]
    if sent.calls:
        return None
    system = text_of(sent.body.get("system"))
    if "{" in system:
        return fail("no_f_string", system=system, line=place(run, r"SYSTEM = "))
    return fail(
        "not_told",
        "not_called" if "<built-in method" in system else "" if system else "no_system",
        today="{TODAY:%A}, {TODAY}",
        line=place(run, r"SYSTEM = ", r"system="),
    )


def _wrong_day(run: Run) -> Verdict | None:
    wanted = {str(datetime.date.fromisoformat(day) + datetime.timedelta(1)) for day in run.days}
    got = str(run.calls[0]["input"].get("start", ""))[:10]
    if got in wanted:
        return None
    return fail("wrong_day", got=got, wanted=max(wanted), line=place(run, r"\d{4}-\d\d-\d\d", r"SYSTEM = "))


def _fixed_day(run: Run) -> Verdict | None:
    """Right today, wrong tomorrow: the date is written in the file."""
    if not any(told in (datetime.date.fromisoformat(day) for day in run.days) for told in dates_in(run.source)):
        return None
    return fail("fixed_day", line=place(run, r"\d{4}-\d\d-\d\d", r"20\d\d"))
