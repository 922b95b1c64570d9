"""Run the lessons against the stand-in and keep what they print: `python -m course.site.outputs` (`make outputs`).

Every output on a page is one of these. The date is frozen, and nothing of this machine stays in the text.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course.env import DUMMY_KEY
from course.lessons import AGENTS, LESSONS
from course.site import DOCS, LANGUAGES, ROOT, SiteError
from course.site.changes import edit
from course.site.fences import code
from course.site.labels import HERE, label, load
from course.site.lesson_parts import lesson
from course.standin import ids, server
from course.standin.app import create_app
from course.standin.faults import Faults

FOLDER = DOCS / "assets" / "outputs"
TIME_LIMIT = 60  # seconds for one run

FROZEN = Path(__file__).with_name("frozen.py")

# Runs a command in an environment and a folder. Returns all that it prints, stderr included.
# Raises subprocess.TimeoutExpired.
Start = Callable[[list[str], dict[str, str], str], str]


def start(command: list[str], environment: dict[str, str], folder: str) -> str:
    """A Start: a process of its own."""
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        env=environment,
        cwd=folder,
    ).stdout


@dataclass(frozen=True)
class Run:
    """One run of a lesson's script, for pages in one language: what the course itself says is in that language too.

    prompt  one, or several, a line each, where the script takes several
    """

    name: str
    lesson: str
    language: str = "en"
    prompt: str = ""
    old: str = ""
    new: str = ""
    args: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    after: str = ""
    tests: str = ""  # the lesson whose tests are run, on what `old` and `new` make of the script

    @property
    def script(self) -> str:
        return f"agents/{lesson(self.lesson).file}"

    @property
    def command(self) -> str:
        if self.tests:
            return " ".join(["python -m pytest -q", f"agents/{lesson(self.tests).file}", *self.args])
        prompt = [f'"{line}"' for line in self.prompt.splitlines()]
        if self.faults:
            options = [word for fault in self.faults for word in ("--fault", fault)]
            return " ".join(["course run", self.lesson, *options, *prompt, *(["--", *self.args] if self.args else [])])
        return " ".join(["python", self.script, *self.args, *prompt])

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}.{self.language}.txt"


def entries() -> dict[str, dict[str, Any]]:
    """The default run of each lesson that has a page, by the lesson's id, and what outputs.toml adds or changes."""
    return {one.id: {"lesson": one.id} for one in LESSONS if one.has_page} | load(HERE / "outputs.toml")


def runs() -> Iterator[Run]:
    """All runs, each in every language."""
    for name, entry in entries().items():
        common = {key: entry.get(key, "") for key in ("lesson", "old", "new", "after", "tests")}
        common |= {key: tuple(entry.get(key, ())) for key in ("args", "faults")}
        for language in LANGUAGES:
            yield Run(name, **common, language=language, prompt=entry.get("prompt", {}).get(language, ""))


def find(name: str, language: str) -> Run:
    """The run that a page in this language means by `name`. Raises SiteError when there is none."""
    known = list(runs())
    for run in known:
        if run.name == name and run.language == language:
            return run
    raise SiteError(f"no output `{name}`; outputs.toml has {', '.join(dict.fromkeys(run.name for run in known))}")


def perform(run: Run, start: Start = start) -> str:
    """Run it and return what it prints, stderr included, without traces of this machine.

    Raises SiteError when `old` is not in the script exactly once, or when the script does not end in time.
    """
    with tempfile.TemporaryDirectory() as temporary:  # outside the repository, where no .env is found
        folder = os.path.realpath(temporary)  # as the script will say it
        # What the lessons from s08 on read and import, without what runs of s09 have left in it.
        shutil.copytree(AGENTS, Path(folder, "agents"), ignore=shutil.ignore_patterns("notes", "__pycache__"))
        if run.after:
            _perform_in(folder, find(run.after, run.language), start)
        return _perform_in(folder, run, start)


