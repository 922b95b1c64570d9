"""What stands in the exercises' folders."""

import ast
import re
import tomllib
from string import Formatter

import pytest

from course.checks import by_hand
from course.checks.exercises import FOLDER, exercises
from course.checks.explanations import shared
from course.checks.runner import Forks, run_program
from course.i18n import LANGUAGES
from course.lessons import LESSONS
from course.standin.talk import Talk

EXERCISES = {exercise.id: exercise for exercise in exercises()}
MANY = () if Forks.possible else (pytest.mark.extra,)  # where each run loads the SDK anew, this takes minutes
EACH = pytest.mark.parametrize("exercise", EXERCISES.values(), ids=list(EXERCISES))


def test_three_exercises_a_lesson():
    lessons = dict.fromkeys(exercise.lesson for exercise in exercises())
    assert list(lessons) == [lesson.id for lesson in LESSONS if lesson.id in lessons]
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
    assert set(exercise.explanations) <= ids | {"passed"} | set(shared())


@EACH
def test_files(exercise):
    starter = exercise.starter.read_text(encoding="utf-8")
    solution = exercise.solution.read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(starter))
    assert docstring == ast.get_docstring(ast.parse(solution))
    assert docstring.startswith(f"Exercise {exercise.id}: ")
    assert f"python {exercise.shown}" in docstring and f"course check {exercise.id}" in docstring
    # The place is not marked where to find it is the task.
    assert ("# TODO" in starter) != ("find out " in docstring.lower().replace("\n", " ")) and "TODO" not in solution
    assert len(starter.splitlines()) <= 120
    model = re.search(r"^MODEL = .*", LESSONS[0].path.read_text(encoding="utf-8"), re.MULTILINE)[0]  # that of them all
    assert model in starter and model in solution


def test_nothing_else_lies_in_the_folders():
    files = {file.relative_to(one.folder).as_posix() for one in exercises() for file in one.folder.iterdir()}
    assert files - {"__pycache__"} == {"exercise.toml", "starter.py", "solution.py", "check.py", "variants.toml"}
    assert {file.parent for file in FOLDER.rglob("*.py")} - {one.folder for one in exercises()} == set()


@pytest.mark.parametrize("exercise", [pytest.param(one, id=id, marks=MANY) for id, one in EXERCISES.items()])
@pytest.mark.parametrize("file", ["starter", "solution"])
def test_run_by_hand_shows_the_story_of_the_check(exercise, file, starter):
    """By the stand-in as everybody meets it, which knows the exercise by its first prompt."""
    run = run_program(getattr(exercise, file), None, starter, seconds=60, restarts=exercise.restarts)
    variants = tomllib.loads((exercise.folder / "variants.toml").read_text(encoding="utf-8"))
    expected = variants["starter"] if file == "starter" else "passed"
    verdict = exercise.judge(run)
    assert expected in (verdict.id, verdict.name), (verdict, run.printed, run.failure)


def test_no_lesson_begins_as_an_exercise_does():
    prompts = [re.search(r"^PROMPTS? = (.+?)\n(?=\n|[A-Z])", lesson.path.read_text(encoding="utf-8"), re.M | re.S)
               for lesson in LESSONS]  # fmt: skip
    begins = [ast.literal_eval(found[1]) for found in prompts if found]  # s12 has a list of them
    begins = [begin if isinstance(begin, str) else begin[0] for begin in begins]
    assert len(begins) >= 6 and not any(by_hand.player(prompt) for prompt in begins)


def test_a_run_by_hand_ends_though_nothing_in_the_program_ends_it():
    endless = EXERCISES["s05/3"]
    calls = [
        {"type": "tool_use", "id": f"toolu_{number}", "name": "list_calendar_events", "input": {}}
        for number in range(50)
    ]
    content = [{"type": "tool_result", "tool_use_id": call["id"], "content": "taken"} for call in calls]
    body = {"system": "Today is 2027-09-06.", "tools": [{"name": "list_calendar_events", "input_schema": {}}]}
    said = [("user", "When?"), ("assistant", calls), ("user", content)]
    body["messages"] = [{"role": role, "content": content} for role, content in said]
    assert endless.play(Talk(body)).stop_reason == "end_turn"
