"""What the API refuses: the rules of the stand-in.

`check_http` looks at a request before its body is read as JSON (size, key, version, betas), `parse_body` reads the
body, `check` looks at the parsed body. Each returns the first refusal in the API's own order, or None. Nothing here
does I/O per request or raises, whatever the request holds. Pure Python: it runs in a browser too.

A rule is a function named as its entry in catalogue.json: it returns None, or the values for the placeholders of
the entry's message. Texts, status and evidence are in the catalogue alone. The order is the one of the catalogue's
`validation_order`: field by field, then unknown keys, then the conversation, then the container.
"""

from collections.abc import Callable, Mapping
from typing import Any

from course.standin.rules import (
    catalogue,
    http,
    limits,
    messages,
    naming,
    params,
    server_tools,
    shapes,
    thinking,
    tool_loop,
    tools,
)
from course.standin.rules.hints import hint
from course.standin.rules.request import Place, Refusal, Request, Values

__all__ = ["Refusal", "Request", "check", "check_http", "hint", "parse_body"]

Rule = Callable[..., Values | None]

HTTP_RULES: tuple[Rule, ...] = (
    http.request_too_large,
    http.no_api_key,
    http.bad_api_key,
    http.no_version,
    http.bad_version,
    http.invalid_beta,
)

# Names for faults in the shapes: rules that know a place of their own.
SHAPE_RULES: tuple[Callable[[shapes.Fault], Values | None], ...] = (
    params.model_missing,
    params.model_empty,
    tools.tool_choice_bad_tag,
    tools.tool_choice_not_object,
    tools.tools_not_array,
    tools.tool_name_pattern,
    tools.input_schema_missing,
    tools.input_schema_type_missing,
    tools.input_schema_type_not_object,
    messages.messages_missing,
    messages.messages_not_array,
    messages.message_not_object,
    messages.role_missing,
    messages.content_missing,
    messages.content_is_message,
    messages.content_is_block,
    messages.content_wrong_type,
    messages.content_item_not_block,
    messages.block_type_missing,
    messages.block_tag_unknown,
    messages.message_extra_key,
    tool_loop.tool_result_missing_id,
    tool_loop.tool_result_wrong_type,
    tool_loop.tool_result_list,
    tool_loop.tool_use_id_pattern,
    tool_loop.tool_use_input_not_object,
    thinking.thinking_signature_missing,
    thinking.budget_minimum,
    params.max_tokens_missing,
    params.max_tokens_negative,
    params.max_tokens_type,
    params.metadata_extra,
    params.stop_sequences_type,
    params.temperature_type,
    params.temperature_range,
)

