"""A summary of a conversation: of the one that asks for it, or of one that the prompt holds as JSON.

Programs ask for one when a history has grown too long. It holds what was asked, called and answered, and stands in
<summary> tags; sent back, it is not taken for a prompt (talk.words_of).
"""

import json
from typing import Any

from course.standin.talk import Reply, Talk, say, text_of

from .words import Texts, look, spoken_in

MOST = 600  # characters of an answer
CALLS = 12  # calls that are named, of one turn

text = Texts("summary")


def play(talk: Talk) -> Reply | None:
    """The summary, if the prompt or the system prompt asks for one."""
    wanted = look("summary", "wanted").search
    inside = None
    if talk.messages and (wanted(talk.prompt) or talk.system and wanted(talk.system)):
        inside = _history(text_of(talk.messages[-1]["content"]))  # with summaries, which are no prompt
    if inside:
        return say(_summary(Talk({"messages": inside}), last=True))
    if talk.earlier and look("summary", "of_conversation").search(talk.prompt):
        return say(_summary(talk, last=False))
    return None


def _summary(talk: Talk, last: bool) -> str:
    """The summary of a conversation, of its last turn only if `last`: else that asks for the summary."""
    language = spoken_in(talk)
    lines = talk.summarized()  # what an earlier summary said must not be lost
    turns = [*talk.earlier, *([talk.last] if last else [])]
    for turn in turns:
        lines.append(text(language, "asked", prompt=_short(turn.prompt)))
        calls = dict.fromkeys(
            f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.input.items())})" for call in turn.calls
        )
        if calls:
            lines.append(text(language, "called", calls=" ".join(list(calls)[:CALLS])))
        lines.append(text(language, "answered", answer=_short(turn.answer)) if turn.answer else text(language, "open"))
    return "<summary>\n" + "\n".join(lines) + "\n</summary>"


def _short(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= MOST else line[:MOST] + "..."


def _history(prompt: str) -> list[dict[str, Any]] | None:
    """The messages that a prompt holds as a JSON list, with words before or behind it; None if there are none."""
    start, end = prompt.find("[{"), prompt.rfind("}]")
    try:
        found = json.loads(prompt[start : end + 2]) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list) and found and all(map(_is_message, found)) else None


def _is_message(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in ("user", "assistant"):
        return False
    content = value.get("content")
    return isinstance(content, str) or isinstance(content, list) and all(map(_is_block, content))


def _is_block(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    needed = {"tool_use": (("name", str), ("input", dict), ("id", str)), "tool_result": (("tool_use_id", str),)}
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    return all(isinstance(value.get(name), what) for name, what in needed.get(kind, ()))
