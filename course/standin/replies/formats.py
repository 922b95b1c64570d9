"""The form that an answer's text is to have: a schema in `output_config.format`, or one that the prompt shows."""

import json
import re
from typing import Any

from . import schema
from .conversation import Conversation

DEMANDED = re.compile(
    r"\b(?:return|respond|reply|answer|output|conform|adhere|match|only|must)\b|\b(?:antworte|gib|nur)\b|返回|回答|输出|只",
    re.IGNORECASE,
)
LONGEST = 50_000  # characters of a prompt in which a schema is looked for
MOST_TRIES = 20  # opening braces at which one may begin


def wanted(body: dict[str, Any], conversation: Conversation) -> dict[str, Any] | None:
    """Return the schema that the answer's text is to follow, or None.

    Besides `output_config.format` this is the older `output_format`, and a schema shown in the system prompt or the
    prompt of a program that asks for JSON.
    """
    if form := (body.get("output_config") or {}).get("format") or body.get("output_format"):
        return form["schema"]
    for text in (conversation.prompt, conversation.system):
        if '"properties"' in text and "json" in text.lower() and DEMANDED.search(text):
            if (found := _shown_in(text[:LONGEST])) is not None:
                return found
    return None


def _shown_in(text: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(MOST_TRIES):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            value, _end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and schema.properties_of(value):
            return value
    return None
