"""The lessons on every supported Python that this machine has, each with an environment of its own."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course.lessons import LESSONS
from tests.conftest import ROOT, clean_env
from tests.environments import environment, install

SUPPORTED = ["3.11", "3.12", "3.13", "3.14", "3.15"]
SCRIPTS = [lesson.path for lesson in LESSONS if lesson.part == 1 or lesson.id == "s08"]


def interpreters():
    """{version: path} of the interpreters on the PATH or installed by pyenv, without the one that runs the tests."""
    found = {}
    folders = [*os.environ["PATH"].split(os.pathsep)]
    folders += [
        str(path) for path in Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob("versions/*/bin")
    ]
    for version in SUPPORTED:
        for folder in folders:
            path = shutil.which(f"python{version}", path=folder)
            if path and version != f"3.{sys.version_info.minor}" and runs(path):
                found.setdefault(version, path)
    return found


def runs(path):
    # A version manager leaves names on the PATH that answer "not selected" when called.
    return subprocess.run([path, "-c", "import venv"], capture_output=True).returncode == 0


@pytest.mark.extra
@pytest.mark.parametrize("version, path", interpreters().items())
def test_all_lessons_run(version, path, tmp_path):
    python = environment(tmp_path / "venv", path)
    package = tmp_path / "package"  # a copy, because building leaves files beside the sources
    shutil.copytree(ROOT / "course", package / "course", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, package)
    install(python, package)
    # One process for all, as loading the SDK takes longest; the first script starts the stand-in.
    runs = [json.dumps({"script": str(script), "arguments": [], "env": {}}) for script in SCRIPTS]
    done = subprocess.run(
        [python, str(ROOT / "tests/agents/many_runs.py")],
        input="\n".join(runs), env=clean_env(), cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(SCRIPTS), done.stderr
    for script, answer in zip(SCRIPTS, answers, strict=True):
        assert answer["status"] == 0, (script, answer["err"])
        assert ": end_turn" in answer["out"], script
