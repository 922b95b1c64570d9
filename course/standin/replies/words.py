"""The words of a prompt, what has been read of them, and what is left; texts and tables in three languages."""

import re
import tomllib
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from course.standin.talk import Talk

READ = "\0"  # stands for a character that a slot has read
MOST = 3000  # characters that are looked at
CHINESE = re.compile(r"[\u4e00-\u9fff]")
WORD = re.compile(r"[^\W\d_\u4e00-\u9fff](?:['’-]?[^\W_\u4e00-\u9fff])*")


def apart(name: str) -> str:
    """A name in code with _ between its words: "startTime" is "start_Time"."""
    return re.sub("(?<=[a-z])(?=[A-Z])", "_", name)


@cache
def table(name: str) -> dict[str, Any]:
    """A TOML file of this folder."""
    return tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of the words: Latin ones stand alone, Chinese ones anywhere; the longest is tried first."""
    ordered = sorted((word.replace("_", " ") for word in words), key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in ordered if not CHINESE.match(word))
    chinese = "|".join(word for word in ordered if CHINESE.match(word))
    # (?-i:...), because a large range takes long to compile without regard to case
    alone = rf"(?<!(?-i:[^\W\d\u4e00-\u9fff]))(?:{latin})(?!(?-i:[^\W\u4e00-\u9fff]))"
    return "|".join(filter(None, (latin and alone, chinese)))


@cache
def pattern(file: str, *path: str) -> re.Pattern[str]:
    """The pattern for a list of words in a TOML file; in three languages at once if the last key is left out."""
    found: Any = table(file)
    for key in path:
        found = found[key]
    words = " ".join(found.values()) if isinstance(found, dict) else found
    return re.compile(alternatives(words.split()), re.IGNORECASE)


@cache
def look(file: str, name: str) -> re.Pattern[str]:
    """A pattern that stands in a TOML file under [patterns], blanks in it passed over; {name} there is another one."""
    known: dict[str, str] = table(file)["patterns"]
    source = known[name]
    while "{" in source and (inner := re.search(r"\{([a-z_]+)\}", source)):
        source = source.replace(inner[0], known[inner[1]])
    return re.compile(source, re.VERBOSE)


@lru_cache(maxsize=2048)  # a conversation is read again for each of its replies
def found_in(looked: re.Pattern[str], text: str) -> tuple[re.Match[str], ...]:
    """Its matches, without empty ones."""
    return tuple(match for match in looked.finditer(text) if match[0])


class Texts:
    """The sentences of a scene, from its TOML file: [texts.name] en, de, zh."""

    def __init__(self, file: str) -> None:
        self.file = file

    def __call__(self, language: str, name: str, /, **values: object) -> str:
        found: str = table(self.file)["texts"][name][language]
        return found.format(**values)


class Words:
    """A prompt that slots read. Each reading marks what it took, so that in the end it shows what nobody understood."""

    def __init__(self, text: str) -> None:
        text = text.replace(READ, " ")
        self.text = text if len(text) <= MOST else f"{text[: MOST // 2]}\n{text[-MOST // 2 :]}"
        self.rest = self.text
        self.hard: list[int] = []  # where something begins that must not be passed over

    def mark(self, start: int, end: int) -> None:
        """Mark these characters as read."""
        self.rest = self.rest[:start] + READ * (end - start) + self.rest[end:]

    def take(self, looked: re.Pattern[str], wanted: Callable[[re.Match[str]], bool] = bool) -> list[re.Match[str]]:
        """All matches in what is left, marked as read."""
        found = [match for match in found_in(looked, self.rest) if wanted(match)]
        for match in found:
            self.mark(*match.span())
        return found

    def has(self, looked: re.Pattern[str]) -> bool:
        """Whether it is in what is left; marked as read."""
        return bool(self.take(looked))

    def quoted(self) -> list[str]:
        """The texts in quotation marks."""
        return [next(filter(None, match.groups())).strip() for match in self.take(look("words", "quoted"))]

    def left(self, *, titles: bool = False) -> list[str]:
        """What nobody has read and nobody may pass over, each with its surroundings; `titles`: other words too."""
        hard = [*found_in(look("words", "hard"), self.rest), *found_in(pattern("words", "hard"), self.rest)]
        places = sorted({match.start() for match in hard} | {at for at in self.hard if self.rest[at] != READ})
        found: list[str] = []
        for place in places:
            end = look("words", "end").search(self.text, place)
            piece = self.text[place : end.start() if end else None].strip()
            if piece and not any(piece in other for other in found):
                found.append(piece)
        return found or (self.pieces() if titles else [])

    def pieces(self) -> list[str]:
        """The words that are left as they stand together, without the fillers around them."""
        parts = re.split(rf"[{READ}]+|[,;!?\n。，；：！？()\"“”„]+|[.:](?!\w)", self.rest)
        return [piece for piece in (_ends().sub("", part) for part in parts) if re.search(r"\w", piece)]


@cache
def _ends() -> re.Pattern[str]:
    fillers = pattern("words", "fillers").pattern
    return re.compile(rf"^(?:\W*(?:{fillers}))*[\W{READ}]*|[\W{READ}]*(?:(?<!-)(?:{fillers})\W*)*$", re.IGNORECASE)


@lru_cache(maxsize=512)
def language_in(text: str) -> str:
    """The language that most of the words are in; "" if they do not say."""
    chinese = len(CHINESE.findall(text))
    found = [word.lower() for word in WORD.findall(text) if len(word) == 1 or not word.isupper()]  # SELECT is code
    if chinese and chinese >= len(found) and not re.search(r"[\u3040-\u30ff\uac00-\ud7af]", text):
        return "zh"
    counts = {name: sum(word in known for word in found) for name, known in _known().items()}
    if re.search("[äöüß]", text):
        counts["de"] += 1
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] else ""


@cache
def _known() -> dict[str, frozenset[str]]:
    both = {name: frozenset(words.split()) for name, words in table("words")["languages"].items()}
    return {"en": both["en"], "de": both["de"]}


def function_words(text: str) -> bool:
    """Whether it holds words that only a sentence needs."""
    return any(word in known for word in text.lower().split() for known in _known().values())


@lru_cache(maxsize=256)
def language_of(*texts: str) -> str:
    """The language of the first text that says which it is in: the prompt, then those before it."""
    return next(filter(None, map(language_in, (text[:2000] for text in texts))), "en")


def spoken_in(talk: Talk) -> str:
    """The language of a conversation: that of its last prompt, or of those before."""
    return language_of(talk.prompt, *(turn.prompt for turn in reversed(talk.earlier)))
