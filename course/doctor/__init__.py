"""`course doctor`: will the lessons run here? Each module is one check.

NAME() -> str                         what the line is called, translated
check() -> Iterator[Finding]          what it found; at least one finding

A check changes nothing, ends within seconds and raises nothing that a reader can cause.
"""

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Finding:
    """One line of the report. `warn`: the lessons run, but something is odd; `fail`: they will not run."""

    status: Status
    found: str
    cure: str = ""
