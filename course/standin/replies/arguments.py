"""The arguments of a tool, read from texts by what they are called and of which kind they are."""

import re
from functools import lru_cache, partial
from typing import Any

from course.standin.talk import Talk

from . import schema, slots, when
from .words import CHINESE, READ, Words, alternatives, apart, look, pattern, table

MOST_SOURCES = 20
DEEPEST = 4


def slot(name: str) -> str:
    """What an argument of this name takes: "address", "date", "sum", ... or ""."""
    return next((kind for kind in table("texts")["slots"] if look("texts", kind).search(apart(name))), "")


def takes_sql(tool: dict[str, Any]) -> bool:
    """Whether it says of itself that it takes SQL."""
    return "SQL" in f"{tool.get('description')} {tool['input_schema'].get('properties')}"


def read(tool: dict[str, Any], words: Words, talk: Talk) -> dict[str, Any] | None:
    """The input that a prompt spells out; None if something required is missing or in doubt."""
    root = tool["input_schema"]
    known = {name: schema.first(about, root) for name, about in schema.properties(root).items()}
    converted = measure(tool, words)
    free = [name for name, about in known.items() if _is_free(name, about)]
    numbers = [name for name, about in known.items() if schema.kind_of(about) in ("integer", "number")]
    given: dict[str, Any] = {}
    for name, about in known.items():
        if name in converted:
            found = [converted[name]]
        elif free == [name]:
            found = _spelled_out(words, takes_sql(tool))
        elif name in numbers and len(numbers) > 1:  # of several numbers, the one before its name
            found = [_number(match[0]) for match in words.take(look("texts", "figure"), partial(_before, name))]
        else:
            found = _values(name, about, words, talk)
        if len(found) > 1:
            return None
        value = schema.fit(found[0], about, root, name) if found else schema.NOTHING
        if value is not schema.NOTHING:
            given[name] = value
        elif name in schema.required(root):
            return None
    return given


def measure(tool: dict[str, Any], words: Words) -> dict[str, Any]:
    """The arguments of a tool that converts, from "100 euros to dollars": an amount, of what, into what."""
    root = tool["input_schema"]
    known = {name: schema.first(about, root) for name, about in schema.properties(root).items()}
    numbers = [name for name, about in known.items() if schema.kind_of(about) in ("integer", "number")]
    units = [name for name in known if slot(name) in ("currency", "unit")]
    units.sort(key=lambda name: bool(look("texts", "into").search(name)))
    if len(numbers) != 1 or len(units) != 2 or look("texts", "into").search(units[0]):
        return {}
    choices = [_choices(name, known[name]) for name in units]
    one, two = ("|".join(_named(str(choice)).pattern for choice in each) or r"[^\W\d]+" for each in choices)
    figure, joint = (look("texts", name).pattern for name in ("figure", "converts"))
    looked = re.compile(rf"(?P<n>{figure})\s?(?P<one>{one})\s?(?:{joint})\s?(?P<two>{two})", re.I | re.X)
    if len(found := words.take(looked)) != 1:
        return {}
    said = [
        next((c for c in each if _named(str(c)).fullmatch(found[0][g])), found[0][g])
        for each, g in zip(choices, ("one", "two"), strict=True)
    ]
    return dict(zip([numbers[0], *units], [_number(found[0]["n"]), *said], strict=True))


def _before(name: str, figure: re.Match[str]) -> bool:
    """Whether the name of an argument, in any form, stands behind a figure: "6 sides"."""
    return figure.string[figure.end() :].lstrip(" -").lower().startswith(name[:3].lower())


def _number(figure: str) -> float:
    return float(figure.replace(",", "."))


def _is_free(name: str, about: dict[str, Any]) -> bool:
    """Whether an argument takes any text."""
    return schema.kind_of(about) in ("string", "") and not slot(name) and not _choices(name, about)


def _choices(name: str, about: dict[str, Any]) -> list[Any]:
    """What an argument can be, if that is known."""
    return about["enum"] if isinstance(about.get("enum"), list) else list(table("texts")["values"].get(slot(name), {}))


@lru_cache(maxsize=256)
def _named(choice: str) -> re.Pattern[str]:
    """The pattern for all that people call a choice: "EUR", "euros"."""
    rows = [[key, *names.split()] for kind in table("texts")["values"].values() for key, names in kind.items()]
    others = [name for row in rows if choice.lower() in map(str.lower, row) for name in row]
    names = alternatives([choice, *(name for name in others if len(name) > 2 or CHINESE.match(name))])
    return re.compile(rf"{names}|\b{re.escape(choice)}\b", re.I)


