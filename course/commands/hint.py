"""`course hint`: the next hint to an exercise, from a nudge to nearly the answer."""

import argparse

from .. import i18n
from ..checks import report, session
from ..checks.exercises import Exercise

_ = i18n.translator("checks")


def HELP() -> str:
    return _("give the next hint to an exercise")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", help=_("an exercise (s03/2); without it, the next unsolved one"))


def run(args: argparse.Namespace) -> int:
    done = session.loaded()
    exercise = session.one(args.exercise)
    if not isinstance(exercise, Exercise):
        return exercise
    hints = [hint[i18n.language()] for hint in exercise.hints]
    shown = min(done.hints.get(exercise.id, 0) + 1, len(hints))
    print(report.title(exercise))
    for number, hint in enumerate(hints[:shown], 1):
        first, *rest = report.fold(hint, 5)
        print(f"  {number}. {first}")
        for more in rest:
            print(f"     {more}")
    if shown == len(hints):
        print(_("There are no more hints. The solution: `course solution {id}`").format(id=exercise.id))
    session.change(lambda done: done.hints.update({exercise.id: shown}))
    return 0
