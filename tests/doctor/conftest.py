"""A copy of the project to make ill, and a proxy that plays the network between it and the API."""

import json
import shutil
import socket
import subprocess
import sys
import threading

import pytest

from tests import warm
from tests.conftest import ROOT, clean_env


class Patient:
    """A copy of the course in a folder of its own, so that a fault can be made in it for real."""

    warm = False  # whether the doctor runs in a process that has the SDK loaded: not where loading it may be the fault

    def __init__(self, folder):
        self.folder = folder
        for name in ("course", "agents"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", folder)  # marks the course's root
        # No profile of the SDK on this machine counts.
        self.env = {"ANTHROPIC_CONFIG_DIR": str(folder / "no profile"), "PYTHONPATH": str(folder)}
        # Bytecode may be kept: the copy is used many times.
        self.env["PYTHONDONTWRITEBYTECODE"] = ""

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def run(self, *args, python=(sys.executable,), **env):
        command = [*python, "-m", "course", "doctor", *args]
        if self.warm:
            done = warm.run(command, cwd=self.folder, env=clean_env(**(self.env | env)), stdin="", timeout=120)
            return subprocess.CompletedProcess(command, *done)
        return subprocess.run(
            command,
            cwd=self.folder,
            env=clean_env(**(self.env | env)),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=120,
        )

    def examine(self, *checks, **env):
        """The findings of these checks, as `course doctor --json` gives them. Checks the exit status on the way."""
        run = self.run(*checks, "--json", **env)
        report = json.loads(run.stdout)
        assert report["ok"] == all(finding["status"] != "fail" for finding in report["findings"])
        assert run.returncode == (0 if report["ok"] else 1)
        assert run.stderr == ""
        return report["findings"]

    def _visible(self):
        return {*self.folder.iterdir(), *(self.folder / "agents").iterdir()}

    def heal(self, healthy):
        """Remove what a test left beside the files of the course, and bring back the lessons."""
        for path in self._visible() - healthy:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        shutil.copytree(ROOT / "agents", self.folder / "agents", dirs_exist_ok=True)


@pytest.fixture(scope="session")
def _copy(tmp_path_factory):
    folder = tmp_path_factory.mktemp("patient") / "Max' Kurs für alle"
    folder.mkdir()
    return Patient(folder)


@pytest.fixture
def patient(_copy, request):
    healthy = _copy._visible()
    _copy.warm = getattr(request.module, "WARM", False)
    yield _copy
    _copy.heal(healthy)


class Proxy:
    """An HTTP proxy on loopback. It sends everything to one local server, whatever host the client names.

    `tls`: an ssl.SSLContext with which it opens CONNECT tunnels, as a company's proxy does that reads along.
    `at_once`: speak TLS from the first byte, as a server of its own does.
    `refuse`: the status line with which it turns everything away.
    """

    def __init__(self, upstream, tls=None, refuse=None, at_once=False):
        self.upstream, self.tls, self.refuse, self.at_once = upstream, tls, refuse, at_once
        self.seen = []  # the first line of each request to the proxy
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def close(self):
        try:
            # Linux keeps the port open for as long as a thread waits in accept(); this ends the wait.
            self._listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # elsewhere close() does
        self._listener.close()
        self._thread.join(timeout=10)

    def _accept(self):
        while True:
            try:
                client, _address = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            if self.at_once:
                client = self.tls.wrap_socket(client, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                more = client.recv(65536)
                if not more:
                    raise ConnectionAbortedError("the client hung up before it had asked")
                head += more
            self.seen.append(head.split(b"\r\n", 1)[0].decode())
            if self.refuse:
                client.sendall(f"HTTP/1.1 {self.refuse}\r\ncontent-length: 0\r\n\r\n".encode())
                client.close()
                return
            if head.startswith(b"CONNECT "):
                client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
                if self.tls:
                    client = self.tls.wrap_socket(client, server_side=True)
                head = b""
            server = socket.create_connection(self.upstream)
            # "GET http://host/path HTTP/1.1": servers take the whole address too.
            server.sendall(head)
            threading.Thread(target=_pump, args=(client, server), daemon=True).start()
            _pump(server, client)
        except OSError:
            # The client hung up, as one does that does not trust the certificate.
            client.close()


def _pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    finally:
        for each in (source, target):
            each.close()


@pytest.fixture
def proxy():
    """proxy(base_url, ...) starts a Proxy to that server; all are closed when the test ends."""
    started = []

    def make(base_url, **options):
        host, port = base_url.removeprefix("http://").split(":")
        started.append(Proxy((host, int(port)), **options))
        return started[-1]

    yield make
    for each in started:
        each.close()
