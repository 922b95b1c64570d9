"""Who says what: the stand-in's replies, played by scenes.

`reply(body)` is a pure function of the request. It is no language model: what it understands is listed in prompts.toml,
which the tests run through.
"""

from collections.abc import Callable
from typing import Any

from ..talk import Play, Reply, Talk
from . import bash, calendar, clock, deferred, editor, formats, general, weather
from .answers import say
from .conversation import Conversation
from .wording import Texts

__all__ = ["Reply", "finders", "play", "reply"]

SCENES = (clock, weather, calendar, deferred, bash, editor, general)  # the first that fits plays

MAX_ROUNDS = 8  # replies that ask for tools, for one prompt
MAX_SAME = 2  # times that one call may come back with the same result


def reply(body: dict[str, Any]) -> Reply:
    """Return the reply to a valid Messages request: blocks without ids, and a stop reason. Never raises."""
    try:
        return answer(body)
    except Exception:
        # A program that sent a valid request did nothing wrong: text that no pattern expected must not be its 500.
        return say(TEXTS.get("en", "lost"))


def exercise(prompt: str) -> Play | None:
    """The player of the exercise that begins with this prompt."""
    from course.checks import by_hand

    return by_hand.player(prompt)


# Who knows players of conversations that begin in a certain way: each is asked with the first prompt, and gives a
# player or None. Exercises that are run by hand are answered by their own players in this way.
finders: list[Callable[[str], Play | None]] = [exercise]


def play(talk: Talk) -> Reply:
    """The player that answers by default: one that a finder knows for this conversation, else the scenes."""
    for find in finders:
        if player := find(talk.opening):
            return player(talk)
    return reply(talk.body)


def answer(body: dict[str, Any]) -> Reply:
    """Like reply(), but an unforeseen mistake in a scene raises: what the tests call."""
    conversation = Conversation(body)
    played = _keep_bounds(_play(conversation), conversation)
    if played.stop_reason == "end_turn" and (wanted := formats.wanted(body, conversation)) is not None:
        return say(general.structured(wanted, played.content[0]["text"], formats.heard(conversation)))
    if played.stop_reason == "end_turn":
        return say(formats.in_tags(played.content[0]["text"], conversation))
    return played


def _play(conversation: Conversation) -> Reply:
    if (ended := general.after_observation(conversation)) is not None:
        return ended
    if not conversation.tools:  # nothing to act out
        return general.without_tools(conversation)
    for scene in SCENES:
        if scene.fits(conversation) and (played := scene.play(conversation)) is not None:
            return played
    if conversation.aside:
        return _play(Conversation(conversation.body, joins=True))
    return say(TEXTS.get(conversation.language, "stopped_early"))


def _keep_bounds(played: Reply, conversation: Conversation) -> Reply:
    """Hold what a scene says to what the request allows, and to an end."""
    if played.stop_reason == "end_turn" and not conversation.tools:
        return played
    calls = [block for block in played.content if block["type"] == "tool_use" and block["name"] in conversation.tools]
    if played.stop_reason != "tool_use":
        if conversation.choice not in ("any", "tool"):
            return played
        # The request demands a call, whatever there is left to say.
        calls = [block for block in general.forced(conversation).content if block["type"] == "tool_use"]
    elif conversation.choice == "none":
        return say(TEXTS.get(conversation.language, "not_allowed", name=played.content[-1]["name"]))
    calls = [block for block in calls if not _turns_in_circles(block, conversation)]
    if not calls or conversation.rounds >= MAX_ROUNDS:
        return played if played.stop_reason == "end_turn" else say(_closing(conversation))
    text = [block for block in played.content if block["type"] == "text" and played.stop_reason == "tool_use"]
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
    lost={"en": "I'm an offline stand-in for Claude, not a language model, and I could not make sense of this."},
    not_allowed={
        "en": "I would call {name} for that, but this request allows no tool calls.",
        "de": "Dafür würde ich {name} aufrufen, aber diese Anfrage erlaubt keine Tool-Aufrufe.",
        "zh": "这需要调用 {name}，但这次请求不允许调用工具。",
    },
    stopped_early={
        "en": "I'll stop here: none of the tools on offer gets me any further.",
        "de": "Ich höre hier auf: Keines der angebotenen Tools bringt mich weiter.",
        "zh": "我先停在这里：现有的工具都帮不上忙了。",
    },
)
