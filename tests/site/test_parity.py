"""The three languages are one course: same pages, same structure."""

import re

import pytest
import yaml

from course.site import LANGUAGES
from course.site.glossary import terms
from course.site.translations import front_matter, names, survey
from tests.site import pages

BOTH = pytest.mark.parametrize(("language", "name"), [(c, n) for c in pages.TRANSLATIONS for n in pages.PAGES])
ALL = pytest.mark.parametrize(("language", "name"), [(c, n) for c in LANGUAGES for n in pages.PAGES])


def text(language, name):
    return pages.read(language, name)


@pytest.mark.parametrize("language", pages.TRANSLATIONS)
def test_same_pages(language):
    assert names(language) == pages.PAGES


@ALL
def test_front_matter_is_yaml_with_title_and_description(language, name):
    # mkdocs takes front matter that is no YAML for text, and shows it on the page.
    head = yaml.safe_load(front_matter(text(language, name)))
    for key in ("title", "description"):
        assert isinstance(head[key], str) and head[key].strip()


@ALL
def test_front_matter_tells_a_reader_of_the_source_that_the_code_is_missing(language, name):
    # A repository's web view shows front matter as a table, and the fences for code and outputs as they are.
    assert "make docs" in yaml.safe_load(front_matter(text(language, name)))["reading"]
    assert text(language, name).count("\nreading: ") == 1


@BOTH
def test_translation_is_of_the_english_page_as_it_is(language, name):
    state = {(page.language, page.name): page.state for page in survey()}[language, name]
    assert state == "current", f"`course translations` lists it; reviewed, `--stamp {language}/{name}` notes it"


@pytest.mark.parametrize(
    "what",
    [
        pages.headings,
        pages.generated,
        pages.code_blocks,
        pages.links,
        pages.admonitions,
        pages.lists,
        pages.tables,
        pages.drawings,
    ],
    ids=lambda function: function.__name__,
)
@BOTH
def test_same_structure(language, name, what):
    assert what(text(language, name)) == what(text("en", name))


@BOTH
def test_prompts_in_commands_are_in_the_language_of_the_page(language, name):
    own, english = pages.prompts(text(language, name)), pages.prompts(text("en", name))
    assert len(own) == len(english)
    assert not [prompt for prompt in own if prompt in english and not re.match(r"\w+\(", prompt)]  # calls are code


@BOTH
def test_names_of_the_api_are_kept(language, name):
    assert pages.inline_code(text("en", name)) - pages.inline_code(text(language, name)) == set()


@BOTH
def test_same_answer_is_right(language, name):
    assert pages.quiz(text(language, name), language) == pages.quiz(text("en", name), "en")


@ALL
def test_headings_have_anchors_of_their_own(language, name):
    anchors = [anchor for _, anchor in pages.headings(text(language, name))]
    assert anchors[0] == "top"
    assert "" not in anchors and len(set(anchors)) == len(anchors)


@ALL
def test_front_matter_says_title_and_description(language, name):
    head = pages.front_matter(text(language, name))
    title = re.search(r'^title: "?(.+?)"?$', head, re.MULTILINE)
    assert title and re.search(r"^description: \S", head, re.MULTILINE)
    if name != "index.md":
        heading = re.search(r"^# (.+?) \{#top\}$", pages.body(text(language, name)), re.MULTILINE)
        assert heading and heading[1] == title[1]


@ALL
def test_no_raw_links(language, name):
    assert not re.findall(r"<a\s|<img\s|<iframe|<script|\bhref=|\bsrc=", pages.prose(text(language, name)))


LESSONS = [name for name in pages.PAGES if name.startswith("lessons/")]
SECTIONS = ["problem", "picture", "code", "changes", "run", "watch", "break", "exercises", "production", "idea", "quiz"]


@pytest.mark.parametrize("name", LESSONS)
def test_lesson_has_every_section_in_order(name):
    wanted = [section for section in SECTIONS if section != "changes" or not name.endswith("s01.md")]
    assert [anchor for level, anchor in pages.headings(text("en", name)) if level == "##"] == wanted


@pytest.mark.parametrize("name", LESSONS)
def test_lesson_has_its_generated_parts(name):
    lesson = name[-6:-3]
    kinds = {kind for kind, body in pages.generated(text("en", name)) if body.split()[:1] == [lesson]}
    assert {"facts", "output", "player", "exercises"} <= kinds
    assert ("changes" in kinds) == (lesson != "s01")


@pytest.mark.parametrize("name", LESSONS)
def test_quiz_has_one_right_answer(name):
    answers = pages.quiz(text("en", name), "en")
    assert [letter for letter, _ in answers] == list("ABCD")[: len(answers)]
    assert sorted(kind for _, kind in answers) == ["right"] + ["wrong"] * (len(answers) - 1)
    assert len(answers) >= 3


@ALL
def test_words_of_the_glossary(language, name):
    said = pages.words(text(language, name))
    found = [
        f"{wording!r}: say {term.name[language]!r}"
        for term in terms()
        for wording in term.forbidden.get(language, ())
        if wording in said
    ]
    assert not found


@pytest.mark.parametrize("name", pages.PAGES)
def test_chinese_typography(name):
    said = pages.words(text("zh", name))
    assert not re.findall(r".{8}[\u4e00-\u9fff][A-Za-z0-9].{8}", said), "a blank between Chinese and Latin"
    assert not re.findall(r".{8}[A-Za-z0-9][\u4e00-\u9fff].{8}", said), "a blank between Latin and Chinese"
    assert not re.findall(r".{8}[\u4e00-\u9fff][,;:?!](?!\w).{0,8}", said), "full-width punctuation"
    assert "您" not in said


@pytest.mark.parametrize("name", pages.PAGES)
def test_german_address_and_quotes(name):
    said = pages.words(text("de", name))
    said = re.sub(r"^(\?\?\?|===|!!!).*$", "", said, flags=re.MULTILINE)
    assert not re.findall(r"[a-zäöüß,;] (?:Sie|Ihnen|Ihre?[mnrs]?)\b", said)  # in mid-sentence, so not "they"
    assert '"' not in said.replace('"de"', "") and "“" not in re.sub(r"„[^„“]*“", "", said)
