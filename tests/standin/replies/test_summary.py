"""A summary of a conversation, also of one that the prompt holds as JSON; when it comes back it is no prompt."""

import json

import pytest

from course.standin.replies import play
from course.standin.talk import Talk

from .toolsets import tool

WEATHER = tool("get_weather", "Get today's weather in one city.", city="string")
CALL = {"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {"city": "Oslo"}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "Weather in Oslo: 20F, snow"}
HISTORY = [
    {"role": "user", "content": "What should I wear in Oslo today?"},
    {"role": "assistant", "content": [CALL]},
    {"role": "user", "content": [RESULT]},
    {"role": "assistant", "content": [{"type": "text", "text": "Take a\nwarm coat."}]},
]
LINES = ["What should I wear in Oslo today?", "get_weather(city='Oslo')", "Take a warm coat."]


def ask(prompt, before=(), **more):
    return play(Talk({"messages": [*before, {"role": "user", "content": prompt}], **more}))


@pytest.mark.parametrize(
    "prompt, first",
    [
        ("Summarize our conversation so far.", "Asked"),
        ("Write a detailed summary of the conversation, so that somebody else can go on with it.", "Asked"),
        ("Please recap the discussion.", "Asked"),
        ("Fass unser bisheriges Gespräch zusammen.", "Gefragt"),
        ("Schreib eine Zusammenfassung der Unterhaltung.", "Gefragt"),
        ("总结一下我们的对话。", "提问"),
        ("请把以上对话概括成几句话。", "提问"),
    ],
)
def test_of_the_conversation_that_asks(prompt, first):
    said = ask(prompt, HISTORY, tools=[WEATHER])
    lines = said.text.splitlines()
    assert (lines[0], lines[-1], said.stop_reason) == ("<summary>", "</summary>", "end_turn")
    assert lines[1].startswith(first)
    assert len(lines) == 5 and all(part in line for part, line in zip(LINES, lines[1:], strict=False))


@pytest.mark.parametrize(
    "system", ["Put the history into a few words.", "Fasse den Verlauf zusammen.", "压缩这段历史。"]
)
def test_of_a_history_that_the_prompt_holds(system):
    said = ask(json.dumps(HISTORY), system=system).text
    assert all(part in said for part in LINES)
    assert ask("The history so far:\n" + json.dumps(HISTORY) + "\nSummarize it.").text == said


@pytest.mark.parametrize(
    "spoiled",
    ["[{}]", "[{]", "[{" * 9000 + "}]", '[{"role": "user", "content": [1]}]']
    + [json.dumps([{"role": "assistant", "content": [CALL | {name: None}]}]) for name in CALL],
)
def test_json_that_is_no_history_is_not_summarized(spoiled):
    assert "<summary>" not in ask(spoiled, system="Summarize the history.").text


@pytest.mark.parametrize(
    "prompt", ["Summarize the report.", "Summarize the discussion in notes.txt.", "What is a summary?"]
)
def test_other_summaries_are_none_of_its_business(prompt):
    assert "<summary>" not in ask(prompt, HISTORY).text


def test_a_summary_that_comes_back_is_no_prompt():
    summary = ask("Summarize our conversation so far.", HISTORY).text
    said = ask([{"type": "text", "text": f"Before:\n{summary}"}, {"type": "text", "text": "And in Chengdu?"}])
    plain = ask("What should I wear in Chengdu today?", tools=[WEATHER])
    again = ask(f"{summary}\nWhat should I wear in Chengdu today?", tools=[WEATHER])
    assert "Oslo" not in said.text
    assert again.content == plain.content


def test_a_summary_of_a_history_that_begins_with_a_summary_keeps_it():
    history = [{"role": "user", "content": ask("Summarize our conversation so far.", HISTORY).text}, *HISTORY]
    said = ask(json.dumps(history), system="Summarize the history.").text
    assert said.count(LINES[0]) == said.count(LINES[2]) == 2
