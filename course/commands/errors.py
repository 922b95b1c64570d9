"""`course errors ID`: what the page of errors says about one refusal, without the site."""

import argparse
import difflib

from .. import console, i18n
from ..site.labels import label
from ..standin.rules import catalogue, hints

_ = i18n.translator("course")


def HELP() -> str:
    return _("explain an error of the API: the mistake behind it and the cure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="?", help=_("the error's name, as the hint line gives it; without it, all names"))


def run(args: argparse.Namespace) -> int:
    entries = catalogue.entries()
    if args.rule is None:
        print("\n".join(entries))
        return 0
    if args.rule not in entries:
        return console.problem(_unknown(args.rule, list(entries)))
    language = i18n.language()
    entry, advice = entries[args.rule], hints.advice(language)[args.rule]
    colon = "：" if language == "zh" else ": "
    print(label(language, "api_says", status=entry["status"], type=entry["type"]))
    print(f"  {entry['message']}")
    print()
    for part, heading in (("mistake", "means"), ("cure", "cure")):
        print(f"{label(language, heading)}{colon}{advice[part]}")
    print(label(language, f"confidence_{entry['confidence']}"))
    if entry["enforce"] is not True:  # a string stands for a fault
        print(label(language, "only_asked" if entry["enforce"] == "fault" else "not_enforced"))
    print()
    page = hints.link(args.rule, language)
    if page.startswith(hints.DEFAULT_SITE):
        print(_("The page, while `make docs` runs: {page}").format(page=page))
    else:
        print(_("The page: {page}").format(page=page))
    return 0


def _unknown(name: str, names: list[str]) -> str:
    near = difflib.get_close_matches(name, names, n=1)
    if near:
        return _("There is no error {name}; did you mean `course errors {near}`?").format(name=name, near=near[0])
    return _("There is no error {name}; `course errors` lists their names.").format(name=name)
