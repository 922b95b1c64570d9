"""`course replay FILE`: a recorded run, told again in text."""

import argparse
import sys
from pathlib import Path

from .. import console, i18n

_ = i18n.translator("trace")


def HELP() -> str:
    return _("tell a recorded run again (see `course run --trace`)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help=_("what `course run --trace` wrote"))
    parser.add_argument("--lines", action="store_true", help=_("show each line of the script that was executed, too"))


def run(args: argparse.Namespace) -> int:
    from ..trace import files, story

    try:
        trace = files.load(args.file)
    except ValueError as error:
        return console.problem(str(error))
    for line in story.tell(trace, colour=console.colour(sys.stdout), lines=args.lines):
        print(line)
    return 0
