"""Cures as the reader's shell takes them: PowerShell on Windows, a POSIX shell elsewhere."""

import shlex
import sys

from .. import i18n

_ = i18n.translator("doctor")


def quoted(path: object) -> str:
    """A path as one argument, whatever blanks and quotes are in it."""
    if sys.platform == "win32":
        return "'" + str(path).replace("'", "''") + "'"
    return shlex.quote(str(path))


def program(path: str) -> str:
    """A path as the command itself. PowerShell runs a quoted one only behind `&`."""
    if sys.platform == "win32":
        return f"& {quoted(path)}" if set(path) & set(" '()&;,") else path
    return shlex.quote(path)


def unset(name: str) -> str:
    """How to be rid of a variable."""
    command = f"Remove-Item Env:{name}" if sys.platform == "win32" else f"unset {name}"
    return _("`{command}`, and take it out of your settings if it comes back.").format(command=command)
