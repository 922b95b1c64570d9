"""Running a reader's program against the stand-in, with limits, in a process of its own."""

import datetime
import errno
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from .run import Failure, Run, from_exchanges

if TYPE_CHECKING:
    from ..standin.core import Answer
    from ..standin.talk import Play

SECONDS = 10.0  # for the program, once the SDK is loaded
START_SECONDS = 30.0  # for Python and the SDK to load, on a machine that has much else to do
OUTPUT = 200_000  # bytes, stdout and stderr each
REQUESTS = 25
CHILD = Path(__file__).with_name("child.py")

# What a program gets from the reader's environment: nothing that sounds like a secret or leads elsewhere.
_SECRET = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL", "PROXY", "ANTHROPIC", "PYTHON")


# Set when this process is about to end: programs on their way are ended too.
leaving = threading.Event()


class Process(Protocol):
    """A program on its way, however it was started.

    kill     ends it, if it has not ended, and what it has started, wherever that has gone
    status   what it left with, once it has ended: the exit status, or minus the number of the signal that ended it
    """

    status: int

    def ended(self) -> bool: ...
    def kill(self) -> None: ...


class Starter(Protocol):
    """Starts a program; `start` may be called again when the process before has ended."""

    def start(self, job: dict[str, Any], folder: str, environment: dict[str, str]) -> Process: ...


def run_program(
    path: Path,
    play: "Play | None",
    starter: "Starter | None" = None,
    name: str = "",
    seconds: float = SECONDS,
    restarts: int = 0,
) -> Run:
    """Run a program to its end, or to a limit, with a stand-in for which `play` speaks.

    Args:
        path: the program.
        play: says what Claude says; None: the scenes.
        starter: how to start it; by default a Python of its own.
        name: what to call the file when speaking to the reader.
        seconds: the time limit for the program, once the SDK is loaded.
        restarts: how often to start it again, in the same folder, if something has ended it as a kill would.

    Raises:
        OSError: the file cannot be read, or no process can be started.
    """
    from ..standin import server

    source, problem = _read(path)
    name = name or path.name
    if problem:
        return Run(name, source, failure=problem)
    exchanges: list[Any] = []
    counter = _Counter()

    def app() -> Any:
        from ..standin.app import create_app
        from ..standin.cache import Cache
        from ..standin.core import handle

        counter.answer = Cache(partial(handle, play=play))
        return create_app(counter, exchanges.append)

    first_day = datetime.date.today()
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        running = server.start(app)
        try:
            work = os.path.join(folder, "work")
            os.mkdir(work)
            started_again: list[int] = []
            printed = b""
            while True:
                job = _job(path, folder, seconds, str(len(started_again) or ""))
                process = (starter or Fresh()).start(job, work, environment(running.base_url, work))
                stopped = _watch(process, job, counter)
                died = "" if stopped or os.path.exists(job["report"]) else _death(process.status)
                printed += _content(job["out"])
                # An exchange is noted just after its last byte is sent, which may be after the program's end.
                latest = time.monotonic() + 0.5
                while len(exchanges) < counter.count and time.monotonic() < latest:
                    time.sleep(0.001)
                if not died or len(started_again) == restarts:
                    break
                started_again.append(counter.count)
        finally:
            # Nobody needs to wait for it: the server looks only ten times a second whether it is to end.
            threading.Thread(target=running.stop, daemon=True).start()
        report = _report(job["report"])
    if report.get("hung"):
        stopped = "time"
    failure = report.get("failure")
    return Run(
        file=name,
        source=source,
        sent=from_exchanges(exchanges),
        printed=printed[:OUTPUT].decode("utf-8", "replace").replace("\r\n", "\n"),
        failure=Failure(**failure) if failure else None,
        stopped=stopped,  # type: ignore[arg-type]
        died=died,
        restarts=tuple(started_again),
        overwrote=tuple(report.get("overwrote", ())),
        line=report.get("line"),
        reached=report.get("reached") or "",
        days=tuple({str(first_day): 0, str(datetime.date.today()): 0}),
        own_key=any(
            "sk-ant-" in f"{one.headers.get('authorization')} {one.headers.get('x-api-key')}" for one in exchanges
        ),
    )


