"""The reader's own copy of a starter, in my/."""

import datetime
from pathlib import Path

from .exercises import FOLDER, ROOT, Exercise

BACKUPS = ROOT / ".course" / "backups"


def ensure(exercise: Exercise) -> str:
    """Make the copy if there is none. How it came about: "there", "starter" (new), or "moved" (the reader's edits were
    found where copies stood in earlier versions of the course).

    Raises OSError.
    """
    if exercise.path.exists() or exercise.path.is_symlink():
        return "there"
    old = FOLDER / exercise.lesson / f"{exercise.folder.name}.py"
    starter = exercise.starter.read_bytes()
    edited = old.is_file() and _code(old.read_bytes()) != _code(starter)
    _write_new(exercise.path, old.read_bytes() if edited else starter)
    return "moved" if edited else "starter"


def reset(exercise: Exercise) -> Path | None:
    """Put the starter back; where the reader's version is kept now, or None if there was none.

    Raises OSError.
    """
    kept = None
    if exercise.path.exists():
        BACKUPS.mkdir(parents=True, exist_ok=True)
        now = f"{datetime.datetime.now():%Y%m%d-%H%M%S}"
        kept = BACKUPS / f"{exercise.path.stem}_{now}.py"
        _write_new(kept, exercise.path.read_bytes())
    exercise.path.parent.mkdir(exist_ok=True)
    exercise.path.write_bytes(exercise.starter.read_bytes())
    return kept


def _write_new(path: Path, content: bytes) -> None:
    """Write a file that must not be there yet: nothing of the reader's is ever written over."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        file.write(content)


def _code(source: bytes) -> bytes:
    """A program without its docstring, which says where it stands, and with plain line ends."""
    return source.replace(b"\r\n", b"\n").rpartition(b'"""\n\nimport')[2]
