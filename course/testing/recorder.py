"""Write a run down as replies, as it happens: `course run s07 --save-replies FILE`."""

import json
from pathlib import Path
from typing import Any

from ..standin.core import handle
from ..standin.notation import Block, Line, write
from ..standin.talk import say
from ..wire import record


class Recorder:
    """An observer of exchanges (course.standin.app) that adds a line to a file for each reply.

    What the stand-in's rules refuse is no line: whoever plays the file meets the rules anyway. Thinking is left out, as
    it is bound to the conversation that it was thought in; so is every credential.

    Raises:
        OSError: the file cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.write_text("", encoding="utf-8")

    def __call__(self, exchange: Any) -> None:
        if exchange.path.partition("?")[0] != "/v1/messages":
            return
        line = _line(record.make(exchange), exchange)
        if line is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(write([line]))


def _line(made: record.Record, exchange: Any) -> Line | None:
    reply, error, status = made["reply"], made["error"], made["status"]
    if status is None:
        return Line(fault="reset")
    if status != 200:
        ruled = handle(exchange.method, exchange.path, exchange.headers, exchange.body, lambda _talk: say())
        if ruled.status != 200:
            return None
        words = [{"type": "text", "text": error["message"]}] if error and error["message"] else []
        return Line(words, status=status) if 400 <= status <= 599 else None
    if reply is None:
        return Line(fault="html" if made["text"] else "cut")
    content = [kept for block in reply["content"] if (kept := _block(block))]
    if error:
        return Line(content, fault="stream_error")
    if not made["complete"]:
        return Line(content, fault="cut")
    return Line(content, reply.get("stop_reason") or "end_turn")


def _block(block: Block) -> Block | None:
    """A block as it is written down; None for one that is left out."""
    kind = block.get("type")
    if kind in ("thinking", "redacted_thinking"):
        return None
    if kind == "text" and not block.get("citations"):
        return {"type": "text", "text": block["text"]} if block.get("text") else None
    if kind == "tool_use":
        return {"type": "tool_use", "name": block["name"], "input": block["input"]}
    return json.loads(json.dumps({name: value for name, value in block.items() if name != "partial_json"}))
