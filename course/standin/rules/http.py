"""Rules for what stands around the body: key, version, betas, size, JSON; and for a model that does not exist."""

import json
import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from course.standin.rules.request import Request, Values

MAX_BODY = 32 * 1024 * 1024  # bytes; https://platform.claude.com/docs/en/api/errors#request-size-limits
VERSIONS = frozenset({"2023-01-01", "2023-06-01", "2026-10-21"})  # https://platform.claude.com/docs/en/api/versioning
MAX_DEPTH = 200  # levels of lists and objects in a body. The API has a limit too, which is not known here

Headers = Mapping[str, str]


def request_too_large(headers: Headers, body: bytes) -> Values | None:
    """A body over 32 MB: something in front of the API stops it. Usually files sent as base64 again and again in a
    history.

    Documented: https://platform.claude.com/docs/en/api/errors#request-size-limits
    """
    return {} if len(body) > MAX_BODY else None


def no_api_key(headers: Headers, body: bytes) -> Values | None:
    """A request without a key, in x-api-key or as `Authorization: Bearer`. Usually a variable that is not set, or
    empty.
    """
    if headers.get("x-api-key", "").strip():
        return None
    return None if _without_bearer(headers.get("authorization", "")) else {}


def bad_api_key(headers: Headers, body: bytes) -> Values | None:
    """A key that is not valid. The stand-in takes any key, except one that contains "wrong", to play with. Usually
    a key that was revoked or copied in part.

    Seen: https://github.com/eyaltoledano/claude-task-master/issues/222, https://github.com/Jeffser/Alpaca/issues/727
    """
    if "wrong" in headers.get("x-api-key", ""):
        return {}
    return {"variant": "bearer"} if "wrong" in headers.get("authorization", "") else None


def no_version(headers: Headers, body: bytes) -> Values | None:
    """A request without anthropic-version: the API must know which one to speak. Usually hand-made HTTP; SDKs send
    it.
    """
    return None if headers.get("anthropic-version", "").strip() else {}


def bad_version(headers: Headers, body: bytes) -> Values | None:
    """An anthropic-version that does not exist. Usually a date made up, or the header set twice.

    Seen: https://github.com/directus-labs/extensions/issues/285
    """
    version = headers["anthropic-version"]
    return None if version in VERSIONS or version.strip() in VERSIONS else {"version": version}


def invalid_beta(headers: Headers, body: bytes) -> Values | None:
    """A name in anthropic-beta that the API does not know, or knows no longer. Usually a misspelt or a very old name.

    Which names there are is not published: a dated name passes unless betas.toml has it as refused. Documented:
    https://platform.claude.com/docs/en/api/beta-headers
    """
    header = headers.get("anthropic-beta")
    if not header:
        return None
    unknown = [name for name in map(str.strip, header.split(",")) if name and not _passes(name)]
    return {"name": "`, `".join(unknown)} if unknown else None


def body_not_json(text: str | None, error: Exception) -> Values:
    """A body that is no JSON: broken off, a trailing comma, NaN, half an emoji (a lone surrogate). Usually JSON put
    together by hand, or a text cut in the middle of a character.

    Seen: https://github.com/anthropics/claude-code/issues/60394
    """
    place = getattr(error, "pos", 0)
    if text is None:
        detail = "invalid UTF-8"
    elif not text.strip():
        detail = "Input is a zero-length, empty document"
    elif isinstance(error, _LoneSurrogate):
        detail = str(error)
    elif isinstance(error, RecursionError):
        detail = "Recursion limit reached"
    elif place >= len(text.rstrip()):
        detail = "unexpected end of data"
    elif getattr(error, "msg", "").startswith("Invalid control character"):
        detail = "control character (\\u0000-\\u001F) found while parsing a string"
    elif getattr(error, "msg", "").startswith("Extra data"):
        detail = "unexpected content after document"
    else:
        detail = "unexpected character"
    line = 1 + (text or "").count("\n", 0, place)
    column = place - (text or "").rfind("\n", 0, place)
    return {"detail": f"{detail}: line {line} column {column} (char {place})"}


def body_not_object(value: Any) -> Values | None:
    """A body that is valid JSON but no object. Usually the list of messages sent alone."""
    return None if type(value) is dict else {}


def model_not_found(request: Request) -> Values | None:
    """A model that does not exist, or no longer: the answer is a 404, with the name. Usually a typing mistake, or a
    program that outlived its model.

    Documented: https://platform.claude.com/docs/en/api/errors
    """
    return {"model": request.body["model"]} if request.model is None else None


def read_json(text: str) -> Any:
    """The value of a JSON text, as strictly as the API reads it. Raises ValueError or RecursionError."""
    try:
        # Most bodies have no blanks around their object, and need no search for them.
        value, end = _DECODER.scan_once(text, 0)  # type: ignore[attr-defined]
    except StopIteration:
        end = -1
    if end != len(text):
        value = _DECODER.decode(text)
    if "\\u" in text:
        _refuse_lone_surrogates(text)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _refuse_depth(value)
    return value


def _refuse_depth(value: Any) -> None:
    level = [value] if type(value) in (dict, list) else []
    for _ in range(MAX_DEPTH + 1):
        level = [
            item
            for part in level
            for item in (part.values() if type(part) is dict else part)
            if type(item) is dict or type(item) is list
        ]
        if not level:
            return
    raise RecursionError


class _LoneSurrogate(ValueError):
    def __init__(self, message: str, pos: int) -> None:
        super().__init__(message)
        self.pos = pos


def _no_constant(name: str) -> Any:
    raise ValueError(name)  # NaN, Infinity: Python's extensions of JSON


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("number out of range")
    return value


_DECODER = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def _refuse_lone_surrogates(text: str) -> None:
    """Half a pair of \\uD83D\\uDE00 alone is no character."""
    if not _SURROGATE.search(text):
        return
    high_ends = -1
    for escape in _ESCAPE.finditer(text):
        if high_ends >= 0 and escape.start() != high_ends:
            raise _LoneSurrogate("no low surrogate in string", high_ends)
        code = int(escape[1], 16) if escape[1] else 0
        if 0xDC00 <= code <= 0xDFFF:
            if high_ends < 0:
                raise _LoneSurrogate("invalid low surrogate in string", escape.start())
            high_ends = -1
        elif high_ends >= 0:
            raise _LoneSurrogate("no low surrogate in string", high_ends)
        elif 0xD800 <= code <= 0xDBFF:
            high_ends = escape.end()
    if high_ends >= 0:
        raise _LoneSurrogate("no low surrogate in string", high_ends)


def _without_bearer(authorization: str) -> str:
    return (authorization[7:] if authorization[:7].lower() == "bearer " else authorization).strip()


_DATED = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*-20\d\d-[01]\d-[0-3]\d")


def _passes(beta: str) -> bool:
    lists = _betas()
    return beta not in lists["refused"] and bool(_DATED.fullmatch(beta) or beta in lists["undated"])


@cache
def _betas() -> dict[str, list[str]]:
    with Path(__file__).with_name("betas.toml").open("rb") as file:
        return tomllib.load(file)
