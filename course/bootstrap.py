"""The first step of `make`: an environment in .venv in which the course runs. Needs Python's standard library alone.

    python3 -I course/bootstrap.py [lessons | test | reader | extra]

Installs what the lessons need, and pytest (test), what tests and site need (reader), or everything (extra), unless
that is done. An environment that cannot be used (without pip, of a Python that has gone, from before the folder was
moved) is made anew. What is no environment of ours is left alone, and named.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from typing import NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PYTHON = os.path.join(VENV, "Scripts", "python.exe") if os.name == "nt" else os.path.join(VENV, "bin", "python")

# Each step needs those before it: its name, the file that says what is installed, and pip's arguments for it.
STEPS = (
    ("lessons", "pyproject.toml", ("-e", ".")),
    ("test", "pyproject.toml", ("-e", ".[test]")),
    ("reader", "requirements.txt", ("-r", "requirements.txt")),
    ("extra", "requirements-extra.txt", ("-r", "requirements-extra.txt")),
)

# Asked of the environment's Python: is it an environment, has it pip, was the course installed, and from where?
PROBE = """
import importlib.metadata, importlib.util, json, sys
course = importlib.util.find_spec("course")
print(json.dumps({
    "venv": sys.prefix != sys.base_prefix,
    "pip": importlib.util.find_spec("pip") is not None,
    "installed": any(importlib.metadata.distributions(name="agent-loop-course")),
    "course": course.origin if course else "",
}))
"""


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036
        stop("This course needs Python 3.11 or newer; this is %d.%d. Name another: make PYTHON=python3.13 ..." % sys.version_info[:2])  # noqa: UP031, E501  # fmt: skip
    wanted = sys.argv[1] if len(sys.argv) > 1 else "lessons"
    if not usable():
        make()
    for step, source, arguments in STEPS:
        stamp = os.path.join(VENV, "." + step)
        source = os.path.join(ROOT, source)
        if not os.path.exists(stamp) or os.path.getmtime(stamp) < os.path.getmtime(source):
            print(f"Installing into .venv ({step}) ...", file=sys.stderr, flush=True)
            pip = [PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
            if subprocess.run(pip, cwd=ROOT).returncode:
                stop("That failed; pip's own words stand above. docs/en/setup.md says how to name a proxy or a mirror.")
            with open(stamp, "w", encoding="utf-8"):
                pass
        if step == wanted:
            return


def usable() -> bool:
    """Whether what is in .venv can be used, perhaps after installing."""
    try:
        asked = subprocess.run([PYTHON, "-I", "-c", PROBE], capture_output=True, encoding="utf-8", timeout=60)
        found = json.loads(asked.stdout)
    except (OSError, ValueError):
        return False
    here = os.path.normcase(os.path.dirname(os.path.realpath(found["course"]))) == os.path.normcase(
        os.path.join(ROOT, "course")
    )
    # A moved or copied folder: the course was installed from another place, which activate and its scripts name too.
    return found["venv"] and found["pip"] and (here or not found["installed"])


def make() -> None:
    """Make .venv anew, or stop with one sentence."""
    if os.path.islink(VENV) or (os.path.lexists(VENV) and not _ours()):
        stop(".venv is there and is no virtual environment, so it is left alone: move it away, then type make again.")
    if importlib.util.find_spec("ensurepip") is None:
        version = "%d.%d" % sys.version_info[:2]  # noqa: UP031
        stop(
            f"This Python ({sys.executable}) makes no environments with pip. On Debian and Ubuntu: "
            f"sudo apt install python{version}-venv"
        )
    if os.path.exists(VENV):
        print(".venv cannot be used and is made anew ...", file=sys.stderr, flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
    # Not sys.executable: with .venv active that is the one that has just been removed.
    python = getattr(sys, "_base_executable", sys.executable)
    made = subprocess.run([python, "-m", "venv", VENV], capture_output=True, encoding="utf-8", errors="replace")
    if made.returncode:
        lines = (made.stdout + made.stderr).strip().splitlines()
        stop(f".venv could not be made: {lines[-1] if lines else made.returncode}")


def _ours() -> bool:
    """Whether .venv is a folder that may be replaced: an environment, or empty."""
    return os.path.isdir(VENV) and (os.path.isfile(os.path.join(VENV, "pyvenv.cfg")) or not os.listdir(VENV))


def stop(sentence: str) -> NoReturn:
    sys.exit(sentence)


if __name__ == "__main__":
    main()
