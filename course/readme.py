"""`make outputs` (python -m course.readme): what the READMEs show, made anew.

Each marks the places with a comment: `<!-- output: s01 -->` before a code block, `<!-- lessons -->` before a table. The
tree of lessons is a picture of its own, TREE.
"""

import re
from pathlib import Path

from .i18n import number
from .lessons import LESSONS, Lesson
from .site.labels import label
from .site.tree import drawing

ROOT = Path(__file__).parent.parent
OUTPUTS = ROOT / "docs" / "assets" / "outputs"  # written by course.site.outputs, which runs the lessons
TREE = ROOT / "docs" / "assets" / "lessons.svg"
FILES = {"en": "README.md", "zh": "README.zh.md", "de": "README.de.md"}


def main() -> None:
    TREE.write_text(tree(), encoding="utf-8", newline="\n")
    for language, name in FILES.items():
        path = ROOT / name
        text = fill(path.read_text(encoding="utf-8"), output(LESSONS[0], language), language)
        path.write_text(text, encoding="utf-8", newline="\n")


def tree() -> str:
    """The picture of which lesson goes on from which."""
    return drawing([one for one in LESSONS if one.has_page], "The Agent Loop: s01, s02, ...") + "\n"


def output(lesson: Lesson, language: str) -> str:
    """What a reader of this language sees on the terminal after `make s01`, with no key."""
    return (OUTPUTS / f"{lesson.id}.{language}.txt").read_text(encoding="utf-8")


def fill(text: str, shown: str, language: str) -> str:
    """The README with the output and the table of lessons put in."""
    text = re.sub(
        r"(<!-- output: s01 -->\n```text\n).*?(```\n)", lambda m: m[1] + shown + m[2], text, count=1, flags=re.DOTALL
    )
    return re.sub(r"(<!-- lessons -->\n)(?:\|.*\n)*", lambda m: m[1] + table(language) + "\n", text, count=1)


def table(language: str) -> str:
    rows = [label(language, "readme_columns"), "|---|---|---|---:|---:|"]
    for lesson in [one for one in LESSONS if one.has_page]:
        cost = f"{number(f'{lesson.cost_usd:.2f}', language)} {label(language, 'dollars')}"
        link = f"[{lesson.id}](agents/{lesson.file}) {lesson.title[language]}"
        before = ", ".join(lesson.builds_on) or "–"
        rows.append(f"| {link} | {before} | {lesson.idea[language]} | {lesson.minutes} | {cost} |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
