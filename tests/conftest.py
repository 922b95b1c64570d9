"""Shared by all tests: run a lesson in a process of its own, against a stand-in that keeps what it was asked."""

import compileall
import json
import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings

from course.standin.app import create_app
from course.standin.core import handle
from course.standin.server import start
from tests import warm

# A shell has jobs in the background ignore Ctrl-C and Ctrl-\, and nohup the end of the terminal. What they start
# ignores it too; what is tested here must not.
for name, usual in {"SIGINT": signal.default_int_handler, "SIGQUIT": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL}.items():
    number = getattr(signal, name, None)  # Windows has the first alone
    if number and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, usual)

settings.register_profile("thorough", max_examples=400)  # make test-all


def pytest_sessionstart(session):
    """Bytecode of the course, made once: hundreds of processes load it, and none of them may write it."""
    if not hasattr(session.config, "workerinput"):
        compileall.compile_dir(ROOT / "course", quiet=1)


def pytest_xdist_auto_num_workers():
    """One more than there are cores: many tests wait, for time limits and for scripts that wait."""
    return (os.cpu_count() or 1) + 1


ROOT = Path(__file__).parents[1]
KEEP = (
    "PATH", "HOME", "LANG",
    "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP",
)  # fmt: skip


def clean_env(**more):
    """The environment of a reader without a key: only what a process needs to start."""
    env = {name: os.environ[name] for name in KEEP if name in os.environ}
    return env | {"PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1", "COURSE_LANG": "en"} | more


@dataclass
class Run:
    """What a script did: its exit status and what it printed."""

    status: int
    out: str
    err: str

    @property
    def lines(self):
        return self.out.splitlines()


def run_script(path, *args, cwd=None, timeout=60, stdin="", **env):
    """Run a Python script (relative to the repository) in a process of its own, with no key unless `env` has one."""
    command = [sys.executable, str(ROOT / path), *args]
    return Run(*warm.run(command, cwd=cwd, env=clean_env(**env), stdin=stdin, timeout=timeout))


class Recorder:
    """A running stand-in and the exchanges it had."""

    def __init__(self, answer=handle):
        self.exchanges = []
        self._server = start(lambda: create_app(answer, self.exchanges.append))
        self.base_url = self._server.base_url

    @property
    def env(self):
        """What points a script at this server."""
        return {"ANTHROPIC_BASE_URL": self.base_url, "ANTHROPIC_API_KEY": "sk-ant-test", "NO_PROXY": "*"}

    @property
    def requests(self):
        """The bodies of all requests for a message, parsed, in order."""
        return [json.loads(each.body) for each in self.exchanges if each.path.startswith("/v1/messages")]

    @property
    def replies(self):
        """The messages that answered them, parsed, where they came as JSON."""
        return [json.loads(b"".join(each.chunks)) for each in self.exchanges if each.path.startswith("/v1/messages")]

    def stop(self):
        self._server.stop()


@pytest.fixture
def recorder():
    """recorder(answer=...) starts a stand-in that records; all are stopped when the test ends."""
    started = []

    def make(answer=handle):
        started.append(Recorder(answer))
        return started[-1]

    yield make
    for each in started:
        each.stop()
