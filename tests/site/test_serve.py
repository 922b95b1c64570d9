"""`make docs`: on the port that was asked for, and one clear sentence if that is taken."""

import socket
import subprocess
import sys
import urllib.request

import pytest

from tests.conftest import ROOT, clean_env

SERVE = [sys.executable, "-m", "course.site.serve"]


def serve(port, **env):
    return subprocess.run(
        [*SERVE, str(port)], cwd=ROOT, env=clean_env(**env), capture_output=True, encoding="utf-8", timeout=60
    )


def test_a_port_that_is_taken():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = serve(port)
    assert (run.returncode, run.stdout) == (2, "")
    (line,) = run.stderr.splitlines()
    assert line.startswith(f"course: Port {port} cannot be used (")
    assert f"`make docs PORT={port + 1}`" in line


def test_what_is_no_port():
    assert serve("http", COURSE_LANG="de").stderr == "course: Ein Port ist eine Zahl von 1 bis 65535, nicht http.\n"


@pytest.mark.extra
def test_the_pages_are_on_the_port_that_was_chosen():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        [*SERVE, str(port)], cwd=ROOT, env=clean_env(), stderr=subprocess.PIPE, encoding="utf-8"
    ) as server:
        try:
            # mkdocs says so when it listens.
            assert any(f"http://127.0.0.1:{port}/" in line for line in server.stderr)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/de/setup/", timeout=30) as page:
                assert "Einrichten" in page.read().decode()
        finally:
            server.terminate()
            server.stderr.close()
