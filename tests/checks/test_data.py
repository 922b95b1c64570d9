"""What stands in the exercises' folders."""

import ast
import re
from string import Formatter

import pytest

from course.checks.exercises import FOLDER, exercises
from course.checks.explanations import shared
from course.checks.runner import Forks, run_program
from course.i18n import LANGUAGES
from course.lessons import LESSONS

EXERCISES = {exercise.id: exercise for exercise in exercises()}
EACH = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


def test_three_exercises_a_lesson():
    lessons = dict.fromkeys(exercise.lesson for exercise in exercises())
    assert list(lessons) == [lesson.id for lesson in LESSONS][: len(lessons)]
    for lesson in lessons:
        assert [EXERCISES[f"{lesson}/{number}"].kind for number in (1, 2, 3)] == ["complete", "repair", "extend"]


@EACH
def test_texts(exercise):
    texts = [exercise.title, exercise.task, *exercise.hints]
    assert len(exercise.hints) == 3 and 3 <= exercise.minutes <= 20
    for text in texts:
        assert list(text) == list(LANGUAGES)
        assert re.search(r"[\u4e00-\u9fff]", text["zh"]) or text["zh"].startswith("`")
    # What is code in one language is code in all.
    codes = [set(re.findall("`([^`]+)`", exercise.task[language])) for language in LANGUAGES]
    assert codes[0] == codes[1] == codes[2]


def explained(texts, where=""):
    """(name, text by language) of all explanations, whether of an id or of a case of it."""
    for name, inner in texts.items():
        if "en" in inner:
            yield f"{where}.{name}", inner
        else:
            yield from explained(inner, f"{where}.{name}")


@pytest.mark.parametrize("texts", [shared(), *(one.explanations for one in exercises())], ids=["shared", *EXERCISES])
def test_explanations_say_the_same_in_three_languages(texts):
    for name, by_language in explained(texts):
        assert list(by_language) == list(LANGUAGES), name
        values = [{field for _text, field, *_rest in Formatter().parse(text)} - {None} for text in by_language.values()]
        assert values[0] == values[1] == values[2], name
        assert len(set(by_language.values())) == 3 or set(by_language.values()) == {"{cure}"}, name


@EACH
def test_every_verdict_is_explained_and_every_explanation_used(exercise):
    source = (exercise.folder / "check.py").read_text(encoding="utf-8")
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    ids = {call.args[0].value for call in calls if getattr(call.func, "id", "") == "fail"}
    assert ids <= set(exercise.explanations) | set(shared())
    assert set(exercise.explanations) <= ids | {"passed"}


@EACH
def test_files(exercise):
    starter = exercise.starter.read_text(encoding="utf-8")
    solution = exercise.solution.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(starter))
    assert docstring == ast.get_docstring(ast.parse(solution))
    assert docstring.startswith(f"Exercise {exercise.id}: ")
    assert f"python {exercise.shown}" in docstring and f"course check {exercise.id}" in docstring
    assert "# TODO" in starter and "TODO" not in solution
    assert len(starter.splitlines()) <= 120
    lesson = next(lesson for lesson in LESSONS if lesson.id == exercise.lesson).path.read_text(encoding="utf-8")
    model = re.search(r"^MODEL = .*", lesson, re.MULTILINE)[0]
    assert model in starter and model in solution


def test_nothing_else_lies_in_the_folders():
    files = {file.relative_to(one.folder).as_posix() for one in exercises() for file in one.folder.iterdir()}
    assert files - {"__pycache__"} == {"exercise.toml", "starter.py", "solution.py", "check.py", "variants.toml"}
    assert {file.parent for file in FOLDER.rglob("*.py")} - {one.folder for one in exercises()} == set()


@pytest.fixture
def plain(starter):
    """Run a program against the stand-in as everybody meets it, without a scene for the exercise."""
    return lambda path: run_program(path, None, starter, seconds=60)


MANY = pytest.mark.filterwarnings("default") if Forks.possible else pytest.mark.extra


@EACH
@MANY
def test_runs_without_a_check(exercise, plain):
    """Starter and solution run by themselves too; a starter may fail for the reason that the exercise is about."""
    run = plain(exercise.starter)
    assert run.sent and not run.stopped
    run = plain(exercise.solution)
    assert run.sent and not run.stopped
    assert run.failure is None and not run.refused
    assert run.sent[-1].text in run.printed
