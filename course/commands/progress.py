"""`course progress`: which exercises are solved."""

import argparse
import json

from .. import i18n
from ..checks import progress, report, session
from ..checks.exercises import exercises

_ = i18n.translator("checks")


def HELP() -> str:
    return _("show which exercises you have solved")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("the same as JSON, for other programs"))


def run(args: argparse.Namespace) -> int:
    done = session.loaded()
    if args.json:
        print(as_json(done))
        return 0
    for exercise in exercises():
        state = [_("passed on {day}").format(day=done.passed[exercise.id])] if exercise.id in done.passed else ["-"]
        if done.hints.get(exercise.id):
            state.append(_("hints: {count}").format(count=done.hints[exercise.id]))
        print(report.line(exercise, ", ".join(state)))
    print()
    solved = sum(exercise.id in done.passed for exercise in exercises())
    print(_("{passed} of {count} passed.").format(passed=solved, count=len(exercises())))
    return 0


def as_json(done: progress.Progress) -> str:
    """{"passed": number, "count": number, "exercises": [{"id", "title", "passed": day or null, "hints", "asked"}]}"""
    rows = [
        {
            "id": exercise.id,
            "title": exercise.title[i18n.language()],
            "passed": done.passed.get(exercise.id),
            "hints": done.hints.get(exercise.id, 0),
            "asked": done.asked.get(exercise.id, 0),
        }
        for exercise in exercises()
    ]
    solved = sum(row["passed"] is not None for row in rows)
    return json.dumps({"passed": solved, "count": len(rows), "exercises": rows}, ensure_ascii=False, indent=2)
