"""The page "Errors you will meet": generated from the rules of the stand-in and the advice on each."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course.site import ROOT, SiteError
from course.site.fences import code
from course.site.labels import label
from course.standin.rules.catalogue import sentences
from course.standin.rules.hints import advice

RULES = ROOT / "course" / "standin" / "rules"
GROUPS = ("tool_loop", "messages", "fields", "tools", "thinking", "params", "limits", "http")  # what readers meet first


def catalogue(folder: Path = RULES) -> list[dict[str, Any]]:
    """The rules: id, group, status, type, message, confidence, enforce (see catalogue.json)."""
    entries: list[dict[str, Any]] = json.loads((folder / "catalogue.json").read_text(encoding="utf-8"))["errors"]
    unknown = {entry["group"] for entry in entries} - set(GROUPS)
    if unknown:
        raise SiteError(f"catalogue.json has groups that the errors page does not know: {', '.join(sorted(unknown))}")
    return entries


def errors_fence(body: str, language: str) -> str:
    """Every error by group: the API's message, the mistake behind it and the cure. The anchor is the rule's id."""
    entries = catalogue()
    known = advice(language)
    out: list[str] = []
    for group in GROUPS:
        out += [f"## {label(language, 'group_' + group)} {{#{group.replace('_', '-')}}}", ""]
        for entry in entries:
            if entry["group"] == group:
                out += _entry(entry, known, language)
    return "\n".join(out)


def _entry(entry: dict[str, Any], known: dict[str, dict[str, str]], language: str) -> Iterator[str]:
    name = entry["id"]
    if not {"mistake", "cure"} <= set(known.get(name, ())):
        raise SiteError(f"advice.toml has no `mistake` and `cure` for the rule `{name}`")
    remarks = [label(language, f"confidence_{entry['confidence']}")]
    if entry["enforce"] != True:  # noqa: E712  a string stands for a fault
        remarks.append(label(language, "only_asked" if entry["enforce"] == "fault" else "not_enforced"))
    yield f"### `{name}` {{#{name}}}"
    yield ""
    yield label(language, "api_says", status=entry["status"], type=entry["type"])
    yield ""
    yield code("\n".join(sentences(entry)))
    yield ""
    for part, heading in (("mistake", "means"), ("cure", "cure")):
        colon = "：" if language == "zh" else ": "
        yield f"**{label(language, heading)}**{colon}{known[name][part].strip()}"
        yield ""
    yield ("" if language == "zh" else " ").join(remarks)
    yield "{ .remark }"
    yield ""
