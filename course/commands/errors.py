"""`course errors NAME`, `course errors "MESSAGE"`: what the page of errors says about a refusal, without the site."""

import argparse
import difflib
from typing import Any

from .. import console, i18n
from ..site.labels import label
from ..standin.rules import catalogue, hints, lookup

_ = i18n.translator("course")


def HELP() -> str:
    return _("explain an error of the API: the mistake behind it and the cure")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "error",
        nargs="*",
        help=_("the error's name, as the hint line gives it, or its message as it was printed; without it, all names"),
    )


def run(args: argparse.Namespace) -> int:
    entries = catalogue.entries()
    asked = " ".join(args.error).strip()
    if not asked:
        print("\n".join(entries))
        return 0
    if asked in entries:
        _explain([entries[asked]], catalogue.sentences(entries[asked]))
        return 0
    if found := lookup.find(asked):
        _explain([sentence.entry for sentence in found], [found[0].template])
        return 0
    if near := lookup.nearest(asked) if " " in asked else None:
        print(_("No error has this message. The nearest one:"))
        print()
        _explain([near.entry], [near.template])
        return 0
    return console.problem(_unknown(asked, list(entries)))


def _explain(entries: list[dict[str, Any]], sentences: list[str]) -> None:
    """Print the API's sentences, and what is known of each mistake that they stand for."""
    language = i18n.language()
    first = entries[0]
    print(label(language, "api_says", status=first["status"], type=first["type"]))
    for sentence in sentences:
        print(f"  {sentence}")
    if len(entries) > 1:
        print()
        print(_("It says so for {count} mistakes:").format(count=len(entries)))
    colon = "：" if language == "zh" else ": "
    for entry in entries:
        advice = hints.advice(language)[entry["id"]]
        print()
        if len(entries) > 1:
            print(entry["id"])
        for part, heading in (("mistake", "means"), ("cure", "cure")):
            print(f"{label(language, heading)}{colon}{advice[part]}")
        print(label(language, f"confidence_{entry['confidence']}"))
        if entry["enforce"] is not True:  # a string stands for a fault
            print(label(language, "only_asked" if entry["enforce"] == "fault" else "not_enforced"))
    print()
    page = hints.link(first["id"], language)
    if page.startswith(hints.DEFAULT_SITE):
        print(_("The page, while `make docs` runs: {page}").format(page=page))
    else:
        print(_("The page: {page}").format(page=page))


def _unknown(asked: str, names: list[str]) -> str:
    if " " in asked:
        return _("No error has this message, nor one like it; `course errors` lists the names of all.")
    near = difflib.get_close_matches(asked, names, n=1)
    if near:
        return _("There is no error {name}; did you mean `course errors {near}`?").format(name=asked, near=near[0])
    return _("There is no error {name}; `course errors` lists their names.").format(name=asked)
