"""The default player: calls typed as prompts, then the scenes, else a refusal that helps.

It plays, it does not understand: a scene fits by the tools on offer, reads slots from the prompt and plays. What is in
the prompt and in no slot means saying so and doing nothing. A new scene is a module with `fits`, `play` and `examples`
in SCENES, and a TOML file beside it with its words and texts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import zip_longest
from types import ModuleType

from course.standin.talk import Play, Reply, Talk, say

from . import bash, calendar, demands, one_tool, summary, typed, weather, when
from .wording import day, listed
from .words import Texts, Words, look, pattern, spoken_in

__all__ = ["finders", "play"]

SCENES = (weather, calendar, bash, one_tool)  # the first that fits and reads the prompt plays
REVIEWS = frozenset(("read_report", "read_section"))  # tools of the review scene, which few lessons need
SHORT = 80  # characters of small talk
QUOTES = {"en": '"{}"', "de": "„{}“", "zh": "“{}”"}

# A whole prompt in quotes. A shell removes none but " and ', so “these” and „diese“ arrive with it.
QUOTED = re.compile(r"""\s*[„“”"«‘‚']([^„“”"«»]+)["“”»’‘']\s*""")


def exercise(talk: Talk) -> Play | None:
    """The player of the exercise that begins with this prompt and has one of these tools."""
    from course.checks import by_hand  # for those who ask

    return by_hand.player(talk.opening, talk.tools)


# Who knows players of conversations that begin in a certain way. Exercises that are run by hand are answered by their
# own players in this way.
finders: list[Callable[[Talk], Play | None]] = [exercise]

text = Texts("texts")


def play(talk: Talk) -> Reply:
    """Answer a conversation: by the player that a finder knows for it, by calls that are typed, or by a scene."""
    for find in finders:
        if player := find(talk):
            return player(talk)
    if (reply := typed.play(talk)) is not None:
        return reply
    if (reply := summary.play(talk)) is not None:
        return demands.hold(reply, talk)
    if (reply := demands.observed(talk)) is not None:
        return demands.hold(reply, talk)
    talk = demands.without_form(talk)
    if talk.aside:  # a new prompt after a stop, or a remark on the work, which goes on
        fresh = talk.fresh()
        played = _act(fresh)
        if isinstance(played, Reply):
            return demands.hold(played, fresh)
        talk = talk.alone()
    played = _act(talk)
    if not isinstance(played, Reply) and (quoted := QUOTED.fullmatch(talk.prompt)):
        inside = talk.asking(quoted[1])
        played = typed.play(inside) or _act(inside)
    return demands.hold(played if isinstance(played, Reply) else say(refusal(talk, played)), talk)


def _scenes(talk: Talk) -> tuple[ModuleType, ...]:
    """All scenes that could fit."""
    if REVIEWS.isdisjoint(talk.tools):
        return SCENES
    from . import review

    return (review, *SCENES)


def _act(talk: Talk) -> Reply | list[str]:
    """The reply of the first that can read the prompt, or what nobody read."""
    if (reply := _small_talk(talk) or demands.search(talk)) is not None:
        return reply
    unread: list[str] = []
    for scene in _scenes(talk):
        if scene.fits(talk):
            played = scene.play(talk)
            if isinstance(played, Reply):
                return played
            unread = unread or played
    if talk.calls and talk.calls[-1].name not in talk.tools:  # the tool is no longer on offer
        last = talk.calls[-1]
        return say(text(spoken_in(talk), "result", name=last.name, result=(last.result or "-").strip()))
    return unread


def _small_talk(talk: Talk) -> Reply | None:
    """Greetings, thanks, a short word, and the question which day it is."""
    kind = _kind(talk.prompt) if len(talk.prompt) <= SHORT else ""
    if not kind:
        return None
    language = spoken_in(talk)
    if kind == "which_day":
        today = when.today_in(talk.system)
        return say(text(language, "date", date=day(today, language)) if today else text(language, "no_today"))
    return say(text(language, kind) + ("" if kind == "welcome" else "\n" + help_for(talk)))


@lru_cache(maxsize=256)
def _kind(said: str) -> str:
    """Which small talk this is, as texts.toml calls it, or ""."""
    for name, words in (("hello", "hello"), ("welcome", "thanks"), ("short", "short")):
        kinds = "|".join(pattern("texts", "small_talk", kind).pattern for kind in ("hello", words))
        if re.fullmatch(rf"\W*(?:(?:{kinds})\W*)+", said, re.I) and pattern("texts", "small_talk", words).search(said):
            return name
    today = when.Date(2001, 1, 1)
    others = [day for day in when.read(Words(said), today).days if day != today]  # which date is next Monday?
    return "which_day" if not others and look("texts", "which_day").fullmatch(said) else ""


def refusal(talk: Talk, unread: list[str]) -> str:
    """What was not understood, and what would be."""
    language = spoken_in(talk)
    first = []
    if date := next((piece for piece in unread if when.read(Words(piece), when.Date(2001, 1, 1)).problem), None):
        first.append(text(language, "no_date", date=date))
    elif unread:
        pieces = listed((QUOTES[language].format(one[:80]) for one in unread[:3]), language)
        first.append(text(language, "unread", pieces=pieces))
    if talk.image:
        first.append(text(language, "image"))
    return "\n".join([*first, text(language, "stand_in"), help_for(talk)])


def help_for(talk: Talk) -> str:
    """Three prompts that can be played with the tools on offer, and the calls that one could type."""
    language = spoken_in(talk)
    if not talk.tools:
        others = talk.body.get("tools") or talk.body.get("mcp_servers")
        return text(language, "other_tools" if others else "no_tools")
    found = [scene.examples(talk, language) for scene in _scenes(talk) if scene.fits(talk)]
    prompts = [prompt for several in zip_longest(*found) for prompt in several if prompt][:3]
    parts = [text(language, "can_play", prompts="\n".join(f"- {prompt}" for prompt in prompts))] if prompts else []
    return "\n".join([*parts, text(language, "type_calls", calls=typed.examples(talk))])
