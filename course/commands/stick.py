"""`course stick`: fill a USB stick with all that a room without a network needs. For whoever runs a workshop.

stick.json says what is on it. It is written first with `complete` false, and last with true, so that a run that was cut
goes on: what is there and whole is kept.
"""

import argparse
import datetime
import importlib.util
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import console, i18n
from ..stick import ARCHIVE, READMES, SITE, WHEELS, Problem

if TYPE_CHECKING:
    from ..stick.wheels import Pair, Wheel

_ = i18n.translator("stick")

STATE = "stick.json"
AT_ONCE = 4  # pairs that are resolved side by side: most of it is waiting for the package index
BAR = 30  # characters


def HELP() -> str:
    return _("fill a USB stick for a room without a network")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from ..stick.wheels import PYTHONS, SYSTEMS

    parser.add_argument("folder", type=Path, metavar="FOLDER", help=_("the stick, or any folder"))
    parser.add_argument(
        "--systems",
        default=",".join(SYSTEMS),
        metavar="A,B",
        help=_("for which systems; by default {all}").format(all=", ".join(SYSTEMS)),
    )
    parser.add_argument(
        "--pythons",
        default=",".join(PYTHONS),
        metavar="A,B",
        help=_("for which Pythons; by default {all}").format(all=", ".join(PYTHONS)),
    )


def run(args: argparse.Namespace) -> int:
    from ..site import ROOT
    from ..stick import wheels

    for asked, known in ((args.systems, wheels.SYSTEMS), (args.pythons, wheels.PYTHONS)):
        for name in asked.split(","):
            if name not in known:
                return console.problem(
                    _("{name} is not known here; known are {names}.").format(name=name or "?", names=", ".join(known))
                )
    pairs = [wheels.Pair(system, python) for system in args.systems.split(",") for python in args.pythons.split(",")]
    if not (ROOT / "mkdocs.yml").is_file():
        return console.problem(
            _("`course stick` packs the repository, and this is not one: {folder}").format(folder=ROOT)
        )
    try:
        fill(args.folder, pairs)
    except Problem as problem:
        console.problem(str(problem))
    except OSError as error:
        reason = error.strerror or error
        console.problem(
            _("{file} cannot be written or read: {reason}").format(file=error.filename or args.folder, reason=reason)
        )
    else:
        return 0
    if (args.folder / STATE).is_file():
        print(_("The same command goes on from here."), file=sys.stderr)
    return 1


def fill(stick: Path, pairs: list["Pair"]) -> None:
    """Fill the folder. Raises Problem or OSError; the same command then goes on."""
    from ..stick import contents
    from ..stick.wheels import prove

    prepare(stick)
    uv = tools()
    found, missing = resolve(pairs, uv)
    write_state(stick, complete=False)
    (stick / WHEELS).mkdir(exist_ok=True)
    wheels = {wheel.name: wheel for each in found.values() for wheel in each}

    contents.write_readmes(stick)
    contents.pack(stick)
    print(_("The course: {file}").format(file=ARCHIVE))
    if left := contents.uncommitted():
        print(_("Changes that git has not committed are not in it; files concerned: {count}").format(count=left))
    print(_("The pages: {folder} ...").format(folder=SITE), flush=True)
    contents.build_site(stick)
    download(list(wheels.values()), stick / WHEELS)

    for pair in found:
        if reason := prove(uv, pair, stick / WHEELS):
            raise Problem(_("What was downloaded is not enough for {pair}: {reason}").format(pair=pair, reason=reason))
    print(_("Resolved again with nothing but the stick: {count} of {count}").format(count=len(found)))
    write_state(
        stick,
        complete=True,
        made=datetime.date.today().isoformat(),
        pairs=[{"system": pair.system, "python": pair.python} for pair in found],
        missing=[{"system": pair.system, "python": pair.python, "reason": missing[pair]} for pair in missing],
        wheels={name: {"size": wheel.size, "sha256": wheel.sha256} for name, wheel in wheels.items()},
    )
    size = sum(file.stat().st_size for name in own_names() for file in files(stick / name))
    print(
        _("Complete: {size} MB. What learners type is in {readme}.").format(
            size=megabytes(size), readme=", ".join(READMES.values())
        )
    )


