"""Tools that a program names in a reminder and loads on demand: they are searched for before they can be called."""

import re

from . import weather
from .answers import Reply, ask_for
from .conversation import Conversation, text_of
from .vocabulary import asked_by_name

SEARCH = re.compile(r"^tool_?search$", re.IGNORECASE)
NAMED = re.compile(r"^(mcp__\w+?__(\w+))$", re.MULTILINE)


def fits(conversation: Conversation) -> bool:
    """Whether tools can be searched for, and none has been for this prompt."""
    return not conversation.calls and any(map(SEARCH.match, conversation.tools))


def play(conversation: Conversation) -> Reply | None:
    """Ask for the tool that the prompt is about; None if the reminders name none."""
    words = conversation.words
    for message in conversation.messages:
        for whole, name in NAMED.findall(text_of(message["content"])):
            about_weather = weather.TOOL.search(name) and weather.TOPIC.search(words)
            if whole not in conversation.tools and (about_weather or asked_by_name({"name": name}, words)):
                search = next(filter(SEARCH.match, conversation.tools))
                return ask_for([(search, {"query": f"select:{whole}"})])
    return None
