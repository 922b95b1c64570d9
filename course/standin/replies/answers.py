"""The shape of a reply and the two ways to make one."""

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Reply:
    """`content`: blocks {"type": "text", "text"} and {"type": "tool_use", "name", "input"}.

    `stop_reason`: "end_turn" or "tool_use".
    """

    content: list[dict[str, Any]]
    stop_reason: str


def say(text: str) -> Reply:
    """A reply that ends the turn."""
    return Reply([{"type": "text", "text": text}], "end_turn")


def ask_for(calls: list[tuple[str, dict[str, Any]]], text: str = "") -> Reply:
    """A reply that asks for `calls`, (name, input) each, with a sentence before them if `text` is given."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return Reply(content, "tool_use")
