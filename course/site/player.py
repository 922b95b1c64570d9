"""The place of the player on a lesson page. Empty until there is a trace to play."""

from course.site import DOCS
from course.site.labels import label
from course.site.outputs import output_fence

TRACES = DOCS / "assets" / "traces"


def player_fence(body: str, language: str) -> str:
    """`<course-player>` for a trace by name; inside it, for readers without JavaScript, what the run printed."""
    name = body.strip()
    if not (TRACES / f"{name}.json").is_file():
        return ""
    note = label(language, "player_needs_script")
    return (
        f'<course-player trace="{name}.json" lang="{language}" markdown="1">\n\n{note}\n\n'
        f"{output_fence(name, language)}\n\n</course-player>"
    )