def _spelled_out(words: Words, sql: bool) -> list[str]:
    """The text that a prompt gives: in quotation marks, behind a colon, or a statement in SQL."""
    if sql:
        return [match[0] for match in words.take(look("texts", "statement"))]
    if found := words.quoted():
        return found
    behind = look("texts", "behind_colon")
    return [
        match["text"].strip()
        for match in words.take(behind, lambda match: not look("texts", "second").search(match[0]))
    ]


def _values(name: str, about: dict[str, Any], words: Words, talk: Talk) -> list[Any]:
    """What a text says for an argument, marked as read."""
    if choices := _choices(name, about):
        return [choice for choice in choices if words.take(_named(str(choice)))]
    kind, takes = schema.kind_of(about), slot(name)
    if kind in ("integer", "number"):
        return [_number(match[0]) for match in words.take(look("texts", "figure"))]
    if kind not in ("string", ""):
        return []
    if takes == "sum":
        return [match[0].strip() for match in words.take(look("texts", "calculation"))]
    if takes == "address":
        return [match[0].rstrip(".") for match in words.take(look("words", "address"))]
    if takes == "date":
        return list(when.read(words, when.today_in(talk.system)).days)
    if takes == "id":
        return [match[0] for match in words.take(look("texts", "code"))]
    if takes == "file":
        return list(slots.files(words))
    return list(slots.places(words)) if takes == "place" else list(words.quoted())


# --- for a call, or a form, that is demanded whatever the prompt says -------------------------------------------------


def fill(root: dict[str, Any], talk: Talk) -> dict[str, Any]:
    """An input that satisfies a schema: what can be read in the prompt, in results and in prompts before; samples."""
    sources = [talk.prompt, *(call.result or "" for call in talk.calls)]
    for turn in reversed(talk.earlier):
        sources += [turn.prompt, *(call.result or "" for call in turn.calls)]
    given = _object(root, root, [source for source in sources if source][:MOST_SOURCES], talk, 0)
    needed = schema.required(root)
    if not given and len(needed) == 1 and talk.prompt:
        about = schema.properties(root).get(needed[0], {})
        if schema.kind_of(schema.first(about, root)) == "string":
            value = schema.fit(talk.prompt[:500], about, root)
            given = {} if value is schema.NOTHING else {needed[0]: value}
    filled = schema.complete(given, root)
    known = schema.properties(root)
    filled = {name: filled[name] for name in [*known, *filled] if name in filled}  # in the schema's order
    return filled if schema.valid(filled, root, root) else schema.sample(root, root)


def _object(about: Any, root: dict[str, Any], sources: list[str], talk: Talk, depth: int) -> dict[str, Any]:
    given: dict[str, Any] = {}
    used: dict[str, Words] = {source: Words(source) for source in sources}
    for name, one in schema.properties_of(schema.resolve(about, root)).items():
        for words in used.values():
            found = _loosely(name, schema.first(one, root), words, root, talk, depth)
            value = schema.fit(found, one, root, name)
            if value is not schema.NOTHING:
                given[name] = value
                break
    return given


def _loosely(name: str, about: dict[str, Any], words: Words, root: dict[str, Any], talk: Talk, depth: int) -> Any:
    """A value for an argument, or NOTHING: a list of objects has one for each clause."""
    kind = schema.kind_of(about)
    if depth > DEEPEST:
        return schema.NOTHING
    if kind == "object":
        return _object(about, root, [words.text], talk, depth + 1) or schema.NOTHING
    if kind == "array":
        item = schema.first(about.get("items", {}), root)
        if schema.kind_of(item) != "object":
            return _values(name, item, words, talk) or schema.NOTHING
        parts = look("texts", "clauses").split(words.text)[:50]
        made = [_object(item, root, [part], talk, depth + 1) for part in parts if part]
        return [one for one in made if one] or schema.NOTHING
    found = _values(name, about, words, talk)
    if not found and kind == "string" and slot(name) == "name":
        names = words.take(look("texts", "capitalised"), lambda match: not _ordinary(match))
        found = [match[0] for match in names]
    return found[0] if found else schema.NOTHING


def _ordinary(match: re.Match[str]) -> bool:
    """Whether a capitalised word is none of a name: one that begins a sentence is followed by a verb or a comma."""
    word, behind = match[0], match.string[match.end() :]
    if match.start() == 0 and not look("texts", "behind_name").match(behind):
        return True
    known = table("words")
    words = {one for several in (*known["languages"].values(), *known["fillers"].values()) for one in several.split()}
    return word.lower().split()[0] in words or bool(pattern("texts", "ordinary").fullmatch(word)) or READ in word
