"""Can this console show umlauts and Chinese?"""

import sys
from collections.abc import Iterator

from .. import i18n
from . import Finding

_ = i18n.translator("doctor")

SAMPLE = "äöüß 中文"


def NAME() -> str:
    return _("console")


def check() -> Iterator[Finding]:
    encoding = sys.stdout.encoding or "ascii"
    try:
        SAMPLE.encode(encoding)
    except UnicodeEncodeError as error:
        yield Finding(
            "warn",
            _("{encoding} cannot show {text}; you will see ? instead").format(
                encoding=encoding, text=ascii(error.object[error.start : error.end])
            ),
            _("`{command}`, then open a new console.").format(command=_utf8_command()),
        )
    else:
        yield Finding("ok", f"{encoding}: {SAMPLE}")


def _utf8_command() -> str:
    return "setx PYTHONUTF8 1" if sys.platform == "win32" else "export PYTHONUTF8=1"
