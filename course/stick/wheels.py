"""The packages on the stick: which wheels each system and Python needs, fetched once and proved to be enough.

uv (https://docs.astral.sh/uv/) decides which they are: it resolves for systems and Pythons that this machine is not.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx2

from .. import i18n
from ..site import ROOT
from . import Problem

_ = i18n.translator("stick")

# Our name of a system: uv's. Linux with glibc 2.28 (2018) or newer; macOS from MACOS on.
SYSTEMS = {
    "linux-x86_64": "x86_64-manylinux_2_28",
    "linux-aarch64": "aarch64-manylinux_2_28",
    "windows-amd64": "x86_64-pc-windows-msvc",
    "windows-arm64": "aarch64-pc-windows-msvc",
    "macos-intel": "x86_64-apple-darwin",
    "macos-arm": "aarch64-apple-darwin",
}
MACOS = "11.0"
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
NO_SOLUTION = 1  # uv's exit status when packages do not fit; others mean that it could not look


@dataclass(frozen=True)
class Pair:
    """A system and a Python, each as in SYSTEMS and PYTHONS."""

    system: str
    python: str

    def __str__(self) -> str:
        return f"{self.system}, Python {self.python}"


@dataclass(frozen=True)
class Wheel:
    """A file of the package index. `size` is in bytes."""

    name: str
    url: str
    size: int
    sha256: str


def find_uv() -> str | None:
    """The path of uv: the one of this environment, or that of the machine."""
    try:
        from uv import find_uv_bin

        return str(find_uv_bin())
    except (ImportError, OSError):
        return shutil.which("uv")


def needs() -> str:
    """What pip looks for when it installs the course: one requirement a line, that which builds it included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return "\n".join([*project["project"]["dependencies"], *project["build-system"]["requires"]])


def resolve(uv: str, pair: Pair) -> list[Wheel] | str:
    """The wheels of a pair, or why there are none for it. Raises Problem when the package index cannot be asked."""
    done = _uv([uv, "pip", "compile", "-", "--format", "pylock.toml", "--no-header", "--no-annotate"], pair)
    if done.returncode == NO_SOLUTION:
        return _reason(done.stderr)
    if done.returncode:
        raise Problem(_("The package index could not be asked: {reason}").format(reason=_reason(done.stderr)))
    return [_wheel(package) for package in tomllib.loads(done.stdout)["packages"]]


def prove(uv: str, pair: Pair, folder: Path) -> str:
    """Resolve again, with nothing but what lies in a folder: "" when that is enough, else what uv says."""
    command = [uv, "pip", "install", "--dry-run", "--no-config", "--no-index", "--find-links", str(folder)]
    with tempfile.TemporaryDirectory() as empty:  # as if nothing were installed
        done = _uv([*command, "--python", sys.executable, "--target", empty, "-r", "-"], pair, own=False)
    return _reason(done.stderr) if done.returncode else ""


def have(wheel: Wheel, folder: Path) -> bool:
    """Whether the file is there, whole."""
    file = folder / wheel.name
    if not file.is_file():
        return False
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() == wheel.sha256


def fetch(wheels: Iterable[Wheel], folder: Path) -> Iterator[int]:
    """Download wheels one by one, and yield the bytes of each piece. Raises Problem; what is whole by then stays."""
    try:
        client = httpx2.Client(follow_redirects=True, timeout=60)
    except (OSError, ValueError) as error:  # a certificate file that is none, a proxy that is none
        raise Problem(_("Nothing can be downloaded: {reason}").format(reason=error)) from error
    with client:
        for wheel in wheels:
            part = folder / f"{wheel.name}.part"
            sha256 = hashlib.sha256()
            with part.open("wb") as file:
                for piece in _pieces(client, wheel):
                    sha256.update(piece)
                    file.write(piece)
                    yield len(piece)
            if sha256.hexdigest() != wheel.sha256:
                part.unlink()
                raise Problem(
                    _("{name} is not what the package index promised; it is not kept.").format(name=wheel.name)
                )
            part.replace(folder / wheel.name)


def _pieces(client: httpx2.Client, wheel: Wheel) -> Iterator[bytes]:
    try:
        with client.stream("GET", wheel.url) as answer:
            answer.raise_for_status()
            yield from answer.iter_bytes()
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise Problem(_("{name} could not be downloaded: {reason}").format(name=wheel.name, reason=reason)) from error


def _wheel(package: dict[str, Any]) -> Wheel:
    """A package of pylock.toml (PEP 751). uv names one wheel for each when it resolves for one system and Python."""
    (wheel,) = package["wheels"]
    name = unquote(urlsplit(wheel["url"]).path.rpartition("/")[2])
    return Wheel(name, wheel["url"], wheel["size"], wheel["hashes"]["sha256"])


def _uv(command: list[str], pair: Pair, own: bool = True) -> subprocess.CompletedProcess[str]:
    """Run uv for a pair. It knows mirrors and certificates from its settings; not `own` leaves them out."""
    env = {name: value for name, value in os.environ.items() if own or not name.startswith("UV_")}
    # The system's certificates, as pip takes them: uv once called them native.
    env |= {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}
    env |= {"UV_PYTHON_DOWNLOADS": "never", "MACOSX_DEPLOYMENT_TARGET": MACOS, "NO_COLOR": "1"}
    command += ["--python-platform", SYSTEMS[pair.system], "--python-version", pair.python]
    return subprocess.run(
        [*command, "--only-binary", ":all:"],
        input=needs(),
        cwd=ROOT,
        env=env,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
    )


def _reason(words: str) -> str:
    """uv's reason in one line: the innermost cause, or the error itself."""
    lines = [line.strip() for line in words.splitlines()]
    for mark in ("cause:", "error:"):
        found = [line.removeprefix(mark).strip() for line in lines if line.startswith(mark)]
        if found:
            return found[-1]
    return lines[-1] if lines else "uv"
