"""`course solution`: the reference solution, after a pass or to who asks twice."""

import argparse
import difflib

from .. import console, i18n
from ..checks import report, session
from ..checks.exercises import ROOT, Exercise

_ = i18n.translator("checks")


def HELP() -> str:
    return _("show the reference solution of an exercise")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", help=_("an exercise (s03/2); without it, the next unsolved one"))


def run(args: argparse.Namespace) -> int:
    done = session.loaded()
    exercise = session.one(args.exercise)
    if not isinstance(exercise, Exercise):
        return exercise
    asked = done.asked.get(exercise.id, 0)
    if exercise.id not in done.passed and not asked:
        session.change(lambda done: done.asked.update({exercise.id: 1}))
        print(
            _(
                "{title} is not solved yet. Hints: `course hint {id}`. To see the solution all the same, ask once more."
            ).format(title=report.title(exercise), id=exercise.id)
        )
        return 0
    try:
        before = exercise.starter.read_text(encoding="utf-8").splitlines()
        after = exercise.solution.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        return console.problem(_("{file} cannot be read: {reason}").format(file=error.filename, reason=error.strerror))
    print(report.title(exercise))
    print(
        _("What changes in the starter (the whole file: {file}):").format(
            file=exercise.solution.relative_to(ROOT).as_posix()
        )
    )
    print()
    for line in list(difflib.unified_diff(before, after, n=2, lineterm=""))[2:]:
        print(f"  {line}" if not line.startswith("@@") else "  ...")
    return 0
