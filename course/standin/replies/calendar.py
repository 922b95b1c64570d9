"""The calendar scene: look into a calendar, find a free time, book events, work around what a calendar refuses."""

from . import calendar_words as words
from .answers import Reply
from .calendar_again import book_again, booked_before
from .calendar_book import book
from .calendar_look import days_seen, look
from .calendar_texts import tell
from .calendar_tools import CHANGES, tools_of
from .conversation import Conversation


def fits(conversation: Conversation) -> bool:
    """Whether a calendar tool is offered and the prompt is about one's time."""
    creator, lister = tools_of(conversation)
    mine = {tool.name for tool in (creator, lister) if tool}
    if not mine:
        return False
    if conversation.forced:
        return conversation.forced in mine
    if conversation.calls:
        return conversation.calls[0].name in mine
    if creator and booked_before(conversation, creator):
        return True
    if lister and words.DAYS_SEEN.search(conversation.words) and days_seen(conversation, lister):
        return True
    if words.MOVES.search(words.request(conversation)) and any(CHANGES.search(name) for name in conversation.tools):
        return False
    return words.about_time(conversation)


def play(conversation: Conversation) -> Reply | None:
    """Do what the prompt asks for: book the same again, look, or book; say what cannot be done or is not known."""
    creator, lister = tools_of(conversation)
    asked = words.asked_of(conversation, creator, lister)
    if creator and (before := booked_before(conversation, creator)):
        return book_again(asked, creator, before)
    if words.zone(conversation.words):
        return tell(conversation, "no_zones")
    if words.changes(asked.text):
        return tell(conversation, "cannot_change")
    if words.books_nothing(asked.text):
        return tell(conversation, "not_booked")
    looks = words.wants_to_look(asked)
    forced = conversation.choice in ("any", "tool") and not conversation.calls
    if conversation.forced:
        looks = lister is not None and conversation.forced == lister.name
    if looks and lister is None and not forced:
        if words.ASKS.search(asked.text) or words.CHINESE_QUESTION.search(asked.text):
            return tell(conversation, "cannot_look")
        looks = False
    if asked.when.needs_today and not forced:
        return tell(conversation, "which_date")
    if looks and lister:
        return look(asked, lister)
    return book(asked, creator, forced) if creator else tell(conversation, "cannot_book")
