"""Is this Python one that the course supports?"""

import platform
import sys
from collections.abc import Iterator

from .. import i18n
from . import Finding

_ = i18n.translator("doctor")

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
