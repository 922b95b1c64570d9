"""The READMEs: what they tell a reader to type works, and what they show is what comes."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from course import readme
from course.lessons import LESSONS
from tests.conftest import ROOT, clean_env

READMES = list(readme.FILES.items())
needs_make = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed; the README says how to go on")


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def commands(name, shell):
    """The lines of all code blocks for this shell."""
    blocks = re.findall(rf"```{shell}\n(.*?)```", text(name), flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def make(*args, cwd=ROOT):
    """`make` in a folder whose .venv counts as complete, with this Python as its Python."""
    return subprocess.run(
        ["make", "SET_UP=@:", f"PY={sys.executable}", *args],
        cwd=cwd,
        env=clean_env(COURSE_OFFLINE="1"),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.parametrize(("language", "name"), READMES)
def test_output_and_lessons_are_the_real_ones(language, name):
    assert readme.fill(text(name), readme.output(LESSONS[0], language), language) == text(name), "run `make outputs`"


def test_the_tree_is_that_of_the_lessons():
    assert readme.TREE.read_text(encoding="utf-8") == readme.tree(), "run `make outputs`"
    assert all(f"]({readme.TREE.relative_to(ROOT).as_posix()})" in text(name) for _language, name in READMES)


def test_all_languages_give_the_same_commands():
    for shell in ("sh", "powershell"):
        english, *others = [commands(name, shell) for _language, name in READMES]
        assert english
        assert all(other == english for other in others)


def test_the_commands_are_those_that_are_tested_here():
    assert commands("README.md", "sh") == [
        "make s01",
        "make test",
        "uv venv",
        "uv pip install -e .",
        "uv run --no-sync agents/s01_agent_loop.py",
        ".venv/bin/course run s01 --offline",
        "ANTHROPIC_BASE_URL=https://example.com/anthropic",
        "ANTHROPIC_API_KEY=the-key-for-that-endpoint",
        "MODEL_ID=its-name-for-a-model",
        ".venv/bin/course serve",
    ]
    assert commands("README.md", "powershell") == [
        r"py -m venv .venv",
        r".venv\Scripts\python -m pip install -e .",
        r".venv\Scripts\python agents\s01_agent_loop.py",
    ]


@needs_make
@pytest.mark.parametrize("lesson", [lesson.id for lesson in LESSONS])
def test_make_knows_every_lesson(lesson):
    assert f"-m course run {lesson}" in make("-n", lesson).stdout


@needs_make
def test_make_sees_to_the_environment_first():
    plain = subprocess.run(["make", "-n", "s01"], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60).stdout
    assert plain.index("course/bootstrap.py lessons") < plain.index("-m course run s01")


@needs_make
def test_make_s01_runs_the_lesson():
    run = make("s01")
    assert run.returncode == 0
    assert run.stdout.startswith("> What should I wear in Austin today?\nturn 1: tool_use\n")


@needs_make
@pytest.mark.parametrize(
    ("target", "does"),
    [
        ("test", "-m pytest"),
        ("docs", "-m course.site.serve"),
        ("site", "-m mkdocs build --strict"),
        ("outputs", "-m course.site.outputs"),
        ("traces", "-m course.trace"),
        ("messages", "-m course.messages"),
        ("lint", "-m mypy"),
    ],
)
def test_make_targets_exist_and_so_does_what_they_run(target, does):
    run = make("-n", target)
    assert run.returncode == 0
    assert does in run.stdout
    for module in set(re.findall(r"-m (\S+)", run.stdout)) - {"ruff", "mypy"}:  # those come with requirements-extra.txt
        find = f"import importlib.util, sys; sys.exit(not importlib.util.find_spec({module!r}))"
        found = subprocess.run([sys.executable, "-c", find], timeout=60)
        assert found.returncode == 0, module


@pytest.mark.parametrize(("_language", "name"), [*READMES, ("en", "CONTRIBUTING.md")])
def test_every_link_into_the_repository_leads_somewhere(_language, name):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text(name)):
        assert (ROOT / target).exists(), target


def test_requirements_txt_names_what_the_package_needs_with_the_same_bounds():
    needed = tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]
    lines = text("requirements.txt").splitlines()
    assert set(needed) <= set(lines)
    assert lines[-1] == "-e ."


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-extra.txt"])
def test_every_requirement_is_bounded_above(name):
    for line in text(name).splitlines():
        if line and not line.startswith(("#", "-")):
            assert "<" in line, line


def test_env_example_sets_nothing_until_it_is_filled_in(tmp_path):
    from dotenv import dotenv_values

    assert dotenv_values(ROOT / ".env.example", encoding="utf-8") == {}
    uncommented = re.sub(r"^#(\w+=)", r"\1", text(".env.example"), flags=re.MULTILINE)
    (tmp_path / ".env").write_text(uncommented, encoding="utf-8")
    assert {"ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "MODEL_ID"} <= dotenv_values(tmp_path / ".env").keys()


# --- in full, for make test-all: a clone, in a folder with a blank and an umlaut ---------------------------------


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("Mein Übungsordner") / "the agent loop"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True, timeout=120)
    return folder


def bare(*command, cwd, **more):
    """Run it as on a fresh machine: nothing in the environment but PATH and HOME."""
    environment = {name: value for name, value in clean_env().items() if name in ("PATH", "HOME")} | more
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, encoding="utf-8", timeout=900)


@pytest.mark.extra
@needs_make
def test_a_bare_make_s01_in_a_fresh_clone(clone):
    run = bare("make", "s01", cwd=clone)
    assert run.returncode == 0, run.stderr
    assert "turn 2: end_turn" in run.stdout
    again = bare("make", "s01", cwd=clone)
    assert "Installing" not in again.stderr
    assert again.stdout == run.stdout
    assert bare(str(Path(".venv/bin/course")), "run", "s01", "--offline", cwd=clone).returncode == 0
    assert bare(str(Path(".venv/bin/course")), "doctor", cwd=clone).returncode == 0


@pytest.mark.extra
def test_the_steps_without_make_in_a_fresh_clone(clone, tmp_path):
    folder = tmp_path / "ohne make"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True, timeout=120)
    for line in commands("README.md", "powershell"):
        line = line.replace("py -m", "python3 -m", 1) if line.startswith("py ") else line.replace("Scripts", "bin")
        run = bare(*line.replace("\\", "/").split(), cwd=folder)
        assert run.returncode == 0, run.stderr
    assert "turn 2: end_turn" in run.stdout
    # What these steps have installed is enough for the exercises too.
    assert bare(".venv/bin/course", "doctor", cwd=folder).returncode == 0
    assert "s01/1" in bare(".venv/bin/course", "check", "s01", cwd=folder).stdout


@pytest.mark.extra
def test_the_steps_with_uv_in_a_fresh_clone(tmp_path):
    folder = tmp_path / "mit uv"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(folder)], check=True, timeout=120)
    uv = shutil.which("uv") or str(Path(sys.executable).with_name("uv"))
    for line in commands("README.md", "sh")[2:5]:
        # Where a proxy reads along, trust what the system trusts, as pip does.
        run = bare(uv, *line.split()[1:], cwd=folder, UV_SYSTEM_CERTS="1")
        assert run.returncode == 0, run.stderr
    assert "turn 2: end_turn" in run.stdout
    assert not (folder / "uv.lock").exists()
