"""`course translations`: which pages of the site are no longer what the English page says. For contributors."""

import argparse

from .. import console, i18n
from ..site import LANGUAGES, translations

_ = i18n.translator("site")


def HELP() -> str:
    return _("list the pages whose translation is out of date")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "pages",
        nargs="*",
        metavar="PAGE",
        help=_("a page, as in {example}; all pages if none is named").format(example="zh/lessons/s01.md"),
    )
    parser.add_argument(
        "--stamp", action="store_true", help=_("note that these translations were reviewed against the English page")
    )


def run(args: argparse.Namespace) -> int:
    survey = translations.survey()
    known = {f"{page.language}/{page.name}": page for page in survey}
    wanted = [name.replace("\\", "/").removeprefix("docs/") for name in args.pages]
    for name in wanted:
        if name not in known:
            return console.problem(
                _("There is no page {name}. Name it by language and path, as in {example}.").format(
                    name=name, example=f"{LANGUAGES[1]}/index.md"
                )
            )
    chosen = [known[name] for name in wanted] or survey
    if args.stamp:
        for page in chosen:
            if page.state == "stale":
                translations.stamp(page.language, page.name)
                print(_("stamped: {name}").format(name=f"docs/{page.language}/{page.name}"))
        chosen = [page for page in chosen if page.state not in ("stale", "current")]
    words = {
        "stale": _("the English page has changed since"),
        "missing": _("not translated yet"),
        "extra": _("has no English page"),
    }
    rest = [page for page in chosen if page.state != "current"]
    for page in rest:
        print(f"docs/{page.language}/{page.name}: {words[page.state]}")
    if not rest and not args.stamp:
        print(_("All translations are up to date."))
    return 1 if rest else 0
