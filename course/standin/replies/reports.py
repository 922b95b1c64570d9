"""What is said about the results of tools: what came back, what was asked for, what went wrong."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import json
import re
from collections.abc import Sequence
from typing import Any

from . import repair
from .conversation import Call, Conversation
from .vocabulary import ACTIONS, said_in, stem, words_in
from .wording import Texts, join, phrase

FAILED = re.compile(
    r"^\s*(?:error|fehler|错误|can(?:'|no)t|could not|couldn't|unable|failed|无法|不能)\b|not found|nicht gefunden|未找到|does not exist",
    re.IGNORECASE,
)


def report(conversation: Conversation, missing: Sequence[str] = (), chained: bool = False) -> str:
    """Say what the results of this turn hold; "" if there are none.

    `missing`: parameters that nothing fills yet. `chained`: whether each call built on the one before it.
    """
    language = conversation.language
    calls = [call for call in conversation.calls if call.result is not None]
    if not calls:
        return ""
    good = [call for call in calls if not call.is_error]
    bad = [call for call in calls if call.is_error and not _made_good(call, calls)]
    lines = []
    if len(good) == 1:
        lines.append(_one_result(good[0], language, conversation.words))
    elif good:
        # Steps on the way to the last one are not told again: what counts is where they led.
        lines += (
            [_one_result(good[-1], language, conversation.words)]
            if chained
            else [_listed(call, language, len({call.name for call in good}) > 1) for call in good]
        )
    lines += [TEXTS.get(language, "failed", error=repair.error_of(call)) for call in bad[-2:]]
    if missing:
        lines.append(TEXTS.get(language, "missing", names=join([readable(name) for name in missing], language)))
    elif bad:
        lines.append(TEXTS.get(language, "what_now"))
    return "\n".join(line for line in lines if line)


def data_of(result: str) -> Any:
    if result.lstrip()[:1] not in ("{", "["):
        return result
    try:
        return json.loads(result)
    except ValueError:
        return result


def leaves(data: Any, key: str = "") -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        return [leaf for name, value in list(data.items())[:40] for leaf in leaves(value, str(name))]
    if isinstance(data, list):
        return [leaf for value in data[:20] for leaf in leaves(value, key)]
    return [(key, data)]


def _made_good(bad: Call, calls: list[Call]) -> bool:
    return any(call.name == bad.name and not call.is_error for call in calls[calls.index(bad) + 1 :])


def _one_result(call: Call, language: str, prompt: str) -> str:
    text = (call.result or "").strip()
    if call.has_image:
        return phrase([text, TEXTS.get(language, "image")], language)
    data = data_of(text)
    changes = re.split(r"[_\-]", call.name)[0].lower() in ACTIONS
    if isinstance(data, dict) and (wanted := _wanted_fields(data, prompt)):
        label = _label(call)
        return phrase(
            [TEXTS.get(language, "field", label=label, key=readable(key), value=value) for key, value in wanted],
            language,
        )
    if isinstance(data, dict | list) and data:
        return TEXTS.get(language, "found") + "\n" + _bullets(data)
    if not text or text.lower() in ("true", "ok", "null", "none", "done", "success"):
        return TEXTS.get(language, "done_silently" if changes else "done_without", name=call.name)
    if text.lower() == "false":
        return TEXTS.get(language, "failed", error=f"{call.name}: {text}")
    if FAILED.search(text):
        return TEXTS.get(language, "failed", error=repair.error_of(call))
    label = _label(call)
    if re.fullmatch(r"[-+]?[\d.,]+(?:e[-+]?\d+)?", text) and not re.fullmatch("[A-Za-z]{2,}", label):
        return TEXTS.get(language, "result", result=text)
    if len(text) > 1500:
        text = text[:1500].rstrip() + " ..."
    if "\n" in text:
        return TEXTS.get(language, "found") + "\n" + text
    if changes and not re.match(r"run|execute|add$|subtract|multiply|divide|translate", call.name):
        return TEXTS.get(language, "done", result=text)
    if len(text) < 25 and re.fullmatch(r"[\w/-]*[^\W\d][\w/-]*", label):
        return TEXTS.get(language, "short", label=label, result=text)
    return text


def _label(call: Call) -> str:
    return ", ".join(
        str(value)
        for value in call.input.values()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )


def _wanted_fields(data: dict[str, Any], prompt: str) -> list[tuple[str, Any]]:
    """Return the fields of a record that the prompt asks about by their names."""
    said = said_in(prompt)
    if re.search(r"status|where(?: i|')s|wo ist|状态|到哪", prompt, re.IGNORECASE):
        said |= {stem("status")}
    found = []
    for key, value in data.items():
        if (
            isinstance(value, str | int | float)
            and words_in(str(key)) & said
            and not re.search(r"(?:^|_)id$", str(key))
        ):
            found.append((str(key), value))
    return found if len(found) <= 2 else []


def _listed(call: Call, language: str, named: bool) -> str:
    label = f"{readable(call.name)} {_label(call)}".strip() if named else _label(call) or readable(call.name)
    data = data_of((call.result or "").strip())
    if isinstance(data, dict):
        text = ", ".join(f"{readable(key)}: {value}" for key, value in leaves(data)[:12])
    else:
        text = str(call.result or "").strip()[:600]
    colon = "：" if language == "zh" else ": "
    return f"- {label[:80]}{colon}{text}"


def _bullets(data: Any) -> str:
    if isinstance(data, list):
        rows = []
        for item in data[:20]:
            if isinstance(item, dict):
                rows.append("- " + ", ".join(f"{readable(key)}: {value}" for key, value in leaves(item)[:12]))
            else:
                rows.append(f"- {item}")
        return "\n".join(rows)
    return "\n".join(
        f"- {readable(str(key))}: {value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)}"
        for key, value in list(data.items())[:20]
    )


def readable(name: str) -> str:
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").strip()


TEXTS = Texts(
    missing={
        "en": "I still need to know: {names}. Can you tell me?",
        "de": "Mir fehlt noch eine Angabe: {names}. Kannst du sie mir nennen?",
        "zh": "我还需要知道：{names}。能告诉我吗？",
    },
    result={"en": "The result is {result}.", "de": "Das Ergebnis ist {result}.", "zh": "结果是 {result}。"},
    short={"en": "{label}: {result}", "de": "{label}: {result}", "zh": "{label}：{result}"},
    field={
        "en": "The {key} for {label} is {value}.",
        "de": "{key} von {label}: {value}.",
        "zh": "{label} 的 {key}：{value}。",
    },
    found={"en": "Here is what I found:", "de": "Das habe ich gefunden:", "zh": "查到的结果如下："},
    done={"en": "Done. {result}", "de": "Erledigt. {result}", "zh": "已完成。{result}"},
    done_silently={"en": "Done.", "de": "Erledigt.", "zh": "已完成。"},
    done_without={
        "en": "{name} ran and returned nothing more.",
        "de": "{name} lief durch und gab nichts weiter zurück.",
        "zh": "{name} 执行完毕，没有更多内容。",
    },
    failed={
        "en": "That did not work: {error}.",
        "de": "Das hat nicht geklappt: {error}.",
        "zh": "没有成功：{error}。",
    },
    image={
        "en": "There is an image, but I can't see it: I'm an offline stand-in for Claude, not a language model.",
        "de": "Da ist ein Bild, aber ich kann es nicht sehen: Ich bin ein Double für Claude, das offline läuft, und kein "
        "Sprachmodell.",
        "zh": "这里有一张图片，可我看不到：我是离线运行的 Claude 本地替身，不是语言模型。",
    },
    what_now={
        "en": "How would you like to go on?",
        "de": "Wie möchtest du weitermachen?",
        "zh": "你想怎么处理？",
    },
)
