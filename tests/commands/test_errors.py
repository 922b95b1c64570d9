"""`course errors`: what the page of errors says about one of them, for those who do not have the site open."""

import json
import re
import textwrap

import pytest

from course.site import labels
from course.standin.core import handle
from course.standin.rules import catalogue, hints, lookup
from tests.commands.test_cli import LANGUAGES, course


@pytest.mark.parametrize("lang", LANGUAGES)
def test_message_mistake_cure_and_how_sure_it_is(lang):
    run = course("errors", "tool_use_without_result", lang=lang)
    assert (run.returncode, run.stderr) == (0, "")
    advice = hints.advice(lang)["tool_use_without_result"]
    assert catalogue.entries()["tool_use_without_result"]["message"] in run.stdout
    assert advice["mistake"] in run.stdout and advice["cure"] in run.stdout
    assert labels.label(lang, "confidence_high") in run.stdout
    page = "" if lang == "en" else f"{lang}/"
    assert f"http://127.0.0.1:8000/{page}errors/#tool_use_without_result" in run.stdout


def test_the_page_of_a_site_that_is_up():
    out = course("errors", "max_tokens_missing", COURSE_SITE="https://example.org/course").stdout
    assert out.endswith("The page: https://example.org/course/errors/#max_tokens_missing\n")


def test_what_the_stand_in_does_not_enforce_is_said():
    name = next(name for name, entry in catalogue.entries().items() if entry["enforce"] is False)
    assert labels.label("en", "not_enforced") in course("errors", name).stdout


def test_alone_it_lists_all_names():
    assert course("errors").stdout.split() == list(catalogue.entries())


# --- By the message

WITHOUT = (
    "messages.{i}: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01Abc. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
ENFORCED = [name for name, entry in catalogue.entries().items() if entry["enforce"] is True]


def refused(rule):
    """(the rule that refuses the example, the error that comes back)"""
    example = catalogue.example(rule)
    headers = {"authorization": "Bearer x", "anthropic-version": "2026-10-21", **(example.get("headers") or {})}
    if "x-api-key" in headers:
        del headers["authorization"]
    raw = example["raw"] if "raw" in example else json.dumps(example["body"])
    response = handle("POST", "/v1/messages", {k: v for k, v in headers.items() if v is not None}, raw.encode())
    return response.rule, json.loads(b"".join(response.chunks))


def names(text):
    return [sentence.entry["id"] for sentence in lookup.find(text)]


@pytest.mark.parametrize("rule", ENFORCED)
def test_every_refusal_is_found_by_its_message_however_it_is_pasted(rule):
    by, answer = refused(rule)
    message = answer["error"]["message"]
    wrapped = "\n".join(textwrap.wrap(message, 40, break_long_words=False, break_on_hyphens=False))
    eaten = re.sub("[\"']", "", re.sub("`[^`]*`", "", message))
    for pasted in (message, f"Error code: 400 - {answer}", json.dumps(answer), wrapped, eaten):
        assert by in names(pasted), pasted


def test_numbers_ids_and_quotes_make_no_difference():
    found = ["tool_use_without_result", "tool_use_partial_results", "text_before_tool_result"]
    assert names(WITHOUT.format(i=1)) == names(WITHOUT.format(i=113).replace("`", "'")) == found
    assert names("messages.7.content.3.tool_use.input: Input should be an object") == ["tool_use_input_not_object"]
    assert names("n: Extra inputs are not permitted") == ["extra_inputs"]
    assert names("tools.0.custom.function: Extra inputs are not permitted") == ["field_extra"]
    assert names("nothing of the kind") == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_message_as_the_sdk_prints_it(lang):
    line = (
        f"Error code: 400 - {{'type': 'error', 'error': {{'message': '{WITHOUT.format(i=1)}'}}, 'request_id': 'req_1'}}"
    )
    run = course("errors", line, lang=lang)
    assert (run.returncode, run.stderr) == (0, "")
    for name in ("tool_use_without_result", "tool_use_partial_results", "text_before_tool_result"):
        assert name in run.stdout and hints.advice(lang)[name]["cure"] in run.stdout
    assert course("errors", *line.replace("`", "").split(), lang=lang).stdout == run.stdout


@pytest.mark.parametrize("lang, said", [("en", "nearest"), ("zh", "最接近"), ("de", "ähnlichste")])
def test_what_has_no_entry_gets_the_nearest_and_is_told_so(lang, said):
    run = course("errors", "messages.2: tool_use ids without tool_result blocks", lang=lang)
    assert run.returncode == 0
    assert said in run.stdout.splitlines()[0] and hints.advice(lang)["tool_use_without_result"]["cure"] in run.stdout
    unlike = course("errors", "colourless green ideas sleep", lang=lang)
    assert (unlike.returncode, unlike.stdout) == (2, "") and "course errors" in unlike.stderr


def test_every_wording_of_an_entry_is_shown():
    out = course("errors", "bad_api_key").stdout
    assert "  invalid x-api-key\n  Invalid bearer token\n" in out
