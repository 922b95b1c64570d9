"""`pytest -m live` itself, tried against servers of this machine: it names the price, needs a key, and can fail."""

import subprocess
import sys

import pytest

from course.standin.core import Refusal, refuse
from tests.conftest import ROOT, clean_env
from tests.live.test_lessons_live import ALONE


def live(*args, **env):
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-m", "live", "tests/live", "-p", "no:cacheprovider", "-q", *args],
        cwd=ROOT,
        env=clean_env(**env),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )


@pytest.mark.extra
def test_it_runs_the_lessons_and_says_what_they_cost(recorder):
    server = recorder()
    run = live("-k", "s01 or s03", **server.env)
    most = sum(lesson.cost_usd for lesson in ALONE if lesson.id in ("s01", "s03"))
    assert f"live: 2 lessons will talk to {server.base_url} and cost at most {most:.2f} USD" in run.stdout
    assert "2 passed" in run.stdout, run.stdout
    assert len(server.requests) >= 4


@pytest.mark.extra
def test_it_fails_when_the_api_refuses(recorder):
    server = recorder(lambda *request: refuse(Refusal("", 401, "authentication_error", "invalid x-api-key"), "req_1"))
    run = live("-k", "s01", **server.env)
    assert run.returncode == 1
    assert "1 failed" in run.stdout


def test_it_needs_a_key(tmp_path):
    run = live("-k", "s01", HOME=str(tmp_path), USERPROFILE=str(tmp_path), APPDATA=str(tmp_path))
    assert run.returncode == 4
    assert "live tests need a key" in run.stdout + run.stderr


def test_a_normal_run_leaves_it_out():
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/live"],
        cwd=ROOT,
        env=clean_env(),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert f"no tests collected ({len(ALONE)} deselected)" in run.stdout
