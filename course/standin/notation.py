"""Replies as text: calls that a reader types as a prompt, and what Claude says in a test. The only parser for both.

    get_weather(city='Oslo') get_weather(city='Berlin')   two calls in one reply
    get_weather({"city": "Oslo"})                         the input as the lessons print it
    "I will look." get_weather(city='Oslo')               a text before a call
    "Cold in both."                                       a text alone ends the turn
    get_weather(city='Oslo'); "Cold."                     ; or a new line begins the next reply

and, where the caller says which faults there are (a test, not a prompt):

    "The answer is" max_tokens                            a stop reason of its own
    ""                                                    an empty reply
    529                                                   an error by its status; 400 "with words of its own"
    "Cold." cut                                           a fault by its name (`course run --fault list`)
    {"type": "thinking", "thinking": "Hm.", "signature": "x"}     any block, as JSON

Blank lines and what follows a # are left out. Inside brackets a line may end. Full-width brackets and commas count as
plain ones, and so do typographic quotes. Values are JSON's (True, False and None may be written as in Python); nothing
is evaluated.

`read` gives one Line a reply:

    content      blocks, in order: {"type": "text", "text": str}, {"type": "tool_use", "name": str, "input": dict}, or
                 what a JSON block said; empty for ""
    stop_reason  as written, else "tool_use" where there is a call and "end_turn" where there is none
    status       400 to 599 for an error (its words, if any, are the text in `content`), else None
    fault        the name of a fault that happens to this reply, else None
    number       the line of the text that it began on, from 1
"""

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

Block = dict[str, Any]

# anthropic/types/stop_reason.py and types/beta/beta_stop_reason.py of SDK 2.14.
STOP_REASONS = (
    "end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal", "model_context_window_exceeded",
    "compaction",
)  # fmt: skip
_FIELDS: dict[str, dict[str, type]] = {"text": {"text": str}, "tool_use": {"name": str, "input": dict}}
MOST_PROMPT = 100_000  # characters; a server reads prompts of anybody
MOST_REPLIES = 10_000_000
DEEPEST = 50  # lists and objects inside one another

_PLAIN = str.maketrans("（）［］｛｝，、；：＝＃", "()[]{},,;:=#")  # one for one, so places stay what they are
# What ends a text, by what begins it. In a text with plain quotes all others are letters like any.
_CLOSING = {'"': '"', "'": "'", "「": "」", "『": "』"}
for _kind in ('“”„‟＂"', "‘’‚‛＇'", "«»"):
    _CLOSING |= {_quote: _kind for _quote in _kind if _quote not in "\"'"}
_QUOTES = re.escape("".join(_CLOSING))
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"} | {c: c for c in "\\/\"'"}
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")

_BEGINS = re.compile(rf"\s*(?:[\w.-]+[(（]|[#＃{_QUOTES}])")
_NAME = re.compile(r"[\w.-]+")
_CALL = re.compile(r"([\w.-]+)\(")
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?(?=[\s,)\]};#]|$)")
_BARE = re.compile(rf"[^,()\[\]{{}}=;\n{_QUOTES}]*")
_GAP = re.compile(r"(?:[^\S\n]|#[^\n]*)*")  # what may stand between the parts of a reply
_WIDE_GAP = re.compile(r"(?:\s|#[^\n]*)*")  # and inside brackets
_BETWEEN = re.compile(r"(?:[\s,;]|#[^\n]*)*")  # and between replies
_CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}


@dataclass(slots=True)
class Line:
    """One reply; the module's docstring says what each field holds."""

    content: list[Block] = field(default_factory=list)
    stop_reason: str = "end_turn"
    status: int | None = None
    fault: str | None = None
    number: int = field(default=0, compare=False)

    @property
    def calls(self) -> bool:
        """Whether it asks for a tool."""
        return any(block["type"] == "tool_use" for block in self.content)

    @property
    def text(self) -> str:
        """Its texts, joined."""
        return "".join(block["text"] for block in self.content if block["type"] == "text")


