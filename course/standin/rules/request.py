"""What a rule sees (`Request`, `Turn`, `Place`) and what a refused request is answered (`Refusal`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from course import models

Block = dict[str, Any]
Values = dict[str, Any]  # for the placeholders of a rule's message; "variant" picks another template of the entry


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer of the API. `rule` is the catalogue id; `details` goes into `error` beside type and message."""

    rule: str
    status: int
    type: str
    message: str
    details: dict[str, Any] | None = None


class Place(NamedTuple):
    """Where a block stands in the request as it was sent.

    `i` is the message's index and `j` the block's in its own message, before consecutive messages of one role are
    merged: the API reports the places of the client's list (measured by others with claude-opus-5-5 on 2026-10-06).
    For a block inside a tool result `j` is the rest of the path, as in "0.tool_result.content.2".
    """

    i: int
    j: int | str
    role: str


class Turn:
    """Consecutive messages of one role, merged as the API merges them. `blocks` holds (place, block)."""

    __slots__ = ("blocks", "first", "role")

    def __init__(self, role: str, first: int) -> None:
        self.role = role
        self.first = first
        self.blocks: list[tuple[Place, Block]] = []


class Request:
    """A parsed request. `body` is the JSON object, `headers` have lower-case names, `path` may carry a query."""

    __slots__ = ("_size", "_turns", "body", "count_tokens", "headers", "kinds", "model")

    def __init__(
        self,
        body: dict[str, Any],
        headers: Mapping[str, str] | None = None,
        path: str = "/v1/messages",
        size: int | None = None,
    ) -> None:
        """`size` is the body's length in bytes, if known."""
        self.body = body
        self.headers = headers or {}
        self.count_tokens = path.partition("?")[0].endswith("/count_tokens")
        self.model = models.find(body.get("model"))
        self.kinds: set[str] = set()
        self._turns: list[Turn] | None = None
        self._size = size

    def refuses(self, rule: str) -> bool:
        """Whether the request's model is one of those for which this rule holds."""
        return self.model is not None and rule in self.model.refuses

    def has_beta(self, name: str) -> bool:
        """Whether the `anthropic-beta` header names this beta."""
        return name in self.headers.get("anthropic-beta", "")

    @property
    def turns(self) -> list[Turn]:
        """The conversation with consecutive messages of one role merged, without system messages and empty ones.

        Only for requests whose messages have the right types. Fills `kinds` with the types of the blocks in it.
        """
        if self._turns is None:
            self._turns = self._merge()
        return self._turns

    def _merge(self) -> list[Turn]:
        turns: list[Turn] = []
        kinds = self.kinds
        for i, message in enumerate(self.body["messages"]):
            role = message["role"]
            content = message["content"]
            if role == "system" or not content:
                continue
            if turns and turns[-1].role == role:
                turn = turns[-1]
            else:
                turn = Turn(role, i)
                turns.append(turn)
            if type(content) is str:
                kinds.add("text")
                turn.blocks.append((Place(i, 0, role), {"type": "text", "text": content}))
            else:
                for j, block in enumerate(content):
                    kinds.add(block["type"])
                    turn.blocks.append((Place(i, j, role), block))
        return turns

    @property
    def size(self) -> int:
        """The body's length in bytes, or an upper bound of it."""
        if self._size is None:
            self._size = _length(self.body)
        return self._size


def _length(value: Any) -> int:
    """A bound of the length of a value's JSON, without writing it."""
    total = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is str:
            total += 4 * len(item) + 4
        elif type(item) is dict:
            total += sum(4 * len(key) + 8 for key in item)
            waiting.extend(item.values())
        elif type(item) is list:
            total += len(item)
            waiting.extend(item)
        else:
            total += 24
    return total
