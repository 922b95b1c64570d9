"""Lessons run in the page. Needs what `make playground` makes, as `make test-all` does first."""

from urllib.parse import urlsplit

import pytest

from course.site.playground import BUILT

LESSONS = ["s01", "s02", "s03", "s04", "s05", "s06", "s08", "s11", "s12"]
LONG = 120_000  # milliseconds; a limit for a busy machine, no wish


@pytest.fixture
def open_lesson(page, site):
    """Opens a lesson's page and returns its playground; `hosts` collects whom the page talks to."""
    assert BUILT.is_file(), "make playground first"
    page.hosts = set()
    page.on("request", lambda request: page.hosts.add(urlsplit(request.url).netloc))

    def open_(address):
        page.goto(site + address)
        return page.locator("agent-playground")

    return open_


def run(playground):
    """Click, wait for the end, and return the state and what was printed."""
    playground.locator(".run").click()
    playground.locator(".stop:disabled").wait_for(timeout=LONG)
    return playground.locator(".state").inner_text(), playground.locator(".output").text_content()


def edit(playground, code):
    if not playground.locator("textarea").is_visible():
        playground.locator("summary").click()
    playground.locator("textarea").fill(code)


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_script_runs_unchanged_and_talks_to_no_other_host(open_lesson, page, site, lesson):
    state, printed = run(open_lesson(f"lessons/{lesson}/"))
    assert state == "Ended with exit status 0", printed
    assert "stand-in" in printed and "Traceback" not in printed
    assert page.hosts == {urlsplit(site).netloc}
    assert not page.course_faults


def test_an_edit_runs_again_survives_a_reload_and_is_thrown_away(open_lesson, page):
    playground = open_lesson("de/lessons/s01/")
    edit(playground, "import sys\nprint('grün', sys.argv[1:])\n")
    assert run(playground) == ("Beendet, Exit-Status 0", "grün []\n")
    playground.locator(".prompt").fill("Was ist los?")
    assert run(playground)[1] == "grün ['Was ist los?']\n"
    page.reload()
    assert "grün" in playground.locator("textarea").input_value()
    playground.locator("summary").click()
    playground.locator(".reset").click()
    page.reload()
    assert "def agent_loop" in playground.locator("textarea").input_value()


def test_an_endless_loop_is_stopped_and_the_next_run_works(open_lesson):
    playground = open_lesson("zh/lessons/s01/")
    edit(playground, "print('before', flush=True)\nwhile True: pass\n")
    playground.locator(".run").click()
    playground.locator(".output", has_text="before").wait_for(timeout=LONG)
    playground.locator(".stop").click()
    assert playground.locator(".state").inner_text() == "已停止"
    edit(playground, "raise ValueError('no')")
    state, printed = run(playground)
    assert state == "已结束，退出状态 1"
    assert "ValueError: no" in printed and "runpy" not in printed
