"""`course start`: a copy of an exercise's starter, for the reader to edit."""

import argparse

from .. import console, i18n
from ..checks import copies, report, session
from ..checks.exercises import Exercise
from ..doctor.shell import quoted

_ = i18n.translator("checks")


def HELP() -> str:
    return _("begin an exercise: get your own copy of its starter")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", help=_("an exercise (s03/2); without it, the next unsolved one"))


def run(args: argparse.Namespace) -> int:
    exercise = session.one(args.exercise)
    if not isinstance(exercise, Exercise):
        return exercise
    try:
        how = copies.ensure(exercise)
    except OSError as error:
        sentence = _("{file} cannot be read or written: {reason}")
        return console.problem(sentence.format(file=error.filename, reason=error.strerror))
    print(report.title(exercise))
    print("\n".join(report.fold(exercise.task[i18n.language()], 0)))
    print()
    if how == "there":
        print(
            _("{file} is there already. `course reset {id}` puts the starter back.").format(
                file=exercise.shown, id=exercise.id
            )
        )
    report.copied(exercise, how)
    file = quoted(exercise.shown) if " " in exercise.shown else exercise.shown
    print(_("Run    python {file}").format(file=file))
    print(_("Check  course check {id}").format(id=exercise.id))
    return 0
