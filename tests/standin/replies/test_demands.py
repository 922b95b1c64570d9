"""What programs other than the lessons need to come to an end: each rule with the request that showed it."""

import json

import pytest

from course.standin.core import handle
from course.standin.replies import play as player
from course.standin.talk import Talk

from .loop import HEADERS, ask, play
from .toolsets import SETS, tool

MODEL = "claude-haiku-4-5"
WEATHER = [tool("get_weather", "Get the weather in a city", city={"type": "string"})]
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
FORM = {"name": "Person", "description": "About a person", "input_schema": PERSON}


def request(*messages, **more):
    """A request of user and assistant messages in turn; a text is the user's, a list of blocks is as it is."""
    said = [{"role": ("user", "assistant")[n % 2], "content": content} for n, content in enumerate(messages)]
    return {"model": MODEL, "max_tokens": 2000, "messages": said, **more}


def called(name, result, is_error=False, id="toolu_1", **given):
    """A call and its result, as two messages."""
    return (
        [{"type": "tool_use", "id": id, "name": name, "input": given}],
        [{"type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error}],
    )


def calls(body):
    return [(block["name"], block["input"]) for block in ask(body)["content"] if block["type"] == "tool_use"]


def text(body):
    return ask(body)["content"][-1]["text"]


def formatted(schema):
    return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}


def test_1_the_values_of_a_demanded_form_are_read_from_prompt_results_and_prompts_before():
    forced = {"tools": [FORM], "tool_choice": {"type": "tool", "name": "Person"}}
    ada = [("Person", {"name": "Ada", "age": 36})]
    assert calls(request("Extract: Ada is 36", **forced)) == ada
    assert calls(request("Ada is 36", "I see.", "You must format the previous response.", **forced)) == ada
    looked = called("look_up", "Ada, 36")
    tools = {**forced, "tools": [FORM, tool("look_up", "Looks up", id={"type": "string"})]}
    assert calls(request("Look up C1", *looked, **tools)) == ada


def test_2_a_form_that_was_promised_is_kept_whatever_tools_there_are():
    body = request("Extract: Ada is 36", tools=WEATHER, **formatted(PERSON))
    assert json.loads(text(body)) == {"name": "Ada", "age": 36}
    report = {"type": "object", "properties": {"temperature": {"type": "number"}}, "required": ["temperature"],
              "additionalProperties": False}  # fmt: skip
    body = request("What's the weather in Oslo?", *called("get_weather", "23F, snow", city="Oslo"), tools=WEATHER,
                   **formatted(report))  # fmt: skip
    assert json.loads(text(body)).keys() == {"temperature"}


@pytest.mark.parametrize("name", ["final_answer", "final_result", "final_output", "structured_output", "json"])
def test_3_a_tool_that_takes_the_answer_gets_it_once(name):
    tools = [*WEATHER, tool(name, "The answer", answer={"type": "string"})]
    functions = {**SETS["weather"][1], name: lambda answer: "ok"}
    for choice in ("auto", "any"):
        body = request("What's the weather in Oslo?", *called("get_weather", "23F, snow", city="Oslo"), tools=tools,
                       tool_choice={"type": choice})  # fmt: skip
        assert calls(body) == [(name, {"answer": "It's 23F and snowing in Oslo."})]
    assert play("What's the weather in Oslo?", (tools, functions)).stop_reason == "end_turn"


def test_4_a_tool_that_is_only_named_is_searched_for_then_called():
    search = tool("ToolSearch", "Loads tools", query={"type": "string"})
    reminder = "<system-reminder>\nLoad these with ToolSearch:\nWebFetch\nmcp__w__get_weather\n</system-reminder>"
    body = request(f"{reminder}\nWhat should I wear in Oslo?", tools=[search])
    assert calls(body) == [("ToolSearch", {"query": "select:mcp__w__get_weather"})]


def test_4_a_deferred_tool_is_not_called_before_it_was_loaded():
    deferred = {**WEATHER[0], "defer_loading": True}
    search = tool("ToolSearch", "Loads tools", query={"type": "string"})
    prompt = "What's the weather in Oslo?"
    assert calls(request(prompt, tools=[search, deferred])) == [("ToolSearch", {"query": "select:get_weather"})]
    other = tool("set_timer", "Sets a timer", minutes={"type": "integer"})
    assert calls(request(prompt, tools=[other, deferred])) == []
    loaded = called("ToolSearch", [{"type": "tool_reference", "tool_name": "get_weather"}], query="weather")
    assert calls(request(prompt, *loaded, tools=[search, deferred])) == [("get_weather", {"city": "Oslo"})]


def test_5_a_schema_in_the_system_prompt_is_the_form():
    system = "Always respond with a JSON object that fits this schema:\n" + json.dumps(PERSON)
    assert json.loads(text(request("Extract: Ada is 36", system=system))) == {"name": "Ada", "age": 36}


def test_6_a_paragraph_about_the_form_of_the_answer_asks_for_nothing():
    prompt = (
        "What's the weather in Oslo?\n\nYou must return the actual complete content as the final answer, not a summary."
    )
    assert calls(request(prompt, tools=WEATHER)) == [("get_weather", {"city": "Oslo"})]


def test_7_the_apis_own_client_tools_are_tools():
    body = request("List all Python files", tools=[{"type": "bash_20250124", "name": "bash"}])
    assert [name for name, _ in calls(body)] == ["bash"]


def test_8_results_that_come_as_text_are_results():
    tools = [*WEATHER, tool("final_answer", "The answer", answer={"type": "string"})]
    for told in ("Observation:\nsunny, 25C", "Call id: call_1\nError:\nno such city\nNow let's retry"):
        body = request("Weather in Oslo?", "Calling tools: get_weather('Oslo')", told, tools=tools,
                       tool_choice={"type": "any"})  # fmt: skip
        assert [name for name, _ in calls(body)] == ["final_answer"]
    assert text(request("Weather in Oslo?", "Action: get_weather", "Observation: sunny", tools=WEATHER)) == "sunny"


def test_9_a_list_has_an_object_for_each_clause():
    people = {
        "type": "object",
        "properties": {"people": {"type": "array", "items": PERSON}},
        "required": ["people"],
        "additionalProperties": False,
    }
    body = request("Ada is 36, Bob is 41", **formatted(people))
    assert json.loads(text(body)) == {"people": [{"name": "Ada", "age": 36}, {"name": "Bob", "age": 41}]}


@pytest.mark.parametrize("result", [("23F, snow", False), ("station offline", True)])
def test_10_a_demanded_call_always_comes_and_goes_to_a_tool_not_yet_called(result):
    tools = [*WEATHER, tool("note", "Writes down", text={"type": "string"})]
    body = request("What's the weather in Oslo?", *called("get_weather", *result, city="Oslo"), tools=tools,
                   tool_choice={"type": "any"})  # fmt: skip
    assert [name for name, _ in calls(body)] == ["note"]
    forced = {**body, "tool_choice": {"type": "tool", "name": "get_weather"}}
    assert [name for name, _ in calls(forced)] == ["get_weather"]
    again = [message for n in range(6) for message in called("note", "ok", id=f"toolu_{n + 2}", text="x")]
    assert calls({**body, "messages": body["messages"] + request("", *again)["messages"][1:]})


@pytest.mark.parametrize("model", ["claude-opus-5", "claude-sonnet-5", "claude-sonnet-4-6"])
def test_10_a_demanded_call_comes_without_a_thinking_block_on_these_models(model):
    body = request("What's the weather in Oslo?", tools=WEATHER, tool_choice={"type": "any"})
    assert [block["type"] for block in ask({**body, "model": model})["content"]] == ["tool_use"]


def test_11_quotes_around_the_whole_prompt_are_none():
    assert calls(request('"What is the weather in Oslo?"', tools=WEATHER)) == [("get_weather", {"city": "Oslo"})]


def test_12_a_result_is_said_when_its_tool_is_no_longer_on_offer():
    other = [tool("note", "Writes down", text={"type": "string"})]
    body = request("What's the weather in Oslo?", *called("get_weather", "23F, snow", city="Oslo"), tools=other)
    assert "23F, snow" in text(body)


@pytest.mark.parametrize("prompt", ["hallo", "Hallo!", "hi", "你好"])
def test_13_a_greeting_runs_no_command(prompt):
    shell = [tool("bash", "Runs a command", command={"type": "string"})]
    assert calls(request(prompt, tools=shell)) == []


def test_14_what_is_said_is_true():
    assert "stand-in" in text(request("Who are you?"))
    assert "no tools" in text(request("hi"))
    server = text(request("hi", tools=[{"type": "web_search_20250305", "name": "web_search"}]))
    assert "no tools" not in server and "runs in your program" in server
    image = {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}
    assert "Bilder kann ich nicht sehen" in text(
        request([image, {"type": "text", "text": "Was siehst du auf dem Bild?"}])
    )


def test_tool_choice_none_calls_nothing():
    said = text(request("What's the weather in Oslo?", tools=WEATHER, tool_choice={"type": "none"}))
    assert "I would call get_weather" in said


@pytest.mark.parametrize("tools", ["weather", "calendar", "shop", "office", "arithmetic"])
@pytest.mark.parametrize("prompt", ["Hello", "What should I wear in Austin today?", "Danke!"])
def test_any_calls_a_tool_with_an_input_that_its_schema_takes(tools, prompt):
    with pytest.raises(AssertionError, match="no end"):  # a call always comes
        play(prompt, tools, tool_choice={"type": "any"}, turns=3)


def test_calls_that_bring_nothing_new_come_to_an_end():
    history = [message for n in range(2) for message in called("get_weather", "x", id=f"toolu_{n}", city="Oslo")]
    body = request("What's the weather in Oslo?", *history, tools=WEATHER)
    assert ask(body)["stop_reason"] == "end_turn"


def test_a_mistake_of_a_player_is_a_500_with_its_traceback_on_stderr(capsys):
    def play(talk):
        raise ZeroDivisionError("in the scene")

    raw = json.dumps(request("hi")).encode()
    response = handle("POST", "/v1/messages", HEADERS, raw, play=play)
    error = json.loads(b"".join(response.chunks))
    assert (response.status, error["error"]["type"]) == (500, "api_error")
    assert "mistake of its own" in error["error"]["message"]
    assert "ZeroDivisionError: in the scene" in capsys.readouterr().err


def test_a_player_is_found_by_the_first_prompt(monkeypatch):
    from course.standin import replies
    from course.standin.talk import say

    monkeypatch.setattr(
        replies, "finders", [lambda talk: (lambda talk: say("found")) if talk.opening == "open" else None]
    )
    assert player(Talk(request("open", "ok", "go on"))).text == "found"
    assert player(Talk(request("shut"))).text != "found"
