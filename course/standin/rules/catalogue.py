"""The catalogue of refusals (catalogue.json): texts, status and evidence of each rule. The rules themselves are
code.
"""

import base64
import json
import re
import struct
import zlib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from course.standin import ids
from course.standin.rules.request import Refusal


@cache
def load() -> dict[str, Any]:
    """The whole catalogue: {"meta": {...}, "errors": [entry, ...]}. Its own `meta` says what the keys mean."""
    return json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8"))


@cache
def entries() -> dict[str, dict[str, Any]]:
    """The entries by id."""
    return {entry["id"]: entry for entry in load()["errors"]}


def sentences(entry: dict[str, Any]) -> list[str]:
    """The templates of an entry, the usual one first."""
    return [entry["message"], *entry.get("variants", {}).values()]


_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def refusal(rule: str, /, **values: Any) -> Refusal:
    """The refusal of one rule, with its message's {placeholders} filled. `variant` picks another of its templates,
    `details` is what the error carries beside its message.

    Raises KeyError for a rule that the catalogue does not have; a placeholder without a value stays as it is.
    """
    entry = entries()[rule]
    variant = values.pop("variant", None)
    details = values.pop("details", None)
    template = entry["variants"][variant] if variant else entry["message"]
    # One pass, so that a value which looks like a placeholder stays what it is.
    message = _PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), template)
    return Refusal(rule, entry["status"], entry["type"], message, details)


def example(rule: str) -> dict[str, Any]:
    """A request that the rule refuses: {"body": dict} or {"raw": str}, and perhaps {"headers": {name: value or
    None}}.

    Where the catalogue has a string in <angle brackets>, the value that it stands for is put in. Signatures are the
    stand-in's own, so the API would answer their examples otherwise.
    """
    made = deepcopy(entries()[rule]["example"])
    body = made.get("body")
    if body is not None:
        made["body"] = _fill(body, body)
    return made


def _fill(value: Any, body: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _fill(item, body) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, body) for item in value]
    maker = _MAKERS.get(value) if isinstance(value, str) else None
    return maker(body) if maker else value


def png(width: int, height: int) -> bytes:
    """A black PNG of this size in pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\0" * ((width + 7) // 8)) * height)
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _signature(body: dict[str, Any]) -> str:
    """A signature for an empty thinking block in this conversation's first assistant message."""
    first = next(i for i, message in enumerate(body["messages"]) if message["role"] == "assistant")
    return ids.sign("", ids.conversation({**body, "messages": body["messages"][:first]}))


_MAKERS = {
    "<200001+ tokens>": lambda body: "word " * 200_001,
    "<150000 tokens>": lambda body: "words " * 100_000,
    "<33 MB>": lambda body: "x" * (33 * 1024 * 1024),
    "<5242881 bytes>": lambda body: base64.b64encode(png(1, 1) + b"\0" * (5_242_881 - len(png(1, 1)))).decode(),
    "<1x1 png>": lambda body: base64.b64encode(png(1, 1)).decode(),
    "<8001x1 png>": lambda body: base64.b64encode(png(8001, 1)).decode(),
    "<valid>": _signature,
    "<valid, other prefix>": lambda body: _signature({**body, "system": "as it was before"}),
}
