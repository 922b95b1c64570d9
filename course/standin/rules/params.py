"""Rules for the plain parameters of a request, and the names of what is wrong with their types.

A rule about a type is given the `Fault` that the walk of shapes.py found and says whether it is its own; the others
are given the request.
"""

import re
from typing import Any

from course.standin.rules.naming import place
from course.standin.rules.request import Request, Values
from course.standin.rules.shapes import Fault

Mark = tuple[str, dict[str, Any]]  # where a cache_control stands, and what is in it


def max_tokens_missing(fault: Fault) -> Values | None:
    """No max_tokens: the API wants to know how long a reply may get, and cost. Usually a program moved over from
    another API, where it is optional.

    Seen: https://github.com/tickernelz/opencode-mem/issues/50
    """
    return place(fault, "missing", "max_tokens")


def max_tokens_negative(fault: Fault) -> Values | None:
    """max_tokens below 0. Zero is allowed: it fills the prompt cache and writes nothing. Usually a budget that was
    subtracted too often.
    """
    return place(fault, "value", "max_tokens")


def max_tokens_type(fault: Fault) -> Values | None:
    """max_tokens that is no whole number. Usually read from the environment, a string, or the result of a division."""
    return place(fault, "type", "max_tokens")


def max_tokens_over_model(request: Request) -> Values | None:
    """max_tokens above what the model can write at most. Usually a model was changed and the number stayed.

    Seen: https://github.com/anthropics/claude-code/issues/11302
    """
    wanted = request.body["max_tokens"]
    if request.model is None or wanted <= request.model.max_output:
        return None
    return {"n": wanted, "limit": request.model.max_output, "model": request.body["model"]}


def model_missing(fault: Fault) -> Values | None:
    """No model. Usually a setting that is None and was left out of the JSON."""
    return place(fault, "missing", "model")


def model_empty(fault: Fault) -> Values | None:
    """The model's name is the empty string. Usually MODEL_ID is set, but to nothing."""
    return place(fault, "value", "model")


def temperature_range(fault: Fault) -> Values | None:
    """temperature outside 0 to 1. Usually a value from an API where it goes up to 2."""
    return place(fault, "value", "temperature")


def temperature_type(fault: Fault) -> Values | None:
    """temperature that is no number, null included. Usually a value from a form or the environment, or an unset
    default.
    """
    return place(fault, "type", "temperature")


def temperature_and_top_p(request: Request) -> Values | None:
    """Both temperature and top_p, on models that want one of them. Usually a framework that always sends both.

    Seen: https://github.com/BerriAI/litellm/issues/15097
    """
    return {} if "temperature" in request.body and request.refuses("temperature_and_top_p") else None


def temperature_deprecated(request: Request) -> Values | None:
    """temperature on models that do without: Claude 4.7 and later; top_p and top_k likewise. 1, the default, is let
    through. Usually an old program with a new model.

    Seen: https://github.com/szczyglis-dev/py-gpt/pull/184
    """
    if not request.refuses("temperature_deprecated"):
        return None
    for field in ("temperature", "top_k", "top_p"):
        if field in request.body and (field == "top_k" or request.body[field] != 1):
            return {"field": field}
    return None


def thinking_temperature(request: Request) -> Values | None:
    """temperature other than 1 together with thinking, which needs the whole distribution. Usually a low
    temperature kept from before thinking was turned on.

    Seen: https://github.com/MartialBE/one-hub/issues/529
    """
    thinking = request.body.get("thinking")
    if request.body["temperature"] == 1 or not thinking or thinking["type"] not in ("enabled", "adaptive"):
        return None
    return {"variant": "adaptive"} if thinking["type"] == "adaptive" else {}


def extra_inputs(request: Request, key: str) -> Values | None:
    """A key that the API does not know. It does not pass over it, so that a misspelt setting is not lost. Usually a
    parameter of another API, such as frequency_penalty or n; on count_tokens one that is only for messages.

    Documented: https://platform.claude.com/docs/en/api/errors
    """
    return {"key": key}


def stop_sequence_whitespace(request: Request) -> Values | None:
    """A stop sequence that is empty or only white space: a reply would end before it began. Usually "\\n"."""
    for sequence in request.body["stop_sequences"] or ():
        if not sequence.strip():
            return {}
    return None


