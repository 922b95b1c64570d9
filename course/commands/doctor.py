"""`course doctor`: will the lessons run here, and if not, what helps? One line a finding, one cure each."""

import argparse
import importlib
import json
import sys
from collections.abc import Iterable, Iterator

from .. import console, i18n
from ..doctor import Finding, settings
from ..doctor.environment import way_in

_ = i18n.translator("doctor")

# In this order: what comes later needs what comes before.
CHECKS = (
    "python",
    "environment",
    "packages",
    "console",
    "loopback",
    "loop",
    "credentials",
    "address",
    "network",
    "request",
    "endpoint",
)
COLOURS = {"ok": "32", "warn": "33", "fail": "31"}


def HELP() -> str:
    return _("find out whether the lessons will run here, and what helps if not")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "checks",
        nargs="*",
        default=[],
        metavar="CHECK",
        help=_("only this check: {checks}").format(checks=", ".join(CHECKS)),
    )
    parser.add_argument("--json", action="store_true", help=_("for programs: all findings as JSON"))


def run(args: argparse.Namespace) -> int:
    unknown = [check for check in args.checks if check not in CHECKS]
    if unknown:
        return console.problem(
            _("There is no check {name}; the checks are {names}.").format(name=unknown[0], names=", ".join(CHECKS))
        )
    findings = []
    for check, name, finding in examine(args.checks or CHECKS):
        findings.append({"check": check, "name": name, **vars(finding)})
        if not args.json:
            show(name, finding)
    runs = all(finding["status"] != "fail" for finding in findings)
    if args.json:
        print(json.dumps({"ok": runs, "findings": findings}, ensure_ascii=False, indent=2))
    else:
        print()
        print(_verdict(runs))
    return 0 if runs else 1


def examine(checks: Iterable[str] = CHECKS) -> Iterator[tuple[str, str, Finding]]:
    """(id of the check, its name, a finding) for these checks, as they come. No secret is in any of them."""
    for check in checks:
        name = check
        try:
            module = importlib.import_module(f"course.doctor.{check}")
            name = module.NAME()
            for finding in module.check():
                yield check, name, finding
        except ModuleNotFoundError as error:
            yield check, name, Finding("fail", _("{package} is missing").format(package=error.name), way_in())
        except Exception as error:
            found = _("the check itself failed: {error}").format(
                error=f"{type(error).__name__}: {settings.foreign(error)}"
            )
            yield check, name, Finding("fail", found, _("If nothing above helps, please report this."))


def show(name: str, finding: Finding) -> None:
    words = {"ok": _("ok"), "warn": _("note"), "fail": _("FAIL")}
    word = words[finding.status]
    if console.colour(sys.stdout):
        word = f"\x1b[{COLOURS[finding.status]}m{word}\x1b[0m"
    print(f"{word}  " + _("{name}: {found}").format(name=name, found=console.plain(finding.found)), flush=True)
    if finding.cure:
        print(f"      -> {console.plain(finding.cure)}", flush=True)


def _verdict(runs: bool) -> str:
    if not runs:
        return _("The lessons will not run yet: cure what is marked FAIL, from the top.")
    if settings.access() is None:
        return _("The lessons will run, with the stand-in.")
    if url := settings.endpoint():
        return _("The lessons will run, with what answers at {url}.").format(url=url)
    return _("The lessons will run, with your key.")
