"""The fence that puts the player on a page, and what stands there without JavaScript."""

import json
import re

import pytest

from course.site import DOCS, LANGUAGES
from course.site.labels import label
from course.site.outputs import find
from course.site.player import TRACES, BlockElement, player_fence
from tests.site.pages import generated, read


def html(text):
    from markdown import markdown

    return markdown(text, extensions=["md_in_html", "pymdownx.superfences", "attr_list", BlockElement()])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_has_the_player_and_in_it_what_the_run_prints(language):
    page = html(f"Before.\n\n{player_fence('s01', language)}\n\nAfter.")
    element = re.search(r"<agent-player ([^>]*)>(.*)</agent-player>", page, re.DOTALL)
    assert 'id="play-s01"' in element[1] and 'src="s01.json"' in element[1] and f'lang="{language}"' in element[1]
    assert label(language, "player_needs_script") in element[2]
    assert "get_weather" in element[2]
    assert "<p><agent-player" not in page  # browsers would close it with the paragraph


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_and_the_readers_own_run_have_a_sentence_instead(language):
    assert label(language, "player_printed_above") in html(player_fence("s01-break", language))
    own = player_fence("", language)
    assert "src=" not in own and "course replay" in own


def test_where_the_prompt_is_translated_the_run_is_too():
    for name in ("s07", "s06-break"):
        assert f'src="{name}.json"' in player_fence(name, "en")
        assert f'id="play-{name}" src="{name}.de.json"' in player_fence(name, "de")


def test_no_trace_no_player():
    assert player_fence("s99", "en") == ""


@pytest.mark.parametrize("lesson", [f"s0{n}" for n in range(1, 7)])
def test_every_lesson_shows_its_run_and_its_mistake(lesson):
    blocks = generated(read("en", f"lessons/{lesson}.md"))
    assert [body for kind, body in blocks if kind == "player"] == [lesson, f"{lesson}-break"]
    assert blocks.index(("player", f"{lesson}-break")) == blocks.index(("output", f"{lesson}-break")) + 1
    for name in (lesson, f"{lesson}-break"):
        assert (TRACES / f"{name}.json").stat().st_size <= 60_000
        assert (
            json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))["script"] == find(name, "en").script[7:]
        )


def test_the_players_words_are_the_same_in_all_languages():
    """The names of the words, and what is filled into them."""
    text = (DOCS / "assets/js/player-words.js").read_text(encoding="utf-8")
    tables = re.split(r"^  (en|zh|de): \{$", text, flags=re.MULTILINE)[1:]
    words = {
        code: [
            (key, sorted(re.findall(r"\{\w+\}", said)))
            for key, said in re.findall(r'^    (\w+): "(.*)",$', table, re.M)
        ]
        for code, table in zip(tables[::2], tables[1::2], strict=True)
    }
    assert set(words) == set(LANGUAGES) and len(words["en"]) > 50
    assert words["zh"] == words["en"] == words["de"]


def test_every_word_of_the_player_is_used():
    words = re.findall(r'^    (\w+): "', (DOCS / "assets/js/player-words.js").read_text(encoding="utf-8"), re.M)
    code = "".join((DOCS / f"assets/js/{name}.js").read_text(encoding="utf-8") for name in ("player", "player-trace"))
    # Kinds of steps name their own words.
    assert [word for word in dict.fromkeys(words) if f'"{word}"' not in code and word not in ("print", "cut")] == []
