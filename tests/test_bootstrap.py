"""What `make` does first, in real folders: an environment is made, made anew, or named. Nothing is downloaded."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT, clean_env

# In place of the course's own: a package without requirements, and in the folder itself what builds it.
PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "agent-loop-course"
version = "1"
"""
BACKEND = """
import os, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    info = "agent_loop_course-1.dist-info"
    with zipfile.ZipFile(os.path.join(folder, "agent_loop_course-1-py3-none-any.whl"), "w") as wheel:
        wheel.writestr("course.pth", os.getcwd())
        wheel.writestr(info + "/METADATA", "Metadata-Version: 2.1\\nName: agent-loop-course\\nVersion: 1\\n")
        wheel.writestr(info + "/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "/RECORD", "")
    return "agent_loop_course-1-py3-none-any.whl"
"""
BASE = Path(sys.base_prefix) / ("python.exe" if sys.platform == "win32" else "bin/python3")


@pytest.fixture
def folder(tmp_path):
    """A folder with a blank and an umlaut, with what `make` begins with and a package `course` that is empty."""
    place = tmp_path / "mein Übungsordner"
    (place / "course").mkdir(parents=True)
    shutil.copy(ROOT / "course" / "bootstrap.py", place / "course")
    for name, content in {"pyproject.toml": PYPROJECT, "backend.py": BACKEND, "course/__init__.py": ""}.items():
        (place / name).write_text(content, encoding="utf-8")
    return place


def bootstrap(folder, *, python=(str(BASE),)):
    command = [*python, "-I", str(folder / "course" / "bootstrap.py")]
    return subprocess.run(
        command, cwd=folder, env=clean_env(PIP_NO_INDEX="1"), capture_output=True, encoding="utf-8", timeout=300
    )


def python_of(folder):
    return folder / ".venv" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def works(folder):
    """Whether a script elsewhere finds the course of this folder, with the environment's Python."""
    find = "import course, os; print(os.path.dirname(course.__file__))"
    found = subprocess.run(
        [python_of(folder), "-I", "-c", find], cwd=folder.parent, capture_output=True, encoding="utf-8", timeout=60
    )
    return Path(found.stdout.strip()) == folder / "course"


def one_sentence(run):
    assert run.returncode == 1 and len(run.stderr.splitlines()) == 1
    return run.stderr


def test_it_is_made_once_and_anew_when_the_folder_has_moved(folder):
    first = bootstrap(folder)
    assert first.returncode == 0, first.stderr
    assert "Installing" in first.stderr and works(folder)
    again = bootstrap(folder)
    assert (again.returncode, again.stderr) == (0, "")
    moved = folder.rename(folder.with_name("elsewhere"))
    assert not works(moved)
    assert "made anew" in bootstrap(moved).stderr and works(moved)
    assert str(folder) not in (moved / ".venv" / "pyvenv.cfg").read_text(encoding="utf-8")


@pytest.mark.extra
def test_a_copy_does_not_run_the_course_of_the_original(folder):
    bootstrap(folder)
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy, symlinks=True)
    assert "made anew" in bootstrap(copy).stderr
    assert works(copy) and works(folder)


@pytest.mark.extra
def test_half_an_environment_is_made_anew(folder):
    subprocess.run([BASE, "-m", "venv", "--without-pip", folder / ".venv"], check=True, timeout=120)
    assert "made anew" in bootstrap(folder).stderr
    assert works(folder)


@pytest.mark.extra
@pytest.mark.skipif(sys.platform == "win32", reason="environments there have no links")
def test_one_whose_python_has_gone_is_made_anew(folder):
    bootstrap(folder)
    python_of(folder).unlink()
    python_of(folder).symlink_to("/opt/gone/python3")
    assert "made anew" in bootstrap(folder).stderr
    assert works(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX folder")
@pytest.mark.parametrize("kind", ["python", "folder", "file"])
def test_what_is_no_environment_is_left_alone_and_named(folder, kind):
    venv = folder / ".venv"
    if kind == "python":  # a link to the system's Python: pip would install into the system
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(BASE)
    elif kind == "folder":
        (folder / "other").mkdir()
        (folder / "other" / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
        venv.symlink_to(folder / "other")
    else:
        venv.write_text("mine", encoding="utf-8")
    before = sorted(folder.rglob("*"))
    assert ".venv is there and is no virtual environment, so it is left alone" in one_sentence(bootstrap(folder))
    assert sorted(folder.rglob("*")) == before


def pretend(folder, before):
    """A program that runs this Python after a change, as another Python would be."""
    code = folder / "pretend.py"
    code.write_text(f"import runpy, sys\n{before}\nrunpy.run_path(sys.argv.pop(1), run_name='__main__')\n", "utf-8")
    program = folder / "other python"
    program.write_text(f"#!/bin/sh\nshift\nexec '{BASE}' -I '{code}' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    return (str(program),)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script plays the other Python")
def test_a_debian_without_python3_venv_is_told_the_package(folder):
    run = bootstrap(folder, python=pretend(folder, "sys.modules['ensurepip'] = None"))
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert f"sudo apt install python{version}-venv" in one_sentence(run)
    assert not (folder / ".venv").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script plays the old Python")
def test_a_python_that_is_too_old_is_told_so(folder):
    run = bootstrap(folder, python=pretend(folder, "sys.version_info = (3, 9, 6)"))
    assert "This course needs Python 3.11 or newer; this is 3.9." in one_sentence(run)
    assert not (folder / ".venv").exists()


def test_a_package_that_cannot_be_installed_is_said_and_tried_again(folder):
    (folder / "backend.py").write_text("raise RuntimeError('no network')", encoding="utf-8")
    run = bootstrap(folder)
    assert run.returncode == 1 and run.stderr.splitlines()[-1].startswith("That failed; pip's own words stand above.")
    (folder / "backend.py").write_text(BACKEND, encoding="utf-8")
    assert bootstrap(folder).returncode == 0 and works(folder)
