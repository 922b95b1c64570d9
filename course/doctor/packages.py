"""Are the packages there, new enough, and not hidden by a file or folder of the same name?"""

import importlib.metadata
import json
import os
from collections.abc import Iterator
from pathlib import Path

from .. import i18n
from . import Finding, child
from .environment import way_in

_ = i18n.translator("doctor")

DISTRIBUTION = "agent-loop-course"
PACKAGE = Path(__file__).parent.parent
AGENTS = PACKAGE.parent / "agents"

# Prints where an import would come from, without importing: {"course": "/…/course/__init__.py", …}
FIND = """
import importlib.util, json
origins = {}
for name in ("course", "anthropic"):
    spec = importlib.util.find_spec(name)
    origins[name] = spec and (spec.origin or list(spec.submodule_search_locations)[0])
print(json.dumps(origins))
"""


def NAME() -> str:
    return _("packages")


def check() -> Iterator[Finding]:
    problems = list(dict.fromkeys([*_versions(), *_shadows()]))
    if problems:
        yield from problems
    else:
        shown = ("anthropic", "python-dotenv", "uvicorn")
        yield Finding("ok", ", ".join(f"{name} {importlib.metadata.version(name)}" for name in shown))


def _versions() -> Iterator[Finding]:
    install = way_in()
    try:
        requirements = importlib.metadata.requires(DISTRIBUTION) or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("fail", _("the course itself is not installed in this Python"), install)
        return
    from packaging.requirements import Requirement  # of the course's own packages: it may be missing, too

    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            version = importlib.metadata.version(requirement.name)
        except importlib.metadata.PackageNotFoundError:
            yield Finding("fail", _("{package} is missing").format(package=requirement.name), install)
            continue
        if not requirement.specifier.contains(version, prereleases=True):
            yield Finding(
                "fail",
                _("{package} is {version}; the lessons need {needed}").format(
                    package=requirement.name, version=version, needed=requirement.specifier
                ),
                install,
            )


def _shadows() -> Iterator[Finding]:
    """A script sees its own folder first, then PYTHONPATH: look from the lessons' folder and from here."""
    for folder in {AGENTS, Path.cwd()}:
        # Python 3.11 on: a child started with -c has its working folder first on its path.
        answer = child.run("-c", FIND, seconds=60, folder=folder)
        try:
            origins = json.loads(answer.out if answer else "")
        except ValueError:
            last = answer.last if answer else "?"
            yield Finding("fail", _("Python cannot look for packages: {error}").format(error=last), "")
            return
        for name, expected in (("course", PACKAGE), ("anthropic", _installed("anthropic"))):
            origin = Path(origins[name]) if origins[name] else None
            if origin is None or _hidden(name, origin, expected, folder):
                yield _shadowed(name, origin)


def _installed(name: str) -> Path | None:
    """The folder into which pip put a package."""
    try:
        folder = Path(str(importlib.metadata.distribution(name).locate_file(name)))
    except importlib.metadata.PackageNotFoundError:
        return None
    return folder if folder.is_dir() else None


def _hidden(name: str, origin: Path, expected: Path | None, folder: Path) -> bool:
    if expected:
        return os.path.normcase(origin.parent.resolve()) != os.path.normcase(expected.resolve())
    return folder in (origin.parent, origin.parent.parent)


def _shadowed(name: str, origin: Path | None) -> Finding:
    if origin is None:
        return Finding(
            "fail",
            _("`import {name}` finds nothing").format(name=name),
            way_in(),
        )
    path = origin.parent if origin.name == "__init__.py" else origin
    return Finding(
        "fail",
        _("`import {name}` finds {path}, which is not the one meant").format(name=name, path=path),
        _("Give {path} another name, or take its folder out of PYTHONPATH.").format(path=path),
    )
