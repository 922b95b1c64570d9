"""The exercises as data: exercises/exercises.toml, read once."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from .run import Run
    from .scene import Answer
    from .verdict import Verdict

FOLDER = Path(__file__).parent.parent.parent / "exercises"

Texts = dict[str, str]  # by language: en, zh, de


@dataclass(frozen=True)
class Exercise:
    """`starter` is the file as it was delivered; `path` is the reader's, which begins as a copy of it."""

    id: str  # "s03/2"
    file: str  # within exercises/: "s03/2_what_day.py"
    kind: Literal["complete", "repair", "extend"]
    title: Texts
    task: Texts
    hints: dict[str, list[str]]  # by language, from a nudge to nearly the answer

    @property
    def lesson(self) -> str:
        return self.id.partition("/")[0]

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    @property
    def shown(self) -> str:
        """The path as the reader writes it."""
        return f"exercises/{self.file}"

    @property
    def starter(self) -> Path:
        return FOLDER / ".starters" / self.file

    @property
    def solution(self) -> Path:
        return self.path.parent / "solutions" / self.path.name

    def answer(self) -> "Answer":
        """The stand-in of this exercise: the API's rules, and then what Claude says in it."""
        from .scene import answer_with

        return answer_with(getattr(self._module(), f"play_{self._number}"))

    def judge(self, run: "Run") -> "Verdict":
        verdict: Verdict = getattr(self._module(), f"judge_{self._number}")(run)
        return verdict

    @property
    def _number(self) -> str:
        return self.id.partition("/")[2]

    def _module(self) -> object:
        return import_module(f"{__package__}.{self.lesson}")


@lru_cache
def exercises() -> tuple[Exercise, ...]:
    """All exercises, in order."""
    data = tomllib.loads((FOLDER / "exercises.toml").read_text(encoding="utf-8"))
    return tuple(Exercise(**entry) for entry in data["exercise"])


def find(name: str) -> tuple[Exercise, ...]:
    """The exercises of a lesson ("s03"), one exercise ("s03/2"), or the one in a file; () if there is none."""
    if name.endswith(".py"):
        wanted = Path(name).resolve()
        return tuple(one for one in exercises() if wanted in (one.path.resolve(), FOLDER / one.file))
    name = name.replace("\\", "/").rstrip("/").removeprefix("exercises/")
    return tuple(one for one in exercises() if name in (one.id, one.lesson))
