"""What a scene sees of a request: the prompt, its language, the tools, the calls since and their results."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .own_tools import described

REMINDER = re.compile(r"<system-reminder>.*?(?:</system-reminder>|$)", re.DOTALL)
CHINESE = re.compile(r"[\u4e00-\u9fff]")
KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
WORD = re.compile(r"[^\W\d_]+")
GERMAN = frozenset(
    "ich du er wir ihr mir dich uns der das den dem des ein eine einen einem einer und oder nicht kein keine ist sind "
    "wird werden wie warum wann wo wer welche welcher welches soll sollte sollen kann kannst muss mit für von vom zum "
    "zur bei beim nach aus auf über heute morgen übermorgen gestern bitte danke uhr im um wenn dass anziehen wetter "
    "termin termine besprechung treffen stunde stunden minuten woche wochen montag dienstag mittwoch donnerstag "
    "freitag "
    "samstag sonntag täglich wöchentlich jeden nächsten nächste nächster trage plane lege verschiebe lade zeig zeige "
    "storniere lösche markiere notiere sperr sperre erinnere definiere übersetze zähle öffne schließe stell "
    "stelle spiel spiele finde mach mache schalte erkläre erzähl erzähle nenne hole füge überweise aufgabe "
    "aufgaben bestellung bestellungen kunde kunden nutzer "
    "suche berechne rechne schreib schreibe lies lese datei hallo viel spät regnet schneit warm kalt brauche gibt es "
    "sich auch noch schon mal mein meine meinen meiner euch alle allen anlegen eintragen einen besprechen".split()
) - {"warm", "die", "was", "in", "am", "so", "an"}
ENGLISH = frozenset(
    "the a an is are was were be what which who when where why how should can could will would do does i me my you "
    "your "
    "it in on at of to for from with and or not please today tomorrow next this that there have has need book schedule "
    "tell show give find get set make put check create about between every".split()
) - {"in", "an", "was", "will"}


@dataclass(slots=True)
class Call:
    """One tool_use block and the result that answered it (`result` is None while there is none)."""

    name: str
    input: dict[str, Any]
    id: str = ""
    result: str | None = None
    is_error: bool = False
    has_image: bool = False


@dataclass(slots=True)
class Turn:
    """One earlier prompt, the calls it led to and the last text that was answered."""

    prompt: str
    calls: list[Call] = field(default_factory=list)
    answer: str = ""


def language_of(text: str) -> str:
    """Return "en", "zh" or "de": the language that most of the words are in, English when in doubt."""
    return _language_of(text[:2000])


@lru_cache(maxsize=256)
def _language_of(text: str) -> str:
    if not text.isascii():
        chinese = len(CHINESE.findall(text))
        if chinese and not KANA_OR_HANGUL.search(text) and chinese >= len(WORD.findall(CHINESE.sub(" ", text))):
            return "zh"
    words = WORD.findall(text.lower())
    german = sum(word in GERMAN for word in words)
    return "de" if german and german > sum(word in ENGLISH for word in words) else "en"


def clip(text: str, size: int = 3000) -> str:
    """Return a text's beginning and end if it is longer than `size`: a scene looks for words, not through books."""
    return text if len(text) <= size else f"{text[: size // 2]}\n{text[-size // 2 :]}"


def blocks_of(content: Any) -> list[dict[str, Any]]:
    """Return the content of a message as a list of blocks, whichever of its two forms it has."""
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []


def text_of(content: Any) -> str:
    """Return the text in a message's, a result's or the system prompt's content."""
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content or () if block["type"] == "text")


def words_of(content: Any) -> str:
    """Return what the user said, without the reminders that some clients put into it."""
    text = text_of(content)
    return (REMINDER.sub("", text) if "<system-reminder" in text else text).strip()


def has_result(content: Any) -> bool:
    return isinstance(content, list) and any(block["type"] == "tool_result" for block in content)


def has_image(content: Any) -> bool:
    return isinstance(content, list) and any(block["type"] == "image" for block in content)


