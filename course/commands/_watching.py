"""The flags of `course run` and `course serve` that spoil and show what goes over the wire."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .. import i18n

if TYPE_CHECKING:
    from ..standin.notation import Line

_ = i18n.translator("wire")


def add_fault(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fault",
        action=_Fault,
        default=[],
        metavar="NAME[:N]",
        help=_(
            "spoil the first N requests (without :N one, for some faults all); several follow one another; "
            "`--fault list` shows them"
        ),
    )


def add_wire(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wire", action="store_const", const="text", help=_("show each request and reply on stderr, with its cost")
    )
    # A name of its own to argparse, so that `--wire s01` does not take the lesson for the form.
    parser.add_argument(
        "--wire=json", dest="wire", action="store_const", const="json", help=_("the same, as the bodies that were sent")
    )


def add_trace(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trace", type=Path, metavar="FILE", help=_("record the run in this file; `course replay FILE` tells it again")
    )


def add_replies(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--replies", type=_replies, metavar="FILE", help=_("the stand-in says what is in this file, one reply a line")
    )


def add_save_replies(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--save-replies", type=Path, metavar="FILE", help=_("write down what was replied, for --replies and for tests")
    )


def _replies(name: str) -> "list[Line]":
    """The replies in a file."""
    from ..standin.notation import NotationError
    from ..testing.player import read

    try:
        return read(Path(name).read_text(encoding="utf-8"))
    except NotationError as slip:
        reason = slip.say(i18n.language()).rstrip(".。")  # argparse adds one
    except OSError as error:
        reason = error.strerror or str(error)
    except ValueError:  # UnicodeDecodeError
        reason = _("it is not in UTF-8; open it in an editor and save it as UTF-8")
    raise argparse.ArgumentTypeError(f"{name}: {reason}")


class _Fault(argparse.Action):
    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        from ..standin import faults

        if values == "list":
            print(listing())
            parser.exit()
        try:
            faults.parse(str(values))
        except ValueError as error:
            parser.exit(2, f"{parser.prog.partition(' ')[0]}: {error}\n")
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), str(values)])


def listing() -> str:
    """What `--fault list` prints."""
    from ..standin import faults

    texts = faults.descriptions()
    width = max(map(len, texts))
    return "\n".join(f"  {name:{width}}  {text}" for name, text in texts.items())
