"""Starts scripts in processes that have the SDK loaded, because loading it takes a second and hundreds are started.

One process loads the SDK and forks another for each script, which then runs it as `python script` or `python -m module`
would: as __main__, with its own arguments, folder, environment, input and output. Where there is no safe fork (Windows,
macOS), and where Python itself is to start differently, `run` starts a new interpreter instead.
"""

import atexit
import io
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

READ, WRITE = os.O_RDONLY, os.O_WRONLY | os.O_CREAT | os.O_APPEND
_server = None


# What Python itself is told by its environment and a forked process can still be told.
LATER = ("PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "PYTHONPATH")


def run(command, *, cwd, env, stdin, timeout, together=False):
    """What `[sys.executable, script or "-m", module, *arguments]` gives: (exit status, stdout, stderr), all in UTF-8.

    `together`: what goes to stderr is in stdout, in the order in which it came.
    """
    told = {name for name in env if name.startswith("PYTHON")}
    if sys.platform != "linux" or env.get("PYTHONUTF8") != "1" or not told.issubset(LATER):
        done = subprocess.run(
            command,
            cwd=cwd,
            env=env,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if together else subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
        )
        return done.returncode, done.stdout, done.stderr or ""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("in", "out", "out" if together else "err")]
        paths[0].write_text(stdin, encoding="utf-8", newline="")
        job = {"argv": command[1:], "cwd": str(cwd or os.getcwd()), "env": env, "paths": [str(path) for path in paths]}
        status = _answer(job, timeout)
        out, err = (path.read_text(encoding="utf-8", errors="replace") for path in paths[1:])
        return status, out, "" if together else err


def _answer(job, timeout):
    """The exit status of a job. Raises subprocess.TimeoutExpired; whatever is still running then is ended."""
    global _server
    if _server is None:
        _server = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=job["env"],
        )
        atexit.register(_end, _server)
    _server.stdin.write(json.dumps(job | {"timeout": timeout}) + "\n")
    _server.stdin.flush()
    status = json.loads(_server.stdout.readline())
    if status is None:
        raise subprocess.TimeoutExpired(job["argv"], timeout)
    return status


def _end(server):
    server.stdin.close()
    server.wait()
    server.stdout.close()


def _serve():
    """In the process with the SDK: a job a line, its exit status a line; null if it took too long."""
    import anthropic  # noqa: F401
    import anthropic.types.beta  # noqa: F401

    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if not child:
            return job
        signal.signal(signal.SIGALRM, lambda _number, _frame, child=child: os.kill(child, signal.SIGKILL))
        signal.alarm(job["timeout"])
        _pid, status = os.waitpid(child, 0)
        late = not signal.alarm(0)
        code = os.waitstatus_to_exitcode(status)
        print("null" if late and code == -signal.SIGKILL else code, flush=True)
    return None


def _become(job):
    """In the forked process: be the script."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for number, (path, flags) in enumerate(zip(job["paths"], (READ, WRITE, WRITE), strict=True)):
        opened = os.open(path, flags, 0o600)
        os.dup2(opened, number)
        os.close(opened)
    # sys.stdin has read ahead; the others have nothing left to write.
    sys.stdin = open(0, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(job["env"])
    time.tzset()
    os.chdir(job["cwd"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    # Anew, as whether a stream has a buffer was settled when the process that forks was started.
    unbuffered = bool(os.environ.get("PYTHONUNBUFFERED"))
    for number, old in ((1, sys.stdout), (2, sys.stderr)):
        binary = open(number, "wb", 0 if unbuffered else -1, closefd=False)
        new = io.TextIOWrapper(binary, old.encoding, old.errors, write_through=unbuffered, line_buffering=number == 2)
        setattr(sys, old.name.strip("<>"), new)
    if folders := os.environ.get("PYTHONPATH"):
        sys.path[1:1] = folders.split(os.pathsep)
    first, *rest = job["argv"]
    if first == "-m":
        sys.argv, sys.path[0] = rest, job["cwd"]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv, sys.path[0] = job["argv"], str(Path(first).resolve().parent)
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    job = _serve()
    if job:
        _become(job)
