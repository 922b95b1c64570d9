"""course check, hint, solution, reset, progress: the real commands on a copy of the course."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course.checks.exercises import exercises

ROOT = Path(__file__).parents[2]
FIRST = "my/s01_1_close_the_loop.py"
STARTER = ROOT / "exercises/s01/1_close_the_loop/starter.py"
# The line that its explanation points at.
GUILTY = STARTER.read_text(encoding="utf-8").partition("# TODO")[0].count("\n") + 1


@pytest.fixture
def course(tmp_path):
    """Run a command in a fresh copy; returns (exit status, stdout, stderr)."""
    copy = tmp_path / "my course"
    ignore = shutil.ignore_patterns("__pycache__")
    for folder in ("course", "exercises"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignore)

    def run(*arguments, language="en"):
        environment = os.environ | {"COURSE_LANG": language, "PYTHONPATH": str(copy), "PYTHONUTF8": "1"}
        result = subprocess.run(
            [sys.executable, "-m", "course", *arguments],
            cwd=copy,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
        )
        return result.returncode, result.stdout, result.stderr

    run.folder = copy
    return run


def progress(course):
    return json.loads((course.folder / ".course" / "progress.json").read_text(encoding="utf-8"))


def test_from_starter_to_next_exercise(course):
    status, out, _ = course("check")
    assert status == 1
    assert "s01/1  Close the loop" in out and "not yet" in out
    assert "Look at" in out and f"{FIRST}:{GUILTY}" in out
    assert "course hint s01/1" in out
    assert "  |   get_weather({'city': 'Oslo'}) -> Weather in Oslo" in out  # the program's own output

    solution = course.folder / "exercises/s01/1_close_the_loop/solution.py"
    shutil.copyfile(solution, course.folder / FIRST)
    status, out, _ = course("check", "s01/1")
    assert status == 0
    assert "passed" in out and "Next: s01/2" in out
    assert list(progress(course)["passed"]) == ["s01/1"]

    status, out, _ = course("check", language="de")
    assert status == 1
    assert "s01/2  Wo steht der Text?" in out and "Nächster Schritt" in out

    status, out, _ = course("progress")
    assert status == 0
    assert f"1 of {len(exercises())} passed." in out

    status, out, _ = course("solution", "s01/1")
    assert status == 0
    assert "+    for _ in range(MAX_TURNS):" in out


def test_a_lesson_at_once(course):
    (course.folder / "my").mkdir()
    solution = course.folder / "exercises/s01/3_second_tool/solution.py"
    shutil.copyfile(solution, course.folder / "my/s01_3_second_tool.py")
    status, out, _ = course("check", "s01")
    lines = out.splitlines()
    assert status == 1
    assert [line.split()[-1] for line in lines[:3]] == ["yet", "yet", "passed"]
    assert "1 of 3 passed." in out
    assert f"{FIRST}:{GUILTY}" in out
    assert list(progress(course)["passed"]) == ["s01/3"]


def test_hints_come_one_at_a_time(course):
    for count in (1, 2, 3, 3):
        status, out, _ = course("hint", "s02/1", language="zh")
        assert status == 0
        assert sum(line.startswith(f"  {number}. ") for line in out.splitlines() for number in (1, 2, 3)) == count
        assert ("course solution s02/1" in out) == (count == 3)
    assert progress(course)["hints"] == {"s02/1": 3}


def test_solution_when_asked_twice(course):
    status, out, _ = course("solution", "s02/1")
    assert status == 0
    assert "json.dumps" not in out and "ask once more" in out
    status, out, _ = course("solution", "s02/1")
    assert "json.dumps(result)" in out


def test_reset_keeps_what_the_reader_wrote(course):
    assert course("start", "s01/1")[0] == 0
    file = course.folder / FIRST
    starter = file.read_bytes()
    file.write_text("# mine\n", encoding="utf-8")
    status, out, _ = course("reset", "s01/1")
    assert status == 0
    assert file.read_bytes() == starter
    (backup,) = (course.folder / ".course" / "backups").iterdir()
    assert backup.read_text(encoding="utf-8") == "# mine\n"
    assert backup.name in out
    status, out, _ = course("reset", "s01/1")
    assert "as it was delivered" in out
    file.unlink()
    status, out, _ = course("check", FIRST)
    assert status == 1 and f"{FIRST} is new" in out
    assert file.read_bytes() == starter


@pytest.mark.parametrize(("language", "said"), [("en", "is new"), ("zh", "新建"), ("de", "ist neu")])
def test_start_makes_a_copy_once(course, language, said):
    status, out, _ = course("start", "s02/3", language=language)
    file = course.folder / "my" / "s02_3_schema_claude_can_fill.py"
    assert status == 0 and f"my/{file.name}" in out and said in out
    file.write_text("# mine\n", encoding="utf-8")
    status, out, _ = course("start", "s02/3", language=language)
    assert status == 0 and said not in out and "course reset s02/3" in out
    assert file.read_text(encoding="utf-8") == "# mine\n"


def test_edits_at_the_old_place_are_copied_once(course):
    old = course.folder / "exercises" / "s01" / "1_close_the_loop.py"
    old.write_text("# mine\n", encoding="utf-8")
    status, out, _ = course("check", "s01/1")
    assert status == 1 and "copied from where it stood before" in out
    assert (course.folder / FIRST).read_text(encoding="utf-8") == old.read_text(encoding="utf-8") == "# mine\n"
    (course.folder / FIRST).write_text("# other\n", encoding="utf-8")
    course("check", "s01/1")
    assert (course.folder / FIRST).read_text(encoding="utf-8") == "# other\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "s99/1"), "There is no exercise s99/1"),
        (("check", "nothing.py"), "There is no exercise nothing.py"),
        (("hint", "s01"), "s01/1, s01/2, s01/3"),
        (("reset", "s01/9"), "There is no exercise s01/9"),
    ],
)
def test_wrong_names(course, arguments, said):
    status, out, err = course(*arguments)
    assert status == 2
    assert said in err and "Traceback" not in err and not out


def test_unreadable_progress_is_none(course):
    file = course.folder / ".course" / "progress.json"
    file.parent.mkdir()
    file.write_text("[1, 2", encoding="utf-8")
    status, out, _ = course("progress")
    assert status == 0 and f"0 of {len(exercises())} passed." in out
    assert course("hint", "s01/1")[0] == 0
    assert progress(course)["hints"] == {"s01/1": 1}