class Conversation:
    """The view of one valid request. Nothing in it is changed by a scene.

    prompt    what the user said last; words sent along with tool results are added to it
    words     the prompt, clipped if it is very long: what patterns are searched in
    language  "en", "zh" or "de"
    system    the text of the system prompt, messages of role "system" included
    tools     those that the client runs: {"get_weather": {"name": ..., "description": ..., "input_schema": ...}}
    calls     the calls since that prompt, oldest first, without failed ones of tools that nobody offered
    rounds    how many replies since that prompt asked for tools
    choice    "auto", "any", "tool" or "none"; `forced` is the tool's name if it is "tool"
    parallel  False if one reply may hold one call only
    aside     whether the prompt stands right behind tool results: a new prompt after a stop, or a remark on the work
    joins     whether such a prompt is taken for a remark, and so added to the one before it
    """

    def __init__(self, body: dict[str, Any], joins: bool = False) -> None:
        self.body = body
        self.joins = joins
        self.messages: list[dict[str, Any]] = body["messages"]
        instructions = [message["content"] for message in self.messages if message["role"] == "system"]
        if system := body.get("system"):
            instructions.insert(0, system)
        self.system = "\n".join(filter(None, map(text_of, instructions)))
        self.start = self._find_prompt()
        self.calls, self.rounds, added = self._since(self.start)
        self.aside = self.start > 0 and has_result(self.messages[self.start - 1]["content"])
        opening = words_of(self.messages[self.start]["content"])
        self.prompt = "\n".join([opening, *added]) if added else opening
        self.words = clip(self.prompt)
        choice = body.get("tool_choice") or {}
        self.choice: str = choice.get("type", "auto")
        self.forced: str = choice["name"] if self.choice == "tool" else ""
        self.parallel = not choice.get("disable_parallel_tool_use")
        self.tools: dict[str, dict[str, Any]] = {}
        for tool in map(described, body.get("tools") or ()):
            if "input_schema" in tool:
                self.tools[tool["name"]] = tool
        # A tool that nobody offered was asked for by mistake: what came of it is no step on the way.
        self.calls = [call for call in self.calls if call.name in self.tools or not call.is_error]
        self.language = language_of(self.prompt)

    def _find_prompt(self) -> int:
        """Return the index of the last user message that holds words and no tool result."""
        for i in range(len(self.messages) - 1, -1, -1):
            message = self.messages[i]
            if message["role"] == "user":
                content = message["content"]
                if has_result(content) or not words_of(content):
                    continue
                aside = self.joins and i > 0 and has_result(self.messages[i - 1]["content"])
                if not aside:
                    return i
        return 0

    def _since(self, start: int) -> tuple[list[Call], int, list[str]]:
        calls: list[Call] = []
        by_id: dict[str, Call] = {}
        rounds, added = 0, []
        for message in self.messages[start + 1 :]:
            content = message["content"]
            if message["role"] == "assistant":
                found = list(calls_in(content))
                rounds += bool(found)
                calls += found
                by_id.update((call.id, call) for call in found)
            elif message["role"] == "user":
                join_results(content, by_id)
                if words := words_of(content):
                    added.append(words)
        return calls, rounds, added

    @property
    def earlier(self) -> list[Turn]:
        """The turns before the prompt, oldest first."""
        turns: list[Turn] = []
        by_id: dict[str, Call] = {}
        for message in self.messages[: self.start]:
            content = message["content"]
            if message["role"] == "user":
                join_results(content, by_id)
                if not has_result(content) and (words := words_of(content)):
                    turns.append(Turn(words))
            elif message["role"] == "assistant" and turns:
                found = list(calls_in(content))
                turns[-1].calls += found
                by_id.update((call.id, call) for call in found)
                turns[-1].answer = text_of(content) or turns[-1].answer
        return turns


def calls_in(content: Any) -> Iterator[Call]:
    """Yield the tool_use blocks of an assistant message."""
    for block in blocks_of(content):
        if block["type"] == "tool_use":
            yield Call(block["name"], block["input"], block["id"])


def join_results(content: Any, calls: dict[str, Call]) -> None:
    """Give each call of `calls` (by id) the result that `content` holds for it."""
    for block in blocks_of(content):
        if block["type"] == "tool_result" and (call := calls.get(block["tool_use_id"])):
            call.result = text_of(block.get("content"))
            call.is_error = bool(block.get("is_error"))
            call.has_image = has_image(block.get("content"))
