"""The player on a page: for a lesson's trace, or, with an empty body, for a file that the reader opens."""

from markdown import Extension, Markdown

from course.site import DOCS
from course.site.labels import label
from course.site.outputs import output_fence

TRACES = DOCS / "assets" / "traces"


class BlockElement(Extension):
    """Tells Markdown that our elements are blocks, so that they are not put into a paragraph."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        md.block_level_elements.extend(["agent-player", "agent-playground"])


def player_fence(body: str, language: str) -> str:
    """`<agent-player>` (docs/assets/js/player.js) for a trace by name.

    Inside it stands what readers without JavaScript see: what the run prints, unless it is a mistake, whose output
    is on the page already.
    Nothing for a name without a trace.
    """
    name = body.strip()
    if not name:
        return _element("", language, label(language, "player_file_needs_script"))
    if not (TRACES / f"{name}.json").is_file():
        return ""
    own = f"{name}.{language}.json"  # where the prompt is translated
    trace = own if (TRACES / own).is_file() else f"{name}.json"
    attributes = f' id="play-{name}" src="{trace}"'
    if "-" in name:
        return _element(attributes, language, label(language, "player_printed_above"))
    note = label(language, "player_needs_script")
    return _element(attributes, language, f"{note}\n\n{output_fence(name, language)}")


def _element(attributes: str, language: str, fallback: str) -> str:
    return f'<agent-player{attributes} lang="{language}" markdown="block">\n\n{fallback}\n\n</agent-player>'
