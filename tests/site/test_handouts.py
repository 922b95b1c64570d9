"""The sheets to hand out are made of what the course has already: pages, recordings, the command, the rules."""

import json
import re
import subprocess
import sys

import pytest

from course.cli import command_names
from course.site import DOCS, LANGUAGES, ROOT, SiteError
from course.site.command import commands_fence, course_fence
from course.site.fences import fences
from course.site.handouts import first_errors_fence, messages_fence
from course.site.sections import section
from tests.commands.test_cli import course
from tests.conftest import clean_env
from tests.site.pages import read


def test_a_section_is_what_stands_under_its_heading():
    found = section("stop-reasons.md", "table", "de")
    assert found.startswith("| `stop_reason` |") and found.rstrip().endswith("|")
    assert found.strip() in read("de", "stop-reasons.md")


def test_links_of_a_section_lead_where_they_led():
    found = section("lessons/s01.md", "code", "en")
    assert "](stop-reasons.md)" in found and "](lessons/s05.md)" in found and "](../" not in found
    assert "](setup.md#downloads)" in section("setup.md", "no-key", "en")


@pytest.mark.parametrize(("page", "anchor"), [("stop-reasons.md", "nowhere"), ("nowhere.md", "table")])
def test_a_section_that_is_not_there_breaks_the_page(page, anchor):
    with pytest.raises(SiteError, match=f"docs/en/{page} has no section `{anchor}`"):
        section(page, anchor, "en")


def test_the_list_is_that_of_the_recording():
    shown = messages_fence("s01", "en")
    lines = [line for line in shown.splitlines() if '"role"' in line]
    assert [re.search(r'"role": "(\w+)"', line)[1] for line in lines] == ["user", "assistant", "user", "assistant"]
    last = json.loads((DOCS / "assets/traces/s01.json").read_text(encoding="utf-8"))["exchanges"][-1]
    for block in last["request"]["messages"][-1]["content"] + last["reply"]["content"]:
        assert json.dumps(block.get("text") or block["content"]) in shown
    assert shown.index("# turn 1: tool_use") < shown.index("# turn 2: end_turn")
    with pytest.raises(SiteError, match="no trace `s99`"):
        messages_fence("s99", "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_commands_are_those_of_the_help_in_the_language_of_the_page(language):
    rows = commands_fence("", language).splitlines()[2:]
    help = course("--help", lang=language).stdout
    assert len(rows) == len(command_names())
    for row in rows:
        name, said = re.fullmatch(r"\| `(course \w+)` \| (.+) \|", row).groups()
        assert re.search(rf"^  {name} +{re.escape(said)}$", help, re.MULTILINE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_command_prints_is_what_a_reader_gets(language):
    shown = course_fence("budget --people 40 --lessons s01", language)
    printed = course("budget", "--people", "40", "--lessons", "s01", lang=language).stdout
    assert shown.splitlines()[1:-1] == printed.rstrip().splitlines()


@pytest.mark.parametrize("words", ["budget --people none", "budget --people 4 --lessons s99", "nothing"])
def test_a_command_that_fails_breaks_the_page(words):
    with pytest.raises(SiteError, match=f"`course {words}` fails: course: "):
        course_fence(words, "en")


def test_seven_of_the_errors_are_those_that_the_lessons_make():
    (names,) = [fence.body.split() for fence in fences(read("en", "handouts.md")) if fence.info == "first-errors"]
    part_one = (DOCS / "assets/outputs").glob("s0[1-6]*.en.txt")
    outputs = "".join(file.read_text(encoding="utf-8") for file in part_one)
    made = set(re.findall(r"course errors (\w+)", outputs))
    assert len(names) == 10 and len(made) == 7
    assert made <= set(names)
    with pytest.raises(SiteError, match="no rule `nowhere`"):
        first_errors_fence("nowhere", "en")


def test_without_a_browser_it_is_one_sentence():
    done = subprocess.run(
        [sys.executable, "-m", "course.site.printing"],
        cwd=ROOT,
        env=clean_env(CHROMIUM="/nowhere/chromium"),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 2 and done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "put its path into CHROMIUM" in line
