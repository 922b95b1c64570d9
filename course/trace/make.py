"""`make traces` (python -m course.trace.make [LESSON ...]): record the lessons for their pages. For contributors.

The stand-in answers, the clock starts at a fixed time, and what differs from run to run is left out: on Python 3.11 the
same lessons give the same files, docs/assets/traces/<lesson>.json. Needs time-machine (requirements.txt).
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from ..env import DUMMY_KEY
from ..lessons import LESSONS
from ..standin import server
from ..standin.app import create_app
from .tape import STAND_IN, Tape

FOLDER = Path(__file__).parents[2] / "docs" / "assets" / "traces"
AT = "2026-11-30T09:00"
RECORDED = ("s01", "s02", "s03", "s04", "s05", "s06")
SECONDS = 120  # a run that takes longer hangs


def main(names: list[str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names or RECORDED:
        status = record(name, FOLDER / f"{name}.json")
        print(f"{name}: {(FOLDER / f'{name}.json').stat().st_size:,} bytes")
        if status:
            print(f"{name}: exit status {status}", file=sys.stderr)
            return 1
    return 0


def record(name: str, path: Path) -> int:
    """Record the lesson into the file and return the script's exit status."""
    script = next(lesson.path for lesson in LESSONS if lesson.id == name)
    tape = Tape(script, [], STAND_IN, at=AT)
    running = server.start(lambda: create_app(observe=tape.observe))
    try:
        with _environment(running.base_url) as environment:
            return tape.record(path, _quietly, environment)
    finally:
        running.stop()


def _quietly(command: list[str], environment: dict[str, str]) -> int:
    return subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=SECONDS
    ).returncode


@contextlib.contextmanager
def _environment(base_url: str) -> Iterator[dict[str, str]]:
    """What a reader without a key has, and nothing that could change a word of the run."""
    own = ("ANTHROPIC_", "COURSE_", "PYTHON", "MODEL_ID")
    yield {name: value for name, value in os.environ.items() if not name.startswith(own)} | {
        "ANTHROPIC_BASE_URL": base_url,
        "ANTHROPIC_API_KEY": DUMMY_KEY,
        "COURSE_WATCHED": "1",
        "COURSE_LANG": "en",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
