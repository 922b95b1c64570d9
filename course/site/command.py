"""What the command `course` says, on pages: its list of commands, and what one of them prints."""

import contextlib
import io
import shlex

from course import cli, i18n
from course.site import SiteError
from course.site.fences import code
from course.site.labels import label


def commands_fence(body: str, language: str) -> str:
    """Every command with its line of help, in the language of the page."""
    with i18n.speaking(language):
        lines = [(name, cli.load(name).HELP()) for name in cli.command_names()]
    heads = [label(language, "sheet_command"), label(language, "sheet_does")]
    rows = [f"| `course {name}` | {help} |" for name, help in lines]
    return "\n".join([f"| {' | '.join(heads)} |", "|---|---|", *rows])


def course_fence(body: str, language: str) -> str:
    """What `course` prints in the language of the page when it is given these words: `budget --people 40`.

    It runs whenever the page is built, so it is for commands that print the same on every machine. Raises SiteError
    when the command fails.
    """
    printed = io.StringIO()
    with i18n.speaking(language), contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            status: int | str | None = cli.main(shlex.split(body))
        except SystemExit as stop:
            status = stop.code
    if status:
        raise SiteError(f"`course {body.strip()}` fails: {printed.getvalue().strip()}")
    return code(printed.getvalue().rstrip(), "text", title=f"course {body.strip()}")
