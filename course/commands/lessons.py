"""`course lessons`, and bare `course`: the lessons, with what each takes and costs."""

import argparse
import unicodedata

from .. import i18n
from ..lessons import LESSONS

_ = i18n.translator("course")


def HELP() -> str:
    return _("list the lessons")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def run(args: argparse.Namespace) -> int:
    titles = [lesson.title[i18n.language()] for lesson in LESSONS]
    wide = max(map(_columns, titles))
    for lesson, title in zip(LESSONS, titles, strict=True):
        padding = " " * (wide - _columns(title))
        usd = i18n.number(f"{lesson.cost_usd:.2f}")
        cost = _("{minutes} min, with a key about {usd} USD").format(minutes=lesson.minutes, usd=usd)
        print(f"{lesson.id}  {title}{padding}  {cost}")
    print()
    print(
        _("Run one: `course run {id}`. It needs no API key. Other commands: `course --help`.").format(id=LESSONS[0].id)
    )
    return 0


def _columns(text: str) -> int:
    """How many columns of a terminal the text takes: a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
