"""Looking into a calendar: days, free times, the quietest day. Nothing is said of days that were not looked at."""

import re
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime, timedelta
from datetime import time as Time

from course.standin.talk import Asked as Wanted
from course.standin.talk import Call, Reply, ask_for, say

from .calendar_read import Asked, Tool
from .when import DAY
from .wording import day, days, listed, phrase, span
from .words import look

HALF_HOUR = timedelta(minutes=30)
MOST_DAYS = 14
WORKDAY = (Time(9), Time(18))  # where free times are looked for


@dataclass(slots=True)
class Plan:
    """A day as the calendar shows it; `text` if it says something else than times."""

    date: Date
    events: list[tuple[datetime, datetime, str]]
    text: str = ""
    error: str = ""


def calls_for(lister: Tool, wanted: list[Date], calls: list[Call]) -> tuple[list[Wanted], list[Plan]]:
    """The calls that are still needed to see these days, and those days that have been seen."""
    missing: list[Wanted] = []
    plans: list[Plan] = []
    for date in wanted[:MOST_DAYS]:
        start, end = datetime.combine(date, Time()), datetime.combine(date, Time(23, 59))
        given = lister.input(date=date, start=start, end=end)
        made = next((call for call in calls if call.name == lister.name and call.input == given), None)
        if made is None:
            missing.append((lister.name, given))
        else:
            plans.append(_plan(date, made))
    return missing, plans


def _plan(date: Date, call: Call) -> Plan:
    result = call.result or ""
    if call.is_error:
        return Plan(date, [], error=result.strip())
    found = []
    for start, end, title in look("calendar", "period").findall(re.sub(r"\d{4}-\d\d-\d\d[T ]?", "", result)):
        one, two = (datetime.combine(date, Time.fromisoformat(said)) for said in (start, end))
        found.append((one, two if two > one else two + DAY, title.strip(' "{}[]')))
    empty = found or look("calendar", "empty").search(result) or not result.strip()
    return Plan(date, sorted(found), "" if empty else result.strip())


def gaps(plan: Plan, one: Asked, length: timedelta) -> list[tuple[datetime, datetime]]:
    """The gaps of a day that are long enough: within the wanted hours, or just then."""
    if plan.text or plan.error:
        return []
    at = one.when
    low, high = (at.start, None) if at.start else at.window or WORKDAY
    begin = datetime.combine(plan.date, low)
    last = begin + length if high is None else datetime.combine(plan.date, high)
    found = []
    for start, end, _ in [*plan.events, (last, last, "")]:
        if min(start, last) - begin >= length:
            found.append((begin, min(start, last)))
        begin = max(begin, end)
    return found


def problem(one: Asked, lister: Tool | None) -> Reply | list[str] | None:
    """Why it cannot be looked at, if so."""
    at = one.when
    if at.repeat:
        return [one.text]
    if at.unknown or ("next_free" in one.said and not one.today):
        return say(one.tell("which_date"))
    if lister is None:
        return say(one.tell("cannot_look"))
    if not _days(one) and "next_free" not in one.said:
        return say(one.tell("which_day" if one.today else "which_date"))
    return None


def _days(one: Asked) -> list[Date]:
    today = one.today if one.when.start or one.when.window else None
    return one.when.days or ([today] if today else [])


def perform(one: Asked, lister: Tool, calls: list[Call]) -> Reply:
    """Look at the days, then say what is asked of them."""
    if "next_free" in one.said and not one.when.days:
        return _next_free(one, lister, calls)
    missing, plans = calls_for(lister, _days(one), calls)
    return ask_for(*missing) if missing else say(_told(one, plans))


def _next_free(one: Asked, lister: Tool, calls: list[Call]) -> Reply:
    """One day after the other, until one is free."""
    assert one.today
    for n in range(1, MOST_DAYS):
        missing, plans = calls_for(lister, [one.today + DAY * n], calls)
        if missing:
            return ask_for(*missing)
        if plans[0].error:
            return say(one.tell("look_failed", error=plans[0].error))
        if not plans[0].events and not plans[0].text:
            return say(one.tell("is_free", slot=day(plans[0].date, one.language)))
    return say(one.tell("nothing_free"))


def _told(one: Asked, plans: list[Plan]) -> str:
    language, at = one.language, one.when
    if failed := next((plan for plan in plans if plan.error), None):
        return one.tell("look_failed", error=failed.error)
    rows = [_row(plan, one) for plan in plans]
    if one.said & {"quiet", "busy"}:
        if any(plan.text for plan in plans):
            return "\n".join(rows)
        amounts = [sum(((end - start) for start, end, _ in plan.events), timedelta()) for plan in plans]
        pick, name = (max, "busiest") if "busy" in one.said else (min, "quietest")
        alike = len(set(amounts)) == 1 and len(plans) > 1
        best = plans[amounts.index(pick(amounts))]
        return "\n".join([one.tell("alike") if alike else one.tell(name, day=day(best.date, language)), *rows])
    if at.start and "find" not in one.said and len(plans) == 1 and not plans[0].text:
        begin = datetime.combine(plans[0].date, at.start)
        end = datetime.combine(plans[0].date, at.end) if at.end else begin + (at.length or timedelta(minutes=1))
        busy = next((title for start, stop, title in plans[0].events if start < end and begin < stop), None)
        name = "free_then" if busy is None else "busy_then"
        return one.tell(name, day=day(begin.date(), language), time=f"{begin:%H:%M}", title=busy)
    if one.said & {"free", "find"} and not any(plan.text for plan in plans):
        found = [gap for plan in plans for gap in gaps(plan, one, at.length or HALF_HOUR)]
        if not found:
            return phrase([one.tell("full", days=days([plan.date for plan in plans], language)), *rows], language)
        if at.length:
            found = [(found[0][0], found[0][0] + at.length)]
        comma = "，" if language == "zh" else ", "
        slots = [f"{day(start.date(), language)}{comma}{span(start, end, language)}" for start, end in found]
        return one.tell("is_free", slot=listed(slots, language))
    return "\n".join(rows)


def _row(plan: Plan, one: Asked) -> str:
    """What a day holds, on a line."""
    if plan.text:
        return one.tell("quoted", text=plan.text)
    events = [f"{start:%H:%M}-{end:%H:%M} {title}" for start, end, title in plan.events]
    said = listed(events, one.language)
    return one.tell("day_plan" if events else "day_free", day=day(plan.date, one.language), events=said)
