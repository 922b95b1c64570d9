"""The console: output that survives any of them, colour where it can be shown, one way to report a problem."""

import io
import os
import re
import sys
from typing import TextIO

# Control characters but newline and tab, and those that turn the direction of writing.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def prepare() -> None:
    """Make the three streams usable: a missing one is nowhere, and what an encoding cannot show (cp1252, GBK, ASCII) is
    replaced instead of raising.
    """
    # A shell can close a stream (`<&-`, `>&-`), and pythonw on Windows has none.
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None or (name == "stdin" and not _readable()):
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number and not _used(number):  # children find it there too
                os.dup2(nowhere, number)
            setattr(sys, name, open(nowhere, mode, encoding="utf-8"))
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def plain(text: str) -> str:
    """A text from elsewhere as a terminal shows it and does not obey it: control characters become "\\x1b"."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text.replace("\r\n", "\n"))


def say(line: str) -> None:
    """One line on stderr that is the course's, not the script's. A stderr that takes nothing does not end the run."""
    try:
        print(f"[course] {plain(line)}", file=sys.stderr, flush=True)
    except OSError:
        pass  # a full disk, a reader that has left


def colour(stream: TextIO) -> bool:
    """Whether to colour what goes to this stream: a terminal that can, unless NO_COLOR (no-color.org) is set."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    if not stream.isatty() or os.environ.get("TERM") == "dumb":
        return False
    return sys.platform != "win32" or _windows_escapes(stream)


def problem(message: str) -> int:
    """Say on stderr what went wrong, in one sentence, and return 2, the exit status for it."""
    print(f"course: {plain(message)}", file=sys.stderr)
    return 2


def _readable() -> bool:
    """Whether stdin can be read. (nohup puts one there that can only be written to.)"""
    if sys.stdin is not sys.__stdin__ or sys.platform == "win32":
        return True
    import fcntl

    try:
        return fcntl.fcntl(0, fcntl.F_GETFL) & (os.O_RDWR | os.O_WRONLY) != os.O_WRONLY
    except OSError:
        return False


def _used(number: int) -> bool:
    """Whether a file descriptor of this number is open and, were it stdin, can be read."""
    try:
        os.fstat(number)
    except OSError:
        return False
    return number > 0 or _readable()


def _windows_escapes(stream: TextIO) -> bool:
    """Switch on escape sequences in a Windows console (ENABLE_VIRTUAL_TERMINAL_PROCESSING). False where it cannot."""
    if sys.platform != "win32":
        return True
    import ctypes
    import msvcrt
    from ctypes import wintypes

    kernel32 = ctypes.WinDLL("kernel32")
    handle = wintypes.HANDLE(msvcrt.get_osfhandle(stream.fileno()))
    mode = wintypes.DWORD()
    if not kernel32.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel32.SetConsoleMode(handle, mode.value | 0x0004))
