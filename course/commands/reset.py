"""`course reset`: put the starter of an exercise back, and keep what the reader wrote."""

import argparse

from .. import console, i18n
from ..checks import copies, progress, session
from ..checks.exercises import Exercise

_ = i18n.translator("checks")


def HELP() -> str:
    return _("start an exercise afresh; your version is kept")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help=_("an exercise (s03/2)"))


def run(args: argparse.Namespace) -> int:
    exercise = session.one(args.exercise)
    if not isinstance(exercise, Exercise):
        return exercise
    try:
        if exercise.path.exists() and exercise.path.read_bytes() == exercise.starter.read_bytes():
            print(_("{file} is as it was delivered.").format(file=exercise.shown))
        else:
            if kept := copies.reset(exercise):
                print(_("Your version is kept in {file}").format(file=f".course/backups/{kept.name}"))
            print(_("{file} is the starter again.").format(file=exercise.shown))
    except OSError as error:
        sentence = _("{file} cannot be read or written: {reason}")
        return console.problem(sentence.format(file=error.filename, reason=error.strerror))

    def forget(done: progress.Progress) -> None:
        for notes in (done.passed, done.hints, done.asked):
            notes.pop(exercise.id, None)

    session.change(forget)
    return 0
