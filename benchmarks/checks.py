"""How long a reader waits for a verdict.

    python benchmarks/checks.py [--runs 5]

Every exercise is solved with its reference solution, in a copy of the course, and checked one by one, then all at once,
with the real command. Budgets: 2 s for one (the slowest one counts), 5 s for one that starts its program again after a
kill, 20 s for all.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from load import machine

from course.checks.exercises import exercises

ROOT = Path(__file__).parents[1]
ONE, KILLED, ALL = 2.0, 5.0, 20.0


def seconds(folder: Path, *arguments: str) -> float:
    """Wall-clock time of one `course check`. Raises CalledProcessError if the exercise does not pass."""
    env = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", "course", "check", *arguments]
    begun = time.perf_counter()
    subprocess.run(command, cwd=folder, env=env, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()

    print(machine())
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name in ("course", "exercises"):
            shutil.copytree(ROOT / name, folder / name)
        (folder / "my").mkdir()
        for exercise in exercises():
            shutil.copyfile(exercise.solution, folder / exercise.shown)
        ids = [exercise.id for exercise in exercises()]
        medians = {}
        for id in ids:
            medians[id] = statistics.median([seconds(folder, id) for _number in range(args.runs)])
        for id, median in medians.items():
            print(f"{id}     {median:5.2f} s")
        killed = {exercise.id for exercise in exercises() if exercise.restarts}
        slowest = max(median for id, median in medians.items() if id not in killed)
        longest = max((median for id, median in medians.items() if id in killed), default=0.0)
        everything = statistics.median([seconds(folder, "--all") for _number in range(args.runs)])
    print(f"slowest   {slowest:5.2f} s   budget {ONE:4.1f} s   {'kept' if slowest <= ONE else 'EXCEEDED'}")
    print(f"killed    {longest:5.2f} s   budget {KILLED:4.1f} s   {'kept' if longest <= KILLED else 'EXCEEDED'}")
    print(f"--all     {everything:5.2f} s   budget {ALL:4.1f} s   {'kept' if everything <= ALL else 'EXCEEDED'}")


if __name__ == "__main__":
    main()
