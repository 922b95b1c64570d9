"""What was said, and what is said back: the one reader of messages and blocks, and the replies that players make.

A player is a function `play(talk) -> Reply` of the conversation alone. Scenes, exercises and scripts are players.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from course.standin.client_tools import described

Block = dict[str, Any]
Asked = tuple[str, dict[str, Any]]  # a call to ask for: the tool's name and its input

# What stands in these tags is no prompt: clients put reminders in, and the summary of a conversation that was cut.
ASIDE = re.compile(r"<(system-reminder|summary)>.*?(?:</\1>|$)", re.DOTALL)


# --- what is said back ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Reply:
    """What a player says.

    `content`: blocks {"type": "text", "text"}, {"type": "tool_use", "name", "input"} and {"type": "thinking"}, which
    may hold a "thinking" of its own. Ids, signatures and usage are made by `message`.
    """

    content: list[Block]
    stop_reason: str = "end_turn"

    @property
    def text(self) -> str:
        return text_of(self.content)


Play = Callable[["Talk"], Reply]


PLAYED = "played"  # what stands for the rule of a refusal when a player let the API fail


class ApiFails(Exception):
    """Raised by a player in place of a reply: the API fails.

    `fault`: as in faults.py; `reply`: what a stream that breaks off would have said.
    """

    def __init__(self, fault: str, reply: Reply | None = None) -> None:
        super().__init__(fault)
        self.reply = reply


def say(*texts: str, think: bool = False) -> Reply:
    """A reply that ends the turn; without texts, an empty one."""
    return Reply(_thought(think) + [{"type": "text", "text": text} for text in texts])


def ask_for(*calls: Asked, text: str = "", think: bool = False, stop_reason: str = "tool_use") -> Reply:
    """A reply that asks for calls, (name, input) each, with a sentence before them if `text` is given."""
    content = _thought(think) + ([{"type": "text", "text": text}] if text else [])
    return Reply(content + [{"type": "tool_use", "name": name, "input": given} for name, given in calls], stop_reason)


def _thought(think: bool) -> list[Block]:
    return [{"type": "thinking"}] if think else []


# --- messages and blocks ----------------------------------------------------------------------------------------------


def blocks(content: Any) -> list[Block]:
    """The content of a message, of a result or of the system prompt as a list of blocks."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def text_of(content: Any) -> str:
    """The text in it."""
    if isinstance(content, str):
        return content
    return "\n".join([str(block.get("text", "")) for block in blocks(content) if block.get("type") == "text"])


def words_of(content: Any) -> str:
    """The text in it without the reminders and summaries that clients put into what the user said."""
    text = text_of(content)
    return (ASIDE.sub("", text) if "<s" in text else text).strip()


def joined(messages: Any) -> list[dict[str, Any]]:
    """Messages as the API reads them: neighbours of one role as one, strings as text blocks."""
    found: list[dict[str, Any]] = []
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict):
            continue
        content = blocks(message.get("content"))
        if found and found[-1]["role"] == message.get("role"):
            found[-1]["content"] += content
        else:
            found.append({"role": message.get("role"), "content": list(content)})
    return found


def blocks_of(body: dict[str, Any], role: str, kind: str) -> Iterator[Block]:
    """The blocks of one type in all messages of one role."""
    for message in body.get("messages") or []:
        if isinstance(message, dict) and message.get("role") == role:
            yield from (block for block in blocks(message.get("content")) if block.get("type") == kind)


# --- a conversation ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Call:
    """One tool_use block and the result that answered it (`result` is None while there is none).

    `image`: the result holds one, which nobody here can see.
    """

    name: str
    input: dict[str, Any]
    id: str = ""
    result: str | None = None
    is_error: bool = False
    image: bool = False


@dataclass(slots=True)
class Turn:
    """One prompt, the calls it led to, how many replies asked for them, and the last text that answered it."""

    prompt: str
    calls: list[Call] = field(default_factory=list)
    rounds: int = 0
    answer: str = ""


