"""Every output on a page is what the script prints today."""

import sys
import tempfile

import pytest

from course.site import SiteError, outputs
from tests import warm

RUNS = list(outputs.runs())


def soon(run):
    """Whether `make test` makes the run too: two lessons and a mistake in English, a prompt in Chinese."""
    return run.file.stem in ("s01.en", "s05.en", "s01-break.en", "s01-prompt.zh")


def differs_on_windows(run):
    """Whether the run shows commands of the shell: there they are PowerShell's."""
    return run.lesson == "s07" and sys.platform == "win32"


def warmly(command, environment, folder):
    """An outputs.Start: in a process that has the SDK loaded."""
    _status, printed, _ = warm.run(
        command, cwd=folder, env=environment, stdin="", timeout=outputs.TIME_LIMIT, together=True
    )
    return printed


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="outputs are made on Python 3.11")
@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run, id=run.file.stem, marks=() if soon(run) else pytest.mark.extra)
        for run in RUNS
        if not differs_on_windows(run)
    ],
)
def test_output_is_current(run):
    shown = run.file.read_text(encoding="utf-8")
    start = outputs.start if run.tests else warmly  # pytest warns of modules that are loaded before it
    assert outputs.same(shown, outputs.perform(run, start)), "`make outputs` writes it anew"


@pytest.mark.skipif(sys.platform == "win32", reason="a link to a folder needs rights there")
def test_a_temporary_folder_behind_a_link_is_not_shown_either(tmp_path, monkeypatch):
    """As on macOS, where /var is a link: a script says /private/var."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "link"))
    shown = outputs.perform(outputs.Run("x", "s07", args=("--workspace", "demo"), prompt="Hi"))
    assert shown.startswith("Working in demo. ")


def test_no_output_is_left_over():
    assert set(outputs.FOLDER.glob("*.txt")) == {run.file for run in RUNS}


def test_each_lesson_has_its_default_run():
    assert {run.name for run in RUNS} >= {"s01", "s02", "s03", "s04", "s05", "s06"}


def test_a_mistake_must_be_in_the_script_once():
    with pytest.raises(SiteError, match="0 times"):
        outputs.perform(outputs.Run("x", "s01", old="no such line", new="y"))


def test_an_unknown_name_breaks():
    with pytest.raises(SiteError, match="no output `s01-nothing`"):
        outputs.output_fence("s01-nothing", "en")


def test_each_language_gets_its_own_prompt_and_label():
    shown = {language: outputs.output_fence("s01-prompt", language) for language in ("en", "zh", "de")}
    assert "Oslo or Berlin" in shown["en"] and "成都和柏林" in shown["zh"] and "Oslo oder in Berlin" in shown["de"]
    assert "本地替身" in shown["zh"] and "Double" in shown["de"] and "stand-in" in shown["en"]


def test_only_durations_may_differ():
    assert outputs.same("(3 calls in 1.0 s)", "(3 calls in 1.3 s)")
    assert not outputs.same("(3 calls in 1.0 s)", "(2 calls in 1.0 s)")
    assert not outputs.same("Created: Sync", "Created: Lunch")


def test_nothing_of_the_machine_is_shown():
    text = "".join(run.file.read_text(encoding="utf-8") for run in RUNS)
    text = text.replace("/tmp/agent-4k2x9w1c/", "")  # which stands for any folder that a script makes
    for trace in ("/tmp", "/home", "/root", "\\Users", 'File "', "site-packages", "sk-ant"):
        assert trace not in text


def test_a_traceback_is_shortened_to_its_last_error():
    raw = (
        "turn 1: tool_use\nTraceback (most recent call last):\n"
        "  File \"/x/y.py\", line 1, in a\n    b\n    ^\nKeyError: 'q'\n\n"
        "During handling of the above exception, another exception occurred:\n\n"
        'Traceback (most recent call last):\n  File "/x/y.py", line 1, in a\n    b\nValueError: no\n'
    )
    shown = outputs._without_machine(raw, "/x")
    assert shown == "turn 1: tool_use\nTraceback (most recent call last):\n  ...\nValueError: no\n"
