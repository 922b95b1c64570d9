"""Runs a script in its recording process, keeps the exchanges meanwhile, writes the trace."""

import json
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ..wire.record import Record, credentials, is_about_messages, make
from . import build, files
from .pieces import pieces

STAND_IN = "stand-in"

Runner = Callable[[list[str], dict[str, str]], int]


class Tape:
    """One recording.

    Args:
        script: the file to run.
        arguments: what follows it on the command line.
        answered_by: STAND_IN, or the host that answers.
        at: a local time at which the script's clock starts; the trace then leaves out what differs from run to run.
    """

    def __init__(self, script: Path, arguments: Sequence[str], answered_by: str, at: str | None = None) -> None:
        self._script = script
        self._arguments = arguments
        self._answered_by = answered_by
        self._at = at
        self._exchanges: list[tuple[float, float, Record]] = []
        self._secrets: set[str] = set()

    def observe(self, exchange: Any) -> None:
        """An observer for `create_app`."""
        self._secrets.update(credentials(exchange.headers))
        if is_about_messages(exchange.path):
            began = exchange.first_byte or exchange.ended
            record = make(exchange)
            if self._at is not None and record["streamed"]:
                record["pieces"] = pieces(exchange.chunks)
            self._exchanges.append((exchange.started, began, record))

    def record(self, path: Path, run_child: Runner, environment: dict[str, str]) -> int:
        """Run the script, write its trace to `path` whatever becomes of the script, and return its exit status.

        Raises:
            OSError: `path` cannot be written; the script is not run then.
        """
        path.open("a", encoding="utf-8").close()
        source = self._script.read_text(encoding="utf-8", errors="replace")
        # On Windows a file that some child still writes cannot be removed; that is no reason to lose the trace.
        with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
            events = Path(folder) / "events"
            at = ["--at", self._at] if self._at else []
            command = [sys.executable, "-m", "course.trace.launch", *at, str(events), str(self._script)]
            status = run_child([*command, *self._arguments], environment)
            trace = build.build(
                self._script.name,
                source,
                self._arguments,
                _events(events),
                sorted(self._exchanges, key=lambda exchange: exchange[0]),
                self._answered_by,
                sorted(self._secrets | set(credentials({})), key=len, reverse=True),
                masked=self._at is not None,
                status=status,
            )
        files.save(trace, path)
        return status


def _events(path: Path) -> list[dict[str, Any]]:
    """What the script's process wrote; a last line that was cut off by a sudden death is left out."""
    events = []
    if path.exists():
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                try:
                    events.append(json.loads(line))
                except ValueError:
                    break
    return events
