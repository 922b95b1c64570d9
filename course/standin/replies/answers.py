"""The two ways in which scenes make a reply."""

from typing import Any

from ..talk import Reply


def say(text: str) -> Reply:
    """A reply that ends the turn."""
    return Reply([{"type": "text", "text": text}], "end_turn")


def ask_for(calls: list[tuple[str, dict[str, Any]]], text: str = "") -> Reply:
    """A reply that asks for `calls`, (name, input) each, with a sentence before them if `text` is given."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return Reply(content, "tool_use")