class NotationError(ValueError):
    """A slip. `code` names a sentence of notation.toml, `values` what it fills in; `line` and `column` count from 1."""

    def __init__(self, code: str, line: int, column: int, **values: object) -> None:
        super().__init__(code)
        self.code, self.line, self.column, self.values = code, line, column, values

    def say(self, language: str = "en") -> str:
        """Where it is and what was expected, in a sentence. `language`: "en", "zh" or "de"."""
        texts = _texts()
        where = texts["where"][language].format(line=self.line, column=self.column)
        return where + texts[self.code][language].format(**self.values)

    __str__ = say


@cache
def _texts() -> dict[str, dict[str, str]]:
    import tomllib  # for those who slip, as below

    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def read(text: str, faults: Collection[str] | None = None) -> list[Line]:
    """The replies in a text.

    Args:
        faults: names of faults that may stand in it, with stop reasons, statuses and JSON blocks. None: a prompt, where
            calls and texts may stand and nothing else.

    Raises:
        NotationError: the first slip.
    """
    reader = _Reader(text, faults)
    most = MOST_PROMPT if faults is None else MOST_REPLIES
    if len(text) > most:
        reader.fail("long", most=most)
    return reader.replies()


def looks_like_calls(prompt: str, names: Collection[str]) -> bool:
    """Whether a prompt is meant as calls: it begins with the name of an offered tool and a bracket, maybe after texts.

    A name that nobody offered counts if the whole prompt can be read. A prompt that is nothing but a text is none.
    """
    if not _BEGINS.match(prompt):
        return False
    try:
        begins = _Reader(prompt, None).first_call()
        return begins in names or begins is not None and bool(read(prompt))
    except NotationError:
        return False


def write(lines: Iterable[Line]) -> str:
    """Replies as text, one a line: `read` gives them back.

    Raises:
        ValueError: an input holds what is no JSON.
    """
    return "".join(_written(line) + "\n" for line in lines)


