"""Is there a key, where does it come from, and what is wrong with it?"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from .. import env, i18n
from ..lessons import AGENTS
from . import Finding, settings
from .shell import quoted, unset

_ = i18n.translator("doctor")

# A line of .env that would set a key, but for the #.
COMMENTED = re.compile(rf"\s*#[\s#]*(?:export\s+)?({'|'.join(settings.KEYS)})\s*=\s*[^\s#]")


def NAME() -> str:
    return _("key")


def check() -> Iterator[Finding]:
    yield from _file()
    yield from _misnamed()
    for name in (*settings.KEYS, "ANTHROPIC_BASE_URL"):
        yield from _variable(name)
    source = settings.access()
    with settings.as_a_lesson():
        offline, url = env.offline(), settings.base_url()
        both = all(os.environ.get(name) for name in settings.KEYS)
        key = os.environ.get("ANTHROPIC_API_KEY", "")
    if both and not offline:
        yield Finding(
            "warn",
            _("{key} and {token} are both set; the SDK uses the first").format(
                key=settings.KEYS[0], token=settings.KEYS[1]
            ),
            _("Remove the one that you do not need."),
        )
    if offline:
        yield Finding("ok", _("COURSE_OFFLINE is set: the lessons use the stand-in"))
    elif source is None:
        yield from _commented_out()
        yield Finding("ok", _("none: the lessons use the stand-in"))
    elif source == "ANTHROPIC_BASE_URL" and env.is_address(url) and not env.is_loopback(url):
        yield Finding(
            "fail",
            _("ANTHROPIC_BASE_URL is set, but no key for it"),
            _("Set ANTHROPIC_API_KEY to the key for that endpoint, or remove ANTHROPIC_BASE_URL."),
        )
    elif source == "ANTHROPIC_API_KEY" and not settings.endpoint() and not key.startswith("sk-ant-"):
        yield Finding(
            "warn",
            _("{name}, from {place}, does not begin with sk-ant- as the API's keys do").format(
                name=source, place=_place(source)
            ),
            _("Copy the key again, or make a new one, and put it where {name} is set.").format(name=source),
        )
    elif source == "profile":
        yield Finding("ok", _("a profile of the SDK on this machine"))
    else:
        yield Finding("ok", _("{name}, from {place}").format(name=source, place=_place(source)))


def _place(name: str) -> str:
    if os.environ.get(name, "").strip():
        return _("the environment")
    return str(settings.env_file())


def _file() -> Iterator[Finding]:
    """The .env itself: can it be read, and does each line set something?"""
    for folder in (AGENTS, AGENTS.parent):
        if (folder / ".env").is_dir():
            yield Finding(
                "warn",
                _("{path} is a folder, so nothing is read from it").format(path=folder / ".env"),
                _("The key goes into a file of that name. A virtual environment may be called .venv."),
            )
    path = settings.env_file()
    if path is None:
        return
    try:
        content = path.read_bytes()
    except OSError as error:
        yield Finding(
            "fail",
            _("{path} cannot be read: {error}").format(path=path, error=error.strerror),
            _("Make it readable for you."),
        )
        return
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content:
        yield Finding("fail", _("{path} is in UTF-16, so the lessons cannot read it").format(path=path), _resave(path))
        return
    if content.startswith(b"\xef\xbb\xbf"):
        yield Finding(
            "warn",
            _("{path} starts with a byte order mark; the lessons cope, other programs may not").format(path=path),
            _("Save it as UTF-8 without BOM."),
        )
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        yield Finding("fail", _("{path} is not in UTF-8 (line {line})").format(path=path, line=line), _resave(path))
        return
    write = _("Write NAME=value, as in ANTHROPIC_API_KEY= with the key behind it.")
    seen: dict[str, int] = {}
    for entry in settings.lines():
        number = entry.original.line
        if entry.error:
            yield Finding(
                "warn",
                _("line {line} of {path} cannot be read, so it sets nothing").format(line=number, path=path),
                write,
            )
        elif entry.key and entry.value is None:
            # Not the line itself: it may be the key.
            yield Finding(
                "fail" if entry.key.startswith("sk-") else "warn",
                _("line {line} of {path} sets nothing").format(line=number, path=path),
                write,
            )
        elif entry.key:
            if entry.key in seen:
                yield Finding(
                    "warn",
                    _("{name} stands in lines {first} and {line} of {path}; the last one counts").format(
                        name=entry.key, first=seen[entry.key], line=number, path=path
                    ),
                    _("Remove the one that you do not need."),
                )
            seen[entry.key] = number


def _commented_out() -> Iterator[Finding]:
    """A key that was written into the .env, as .env.example has it, behind the #."""
    path = settings.env_file()
    try:
        lines = path.read_bytes().decode("utf-8-sig").splitlines() if path else []
    except (OSError, UnicodeDecodeError):
        return  # said by _file()
    for number, line in enumerate(lines, 1):
        if name := COMMENTED.match(line):
            yield Finding(
                "warn",
                _("{name} in line {line} of {path} stands behind a #, so it is not read").format(
                    name=name[1], line=number, path=path
                ),
                _("Remove the # if the lessons should use it."),
            )


def _resave(path: Path) -> str:
    if sys.platform == "win32":
        return _("In PowerShell: `{command}`.").format(
            # Not Set-Content: PowerShell 5 puts a mark before UTF-8.
            command=f"[IO.File]::WriteAllLines({quoted(path)}, (Get-Content -LiteralPath {quoted(path)}))"
        )
    return _("Open it in an editor and save it as UTF-8. (PowerShell's > writes UTF-16.)")


def _misnamed() -> Iterator[Finding]:
    """A file that was meant to be .env."""
    for path in dict.fromkeys((*env.misnamed(AGENTS), *env.misnamed(Path.cwd()))):
        yield Finding("warn", _("{path} is not read: the name must be .env").format(path=path), f"`{_rename(path)}`")


def _rename(path: Path) -> str:
    if sys.platform == "win32":
        return f"Rename-Item -LiteralPath {quoted(path)} .env"
    return f"mv {quoted(path)} {quoted(path.with_name('.env'))}"


def _variable(name: str) -> Iterator[Finding]:
    """Quotes, blanks and other characters in one variable; an empty one; two different ones."""
    outside, inside = os.environ.get(name), settings.in_file().get(name)
    if outside is not None and not outside.strip(env.QUOTES + " \t\r\n"):
        yield Finding(
            "warn",
            _(
                "{name} is set in the environment, but empty; programs other than the lessons will overlook a .env"
            ).format(name=name)
            if inside
            else _("{name} is set in the environment, but empty").format(name=name),
            unset(name),
        )
    elif outside and inside and outside.strip() != inside.strip():
        yield Finding(
            "warn",
            _("{name} is set in the environment and, differently, in .env; the environment's wins").format(name=name),
            unset(name),
        )
    value, place = (
        (outside, _("the environment")) if outside and outside.strip() else (inside, str(settings.env_file()))
    )
    if not value:
        return
    bare = value.strip().strip(env.QUOTES).strip()
    if value != bare:
        yield Finding(
            "warn",
            _("{name} in {place} has blanks or quotes around it; the lessons cope, other programs do not").format(
                name=name, place=place
            ),
            _("Set it again without them."),
        )
    if not bare.isascii() or not bare.isprintable() or " " in bare:
        yield Finding(
            "fail",
            _("{name} in {place} holds a blank or a character that no key and no address has").format(
                name=name, place=place
            ),
            _("Copy it again, as a whole, and set it anew."),
        )
