"""The calendar scene: look into a calendar, find a free time, book events one after the other."""

from course.standin.talk import Call, Reply, Talk, say

from . import calendar_book, calendar_look
from .calendar_read import Asked, Tool, asked, today_of, tools_of
from .words import table


def fits(talk: Talk) -> bool:
    """Whether there is a tool that keeps a calendar."""
    return any(tools_of(talk))


def play(talk: Talk) -> Reply | list[str]:
    """Look or book, one thing after the other; say what is missing. What nobody understood, if there is something.

    Nothing is done unless all of the prompt is understood.
    """
    creator, lister = tools_of(talk)
    wanted = asked(talk, bool(creator and "location" in creator.roles))
    for one in wanted:
        if (refused := _refused(one, creator, lister)) is not None:
            return refused
    calls, last = talk.calls, None
    said: list[str] = []
    for one in wanted:
        if one.last_day and last is None:
            said.append(one.tell("no_last_day"))
            break
        # What comes next begins with the first call that this one does not need any more.
        for needed in range(len(calls) + 1) if len(wanted) > 1 else [len(calls)]:
            reply = _perform(one, creator, lister, calls[:needed], last)
            if reply.stop_reason != "tool_use":
                break
        if reply.stop_reason == "tool_use":
            return reply
        said.append(reply.text)
        last = calendar_book.last_day(creator, calls[:needed]) if creator else None
        calls = calls[needed:]
    return say("\n".join(said))


def _refused(one: Asked, creator: Tool | None, lister: Tool | None) -> Reply | list[str] | None:
    """Why one thing that is asked for cannot be done, if so."""
    if "nothing" in one.said:
        return say(one.tell("not_booked"))
    if "change" in one.said:
        return say(one.tell("cannot_change"))
    if one.unread:
        return one.unread
    if not (one.said or one.when.said() or one.attendees):
        return [one.text]
    return calendar_book.problem(one, creator, lister) if one.books else calendar_look.problem(one, lister)


def _perform(one: Asked, creator: Tool | None, lister: Tool | None, calls: list[Call], last: object) -> Reply:
    if one.books:
        assert creator
        return calendar_book.perform(one, creator, lister, calls, last)  # type: ignore[arg-type]
    assert lister
    return calendar_look.perform(one, lister, calls)


def examples(talk: Talk, language: str) -> list[str]:
    """Prompts to try."""
    creator, lister = tools_of(talk)
    names = ("examples", "looks") if today_of(talk) else ("dated", "dated_looks")
    books, looks = (table("calendar")[name][language] for name in names)
    return [*books[: 2 if lister else 3], *looks] if creator and lister else books if creator else looks
