"""What the page "In your own tests" shows, run as it stands there; and the fixture where a reader has it: in a fresh
environment, from a wheel, beside a package called `course`, with other libraries."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.environments import environment, install
from tests.standin.test_clients_extra import TYPESCRIPT_SDK
from tests.testing.test_fixture import EXPECTED, FOREIGN, make_project, run_pytest

EXAMPLES = Path(__file__).parent / "examples"


def run(*command, cwd=None, **env):
    done = subprocess.run(command, cwd=cwd, env=os.environ | env, capture_output=True, encoding="utf-8", timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def examples(tmp_path):
    return Path(shutil.copytree(EXAMPLES, tmp_path / "examples"))


def test_pytest(examples):
    (examples / "__init__.py").unlink()
    found = run_pytest(examples)
    assert len(found.failed) == 7 and not any(found.failed.values()), found.out


def test_unittest(examples):
    run(sys.executable, "-m", "unittest", "unittest_agent", cwd=examples, PYTHONPATH=str(ROOT))


@pytest.mark.extra
def test_node_and_a_shell(examples, request):
    node, npm = shutil.which("node"), shutil.which("npm")
    assert node and npm, "Node.js is needed: see CONTRIBUTING.md"
    cache = Path(os.environ.get("COURSE_TEST_CACHE") or request.config.cache.mkdir("clients"))
    installed = cache / f"typescript-{TYPESCRIPT_SDK}"
    if not (installed / "node_modules" / "@anthropic-ai" / "sdk").exists():
        installed.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--silent", "--no-audit", "--no-fund", f"@anthropic-ai/sdk@{TYPESCRIPT_SDK}"]
        run(*install, "--prefix", str(installed), cwd=installed)
    os.symlink(installed / "node_modules", examples / "node_modules")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    out = run("sh", "node_tests.sh", cwd=examples, PATH=path)
    assert "# pass 3" in out and not (examples / "port").exists()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """The interpreter of a new environment with pytest, the wheel, LangChain and pydantic-ai."""
    folder = tmp_path_factory.mktemp("fresh environment")
    source = folder / "source"
    ignored = shutil.ignore_patterns(".*", "node_modules", "site", "build", "docs", "*.egg-info", "tests")
    shutil.copytree(ROOT, source, ignore=ignored)
    run(sys.executable, "-m", "uv", "build", "-q", "--wheel", "--out-dir", folder, source)
    python = environment(folder / "venv")
    install(python, next(folder.glob("*.whl")), "pytest", "langchain-anthropic", "pydantic-ai-slim[anthropic]")
    return python


@pytest.mark.extra
def test_the_wheel_in_a_project_of_its_own(fresh, tmp_path):
    found = run_pytest(make_project(tmp_path), python=fresh)
    assert {case.partition("[")[0] for case in found.failed} == set(EXPECTED), found.out
    for case, failed in found.failed.items():
        assert bool(failed) == (EXPECTED[case.partition("[")[0]] != "passes"), (case, failed)


@pytest.mark.extra
def test_the_wheel_beside_a_package_called_course(fresh, tmp_path):
    for name, text in FOREIGN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = run_pytest(tmp_path, python=fresh)
    assert found.failed["test_own"] == "" and "Rename that one" in found.failed["test_claude"]


@pytest.mark.extra
def test_other_libraries(fresh, tmp_path):
    shutil.copy(Path(__file__).parent / "clients.py", tmp_path / "test_clients.py")
    failed = run_pytest(tmp_path, python=fresh).failed
    assert "ids were found without `tool_result`" in failed.pop("test_langchain_that_answers_one_of_two")
    assert failed == {"test_langchain": "", "test_pydantic_ai": ""}
