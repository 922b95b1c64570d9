"""`course run s01`: a lesson, or a file of your own, unchanged, in a process of its own."""

import argparse
import difflib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from .. import console, env, i18n
from ..lessons import AGENTS, LESSONS
from . import _watching

_ = i18n.translator("course")

WINDOWS_CTRL_C = 0xC000013A  # STATUS_CONTROL_C_EXIT


def HELP() -> str:
    return _("run a lesson or a script of your own")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("lesson", help=_("a lesson (s01) or the path of a Python file"))
    parser.add_argument(
        "prompt",
        nargs="*",
        default=[],
        help=_("what to ask, instead of the lesson's own prompt; options of the script's own stand behind --"),
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--offline", action="store_true", help=_("use the stand-in, even if there is a key"))
    which.add_argument("--real", action="store_true", help=_("use the real API, and refuse to run without a key"))
    _watching.add_fault(parser)
    _watching.add_wire(parser)
    _watching.add_trace(parser)
    _watching.add_replies(parser)
    _watching.add_save_replies(parser)


def run(args: argparse.Namespace) -> int:
    script = find_script(args.lesson)
    if script is None:
        wire_json = args.wire and args.lesson == "json"
        return console.problem(one_word() if wire_json else no_such_lesson(args.lesson))
    if mistake := wrong_prompt(script, args):
        return console.problem(mistake)
    environment = dict(os.environ)
    if args.offline:
        environment["COURSE_OFFLINE"] = "1"
    if args.real:
        if not has_access(script):
            return console.problem(
                _("There is no key for --real; put one into .env, as .env.example shows, or leave --real out.")
            )
        environment["COURSE_OFFLINE"] = "0"
    replies = args.replies is not None or args.save_replies
    if args.fault or args.wire or args.trace or replies or not loads_env(script):
        return run_watched(script, args)
    return run_child([sys.executable, str(script), *args.prompt], environment)


def run_watched(script: Path, args: argparse.Namespace) -> int:
    """With --fault, --wire, --trace or replies, or for a script that knows nothing of this course: whoever answers,
    this process stands between.
    """
    if args.fault and args.real:
        return console.problem(_("--fault is for the stand-in; leave --real out."))
    if args.replies is not None and args.real:
        return console.problem(_("--replies is for the stand-in; leave --real out."))
    from .. import watch

    try:
        return watch.run(
            script,
            args.prompt,
            run_child,
            faults=args.fault,
            wire=args.wire,
            trace=args.trace,
            replies=args.replies,
            save_replies=args.save_replies,
            offline=args.offline,
            real=args.real,
        )
    except OSError as error:
        if args.trace is None and args.save_replies is None:
            raise
        path = error.filename or args.trace or args.save_replies
        return console.problem(
            _("{path} cannot be written: {reason}").format(path=path, reason=error.strerror or error)
        )


def find_script(name: str) -> Path | None:
    """The file of a lesson ("s01", "s01_agent_loop", "s01_agent_loop.py"), or the named file; None if neither."""
    for lesson in LESSONS:
        if name in (lesson.id, lesson.file, lesson.file.removesuffix(".py")):
            return lesson.path
    own = Path(name)
    return own if own.suffix == ".py" and own.is_file() else None


def no_such_lesson(name: str) -> str:
    if near := meant(name):
        return _("There is no lesson {name}; did you mean `course run {near}`?").format(name=name, near=near)
    if name.endswith(".py"):
        return _("There is no file {name}.").format(name=Path(name).absolute())
    ids = [lesson.id for lesson in LESSONS]
    return _("There is no lesson {name}; the lessons are {first} to {last}.").format(
        name=name, first=ids[0], last=ids[-1]
    )


def meant(name: str) -> str | None:
    """The id of the lesson that was meant by "S01", "s1", "1", "agents/s01" or "s01_agent_lop.py", if any was: a number
    counts before letters. What lies in a folder other than agents/ is a file of the reader's.
    """
    folder, _slash, file = name.replace("\\", "/").rpartition("/")
    if folder.rpartition("/")[2] not in ("", AGENTS.name):
        return None
    stems = {lesson.file.removesuffix(".py"): lesson.id for lesson in LESSONS}
    if number := re.fullmatch(r"[a-z ]*?o?([0-9]{1,2})(?:\.py)?", file, re.IGNORECASE):
        return next((id for id in stems.values() if int(id[1:]) == int(number[1])), None)
    near = difflib.get_close_matches(file.removesuffix(".py"), stems, n=1, cutoff=0.8)
    return stems[near[0]] if near else None


def wrong_prompt(script: Path, args: argparse.Namespace) -> str:
    """What is wrong with the prompt for a lesson, in a sentence; "" if nothing is. Other scripts may take anything."""
    if script not in [lesson.path for lesson in LESSONS]:
        return ""
    if args.wire == "text" and args.prompt[:1] == ["json"]:
        return one_word()
    if not all(word.strip() for word in args.prompt):
        return _("The prompt is blank. Leave it out, and the lesson asks its own.")
    if any(re.search("[\ud800-\udfff]", word) for word in args.prompt):
        return _("The prompt holds bytes that are no text here. Is the terminal set to the encoding you type in?")
    return ""


def one_word() -> str:
    return _("`--wire json` is one word: `--wire=json`.")


def loads_env(script: Path) -> bool:
    """Whether the script imports something of this course, as the lessons do: load_env, which finds who answers."""
    if script in [lesson.path for lesson in LESSONS]:  # s13 imports s08, which does
        return True
    try:
        source = script.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # Python will say why it cannot be read
    return bool(re.search(r"^\s*(from|import) course\b", source, re.MULTILINE))


def has_access(script: Path) -> bool:
    """Whether the script will find a key, or another way to Claude. Reads .env into this process, as it will."""
    env.read(script.resolve().parent)
    return env.access() is not None


def run_child(command: list[str], environment: dict[str, str]) -> int:
    """Run the command on this terminal and return its exit status, 128 + N if signal N ended it (as shells do)."""
    # Ctrl-C reaches the script too, and the script decides what it means: s07 goes on after it. No KeyboardInterrupt
    # here, because one that comes while the script ends would lose its status.
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        with subprocess.Popen(command, env=environment) as child:
            # Whoever ends this process (`timeout 60 course run s01`, a closed window) means the script. What was
            # watched is still to be told and written.
            for name in {"SIGTERM", "SIGHUP", "SIGQUIT"} & set(dir(signal)):
                if signal.getsignal(getattr(signal, name)) is not signal.SIG_IGN:
                    signal.signal(getattr(signal, name), lambda number, _frame: child.send_signal(number))
            status = child.wait()
            if status == WINDOWS_CTRL_C:
                return 130
            return status if status >= 0 else 128 - status
    finally:
        signal.signal(signal.SIGINT, before)
