"""The form that an answer's text is to have: a schema in `output_config.format` or shown in the prompt, or tags."""

# Patterns stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import copy
import json
import re
from collections.abc import Iterator
from typing import Any

from . import schema
from .conversation import Conversation

DEMANDED = re.compile(
    r"\b(?:return|respond|reply|answer|output|conform|adhere|match|only|must)\b|\b(?:antworte|gib|nur)\b|返回|回答|输出|只",
    re.IGNORECASE,
)
LONGEST = 50_000  # characters of a prompt in which a schema is looked for
LONGEST_WITH_TAGS = 8_000  # characters of a prompt that may ask for tags; longer ones show them for much else
TAGS = re.compile(r"\s*<([A-Za-z_]\w*)>\s*(.{0,2000}?)\s*</\1>", re.DOTALL)
FORM_SHOWN = re.compile(
    r"\b(?:format|xml|tags?|output only|only output|respond(?: only)? with)\b[^<\n]{0,80}\s*(?=<[A-Za-z_]\w*>)",
    re.IGNORECASE,
)
IN_TAGS = re.compile(
    r"\b(?:answers?|responses?|reply|replies|output|translation|result|summary|code|it|them)\b[^.\n<]{0,40} (?:in|inside|within|between|with|using)"
    r" (?:the )?<([A-Za-z_]\w*)>(?: ?(?:and |\.\.\.)? ?</\1>)?",
    re.IGNORECASE,
)
CHOICES = re.compile(r",\s*(?:or\s+)?|\s+or\s+|\s*[|/]\s*")
SELECTS = re.compile(r"select|choice|categor|label|class|intent|route", re.IGNORECASE)
LISTED = re.compile(r"\[((?:['\"][^'\"\]]+['\"],? ?){2,})\]")
MOST_TRIES = 20  # opening braces at which one may begin


def wanted(body: dict[str, Any], conversation: Conversation) -> dict[str, Any] | None:
    """Return the schema that the answer's text is to follow, or None.

    Besides `output_config.format` this is the older `output_format`, and a schema shown in the system prompt or the
    prompt of a program that asks for JSON.
    """
    if form := (body.get("output_config") or {}).get("format") or body.get("output_format"):
        return form["schema"]
    for text in (conversation.prompt, conversation.system):
        if "Action Input" in text:
            continue  # the schema is that of a tool which the program calls by text
        if '"properties"' in text and "json" in text.lower() and DEMANDED.search(text):
            if (found := _shown_in(text[:LONGEST])) is not None:
                return found
    return None


def heard(conversation: Conversation) -> Conversation:
    """Return the conversation without the schema that its words show: that says nothing about the case."""
    plain = copy.copy(conversation)
    for start, end, text in _objects(conversation.words):
        if '"properties"' in text:
            before, after = conversation.words[:start], conversation.words[end:]
            plain.words = before + ("" if before and DEMANDED.search(after) else after)
            break
    return plain


def in_tags(text: str, conversation: Conversation) -> str:
    """Return an answer in the tags that the prompt or a short system prompt asks for: "<evaluation>PASS or FAIL</...>"."""
    for asked in (conversation.words, conversation.system):
        if "<" not in asked or len(asked) > LONGEST_WITH_TAGS:
            continue
        if shown := FORM_SHOWN.search(asked):
            found, at = [], shown.end()
            while match := TAGS.match(asked, at):
                found.append(f"<{match[1]}>{_value(match[1], match[2], text, asked)}</{match[1]}>")
                at = match.end()
            if found:
                return "\n".join(found)
        if match := IN_TAGS.search(asked):
            return f"<{match[1]}>{text}</{match[1]}>"
    return text


def _value(tag: str, shown: str, text: str, asked: str) -> str:
    """Return what is to stand in a tag: one of the choices shown there or listed, tags as they are, or the text."""
    choices = CHOICES.split(shown.strip(" [].{}"))
    if len(choices) > 1 and all(re.fullmatch(r"[\w-]{1,30}", choice) for choice in choices):
        return choices[0]
    if SELECTS.search(tag) and (listed := LISTED.search(asked)):
        return max(re.findall(r"[\"']([^\"']+)", listed[1])[::2], key=asked.lower().count)
    return shown if "<" in shown else text


def _objects(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the beginning, the end and the text of the JSON objects in a text, those inside others too."""
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(MOST_TRIES):
        start = text.find("{", start + 1)
        if start < 0:
            return
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        yield start, end, text[start:end]


def _shown_in(text: str) -> dict[str, Any] | None:
    values = (json.loads(found) for _, _, found in _objects(text))
    return next((value for value in values if schema.properties_of(value)), None)
