"""Whether the calls of one reply ran at the same time."""

import re

from .run import Run
from .verdict import Verdict, fail, place


def side_by_side(run: Run, began: str, ended: str) -> bool:
    """Whether two tools were at work at the same time: the second began before the first ended, by their prints."""
    begins = [match.start() for match in re.finditer(began, run.printed)]
    ends = [match.start() for match in re.finditer(ended, run.printed)]
    return len(begins) > 1 and bool(ends) and begins[1] < ends[0]


def pause(run: Run) -> float:
    """Seconds between the first reply and the next request: what the tools took."""
    return run.sent[1].started - run.sent[0].ended if len(run.sent) > 1 else 0.0


def one_by_one(run: Run) -> Verdict:
    return fail(
        "one_by_one", line=place(run, r"max_workers", r"\.result\(\)", r"(?<!def )run_tool\(", r"def run_tools")
    )