def own_names() -> list[str]:
    return [ARCHIVE, SITE, WHEELS, STATE, *READMES.values()]


def prepare(stick: Path) -> None:
    """Make sure that there is a folder, and that nothing of somebody else's in it is overwritten."""
    if stick.exists() and not stick.is_dir():
        raise Problem(_("{folder} is a file; name a folder.").format(folder=stick))
    foreign = [name for name in own_names() if (stick / name).exists()]
    if foreign and STATE not in foreign:
        raise Problem(
            _("{folder} holds {name}, which `course stick` has not put there; name another folder.").format(
                folder=stick, name=foreign[0]
            )
        )
    stick.mkdir(parents=True, exist_ok=True)


def tools() -> str:
    """The path of uv. Raises Problem when it is missing, or what builds the site is."""
    from ..stick.wheels import find_uv

    uv = find_uv()
    if uv is None or not all(map(importlib.util.find_spec, ("material", "mkdocs_static_i18n", "pathspec"))):
        raise Problem(
            _("`course stick` also needs uv and what builds the site: {command}").format(
                command="python -m pip install uv -r requirements.txt"
            )
        )
    return uv


def write_state(stick: Path, **state: Any) -> None:
    (stick / STATE).write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")


def resolve(pairs: list["Pair"], uv: str) -> tuple[dict["Pair", list["Wheel"]], dict["Pair", str]]:
    """The wheels of each pair, and of those that have none the reason. Raises Problem when none has any."""
    from ..stick.wheels import resolve as one

    found, missing = {}, {}
    pool = ThreadPoolExecutor(AT_ONCE)
    try:
        for pair, answer in zip(pairs, pool.map(lambda pair: one(uv, pair), pairs), strict=True):
            if isinstance(answer, str):
                missing[pair] = answer
                print(_("{pair}: not on the stick. {reason}").format(pair=pair, reason=answer), flush=True)
            else:
                found[pair] = answer
                print(_("{pair}: packages: {count}").format(pair=pair, count=len(answer)), flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
    if not found:
        raise Problem(_("There are no packages for any of these systems and Pythons."))
    return found, missing


def download(wheels: list["Wheel"], folder: Path) -> None:
    """Fetch what is not there yet, and remove what belongs to no pair."""
    from ..stick.wheels import fetch, have

    names = {wheel.name for wheel in wheels}
    for file in folder.iterdir():
        if file.name not in names and file.suffix in (".whl", ".part"):
            file.unlink()
    rest = [wheel for wheel in wheels if not have(wheel, folder)]
    wanted = sum(wheel.size for wheel in rest)
    free = shutil.disk_usage(folder).free
    if wanted > free:
        raise Problem(
            _("{folder} has room for {free} MB, and {wanted} MB are missing.").format(
                folder=folder, free=megabytes(free), wanted=megabytes(wanted)
            )
        )
    print(
        _("The packages: files: {count}, already there: {there}").format(
            count=len(wheels), there=len(wheels) - len(rest)
        )
    )
    show(fetch(rest, folder), wanted)


def show(pieces: Iterable[int], wanted: int) -> None:
    """Take the pieces, of so many bytes each; where there is a terminal, draw a bar as they come."""
    done, line, terminal = 0, "", sys.stdout.isatty()
    for piece in pieces:
        done += piece
        if terminal and line != (line := bar(done, wanted)):
            print(f"\r{line}", end="", flush=True)
    if wanted:
        print("" if terminal else bar(done, wanted))


def bar(done: int, wanted: int) -> str:
    filled = BAR * done // wanted
    return _("[{bar}] {done} of {wanted} MB").format(
        bar="#" * filled + "." * (BAR - filled), done=megabytes(done), wanted=megabytes(wanted)
    )


def megabytes(size: int) -> str:
    return i18n.number(f"{size / 1e6:.1f}")


def files(place: Path) -> Iterator[Path]:
    return (file for file in place.rglob("*") if file.is_file()) if place.is_dir() else iter((place,))
