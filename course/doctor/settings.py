"""What a lesson would find: its .env, its environment. Looked up without changing this process; no check of its own."""

import io
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import TYPE_CHECKING

from .. import env, i18n, mask
from ..lessons import AGENTS

if TYPE_CHECKING:
    from dotenv.parser import Binding

_ = i18n.translator("doctor")

KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")

# python-dotenv says on stderr which lines it cannot read, each time that it reads. The check of the key says it once.
logging.getLogger("dotenv").addHandler(logging.NullHandler())


def env_file() -> Path | None:
    """The .env that the lessons read."""
    return env.find_env_file(AGENTS)


def in_file() -> dict[str, str | None]:
    """What the .env sets, as it stands there; {} if there is none or if it cannot be read. None: a line without "="."""
    path = env_file()
    if path is None:
        return {}
    try:
        from dotenv import dotenv_values

        return dotenv_values(path, encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError, ImportError, AttributeError):
        return {}  # the last two: a file of the reader's hides a module that python-dotenv needs


def lines() -> "list[Binding]":
    """The lines of the .env as python-dotenv reads them; [] if there is none or if it cannot be read."""
    from dotenv.parser import parse_stream

    path = env_file()
    try:
        return list(parse_stream(io.StringIO(path.read_bytes().decode("utf-8-sig")))) if path else []
    except (OSError, UnicodeDecodeError):
        return []


@contextmanager
def as_a_lesson() -> Iterator[None]:
    """Inside, os.environ is what load_env() makes of it, before it decides with whom to talk."""
    before = dict(os.environ)
    try:
        with redirect_stderr(io.StringIO()):
            env.read(AGENTS)
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def access() -> str | None:
    """Where a lesson finds access to an API (env.access()); None: it starts the stand-in."""
    with as_a_lesson():
        return None if env.offline() else env.access()


def base_url() -> str:
    """Where a lesson sends its requests if it has access."""
    with as_a_lesson():
        return os.environ.get("ANTHROPIC_BASE_URL") or "https://api.anthropic.com"


def endpoint() -> str:
    """The endpoint, as it may be shown, that ANTHROPIC_BASE_URL names in place of Claude's own; "" if there is none."""
    url = env.shown(base_url()).rstrip("/")
    return "" if access() is None or url == "https://api.anthropic.com" else url


def other_model() -> str:
    """The cure where nobody knows the model."""
    with as_a_lesson():
        if not os.environ.get("MODEL_ID"):
            return _("Set MODEL_ID to a model that there is at this address.")
    place = env_file() if in_file().get("MODEL_ID") else _("the environment")
    return _("Take MODEL_ID out of {place}, or name a model that there is, as in claude-sonnet-5-5.").format(
        place=place
    )


def foreign(text: object) -> str:
    """Words that are not ours, such as an exception's, without any key, token or password."""
    with as_a_lesson():
        # A line of the .env without "=" is often the key itself.
        return mask.masked(str(text), (value or name for name, value in in_file().items() if name in KEYS or not value))
