"""Types and required keys of a request: small tables, and a walk that finds the first thing that does not fit.

A shape is a function from a value to None (it fits) or a `Fault`. Faults carry the API's sentence and the path to
the place, as in `messages.1.content.0.tool_use.id`: on the way out of the walk each level puts its own key in
front, so a request in order costs no work for paths. The path names the variant of a union (`tool_use`, `custom`,
`enabled`), as the API's does.

The tables follow the TypedDicts of the Python SDK 2.14 (`anthropic/types/*_param.py`,
`anthropic/types/beta/*_param.py`); tests/standin/test_rules_shapes.py compares them. Sentences and order were
measured by others on 2026-08-31.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any


class Fault:
    """What does not fit. `kind` is "missing", "extra", "type", "shape", "tag", "choice" or "value".

    `found` is the value itself where it tells two mistakes apart: the one of a wrong type, the object without a type.
    """

    __slots__ = ("found", "kind", "path", "text", "values")

    def __init__(self, kind: str, text: str, path: list[Any] | None = None, found: Any = None, **values: str) -> None:
        self.kind = kind
        self.text = text
        self.path = path or []
        self.found = found
        self.values = values

    def under(self, *keys: Any) -> "Fault":
        """The same fault seen from further up."""
        self.path[:0] = keys
        return self


Shape = Callable[[Any], Fault | None]


def _wrong(what: str, found: Any = None) -> Fault:
    return Fault("type", f"Input should be {what}", found=found, what=what)


def anything(value: Any) -> None:
    """Any JSON."""
    return None


def text(value: Any) -> Fault | None:
    """A string."""
    return None if type(value) is str else _wrong("a valid string")


def boolean(value: Any) -> Fault | None:
    """true or false."""
    return None if type(value) is bool else _wrong("a valid boolean")


def integer(value: Any) -> Fault | None:
    """A number without a fraction, written without one."""
    return None if type(value) is int else _wrong("a valid integer")


def number(value: Any) -> Fault | None:
    """Any number."""
    return None if type(value) is int or type(value) is float else _wrong("a valid number")


def json_object(value: Any) -> Fault | None:
    """An object with any keys."""
    return None if type(value) is dict else _wrong("an object", value)


def optional(shape: Shape) -> Shape:
    """The shape, or null."""

    def check(value: Any) -> Fault | None:
        return None if value is None else shape(value)

    return check


def at_least(limit: int, sentence: str) -> Shape:
    """An integer from `limit` on."""

    def check(value: Any) -> Fault | None:
        if type(value) is not int:
            return integer(value)
        return None if value >= limit else Fault("value", sentence, rule=sentence)

    return check


def unit_range(value: Any) -> Fault | None:
    """A number from 0 to 1."""
    if fault := number(value):
        return fault
    return None if 0 <= value <= 1 else Fault("value", "range: 0..1", rule="range: 0..1")


def matching(pattern: str, most: int | None = None) -> Shape:
    """A string that matches the pattern. With `most` its length has limits, from 1 on, and sentences of its own: the
    API looks at the length first.
    """
    # Python's $ also matches before a final newline; \Z does not.
    compiled = re.compile(pattern.replace("$", r"\Z"))

    def check(value: Any) -> Fault | None:
        if type(value) is not str:
            return text(value)
        if compiled.match(value):
            return None
        if most and not value:
            sentence = "String should have at least 1 character"
        elif most and len(value) > most:
            sentence = f"String should have at most {most} characters"
        else:
            sentence = f"String should match pattern '{pattern}'"
        return Fault("value", sentence, rule=sentence)

    return check


def one_of(*choices: str) -> Shape:
    """One of a few strings."""
    quoted = [f"'{choice}'" for choice in choices]
    names = quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]
    allowed = frozenset(choices)

    def check(value: Any) -> Fault | None:
        if type(value) is str and value in allowed:
            return None
        return Fault("choice", f"Input should be {names}", choices=names)

    return check


def array(shape: Shape, or_text: bool = False) -> Shape:
    """A list of the shape. With `or_text` a string does as well (the API's sentence names only the list)."""

    def check(value: Any) -> Fault | None:
        if type(value) is list:
            for place, item in enumerate(value):
                if fault := shape(item):
                    return fault.under(place)
            return None
        return None if or_text and type(value) is str else _wrong("a valid array", value)

    return check


def mapping(shape: Shape) -> Shape:
    """An object whose values all have the shape."""

    def check(value: Any) -> Fault | None:
        if type(value) is not dict:
            return json_object(value)
        for key, item in value.items():
            if fault := shape(item):
                return fault.under(key)
        return None

    return check


def either(name: str, *shapes: Shape) -> Shape:
    """Any of the shapes; where none fits, the fault of the last, under `name` (the variant's)."""

    def check(value: Any) -> Fault | None:
        fault = None
        for shape in shapes:
            fault = shape(value)
            if fault is None:
                return None
        return fault.under(name) if fault and name else fault

    return check


class Object:
    """An object with known keys: `required` ones first, in the API's order, then `keys`. Others are faults."""

    __slots__ = ("alone", "keys", "required", "shapes")

    def __init__(self, required: dict[str, Shape], keys: dict[str, Shape] | None = None, alone: bool = True) -> None:
        self.required = tuple(required)
        self.shapes = required | (keys or {})
        self.keys = tuple(self.shapes.items())
        # As one variant of a union the API says "an object"; standing alone, "the expected shape".
        self.alone = alone

    def __call__(self, value: Any) -> Fault | None:
        if type(value) is not dict:
            if self.alone:
                return Fault("shape", "Input does not match the expected shape.")
            return json_object(value)
        seen = 0
        for key, shape in self.keys:
            if key in value:
                seen += 1
                if fault := shape(value[key]):
                    return fault.under(key)
            elif key in self.required:
                return Fault("missing", "Field required", [key])
        if seen < len(value):
            for key in value:
                if key not in self.shapes:
                    return Fault("extra", "Extra inputs are not permitted", [key])
        return None


class Union:
    """Objects told apart by their `type`. `default` is the variant of an object without one."""

    __slots__ = ("default", "hidden", "names", "variants")

    def __init__(
        self, variants: dict[str, Object], default: str = "", hidden: Iterable[str] = (), order: bool = True
    ) -> None:
        self.variants = variants
        self.default = default
        # Variants that are accepted and not named in the sentence: those of betas.
        hidden = frozenset(hidden)
        shown = [name for name in variants if name not in hidden]
        self.names = ", ".join(f"'{name}'" for name in (sorted(shown) if order else shown))

    def __call__(self, value: Any) -> Fault | None:
        if type(value) is not dict:
            return json_object(value)
        tag = value.get("type")
        if tag is None:
            if self.default:
                tag = self.default
            elif "type" in value:
                return text(tag).under("type")  # type: ignore[union-attr]
            else:
                return Fault("missing", "Field required", ["type"], value)
        elif type(tag) is not str:
            return text(tag).under("type")  # type: ignore[union-attr]
        variant = self.variants.get(tag)
        if variant is None:
            sentence = f"Input tag '{tag}' found using 'type' does not match any of the expected tags: {self.names}"
            return Fault("tag", sentence, value=tag, list=self.names)
        fault = variant(value)
        return fault.under(tag) if fault else None


def _variant(name: str, required: dict[str, Shape], keys: dict[str, Shape] | None = None) -> Object:
    return Object({"type": one_of(name)} | required, keys, alone=False)


def _variants(table: dict[str, tuple[dict[str, Shape], dict[str, Shape]]]) -> dict[str, Object]:
    return {name: _variant(name, required, keys) for name, (required, keys) in table.items()}


# --- Pieces that stand in many places

CACHE = optional(Union(_variants({"ephemeral": ({}, {"ttl": one_of("5m", "1h"), "scope": text})})))
_TOOL_NAME = matching("^[a-zA-Z0-9_-]{1,128}$", most=128)
# In a call the name may be longer: a model can make one up. The length was seen, the pattern is modelled on a tool's.
_CALLED_NAME = matching("^[a-zA-Z0-9_-]{1,200}$", most=200)
_ID = matching("^[a-zA-Z0-9_-]+$")
_NOTHING: dict[str, Shape] = {}
_CACHED: dict[str, Shape] = {"cache_control": CACHE}

# --- Content blocks

_TEXT = _variant("text", {"text": text}, _CACHED | {"citations": optional(array(json_object))})
_IMAGE_SOURCE = Union(
    _variants(
        {
            "base64": (
                {"data": text, "media_type": one_of("image/jpeg", "image/png", "image/gif", "image/webp")},
                _NOTHING,
            ),
            "url": ({"url": text}, _NOTHING),
            "file": ({"file_id": text}, _NOTHING),
        }
    )
)
_IMAGE = _variant(
    "image",
    {"source": _IMAGE_SOURCE},
    _CACHED | {"transformations": optional(Object({}, {"oversized_image": one_of("downsize", "error")}))},
)
_SEARCH_RESULT = _variant(
    "search_result",
    {"content": array(_TEXT), "source": text, "title": text},
    _CACHED | {"citations": optional(Object({}, {"enabled": boolean}))},
)
_DOCUMENT = _variant(
    "document",
    {
        "source": Union(
            _variants(
                {
                    "base64": ({"data": text, "media_type": one_of("application/pdf")}, _NOTHING),
                    "text": ({"data": text, "media_type": one_of("text/plain")}, _NOTHING),
                    "content": ({"content": array(Union({"text": _TEXT, "image": _IMAGE}), or_text=True)}, _NOTHING),
                    "url": ({"url": text}, _NOTHING),
                    "file": ({"file_id": text}, _NOTHING),
                }
            )
        )
    },
    _CACHED
    | {"citations": optional(Object({}, {"enabled": boolean})), "context": optional(text), "title": optional(text)},
)
_TOOL_REFERENCE = _variant("tool_reference", {"tool_name": text}, _CACHED)
_BROWSER_STATE = _variant("browser_state", {"tabs": array(json_object)}, _CACHED | {"state_changes": anything})
IN_RESULT = Union(
    {
        "text": _TEXT,
        "image": _IMAGE,
        "search_result": _SEARCH_RESULT,
        "document": _DOCUMENT,
        "tool_reference": _TOOL_REFERENCE,
        "browser_state": _BROWSER_STATE,
    }
)
# What a server tool brought back is sent back as it came; only its frame is looked at.
_SERVER_RESULT: tuple[dict[str, Shape], dict[str, Shape]] = ({"content": anything, "tool_use_id": text}, _CACHED)
_WEB_RESULT = (_SERVER_RESULT[0], _CACHED | {"caller": json_object})
_TOOL_CHANGE: tuple[dict[str, Shape], dict[str, Shape]] = ({"tool": json_object}, _CACHED)
BETA_BLOCKS = (
    "advisor_tool_result",
    "compaction",
    "fallback",
    "mcp_tool_listing",
    "mcp_tool_result",
    "mcp_tool_use",
    "tool_addition",
    "tool_removal",
)
BLOCKS = {
    "text": _TEXT,
    "image": _IMAGE,
    "document": _DOCUMENT,
    "search_result": _SEARCH_RESULT,
} | _variants(
    {
        "thinking": ({"signature": text, "thinking": text}, _NOTHING),
        "redacted_thinking": ({"data": text}, _NOTHING),
        "tool_use": (
            {"id": _ID, "input": json_object, "name": _CALLED_NAME},
            _CACHED | {"caller": json_object, "toolset_name": optional(text)},
        ),
        "tool_result": (
            {"tool_use_id": _ID},
            _CACHED | {"content": array(IN_RESULT, or_text=True), "is_error": boolean, "toolset_name": optional(text)},
        ),
        "server_tool_use": ({"id": text, "input": json_object, "name": text}, _CACHED | {"caller": json_object}),
        "web_search_tool_result": _WEB_RESULT,
        "web_fetch_tool_result": _WEB_RESULT,
        "code_execution_tool_result": _SERVER_RESULT,
        "bash_code_execution_tool_result": _SERVER_RESULT,
        "text_editor_code_execution_tool_result": _SERVER_RESULT,
        "tool_search_tool_result": _SERVER_RESULT,
        "container_upload": ({"file_id": text}, _CACHED),
        "advisor_tool_result": _SERVER_RESULT,
        "mcp_tool_use": ({"id": text, "input": json_object, "name": text, "server_name": text}, _CACHED),
        "mcp_tool_result": (
            {"tool_use_id": text},
            _CACHED | {"content": array(_TEXT, or_text=True), "is_error": boolean},
        ),
        "mcp_tool_listing": ({"mcp_server_name": text, "tools": array(json_object)}, _NOTHING),
        "compaction": (
            {},
            _CACHED
            | {
                "content": optional(text),
                "encrypted_content": optional(text),
                "signature": optional(text),
                "tool_changes": anything,
            },
        ),
        "tool_addition": _TOOL_CHANGE,
        "tool_removal": _TOOL_CHANGE,
        "fallback": ({"from": json_object, "to": json_object}, {"trigger": anything}),
    }
)

EFFORT = one_of("low", "medium", "high", "xhigh", "max")
_MESSAGE: dict[str, Shape] = {"role": text, "content": array(Union(BLOCKS, hidden=BETA_BLOCKS), or_text=True)}
MESSAGE = Object(_MESSAGE, alone=False)
SYSTEM_MESSAGE = Object(
    _MESSAGE,
    {
        "clear_at": optional(one_of("next_user_message", "never")),
        "output_config": optional(Object({}, {"effort": optional(EFFORT)})),
    },
    alone=False,
)


def _message(value: Any) -> Fault | None:
    """A message. Those of the role system have two keys more."""
    if type(value) is not dict or value.get("role") != "system":
        return MESSAGE(value)
    if "output_config" in value:
        # A directive may leave its content out, and means the empty list. Filled in, so that nothing else need ask.
        value.setdefault("content", [])
    return SYSTEM_MESSAGE(value)


# --- Tools

_CALLERS = array(one_of("direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"))
_TOOL: dict[str, Shape] = _CACHED | {"allowed_callers": _CALLERS, "defer_loading": boolean, "strict": boolean}
_EXAMPLES: dict[str, Shape] = {"input_examples": array(json_object)}
_TYPE_OBJECT = one_of("object")


def _input_schema(value: Any) -> Fault | None:
    """A tool's input schema: an object of type "object"; rules/json_schema.py looks at the rest."""
    if type(value) is not dict:
        return json_object(value)
    if "type" not in value:
        return Fault("missing", "Field required", ["type"])
    fault = _TYPE_OBJECT(value["type"])
    return fault.under("type") if fault else None


def _named(name: str, *more: dict[str, Shape]) -> tuple[dict[str, Shape], dict[str, Shape]]:
    keys = dict(_TOOL)
    for part in more:
        keys |= part
    return {"name": one_of(name)}, keys


_DOMAINS: dict[str, Shape] = {
    "allowed_domains": optional(array(text)),
    "blocked_domains": optional(array(text)),
    "max_uses": optional(at_least(1, "Input should be greater than 0")),
}
_SEARCH: dict[str, Shape] = _DOMAINS | {"user_location": optional(json_object)}
_FETCH: dict[str, Shape] = _DOMAINS | {
    "citations": optional(Object({}, {"enabled": boolean})),
    "max_content_tokens": optional(at_least(1, "Input should be greater than 0")),
    "url_sources": optional(json_object),
}
_COMPUTER: dict[str, Shape] = {"display_number": optional(integer)} | _EXAMPLES
_DISPLAY: dict[str, Shape] = {"display_height_px": integer, "display_width_px": integer}
_LENGTH: dict[str, Shape] = {"max_characters": optional(at_least(1, "Input should be greater than 0"))}
_INCLUDE: dict[str, Shape] = {"response_inclusion": one_of("full", "excluded")}
_USE_CACHE: dict[str, Shape] = {"use_cache": boolean}


def _computer(*more: dict[str, Shape]) -> tuple[dict[str, Shape], dict[str, Shape]]:
    required, keys = _named("computer", _COMPUTER, *more)
    return required | _DISPLAY, keys


_TOOLSET: tuple[dict[str, Shape], dict[str, Shape]] = ({}, _CACHED | {"configs": optional(json_object)})
_ADVISOR = _named("advisor", {"caching": CACHE, "max_tokens": optional(integer), "max_uses": optional(integer)})
_ADVISOR = ({"model": text} | _ADVISOR[0], _ADVISOR[1])
BETA_TOOLS = (
    "advisor_20260301",
    "bash_20241022",
    "computer_20241022",
    "computer_20250124",
    "computer_20251124",
    "mcp_toolset",
    "text_editor_20241022",
)
TOOLS = {
    "custom": Object(
        {"name": _TOOL_NAME, "input_schema": _input_schema},
        _TOOL
        | _EXAMPLES
        | {
            "type": optional(one_of("custom")),
            "description": text,
            "eager_input_streaming": optional(boolean),
        },
        alone=False,
    )
} | _variants(
    {
        "bash_20241022": _named("bash", _EXAMPLES),
        "bash_20250124": _named("bash", _EXAMPLES),
        "code_execution_20250522": _named("code_execution"),
        "code_execution_20250825": _named("code_execution"),
        "code_execution_20260120": _named("code_execution"),
        "code_execution_20260521": _named("code_execution"),
        "memory_20250818": _named("memory", _EXAMPLES),
        "text_editor_20241022": _named("str_replace_editor", _EXAMPLES),
        "text_editor_20250124": _named("str_replace_editor", _EXAMPLES),
        "text_editor_20250429": _named("str_replace_based_edit_tool", _EXAMPLES),
        "text_editor_20250728": _named("str_replace_based_edit_tool", _EXAMPLES, _LENGTH),
        "computer_20241022": _computer(),
        "computer_20250124": _computer(),
        "computer_20251124": _computer({"enable_zoom": boolean}),
        "web_search_20250305": _named("web_search", _SEARCH),
        "web_search_20260209": _named("web_search", _SEARCH),
        "web_search_20260318": _named("web_search", _SEARCH, _INCLUDE),
        "web_fetch_20250910": _named("web_fetch", _FETCH),
        "web_fetch_20260209": _named("web_fetch", _FETCH),
        "web_fetch_20260309": _named("web_fetch", _FETCH, _USE_CACHE),
        "web_fetch_20260318": _named("web_fetch", _FETCH, _USE_CACHE, _INCLUDE),
        "tool_search_tool_bm25_20251119": _named("tool_search_tool_bm25"),
        "tool_search_tool_bm25": _named("tool_search_tool_bm25"),
        "tool_search_tool_regex_20251119": _named("tool_search_tool_regex"),
        "tool_search_tool_regex": _named("tool_search_tool_regex"),
        "browser_toolset_20260801": _TOOLSET,
        "computer_toolset_20260801": _TOOLSET,
        "advisor_20260301": _ADVISOR,
        "mcp_toolset": (
            {"mcp_server_name": text},
            _CACHED
            | {
                "configs": optional(mapping(json_object)),
                "default_config": json_object,
                "tools": optional(array(json_object)),
            },
        ),
    }
)

# --- The other fields of a request

_PARALLEL: dict[str, Shape] = {"disable_parallel_tool_use": boolean}
TOOL_CHOICE = Union(
    _variants(
        {
            "auto": ({}, _PARALLEL),
            "any": ({}, _PARALLEL),
            "tool": ({"name": text}, _PARALLEL),
            "none": ({}, _NOTHING),
        }
    ),
    order=False,
)
_DISPLAYED: dict[str, Shape] = {"display": optional(one_of("summarized", "omitted", "updates"))}
_BINDING: dict[str, Shape] = {
    "block_binding": optional(Object({}, {"prefix_mismatch_behavior": optional(one_of("error", "drop_block"))}))
}
THINKING = Union(
    _variants(
        {
            "adaptive": ({}, _DISPLAYED | _BINDING),
            "between_tools": ({}, _NOTHING),
            "disabled": ({}, _NOTHING),
            "enabled": (
                {"budget_tokens": at_least(1024, "Input should be greater than or equal to 1024")},
                _DISPLAYED | _BINDING,
            ),
        }
    )
)
_FORMAT = Union(_variants({"json_schema": ({"schema": json_object}, _NOTHING)}))
OUTPUT_CONFIG = Object(
    {}, {"effort": optional(EFFORT), "format": optional(_FORMAT), "task_budget": optional(json_object)}
)


def _geo(value: Any) -> Fault | None:
    """A region's name."""
    if type(value) is not str:
        return text(value)
    sentence = "must be one of ['global', 'us']"
    return None if value in ("global", "us") else Fault("value", sentence, rule=sentence)


def _model(value: Any) -> Fault | None:
    """A model's name: any string but the empty one."""
    if type(value) is not str:
        return text(value)
    sentence = "String should have at least 1 character"
    return None if value else Fault("value", sentence, rule=sentence)


_SYSTEM_TEXT = Object({"type": one_of("text"), "text": text}, _CACHED | {"citations": optional(array(json_object))})
_CONTAINER = either("ContainerParams", text, Object({}, {"id": optional(text), "skills": optional(array(json_object))}))
_MCP_SERVER = Object(
    {"name": text, "type": one_of("url"), "url": text},
    {
        "authorization_token": optional(text),
        "tool_configuration": optional(
            Object({}, {"allowed_tools": optional(array(text)), "enabled": optional(boolean)})
        ),
    },
)

# In the order in which the API looks at them; the fields of betas, whose place is not known, come last.
FIELDS: dict[str, Shape] = {
    "model": _model,
    "tool_choice": TOOL_CHOICE,
    "tools": array(Union(TOOLS, default="custom", hidden=BETA_TOOLS)),
    "messages": array(_message),
    "system": array(_SYSTEM_TEXT, or_text=True),
    "thinking": THINKING,
    "output_config": OUTPUT_CONFIG,
    "cache_control": CACHE,
    "max_tokens": at_least(0, "must be greater than or equal to 0"),
    "metadata": optional(Object({}, {"user_id": optional(text)})),
    "stop_sequences": optional(array(text)),
    "temperature": unit_range,
    "service_tier": one_of("auto", "standard_only"),
    "top_k": integer,
    "top_p": unit_range,
    "stream": boolean,
    "container": optional(_CONTAINER),
    "inference_geo": optional(_geo),
    "speed": optional(one_of("standard", "fast")),
    "diagnostics": optional(Object({}, {"previous_message_id": optional(text)})),
    "context_management": optional(Object({}, {"edits": array(json_object)})),
    "mcp_servers": array(_MCP_SERVER),
    "billing_policy": optional(json_object),
    "compaction": optional(json_object),
    "fallback_credit_token": optional(anything),
    "fallbacks": optional(anything),
    "output_format": optional(_FORMAT),
    "safeguards": optional(anything),
}
REQUIRED = frozenset({"model", "messages", "max_tokens"})  # those that the endpoint knows

# https://platform.claude.com/docs/en/api/messages-count-tokens; that it refuses the others was seen by several.
COUNT_TOKENS = frozenset(
    {
        "model",
        "messages",
        "billing_policy",
        "cache_control",
        "compaction",
        "context_management",
        "mcp_servers",
        "output_config",
        "output_format",
        "speed",
        "system",
        "thinking",
        "tool_choice",
        "tools",
    }
)