class _Reader:
    """Reads from `at` on. `plain` is `text` with plain brackets, of the same length."""

    def __init__(self, text: str, faults: Collection[str] | None) -> None:
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.plain = self.text.translate(_PLAIN)
        self.faults = faults
        self.at = 0
        self.open: list[tuple[str, int]] = []  # brackets that have not closed, and where they are

    # --- replies and what they are made of ---

    def replies(self) -> list[Line]:
        found = []
        number, before = 1, 0
        while self.at < len(self.plain):
            if self.peek() in "\n;":
                self.at += 1
                continue
            number, before = number + self.text.count("\n", before, self.at), self.at
            if line := self.reply(number):
                found.append(line)
        return found

    def reply(self, number: int) -> Line | None:
        """What stands before the next ; or the end of the line; None for nothing."""
        line = Line(number=number)
        reason: str | None = None
        some = False
        while self.gap(_GAP) not in "\n;":
            if self.peek() == ",":
                self.at += 1
                continue
            some, begin = True, self.at
            if self.peek() in _CLOSING:
                if text := self.string():
                    line.content.append({"type": "text", "text": text})
            elif call := _CALL.match(self.plain, self.at):
                self.at += len(call[1])
                line.content.append({"type": "tool_use", "name": call[1], "input": self.arguments(call[1])})
            elif self.faults is not None and self.peek() == "{":
                line.content.append(self.block())
            elif self.faults is not None and (word := _NAME.match(self.plain, self.at)):
                if reason or line.status or line.fault:
                    self.fail("two", word=word[0])
                reason = self.word(line, word[0])
                self.at = word.end()
            else:
                self.fail("item" if self.faults is None else "reply", found=self.found())
            if line.status and any(block["type"] != "text" for block in line.content):
                self.at = begin
                self.fail("status_alone", status=line.status)
        line.stop_reason = reason or ("tool_use" if line.calls else "end_turn")
        return line if some else None

    def first_call(self) -> str | None:
        """The name in the call that comes first, if nothing but texts is before it."""
        while self.gap(_BETWEEN) in _CLOSING:
            self.string()
        call = _CALL.match(self.plain, self.at)
        return call[1] if call else None

    def word(self, line: Line, word: str) -> str | None:
        """Take a word into the line; returns a stop reason."""
        faults = self.faults or ()
        if word.isdecimal():
            if not 400 <= (status := int(word[:9])) <= 599:
                self.fail("status", word=word[:9])
            line.status = status
        elif word in STOP_REASONS:
            return word
        elif word in faults:
            line.fault = word
        else:
            import difflib

            near = difflib.get_close_matches(word[:40], [*STOP_REASONS, *faults], n=1, cutoff=0.75)
            self.fail("near" if near else "word", word=word[:40], near="".join(near))
        return None

    def block(self) -> Block:
        begin = self.at
        block = self.members()
        kind = block.get("type")
        end, self.at = self.at, begin
        if not isinstance(kind, str):
            self.fail("type")
        for name, expected in _FIELDS.get(kind, {}).items():
            if not isinstance(block.get(name), expected):
                self.fail("field", type=kind, name=name)
        self.at = end
        return block

    # --- calls and values ---

    def arguments(self, call: str) -> dict[str, Any]:
        """The input of a call, from its opening bracket to behind the closing one."""
        given: dict[str, Any] = {}
        self.enter(f"{call}(")
        if self.inside() == "{":
            given = self.members()
            if self.inside() != ")":
                self.fail("bracket", bracket=")", found=self.found())
        while self.inside() != ")":
            start = self.at
            key = _NAME.match(self.plain, start)
            self.at = key.end() if key else start
            if key is None or self.gap(_WIDE_GAP) != "=":
                self.unnamed(call, start)
            if key[0] in given:
                self.at = start
                self.fail("twice", name=key[0][:40])
            self.at += 1
            given[key[0]] = self.value()
            self.comma(")")
        self.leave()
        return given

    def unnamed(self, call: str, start: int) -> NoReturn:
        """Say what is wrong with what should have been name=value."""
        key, follows = self.text[start : self.at], self.peek()
        if key and follows == ":":
            self.fail("equals", name=key[:40])
        self.at = start
        if self.peek() in _CLOSING:
            value = self.string()
        elif not (value := self.bare()):
            self.fail("argument", found=self.found())
        self.at = start
        self.fail("unnamed", call=call[:40], value=_quoted(value[:40]))

    def value(self) -> Any:
        """A JSON value."""
        first = self.inside()
        if first in _CLOSING:
            return self.string()
        if first == "{":
            return self.members()
        if first == "[":
            return self.items()
        if number := _NUMBER.match(self.plain, self.at):
            value = self.number(number)
            self.at = number.end()
            return value
        word = self.bare()
        if word in _CONSTANTS:
            self.at += len(word)
            return _CONSTANTS[word]
        if word and self.plain[self.at + len(word) : self.at + len(word) + 1] not in tuple("([{\"'"):
            self.fail("unquoted", word=_quoted(word[:40]))
        self.fail("value", found=self.found())

    def bare(self) -> str:
        """The words here that stand in no quotes."""
        found = _BARE.match(self.plain, self.at)
        return self.text[self.at : found.end()].strip() if found else ""

    def number(self, match: re.Match[str]) -> int | float:
        try:
            value: int | float = float(match[0]) if match[1] or match[2] else int(match[0])
        except ValueError:  # more digits than Python reads
            value = float("inf")
        if value in (float("inf"), float("-inf")):
            self.fail("number")
        return value

    def members(self) -> dict[str, Any]:
        self.enter("{")
        given: dict[str, Any] = {}
        while self.inside() != "}":
            start = self.at
            if self.peek() not in _CLOSING:
                self.fail("key", found=self.found())
            key = self.string()
            if self.inside() != ":":
                self.fail("colon", name=key[:40])
            if key in given:
                self.at = start
                self.fail("twice", name=key[:40])
            self.at += 1
            given[key] = self.value()
            self.comma("}")
        self.leave()
        return given

    def items(self) -> list[Any]:
        self.enter("[")
        given = []
        while self.inside() != "]":
            given.append(self.value())
            self.comma("]")
        self.leave()
        return given

    def enter(self, name: str) -> None:
        """Pass an opening bracket."""
        if len(self.open) > DEEPEST:
            self.fail("deep", most=DEEPEST)
        self.open.append((name, self.at))
        self.at += 1

    def leave(self) -> None:
        """Pass a closing bracket."""
        self.open.pop()
        self.at += 1

    def inside(self) -> str:
        """The next character inside brackets; an error at the end of the text."""
        follows = self.gap(_WIDE_GAP)
        if self.at == len(self.plain):
            name, self.at = self.open[-1]
            self.fail("open", name=name[:40])
        return follows

    def comma(self, bracket: str) -> None:
        """Pass a comma, or see the closing bracket."""
        follows = self.inside()
        if follows == ",":
            self.at += 1
        elif follows != bracket:
            self.fail("comma", bracket=bracket, found=self.found())

    def string(self) -> str:
        """The text whose opening quote is here."""
        found = _until(_CLOSING[self.text[self.at]]).match(self.text, self.at + 1)
        if found is None:
            self.fail("quote")
        self.at = found.end()
        text = _ESCAPE.sub(_unescaped, found[1]) if "\\" in found[1] else found[1]
        return _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)

    # --- places ---

    def peek(self) -> str:
        """The character here; at the end a line break, as if there were one more line."""
        return self.plain[self.at] if self.at < len(self.plain) else "\n"

    def gap(self, pattern: re.Pattern[str]) -> str:
        """Pass over blanks and comments; returns the character after them."""
        if skipped := pattern.match(self.plain, self.at):
            self.at = skipped.end()
        return self.peek()

    def found(self) -> str:
        """What stands here, to be shown."""
        return self.text[self.at : self.at + 30].partition("\n")[0].strip() or "\\n"

    def fail(self, code: str, **values: object) -> NoReturn:
        line = self.text.count("\n", 0, self.at) + 1
        column = self.at - self.text.rfind("\n", 0, self.at)
        raise NotationError(code, line, column, **values)