def _job(path: Path, folder: str, seconds: float, suffix: str) -> dict[str, Any]:
    """What the child is told, its files in the folder made."""
    job = {name: os.path.join(folder, name + suffix) for name in ("out", "err")}
    for file in job.values():
        Path(file).touch()
    report = os.path.join(folder, f"report{suffix}.json")
    return {"file": str(path.resolve()), "report": report, "seconds": seconds, **job}


def environment(base_url: str, folder: str) -> dict[str, str]:
    """The environment of a program: the reader's, without keys, with the stand-in's address.

    Temporary files go to the folder. So does the search for certificates: to load them takes longer than all else that
    a run does, and nothing that has one can be reached.
    """
    kept = {name: value for name, value in os.environ.items() if not any(word in name.upper() for word in _SECRET)}
    kept.pop("MODEL_ID", None)
    return kept | {
        "ANTHROPIC_BASE_URL": base_url,
        "ANTHROPIC_API_KEY": "check",
        "COURSE_OFFLINE": "0",  # not empty: a .env with 1 would start another stand-in, whose requests nobody sees
        "NO_PROXY": "*",
        "no_proxy": "*",
        "TMPDIR": folder,
        "TEMP": folder,
        "TMP": folder,
        "SSL_CERT_DIR": folder,
        "SSL_CERT_FILE": "",
        "PYTHONUTF8": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class _Counter:
    """Counts the requests as they come."""

    answer: "Answer"
    count = 0

    def __call__(self, *request: Any) -> Any:
        self.count += 1
        return self.answer(*request)


def _read(path: Path) -> tuple[str, Failure | None]:
    """The source as Python reads it, or what is wrong with it."""
    data = path.read_bytes()
    try:
        # As Python decodes it: by its coding line if it has one.
        import io
        import tokenize

        encoding, _lines = tokenize.detect_encoding(io.BytesIO(data).readline)
        source = io.IncrementalNewlineDecoder(None, True).decode(data.decode(encoding))
        compile(source, str(path), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        text, line = data.decode("utf-8", "replace"), getattr(error, "lineno", None)
        if isinstance(error, UnicodeDecodeError):
            line = data[: error.start].count(b"\n") + 1
        return text, Failure(type(error).__name__, str(error), line)
    return source, None


def _watch(process: Process, job: dict[str, Any], counter: _Counter) -> str:
    """Wait for the end of the program. Returns the limit at which it was stopped, or ""."""
    # The program ends itself after its time, and says where it stood. One that cannot is ended from here.
    latest = time.monotonic() + job["seconds"] + START_SECONDS
    try:
        return _until_over(process, job, counter, latest)
    finally:  # after its own end, for what it has started; after Ctrl-C, which reaches this process only
        process.kill()


def _death(status: int) -> str:
    """What ended a program that did not get to write its report."""
    if status < 0:
        try:
            return signal.Signals(-status).name
        except ValueError:
            return f"signal {-status}"
    crashes = {0xC0000005: "access violation", 0xC00000FD: "stack overflow"}  # on Windows
    return crashes.get(status & 0xFFFFFFFF, f"os._exit({status})")


def _until_over(process: Process, job: dict[str, Any], counter: _Counter, latest: float) -> str:
    while not process.ended():
        reached = ""
        if counter.count > REQUESTS:
            reached = "requests"
        elif max(_size(job["out"]), _size(job["err"])) > OUTPUT:
            reached = "output"
        elif time.monotonic() > latest or leaving.is_set():
            reached = "time"
        if reached:
            return reached
        time.sleep(0.005)
    return ""


# The files of a run lie where its program can reach them: it may have removed them, or written over them.


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""


def _report(path: str) -> dict[str, Any]:
    """What the child wrote; {} if it did not, or if the program has put something else in its place."""
    try:
        report = json.loads(Path(path).read_text(encoding="utf-8"))
        failure, line = report["failure"], report["line"]
        well = isinstance(report["reached"], str) and isinstance(line, int | None)
        well = well and all(isinstance(name, str) for name in report["overwrote"])
        if failure is not None:
            Failure(**failure)
            well = well and isinstance(failure["message"], str) and isinstance(failure["line"], int | None)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    return dict(report) if well else {}


class Fresh:
    """Starts each program in a new Python."""

    def start(self, job: dict[str, Any], folder: str, environment: dict[str, str]) -> Process:
        with open(job["out"], "wb") as out, open(job["err"], "wb") as err:
            command = [sys.executable, "-P", str(CHILD), json.dumps(job)]
            return _Popen(
                # In a session of its own: a program that asks the terminal for a password finds none.
                subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=err,
                    cwd=folder,
                    env=environment,
                    start_new_session=True,
                ),
                folder,
            )


class _Popen:
    def __init__(self, process: "subprocess.Popen[bytes]", folder: str) -> None:
        self._process, self._folder = process, folder
        self.status = 0

    def ended(self) -> bool:
        return self._process.poll() is not None

    def kill(self) -> None:
        _kill_session(self._process.pid)
        self._process.kill()
        self.status = self._process.wait()
        _kill_escaped(self._folder)


class Forks:
    """Starts each program in a fork of one Python that has loaded the SDK, which takes most of a run's time.

    On Linux only: Windows has no fork, and macOS's own libraries do not survive one. A context manager.
    """

    possible = sys.platform == "linux"

    def __init__(self) -> None:
        self._mark = f"COURSE_CHECK={secrets.token_hex(8)}"
        name, _sign, value = self._mark.partition("=")
        command = [sys.executable, "-P", str(CHILD), "--fork"]
        self._server = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment("http://127.0.0.1:9", tempfile.gettempdir()) | {name: value},
        )

    def __enter__(self) -> "Forks":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._in.close()
        self._server.wait()
        self._out.close()

    @property
    def _in(self) -> IO[bytes]:
        assert self._server.stdin
        return self._server.stdin

    @property
    def _out(self) -> IO[bytes]:
        assert self._server.stdout
        return self._server.stdout

    def start(self, job: dict[str, Any], folder: str, environment: dict[str, str]) -> Process:
        self._in.write(json.dumps(job | {"folder": folder, "environment": environment}).encode() + b"\n")
        self._in.flush()
        if not (answer := self._out.readline()):
            raise ChildProcessError(errno.ECHILD, os.strerror(errno.ECHILD))
        return _Fork(int(answer), self._out, folder, self._mark, self._server.pid)


