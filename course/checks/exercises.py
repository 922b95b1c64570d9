"""The exercises: one folder each, exercises/<lesson>/<number>_<name>/.

exercise.toml  kind, minutes, and in three languages: title, task, hints, explanations of verdicts
starter.py     the unfinished program, copied for the reader to my/<lesson>_<number>_<name>.py
solution.py    the reference solution
check.py       play(talk): what Claude says; judge(run): what is made of the run; RESTARTS, if something kills it
variants.toml  right and wrong programs, for the tests
"""

import importlib.util
import os
import sys
import tomllib
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..standin.talk import Play
    from .explanations import Explanation
    from .run import Run
    from .verdict import Verdict

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "exercises"
MINE = ROOT / "my"  # the reader's copies; not tracked by git

Texts = dict[str, str]  # by language: en, zh, de


@dataclass(frozen=True)
class Exercise:
    """Nothing of it is read before it is asked for."""

    folder: Path

    @property
    def lesson(self) -> str:
        return self.folder.parent.name

    @property
    def number(self) -> int:
        return int(self.folder.name.partition("_")[0])

    @property
    def id(self) -> str:
        """ "s03/2" """
        return f"{self.lesson}/{self.number}"

    @property
    def path(self) -> Path:
        """The reader's copy, which `copies.ensure` makes."""
        return MINE / f"{self.lesson}_{self.folder.name}.py"

    @property
    def shown(self) -> str:
        """The path as the reader writes it, from the folder that the terminal is in."""
        here = Path.cwd()
        if here == ROOT or not self.path.is_relative_to(ROOT):
            return f"my/{self.path.name}"
        return os.path.relpath(self.path, here) if here.is_relative_to(ROOT) else str(self.path)

    @property
    def starter(self) -> Path:
        return self.folder / "starter.py"

    @property
    def solution(self) -> Path:
        return self.folder / "solution.py"

    @cached_property
    def _data(self) -> dict[str, Any]:
        return tomllib.loads((self.folder / "exercise.toml").read_text(encoding="utf-8"))

    @property
    def kind(self) -> str:
        """ "complete", "repair" or "extend" """
        return str(self._data["kind"])

    @property
    def minutes(self) -> int:
        """How long it takes most readers, the lesson read."""
        return int(self._data["minutes"])

    @property
    def title(self) -> Texts:
        return self._data["title"]

    @property
    def task(self) -> Texts:
        return self._data["task"]

    @property
    def hints(self) -> list[Texts]:
        """From a nudge to nearly the answer."""
        return self._data["hint"]

    @property
    def explanations(self) -> dict[str, Any]:
        """What verdicts mean, by their id."""
        return self._data["explain"]

    @property
    def play(self) -> "Play":
        """Who says what Claude says in this exercise."""
        play: Play = self.check.play
        return play

    @property
    def restarts(self) -> int:
        """How often the program is started again when something has killed it."""
        return int(getattr(self.check, "RESTARTS", 0))

    def judge(self, run: "Run") -> "Verdict":
        verdict: Verdict = self.check.judge(run)
        return verdict

    def explain(self, verdict: "Verdict", language: str, untouched: bool = False) -> "Explanation":
        """The verdict in words. `untouched`: on a starter that nobody has changed, which may say less."""
        from .explanations import explain

        return explain(verdict, self.explanations, language, untouched)

    @cached_property
    def check(self) -> ModuleType:
        """check.py, loaded by its path under a name that no other module has."""
        name = f"_course_exercise_{self.lesson}_{self.number}"
        spec = importlib.util.spec_from_file_location(name, self.folder / "check.py")
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module


@lru_cache
def exercises() -> tuple[Exercise, ...]:
    """All exercises, in order."""
    found = [Exercise(file.parent) for file in FOLDER.glob("*/*/exercise.toml")]
    return tuple(sorted(found, key=lambda exercise: (exercise.lesson, exercise.number)))


def find(name: str) -> tuple[Exercise, ...]:
    """The exercises of a lesson ("s03"), one exercise ("s03/2"), the one of a file; () if there is none."""
    if name.endswith(".py"):
        wanted = Path(name).resolve()
        return tuple(
            one
            for one in exercises()
            if wanted == one.path.resolve() or wanted.parent == one.folder.resolve() or name == one.shown
        )
    name = name.replace("\\", "/").rstrip("/").removeprefix("exercises/")
    return tuple(one for one in exercises() if name in (one.id, one.lesson, f"{one.lesson}/{one.folder.name}"))
