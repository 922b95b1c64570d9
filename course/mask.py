"""Keys and passwords kept out of texts that others wrote: an exception's words, what a child process printed."""

import os
import re
from collections.abc import Iterable

_SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CUSTOM_HEADERS)$")


def masked(text: str, more: Iterable[str | None] = ()) -> str:
    """The text with *** for each secret of the environment, and of `more`, whole or in part.

    For the words of others alone: a key may be any word, "stand-in" for instance, and our own sentences hold words.
    """
    # Piece by piece, because an exception may quote a key with an escape (\n, \xe9) where its odd character stands.
    pieces = {piece for value in (*_values(), *more) if value for piece in re.split(r"[^!-~]+|\\", value)}
    for piece in sorted(pieces, key=len, reverse=True):
        if len(piece) >= 6:
            text = text.replace(piece, "***")
    return text


def _values() -> Iterable[str]:
    for name, value in os.environ.items():
        if _SECRET.search(name.upper()):
            yield value.strip().strip("\"'")
        elif "@" in value and "://" in value:
            # An address with user and password, such as a proxy's: http://user:password@host
            yield from value.split("://", 1)[1].rsplit("@", 1)[0].split(":", 1)
