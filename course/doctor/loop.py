"""Does the first lesson make its two turns against the stand-in?"""

import os
import sys
from collections.abc import Iterator

from .. import i18n
from ..lessons import LESSONS
from . import Finding, child, settings
from .shell import program

_ = i18n.translator("doctor")

SECONDS = 60


def NAME() -> str:
    return _("two turns with the stand-in")


def check() -> Iterator[Finding]:
    lesson = LESSONS[0]
    run = child.run(str(lesson.path), seconds=SECONDS, COURSE_OFFLINE="1")
    if run is None:
        yield Finding(
            "fail", _("{id} did not end within {seconds} s").format(id=lesson.id, seconds=SECONDS), _see(lesson.id)
        )
    elif run.status == 0 and "turn 2: end_turn" in run.out:
        yield Finding("ok", _("{id} asked, ran its tool and answered").format(id=lesson.id))
    else:
        cure = settings.other_model() if _unknown_model(run.last) else _see(lesson.id)
        yield Finding("fail", _("{id} stopped: {error}").format(id=lesson.id, error=run.last), cure)


def _unknown_model(error: str) -> bool:
    with settings.as_a_lesson():
        model = os.environ.get("MODEL_ID")
    return bool(model) and f"model: {model}" in error


def _see(lesson: str) -> str:
    return _(
        "See all of it: `{python} -m course run {id} --offline`. If you changed the lesson: `git checkout agents`."
    ).format(python=program(sys.executable), id=lesson)
