"""The place of the player on a lesson page. Empty until there are a player and a trace to play."""

from course.site import DOCS
from course.site.labels import label
from course.site.outputs import output_fence

TRACES = DOCS / "assets" / "traces"
SCRIPT = DOCS / "assets" / "js" / "player.js"  # defines <course-player>


def player_fence(body: str, language: str) -> str:
    """`<course-player>` for a trace by name; inside it, for readers without JavaScript, what the run printed."""
    name = body.strip()
    if not SCRIPT.is_file() or not (TRACES / f"{name}.json").is_file():
        return ""
    note = label(language, "player_needs_script")
    return (
        f'<course-player trace="{name}.json" lang="{language}" markdown="1">\n\n{note}\n\n'
        f"{output_fence(name, language)}\n\n</course-player>"
    )
