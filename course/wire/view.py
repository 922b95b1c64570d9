"""Records as text for a terminal."""

import json
from typing import Any

from .. import console, i18n, models
from .record import Record

_ = i18n.translator("wire")

# What is shown of one block; the rest is counted.
MAX_LINES = 8
MAX_CHARACTERS = 1_000

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class View:
    """Turns records into text, one after another: it remembers the request before, to show only what is new."""

    def __init__(self, colour: bool = False, paid: bool = False) -> None:
        self._colour = colour
        self._paid = paid
        self._before: dict[str, Any] = {}
        self._names: dict[str, str] = {}  # of the tools called, by the id of the call
        self._turn = 0
        self._tries = 0
        self._requests = 0
        self._tokens = {"input": 0, "output": 0, "cache_read": 0, "cache_write": 0}
        self._cost = 0.0
        self._unpriced = False
        self._seconds = 0.0

    def show(self, record: Record, betas: str = "", rule: str | None = None) -> str:
        """The text of one exchange, without a newline at the end.

        Args:
            betas: what the request's header `anthropic-beta` says.
            rule: the rule by which the stand-in refused it.
        """
        return "\n".join([*self.request(record, betas), *self.reply(record), *self._rule(rule)])

    def show_other(self, method: str, record: Record, betas: str = "", rule: str | None = None) -> str:
        """The text of an exchange that is not about messages. No bodies: those of a sign-in, say, hold secrets."""
        lines = [self._paint(f">>> {plain(method)} {plain(record['path'])}", "bold", "cyan")]
        lines += self._settings({"anthropic-beta": betas} if betas else {})
        error = record["error"]
        what = _status(record) + (f" {plain(error['type'])}" if error else "")
        good = (record["status"] or 999) < 400
        lines.append(self._head(what, _duration(record["seconds"]), "green" if good else "red"))
        if error:
            lines += self._block("    ", error["message"], "red")
        return "\n".join([*lines, *self._rule(rule)])

    def request(self, record: Record, betas: str = "") -> list[str]:
        """The lines on what was asked."""
        self._requests += 1
        counting = record["path"].endswith("count_tokens")
        if not counting:
            if self._tries == 0:
                self._turn += 1
            self._tries += 1
        head = _("turn {turn}: request").format(turn=self._turn)
        if counting:
            head = _("count tokens: request")
        elif self._tries > 1:
            head = _("turn {turn}: request, try {number}").format(turn=self._turn, number=self._tries)
        lines = [self._paint(f">>> {head}", "bold", "cyan")]
        request = record["request"]
        if not isinstance(request, dict):
            return [*lines, *self._block("    ", _("not JSON: {text}").format(text=plain(request)), "red")]
        lines += self._settings({"anthropic-beta": betas, **request} if betas else request)
        lines += self._new_messages(request)
        self._before = {"anthropic-beta": betas, **request} if betas else request
        return lines

    def reply(self, record: Record) -> list[str]:
        """The lines on what came back."""
        counting = record["path"].endswith("count_tokens")
        self._seconds += record["seconds"]
        reply, error = record["reply"], record["error"]
        facts = _duration(record["seconds"])
        if counting and reply:
            return [self._head(_("{count} tokens").format(count=_number(reply.get("input_tokens"))), facts, "green")]
        if tokens := record["tokens"]:
            for name in self._tokens:
                self._tokens[name] += tokens[name]
            facts += _tokens(tokens)
            if record["cost_usd"] is None:
                self._unpriced = True
            else:
                self._cost += record["cost_usd"]
                facts.append(
                    _("{cost} USD, so far {sum} USD").format(cost=_usd(record["cost_usd"]), sum=_usd(self._cost))
                )
        lines = []
        content = reply.get("content") if reply else None
        if reply and isinstance(content, list):
            self._tries = 0
            reason = str(reply.get("stop_reason"))
            lines.append(self._head(reason, facts, "green" if reason in ("end_turn", "tool_use") else "yellow"))
            for block in content:
                lines += self._content(block, "    ")
            if not content:
                lines.append("    " + _("(no content)"))
        elif error is not None:
            lines.append(self._head(f"{_status(record)} {plain(error['type'])}", facts, "red"))
        elif record["status"] is None:
            lines.append(self._head(_("the connection broke, no answer"), facts, "red"))
        else:
            lines.append(self._head(_("{status}, but no JSON").format(status=_status(record)), facts, "red"))
            lines += self._block("    ", record["text"] or "", "red")
        if error is not None:
            lines += self._block("    ", error["message"], "red")
        if record["retry_after"] is not None:
            seconds = i18n.number(f"{record['retry_after']:g}")
            lines.append("    " + _("retry after {seconds} s").format(seconds=seconds))
        if not record["complete"] and record["status"] is not None:
            lines.append("    " + self._paint(_("The answer broke off before its end."), "red"))
        return lines

    def totals(self) -> str:
        """The last line: requests, tokens, time, cost, and at which prices."""
        if not self._requests:
            return ""
        facts = [
            _("{count} requests").format(count=self._requests) if self._requests != 1 else _("1 request"),
            *_tokens(self._tokens),
            *_duration(self._seconds),
        ]
        if self._unpriced:
            facts.append(_("cost unknown: a model without a price in models.toml"))
        else:
            facts.append(
                _("{cost} USD at the prices of {date}").format(cost=_usd(self._cost), date=models.prices_checked())
            )
        line = "=== " + _(", ").join(facts)
        if not self._paid:
            line += " " + _("(the stand-in answered: nothing was paid)")
        return self._paint(line, "bold")

    def _settings(self, request: dict[str, Any]) -> list[str]:
        """Everything but the messages, where it differs from the request before."""
        lines = []
        changed = {
            name: value for name, value in request.items() if name != "messages" and value != self._before.get(name)
        }
        tools = changed.get("tools")
        if isinstance(tools, list):
            names = [str(tool.get("name")) if isinstance(tool, dict) else "?" for tool in tools]
            changed["tools"] = ", ".join(names)
        system = changed.pop("system", None)
        if changed:
            parts = [f"{name}: {value if isinstance(value, str) else _json(value)}" for name, value in changed.items()]
            lines += self._block("    ", "; ".join(parts), "dim")
        if system is not None:
            texts = "\n".join(_text_of(block) for block in system) if isinstance(system, list) else plain(system)
            lines += self._block("    ", f"system: {texts}", "dim")
        gone = [plain(name) for name in self._before if name not in request]
        if gone:
            lines.append("    " + self._paint(_("no longer sent: {names}").format(names=", ".join(gone)), "dim"))
        return lines

    def _rule(self, rule: str | None) -> list[str]:
        return ["    " + _("rule: {rule}").format(rule=plain(rule))] if rule else []

    def _new_messages(self, request: dict[str, Any]) -> list[str]:
        messages = request.get("messages")
        before = self._before.get("messages")
        if not isinstance(messages, list):
            return []
        same = 0
        for old, new in zip(before if isinstance(before, list) else [], messages, strict=False):
            if old != new:
                break
            same += 1
        lines = []
        if same:
            text = _("1 message as before") if same == 1 else _("{count} messages as before").format(count=same)
            lines.append("    " + self._paint(text, "dim"))
        if isinstance(before, list) and same < len(before):
            text = _("left out or changed: {count} of the messages before").format(count=len(before) - same)
            lines.append("    " + self._paint(text, "yellow"))
        for message in messages[same:]:
            lines += self._message(message)
        return lines

    def _message(self, message: Any) -> list[str]:
        if not isinstance(message, dict):
            return self._block("  + ", plain(message))
        role = plain(message.get("role"))
        content = message.get("content")
        blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
        lines = []
        indent = f"  + {role} "  # where a message begins; the line at the side is as long as it is
        for block in blocks:
            lines += self._content(block, indent)
            indent = "  | ".ljust(len(indent))
        return lines or [f"  + {role} " + _("(no content)")]

    def _content(self, block: Any, indent: str) -> list[str]:
        if not isinstance(block, dict):
            return self._block(indent, plain(block))
        kind = block.get("type")
        if kind == "text":
            return self._block(indent, f"text: {plain(block.get('text'))}")
        if kind in ("thinking", "redacted_thinking"):
            thinking = block.get("thinking") or _("(not shown)")
            return self._block(indent, f"{kind}: {thinking}", "dim")
        if kind == "tool_use":
            self._names[str(block.get("id"))] = str(block.get("name"))
            text = f"tool_use: {plain(block.get('name'))}({_json(block.get('input'))})"
            if "partial_json" in block:
                text = f"tool_use: {plain(block.get('name'))}({block['partial_json']} " + _("(cut off)")
            return self._block(indent, text, "yellow")
        if kind == "tool_result":
            name = self._names.get(str(block.get("tool_use_id")), str(block.get("tool_use_id")))
            mark = " is_error" if block.get("is_error") else ""
            return self._block(
                indent, f"tool_result{mark}: {name} -> {_result(block.get('content'))}", "red" if mark else "yellow"
            )
        return self._block(indent, f"{plain(kind)}: {_json(block)}")

    def _head(self, what: str, facts: list[str], colour: str) -> str:
        more = "  " + _("({facts})").format(facts=_("; ").join(facts)) if facts else ""
        return self._paint(f"<<< {plain(what)}", "bold", colour) + more

    def _block(self, indent: str, text: str, *colours: str) -> list[str]:
        """Text under an indent, further lines below it, shortened where it is long."""
        shown = plain(text)
        lines = shown[:MAX_CHARACTERS].split("\n")[:MAX_LINES]
        left = len(shown) - len("\n".join(lines))
        if left > 0:
            lines[-1] += " " + _("(and {count} characters)").format(count=_number(left))
        rest = " " * len(indent)
        return [(rest if at else indent) + self._paint(line, *colours) for at, line in enumerate(lines)]

    def _paint(self, text: str, *names: str) -> str:
        return paint(text, *names) if self._colour else text


