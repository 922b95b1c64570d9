"""`course check`: run the reader's solution of an exercise and say what is right or wrong with it."""

import argparse
import signal
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from .. import console, i18n
from ..checks import copies, report, session
from ..checks.exercises import Exercise, exercises, find

if TYPE_CHECKING:
    from ..checks.runner import Starter

_ = i18n.translator("checks")

PACE = 0.3  # seconds between two looks at a file that is watched


def HELP() -> str:
    return _("check your solution of an exercise")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "exercise",
        nargs="?",
        help=_("an exercise (s03/2), a lesson (s03) or a file; without it, the next unsolved one"),
    )
    parser.add_argument("--all", action="store_true", help=_("check all exercises"))
    parser.add_argument(
        "--watch",
        action="store_true",
        help=_("check at every save, and go on to the next exercise when one is solved; Ctrl-C ends it"),
    )


def run(args: argparse.Namespace) -> int:
    _end_tidily()
    if args.all:
        chosen: tuple[Exercise, ...] = exercises()
    elif args.exercise:
        chosen = find(args.exercise)
        if not chosen:
            return console.problem(session.unknown(args.exercise))
    else:
        following = session.following(session.loaded())
        if following is None:
            print(_("All exercises are solved. `course check --all` checks them once more."))
            return 0
        chosen = (following,)
    if args.watch:
        return _watch(chosen)
    return _one(chosen[0]) if len(chosen) == 1 else _several(chosen)


def _end_tidily() -> None:
    """SIGTERM, and a terminal that is closed, end the command as Ctrl-C does: no program and no folder is left."""
    caught = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]

    def leave(number: int, _frame: object) -> None:
        for one in caught:  # a second one must not cut the tidying short
            signal.signal(one, lambda *_: None)  # not SIG_IGN: Python complains of one that came just before
        raise SystemExit(128 + number)

    for number in caught:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, leave)


def _one(exercise: Exercise, starter: "Starter | None" = None) -> int:
    try:
        report.copied(exercise, copies.ensure(exercise))
        checked = session.check(exercise, starter)
    except OSError as error:
        return console.problem(_unreadable(exercise, error))
    verdict = checked.verdict
    done = session.checked(exercise, verdict.passed)
    print(report.line(exercise, _("passed") if verdict.passed else _("not yet")))
    if not verdict.passed:
        print("\n".join(report.fold(exercise.task[i18n.language()], 0)))
    print()
    print(report.explain(exercise, checked))
    print()
    if not verdict.passed:
        print(_("A hint: `course hint {id}`").format(id=exercise.id))
        return 1
    print(_("The reference solution: `course solution {id}`").format(id=exercise.id))
    following = session.following(done)
    if following:
        print(_("Next: {title}, in {file}").format(title=report.title(following), file=following.shown))
    return 0


def _several(chosen: tuple[Exercise, ...]) -> int:
    first = None
    passed = 0
    for exercise, checked in session.check_all(chosen):
        if isinstance(checked, OSError):
            with suppress(OSError):
                print(report.line(exercise, console.plain(_unreadable(exercise, checked))))
            continue
        session.checked(exercise, checked.verdict.passed)
        with suppress(OSError):  # whoever reads has left (`| head -3`): what passes is noted all the same
            print(report.line(exercise, _("passed") if checked.verdict.passed else _("not yet")), flush=True)
        passed += checked.verdict.passed
        if first is None and not checked.verdict.passed:
            first = exercise, checked
    print()
    print(_("{passed} of {count} passed.").format(passed=passed, count=len(chosen)))
    if first:
        print()
        print(report.title(first[0]))
        print(report.explain(*first))
    return 0 if passed == len(chosen) else 1


def _watch(chosen: tuple[Exercise, ...]) -> int:
    """Check the file of one exercise each time it is saved; when it is solved, that of the next."""
    among = chosen if len(chosen) > 1 else ()
    exercise: Exercise | None = session.following(session.loaded(), among) if among else chosen[0]
    try:
        with session.starters(1) as (starter,):
            while exercise:
                with suppress(OSError):  # then the check says so
                    report.copied(exercise, copies.ensure(exercise))
                seen = session.state(exercise)  # before the check: a save meanwhile counts
                status = _one(exercise, starter)
                if status == 0:
                    exercise = session.following(session.loaded(), among)
                    if exercise is None:
                        break
                    with suppress(OSError):  # then the check says so
                        report.copied(exercise, copies.ensure(exercise))
                    seen = session.state(exercise)
                    print("\n".join(report.fold(exercise.task[i18n.language()], 0)))
                print(_("Watching {file}. Ctrl-C ends it.").format(file=exercise.shown), flush=True)
                while session.state(exercise) in (seen, None):
                    time.sleep(PACE)
                print()
    except KeyboardInterrupt:
        print()
        print(_("No longer watching. `course progress` shows what is solved."))
        return 0
    print(_("All of them are solved."))
    return 0


def _unreadable(exercise: Exercise, error: OSError) -> str:
    if exercise.path.is_dir():
        return _("{file} is a folder. Move it away; `course reset {id}` then puts the file there.").format(
            file=exercise.shown, id=exercise.id
        )
    if error.filename == str(exercise.path):
        return _("{file} cannot be read: {reason}").format(file=exercise.shown, reason=error.strerror)
    # No room for temporary files, most often.
    return _("The program could not be started: {reason}").format(reason=error.strerror or error)
