"""Find fenced blocks in Markdown and replace those that ask for generated content.

A page asks for generated content with a fence whose info string is a kind, and whose body says what:

    ```include
    agents/s01_agent_loop.py agent_loop
    ```
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from course.site import SiteError

# Stands for ' in an option that holds both kinds of quotes, as a fence knows no escapes; `plain` puts it back.
QUOTE = "\ue000"
OPENING = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]*)$")


@dataclass(frozen=True)
class Fence:
    """A fenced block: `first` and `last` are the line numbers (from 0) of its opening and its closing line."""

    indent: str
    info: str
    body: str
    first: int
    last: int


def fences(markdown: str) -> Iterator[Fence]:
    """Every fenced block of a page. Raises SiteError for one that is never closed."""
    lines = markdown.splitlines()
    number = 0
    while number < len(lines):
        opening = OPENING.match(lines[number])
        number += 1
        if not opening:
            continue
        indent, fence, first = opening["indent"], opening["fence"], number - 1
        closing = re.compile(rf"^ *{re.escape(fence[0])}{{{len(fence)},}} *$")
        while number < len(lines) and not closing.match(lines[number]):
            number += 1
        if number == len(lines):
            raise SiteError(f"the block that begins in line {first + 1} ({lines[first].strip()}) is never closed")
        body = "\n".join(line.removeprefix(indent) for line in lines[first + 1 : number])
        yield Fence(indent, opening["info"].strip(), body, first, number)
        number += 1


def replace(markdown: str, kinds: dict[str, Callable[[str], str]]) -> str:
    """Replace each fence whose info is one of `kinds` by what its function makes of the body, equally indented."""
    lines = markdown.splitlines()
    for fence in reversed(list(fences(markdown))):
        if fence.info in kinds:
            try:
                made = kinds[fence.info](fence.body)
            except SiteError as error:
                raise SiteError(f"```{fence.info} in line {fence.first + 1} of the text: {error}") from error
            lines[fence.first : fence.last + 1] = [fence.indent + line if line else "" for line in made.splitlines()]
    return "\n".join(lines) + "\n"


def code(text: str, language: str = "text", **options: str) -> str:
    """A fenced code block, its fence longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    extra = "".join(f" {name}={_quoted(value)}" for name, value in options.items() if value)
    return f"{fence}{language}{extra}\n{text}\n{fence}"


def _quoted(value: str) -> str:
    mark = "'" if '"' in value else '"'
    return mark + value.replace(mark, QUOTE) + mark


def plain(html: str) -> str:
    """The HTML of a page with its quotes put back."""
    return html.replace(QUOTE, "&#x27;")
