"""What pages are made of, so that languages can be compared."""

import re

from course.site import DOCS, LANGUAGES
from course.site.fences import fences
from course.site.translations import front_matter, names

TRANSLATIONS = LANGUAGES[1:]
PAGES = names(LANGUAGES[0])
GENERATED = (
    "include", "changes", "output", "edit", "player", "playground", "exercises", "facts", "lessons", "errors",
    "glossary", "table", "text-file", "other-models", "plan", "teach", "section", "messages", "commands", "course",
    "first-errors", "unchanged", "tree",
)  # fmt: skip


ASKED = re.compile(r'((?:course run|python agents/)[^`\n"]*)"([^"\n]+)"')  # `course run s04 "Am I free?"`


def read(language, name):
    return (DOCS / language / name).read_text(encoding="utf-8")


def body(text):
    """The page without its front matter."""
    head = front_matter(text)
    return text[len(head) + 8 :] if head else text


def prose(text):
    """The page without front matter and fenced blocks."""
    lines = body(text).splitlines()
    for fence in reversed(list(fences(body(text)))):
        del lines[fence.first : fence.last + 1]
    return "\n".join(lines) + "\n"


def words(text):
    """The page's own words: no code, no addresses, no tags."""
    text = re.sub(r"`[^`\n]+`", "` `", prose(text))
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"<[^>]*>|\{[^}\n]*\}|https?://\S+", " ", text)


def headings(text):
    """Level and anchor of each heading."""
    return re.findall(r"^(#{1,6}) .*?(?:\{ *#([\w-]+)[^}]*\})?$", prose(text), re.MULTILINE)


def generated(text):
    """Blocks made by course/site, with all that they say."""
    return [(fence.info, fence.body) for fence in fences(body(text)) if fence.info in GENERATED]


def code_blocks(text):
    """Other blocks: language and code, without comments and the prompts of commands, which are translated."""
    blocks = [(f.info, f.indent, ASKED.sub(r'\1"..."', f.body)) for f in fences(body(text)) if f.info not in GENERATED]
    return [
        (info, indent, [re.sub(r"(^|\s)#.*", "", line).rstrip() for line in code.splitlines()])
        for info, indent, code in blocks
        if not info.startswith("text")  # drawings and output in words
    ] + [("text", indent, len(code.splitlines())) for info, indent, code in blocks if info.startswith("text")]


def prompts(text):
    """What the page's commands ask."""
    return [prompt for _, prompt in ASKED.findall(body(text))]


def links(text):
    """Where links and pictures point, in order of name: word order differs between languages."""
    return sorted(re.findall(r"\]\(([^)\s]+)", prose(text)))


def admonitions(text):
    """Kind and indentation of each callout, answer and tab."""
    return re.findall(r"^( *)(!!!|\?\?\?\+?|===) (\w*)", prose(text), re.MULTILINE)


def lists(text):
    """How many items each numbered list has, by indentation."""
    return re.findall(r"^( *)(\d+)\. ", prose(text), re.MULTILINE)


def tables(text):
    """How many columns each row of each table has."""
    return [line.count("|") for line in prose(text).splitlines() if line.lstrip().startswith("|")]


def drawings(text):
    """The tags of drawings, without the words in them."""
    svgs = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    return [re.findall(r"<(/?\w+)", svg) for svg in svgs]


def inline_code(text):
    """API words and names that the page mentions, each once."""
    return set(re.findall(r"`([A-Za-z_][\w.]*)`", prose(text)))


RIGHT = {"en": "**Right.**", "zh": "**对。**", "de": "**Richtig.**"}
WRONG = {"en": "**No.**", "zh": "**不对。**", "de": "**Nein.**"}


def quiz(text, language):
    """The answers of the quiz in order: "right", "wrong", or what an answer begins with when it is neither."""
    found = re.findall(r'^\?\?\? question "(\w)\. [^\n]*"\n\n    (\S+)', prose(text), re.MULTILINE)
    kinds = {RIGHT[language]: "right", WRONG[language]: "wrong"}
    return [(letter, next((kinds[mark] for mark in kinds if start.startswith(mark)), start)) for letter, start in found]
