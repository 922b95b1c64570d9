"""`course progress`: which exercises are solved."""

import argparse

from .. import i18n
from ..checks import progress, report
from ..checks.exercises import exercises

_ = i18n.translator("checks")


def HELP() -> str:
    return _("show which exercises you have solved")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    done = progress.load()
    for exercise in exercises():
        state = [_("passed on {day}").format(day=done.passed[exercise.id])] if exercise.id in done.passed else ["-"]
        if done.hints.get(exercise.id):
            state.append(_("hints: {count}").format(count=done.hints[exercise.id]))
        print(report.line(exercise, ", ".join(state)))
    print()
    solved = sum(exercise.id in done.passed for exercise in exercises())
    print(_("{passed} of {count} passed.").format(passed=solved, count=len(exercises())))
    return 0
