"""Who says what: the stand-in's replies, played by scenes.

`reply(body)` is a pure function of the request. It is no language model: what it understands is listed in prompts.toml,
which the tests run through.
"""

from typing import Any

from . import calendar, weather
from .answers import Reply, say
from .conversation import Conversation
from .wording import Texts

__all__ = ["Reply", "reply"]

SCENES = (weather, calendar)  # the first that fits plays

MAX_ROUNDS = 8  # replies that ask for tools, for one prompt
MAX_SAME = 2  # times that one call may come back with the same result


def reply(body: dict[str, Any]) -> Reply:
    """Return the reply to a valid Messages request: blocks without ids, and a stop reason."""
    conversation = Conversation(body)
    for scene in SCENES:
        if scene.fits(conversation) and (played := scene.play(conversation)) is not None:
            return _keep_bounds(played, conversation)
    return say("Hello!")


def _keep_bounds(played: Reply, conversation: Conversation) -> Reply:
    """Hold what a scene says to what the request allows, and to an end."""
    if played.stop_reason != "tool_use":
        return played
    text = [block for block in played.content if block["type"] == "text"]
    calls = [block for block in played.content if block["type"] == "tool_use" and block["name"] in conversation.tools]
    calls = [block for block in calls if not _turns_in_circles(block, conversation)]
    if not calls or conversation.rounds >= MAX_ROUNDS:
        return say(_closing(conversation))
    return Reply(text + (calls if conversation.parallel else calls[:1]), "tool_use")


def _turns_in_circles(block: dict[str, Any], conversation: Conversation) -> bool:
    same = [c.result for c in conversation.calls if c.name == block["name"] and c.input == block["input"]]
    return len(same) >= MAX_SAME and len(set(same[-MAX_SAME:])) == 1


def _closing(conversation: Conversation) -> str:
    last = conversation.calls[-1].result if conversation.calls else None
    name = "stopped" if last else "stopped_early"
    return TEXTS.get(conversation.language, name, result=(last or "").strip()[:500])


TEXTS = Texts(
    stopped={
        "en": "I'll stop here, because asking again brings nothing new. The last result was: {result}",
        "de": "Ich höre hier auf, denn weitere Aufrufe bringen nichts Neues. Das letzte Ergebnis war: {result}",
        "zh": "我先停在这里，再调用也不会有新的结果。最后一次结果是：{result}",
    },
    stopped_early={
        "en": "I'll stop here: none of the tools on offer gets me any further.",
        "de": "Ich höre hier auf: Keines der angebotenen Tools bringt mich weiter.",
        "zh": "我先停在这里：现有的工具都帮不上忙了。",
    },
)
