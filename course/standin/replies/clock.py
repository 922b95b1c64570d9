"""The clock scene: the weather and the time of day, asked for in one prompt, each with its cities."""

# Patterns stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re
from typing import Any

from . import schema, weather
from .answers import Reply, ask_for, say
from .conversation import Conversation
from .reports import report

TOOL = re.compile(r"time|clock|uhr|时间", re.IGNORECASE)
ASKED = re.compile(
    r"\b(?:what time|the time|local time|how late|uhrzeit|wie spät|wie viel uhr)\b|几点|时间", re.IGNORECASE
)
PARTS = re.compile(r"[,，、;；.。?？!！]|\b(?:and|und|as well as|sowie)\b|和|以及|还有", re.IGNORECASE)


def fits(conversation: Conversation) -> bool:
    """Whether there is a tool for the weather and one for the time in a city, and the prompt wants both."""
    words = ASKED.sub(" ", conversation.words)
    return (
        not conversation.forced
        and ASKED.search(conversation.words) is not None
        and weather.TOPIC.search(words) is not None
        and None not in _tools(conversation)
    )


def _tools(conversation: Conversation) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    def takes_city(tool: dict[str, Any]) -> bool:
        root = tool["input_schema"]
        return any(map(weather.PLACE.search, schema.properties_of(schema.resolve(root, root))))

    of_weather = weather.tool_of(conversation)
    of_time = (tool for name, tool in conversation.tools.items() if TOOL.search(name) and takes_city(tool))
    return of_weather, next((tool for tool in of_time if tool is not of_weather), None)


def play(conversation: Conversation) -> Reply | None:
    """Ask for both, each for the cities it was asked about; a question that names none is about the other's."""
    tools = _tools(conversation)
    everywhere = list(weather.places(conversation.words))
    cities: tuple[list[str], list[str]] = ([], [])  # for the weather, for the time
    asked: list[int] = []
    for part in PARTS.split(conversation.words):
        about = [i for i, topic in enumerate((weather.TOPIC, ASKED)) if topic.search(part)]
        asked = about or asked
        for i in asked:
            cities[i].extend(city for city in everywhere if city in weather.places(part) and city not in cities[i])
    calls = [
        (tool["name"], weather.input_of(tool, city, conversation))
        for tool, named in zip(tools, cities, strict=True)
        if tool
        for city in named or everywhere
    ]
    if not calls:
        return None
    done = [(call.name, call.input) for call in conversation.calls]
    todo = [call for call in calls if call not in done]
    return ask_for(todo) if todo else say(report(conversation))
