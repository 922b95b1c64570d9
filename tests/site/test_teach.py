"""What the one in front of the room gets: an entry for every lesson, and plans whose minutes are right."""

import re

import pytest

from course.checks.exercises import exercises
from course.lessons import LESSONS
from course.site import LANGUAGES, SiteError, outputs, teach
from course.site.labels import load

WITH_PAGE = [one for one in LESSONS if one.has_page]
PLANS = load(teach.FOLDER / "plans.toml")
ONE_EACH = ("aim", "ask", "must", "may", "stop")  # texts in three languages
COMMANDS = re.compile(r"(python (agents/s\d\d_\w+\.py)|course run s\d\d)( --[\w-]+( \w+)?)*")


@pytest.mark.parametrize("one", WITH_PAGE, ids=lambda one: one.id)
def test_every_lesson_has_its_entry_in_three_languages(one):
    notes = teach.entry(one.id)
    assert set(notes) == {*ONE_EACH, "live", "trap", "stretch"}
    texts = [notes[key] for key in ONE_EACH]
    texts += [line["say"] for line in notes["live"]] + [trap["says"] for trap in notes["trap"]]
    for text in texts:
        assert set(text) == set(LANGUAGES)
        assert all(len(words.strip()) > 8 for words in text.values())
        assert len(set(text.values())) == len(LANGUAGES)
        assert text["zh"].endswith(("。", "？")) and text["en"].endswith((".", "?")) and text["de"].endswith((".", "?"))
    assert notes["live"] and 2 <= len(notes["trap"]) <= 3
    of_lesson = {exercise.id for exercise in exercises() if exercise.lesson == one.id}
    assert notes["stretch"] in (of_lesson or {""})


def test_there_is_no_entry_of_a_lesson_that_is_gone():
    names = {file.stem for file in teach.FOLDER.glob("*.toml")}
    assert names == {one.id for one in WITH_PAGE} | {"plans"}


@pytest.mark.parametrize("one", WITH_PAGE, ids=lambda one: one.id)
def test_what_is_typed_and_shown_is_of_this_lesson(one):
    notes = teach.entry(one.id)
    for line in notes["live"]:
        if "command" in line:
            found = COMMANDS.fullmatch(line["command"])
            assert found and (found[2] == f"agents/{one.file}" or f"run {one.id}" in found[1])
    for run in [each["run"] for each in notes["live"] + notes["trap"] if "run" in each]:
        found = outputs.find(run, "en")
        assert (found.tests or found.lesson) == one.id


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PLANS)
def test_a_plan_takes_as_long_as_it_says(name, language):
    steps = teach.plan(name, language)
    assert sum(sum(step.minutes.values()) for step in steps) == PLANS[name]["minutes"]
    assert all(set(step.minutes) <= set(teach.KINDS) for step in steps)
    assert all(minutes > 0 for step in steps for minutes in step.minutes.values())
    rows = teach.plan_fence(name, language).splitlines()
    hours, minutes = divmod(PLANS[name]["minutes"], 60)
    assert rows[-1].startswith(f"| {hours}:{minutes:02} |")


def test_the_plans_are_ninety_minutes_and_half_a_day():
    assert {name: each["minutes"] for name, each in PLANS.items()} == {"short": 90, "half_day": 240}


@pytest.mark.parametrize("name", PLANS)
def test_a_plan_follows_the_lessons_and_takes_their_minutes(name):
    lessons = [step for step in PLANS[name]["steps"] if "lesson" in step]
    ids = [step["lesson"] for step in lessons]
    assert ids == sorted(ids)
    for step in PLANS[name]["steps"]:
        if "exercise" in step:
            assert step["exercise"][:3] in ids
    by_id = {one.id: one.minutes for one in LESSONS}
    made = [step.minutes for step in teach.plan(name, "en") if {"talk", "typing"} <= set(step.minutes)]
    assert [sum(minutes.values()) for minutes in made] == [by_id[id] for id in ids]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_each_lesson_with_its_quiz_and_its_screens(language):
    page = teach.teach_fence("", language)
    parts = re.split(r"(?m)^### ", page)[1:]
    assert [re.search(r"\{#(s\d\d)\}", part)[1] for part in parts] == [one.id for one in WITH_PAGE]
    for part in parts:
        assert len(re.findall(r'^\?\?\? question "\w\. ', part, re.MULTILINE)) >= 3
        assert part.count("```text") == 2
    assert "](../" not in page and not re.search(r"\]\(s\d\d\.md", page)


def test_a_lesson_without_an_entry_breaks_the_page():
    with pytest.raises(SiteError, match="teach/s99.toml"):
        teach.entry("s99")
    with pytest.raises(SiteError, match="no plan `long`"):
        teach.plan("long", "en")
