"""The commands of the dev container, in a fresh clone, with no key. The container itself is not started."""

import json
import subprocess
import sys

import pytest

from tests.conftest import ROOT, clean_env

FILE = ".devcontainer/devcontainer.json"


def test_the_port_is_the_sites():
    settings = json.loads((ROOT / FILE).read_text(encoding="utf-8"))
    (port,) = settings["forwardPorts"]
    assert f"http://127.0.0.1:{port}/" in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert list(settings["portsAttributes"]) == [str(port)]


@pytest.mark.extra  # downloads what the lessons need
@pytest.mark.skipif(sys.platform == "win32", reason="the container is a Linux machine")
def test_make_s01_works_at_once(tmp_path):
    clone = tmp_path / "fresh clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    settings = json.loads((clone / FILE).read_text(encoding="utf-8"))
    commands = [value for name, value in settings.items() if name.endswith("Command")]
    assert commands
    for command in commands:
        run(command, clone)
    before = (clone / ".venv").stat().st_mtime_ns
    out = run("make s01", clone)
    assert "turn 1: tool_use" in out and "turn 2: end_turn" in out
    assert "stand-in answers" in out
    assert (clone / ".venv").stat().st_mtime_ns == before, "it was made again"


def run(command, folder):
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env=clean_env(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=500,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout
