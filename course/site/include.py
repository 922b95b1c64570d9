"""Code included by name: the scripts are the only source of code on a page."""

import io
import re
import tokenize

from course.site import ROOT, SiteError
from course.site.fences import code, fences
from course.site.source import find

LANGUAGES = {"mjs": "js", "sh": "sh"}  # by the ending of a file; all others are Python


def include(body: str) -> str:
    """Turn the body of an `include` fence into a code block.

    Line 1 is a path and, unless the whole file is meant, a part (see `source.find`). Further lines, any number of them:
    `highlight: TEXT` marks the one line that holds TEXT, `highlight: TEXT ... TEXT` all from one line to another, and
    `note: TEXT` ties the next item of the numbered list under the block to that line.
    """
    first, *options = body.splitlines() or [""]
    path, _, part = first.strip().partition(" ")
    lines = read(path, part.strip()).splitlines()
    language = LANGUAGES.get(path.rpartition(".")[2], "python")
    if language != "python":  # notes and highlights are for our own scripts
        return code("\n".join(lines), language, title=path)
    commented = {token.start[0] - 1 for token in _tokens(lines) if token.type == tokenize.COMMENT}
    highlighted: list[str] = []
    notes = 0
    for option in options:
        kind, _, text = option.partition(":")
        text = text.strip()
        if kind == "highlight":
            start, _, end = text.partition(" ... ")
            highlighted.append(f"{line_with(lines, start) + 1}-{line_with(lines, end or start) + 1}")
        elif kind == "note":
            notes += 1
            number = line_with(lines, text)
            if any(token.start[0] <= number + 1 < token.end[0] for token in _tokens(lines)):
                raise SiteError(f"`{text}` is inside a string of several lines, where no note can stand")
            # "!" makes Material hide the comment itself: right for one that is there for the note only.
            lines[number] += f" ({notes})" if number in commented else f"  # ({notes})!"
        elif option.strip():
            raise SiteError(f"`{option}` is neither `highlight: …` nor `note: …`")
    return code("\n".join(lines), "python", title=path, hl_lines=" ".join(highlighted))


def table_fence(body: str, language: str) -> str:
    """A table that a program wrote: `doubles` is docs/assets/doubles.en.txt, .zh.txt, .de.txt."""
    return read(f"docs/assets/{body.strip()}.{language}.txt")


def text_fence(body: str, language: str) -> str:
    """A text file as it is: `course/stick/README` is course/stick/README.en.txt, .zh.txt, .de.txt."""
    return code(read(f"{body.strip()}.{language}.txt"), "text")


def check_notes(markdown: str) -> None:
    """Raise SiteError unless each `include` with n notes has a numbered list of n items straight below it."""
    lines = markdown.splitlines()
    for fence in fences(markdown):
        asked = sum(line.startswith("note:") for line in fence.body.splitlines())
        if fence.info != "include" or not asked:
            continue
        given = 0
        for line in lines[fence.last + 1 :]:
            text = line.removeprefix(fence.indent)
            if re.match(r"\d+\. ", text):
                given += 1
            elif text and not text.startswith("   "):
                break
        if given != asked:
            raise SiteError(
                f"```include in line {fence.first + 1} of the text has {asked} notes, and the numbered list below it "
                f"has {given} items; they must be as many"
            )


def read(path: str, part: str = "") -> str:
    """The text of a file of the repository or of one part of it. Raises SiteError for what is not there."""
    file = (ROOT / path).resolve()
    if not path or not file.is_relative_to(ROOT) or not file.is_file():
        raise SiteError(f"there is no file `{path}` in the repository")
    text = file.read_text(encoding="utf-8")
    return find(text, part) if part else text.rstrip("\n")


def _tokens(lines: list[str]) -> list[tokenize.TokenInfo]:
    return list(tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline))


def line_with(lines: list[str], text: str) -> int:
    """The number, from 0, of the one line that holds `text`. Raises SiteError for none or several."""
    hits = [number for number, line in enumerate(lines) if text in line]
    if len(hits) == 1 and text:
        return hits[0]
    raise SiteError(f"`{text}` is in {len(hits)} lines of the included code; it must be in exactly one")
