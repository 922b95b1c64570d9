"""The pages that are made of data: errors, glossary, the map of lessons, facts, exercises."""

import re

import pytest

from course import env
from course.checks.exercises import exercises
from course.lessons import LESSONS
from course.site import LANGUAGES, SiteError
from course.site.errors import catalogue, errors_fence
from course.site.exercises import exercises_fence
from course.site.glossary import chinese_words, glossary_fence, terms
from course.site.hooks import generators
from course.site.labels import HERE, load
from course.site.lesson_parts import facts_fence, lessons_fence, unchanged_fence
from course.site.other_models import places, settings
from course.site.tree import tree_fence
from tests.site.pages import GENERATED


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_on_the_page_once(language):
    page = errors_fence("", language)
    for rule in catalogue():
        assert page.count(f"{{#{rule['id']}}}") == 1
        assert rule["message"] in page
    assert page.count("{ .remark }") == len(catalogue())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_on_the_page_once(language):
    page = glossary_fence("", language)
    for term in terms():
        assert page.count(f"### {term.name[language]} {{#{term.id}}}") == 1


def test_terms_are_complete():
    assert len({term.id for term in terms()}) == len(terms())
    for term in terms():
        assert set(term.name) == set(term.explain) == set(LANGUAGES)
        assert all(text.endswith("." if code != "zh" else "。") for code, text in term.explain.items()), term.id
        assert term.name["de"] not in term.forbidden.get("de", ())


def test_no_explanation_uses_a_forbidden_wording():
    for language in LANGUAGES:
        said = " ".join(term.explain[language] for term in terms())
        wrong = [w for term in terms() for w in term.forbidden.get(language, ()) if w in said]
        assert not wrong


def test_search_keeps_the_terms_whole():
    assert {"智能体", "智能体循环", "工具结果", "循环"} <= set(chinese_words())


def test_labels_are_the_same_in_all_languages():
    for name, words in load(HERE / "labels.toml").items():
        assert list(words) == list(LANGUAGES), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_map_has_every_lesson_with_a_page(language):
    page = lessons_fence("", language)
    there = [one for one in LESSONS if one.has_page]
    assert re.findall(r"^1\. .*\(lessons/(s\d\d)\.md\)", page, re.MULTILINE) == [one.id for one in there]
    assert all(one.title[language] in page for one in there)
    for one in there:
        more = sum(each.minutes for each in exercises() if each.lesson == one.id)
        before = ", ".join(f"[{name}](lessons/{name}.md)" for name in one.builds_on)
        assert re.search(rf"^    {one.minutes}\D+{more or ''}\D*?{re.escape(before)}\D*$", page, re.MULTILINE)
    hours = sum(one.minutes for one in there) / 60
    said = [float(number.replace(",", ".")) for number in re.findall(r"\d[.,]\d|\d", page.splitlines()[-1])]
    more = sum(each.minutes for each in exercises() if each.lesson in {one.id for one in there}) / 60
    assert abs(said[0] - hours) <= 0.25 and abs(said[1] - more) <= 0.25


def test_the_tree_has_every_lesson_right_of_the_one_it_goes_on_from():
    there = [one for one in LESSONS if one.has_page]
    page = tree_fence("", "de")
    found = re.findall(r'<a href="lessons/(s\d\d)/"><title>(.+?)</title><rect class="box" x="(\d+)" y="(\d+)"', page)
    assert [(name, title) for name, title, _, _ in found] == [(one.id, one.title["de"]) for one in there]
    at = {name: (int(x), int(y)) for name, _, x, y in found}
    assert len(set(at.values())) == len(there)
    assert all(at[one.id][0] > at[one.builds_on[-1]][0] for one in there if one.builds_on)
    assert page.count('class="way"') == len(there) - 1
    assert len({at[name][1] for name in ("s01", "s02", "s03", "s04", "s05", "s08")}) == 1  # the line, and the trunk
    assert not {at[name][1] for name in ("s06", "s07")} & {at["s05"][1]}


def test_what_a_lesson_takes_over_is_folded():
    page = unchanged_fence("s08", "en")
    assert page.startswith('??? tip "As in lesson 5, unchanged: ') and "    def agent_loop(messages):" in page
    assert "def run_tools" not in page
    with pytest.raises(SiteError, match="no block"):
        unchanged_fence("s05", "en")


def test_facts_are_those_of_the_table():
    assert facts_fence("s04", "de").startswith(f"{LESSONS[3].minutes} Minuten · ")
    assert f"etwa {LESSONS[3].cost_usd:.2f}".replace(".", ",") in facts_fence("s04", "de")
    assert "[s03](s03.md)" in facts_fence("s04", "en")
    with pytest.raises(SiteError, match="no lesson `s99`"):
        facts_fence("s99", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_exercises_appear_with_their_commands(language):
    page = exercises_fence("s01", language)
    assert "`course check s01/1`" in page and "{#exercise-1}" in page
    assert page.count("??? tip ") == 9  # three hints an exercise, folded


def test_a_lesson_without_exercises_has_none():
    assert exercises_fence("s99", "en") == ""


def test_the_tests_know_every_kind_of_block():
    assert set(GENERATED) == set(generators("en"))


def test_the_lines_for_another_model_are_such_as_the_lessons_take():
    assert len(places()) == len({place["id"] for place in places()})
    for place in places():
        for url in [place["url"], *(url for _, url in place.get("others", ()))]:
            assert env.is_address(url) and not env.surplus(url) and not url.endswith("/"), url
            assert env.is_loopback(url) == place.get("here", False)
        assert [line.split("=")[0] for line in settings(place).splitlines()] in (
            ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "MODEL_ID"],
            ["ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN", "MODEL_ID"],
        )
        assert set(place["note"]) == set(LANGUAGES) and place["docs"].startswith("https://") and place["read"]
