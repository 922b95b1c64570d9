"""Inputs satisfy the schema of their tool, whatever it looks like; and no valid request makes a reply fail."""

import fastjsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from course.standin.replies import play as player
from course.standin.replies import schema
from course.standin.replies.words import language_of
from course.standin.talk import Talk

from .loop import DATE_TIME, play
from .toolsets import SYSTEM, tool

SYNC = (
    "Schedule a weekly team standup every Monday at 9am for the next 4 weeks, with ana@example.com and ben@example.com."
)
ZONED = {
    "type": "object",
    "properties": {"dateTime": {"type": "string", "format": "date-time"}, "timeZone": {"type": "string"}},
    "required": ["dateTime", "timeZone"],
    "additionalProperties": False,
}
NESTED = tool(
    "create_event",
    "Create a calendar event.",
    ["summary", "start", "end"],
    summary="string",
    start={"$ref": "#/$defs/Zoned"},
    end={"allOf": [{"$ref": "#/$defs/Zoned"}], "description": "When it ends"},
    attendees={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {"email": {"type": "string", "format": "email"}},
            "required": ["email"],
        },
    },
    recurrence={"type": "array", "items": {"type": "string"}, "description": "RRULE lines"},
)
NESTED["input_schema"]["$defs"] = {"Zoned": ZONED}

CALENDARS = {
    "nested": (
        NESTED,
        {
            "summary": "Team standup",
            "start": {"dateTime": "2026-12-07T09:00:00", "timeZone": "UTC"},
            "end": {"dateTime": "2026-12-07T09:15:00", "timeZone": "UTC"},
            "attendees": [{"email": "ana@example.com"}, {"email": "ben@example.com"}],
        },
    ),
    "date and time apart": (
        tool(
            "schedule_meeting",
            "Schedule a meeting.",
            title="string",
            date="The day, YYYY-MM-DD",
            time="The time, HH:MM",
            duration_minutes="integer",
            participants={"type": "array", "items": {"type": "string"}},
        ),
        {
            "title": "Team standup",
            "date": "2026-12-07",
            "time": "09:00",
            "duration_minutes": 15,
            "participants": ["ana@example.com", "ben@example.com"],
        },
    ),
    "flat repetition, people as text": (
        tool(
            "add_event",
            "Add an event.",
            ["event_name", "start_time", "duration"],
            event_name="string",
            start_time="ISO 8601, e.g. 2026-12-07T09:00:00Z",
            duration={"type": "string", "description": "As in 30 minutes"},
            guests={"anyOf": [{"type": "string"}, {"type": "null"}]},
            repeat={"type": "string", "enum": ["NONE", "DAILY", "WEEKLY"]},
            repeat_count={"type": ["null", "integer"], "minimum": 1},
        ),
        {
            "event_name": "Team standup",
            "start_time": "2026-12-07T09:00:00Z",
            "duration": "15 minutes",
            "guests": "ana@example.com, ben@example.com",
        },
    ),
    "names in camel case, a time of its own, a rule": (
        tool(
            "plan_appointment",
            "Plan an appointment.",
            ["subject", "day", "fromTime", "toTime"],
            subject="string",
            day={"type": "string", "format": "date"},
            fromTime="The time, HH:MM",
            toTime="The time, HH:MM",
            inviteeEmails={"type": "array", "items": {"type": "string"}},
            isAllDay="boolean",
            rrule="As in RRULE:FREQ=DAILY",
        ),
        {
            "subject": "Team standup",
            "day": "2026-12-07",
            "fromTime": "09:00",
            "toTime": "09:15",
            "inviteeEmails": ["ana@example.com", "ben@example.com"],
        },
    ),
}


@pytest.mark.parametrize("kind", CALENDARS)
def test_calendars_of_other_makes(kind):
    definition, wanted = CALENDARS[kind]
    played = play(SYNC, ([definition], {definition["name"]: lambda **given: "ok"}), system=SYSTEM)
    assert played.rounds[0][0] == [definition["name"], wanted]
    assert len(played.rounds[0]) == 4  # none of them can repeat an event in a form that is known here
    assert "Done" in played.text and "ana@example.com" in played.text


