"""What the page "Handouts" shows that no other page does: the messages of a run, and the errors one meets first."""

import json
from typing import Any

from course.site import SiteError
from course.site.errors import catalogue
from course.site.fences import code
from course.site.player import TRACES
from course.standin.rules.catalogue import sentences
from course.standin.rules.hints import advice


def messages_fence(body: str, language: str) -> str:
    """`messages` at the end of a recorded run, as Python: the body names the trace. Ids are shortened."""
    file = TRACES / f"{body.strip()}.json"
    if not file.is_file():
        raise SiteError(f"no trace `{body.strip()}`; `make traces` writes those of the lessons")
    exchanges = json.loads(file.read_text(encoding="utf-8"))["exchanges"]
    turns = (f"turn {number}: {each['reply']['stop_reason']}" for number, each in enumerate(exchanges, 1))
    last = exchanges[-1]
    lines = ["messages = ["]
    for message in [*last["request"]["messages"], {"role": "assistant", "content": last["reply"]["content"]}]:
        if message["role"] == "assistant":
            lines.append(f"    # {next(turns)}")
        lines += _message(message)
    return code("\n".join([*lines, "]"]), "python")


def _message(message: dict[str, Any]) -> list[str]:
    start = f'    {{"role": "{message["role"]}", "content": '
    if isinstance(message["content"], str):
        return [f"{start}{_literal(message['content'])}}},"]
    return [f"{start}[", *(f"        {_block(block)}," for block in message["content"]), "    ]},"]


def _block(block: dict[str, Any]) -> str:
    """A content block, `type` first, without what the loop never looks at."""
    kept = ("type", "id", "name", "input", "tool_use_id", "content", "text")
    shown = {name: block[name] for name in kept if name in block}
    for name in ("id", "tool_use_id"):
        if name in shown:
            shown[name] = shown[name][:9] + "..."
    text = _literal(shown)
    return text[:-1] + ", ...}" if block["type"] == "thinking" else text


def _literal(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def first_errors_fence(body: str, language: str) -> str:
    """The errors whose ids the body names, one a line: message, mistake, cure; the ids link to the page of all."""
    entries = {entry["id"]: entry for entry in catalogue()}
    known = advice(language)
    out: list[str] = []
    for name in body.split():
        if name not in entries:
            raise SiteError(f"there is no rule `{name}` in catalogue.json")
        said = ("" if language == "zh" else " ").join(known[name][part].strip() for part in ("mistake", "cure"))
        status = entries[name]["status"]
        out += [f"**{status}** [`{name}`](errors.md#{name})", "", code(sentences(entries[name])[0]), "", said, ""]
    return "\n".join(out)
