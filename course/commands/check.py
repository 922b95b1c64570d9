"""`course check`: run the reader's solution of an exercise and say what is right or wrong with it."""

import argparse
import datetime

from .. import console, i18n
from ..checks import copies, progress, report, session
from ..checks.exercises import Exercise, exercises, find

_ = i18n.translator("checks")


def HELP() -> str:
    return _("check your solution of an exercise")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "exercise",
        nargs="?",
        help=_("an exercise (s03/2), a lesson (s03) or a file; without it, the next unsolved one"),
    )
    parser.add_argument("--all", action="store_true", help=_("check all exercises"))


def run(args: argparse.Namespace) -> int:
    done = progress.load()
    if args.all:
        chosen: tuple[Exercise, ...] = exercises()
    elif args.exercise:
        chosen = find(args.exercise)
        if not chosen:
            return console.problem(session.unknown(args.exercise))
    else:
        following = session.following(done)
        if following is None:
            print(_("All exercises are solved. `course check --all` checks them once more."))
            return 0
        chosen = (following,)
    return _one(chosen[0], done) if len(chosen) == 1 else _several(chosen, done)


def _one(exercise: Exercise, done: progress.Progress) -> int:
    try:
        report.copied(exercise, copies.ensure(exercise))
        checked = session.check(exercise)
    except OSError as error:
        return console.problem(_unreadable(exercise, error))
    verdict = checked.verdict
    print(report.line(exercise, _("passed") if verdict.passed else _("not yet")))
    if not verdict.passed:
        print("\n".join(report.fold(exercise.task[i18n.language()], 0)))
    print()
    print(report.explain(exercise, verdict, checked.printed))
    print()
    if not verdict.passed:
        print(_("A hint: `course hint {id}`").format(id=exercise.id))
        return 1
    _note(done, [exercise])
    print(_("The reference solution: `course solution {id}`").format(id=exercise.id))
    following = session.following(done)
    if following:
        print(_("Next: {title}, in {file}").format(title=report.title(following), file=following.shown))
    return 0


def _several(chosen: tuple[Exercise, ...], done: progress.Progress) -> int:
    first = None
    passed = []
    for exercise, checked in session.check_all(chosen):
        if isinstance(checked, OSError):
            print(report.line(exercise, _unreadable(exercise, checked)))
            continue
        verdict = checked.verdict
        print(report.line(exercise, _("passed") if verdict.passed else _("not yet")), flush=True)
        if verdict.passed:
            passed.append(exercise)
        elif first is None:
            first = exercise, verdict
    _note(done, passed)
    print()
    print(_("{passed} of {count} passed.").format(passed=len(passed), count=len(chosen)))
    if first:
        print()
        print(report.title(first[0]))
        print(report.explain(*first))
    return 0 if len(passed) == len(chosen) else 1


def _note(done: progress.Progress, passed: list[Exercise]) -> None:
    """Remember what was passed, with the day on which it was first."""
    for exercise in passed:
        done.passed.setdefault(exercise.id, str(datetime.date.today()))
    session.save(done)


def _unreadable(exercise: Exercise, error: OSError) -> str:
    if exercise.path.is_dir():
        return _("{file} is a folder. Move it away; `course reset {id}` then puts the file there.").format(
            file=exercise.shown, id=exercise.id
        )
    if error.filename == str(exercise.path):
        return _("{file} cannot be read: {reason}").format(file=exercise.shown, reason=error.strerror)
    # No room for temporary files, most often.
    return _("The program could not be started: {reason}").format(reason=error.strerror or error)
