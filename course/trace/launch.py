"""`python -m course.trace.launch [--at TIME] EVENTS SCRIPT [ARGUMENT ...]`: run a script, its events to a file.

One event of `recorder` a line, written as it happens, so that a run that is killed leaves what it did. The script
behaves as if it had been started by itself: same output, same traceback, same exit status. `course run --trace` is the
command for people; it starts this one.

    --at TIME  the clock starts at this local time (needs time-machine); for traces that are the same on any day
"""

import contextlib
import json
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

from .. import console, i18n
from .recorder import Recorder

_ = i18n.translator("trace")


def main(arguments: list[str]) -> int:
    at = None
    if arguments[:1] == ["--at"]:
        at, arguments = arguments[1], arguments[2:]
    events, script, *rest = arguments
    console.prepare()
    sys.argv = [script, *rest]
    script = os.path.abspath(script)  # as Python has it in tracebacks and __file__
    # As Python does for a script: its folder instead of the current one.
    sys.path[0] = str(Path(script).resolve().parent)
    _import_early(script)
    # Unbuffered: nothing is left to be written when the script is killed, or when the disk is full.
    with open(events, "wb", buffering=0) as file:

        def write(event: dict[str, Any]) -> None:
            file.write(json.dumps(event, ensure_ascii=True).encode("ascii") + b"\n")

        recorder = Recorder(script, write)
        with recorder:
            with _clock(at):
                how, status, text = _run(script)
            recorder.emit(kind="end", how=how, status=status, text=text)
        if recorder.failure:
            reason = recorder.failure.strerror or recorder.failure
            print("[course] " + _("The recording ends early: {reason}").format(reason=reason), file=sys.stderr)
        return status


def _run(script: str) -> tuple[str, int, str | None]:
    """(how it ended, exit status, last line of the traceback)."""
    try:
        runpy.run_path(script, run_name="__main__")
        return "finished", 0, None
    except SystemExit as exit_:
        if exit_.code is None or isinstance(exit_.code, int):
            return "exit", int(exit_.code or 0), None  # int: True is 1
        print(exit_.code, file=sys.stderr)
        return "exit", 1, str(exit_.code)
    except KeyboardInterrupt as error:
        _show(error, script)
        return "interrupted", 130, None
    except BaseException as error:
        _show(error, script)
        return "exception", 1, traceback.format_exception_only(error)[-1].strip()


def _show(error: BaseException, script: str) -> None:
    """The traceback as Python prints it, from the script's first frame on."""
    place = error.__traceback__
    while place is not None and place.tb_frame.f_code.co_filename != script:
        place = place.tb_next
    sys.excepthook(type(error), error.with_traceback(place or error.__traceback__), place or error.__traceback__)


def _import_early(script: str) -> None:
    """Import the SDK before lines are watched: its 3,500 modules would run at half their speed."""
    with contextlib.suppress(Exception):
        if "import anthropic" in Path(script).read_text(encoding="utf-8"):
            import anthropic  # noqa: F401


def _clock(at: str | None) -> contextlib.AbstractContextManager[Any]:
    if at is None:
        return contextlib.nullcontext()
    import datetime

    import time_machine

    return time_machine.travel(datetime.datetime.fromisoformat(at).astimezone(), tick=True)


if __name__ == "__main__":
    # Threads that the script left behind may hold the process, as they would without us.
    sys.exit(main(sys.argv[1:]))
