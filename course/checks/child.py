"""Runs one program in this process and writes down how it ended. Started by the runner; standard library only.

    python -P child.py '{"file": ..., "report": ..., "seconds": ...}'
    python -P child.py --fork          (not on Windows) one job a line on stdin, each run in a fork that has the SDK

The report is JSON: {"failure": {"type", "message", "line"} | null, "reached": host | "", "hung": true, "line": number,
"overwrote": [file, ...]}.
"""

import gc
import json
import os
import sys
import threading
import types
from typing import Any

Job = dict[str, Any]  # file, report, seconds; with --fork also folder, environment, out, err

BLOCKS = [  # of the kinds that the exercises meet
    {"type": "thinking", "thinking": "", "signature": ""},
    {"type": "text", "text": ""},
    {"type": "tool_use", "id": "", "name": "", "input": {}},
]

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(job: Job) -> None:
    report: dict[str, Any] = {"failure": None, "reached": "", "hung": False, "line": None, "overwrote": []}
    keep_inside(report)
    note_overwritten(report)
    gc.disable()  # nothing to collect while modules load: this takes a quarter off the time
    module = types.ModuleType("__main__")
    module.__file__ = job["file"]
    sys.modules["__main__"] = module
    sys.argv = [job["file"]]
    sys.path.insert(0, os.path.dirname(job["file"]))
    sys.path.append(ROOT)
    try:
        import anthropic  # noqa: F401

        gc.freeze()
        gc.enable()
        watch(job, report)
        with open(job["file"], "rb") as file:
            code = compile(file.read(), job["file"], "exec", dont_inherit=True)
        exec(code, module.__dict__)
        for thread in threading.enumerate():
            if not thread.daemon and thread is not threading.current_thread():
                thread.join()
    except SystemExit as left:
        if left.code not in (None, 0):
            line = line_of(left, job["file"])
            report["failure"] = {"type": "SystemExit", "message": str(left.code), "line": line}
    except BaseException as raised:
        error = raised
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        message = str(error)[:2000]
        report["failure"] = {"type": type(error).__name__, "message": message, "line": line_of(error, job["file"])}
    write(job, report)


def line_of(error: BaseException, file: str) -> int | None:
    """The last line of the file in the traceback of the error, or of what caused it."""
    found = None
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            found = trace.tb_lineno
        trace = trace.tb_next
    if found is None and error.__cause__:
        return line_of(error.__cause__, file)
    return found


def watch(job: Job, report: dict[str, Any]) -> None:
    """End this process after the time limit, and note the line of the file where it stands then."""
    main = threading.get_ident()

    def give_up() -> None:
        frame = sys._current_frames().get(main)
        while frame and frame.f_code.co_filename != job["file"]:
            frame = frame.f_back
        write(job, {**report, "hung": True, "line": frame.f_lineno if frame else None})
        os._exit(124)

    timer = threading.Timer(job["seconds"], give_up)
    timer.daemon = True
    timer.start()


def keep_inside(report: dict[str, Any]) -> None:
    """Let the program reach nothing but this machine: a check must cost nothing, whatever key the program has found."""

    def hook(event: str, args: Any) -> None:
        host = None
        if event == "socket.getaddrinfo":
            host = args[0]
        elif event == "socket.connect" and isinstance(args[1], tuple):
            host = args[1][0]
        if host is None:
            return
        host = host.decode("latin-1") if isinstance(host, bytes) else str(host)
        if host not in ("localhost", "::1", "0.0.0.0", "") and not host.startswith("127."):
            report["reached"] = report["reached"] or host
            raise OSError(f"a check reaches nothing outside this machine, and the program wanted {host}")

    sys.addaudithook(hook)


def note_overwritten(report: dict[str, Any]) -> None:
    """Note the files in the program's folder that hold something and are emptied to be written anew."""
    folder = os.path.join(os.getcwd(), "")

    def hook(event: str, args: Any) -> None:
        if event != "open" or not isinstance(args[0], str) or not isinstance(args[2], int) or not args[2] & os.O_TRUNC:
            return
        path = os.path.abspath(args[0])
        if path.startswith(folder) and os.path.isfile(path) and os.path.getsize(path):
            report["overwrote"].append(os.path.basename(path))

    sys.addaudithook(hook)


def write(job: Job, report: dict[str, Any]) -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    with open(job["report"], "w", encoding="utf-8") as file:
        json.dump(report, file)


def fork_server() -> None:
    """For each job on stdin, fork, say the child's process id, and at its end its status (as in runner.Process)."""
    gc.disable()
    import anthropic

    anthropic.Anthropic(api_key="-")  # loads what the SDK loads late
    anthropic.types.Message.construct(content=BLOCKS, usage={"input_tokens": 0, "output_tokens": 0})

    gc.freeze()
    gc.enable()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if not child:
            os.setsid()
            os.environ.clear()
            os.environ.update(job["environment"])
            os.chdir(job["folder"])
            for number, path in enumerate((os.devnull, job["out"], job["err"])):
                os.dup2(os.open(path, os.O_WRONLY if number else os.O_RDONLY), number)
            sys.stdin = open(0, encoding="utf-8", closefd=False)
            run(job)
            os._exit(0)
        print(child, file=answers, flush=True)
        _pid, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["--fork"]:
        fork_server()
    else:
        run(json.loads(sys.argv[1]))
