"""The editor scene: one tool whose commands view, create and change files, the API's text editor and its memory."""

import re
from typing import Any

from . import repair, schema
from .answers import Reply, ask_for, say
from .conversation import Call, Conversation
from .facts import changed, content_in, paths
from .wording import Texts, phrase

MAKE = re.compile(
    r"\b(?:create|write|make|save|new)\b|\b(?:erstell|schreib|leg|speicher)\w*|创建|新建|写|保存", re.IGNORECASE
)
KEEP = re.compile(r"\b(?:remember|note|keep in mind|memorize|merk|notier)\w*|记住|记下|记一下", re.IGNORECASE)
FIX = re.compile(r"\b(?:fix|repair|syntax|bug|error)\b|\b(?:reparier|beheb|fehler)\w*|修|错误", re.IGNORECASE)
NO_COLON = re.compile(r"^\s*(?:for|while|if|elif|else|def|class|try|except|finally|with)\b[^#]*[^:#\s\\,(\[{]\s*$")
NUMBERED = re.compile(r"^ *\d+[\t:|] ?", re.MULTILINE)
MEMORIES = "/memories"
NOTES = f"{MEMORIES}/notes.md"


def fits(conversation: Conversation) -> bool:
    """Whether a tool is offered that has commands for files, and no other tool that more words speak for."""
    return _tool(conversation) is not None and (len(conversation.tools) == 1 or bool(paths(conversation.words)))


def _tool(conversation: Conversation) -> dict[str, Any] | None:
    for tool in conversation.tools.values():
        known = schema.properties_of(schema.resolve(tool["input_schema"], tool["input_schema"]))
        commands = known.get("command")
        choices = commands.get("enum") if isinstance(commands, dict) else None
        if (
            isinstance(choices, list)
            and {"view", "create", "str_replace"}.issubset(map(str, choices))
            and "path" in known
        ):
            return tool
    return None


def play(conversation: Conversation) -> Reply | None:
    tool = _tool(conversation)
    if tool is None:
        return None
    calls = [call for call in conversation.calls if call.name == tool["name"]]
    if str(tool.get("type", "")).startswith("memory_"):
        return _remember(tool["name"], calls, conversation)
    return _edit(tool["name"], calls, conversation)


def _edit(name: str, calls: list[Call], conversation: Conversation) -> Reply | None:
    words, language = conversation.words, conversation.language
    path = next(iter(paths(words)), "")
    text = content_in(words)
    if not path:
        return None
    if MAKE.search(words) and text:
        steps = [{"command": "create", "path": path, "file_text": text}]
    else:
        steps = [{"command": "view", "path": path}]
        if calls and (change := changed(words) or _repaired(calls[0], words)):
            steps.append({"command": "str_replace", "path": path, "old_str": change[0], "new_str": change[1]})
    if calls and (calls[-1].is_error or _failed(calls[-1])):
        return say(TEXTS.get(language, "failed", error=repair.error_of(calls[-1])))
    if len(calls) < len(steps):
        return ask_for([(name, steps[len(calls)])])
    if steps[-1]["command"] != "view":
        return say(TEXTS.get(language, steps[-1]["command"], path=path))
    told = TEXTS.get(language, "shown", path=path, text=(calls[-1].result or "").strip("\n")[:1500])
    unclear = FIX.search(words) or changed(words)
    return say(told + ("\n" + TEXTS.get(language, "no_idea") if unclear else ""))


def _repaired(call: Call, words: str) -> tuple[str, str] | None:
    """Return the line without its colon and the line with it, where a fault is to be found and it is this one."""
    lines = NUMBERED.sub("", call.result or "").splitlines() if FIX.search(words) else []
    wrong = next((line for line in lines if len(line) <= 300 and NO_COLON.match(line)), None)
    return (wrong.strip(), wrong.strip() + ":") if wrong else None


def _failed(call: Call) -> bool:
    return re.match(r"\s*(?:error|fehler|错误)\b", call.result or "", re.IGNORECASE) is not None


def _remember(name: str, calls: list[Call], conversation: Conversation) -> Reply | None:
    """Look at the notes first; then write one down, or read them."""
    language = conversation.language
    if not calls:
        return ask_for([(name, {"command": "view", "path": MEMORIES})])
    if KEEP.search(conversation.words):
        made = [call for call in calls if call.input.get("command") in ("create", "insert")]
        if not made:
            note = KEEP.sub("", conversation.words, count=1).strip(" ,:.!，。：")
            note = re.sub(r"^(?:(?:that|dass|down|dir)\b[ ,:]*)+", "", note, flags=re.IGNORECASE)
            if NOTES in (calls[0].result or ""):
                return ask_for(
                    [(name, {"command": "insert", "path": NOTES, "insert_line": 0, "insert_text": note + "\n"})]
                )
            return ask_for([(name, {"command": "create", "path": NOTES, "file_text": note + "\n"})])
        failed = made[-1].is_error or _failed(made[-1])
        return say(
            TEXTS.get(language, "failed", error=repair.error_of(made[-1])) if failed else TEXTS.get(language, "noted")
        )
    seen = [str(call.input.get("path")) for call in calls]
    known = re.findall(rf"{MEMORIES}/[\w./-]+\w", calls[0].result or "")
    if (unread := [path for path in dict.fromkeys(known) if path not in seen]) and len(calls) < 4:
        return ask_for([(name, {"command": "view", "path": unread[0]})])
    notes = [NUMBERED.sub("", call.result or "").strip() for call in calls[1:] if not call.is_error]
    if notes:
        return say(phrase([TEXTS.get(language, "notes"), "\n".join(notes)[:1500]], language))
    return None if len(conversation.tools) > 1 else say(TEXTS.get(language, "no_notes"))


TEXTS = Texts(
    create={
        "en": "I have written {path}.",
        "de": "Ich habe {path} geschrieben.",
        "zh": "{path} 已写好。",
    },
    str_replace={
        "en": "I have changed {path}.",
        "de": "Ich habe {path} geändert.",
        "zh": "{path} 已修改。",
    },
    shown={
        "en": "{path} holds:\n{text}",
        "de": "In {path} steht:\n{text}",
        "zh": "{path} 的内容：\n{text}",
    },
    no_idea={
        "en": "What to change there I can't tell: I'm an offline stand-in for Claude, not a language model.",
        "de": "Was daran zu ändern ist, erkenne ich nicht: Ich bin ein Double für Claude, das offline läuft, und kein "
        "Sprachmodell.",
        "zh": "该怎么改我看不出来：我是离线运行的 Claude 本地替身，不是语言模型。",
    },
    failed={
        "en": "That did not work: {error}.",
        "de": "Das hat nicht geklappt: {error}.",
        "zh": "没有成功：{error}。",
    },
    noted={"en": "I have made a note of it.", "de": "Das habe ich mir notiert.", "zh": "已经记下了。"},
    notes={"en": "My notes say:", "de": "In meinen Notizen steht:", "zh": "我的笔记里写着："},
    no_notes={
        "en": "I have no notes. Tell me what to remember.",
        "de": "Ich habe keine Notizen. Sag mir, was ich mir merken soll.",
        "zh": "我还没有笔记。告诉我要记住什么。",
    },
)
