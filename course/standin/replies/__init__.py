"""Who says what: the stand-in's replies, played by scenes.

`reply(body)` is a pure function of the request. It is no language model: what it understands is listed in prompts.toml,
which the tests run through.
"""

from typing import Any

from . import weather
from .answers import Reply, say
from .conversation import Conversation

__all__ = ["Reply", "reply"]

SCENES = (weather,)  # the first that fits plays

MAX_ROUNDS = 8  # replies that ask for tools, for one prompt; then it ends with text


def reply(body: dict[str, Any]) -> Reply:
    """Return the reply to a valid Messages request: blocks without ids, and a stop reason."""
    conversation = Conversation(body)
    for scene in SCENES:
        if (played := scene.play(conversation)) is not None:
            return played
    return say("Hello!")
