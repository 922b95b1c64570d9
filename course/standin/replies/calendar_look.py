"""Answers to questions about the calendar: what is on a day, whether the user is free, which day is the quietest."""

import datetime
import json
from typing import Any

from . import dates, repair
from .answers import Reply, ask_for, say
from .calendar_input import fill
from .calendar_taken import Slot, Taken, free_slot, is_untimed, load, taken
from .calendar_texts import TEXTS, tell
from .calendar_tools import Tool
from .calendar_words import BUSIEST, DAYS_SEEN, NEXT_FREE_DAY, QUIETEST, WHEN_FREE, Asked
from .conversation import Conversation
from .when import DAY, Date, Time
from .wording import day, days, span

MAX_DAYS = 7  # looked at one by one


def look(asked: Asked, lister: Tool) -> Reply:
    """Look at the days that were asked about; once they are known, answer."""
    conversation, when = asked.conversation, asked.when
    if DAYS_SEEN.search(conversation.words) and (seen := days_seen(conversation, lister)):
        return tell(conversation, "seen", days=days(seen, asked.language))
    if not when.dates and asked.today and NEXT_FREE_DAY.search(asked.text):
        return _next_free_day(asked, lister, asked.today)
    if not when.dates and "date" in lister.roles and lister.required:
        return tell(conversation, "which_day")
    if calls := listing(conversation, lister, when.dates):
        return ask_for(calls)
    busy, failures = taken(conversation, lister)
    if failures and not busy:
        return tell(conversation, "look_failed", error=repair.error_of(failures[0]))
    plans = [(date, busy[date]) for date in when.dates if date in busy] or list(busy.items())
    if WHEN_FREE.search(asked.text) and (when.length or (when.window and not when.start)):
        slot = free_slot(busy, when)
        if slot is None:
            return tell(conversation, "nothing_free")
        return tell(conversation, "is_free", slot=slot_text(slot, asked.language))
    if when.start and plans:
        return _free_at(asked, *plans[0], when.start, when.end)
    parts = [*_compared(asked, plans), *(plan_text(date, events, asked.language) for date, events in plans)]
    return say("\n".join(parts)) if parts else tell(conversation, "quoted", text=_results(conversation, lister).strip())


def _free_at(asked: Asked, date: Date, events: list[Taken], at: Time, until: Time | None) -> Reply:
    clash = next(
        (title for start, end, title in events if at < end and (start <= at or (until and start < until))), None
    )
    about = {"day": day(date, asked.language), "time": f"{at:%H:%M}"}
    if clash is None:
        return tell(asked.conversation, "free_then", **about)
    return tell(asked.conversation, "busy_then", title=clash, **about)


def _compared(asked: Asked, plans: list[tuple[Date, list[Taken]]]) -> list[str]:
    """Say which day is the quietest or the busiest, if that was asked."""
    name = "busiest" if BUSIEST.search(asked.text) else "quietest" if QUIETEST.search(asked.text) else ""
    if not name or len(plans) < 2:
        return []
    ranked = sorted(plans, key=load)
    if load(ranked[0]) == load(ranked[-1]):
        return [TEXTS.get(asked.language, "alike")]
    best = ranked[-1] if name == "busiest" else ranked[0]
    return [TEXTS.get(asked.language, name, day=day(best[0], asked.language))]


def days_seen(conversation: Conversation, lister: Tool) -> list[Date]:
    """Return the days that were looked at for the earlier prompts."""
    calls = [call for turn in conversation.earlier for call in turn.calls if call.name == lister.name]
    found = [date for call in calls for date in dates.absolute_dates(json.dumps(call.input), None)[0]]
    return list(dict.fromkeys(found))


def _next_free_day(asked: Asked, lister: Tool, today: Date) -> Reply:
    """Look at one day after the other until one is free."""
    conversation = asked.conversation
    busy, failures = taken(conversation, lister)
    if failures:
        return tell(conversation, "look_failed", error=repair.error_of(failures[-1]))
    untimed = any(map(is_untimed, lister.calls(conversation)))
    if free := [] if untimed else [date for date, events in busy.items() if not events]:
        return tell(conversation, "day_free", day=day(min(free), asked.language))
    calls = listing(conversation, lister, [max(busy, default=today) + DAY])
    return ask_for(calls) if calls else tell(conversation, "nothing_free")


def listing(conversation: Conversation, lister: Tool, wanted: list[Date]) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that still have to be made to know the wanted days."""
    if not wanted:
        inputs = [fill(lister, {})]
    elif "date" in lister.roles or "end" not in lister.roles:
        inputs = _day_by_day(lister, wanted)
    else:
        first = datetime.datetime.combine(min(wanted), Time(0))
        last = datetime.datetime.combine(max(wanted), Time(23, 59))
        inputs = [fill(lister, {"start": first, "end": last})]
    done = [call.input for call in lister.calls(conversation)]
    return [(lister.name, given) for given in inputs if given not in done]


def _day_by_day(lister: Tool, wanted: list[Date]) -> list[dict[str, Any]]:
    return [fill(lister, {"date": date, "start": date}) for date in wanted[:MAX_DAYS]]


def look_after(asked: Asked, creator: Tool, lister: Tool, booked: Reply) -> Reply:
    """Once all is booked, list those days, as the prompt asks, and say what is on them."""
    conversation, wanted = asked.conversation, asked.when.dates
    last = max((i for i, call in enumerate(conversation.calls) if call.name == creator.name), default=-1)
    since = [call.input for call in conversation.calls[last + 1 :] if call.name == lister.name]
    calls = [(lister.name, given) for given in _day_by_day(lister, wanted) if given not in since]
    if last >= 0 and calls:
        return ask_for(calls)
    busy, _ = taken(conversation, lister)
    plans = [plan_text(date, busy[date], asked.language) for date in wanted if date in busy]
    if any(map(is_untimed, lister.calls(conversation))):
        plans = [TEXTS.get(asked.language, "quoted", text=_results(conversation, lister))]
    return say("\n".join([booked.content[0]["text"], *plans]))


def _results(conversation: Conversation, lister: Tool) -> str:
    return "\n".join(call.result or "" for call in lister.calls(conversation))


def plan_text(date: Date, events: list[Taken], language: str) -> str:
    """Say what is on a day: "Monday, September 6, 2027: 09:00-09:15 Standup."."""
    if not events:
        return TEXTS.get(language, "day_free", day=day(date, language))
    listed = ("、" if language == "zh" else ", ").join(f"{a:%H:%M}-{b:%H:%M} {title}".strip() for a, b, title in events)
    return TEXTS.get(language, "day_plan", day=day(date, language), events=listed)


def slot_text(slot: Slot, language: str) -> str:
    """Say when a free time is: "Monday, September 6, 2027, 12:00 to 13:00"."""
    start, end = slot
    return f"{day(start.date(), language)}{'，' if language == 'zh' else ', '}{span(start, end, language)}"
