"""Does this run in a virtual environment, and do `python` and `pip`, typed here, mean the same one?"""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from .. import i18n
from ..lessons import ROOT
from . import Finding
from .shell import program, quoted

_ = i18n.translator("doctor")


def NAME() -> str:
    return _("virtual environment")


def check() -> Iterator[Finding]:
    if outside():
        yield Finding("warn", _("none: packages go into the Python of the whole machine"), way_in())
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
                activate=_activation(scripts), python=program(_short(sys.executable))
            ),
        )
    else:
        yield Finding("ok", sys.prefix)


def outside() -> bool:
    """Whether this Python is that of the whole machine."""
    return sys.prefix == sys.base_prefix and "CONDA_PREFIX" not in os.environ


def way_in() -> str:
    """How to come from a Python without the course's packages to one that has them."""
    scripts = ROOT / ".venv" / ("Scripts" if sys.platform == "win32" else "bin")
    if Path(sys.prefix) != scripts.parent and shutil.which("python", path=str(scripts)):
        return _("The course's own is in .venv. Activate it (`{activate}`) or write `{python}` for python.").format(
            activate=_activation(scripts), python=program(_short(str(scripts / "python")))
        )
    if outside():
        install = program(os.path.join(".venv", scripts.name, "python")) + " -m pip install -e ."
        return _("In the folder of the course: `{make}`, then `{install}`.").format(
            make=f"{_launcher()} -m venv .venv", install=install
        )
    return _("`{python} -m pip install -e .`, in the folder of the course.").format(python=program(sys.executable))


def _belongs(found: str | None, scripts: Path) -> bool:
    """Whether the program found on PATH lies in the folder of this Python. (Both may be links: do not follow.)"""
    return found is not None and os.path.normcase(Path(found).absolute().parent) == os.path.normcase(scripts)


def _launcher() -> str:
    return "py" if sys.platform == "win32" else "python3"


def _activation(scripts: Path) -> str:
    if sys.platform == "win32":
        return program(_short(str(scripts / "Activate.ps1")))
    return "source " + quoted(_short(str(scripts / "activate")))


def _short(path: str) -> str:
    """The path from here if it is below here, as one would type it."""
    here = Path.cwd()
    return str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
