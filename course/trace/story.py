"""A trace as text: the same story as `--wire` tells, with what the script printed and did in between."""

from collections.abc import Iterator
from typing import Any

from .. import i18n
from ..wire.view import View, paint, plain

_ = i18n.translator("trace")


def tell(trace: dict[str, Any], colour: bool = False, lines: bool = False) -> Iterator[str]:
    """The lines of the story. `lines` tells each executed line of the script, too."""

    def painted(text: str, *names: str) -> str:
        return paint(plain(text), *names) if colour else plain(text)

    real = trace["answered_by"] != "stand-in"
    view = View(colour=colour, paid=real)
    source = trace["source"].split("\n")
    name = " ".join([trace["script"], *trace["arguments"]])
    who = trace["answered_by"] if real else _("the stand-in")
    yield painted(
        _("{script}, answered by {who}, Python {version}").format(script=name, who=who, version=trace["python"]), "bold"
    )
    for step in trace["steps"]:
        kind = step["kind"]
        lane = f"[{step['lane']}] " if step.get("lane") else ""
        if kind == "print":
            for text in step["text"].removesuffix("\n").split("\n"):
                yield "  | " + painted(text)
        elif kind == "request":
            yield from view.request(trace["exchanges"][step["exchange"]])
        elif kind == "reply":
            yield from view.reply(trace["exchanges"][step["exchange"]])
        elif kind == "call":
            call = trace["calls"][step["call"]]
            yield "    " + painted(lane + _("{name} begins").format(name=call["name"]), "dim")
        elif kind == "result":
            yield "    " + _result(trace["calls"][step["call"]], lane, painted)
        elif kind == "raise":
            where = _("line {line}, {function}").format(line=step["line"], function=step["function"])
            yield "    " + painted(f"{lane}{where}: {step['text']}", "dim" if step.get("caught") else "red")
        elif kind == "cut":
            yield "    " + painted(
                _("Only the first {count} lines were recorded.").format(count=step["lines"]), "yellow"
            )
        elif kind == "line" and lines:
            text = source[step["line"] - 1] if step["line"] <= len(source) else ""
            yield painted(f"{step['line']:>5} {lane}{text}", "dim")
    yield view.totals()
    yield painted(ending(trace["end"]), "bold" if trace["end"]["status"] == 0 else "red")


def ending(end: dict[str, Any]) -> str:
    """How the run ended, in one line."""
    if end["how"] == "finished" or end["how"] == "exit" and end["status"] == 0:
        return _("The script ran to its end.")
    if end["how"] == "interrupted":
        return _("The script was interrupted (Ctrl-C).")
    if end["how"] == "killed":
        return _("The script was ended from outside, with status {status}.").format(status=end["status"])
    text = _("The script ended with status {status}").format(status=end["status"])
    return f"{text}: {end['text']}" if end["text"] else f"{text}."


def _result(call: dict[str, Any], lane: str, painted: Any) -> str:
    if not call["seconds"]:
        text = _("{name} ends").format(name=call["name"])
    else:
        seconds = i18n.number(f"{call['seconds']:g}")
        text = _("{name} ends after {seconds} s").format(name=call["name"], seconds=seconds)
    return str(painted(lane + text + (", is_error" if call["is_error"] else ""), "red" if call["is_error"] else "dim"))
