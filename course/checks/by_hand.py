"""Who plays an exercise that its reader runs by hand: as long as it begins with the starter's prompt, the player of its
check, so that both tell one story."""

import ast
import re
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..standin.talk import Play

FOLDER = Path(__file__).parent.parent.parent / "exercises"

# The constant with what is asked, up to a blank line or the next constant.
PROMPTS = re.compile(r"^PROMPTS? = (.+?)\n(?=\n|[A-Z])", re.MULTILINE | re.DOTALL)


def player(prompt: str, tools: Collection[str] = ()) -> "Play | None":
    """The player of the exercise whose starter asks this first; None if there is none.

    A program that has tools, and none that the starter speaks of, is another one.
    For `course.standin.replies.finders`. The starters are read when the first conversation begins (2 ms).
    """
    folder = _folders().get(prompt)
    if folder is None or tools and not _speaks_of(folder, tools):
        return None
    from .exercises import Exercise

    return Exercise(folder).play


def _speaks_of(folder: Path, tools: Collection[str]) -> bool:
    starter = (folder / "starter.py").read_text(encoding="utf-8")
    return any(name in starter for name in tools)


@cache
def _folders() -> dict[str, Path]:
    """The folders of the exercises, by the prompts of their starters."""
    found: dict[str, Path] = {}
    for starter in sorted(FOLDER.glob("*/*/starter.py")):
        if constant := PROMPTS.search(starter.read_text(encoding="utf-8")):
            prompts = ast.literal_eval(constant[1])
            for prompt in [prompts] if isinstance(prompts, str) else prompts:
                found[prompt] = starter.parent
    return found