@pytest.mark.parametrize(
    "properties, wanted",
    [
        ({"city": "Name der Stadt auf Deutsch"}, {"city": "Oslo"}),
        ({"cities": {"type": "array", "items": {"type": "string"}}}, {"cities": ["Oslo"]}),
        (
            {"place": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
            {"place": {"name": "Oslo"}},
        ),
    ],
)
def test_weather_tools_of_other_makes(properties, wanted):
    definition = tool("weather_lookup", "Look up the weather.", **properties)
    played = play(
        "What should I wear in Oslo tomorrow?", ([definition], {"weather_lookup": lambda **given: "23F, snow"})
    )
    assert played.rounds == [[["weather_lookup", wanted]]]
    assert "23F" in played.text


# Any schema

NAMES = st.sampled_from(
    "city location unit date start end start_time title attendees email emails recurrence count query path "
    "expression a b id order_id amount text options user timezone days when tags".split()
)
SIMPLE = st.one_of(
    st.fixed_dictionaries({"type": st.just("string")}, optional={"description": st.text(max_size=20)}),
    st.fixed_dictionaries(
        {"type": st.just("string"), "format": st.sampled_from(["date-time", "date", "time", "email", "uri"])}
    ),
    st.fixed_dictionaries(
        {"type": st.just("string"), "minLength": st.integers(0, 12), "maxLength": st.integers(12, 40)}
    ),
    st.fixed_dictionaries({"type": st.just("string"), "enum": st.lists(st.text(max_size=5), min_size=1, max_size=3)}),
    st.fixed_dictionaries({"type": st.just("integer"), "minimum": st.integers(-5, 5), "maximum": st.integers(6, 90)}),
    st.fixed_dictionaries({"type": st.just("integer"), "multipleOf": st.integers(1, 9)}),
    st.just({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}),
    st.just({"type": "boolean"}),
    st.just({"type": ["string", "null"]}),
    st.just({"const": "fixed"}),
    st.just({}),
)


def objects(values):
    def build(properties, required, closed):
        found = {"type": "object", "properties": properties, "required": [n for n in properties if n in required]}
        return found | ({"additionalProperties": False} if closed else {})

    return st.builds(build, st.dictionaries(NAMES, values, max_size=5), st.sets(NAMES), st.booleans())


NESTING = st.recursive(
    SIMPLE,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}, optional={"minItems": st.integers(0, 3)}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.just({"$ref": "#/$defs/Thing"}),
        objects(inner),
    ),
    max_leaves=8,
)
TOOL_NAMES = [
    "get_weather",
    "create_calendar_event",
    "list_events",
    "calculator",
    "get_order",
    "send_email",
    "do_it",
    "search",
]
PROMPTS = [
    SYNC,
    "What should I wear in Oslo and Berlin tomorrow?",
    "明天下午3点安排和mia@example.com开会",
    "Trag morgen um 15 Uhr ein Treffen ein",
    "What is 3 + 4?",
    "Cancel order O1 and email bob@example.com about it",
    "",
    "\ud800 ???",
]


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(
    schemas=st.lists(objects(NESTING), min_size=1, max_size=3),
    names=st.permutations(TOOL_NAMES),
    prompt=st.sampled_from(PROMPTS) | st.text(max_size=60),
    choice=st.sampled_from(["auto", "any", "tool"]),
    results=st.lists(st.tuples(st.text(max_size=30), st.booleans()), max_size=3),
)
def test_inputs_satisfy_any_schema(schemas, names, prompt, choice, results):
    thing = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["name"],
    }
    tools = [
        {"name": name, "description": "", "input_schema": each | {"$defs": {"Thing": thing}}}
        for name, each in zip(names, schemas, strict=False)
    ]
    tool_choice = {"type": choice} | ({"name": tools[0]["name"]} if choice == "tool" else {})
    messages = [{"role": "user", "content": prompt}]
    for text, is_error in [*results, ("", False)]:
        request = {"system": SYSTEM, "messages": messages, "tools": tools, "tool_choice": tool_choice}
        answer = player(Talk(request))
        calls = [block for block in answer.content if block["type"] == "tool_use"]
        for call in calls:
            wanted = next(each["input_schema"] for each in tools if each["name"] == call["name"])
            assert schema.valid(call["input"], wanted, wanted)
            fastjsonschema.compile(wanted, formats={"date-time": DATE_TIME, "time": r"^\d\d:\d\d"})(call["input"])
        if answer.stop_reason == "end_turn":
            assert not calls
            break
        said = [
            block | {"id": f"t{i}"} if block["type"] == "tool_use" else block for i, block in enumerate(answer.content)
        ]
        results_now = [
            {"type": "tool_result", "tool_use_id": block["id"], "content": text, "is_error": is_error}
            for block in said
            if block["type"] == "tool_use"
        ]
        messages = [*messages, {"role": "assistant", "content": said}, {"role": "user", "content": results_now}]


@pytest.mark.parametrize(
    "text, language",
    [
        ("What should I wear in München?", "en"),
        ("Was soll ich morgen in Wien anziehen?", "de"),
        ("Wetter in Berlin?", "de"),
        ("Brauche ich einen Schirm", "de"),
        ("明天在成都穿什么？", "zh"),
        ("帮我和 ana@example.com、ben@example.com 约个会", "zh"),
        ('Translate "你好" into English', "en"),
        ("東京の天気はどうですか", "en"),
        ("", "en"),
    ],
)
def test_language(text, language):
    assert language_of(text) == language


@pytest.mark.parametrize(
    "about",
    [
        {"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": True},
        {"type": "array", "items": {"type": "integer"}, "minItems": 2, "uniqueItems": True},
        {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 2, "uniqueItems": True},
        {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 2},
        {"type": "string", "format": "ipv4"},
        {"type": "string", "format": "hostname"},
    ],
)
def test_a_demanded_call_satisfies_rarer_keywords_too(about):
    what = tool("do_it", "Does it.", what=about)
    asked = {"messages": [{"role": "user", "content": "Do it"}], "tools": [what], "tool_choice": {"type": "any"}}
    (call,) = player(Talk(asked)).content
    fastjsonschema.compile(what["input_schema"])(call["input"])