# Asked when the field is there and its shape is right.
FIELD_RULES: dict[str, tuple[Rule, ...]] = {
    "model": (http.model_not_found,),
    "tool_choice": (
        tools.tool_choice_without_tools,
        tools.tool_choice_unknown_tool,
        tools.tool_choice_forced_unsupported,
    ),
    "tools": (
        tools.tool_type_unsupported,
        tools.tool_names_unique,
        tools.tools_all_deferred,
    ),
    "messages": (messages.messages_empty, messages.role_invalid),
    "system": (messages.system_text_empty,),
    "thinking": (
        thinking.block_binding_no_beta,
        thinking.thinking_enabled_unsupported,
        thinking.thinking_adaptive_unsupported,
        thinking.thinking_disabled_sonnet55,
        thinking.thinking_disabled_unsupported,
        thinking.budget_over_max,
        thinking.thinking_forced_tool,
    ),
    "output_config": (
        params.effort_unsupported,
        params.effort_level_unsupported,
        params.thinking_disabled_effort,
        tools.output_schema_additional_properties,
        tools.output_schema_keywords,
    ),
    "max_tokens": (params.max_tokens_over_model,),
    "metadata": (params.metadata_email,),
    "stop_sequences": (params.stop_sequence_whitespace,),
    "temperature": (params.temperature_deprecated, params.thinking_temperature),
    "top_k": (params.temperature_deprecated, thinking.thinking_top_k),
    "top_p": (params.temperature_deprecated, params.temperature_and_top_p),
}
SCHEMA_RULES: tuple[Rule, ...] = (
    tools.input_schema_top_level_combinator,
    tools.input_schema_invalid,
)
STRICT_RULES: tuple[Rule, ...] = (tools.strict_additional_properties, tools.strict_schema_keywords)
SYSTEM_RULES: tuple[Rule, ...] = (
    messages.system_content_empty,
    messages.system_block_types,
    messages.role_system_first,
    messages.role_system_unsupported_model,
    messages.role_system_position,
    messages.system_item_whitespace,
)
EMPTY_RULES: tuple[Rule, ...] = (
    messages.no_results_collected,
    messages.user_empty_content,
    messages.all_messages_nonempty,
)
EMPTY_TEXT_RULES: tuple[Rule, ...] = (messages.cache_control_empty_text, messages.text_empty)
# About a conversation that ends with the assistant.
PREFILL_RULES: tuple[Rule, ...] = (
    messages.prefill_unsupported,
    thinking.thinking_prefill,
    thinking.thinking_final_disabled,
    thinking.thinking_final_block,
    messages.final_assistant_trailing_ws,
)
CACHE_RULES: tuple[Rule, ...] = (params.cache_control_max, params.cache_control_ttl_order)

LAST_RULES: tuple[Rule, ...] = (params.container_without_code_execution, limits.prompt_too_long)

Found = tuple[Rule, Values] | None

_ORDER = {field: place for place, field in enumerate(shapes.FIELDS)}
_FIELDS = {field: (shape, FIELD_RULES.get(field, ())) for field, shape in shapes.FIELDS.items()}
_ONLY_TEXT = frozenset({"text"})


def check_http(method: str, path: str, headers: Mapping[str, str], body: bytes) -> Refusal | None:
    """The refusal of a request for what stands around its body. `headers` have lower-case names."""
    for rule in HTTP_RULES:
        values = rule(headers, body)
        if values is not None:
            return catalogue.refusal(rule.__name__, **values)
    return None


def parse_body(body: bytes) -> dict[str, Any] | Refusal:
    """The JSON object in a body, or the refusal of a body that is none."""
    text = None
    try:
        text = body.decode("utf-8")
        value = http.read_json(text)
    except (ValueError, RecursionError) as error:
        return catalogue.refusal("body_not_json", **http.body_not_json(text, error))
    return value if http.body_not_object(value) is None else catalogue.refusal("body_not_object")


def check(request: Request) -> Refusal | None:
    """The refusal of a request to `/v1/messages` or `/v1/messages/count_tokens`, or None if the API would take it."""
    body = request.body
    known = shapes.COUNT_TOKENS if request.count_tokens else shapes.FIELDS.keys()
    # Sorted, not walked through: of all fields that there are a request has few.
    for field in sorted(known & (body.keys() | shapes.REQUIRED), key=_ORDER.__getitem__):
        if field not in body:
            return _refuse_shape(shapes.Fault("missing", "Field required", [field]))
        shape, rules = _FIELDS[field]
        fault = shape(body[field])
        if fault:
            return _refuse_shape(fault.under(field))
        for rule in rules:
            values = rule(request)
            if values is not None:
                return _refuse((rule, values))
        if field == "tools" and (found := _tool_fault(request)):
            return _refuse(found)
    if not body.keys() <= known:
        unknown = next(key for key in body if key not in known)
        return catalogue.refusal("extra_inputs", key=unknown)
    found = _conversation_fault(request) or _first(LAST_RULES, request)
    return _refuse(found) if found else None


def _first(rules: tuple[Rule, ...], *arguments: Any) -> Found:
    """The first rule that refuses, with its values."""
    for rule in rules:
        values = rule(*arguments)
        if values is not None:
            return rule, values
    return None


