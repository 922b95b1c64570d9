"""Every exercise: the starter fails with its explanation, the solution and other right programs pass, and typical wrong
programs get the explanation meant for them. The programs stand in each exercise's variants.toml.

Each program runs once, against the real stand-in; its verdict is put into words in three languages.
"""

import datetime
import os
import tomllib

import pytest

from course.checks.exercises import Exercise, exercises
from course.checks.runner import Forks, run_program
from course.i18n import LANGUAGES

# Where every run loads the SDK anew (no fork), the variants take minutes: only `make test-all` runs them there.
MANY = () if Forks.possible else (pytest.mark.extra,)


def variants(exercise):
    return tomllib.loads((exercise.folder / "variants.toml").read_text(encoding="utf-8"))


def programs():
    """(exercise, whole program or edits to the solution, verdict). In short: starter, solution, one wrong program."""
    for exercise in exercises():
        id, found = exercise.id, variants(exercise)
        starter = exercise.starter.read_text(encoding="utf-8")
        yield pytest.param(exercise, starter, [], found["starter"], id=f"{id}-starter")
        yield pytest.param(exercise, None, [], "passed", id=f"{id}-solution")
        if id == "s07/1" and os.name == "nt":  # its variants are about the process groups of POSIX
            continue
        first = next(iter(found["wrong"]))
        for kind in ("right", "wrong"):
            for name, entry in found[kind].items():
                expected = entry.get("expect", "passed") if kind == "right" else entry["expect"]
                marks = MANY if (kind, name) == ("wrong", first) else pytest.mark.extra
                program, edits = entry.get("program"), entry.get("edits", [])
                yield pytest.param(exercise, program, edits, expected, id=f"{id}-{kind}-{name}", marks=marks)


@pytest.mark.parametrize(("exercise", "program", "edits", "expected"), list(programs()))
def test_verdict(exercise: Exercise, program, edits, expected, starter, tmp_path):
    source = program or exercise.solution.read_text(encoding="utf-8")
    for old, new in edits:
        assert source.count(old) == 1, f"{source.count(old)} places to edit: {old!r}"
        source = source.replace(old, new.replace("{today}", str(datetime.date.today())))
    path = tmp_path / exercise.path.name
    path.write_text(source, encoding="utf-8")
    run = run_program(path, exercise.play, starter, exercise.shown, seconds=60, restarts=exercise.restarts)
    verdict = exercise.judge(run)
    assert expected in (verdict.id, verdict.name), (verdict, run.printed, run.failure)
    said = {language: exercise.explain(verdict, language) for language in LANGUAGES}
    for part in ("seen", "expected", "next"):
        texts = [getattr(said[language], part) for language in LANGUAGES]
        assert all(texts) or (verdict.passed and part != "seen"), (verdict.name, part, texts)
    assert verdict.line is None or 1 <= verdict.line <= len(source.splitlines())
    for other in exercises():  # a run that a judge does not expect is judged all the same
        other.explain(other.judge(run), "en")


@pytest.mark.parametrize("exercise", exercises(), ids=lambda exercise: exercise.id)
def test_enough_variants(exercise):
    found = variants(exercise)
    assert len(found["right"]) >= 2
    assert len({entry["expect"] for entry in found["wrong"].values()}) >= 3
