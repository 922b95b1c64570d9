"""exercises.toml and the files it names."""

import ast
import re
import subprocess

import pytest

from course.checks.exercises import FOLDER, exercises
from course.checks.runner import Forks, run_program
from course.lessons import LESSONS
from course.standin.core import handle

EXERCISES = {exercise.id: exercise for exercise in exercises()}


def test_three_exercises_a_lesson():
    lessons = [lesson.id for lesson in LESSONS][:7]
    assert list(EXERCISES) == [f"{lesson}/{number}" for lesson in lessons for number in (1, 2, 3)]
    for lesson in lessons:
        assert [EXERCISES[f"{lesson}/{number}"].kind for number in (1, 2, 3)] == ["complete", "repair", "extend"]


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
def test_texts(exercise):
    for texts in (exercise.title, exercise.task, exercise.hints):
        assert list(texts) == ["en", "zh", "de"]
    for language in ("zh", "de"):
        assert exercise.task[language] != exercise.task["en"]
        # What is code in one language is code in all.
        assert set(re.findall("`([^`]+)`", exercise.task[language])) == set(
            re.findall("`([^`]+)`", exercise.task["en"])
        )
    for hints in exercise.hints.values():
        assert len(hints) == 3
    assert re.search(r"[\u4e00-\u9fff]", exercise.task["zh"])


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
def test_files(exercise):
    starter = exercise.starter.read_text(encoding="utf-8")
    solution = exercise.solution.read_text(encoding="utf-8")
    number = exercise.path.name[0]
    assert exercise.id == f"{exercise.lesson}/{number}"
    docstring = ast.get_docstring(ast.parse(starter))
    assert docstring == ast.get_docstring(ast.parse(solution))
    assert docstring.startswith(f"Exercise {exercise.id}: ")
    assert f"python {exercise.shown}" in docstring and f"course check {exercise.id}" in docstring
    assert "# TODO" in starter and "TODO" not in solution
    assert len(starter.splitlines()) <= 120
    lesson = next(lesson for lesson in LESSONS if lesson.id == exercise.lesson).path.read_text(encoding="utf-8")
    model = re.search(r"^MODEL = .*", lesson, re.MULTILINE)[0]
    assert model in starter and model in solution


@pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))
def test_starter_is_what_is_delivered(exercise):
    """The copy that `course reset` puts back is the file in the repository (whatever the reader has made of it)."""
    git = ["git", "-C", str(FOLDER)]
    delivered = subprocess.run([*git, "show", f"HEAD:./{exercise.file}"], capture_output=True)
    if delivered.returncode:
        pytest.skip("not a checkout")
    starter = subprocess.run(
        [*git, "show", f"HEAD:./{exercise.starter.relative_to(FOLDER).as_posix()}"], capture_output=True
    )
    assert delivered.stdout == starter.stdout


def test_no_file_without_an_entry():
    named = {path for exercise in EXERCISES.values() for path in (exercise.path, exercise.starter, exercise.solution)}
    assert {path for path in FOLDER.rglob("*.py") if "__pycache__" not in path.parts} <= named


@pytest.fixture
def plain(starter):
    """Run a program against the stand-in as everybody meets it, without a scene for the exercise."""
    return lambda path: run_program(path, lambda: handle, starter, seconds=60)


MANY = () if Forks.possible else (pytest.mark.extra,)


@pytest.mark.parametrize("exercise", [pytest.param(one, id=id, marks=MANY) for id, one in EXERCISES.items()])
def test_runs_without_a_check(exercise, plain):
    """Starter and solution run by themselves too; a starter may fail for the reason that the exercise is about."""
    run = plain(exercise.starter)
    assert run.sent and not run.stopped
    run = plain(exercise.solution)
    assert run.sent and not run.stopped
    assert run.failure is None and not run.refused
    assert run.sent[-1].text in run.printed