@cache
def _until(closing: str) -> re.Pattern[str]:
    """What a text holds that one of these quotes ends, on one line."""
    closing = re.escape(closing)
    return re.compile(rf"([^{closing}\\\n]*(?:\\.[^{closing}\\\n]*)*)[{closing}]")


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1] or escape[2] or escape[3]
    return chr(int(code, 16)) if code else _ESCAPED.get(escape[4], escape[0])


def _quoted(word: str) -> str:
    return f'"{word}"' if "'" in word else f"'{word}'"


def _written(line: Line) -> str:
    items = [] if line.status is None else [str(line.status)]
    items += map(_item, line.content)
    if line.fault:
        items.append(line.fault)
    elif line.stop_reason != ("tool_use" if line.calls else "end_turn"):
        items.append(line.stop_reason)
    return " ".join(items) or '""'


def _item(block: Block) -> str:
    if block.keys() == {"type", "text"} and block["type"] == "text" and block["text"]:
        return _json(block["text"])
    if block.keys() == {"type", "name", "input"} and block["type"] == "tool_use" and _NAME.fullmatch(block["name"]):
        given = block["input"]
        if all(map(_NAME.fullmatch, given)):
            return f"{block['name']}({', '.join(f'{key}={_json(value)}' for key, value in given.items())})"
        return f"{block['name']}({_json(given)})"
    return _json(block)


def _json(value: Any) -> str:
    """JSON on one line, in any encoding: letters stay readable, lone surrogates are escaped."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):04x}", text)
