"""What is on the stick besides the packages: the repository as a ZIP, the site, and a README in each language."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

from .. import i18n
from ..site import ROOT
from . import ARCHIVE, FOLDER, READMES, SITE, Problem

_ = i18n.translator("stick")

HERE = Path(__file__).parent


def pack(stick: Path, root: Path = ROOT) -> None:
    """Write the repository's ZIP: what is committed, or without git every file that .gitignore does not name."""
    archive = stick / ARCHIVE
    if not has_git(root):
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
            for file in _files(root, leave_out=stick.resolve()):
                packed.write(file, f"{FOLDER}/{file.relative_to(root).as_posix()}")
        return
    _run(["git", "archive", "--format=zip", f"--prefix={FOLDER}/", f"--output={archive}", "HEAD"], root)


def has_git(root: Path = ROOT) -> bool:
    return (root / ".git").exists() and shutil.which("git") is not None


def uncommitted(root: Path = ROOT) -> int:
    """How many files git would commit that it has not, and that the ZIP therefore holds as they were, or not at all."""
    return len(_run(["git", "status", "--porcelain"], root).splitlines()) if has_git(root) else 0


def build_site(stick: Path) -> None:
    """Build the pages in three languages. They are no one's public address, so that they name none."""
    env = os.environ | {"SITE_URL": "", "NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"}
    _run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(stick / SITE)], ROOT, env)


def write_readmes(stick: Path) -> None:
    """Copy the READMEs as Windows' Notepad and a browser show them rightly: CRLF, and a byte order mark."""
    for language, name in READMES.items():
        text = (HERE / f"README.{language}.txt").read_text(encoding="utf-8")
        (stick / name).write_text(text, encoding="utf-8-sig", newline="\r\n")


def _files(root: Path, leave_out: Path) -> Iterator[Path]:
    """The files that .gitignore does not name. Keys are in .env, which it does name."""
    from pathspec import GitIgnoreSpec

    ignored = GitIgnoreSpec.from_lines([*(root / ".gitignore").read_text(encoding="utf-8").splitlines(), ".git"])
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        folders[:] = sorted(
            name
            for name in folders
            if here / name != leave_out and not ignored.match_file(f"{(here / name).relative_to(root).as_posix()}/")
        )
        yield from (
            here / name for name in sorted(files) if not ignored.match_file((here / name).relative_to(root).as_posix())
        )


def _run(command: list[str], cwd: Path, env: dict[str, str] | None = None) -> str:
    """What a program prints. Raises Problem with its last line when it fails."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise Problem(
            _("`{command}` failed: {reason}").format(
                command=" ".join(command[2:4] if command[1] == "-m" else command[:2]),
                reason=lines[-1].strip() if lines else done.returncode,
            )
        )
    return done.stdout
