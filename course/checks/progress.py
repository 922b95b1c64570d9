"""What the reader has done: one small file, readable, and harmless to delete."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

FILE = Path(__file__).parent.parent.parent / ".course" / "progress.json"


@dataclass
class Progress:
    """By exercise id: `passed` the day, `hints` how many were shown, `asked` how often the solution was asked for."""

    passed: dict[str, str] = field(default_factory=dict)
    hints: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)

    def save(self, file: Path | None = None) -> None:
        """Raises OSError if it cannot be written."""
        file = file or FILE
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps(asdict(self), indent=2, sort_keys=True) + "\n", encoding="utf-8")


def load(file: Path | None = None) -> Progress:
    """The progress so far. A file that cannot be read counts as none."""
    try:
        data = json.loads((file or FILE).read_text(encoding="utf-8"))
        parts = {name: data.get(name) or {} for name in ("passed", "hints", "asked")}
        return Progress(
            passed={str(id): str(day) for id, day in parts["passed"].items()},
            hints={str(id): int(count) for id, count in parts["hints"].items()},
            asked={str(id): int(count) for id, count in parts["asked"].items()},
        )
    except (OSError, ValueError, AttributeError, TypeError):
        return Progress()
