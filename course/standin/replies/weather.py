"""The weather scene (first version)."""

import re

from .answers import Reply, ask_for, say
from .conversation import Conversation

IN = re.compile(r"\bin ([A-Z]\w+)")


def play(conversation: Conversation) -> Reply | None:
    if "get_weather" not in conversation.tools or not (found := IN.search(conversation.prompt)):
        return None
    if not conversation.calls:
        return ask_for([("get_weather", {"city": found[1]})])
    return say(
        f"In {found[1]}: {conversation.calls[-1].result}. Light, breathable clothes, a hat and sunscreen will do; "
        "drink enough water."
    )
