"""Does the first lesson make its two turns against the stand-in?"""

import os
import subprocess
import sys
from collections.abc import Iterator

from .. import i18n
from ..lessons import LESSONS
from . import Finding, settings
from .shell import program

_ = i18n.translator("doctor")

SECONDS = 60


def NAME() -> str:
    return _("two turns with the stand-in")


def check() -> Iterator[Finding]:
    lesson = LESSONS[0]
    environment = {**os.environ, "COURSE_OFFLINE": "1", "PYTHONIOENCODING": "utf-8"}
    try:
        run = subprocess.run(
            [sys.executable, str(lesson.path)],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        yield Finding(
            "fail", _("{id} did not end within {seconds} s").format(id=lesson.id, seconds=SECONDS), _see(lesson.id)
        )
        return
    if run.returncode == 0 and "turn 2: end_turn" in run.stdout:
        yield Finding("ok", _("{id} asked, ran its tool and answered").format(id=lesson.id))
    else:
        last = ([line for line in run.stderr.splitlines() if line.strip()] or ["?"])[-1].strip()
        yield Finding(
            "fail", _("{id} stopped: {error}").format(id=lesson.id, error=last), _model(last) or _see(lesson.id)
        )


def _model(error: str) -> str:
    """The cure if it is the model that nobody knows; else ""."""
    with settings.as_a_lesson():
        model = os.environ.get("MODEL_ID")
    if not model or f"model: {model}" not in error:
        return ""
    place = settings.env_file() if settings.in_file().get("MODEL_ID") else _("the environment")
    return _("Take MODEL_ID out of {place}, or name a model that there is, as in claude-sonnet-5-5.").format(
        place=place
    )


def _see(lesson: str) -> str:
    return _(
        "See all of it: `{python} -m course run {id} --offline`. If you changed the lesson: `git checkout agents`."
    ).format(python=program(sys.executable), id=lesson)
