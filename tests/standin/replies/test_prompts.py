"""Every kind of prompt that the stand-in is said to understand, played through a real loop over the core."""

import tomllib
from importlib import resources

import pytest

from .loop import play
from .toolsets import SYSTEM

TABLE = tomllib.loads(resources.files("course.standin.replies").joinpath("prompts.toml").read_text(encoding="utf-8"))
PROMPTS = TABLE["prompts"]


@pytest.mark.parametrize("entry", PROMPTS, ids=[f"{e['scene']}-{e['language']}-{e['prompt'][:40]}" for e in PROMPTS])
def test_prompt_leads_to_its_calls_and_answer(entry):
    more = {"system": SYSTEM} if entry.get("today") else {}
    played = play(entry["prompt"], entry["tools"], **more)
    assert played.rounds == entry["calls"]
    assert played.stop_reason == "end_turn"
    for words in entry["answer"]:
        assert words in played.text


def test_each_scene_has_prompts_in_each_language():
    found = {(entry["scene"], entry["language"]) for entry in PROMPTS}
    assert found >= {
        (scene, language) for scene in ("weather", "calendar", "general") for language in ("en", "zh", "de")
    }


@pytest.mark.parametrize("entry", PROMPTS, ids=[f"{e['scene']}-{e['language']}-{e['prompt'][:40]}" for e in PROMPTS])
def test_prompt_without_parallel_calls_gets_one_call_at_a_time(entry):
    more = {"system": SYSTEM} if entry.get("today") else {}
    if entry["tools"] != "none":
        more["tool_choice"] = {"type": "auto", "disable_parallel_tool_use": True}
    played = play(entry["prompt"], entry["tools"], turns=20, **more)
    assert all(len(calls) == 1 for calls in played.rounds)
    wanted = [call for calls in entry["calls"] for call in calls]
    assert all(call in [c for calls in played.rounds for c in calls] for call in wanted[:1])
    for words in entry["answer"][:1]:
        assert words in played.text


@pytest.mark.parametrize("entry", [e for e in PROMPTS if e["language"] == "en"], ids=lambda e: e["prompt"][:40])
def test_english_answers_use_ascii_punctuation(entry):
    more = {"system": SYSTEM} if entry.get("today") else {}
    assert play(entry["prompt"], entry["tools"], **more).text.isascii()
