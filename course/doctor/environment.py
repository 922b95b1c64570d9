"""Does this run in a virtual environment, and do `python` and `pip`, typed here, mean the same one?"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from .. import i18n
from . import Finding
from .shell import program, quoted

_ = i18n.translator("doctor")


def NAME() -> str:
    return _("virtual environment")


def check() -> Iterator[Finding]:
    if sys.prefix == sys.base_prefix and "CONDA_PREFIX" not in os.environ:
        yield Finding(
            "warn",
            _("none: packages go into the Python of the whole machine"),
            _("In the folder of the course: `{command}`.").format(command=f"{_launcher()} -m venv .venv"),
        )
        return
    scripts = Path(sys.executable).parent
    strangers = [name for name in ("python", "pip") if not _belongs(shutil.which(name), scripts)]
    if strangers:
        yield Finding(
            "warn",
            _("{prefix}; but what you type as {names} belongs to another one").format(
                prefix=sys.prefix, names=", ".join(strangers)
            ),
            _("Activate it (`{activate}`) or write `{python}` for python and `{python} -m pip` for pip.").format(
                activate=_activation(), python=program(_short(sys.executable))
            ),
        )
    else:
        yield Finding("ok", sys.prefix)


def _belongs(found: str | None, scripts: Path) -> bool:
    """Whether the program found on PATH lies in the folder of this Python. (Both may be links: do not follow.)"""
    return found is not None and os.path.normcase(Path(found).absolute().parent) == os.path.normcase(scripts)


def _launcher() -> str:
    return "py" if sys.platform == "win32" else "python3"


def _activation() -> str:
    if sys.platform == "win32":
        return program(_short(str(Path(sys.executable).parent / "Activate.ps1")))
    return ". " + quoted(_short(str(Path(sys.executable).parent / "activate")))


def _short(path: str) -> str:
    """The path from here if it is below here, as one would type it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
