"""Which translated page was made from which English text: `source:` in its front matter holds a hash of that text."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from course.site import DOCS, LANGUAGES

SOURCE = re.compile(r"^source: *(\S*) *\n", re.MULTILINE)
# Front matter that the site does not show, and a repository's web view does: that the code is missing there.
READING = re.compile(r"^reading: .*\n", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A translated page. `name`: its path below the language's folder; `state`: current, stale, missing or extra."""

    language: str
    name: str
    state: str


def names(language: str, docs: Path = DOCS) -> list[str]:
    """The pages of a language, as paths below its folder."""
    folder = docs / language
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.md"))


def fingerprint(name: str, docs: Path = DOCS) -> str:
    """Twelve hexadecimal digits of the SHA-256 of the English page, without what it says to readers of its source."""
    text = (docs / LANGUAGES[0] / name).read_text(encoding="utf-8")  # universal newlines: the same on Windows
    text = READING.sub("", text)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def survey(docs: Path = DOCS) -> list[Page]:
    """Every translation there is or should be, with its state."""
    english = names(LANGUAGES[0], docs)
    found = []
    for language in LANGUAGES[1:]:
        there = names(language, docs)
        for name in sorted({*english, *there}):
            found.append(Page(language, name, _state(docs, language, name, name in english, name in there)))
    return found


def _state(docs: Path, language: str, name: str, in_english: bool, in_language: bool) -> str:
    if not in_language:
        return "missing"
    if not in_english:
        return "extra"
    stamp = SOURCE.search(front_matter((docs / language / name).read_text(encoding="utf-8")))
    return "current" if stamp and stamp[1] == fingerprint(name, docs) else "stale"


def front_matter(text: str) -> str:
    """The lines between the first two `---`, "" for a page without them."""
    return text[4 : text.index("\n---\n", 3) + 1] if text.startswith("---\n") and "\n---\n" in text[3:] else ""


def stamp(language: str, name: str, docs: Path = DOCS) -> None:
    """Write the hash of the English page as it is now into a translation that was reviewed against it."""
    file = docs / language / name
    text = file.read_text(encoding="utf-8")
    head = front_matter(text)
    body = text[len(head) + 8 :] if head else text
    head = f"source: {fingerprint(name, docs)}\n{SOURCE.sub('', head)}"
    file.write_text(f"---\n{head}---\n{body}", encoding="utf-8", newline="\n")