def _perform_in(folder: str, run: Run, start: Start) -> str:
    source = (ROOT / run.script).read_text(encoding="utf-8")
    if run.old:
        hits = source.count(run.old)
        if hits != 1:
            raise SiteError(f"outputs.toml, {run.name}: `old` is {hits} times in {run.script}; it must be there once")
        source = source.replace(run.old, run.new)
    script = Path(folder, run.script)
    script.write_text(source, encoding="utf-8")
    command = [sys.executable, str(FROZEN), str(script), *run.args, *run.prompt.splitlines()]
    if run.tests:
        command = [sys.executable, *run.command.split()[1:]]
    running = server.start(lambda: create_app(Faults(run.faults))) if run.faults else None
    served = {}
    if running:  # beside a key, the SDK warns of a folder for profiles
        served = {"ANTHROPIC_BASE_URL": running.base_url, "ANTHROPIC_API_KEY": DUMMY_KEY, "ANTHROPIC_CONFIG_DIR": ""}
    try:
        printed = start(command, _environment(run.language, folder) | served, folder)
    except subprocess.TimeoutExpired as error:
        raise SiteError(f"outputs.toml, {run.name}: not done after {TIME_LIMIT} s") from error
    finally:
        if running:
            running.stop()
    text = _without_machine(printed, folder)
    if run.prompt or run.old or run.faults or run.after:  # who answers is said once a lesson, above the default run
        text = re.sub(r"\A\[course\] .*\n", "", text)
    return text


def _environment(language: str, folder: str) -> dict[str, str]:
    """What a reader without a key has."""
    own = ("ANTHROPIC_", "COURSE_", "PYTHON", "MODEL_ID")
    machine = ("CI", "BUILD_NUMBER")  # pytest, which one of the runs is, shortens no line where they are set
    kept = {name: value for name, value in os.environ.items() if not name.startswith((*own, *machine))}
    return kept | {
        "ANTHROPIC_CONFIG_DIR": folder,  # no profile of the SDK, so no key from anywhere
        "COURSE_LANG": language,
        "NO_COLOR": "1",
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
    }


def _without_machine(text: str, folder: str) -> str:
    """Shorten tracebacks to their last error, which is what they say, and take paths and ports away."""
    last = text.rfind("Traceback (most recent call last):")
    if last >= 0:
        start = text.find("Traceback (most recent call last):")
        text = text[:start] + re.sub(r"(?m)(^ .*\n)+", "  ...\n", text[last:], count=1)
    text = text.replace(folder + os.sep, "")
    text = re.sub(r"(127\.0\.0\.1):\d{5}", r"\1:54321", text)
    return ids.without_chance(text.rstrip()) + "\n"


def same(old: str, new: str) -> bool:
    """Whether two outputs are equal but for how long things took."""
    durations = re.compile(r"\b\d+(\.\d+)? ?(ms|s|seconds)\b")
    return durations.sub("#", old) == durations.sub("#", new)


def output_fence(body: str, language: str) -> str:
    """Turn the body of an `output` fence, a name, into what that run printed, labelled as the stand-in's words."""
    run = find(body.strip(), language)
    if not run.file.is_file():
        raise SiteError(f"{run.file.name} is not there; `make outputs` writes it")
    text = run.file.read_text(encoding="utf-8").rstrip("\n")
    block = code(text, "text", title=run.command)
    return f"{block}\n\n{label(language, 'standin_words')}\n{{ .standin-words }}"


def edit_fence(body: str, language: str) -> str:
    """Turn the body of an `edit` fence, the name of a run with a mistake in it, into a diff and what to do with it."""
    run = find(body.strip(), language)
    if not run.old:
        raise SiteError(f"`{run.name}` makes no mistake: outputs.toml gives it no `old` and `new`")
    diff = code(edit(run.old.strip("\n"), run.new.strip("\n")), "diff", title=run.script)
    return f"{diff}\n\n{label(language, 'undo')}"


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = list(runs())
    for run in [run for run in wanted if run.name.startswith(tuple(sys.argv[1:]) or "")]:
        text = perform(run)
        before = run.file.read_text(encoding="utf-8") if run.file.is_file() else ""
        if not same(before, text):
            run.file.write_text(text, encoding="utf-8", newline="\n")
            print(f"written: {run.file.relative_to(ROOT).as_posix()}")
    for file in set(FOLDER.glob("*.txt")) - {run.file for run in wanted}:
        file.unlink()
        print(f"removed: {file.relative_to(ROOT).as_posix()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