def _refuse(found: tuple[Rule, Values]) -> Refusal:
    rule, values = found
    return catalogue.refusal(rule.__name__, **values)


def _refuse_shape(fault: shapes.Fault) -> Refusal:
    rule, values = naming.name(fault, SHAPE_RULES)
    return catalogue.refusal(rule, **values)


def _tool_fault(request: Request) -> Found:
    """What is wrong with a single tool."""
    for index, tool in enumerate(request.body["tools"]):
        found = None
        if "input_schema" in tool:
            found = _first(SCHEMA_RULES, request, index, tool)
            if found is None and tool.get("strict") is True:
                found = _first(STRICT_RULES, request, index, tool)
        if found is None and tool.get("defer_loading"):
            found = _first((tools.deferred_cache_control,), request, index, tool)
        if found:
            return found
    return None


def _conversation_fault(request: Request) -> Found:
    """What is wrong with the messages taken together. By now all types are right."""
    marks = params.cache_marks(request)
    found = (marks and _first(CACHE_RULES, request, marks)) or _message_fault(request)
    if found:
        return found
    turns = request.turns
    for turn in turns:
        for place, block in turn.blocks:
            if block["type"] == "text":
                if not block["text"]:
                    found = _first(EMPTY_TEXT_RULES, request, place, block)
            elif block["type"] == "tool_result" and type(block.get("content")) is list:
                found = _inner_fault(request, place, block["content"])
            if found:
                return found
        values = messages.text_whitespace(request, turn)
        if values is not None:
            return messages.text_whitespace, values
    only_text = request.kinds <= _ONLY_TEXT
    if not only_text:
        found = _loop_fault(request)
    if found is None and turns:
        if turns[-1].role == "assistant":
            found = _first(PREFILL_RULES, request, turns[-1])
        elif request.body["messages"][-1]["role"] == "assistant":  # and it is empty: no turn
            found = _first((messages.prefill_unsupported,), request, turns[-1])
    if found is None and not only_text:
        found = limits.first_file_fault(request)
    return found


def _loop_fault(request: Request) -> Found:
    """What is wrong with calls, results and thinking."""
    found = tool_loop.first_fault(request)
    if found is None and "server_tool_use" in request.kinds:
        found = server_tools.first_fault(request)
    if found is None:
        found = _first((thinking.thinking_must_come_first,), request)
    if found is None and "thinking" in request.kinds:
        found = thinking.first_fault(request)
    return found


def _message_fault(request: Request) -> Found:
    """What is wrong with single messages: system messages, the first role, empty contents."""
    sent = request.body["messages"]
    last = len(sent) - 1
    for i, message in enumerate(sent):
        if message["role"] == "system" and not (message["content"] == [] and message.get("output_config")):
            found = _first(SYSTEM_RULES, request, i, message)
            if found:
                return found
    values = messages.first_message_not_user(request)
    if values is not None:
        return messages.first_message_not_user, values
    run_starts = 0
    for i, message in enumerate(sent):
        if i and message["role"] != sent[i - 1]["role"]:
            run_starts = i
        if message["content"]:
            continue
        # A run of messages of one role is one turn: it is empty if all of them are.
        run_ends = i == last or sent[i + 1]["role"] != message["role"]
        if run_ends and message["role"] != "system" and not any(part["content"] for part in sent[run_starts:i]):
            found = _first(EMPTY_RULES, request, run_starts, message["role"], i == last)
            if found:
                return found
    return None


def _inner_fault(request: Request, place: Place, content: list[Any]) -> Found:
    """The same for the texts inside a tool result; and the tools that it refers to."""
    for k, part in enumerate(content):
        if part["type"] == "text" and not part["text"]:
            inner = Place(place.i, f"{place.j}.tool_result.content.{k}", place.role)
            found = _first(EMPTY_TEXT_RULES, request, inner, part)
        elif part["type"] == "tool_reference":
            found = _first((tools.tool_reference_unknown,), request, part)
        else:
            continue
        if found:
            return found
    return None
