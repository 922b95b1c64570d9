"""Which tools of a request keep a calendar, and what their properties stand for."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from . import schema
from .conversation import Call, Conversation

ABOUT_EVENTS = re.compile(
    r"event|meeting|calendar|appointment|schedul|invit|availab|termin|kalender|会议|日程|日历", re.IGNORECASE
)
CREATES = re.compile(
    r"create|add|schedule|book|insert|new|make|plan|set|invite|anlegen|erstell|创建|添加|安排", re.IGNORECASE
)
LISTS = re.compile(r"list|get|find|search|check|show|read|query|view|free|busy|availab|fetch|查", re.IGNORECASE)
CHANGES = re.compile(r"delete|remove|cancel|update|move|change|edit|resched", re.IGNORECASE)

CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
ROLES = (  # what a property of a calendar tool stands for, by its name
    ("reminder", re.compile(r"remind(?!.*(?:text|title|date))|alert|erinner|提醒", re.IGNORECASE)),
    ("timezone", re.compile(r"time_?zone|^tz$", re.IGNORECASE)),
    ("duration", re.compile(r"duration|length|minutes|dauer|时长", re.IGNORECASE)),
    (
        "attendees",
        re.compile(
            r"attendee|participant|invitee|guest|people|e_?mails?$|members|teilnehmer|参会|参与|与会", re.IGNORECASE
        ),
    ),
    ("repeat", re.compile(r"recur|repeat(?!_?count)|rrule|frequency|wiederhol|重复", re.IGNORECASE)),
    ("count", re.compile(r"^count$|occurrences|repeat_?count|repetitions|次数", re.IGNORECASE)),
    ("all_day", re.compile(r"all_?day|ganzt[aä]g|全天", re.IGNORECASE)),
    ("end", re.compile(r"^end|_end$|^(?:until|to|finish|bis)(?:$|_)|time_?max|date_?to|结束", re.IGNORECASE)),
    (
        "start",
        re.compile(
            r"start|begin|^(?:from|when|datetime|date_time|time|von)$|^(?:from|von)_|_time$|^time_|uhrzeit|time_?min|date_?from|beginn|开始",
            re.IGNORECASE,
        ),
    ),
    ("date", re.compile(r"date|day|datum|^tag$|日期", re.IGNORECASE)),
    ("location", re.compile(r"location|place|room|where|^ort$|raum|地点", re.IGNORECASE)),
    ("notes", re.compile(r"desc|notes|body|agenda|details|comment", re.IGNORECASE)),
    ("title", re.compile(r"title|summary|subject|name|topic|what|event|titel|betreff|标题|主题|名称", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that keeps a calendar. `roles`: which property stands for what, {"start": "start_time"}."""

    definition: dict[str, Any]
    roles: dict[str, str]

    @property
    def name(self) -> str:
        return str(self.definition["name"])

    @property
    def root(self) -> schema.Schema:
        return self.definition["input_schema"]

    @property
    def properties(self) -> dict[str, Any]:
        return _properties(self.definition)

    @property
    def required(self) -> list[str]:
        return schema.required_of(self.root)

    def calls(self, conversation: Conversation) -> list[Call]:
        """Return the calls of this tool since the prompt."""
        return [call for call in conversation.calls if call.name == self.name]


def tools_of(conversation: Conversation) -> tuple[Tool | None, Tool | None]:
    """Return the tool that creates events and the one that lists them."""
    creator = lister = None
    for name, definition in conversation.tools.items():
        if CHANGES.search(name) or not ABOUT_EVENTS.search(f"{name} {definition.get('description', '')}"):
            continue
        tool = Tool(definition, _roles(tuple(_properties(definition))))
        has_time = "start" in tool.roles or "date" in tool.roles
        if not creator and CREATES.search(name) and has_time and "title" in tool.roles:
            creator = tool
        elif not lister and LISTS.search(name) and ABOUT_EVENTS.search(name) and has_time:
            lister = tool
    return creator, lister


def _properties(definition: dict[str, Any]) -> dict[str, Any]:
    root = definition["input_schema"]
    return schema.properties_of(schema.resolve(root, root))


@lru_cache(maxsize=256)
def _roles(names: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        plain = CAMEL.sub("_", name)
        role = next((role for role, pattern in ROLES if pattern.search(plain)), "")
        if role:
            found.setdefault(role, name)
    return found
