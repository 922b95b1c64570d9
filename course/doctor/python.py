"""Is this Python one that the course supports?"""

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from .. import i18n
from . import Finding

_ = i18n.translator("doctor")

ROOT = Path(__file__).parent.parent.parent
OLDEST = (3, 11)
NEWEST = (3, 15)


def NAME() -> str:
    return "Python"


def check() -> Iterator[Finding]:
    found = f"{platform.python_version()} ({sys.executable})"
    if sys.version_info[:2] > NEWEST:
        yield Finding(
            "warn",
            _("{found}, newer than any that the course was tried with").format(found=found),
            _("If something fails, make .venv anew with Python {version}.").format(version=".".join(map(str, NEWEST))),
        )
    else:
        # Older ones do not get this far: course/__init__.py turns them away.
        yield Finding("ok", found)
    yield from _hides_python()


def _hides_python() -> Iterator[Finding]:
    """Files that are named as a module of Python: beside the lessons, where make runs, and on PYTHONPATH."""
    others = [Path(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    for folder in dict.fromkeys((ROOT / "agents", ROOT, *others)):
        for path in sorted(folder.glob("*.py")) + [path.parent for path in sorted(folder.glob("*/__init__.py"))]:
            if path.stem in sys.stdlib_module_names:
                yield Finding(
                    "fail",
                    _("{path} hides Python's own module {name}").format(path=path, name=path.stem),
                    _("Give {path} another name, or take its folder out of PYTHONPATH.").format(path=path),
                )
