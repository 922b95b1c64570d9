"""What a lesson would find: its .env, its environment. Looked up without changing this process; no check of its own."""

import io
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path

from .. import env
from ..lessons import AGENTS

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


def unreadable_lines() -> list[int]:
    """The lines of the .env, from 1, that python-dotenv makes nothing of."""
    from dotenv.parser import parse_stream

    path = env_file()
    text = path.read_bytes().decode("utf-8-sig") if path else ""
    return [binding.original.line for binding in parse_stream(io.StringIO(text)) if binding.error]


@contextmanager
def as_a_lesson() -> Iterator[None]:
    """Inside, os.environ is what load_env() makes of it, before it decides with whom to talk."""
    before = dict(os.environ)
    try:
        path = env_file()
        if path:
            with redirect_stderr(io.StringIO()):
                env.read_env_file(path)
        env.clean_environment()
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def real_access() -> str | None:
    """Where a lesson finds access to an API that is not on this machine (env.access()); None: it will not use one."""
    with as_a_lesson():
        if env.offline() or env.is_loopback(base_url()):
            return None
        return env.access()


def local_endpoint() -> str | None:
    """The endpoint on this machine that a lesson will use instead of starting the stand-in; None if there is none."""
    with as_a_lesson():
        if not env.offline() and env.access() and env.is_loopback(base_url()):
            return env.shown(base_url())
    return None


def base_url() -> str:
    return os.environ.get("ANTHROPIC_BASE_URL", "") or "https://api.anthropic.com"


def secrets() -> list[str]:
    """Values that must not be printed, the longest first: keys, tokens, passwords of environment and .env."""
    found = set()
    for name, value in [*os.environ.items(), *in_file().items()]:
        if value is None:
            # A line of the .env without "=": often the key itself.
            found |= {name} - set(KEYS)
        elif any(word in name.upper() for word in ("KEY", "TOKEN", "SECRET", "PASSWORD", "CUSTOM_HEADERS")):
            found |= {value, value.strip(), value.strip().strip("\"'")}
        elif "@" in value and "://" in value:
            # A proxy's user and password: http://user:password@host
            found.add(value.split("://", 1)[1].rsplit("@", 1)[0])
    return sorted((text for text in found if len(text) >= 6), key=len, reverse=True)
