"""`course errors`: what the page of errors says about one of them, for those who do not have the site open."""

import pytest

from course.site import labels
from course.standin.rules import catalogue, hints
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
