"""A section of one page, shown on another: the words have one source."""

import posixpath
import re

from course.site import DOCS, SiteError


def section(page: str, anchor: str, language: str) -> str:
    """The Markdown under the heading with this anchor, without the heading, for a page at the top of the docs folder.

    `page` is a path below the language's folder ("lessons/s01.md"). Raises SiteError when there is no such section.
    """
    file = DOCS / language / page
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    heading = re.search(rf"^(#+) [^\n]*\{{ *#{re.escape(anchor)}\b[^\n]*\n", text, re.MULTILINE)
    if not heading:
        raise SiteError(f"docs/{language}/{page} has no section `{anchor}`")
    rest = text[heading.end() :]
    end = re.search(rf"^#{{1,{len(heading[1])}}} [^\n]*\{{ *#", rest, re.MULTILINE)
    body = rest[: end.start()] if end else rest
    return re.sub(r"\]\((?!https?:)([^)#]*)", lambda link: f"]({_seen_from_top(page, link[1])}", body).strip() + "\n"


def _seen_from_top(page: str, target: str) -> str:
    """Where a link of `page` points, as a page at the top names it. An empty target is the page itself."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), target)) if target else page


def section_fence(body: str, language: str) -> str:
    """Turn the body of a `section` fence, `stop-reasons.md table`, into that section."""
    page, _, anchor = body.strip().partition(" ")
    return section(page, anchor.strip(), language)
