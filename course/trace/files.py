"""Traces on disk: written with one step a line, to see what changed; read with care, for they may be anybody's."""

import json
import os
from pathlib import Path
from typing import Any

from .. import i18n
from . import FORMAT, VERSION, check

_ = i18n.translator("trace")

MAX_BYTES = 100_000_000

Trace = dict[str, Any]


def save(trace: Trace, path: Path) -> None:
    """Write the trace. A reader of the file never sees half of it. Raises OSError."""
    path = path.resolve()  # a link stays one
    if path.exists() and not path.is_file():  # /dev/null, a named pipe: to be written to, not to be replaced
        path.write_text(dump(trace), encoding="utf-8", newline="\n")
        return
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(dump(trace), encoding="utf-8", newline="\n")
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def dump(trace: Trace) -> str:
    """The file's text: each member on a line of its own, each item of a list too."""
    members = []
    for name, value in trace.items():
        if isinstance(value, list) and value:
            text = "[\n" + ",\n".join(_json(item) for item in value) + "\n]"
        else:
            text = _json(value)
        members.append(f"{_json(name)}: {text}")
    return "{\n" + ",\n".join(members) + "\n}\n"


def load(path: Path) -> Trace:
    """The trace in a file.

    Raises:
        ValueError: with one sentence for the reader, whatever is wrong with the file.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(_("{path} is larger than 100 MB; no trace is.").format(path=path))
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(
            _("{path} cannot be read: {reason}").format(path=path, reason=error.strerror or error)
        ) from None
    except UnicodeDecodeError:
        raise ValueError(_("{path} is no trace: it is not text in UTF-8.").format(path=path)) from None
    try:
        trace = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(_("{path} is no trace, or a damaged one: it is not JSON.").format(path=path)) from None
    if not isinstance(trace, dict) or trace.get("format") != FORMAT:
        raise ValueError(_("{path} is JSON, but no trace of a lesson.").format(path=path))
    version = trace.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError(_("{path} is a damaged trace: its version is not a number.").format(path=path))
    if version > VERSION:
        raise ValueError(
            _(
                "{path} was recorded by a newer version of the course (format {theirs}, this one reads {ours}); "
                "update the course."
            ).format(path=path, theirs=version, ours=VERSION)
        )
    problem = check.problem(trace)
    if problem:
        raise ValueError(_("{path} is a damaged trace: {problem}").format(path=path, problem=problem))
    return trace


def _json(value: Any) -> str:
    # ensure_ascii: a lone surrogate, from a broken console, has no UTF-8. U+2028 would end a line in JavaScript.
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, separators=(",", ":"))
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
