"""What the commands share: which exercises are meant, and checking several at once."""

import datetime
import difflib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .. import console
from ..i18n import translator
from . import copies, progress
from .exercises import Exercise, exercises, find
from .verdict import Verdict

if TYPE_CHECKING:
    from .runner import Starter

_ = translator("checks")


def one(name: str | None) -> Exercise | int:
    """The exercise that is meant, or the exit status after saying what is wrong with the name.

    Without a name it is the next unsolved one, or the last if all are solved.
    """
    if name is None:
        return following(loaded()) or exercises()[-1]
    found = find(name)
    if len(found) == 1:
        return found[0]
    return console.problem(which(name, found) if found else unknown(name))


def following(done: progress.Progress, among: Sequence[Exercise] = ()) -> Exercise | None:
    """The next unsolved exercise: the one checked last, or what comes after it; at the end what was left out before."""
    ordered = list(among or exercises())
    ids = [exercise.id for exercise in ordered]
    start = ids.index(done.last) if done.last in ids else 0
    return next((exercise for exercise in ordered[start:] + ordered[:start] if exercise.id not in done.passed), None)


def loaded() -> progress.Progress:
    """The progress so far; if the file was damaged, with a word on where it is kept."""
    done = progress.load()
    _tell_of_damage()
    return done


def change(edit: Callable[[progress.Progress], None]) -> progress.Progress:
    """Change the progress and save it. What was shown has been shown, so a failure is only reported."""
    done = progress.Progress()
    try:
        with progress.changing() as done:
            edit(done)
    except OSError as error:
        console.problem(_("the progress could not be saved: {reason}").format(reason=error.strerror or error))
    _tell_of_damage()
    return done


def checked(exercise: Exercise, passed: bool) -> progress.Progress:
    """Note a verdict, at once: a reader who leaves (`| head`), or a kill, loses nothing of it."""

    def edit(done: progress.Progress) -> None:
        done.last = exercise.id
        if passed:
            done.passed.setdefault(exercise.id, str(datetime.date.today()))

    return change(edit)


def _tell_of_damage() -> None:
    while progress.set_aside:
        aside = progress.set_aside.pop()
        sentence = _("The progress could not be read. It is kept in {file}; what is solved is counted anew.")
        console.problem(sentence.format(file=f".course/{aside.name}"))


def unknown(name: str) -> str:
    ids = [exercise.id for exercise in exercises()]
    if near := _near(name, ids):
        return _("There is no exercise {name}; did you mean {near}?").format(name=name, near=near)
    return _("There is no exercise {name}; the exercises are {first} to {last}.").format(
        name=name, first=ids[0], last=ids[-1]
    )


def _near(name: str, ids: Sequence[str]) -> str | None:
    """What was meant by "s1/1", "s01.1", "S01-1" or "1": numbers count before letters."""
    known = [*ids, *dict.fromkeys(exercise.lesson for exercise in exercises())]
    numbers = [int(digits) for digits in re.findall(r"[0-9]+", name)[:2]]
    if numbers and not name.endswith(".py"):
        meant = f"s{numbers[0]:02}" + "".join(f"/{number}" for number in numbers[1:])
        return meant if meant in known else None
    return next(iter(difflib.get_close_matches(name, known, n=1)), None)


def which(name: str, found: Sequence[Exercise]) -> str:
    return _("{name} has several exercises; name one: {ids}.").format(
        name=name, ids=", ".join(exercise.id for exercise in found)
    )


@dataclass(frozen=True)
class Checked:
    """A verdict, what the program printed, and whether it is still the starter."""

    verdict: Verdict
    printed: str
    untouched: bool = False


def check(exercise: Exercise, starter: "Starter | None" = None) -> Checked:
    """Run the reader's file and judge it. Raises OSError if the file cannot be read or made."""
    from .runner import run_program

    copies.ensure(exercise)
    run = run_program(exercise.path, exercise.play, starter, exercise.shown, restarts=exercise.restarts)
    return Checked(exercise.judge(run), run.printed, run.source == exercise.starter.read_text(encoding="utf-8"))


def state(exercise: Exercise) -> tuple[int, ...] | None:
    """What changes when the reader saves the file; None while it is not there, as when an editor replaces it."""
    try:
        stat = exercise.path.stat()
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size, stat.st_ino


def check_all(chosen: Sequence[Exercise]) -> Iterator[tuple[Exercise, Checked | OSError]]:
    """Check several, some at the same time; yields them in order."""
    workers = min(len(chosen), os.cpu_count() or 2)
    spare: list[Starter] = []

    def work(exercise: Exercise) -> Checked | OSError:
        starter = spare.pop()
        try:
            return check(exercise, starter=starter)
        except OSError as error:
            return error
        finally:
            spare.append(starter)

    from . import runner

    with starters(workers) as ready, ThreadPoolExecutor(workers) as pool:
        spare += ready
        try:
            futures = [pool.submit(work, exercise) for exercise in chosen]
            for exercise, future in zip(chosen, futures, strict=True):
                while not future.done():  # in short steps: in a wait without end a signal can go unnoticed
                    wait([future], timeout=0.2)
                yield exercise, future.result()
        except BaseException:  # Ctrl-C, SIGTERM, a reader that has left: neither wait for the rest nor begin it
            runner.leaving.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


@contextmanager
def starters(count: int) -> Iterator[list["Starter"]]:
    """Ways to start programs, each for one at a time: quicker than a new Python every time where that can be."""
    from .runner import Forks, Fresh

    # A fork of a Python with the SDK loaded pays from the second exercise on.
    forks: list[Forks] = []
    try:
        with suppress(OSError):  # no room for temporary files: each check then says so for itself
            while Forks.possible and len(forks) < count:
                forks.append(Forks())
        yield list(forks) if len(forks) == count else [Fresh() for _number in range(count)]
    finally:
        for fork in forks:
            fork.close()
