"""Booking: what has to be asked first, which free time is chosen, and the calls that this leads to."""

from dataclasses import replace

from . import people, repair, titles
from .answers import Reply, ask_for, say
from .calendar_calls import carry_out
from .calendar_events import Event, events_of, input_of, spread
from .calendar_input import fill, needs_count
from .calendar_look import listing, look_after, slot_text
from .calendar_several import wishes_of
from .calendar_taken import free_slot, taken
from .calendar_texts import TEXTS, tell
from .calendar_tools import Tool
from .calendar_words import EITHER, THEN_LOOKS, WHEN_FREE, Asked, Wish, wish_of
from .dates import Date, Time, When
from .schema import NOTHING
from .wording import days, phrase


def book(asked: Asked, creator: Tool, forced: bool) -> Reply:
    """Book what is wished for, at a free time if need be; ask for what is missing, unless a call is forced."""
    conversation, lister = asked.conversation, asked.lister
    wish = wish_of(asked, asked.text, asked.when)
    missing = _missing(asked, wish, creator)
    if missing and not forced:
        return tell(conversation, missing)
    chosen: Event | None = None
    intro: list[str] = []
    if lister and wish.when.dates and not wish.when.repeat and _must_choose(asked):
        choice = _choose(asked, lister, wish.when)
        if isinstance(choice, Reply):
            return choice
        chosen = choice
        if full := _full_before(asked, lister, chosen.start.date()):
            intro.append(TEXTS.get(asked.language, "full", days=days(full, asked.language)))
    if chosen is None and (wishes := wishes_of(asked, wish)):
        inputs = [input_of(event, one, creator, conversation) for one in wishes for event in events_of(one)]
        wish.attendees = list(dict.fromkeys(address for one in wishes for address in one.attendees))
    else:
        events = [chosen] if chosen else events_of(wish, either=bool(EITHER.search(asked.text)))
        inputs = [input_of(event, wish, creator, conversation) for event in spread(events, creator)]
    if forced and not inputs:
        inputs = [fill(creator, {"title": wish.title, "attendees": wish.attendees or NOTHING})]
    reply = carry_out(conversation, creator, inputs, wish, intro)
    if lister and reply.stop_reason == "end_turn" and THEN_LOOKS.search(asked.text):
        return look_after(asked, creator, lister, reply)
    return reply


def _missing(asked: Asked, wish: Wish, creator: Tool) -> str:
    """Return the name of the question to ask before anything can be booked, or ""."""
    when = wish.when
    if not when.start:
        when.start = titles.usual_start(wish.title)
    has_time = when.start or (asked.lister and when.dates and (when.window or WHEN_FREE.search(asked.text)))
    if not has_time and when.window and when.dates:
        has_time = when.start = when.window[0]
    if not when.dates:
        return "which_day" if has_time else "which_day_and_time"
    if not has_time:
        return "which_time"
    if when.repeat and not when.repeat.count and needs_count(creator):
        return "how_often"
    many = people.EVERYONE.search(asked.text) or people.people_wanted(asked.text)
    if many and not wish.attendees and "attendees" in creator.roles:
        return "who"
    return ""


def _must_choose(asked: Asked) -> bool:
    """Whether there is a choice of times, so that the calendar has to be looked at."""
    when = asked.when
    return bool(WHEN_FREE.search(asked.text) or not when.start or (len(when.dates) > 1 and EITHER.search(asked.text)))


def _choose(asked: Asked, lister: Tool, when: When) -> Event | Reply:
    """Return the first free time, or the reply that finds out or says that there is none."""
    conversation = asked.conversation
    if calls := listing(conversation, lister, when.dates):
        return ask_for(calls)
    busy, failures = taken(conversation, lister)
    if not busy and failures:
        return tell(conversation, "look_failed", error=repair.error_of(failures[0]))
    if slot := free_slot(busy, when):
        return Event(*slot)
    later = free_slot(busy, replace(when, window=(Time(8), Time(18)), start=None, end=None))
    offer = TEXTS.get(asked.language, "offer", slot=slot_text(later, asked.language)) if later else ""
    return say(phrase([TEXTS.get(asked.language, "nothing_free"), offer], asked.language))


def _full_before(asked: Asked, lister: Tool, chosen: Date) -> list[Date]:
    """Return the wanted days that had no time, and so were passed over."""
    busy, _ = taken(asked.conversation, lister)
    return [date for date in asked.when.dates if date in busy and date < chosen]
