"""Calls typed as a prompt are played to the letter."""

import fastjsonschema
import pytest

from .loop import ask, play
from .toolsets import ASSISTANT, SETS, SYSTEM, choice, tool

WEATHER = SETS["weather"][0]


def typed(prompt, *results, tools=WEATHER, before=(), **more):
    """The blocks of the reply to a prompt, after replies that were answered with these results."""
    messages = [*before, {"role": "user", "content": prompt}]
    for result in results:
        content = typed_message(messages, tools, **more)["content"]
        calls = [block for block in content if block["type"] == "tool_use"]
        messages += [
            {"role": "assistant", "content": content},
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": block["id"],
                        "content": result,
                        "is_error": "Error" in result,
                    }
                    for block in calls
                ],
            },
        ]
    blocks = typed_message(messages, tools, **more)["content"]
    return [(block["name"], block["input"]) if block["type"] == "tool_use" else block.get("text") for block in blocks]


def typed_message(messages, tools, **more):
    return ask({"model": "claude-haiku-4-5", "max_tokens": 900, "messages": messages, "tools": tools, **more})


OSLO, ROME = ("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"})


def test_calls_side_by_side_and_one_after_the_other():
    assert typed("get_weather(city='Oslo') get_weather(city='Rome')") == [OSLO, ROME]
    for prompt in (
        "get_weather(city='Oslo'); get_weather(city='Rome')",
        "get_weather(city='Oslo')\nget_weather(city='Rome')",
    ):
        assert typed(prompt) == [OSLO]
        assert typed(prompt, "23F") == [ROME]


def test_in_the_end_a_text_that_was_typed_or_what_came_back():
    assert typed("get_weather(city='Oslo'); 'Cold.'", "23F") == ["Cold."]
    assert typed("'I will look.' get_weather(city='Oslo')") == ["I will look.", OSLO]
    assert typed("get_weather(city='Oslo')", "23F, snow") == ["get_weather: 23F, snow"]
    assert typed("get_weather(city='Oslo')", "Error: offline") == ["That did not work: Error: offline"]


def test_wrong_arguments_and_unknown_tools_are_played_too():
    assert typed("get_weather(town=3)") == [("get_weather", {"town": 3})]
    assert typed("get_wether(city='Oslo')") == [("get_wether", {"city": "Oslo"})]


def test_one_call_a_reply_where_no_more_are_allowed():
    alone = {"type": "auto", "disable_parallel_tool_use": True}
    prompt = "get_weather(city='Oslo') get_weather(city='Rome')"
    assert typed(prompt, tool_choice=alone) == [OSLO]
    assert typed(prompt, "23F", tool_choice=alone) == [ROME]


def test_chinese_brackets_and_quotes():
    assert typed("get_weather（city=‘成都’）") == [("get_weather", {"city": "成都"})]


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("What should I wear in Oslo?", "Line 1, column 18: write 'Oslo' in single quotes"),
        ("Was soll ich heute in Oslo anziehen?", "Zeile 1, Spalte 18"),
        ("今天在成都穿什么？", "第 1 行第 18 列"),
    ],
)
def test_a_slip_is_explained_in_the_conversations_language(before, words):
    (text,) = typed("get_weather(city=Oslo)", before=play(before).messages)
    assert words in text


def test_the_language_of_a_first_slip_is_that_of_the_words_around_it():
    tools = [{**WEATHER[0], "description": "Das Wetter in einer Stadt"}]
    (text,) = typed("get_weather(city=Oslo)", tools=tools, system="Du hilfst beim Packen.")
    assert text.startswith("Zeile 1")


NESTED = {
    "type": "object",
    "properties": {"x": {"type": "number", "minimum": 20}, "tags": {"type": "array", "items": choice("a", "b")}},
    "required": ["x", "tags"],
}
ODD = [
    tool("ping", "Ping."),
    tool("add_note", "Add a note.", text="string"),
    tool("add_notes", "Add notes.", notes={"type": "array", "items": {"type": "string"}, "minItems": 2}),
    tool("roll", "Roll dice.", sides={"type": "integer", "minimum": 2, "maximum": 6}, fair={"type": "boolean"}),
    tool("paint", "Paint.", city=choice("red", "it's blue", 'a "b"'), command="integer", title="array"),
    tool("draw", "Draw.", point=NESTED, points={"type": "array", "items": NESTED, "minItems": 1}),
    tool("point", "Point.", at={"$ref": "#/$defs/Point"}),
    tool("odd_names", "Odd names.", **{"first name": "string", "größe": "integer", "$top": {"type": "null"}}),
    tool("code", "Take a code.", code={"type": "string", "pattern": "^[A-Z]{3}-\\d{3}$"}, lines={"const": "a\nb\\"}),
    tool("missing", "Needs what it does not describe.", ["ghost"]),
    tool("when", "When.", **dict.fromkeys(("start", "end"), {"type": "string", "format": "date-time"})),
]  # fmt: skip
ODD[6]["input_schema"]["$defs"] = {"Point": NESTED}


@pytest.mark.parametrize("prompt", ["Please paint me a picture", "Mal mir bitte ein Bild", "请给我画一幅画"])
@pytest.mark.parametrize("one", ODD, ids=[each["name"] for each in ODD])
def test_the_line_to_type_is_right_for_any_schema_and_plays(one, prompt):
    line = play(prompt, ([one], {})).text.splitlines()[-1]
    calls = []
    played = play(line, ([one], {one["name"]: lambda **given: calls.append(given) or "done"}))
    assert len(played.rounds) == len(calls) == 1 and "done" in played.text
    fastjsonschema.compile(one["input_schema"], formats={"date-time": ".*T"})(calls[0])
    assert all(name in calls[0] for name in one["input_schema"]["required"])


@pytest.mark.parametrize("tools", ["weather", "event", "calendar", "shop", "office", "arithmetic"])
def test_the_calls_that_help_shows_can_be_typed(tools):
    told = play("Please translate this book", tools, system=SYSTEM).text.splitlines()
    names = [tool["name"] for tool in SETS[tools][0]]
    shown = [line for line in told if line.split("(")[0] in names]
    assert shown and '"' not in "".join(shown).replace('{"', "")
    for line in shown:
        played = play(line, tools, system=SYSTEM)
        assert played.rounds[0][0][0] == line.split("(")[0]


def test_what_only_begins_like_a_call_is_a_prompt():
    assert play("Set a timer (for 12 minutes)", (ASSISTANT, {"set_timer": lambda minutes: "ok"})).rounds
    assert not typed("get_weather is a tool (I think)")[0] == OSLO
