"""The lessons with the real Claude: `pytest -m live`. Costs money; never part of a normal run."""

import os

import pytest

from course.lessons import LESSONS
from tests.conftest import run_script

# Those that ask their reader something are left out: they would run what Claude proposes.
ALONE = [lesson for lesson in LESSONS if "input(" not in lesson.path.read_text(encoding="utf-8")]
PASSED_ON = ("ANTHROPIC_", "MODEL_ID", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT", "https_proxy")


@pytest.mark.live
@pytest.mark.parametrize("lesson", ALONE, ids=lambda lesson: lesson.id)
def test_lesson_with_claude(lesson):
    access = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    run = run_script(f"agents/{lesson.file}", timeout=300, **access)
    assert run.status == 0, run.err
    assert "Traceback" not in run.err
    assert "stand-in" not in run.err
    assert run.lines[0].startswith("> ")
    assert "turn 1: " in run.out
    assert run.lines[-1].strip(), "the run ends with an answer"
