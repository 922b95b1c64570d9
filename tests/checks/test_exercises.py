"""Every exercise: the starter fails with its explanation, the solution and other right programs pass, and typical wrong
programs get the explanation meant for them, in three languages.

Each program runs once, against the real stand-in; its run is judged in each language. The programs stand in variants/.
"""

import datetime
import os
import tomllib
from pathlib import Path

import pytest

from course.checks.exercises import Exercise, exercises
from course.checks.runner import Forks, run_program

VARIANTS = Path(__file__).parent / "variants"

STARTERS = {
    "s01/1": "unanswered",
    "s01/2": "thinking_first",
    "s01/3": "not_offered",
    "s02/1": "no_id",
    "s02/2": "text_first",
    "s02/3": "no_reminder",
    "s03/1": "forgotten",
    "s03/2": "no_f_string",
    "s03/3": "no_sums",
    "s04/1": "some_results",
    "s04/2": "foreign_content",
    "s04/3": "double_booking",
    "s05/1": "unknown_tool",
    "s05/2": "cut_call_ran",
    "s05/3": "endless",
    "s06/1": "no_tools",
    "s06/2": "only_keys",
    "s06/3": "not_asked",
    "s07/1": "survivor",
    "s07/2": "lost_end",
    "s07/3": "nobody_asked",
}
# Where every run loads the SDK anew (no fork), the variants take minutes: only `make test-all` runs them there.
MANY = () if Forks.possible else (pytest.mark.extra,)
BY_ID = {exercise.id: exercise for exercise in exercises()}


def variants(id):
    return tomllib.loads((VARIANTS / f"{id.replace('/', '_')}.toml").read_text(encoding="utf-8"))


def programs():
    for id, exercise in BY_ID.items():
        yield pytest.param(exercise, exercise.starter, [], STARTERS[id], id=f"{id}-starter")
        yield pytest.param(exercise, exercise.solution, [], "passed", id=f"{id}-solution")
        if id == "s07/1" and os.name == "nt":  # its variants are about the process groups of POSIX
            continue
        explained = set()
        for kind, entries in variants(id).items():
            for name, entry in entries.items():
                base = VARIANTS / entry["file"] if "file" in entry else exercise.solution
                expected = "passed" if kind == "right" else entry["expect"]
                edits = entry.get("edits", [])
                # Another way to the same explanation is for `make test-all`.
                marks = pytest.mark.extra if expected in explained else MANY
                if kind == "wrong":
                    explained.add(expected)
                yield pytest.param(exercise, base, edits, expected, id=f"{id}-{kind}-{name}", marks=marks)


@pytest.mark.parametrize(("exercise", "base", "edits", "expected"), list(programs()))
def test_verdict(exercise: Exercise, base, edits, expected, starter, tmp_path, monkeypatch):
    source = base.read_text(encoding="utf-8")
    for old, new in edits:
        assert source.count(old) == 1, f"{source.count(old)} places to edit: {old!r}"
        source = source.replace(old, new.replace("{today}", str(datetime.date.today())))
    path = tmp_path / exercise.path.name
    path.write_text(source, encoding="utf-8")
    run = run_program(path, exercise.answer, starter, exercise.shown, seconds=60)
    verdicts = {}
    for language in ("en", "zh", "de"):
        monkeypatch.setenv("COURSE_LANG", language)
        verdicts[language] = exercise.judge(run)
    english = verdicts["en"]
    assert english.id == expected, (english, run.printed, run.failure)
    assert english.passed == (expected == "passed")
    for language in ("zh", "de"):
        verdict = verdicts[language]
        assert (verdict.id, verdict.line, verdict.api) == (english.id, english.line, english.api)
        for part in ("seen", "expected", "next"):
            text, original = getattr(verdict, part), getattr(english, part)
            assert bool(text) == bool(original)
            assert not original or text != original, f"not translated: {original}"
    for other in BY_ID.values():  # a run that a judge does not expect is judged all the same
        assert other.judge(run).seen
    if not english.passed:
        assert english.line is None or 1 <= english.line <= len(source.splitlines())


@pytest.mark.parametrize("id", BY_ID)
def test_enough_variants(id):
    found = variants(id)
    assert len(found["right"]) >= 2
    assert len({entry["expect"] for entry in found["wrong"].values()}) >= 3
