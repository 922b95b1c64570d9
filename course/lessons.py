"""The lessons as data: course/lessons.toml, read once."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
AGENTS = ROOT / "agents"


@dataclass(frozen=True)
class Lesson:
    id: str
    file: str  # its name in agents/
    part: int  # 1 or 2
    builds_on: list[str]  # ids of earlier lessons
    changes: list[str]  # functions that this lesson changes on purpose
    lines: int  # the most lines of code that it may have
    minutes: int
    cost_usd: float  # the most that a default run costs with a key
    title: dict[str, str]  # by language: en, zh, de
    idea: dict[str, str]
    imports: list[str] = field(default_factory=list)  # beside the standard library, anthropic and load_env
    waits: bool = False  # for other programs, so that how long a run takes differs from machine to machine

    @property
    def path(self) -> Path:
        return AGENTS / self.file

    @property
    def has_page(self) -> bool:
        """Whether it is part of the site yet: then it needs its output, its recorded run and its notes in teach/."""
        return (ROOT / "docs" / "en" / "lessons" / f"{self.id}.md").is_file()


def _read() -> list[Lesson]:
    text = Path(__file__).with_name("lessons.toml").read_text(encoding="utf-8")
    return [Lesson(**lesson) for lesson in tomllib.loads(text)["lesson"]]


LESSONS = _read()