class _Fork:
    def __init__(self, pid: int, out: IO[bytes], folder: str, mark: str, server: int) -> None:
        self._pid, self._out, self._folder, self._mark, self._server = pid, out, folder, mark, server
        self.status = 0
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        self.status = int(self._out.readline() or b"0")

    def ended(self) -> bool:
        return not self._thread.is_alive()

    def kill(self) -> None:
        _kill_session(self._pid)
        self._thread.join()
        _kill_escaped(self._folder, self._mark, self._server)


def _kill_session(pid: int) -> None:
    """Kill a process that leads a session, and what it has started, which may live longer than it."""
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(pid)], capture_output=True)
    else:
        with suppress(ProcessLookupError, PermissionError):  # none is left; macOS says so in the second way
            os.killpg(pid, signal.SIGKILL)


def _kill_escaped(folder: str, other_mark: str = "", server: int = 0) -> None:
    """Kill what has left the program's session (setsid, a daemon): it is known by the folder that it was started in.

    A fork of a fork has its server's environment, and no folder if it went to another: hence `other_mark`.

    Linux says that in /proc. Elsewhere nobody does without more rights; on Windows taskkill has ended the tree.
    """
    marks = [os.fsencode(mark) for mark in (f"TMPDIR={folder}", other_mark) if mark]
    for _round in range(3):  # one that is found may just have started another
        found = [entry for entry in Path("/proc").glob("[0-9]*") if _belongs(entry, folder, marks)]
        found = [entry for entry in found if entry.name != str(server)]
        for entry in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(int(entry.name), signal.SIGKILL)
        if not found:
            return


def _belongs(entry: Path, folder: str, marks: list[bytes]) -> bool:
    try:
        zombie = b") Z " in (entry / "stat").read_bytes()
        known = (entry / "environ").read_bytes()
        return not zombie and (os.readlink(entry / "cwd") == folder or any(mark in known for mark in marks))
    except OSError:  # another's, or gone
        return False
