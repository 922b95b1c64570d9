"""The fixture `claude` in a project of its own: what passes, what fails by itself, and what a failed test shows."""

import ast
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT, clean_env

HERE = Path(__file__).parent
PROJECT = ast.parse((HERE / "project.py").read_text(encoding="utf-8"))
EXPECTED = {
    node.name: ast.get_docstring(node)
    for node in PROJECT.body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
}


@dataclass
class Results:
    """What a run of pytest said: its output, and what each test failed with ("" for one that passed)."""

    out: str
    failed: dict[str, str]


def run_pytest(folder, *options, python=sys.executable, **env):
    report = folder / "report.xml"
    command = [python, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}", *options]
    done = subprocess.run(
        command, cwd=folder, env=clean_env(**env), capture_output=True, encoding="utf-8", errors="replace", timeout=300
    )
    failed = {}
    for case in ElementTree.parse(report).iter("testcase") if report.exists() else ():
        bad = [each for each in case if each.tag in ("failure", "error")]
        failed[case.get("name")] = "".join(each.get("message", "") + (each.text or "") for each in bad)
    return Results(done.stdout + done.stderr, failed)


def make_project(folder):
    shutil.copy(HERE / "examples" / "agent.py", folder / "agent.py")
    shutil.copy(HERE / "project.py", folder / "test_agent.py")
    return folder


def test_each_test_of_a_project_ends_as_its_docstring_says(tmp_path):
    """With warnings as errors, and with access in the environment that must not be used."""
    env = {
        "ANTHROPIC_AUTH_TOKEN": "secret",
        "ANTHROPIC_BASE_URL": "http://127.0.0.1:9",
        "HTTP_PROXY": "http://x.invalid",
    }
    found = run_pytest(make_project(tmp_path), "-W", "error", **env)
    assert {case.partition("[")[0] for case in found.failed} == set(EXPECTED), found.out
    for case, failed in found.failed.items():
        word, _, said = EXPECTED[case.partition("[")[0]].partition(": ")
        assert said in failed if word == "fails" else not failed, (case, failed)
    refusal = found.failed["test_one_of_two_calls_is_answered"]
    assert re.search(r"\nagent.py:\d+: BadRequestError\s*$", refusal)  # its own line
    assert "site-packages" not in refusal and "_base_client" not in refusal
    assert re.search(r"\ntest_agent.py:\d+: ValueError\s*$", found.failed["test_a_slip_in_a_reply"])
    assert "Captured claude call" in found.out  # what was refused, though the test failed for something else


@pytest.mark.extra
def test_parallel_tests_do_not_disturb_each_other(tmp_path):
    wanted = "test_results or test_every_end or test_async"
    found = run_pytest(make_project(tmp_path), "-n", "2", "-k", wanted)
    assert len(found.failed) == 4 and not any(found.failed.values()), found.out


FOREIGN = {
    "course/__init__.py": "raise RuntimeError('a program of its own')",
    "test_own.py": "def test_own(): pass\n",
    "test_claude.py": "def test_claude(claude): pass\n",
}


@pytest.mark.parametrize("language, said", [("en", "Rename that one"), ("zh", "请给它改名"), ("de", "Benenne es um")])
def test_a_project_with_a_package_course_of_its_own_starts(tmp_path, language, said):
    for name, text in FOREIGN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = run_pytest(tmp_path, COURSE_LANG=language)
    assert found.failed["test_own"] == ""
    shown = found.failed["test_claude"]
    assert said in shown and str(tmp_path / "course") in shown and "Traceback" not in shown


def test_nothing_is_imported_before_a_test_asks(tmp_path):
    text = "import sys\ndef test_own(): assert not {'anthropic', 'course', 'uvicorn'} & sys.modules.keys()\n"
    (tmp_path / "test_own.py").write_text(text, encoding="utf-8")
    found = run_pytest(tmp_path)
    assert found.failed == {"test_own": ""}, found.out


UNITTEST = """
import unittest
import agent
from course.testing import claude

class Tests(unittest.TestCase):
    def setUp(self):
        self.claude = self.enterContext(claude())

    def test_good(self):
        self.claude.says("get_weather(city='Oslo')", "'Cold.'")
        agent.ask()
        self.assertEqual(len(self.claude.results), 1)

    def test_bad(self):
        self.claude.says("get_weather(city='Oslo')", "'Cold.'", "'More.'")
        agent.ask()
"""


def test_unittest(tmp_path):
    make_project(tmp_path)
    (tmp_path / "test_unit.py").write_text(UNITTEST, encoding="utf-8")
    command = [sys.executable, "-m", "unittest", "test_unit"]
    done = subprocess.run(
        command, cwd=tmp_path, env=clean_env(PYTHONPATH=str(ROOT)), capture_output=True, encoding="utf-8", timeout=120
    )
    assert "FAILED (failures=1)" in done.stderr
    assert "Replies that nobody asked for: 1." in done.stderr and "test_bad" in done.stderr
