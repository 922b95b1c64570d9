"""The command `course`. Each module of course/commands is one command:

HELP() -> str              one line, translated
add_arguments(parser)      its arguments
run(args) -> int           does it; the exit status
"""

import argparse
import difflib
import errno
import gettext
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import NoReturn

from . import commands, console, i18n

_ = i18n.translator("course")

STARTERS = ("check", "run", "serve", "verify")  # the commands that start a script or the stand-in


class Parser(argparse.ArgumentParser):
    """argparse, with one sentence for a wrong command line instead of usage and sentence."""

    def error(self, message: str) -> NoReturn:
        sentence = _("{message}. `{command} --help` shows what it takes.")
        raise SystemExit(console.problem(sentence.format(message=message, command=self.prog)))


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 failed, 2 wrong use, 130 interrupted."""
    console.prepare()
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno == errno.ENOSPC and error.filename is None:  # `course > file`
            console.problem(_("The output cannot be written: {reason}").format(reason=error.strerror))
        # The reader of a pipe left (`course | head`). On Windows that is EINVAL, as is a name that no file can have.
        elif not isinstance(error, BrokenPipeError) and (error.errno != errno.EINVAL or error.filename is not None):
            raise
        # Python would complain once more when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _run(argv: list[str]) -> int:
    names = command_names()
    if not argv:
        argv = ["lessons"]
    name = argv[0]
    if name in ("-h", "--help", "help"):
        print(overview(names))
        return 0
    if name not in names:
        return console.problem(_unknown(name, names))
    command = load(name)
    words, own = argv[1:], []
    if "--" in words:  # what stands behind it is for the script: `course run s07 -- --yes "a job"`
        own = words[words.index("--") + 1 :]
        words = words[: words.index("--")]
    with _argparse_language():
        parser = Parser(prog=f"course {name}", description=command.HELP(), allow_abbrev=False)
        command.add_arguments(parser)
        args, rest = parser.parse_known_args(words)
        if rest or own:
            # argparse gives the words behind an option to nobody: `course run s01 --wire "a prompt"`.
            if not hasattr(args, "prompt") or any(word.startswith("-") for word in rest):
                parser.parse_args(argv[1:])  # says what is wrong with them, and exits
            args.prompt = [*args.prompt, *rest, *own]
    if name in STARTERS and (lacking := _lacking()):
        return console.problem(lacking)
    status: int = command.run(args)
    return status


def _lacking() -> str:
    """A sentence if this Python has not the packages that a run needs, as the system's has not; else ""."""
    package = next((one for one in ("anthropic", "dotenv", "uvicorn") if not importlib.util.find_spec(one)), None)
    if not package:
        return ""
    from .doctor.environment import way_in

    return _("{python} has no package {package}. {cure}").format(python=sys.executable, package=package, cure=way_in())


def command_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(commands.__path__) if not module.name.startswith("_"))


def load(name: str) -> ModuleType:
    return importlib.import_module(f"{commands.__name__}.{name}")


def overview(names: list[str]) -> str:
    """What `course --help` prints: each command with its line of help."""
    width = max(map(len, names))
    lines = [f"  course {name:{width}}  {load(name).HELP()}" for name in names]
    more = _("`course` alone lists the lessons; `course {command} --help` says more.").format(command=_("<command>"))
    return "\n".join([_("The commands:"), *lines, "", more])


def _unknown(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    if not near and (lesson := load("run").meant(name)):
        near = [f"run {lesson}"]
    if near:
        return _("There is no command `{name}`; did you mean `course {near}`?").format(name=name, near=near[0])
    return _("There is no command `{name}`; the commands are {names}.").format(name=name, names=", ".join(names))


@contextmanager
def _argparse_language() -> Iterator[None]:
    """argparse's own words ("options", "unrecognized arguments") in the reader's language.

    argparse asks gettext's current domain, and gettext looks at LANGUAGE. The variable is put back for the scripts
    that a command may start.
    """
    before = os.environ.get("LANGUAGE")
    code = i18n.language()
    gettext.bindtextdomain("argparse", i18n.LOCALE_DIR)
    gettext.textdomain("argparse")
    os.environ["LANGUAGE"] = code
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("LANGUAGE", None)
        else:
            os.environ["LANGUAGE"] = before
