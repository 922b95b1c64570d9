"""A Python of its own, beside the lessons, as a lesson is one."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ..lessons import AGENTS
from . import settings


@dataclass(frozen=True)
class Ended:
    """How it ended: its exit status, what it printed, and the last line of stderr without any secret ("?": none)."""

    status: int
    out: str
    last: str


def run(*arguments: str, seconds: float, folder: Path = AGENTS, **variables: str) -> Ended | None:
    """Run `python ARGUMENTS` in a folder. None: it did not end within `seconds`."""
    try:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return None
    lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
    return Ended(done.returncode, done.stdout, settings.foreign(lines[-1] if lines else "?"))