class Talk:
    """The view of one valid request. Nothing in it is changed by a player.

    body      the request
    messages  its messages, joined as the API reads them
    system    the text of the system prompt, messages of role "system" included
    tools     those that the client runs: {"get_weather": {"name": ..., "description": ..., "input_schema": ...}}
    deferred  the names of those that may not be called, as they have not been loaded
    earlier   the turns before the last prompt, oldest first
    last      the turn that the last prompt began
    opening   the first prompt of the conversation, as it was sent
    prompt    what the user said last; words sent along with tool results are added to it
    calls     the calls since that prompt, oldest first
    rounds    how many replies since that prompt asked for tools
    aside     words sent along with tool results since: a remark on the work, or a new prompt after a stop
    choice    "auto", "any", "tool" or "none"; `forced` is the tool's name if it is "tool"
    """

    def __init__(self, body: dict[str, Any], turns: list[Turn] | None = None) -> None:
        self.body = body
        self.messages = joined(body["messages"])
        said = [body.get("system"), *[m["content"] for m in self.messages if m["role"] == "system"]]
        self.system = "\n".join([text for part in said if part and (text := text_of(part))])
        offered = [tool for tool in map(described, body.get("tools") or ()) if "input_schema" in tool]
        waiting = {tool["name"] for tool in offered if tool.get("defer_loading")}
        self.deferred = waiting - _loaded(self.messages) if waiting else waiting
        self.tools: dict[str, dict[str, Any]] = {t["name"]: t for t in offered if t["name"] not in self.deferred}
        choice = body.get("tool_choice") or {}
        self.choice: str = choice.get("type", "auto")
        self.forced: str = choice.get("name", "")
        self.parallel = not choice.get("disable_parallel_tool_use")
        self.aside, self._before = "", (0, 0)  # how many calls and rounds there were before the aside
        self.opening = ""
        *self.earlier, last = turns or self._turns()
        self.last = last
        self.prompt, self.calls, self.rounds = last.prompt, last.calls, last.rounds

    @property
    def image(self) -> bool:
        """Whether there is an image in the last prompt."""
        return bool(self.messages) and any(block["type"] == "image" for block in self.messages[-1]["content"])

    def asking(self, prompt: str) -> "Talk":
        """The same with another prompt in place of the last."""
        return Talk(self.body, [*self.earlier, Turn(prompt, self.calls, self.rounds)])

    def summarized(self) -> list[str]:
        """The lines of the summaries that were sent in place of what was said."""
        texts = [text_of(message["content"]) for message in self.messages if message["role"] == "user"]
        found = [match[0] for text in texts for match in ASIDE.finditer(text) if match[1] == "summary"]
        return [line for told in found for line in re.sub("</?summary>", "", told).splitlines() if line.strip()]

    def fresh(self) -> "Talk":
        """The same, with the aside as a prompt of its own."""
        calls, rounds = self._before
        last = Turn(self.prompt.removesuffix(self.aside).rstrip(), self.calls[:calls], rounds)
        return Talk(self.body, [*self.earlier, last, Turn(self.aside, self.calls[calls:], self.rounds - rounds)])

    def alone(self) -> "Talk":
        """The same without the aside."""
        last = Turn(self.prompt.removesuffix(self.aside).rstrip(), self.calls, self.rounds)
        return Talk(self.body, [*self.earlier, last])

    def _turns(self) -> list[Turn]:
        turns: list[Turn] = []
        calls: dict[str, Call] = {}
        for message in self.messages:
            content = message["content"]
            if message["role"] == "assistant" and turns:
                found = [Call(b["name"], b["input"], b["id"]) for b in content if b["type"] == "tool_use"]
                calls |= {call.id: call for call in found}
                turns[-1].calls += found
                turns[-1].rounds += bool(found)
                turns[-1].answer = text_of(content) or turns[-1].answer
            elif message["role"] == "user":
                results = [block for block in content if block["type"] == "tool_result"]
                for block in results:
                    if call := calls.get(block["tool_use_id"]):
                        told = block.get("content")
                        call.result, call.is_error = text_of(told), bool(block.get("is_error"))
                        call.image = isinstance(told, list) and any(part["type"] == "image" for part in told)
                words = words_of(content) if len(results) < len(content) else ""
                if results and turns and words:
                    self.aside, self._before = words, (len(turns[-1].calls), turns[-1].rounds)
                    turns[-1].prompt += "\n" + words
                elif words or not turns:
                    self.aside = ""
                    self.opening = self.opening or words
                    turns.append(Turn(words))
        return turns or [Turn("")]


def _loaded(messages: list[dict[str, Any]]) -> set[str]:
    """The names of deferred tools that a search has brought into the conversation.

    They stand in blocks of type tool_reference, in a result of the client's or of the API's own search:
    https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
    """
    found = set()
    for message in messages:
        for block in message["content"]:
            content = block.get("content")
            inner = content.get("tool_references") if isinstance(content, dict) else content
            found |= {part.get("tool_name") for part in blocks(inner) if part.get("type") == "tool_reference"}
    return {name for name in found if isinstance(name, str)}
