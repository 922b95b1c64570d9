"""The table of models (models.toml): what each is called, takes, refuses and costs."""

import datetime
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Model:
    """One row of models.toml; that file says what the fields mean."""

    id: str
    name: str
    line: str
    released: datetime.date
    window: int
    max_output: int
    price: tuple[float, float]
    cache_read: float
    cache_minimum: int
    thinking: frozenset[str]
    thinks: bool
    updates: bool
    display: str
    effort: tuple[str, ...]
    refuses: frozenset[str]
    no_tools: frozenset[str] = frozenset()
    long_prompt: tuple[int, float] | None = None
    aliases: tuple[str, ...] = ()
    deprecated: datetime.date | None = None
    retires: datetime.date | None = None


@cache
def _table() -> dict[str, Any]:
    with Path(__file__).with_name("models.toml").open("rb") as file:
        return tomllib.load(file)


@cache
def all_models() -> tuple[Model, ...]:
    """Every model, newest first, as the API lists them."""
    models = [
        Model(
            **{
                **row,
                "price": tuple(row["price"]),
                "long_prompt": tuple(row["long_prompt"]) if "long_prompt" in row else None,
                "thinking": frozenset(row["thinking"]),
                "effort": tuple(row["effort"]),
                "refuses": frozenset(row["refuses"]),
                "no_tools": frozenset(row.get("no_tools", ())),
                "aliases": tuple(row.get("aliases", ())),
            }
        )
        for row in _table()["models"]
    ]
    return tuple(sorted(models, key=lambda model: model.released, reverse=True))


def prices_checked() -> datetime.date:
    """The day on which the prices were read from the documentation."""
    day: datetime.date = _table()["checked"]
    return day


def cache_write() -> dict[str, float]:
    """What writing to the prompt cache costs, by how long it is kept ("5m", "1h"): multiples of the price of input."""
    factors: dict[str, float] = _table()["cache_write"]
    return factors


@cache
def _by_name() -> MappingProxyType[str, Model]:
    models = all_models()
    return MappingProxyType(
        {alias: model for model in models for alias in model.aliases} | {model.id: model for model in models}
    )


def find(name: object) -> Model | None:
    """The model of this id or alias ("claude-haiku-4-5" stands for the dated id). None if there is none."""
    return _by_name().get(name) if isinstance(name, str) else None
