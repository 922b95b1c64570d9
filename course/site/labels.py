"""Data files of this folder: labels in three languages, and how to read TOML."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def load(file: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        return tomllib.load(opened)


@lru_cache
def _labels() -> dict[str, dict[str, str]]:
    return load(HERE / "labels.toml")


def label(language: str, name: str, **values: object) -> str:
    """The words for `name` in "en", "zh" or "de", with {values} filled in."""
    return _labels()[name][language].format(**values)