def paint(text: str, *names: str) -> str:
    """The text with the escape sequences of these colours around it."""
    return f"\x1b[{';'.join(_COLOURS[name] for name in names)}m{text}\x1b[0m" if names and text else text


def plain(value: object) -> str:
    """Any value as text that a terminal shows and does not obey."""
    text = value if isinstance(value, str) else _json(value) if isinstance(value, (dict, list)) else str(value)
    return console.plain(text)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _text_of(block: object) -> str:
    return str(block.get("text", "")) if isinstance(block, dict) else str(block)


def _result(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(
            _text_of(block) if isinstance(block, dict) and block.get("type") == "text" else _json(block)
            for block in content
        )
    return plain("" if content is None else content)


def _status(record: Record) -> str:
    return str(record["status"] or "-")


def _tokens(tokens: dict[str, int]) -> list[str]:
    read, written = tokens["cache_read"], tokens["cache_write"]
    into, out = _number(tokens["input"] + read + written), _number(tokens["output"])
    facts = [_("{input} tokens in, {output} out").format(input=into, output=out)]
    if read or written:
        cached = _("of the input {read} from the cache, {written} into it")
        facts.append(cached.format(read=_number(read), written=_number(written)))
    return facts


def _number(value: object) -> str:
    return i18n.number(f"{value:,}") if isinstance(value, int) else str(value)


def _duration(value: float) -> list[str]:
    """Nothing for 0: a trace without durations has that."""
    seconds = i18n.number(f"{value:.3f}" if value < 0.1 else f"{value:.1f}")
    return [_("{seconds} s").format(seconds=seconds)] if value else []


def _usd(value: float) -> str:
    return i18n.number(f"{value:.4f}")
