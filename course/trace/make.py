"""`make traces` (python -m course.trace.make [LESSON ...]): record the lessons for their pages. For contributors.

The stand-in answers, the clock starts at a fixed time, and what differs from run to run is left out: on Python 3.11 the
same lessons give the same files, docs/assets/traces/<lesson>.json, and <lesson>.de.json where the prompt is translated.
Needs time-machine (requirements.txt).
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from ..env import DUMMY_KEY
from ..lessons import AGENTS, LESSONS
from ..site.outputs import entries
from ..standin import server
from ..standin.app import create_app
from ..standin.cache import Cache
from ..standin.faults import Faults
from .tape import STAND_IN, Runner, Tape

PACKAGE = Path(__file__).parents[1]
FOLDER = PACKAGE.parent / "docs" / "assets" / "traces"
AT = "2026-11-30T09:00"
RECORDED = tuple(lesson.id for lesson in LESSONS if lesson.has_page)
WAITING = tuple(lesson.id for lesson in LESSONS if lesson.waits)  # how many lines run meanwhile differs from run to run
SECONDS = 120  # a run that takes longer hangs


def main(chosen: list[str]) -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in chosen or names():
        record(name, FOLDER / f"{name}.json")
        print(f"{name}: {(FOLDER / f'{name}.json').stat().st_size:,} bytes")
    return 0


def names() -> list[str]:
    """The lessons, and the mistakes that their pages make (the entries of site/outputs.toml that change the script).

    Then the same in other languages, `s07.de`, of those whose prompt is translated.
    """
    english = [*RECORDED, *_mistakes()]
    return english + [f"{name}.{language}" for name in english for language in languages(name)]


def languages(name: str) -> list[str]:
    """The languages, beside English, in which the run is recorded: calls that are typed are the same in all."""
    prompts = entries()[name].get("prompt", {})
    return [language for language, prompt in prompts.items() if prompt != prompts["en"]]


def record(name: str, path: Path, run_child: Runner | None = None) -> int:
    """Record the run into the file, by default in a process of its own; return the script's exit status."""
    name, _, language = name.partition(".")
    language = language or "en"
    mistake = _mistakes().get(name)
    lesson = mistake["lesson"] if mistake else name
    original = next(each.path for each in LESSONS if each.id == lesson)
    source = original.read_text(encoding="utf-8")
    if mistake:
        if source.count(mistake["old"]) != 1:
            raise SystemExit(f"outputs.toml, {name}: `old` must be in {original.name} exactly once")
        source = source.replace(mistake["old"], mistake["new"])
    with tempfile.TemporaryDirectory() as folder:
        # What the lessons from s08 on read and import, as it is in a fresh copy: s09 writes into it.
        unwanted = shutil.ignore_patterns("notes", "__pycache__")
        shutil.copytree(AGENTS, folder, ignore=unwanted, dirs_exist_ok=True)
        script = Path(folder) / original.name
        script.write_text(source, encoding="utf-8", newline="\n")
        run = entries()[name]
        arguments = [*run.get("args", []), *filter(None, [run.get("prompt", {}).get(language)])]
        tape = Tape(script, arguments, STAND_IN, at=AT)
        running = server.start(lambda: create_app(Faults(run.get("faults", []), Cache()), tape.observe))
        try:
            with _at_a_fixed_place() if lesson in WAITING or "--resume" in arguments else nullcontext():
                return tape.record(path, run_child or _quietly, _environment(running.base_url, language))
        finally:
            running.stop()


@contextmanager
def _at_a_fixed_place() -> Iterator[None]:
    """An empty folder, always of the same name: a lesson that tells Claude its folder says the same each time."""
    before = os.getcwd()
    place = Path(tempfile.gettempdir()) / "agent-loop-course"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    os.chdir(place)
    try:
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(place, ignore_errors=True)


def _mistakes() -> dict[str, dict[str, Any]]:
    return {name: run for name, run in entries().items() if name in {f"{lesson}-break" for lesson in RECORDED}}


def _quietly(command: list[str], environment: dict[str, str]) -> int:
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.run(command, env=environment, timeout=SECONDS, **quiet).returncode  # type: ignore[call-overload]


def _environment(base_url: str, language: str) -> dict[str, str]:
    """What a reader without a key has, and nothing that could change a word of the run."""
    own = ("ANTHROPIC_", "COURSE_", "PYTHON", "MODEL_ID")
    return {name: value for name, value in os.environ.items() if not name.startswith(own)} | {
        "ANTHROPIC_BASE_URL": base_url,
        "ANTHROPIC_API_KEY": DUMMY_KEY,
        "COURSE_WATCHED": "1",
        "COURSE_LANG": language,
        "PYTHONUTF8": "1",
        "TZ": "UTC",
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
