"""The lessons as data: course/lessons.toml, read once."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

AGENTS = Path(__file__).parent.parent / "agents"


@dataclass(frozen=True)
class Lesson:
    id: str
    file: str  # its name in agents/
    builds_on: list[str]  # ids of earlier lessons
    changes: list[str]  # functions that this lesson changes on purpose
    minutes: int
    cost_usd: float  # the most that a default run costs with a key
    title: dict[str, str]  # by language: en, zh, de
    idea: dict[str, str]

    @property
    def path(self) -> Path:
        return AGENTS / self.file


def _read() -> list[Lesson]:
    text = Path(__file__).with_name("lessons.toml").read_text(encoding="utf-8")
    return [Lesson(**lesson) for lesson in tomllib.loads(text)["lesson"]]


LESSONS = _read()
