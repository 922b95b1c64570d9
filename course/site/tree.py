"""The lessons as a tree, which goes on from which: on the home page, and for the READMEs (docs/assets/lessons.svg)."""

from html import escape

from course.lessons import LESSONS, Lesson
from course.site.labels import label

STEP_X, STEP_Y, WIDTH, HEIGHT = 70, 40, 50, 28  # of one lesson, in units of the drawing
STYLE = (  # for the file, which no page lends its colours
    "<style>text{font:500 14px sans-serif;fill:#333;text-anchor:middle}.box{fill:#f6f3ec;stroke:#999}"
    ".way{fill:none;stroke:#a0522d;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#eee}.box{fill:#2b2b2b}.way{stroke:#d98a5f}}</style>"
)


def drawing(lessons: list[Lesson], title: str, language: str = "") -> str:
    """An SVG of the lessons and the ways between them. With a language, each is a link for a page at the top.

    A lesson stands right of the last one that it builds on: that from which most others go on stands on its line, the
    rest above.
    """
    parents = {one.id: one.builds_on[-1] if one.builds_on else "" for one in lessons}
    places = _places(parents)
    top = max(row for _, row in places.values())
    at = {id: (column * STEP_X + 2, (top - row) * STEP_Y + 2) for id, (column, row) in places.items()}
    width = max(x for x, _ in at.values()) + WIDTH + 2
    ways = [_way(at[parent], at[id]) for id, parent in parents.items() if parent]
    boxes = [_box(one, *at[one.id], language) for one in lessons]
    role = "group" if language else "img"  # in a page the boxes are links, which an image must not hold
    size = f"0 0 {width} {top * STEP_Y + HEIGHT + 4}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{size}" role="{role}"'
    about = f' aria-labelledby="tree-title"><title id="tree-title">{escape(title)}</title>'
    return "\n".join([head + about, *([] if language else [STYLE]), *ways, *boxes, "</svg>"])


def _places(parents: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Column and row of each lesson; rows are counted from the line of the first one up."""

    def followers(id: str) -> list[str]:
        return [one for one, parent in parents.items() if parent == id]

    def weight(id: str) -> int:
        return 1 + sum(weight(one) for one in followers(id))

    places = {id: (0, 0) for id, parent in parents.items() if not parent}
    for id in parents:
        column, row = places[id]
        *others, on_the_line = sorted(followers(id), key=lambda one: (weight(one), one)) or [""]
        for above, one in enumerate(sorted(others, reverse=True), 1):
            places[one] = (column + 1, row + above)
        if on_the_line:
            places[on_the_line] = (column + 1, row)
    return places


def _way(start: tuple[int, int], end: tuple[int, int]) -> str:
    x, y, half = start[0] + WIDTH, start[1] + HEIGHT // 2, (STEP_X - WIDTH) // 2
    return f'<path class="way" d="M{x} {y}H{x + half}V{end[1] + HEIGHT // 2}H{end[0]}"/>'


def _box(one: Lesson, x: int, y: int, language: str) -> str:
    box = f'<rect class="box" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    text = f'<text x="{x + WIDTH // 2}" y="{y + 19}" text-anchor="middle">{one.id}</text>'
    if not language:
        return box + text
    return f'<a href="lessons/{one.id}/"><title>{escape(one.title[language])}</title>{box}{text}</a>'


def tree_fence(body: str, language: str) -> str:
    """The drawing for the home page."""
    there = [one for one in LESSONS if one.has_page]
    return f'<figure class="drawing">\n{drawing(there, label(language, "tree"), language)}\n</figure>'