def stop_sequences_type(fault: Fault) -> Values | None:
    """stop_sequences that is no list. Usually one string, as other APIs take it."""
    return place(fault, "type", "stop_sequences")


def metadata_extra(fault: Fault) -> Values | None:
    """A key in metadata other than user_id. Usually metadata taken for a place for one's own labels."""
    found = place(fault, "extra", "metadata", "")
    return {"key": found["last"]} if found else None


def metadata_email(request: Request) -> Values | None:
    """An e-mail address as metadata.user_id, which must name nobody. Usually the program's own name for its user.

    Seen: https://github.com/BerriAI/litellm/issues/10106
    """
    user = (request.body["metadata"] or {}).get("user_id")
    return {} if user and _EMAIL.search(user) else None


_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.\w")


def effort_unsupported(request: Request) -> Values | None:
    """output_config.effort on a model that has no such setting. Usually a program with a newer model made cheaper
    by an older one.
    """
    return {} if _effort(request) and request.refuses("effort_unsupported") else None


def effort_level_unsupported(request: Request) -> Values | None:
    """A level of effort that this model does not have. Usually xhigh or max, which came with later models."""
    level = _effort(request)
    if not level or request.model is None or level in request.model.effort:
        return None
    return {"level": level, "levels": ", ".join(sorted(request.model.effort))}


def thinking_disabled_effort(request: Request) -> Values | None:
    """The two highest levels of effort together with thinking turned off, on models where they need it. Usually
    both were set in different places.
    """
    thinking = request.body.get("thinking")
    level = _effort(request)
    if level not in ("xhigh", "max") or not thinking or thinking["type"] != "disabled":
        return None
    return {"level": level} if request.refuses("thinking_disabled_effort") else None


def cache_control_max(request: Request, marks: list[Mark]) -> Values | None:
    """More than four cache_control marks in tools, system prompt and messages. Usually a loop that marks the newest
    message each turn and never takes the old mark away.

    Seen: https://github.com/tghamm/Anthropic.SDK/issues/50
    """
    found = len(marks) + (1 if request.body.get("cache_control") else 0)
    return {"n": found} if found > 4 else None


def cache_control_ttl_order(request: Request, marks: list[Mark]) -> Values | None:
    """A cache mark for an hour behind one for five minutes, which is the default. Usually "1h" was given to the system
    prompt alone, and the tools stand before it.

    Seen: https://github.com/cnighswonger/claude-code-cache-fix/issues/44
    """
    short = False
    for at, mark in marks:
        if mark.get("ttl") != "1h":
            short = True
        elif short:
            return {"place": at}
    return None


def cache_marks(request: Request) -> list[Mark]:
    """The cache marks in the order in which the API goes through them, without the one for the whole request."""
    body = request.body
    marks = []
    for i, tool in enumerate(body.get("tools") or ()):
        if tool.get("cache_control"):
            marks.append((f"tools.{i}", tool["cache_control"]))
    if type(body.get("system")) is list:
        for i, block in enumerate(body["system"]):
            if block.get("cache_control"):
                marks.append((f"system.{i}", block["cache_control"]))
    for i, message in enumerate(body["messages"]):
        if type(message["content"]) is list:
            for j, block in enumerate(message["content"]):
                if block.get("cache_control"):
                    marks.append((f"messages.{i}.content.{j}", block["cache_control"]))
                inner = block.get("content")
                if type(inner) is list:
                    for k, part in enumerate(inner):
                        if type(part) is dict and part.get("cache_control"):
                            marks.append((f"messages.{i}.content.{j}.content.{k}", part["cache_control"]))
    return marks


def container_without_code_execution(request: Request) -> Values | None:
    """A container where there is no code execution tool to run in it. Usually a container's id kept after the tool
    was taken out.
    """
    if request.body.get("container") is None:
        return None
    for tool in request.body.get("tools") or ():
        if str(tool.get("type")).startswith("code_execution"):
            return None
    return {}


def _effort(request: Request) -> str | None:
    config = request.body.get("output_config")
    return config.get("effort") if config else None
