"""What the reader has done: one small file, readable, and harmless to delete.

Two commands at once lose nothing: who changes it holds a lock and reads it anew. A command that is killed leaves the
file as it was, since a whole new file takes its place. One that cannot be read is kept aside.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

FILE = Path(__file__).parent.parent.parent / ".course" / "progress.json"

# Where files that could not be read were put by this process, for who speaks with the reader.
set_aside: list[Path] = []


@dataclass
class Progress:
    """By exercise id: `passed` the day, `hints` how many were shown, `asked` how often the solution was asked for.

    `last` is the id of the exercise that was checked last, "" before the first.
    """

    passed: dict[str, str] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    last: str = ""


def load(file: Path | None = None) -> Progress:
    """The progress so far. A file that cannot be read is put aside and counts as none."""
    file = file or FILE
    if not file.exists():
        return Progress()
    try:  # Windows replaces no file that is being read, and reads none that is being replaced
        lock = file.with_name("progress.lock").open("w", encoding="utf-8")
    except OSError:
        return _read(file)
    with lock:
        with suppress(OSError):
            _acquire(lock)
        return _read(file)


def _read(file: Path) -> Progress:
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Progress()
    except (OSError, ValueError):
        return _put_aside(file)
    try:
        data = json.loads(text)
        parts = {name: data.get(name) or {} for name in ("passed", "hints", "asked")}
        return Progress(
            passed={str(id): str(day) for id, day in parts["passed"].items()},
            hints={str(id): int(count) for id, count in parts["hints"].items()},
            asked={str(id): int(count) for id, count in parts["asked"].items()},
            last=str(data.get("last") or ""),
        )
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        return _put_aside(file)


@contextmanager
def changing(file: Path | None = None) -> Iterator[Progress]:
    """The progress, to be changed; saved at the end. Nobody else changes it meanwhile.

    Raises OSError if it cannot be written; what the body does is done all the same.
    """
    file = file or FILE
    try:
        file.parent.mkdir(exist_ok=True)
        lock = (file.parent / "progress.lock").open("w", encoding="utf-8")
    except OSError:
        yield _read(file)
        raise
    with lock:
        _acquire(lock)
        done = _read(file)
        yield done
        _write(file, json.dumps(asdict(done), indent=2, sort_keys=True) + "\n")


def _write(file: Path, text: str) -> None:
    """All of it, or nothing."""
    new = file.with_name(f"{file.name}.new")
    with new.open("w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(new, file)


def _put_aside(file: Path) -> Progress:
    aside = file.with_name(f"progress-unreadable-{time.strftime('%Y%m%d-%H%M%S')}.json")
    try:
        os.replace(file, aside)
        set_aside.append(aside)
    except OSError:
        pass  # a folder of that name, or no right to: then saving says so
    return Progress()


def _acquire(lock: IO[str]) -> None:
    """Wait until this process alone has the lock. The system takes it back with the file's or the process's end."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # waits up to ten seconds, then OSError
    else:
        import fcntl

        fcntl.flock(lock, fcntl.LOCK_EX)
