"""The console: output that survives any of them, colour where it can be shown, one way to report a problem."""

import io
import os
import sys
from typing import TextIO


def prepare() -> None:
    """Make stdout and stderr replace what their encoding cannot show (cp1252, GBK, ASCII) instead of raising."""
    for stream, errors in ((sys.stdout, "replace"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


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
    print(f"course: {message}", file=sys.stderr)
    return 2


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
