"""Messages in the reader's language, with the standard library's gettext.

English is written in the code; `course/locale/<de|zh>/LC_MESSAGES/<domain>.po` holds the translations and
`make messages` compiles them. One domain an area: `_ = translator("doctor")`.
"""

import gettext
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

LANGUAGES = ("en", "zh", "de")
LOCALE_DIR = Path(__file__).parent / "locale"

_spoken = ContextVar("spoken", default="")

# Windows' primary language identifiers (the low ten bits of a LANGID).
_WINDOWS_LANGUAGES = {0x04: "zh", 0x07: "de"}


def language() -> str:
    """The reader's language, "en", "zh" or "de": COURSE_LANG if it names one, else the system's, else English."""
    chosen = _spoken.get() or _known(os.environ.get("COURSE_LANG", ""))
    if chosen:
        return chosen
    # The order in which gettext itself looks (gettext.find). LANGUAGE may be a list: "de:en".
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value:
            return _known(value.split(":")[0]) or "en"
    if sys.platform == "win32":
        import ctypes

        return _WINDOWS_LANGUAGES.get(ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF, "en")
    return "en"


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Within it, messages are in this language, whatever the reader's is: for pages in several."""
    before = _spoken.set(code)
    try:
        yield
    finally:
        _spoken.reset(before)


def _known(name: str) -> str:
    """ "de_AT.UTF-8" -> "de"; "" for a language that the course does not have."""
    code = name.strip().lower().replace("-", "_").split("_")[0].split(".")[0]
    return code if code in LANGUAGES else ""


@lru_cache
def _catalogue(domain: str, code: str) -> gettext.NullTranslations:
    # English has no catalogue: fallback returns each message as it stands in the code.
    return gettext.translation(domain, LOCALE_DIR, languages=[code], fallback=True)


def number(text: str, code: str = "") -> str:
    """A number as English writes it, "1,234.5", in a language; without `code` in the reader's."""
    return text.translate(str.maketrans(",.", ".,")) if (code or language()) == "de" else text


def translator(domain: str) -> Callable[[str], str]:
    """A function that translates a message of this domain. It asks for the language at each call, not at import."""

    def translate(message: str) -> str:
        return _catalogue(domain, language()).gettext(message)

    return translate
