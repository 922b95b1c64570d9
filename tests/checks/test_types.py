"""mypy on the exercises' check.py, which all have the same name: it reads each under a name of its own."""

import subprocess
import sys

import pytest

from course.checks.exercises import ROOT, exercises


@pytest.mark.extra
def test_types(tmp_path):
    files = []
    for exercise in exercises():
        files.append(tmp_path / f"check_{exercise.lesson}_{exercise.number}.py")
        files[-1].write_bytes((exercise.folder / "check.py").read_bytes())
    mypy = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--follow-imports=silent"]
    result = subprocess.run([*mypy, *map(str, files)], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stdout + result.stderr
