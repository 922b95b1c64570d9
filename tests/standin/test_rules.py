"""Every rule of the catalogue refuses its example with the exact status, type and message, and its whole kind too."""

import base64
import copy
import inspect
import json
import re

import anthropic
import pytest
from anthropic.types import ImageDimensionsTooLargeErrorDetails

from course import models
from course.standin import ids, rules
from course.standin.core import handle
from course.standin.rules import (
    catalogue,
    hints,
    http,
    limits,
    messages,
    params,
    server_tools,
    thinking,
    tool_loop,
    tools,
)

HEADERS = {"authorization": "Bearer sk-ant-test", "anthropic-version": "2026-10-21"}
ENTRIES = catalogue.entries()
ENFORCED = [rule for rule, entry in ENTRIES.items() if entry["enforce"] is True]

WEATHER = {
    "name": "get_weather",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
# Models by what they do: "old" takes prefills, temperature and manual thinking; "new" does not.
OLD, NEW, BOUND = "claude-haiku-4-5", "claude-opus-5", "claude-opus-5-5"


def user(content):
    return {"role": "user", "content": content}


def assistant(content):
    return {"role": "assistant", "content": content}


def system(content, **more):
    return {"role": "system", "content": content, **more}


def text(words, **more):
    return {"type": "text", "text": words, **more}


def call(id="toolu_a", **more):
    return {"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": "Paris"}, **more}


def result(id="toolu_a", content="21C", **more):
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def image(data, media_type="image/png"):
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def pdf(data):
    source = {"type": "base64", "media_type": "application/pdf", "data": data}
    return {"type": "document", "source": source}


def png(width, height):
    return base64.b64encode(catalogue.png(width, height)).decode()


def request(*sent, model=NEW, max_tokens=64, **more):
    """A request; without messages, a question."""
    return {"model": model, "max_tokens": max_tokens, "messages": list(sent) or [user("Weather in Paris?")], **more}


def loop(*sent, **more):
    """A request with the weather tool."""
    return request(*sent, tools=[WEATHER], **more)


def ask(body, path="/v1/messages", **headers):
    """(status, error, rule) of the stand-in's answer; error is None when it took the request."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {name: value for name, value in (HEADERS | headers).items() if value is not None}
    response = handle("POST", path, sent, raw)
    if response.status == 200:
        return 200, None, None
    answer = json.loads(b"".join(response.chunks))
    assert answer["type"] == "error"
    assert answer["request_id"] == response.headers["request-id"]
    assert set(answer["error"]) - {"details"} == {"type", "message"}
    return response.status, answer["error"], response.rule


def message(body, path="/v1/messages", **headers):
    """The message with which a request is refused, or None."""
    error = ask(body, path, **headers)[1]
    return error and error["message"]


def pattern(template):
    """A regular expression for a message of the catalogue."""
    return re.sub(r"\\\{\w+\\\}", "(.+)", re.escape(template))


def send_example(rule, path="/v1/messages", **changes):
    """Send the catalogue's example of a rule; returns what `ask` does."""
    example = catalogue.example(rule)
    headers = {name.lower(): value for name, value in (example.get("headers") or {}).items()}
    if "x-api-key" in headers:
        headers["authorization"] = None
    raw = example["raw"].encode() if "raw" in example else json.dumps(example["body"] | changes).encode()
    return ask(raw, path, **headers)


# --- The catalogue, entry by entry


@pytest.mark.parametrize("rule", ENFORCED)
def test_example_is_refused_in_the_words_of_the_catalogue(rule):
    entry = ENTRIES[rule]
    status, error, by = send_example(rule)
    assert (status, error["type"], by) == (entry["status"], entry["type"], rule)
    assert re.fullmatch(pattern(entry["message"]), error["message"]), error["message"]


# In count_tokens there is no max_tokens, and no reply to be steered.
NOT_COUNTED = {
    "max_tokens_missing", "max_tokens_negative", "max_tokens_type", "max_tokens_over_model", "temperature_range",
    "temperature_type", "temperature_and_top_p", "temperature_deprecated", "thinking_temperature", "budget_over_max",
    "stop_sequence_whitespace", "stop_sequences_type", "metadata_extra", "field_choice",
    "container_without_code_execution", "metadata_email", "thinking_top_k",
}  # fmt: skip


@pytest.mark.parametrize("variant", ["stream", "beta", "count_tokens"])
@pytest.mark.parametrize("rule", [rule for rule in ENFORCED if "body" in ENTRIES[rule]["example"]])
def test_example_is_refused_alike_by_each_way_in(rule, variant):
    if variant == "stream":
        assert send_example(rule, stream=True) == send_example(rule)
    elif variant == "beta":
        assert send_example(rule, "/v1/messages?beta=true") == send_example(rule)
    elif rule not in NOT_COUNTED:
        example = catalogue.example(rule)
        headers = {name.lower(): value for name, value in (example.get("headers") or {}).items()}
        if "x-api-key" in headers:
            headers["authorization"] = None
        body = {key: value for key, value in example["body"].items() if key != "max_tokens"}
        assert ask(body, "/v1/messages/count_tokens", **headers) == send_example(rule)


@pytest.mark.parametrize("rule", [rule for rule, entry in ENTRIES.items() if entry["enforce"] is not True])
def test_what_is_not_enforced_is_let_through(rule):
    assert send_example(rule) == (200, None, None)


@pytest.mark.parametrize("rule", ENFORCED)
def test_each_rule_is_a_documented_function_of_its_name(rule):
    if rule.startswith("field_"):
        return  # the general names of naming.py
    found = [getattr(module, rule) for module in MODULES if hasattr(module, rule)]
    assert len(found) == 1
    assert "Usually" in found[0].__doc__  # the mistake behind it
    assert len(inspect.getsource(found[0]).splitlines()) < 40


MODULES = (http, params, tools, messages, tool_loop, server_tools, thinking, limits)


def test_catalogue_says_how_sure_it_is():
    meta = catalogue.load()["meta"]
    for entry in ENTRIES.values():
        assert entry["confidence"] in meta["confidence"]
        assert entry["enforce"] in (True, False, "fault")
        assert entry["trigger"]
        assert all(item.startswith("https://") or " " in item for item in entry["evidence"])
    assert "none of it was checked" in meta["wording"]


def test_refusals_are_filled_once():
    refusal = catalogue.refusal("extra_inputs", key="{key} {path}")
    assert refusal.message == "{key} {path}: Extra inputs are not permitted"
    assert catalogue.refusal("extra_inputs").message == "{key}: Extra inputs are not permitted"


# --- Advice


@pytest.mark.parametrize("language", ["en", "zh", "de"])
def test_every_entry_has_advice_in_each_language(language):
    advice = hints.advice(language)
    assert list(advice) == list(ENTRIES)
    for entry in advice.values():
        assert set(entry) == {"mistake", "cure"}
        for sentence in entry.values():
            assert sentence and "\n" not in sentence and sentence[-1] in ".。"


def test_hint_names_rule_cure_and_place(monkeypatch):
    refusal = catalogue.refusal("max_tokens_missing")
    monkeypatch.delenv("COURSE_SITE", raising=False)
    assert rules.hint(refusal, "en") == (
        "max_tokens_missing: Add `max_tokens`, for instance 8000; thinking counts too. "
        "`course errors max_tokens_missing`"
    )
    monkeypatch.setenv("COURSE_SITE", "https://example.org/course")
    assert rules.hint(refusal, "de").endswith(" https://example.org/course/de/errors/#max_tokens_missing")
    assert rules.hint(refusal, "zh").endswith(" https://example.org/course/zh/errors/#max_tokens_missing")
    assert rules.hint(rules.Refusal("unknown_path", 404, "not_found_error", "Not Found"), "en") == ""


# --- The whole kind: other places, several ids, nested content, both forms of content

WITHOUT = (
    "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. "
    "Each `tool_use` block must have a corresponding `tool_result` block in the next message."
)
UNEXPECTED = (
    "messages.{}: unexpected `tool_use_id` found in `tool_result` blocks: {}. "
    "Each `tool_result` block must have a corresponding `tool_use` block in the previous message."
)
POSITION = (
    "messages.{}: role 'system' must precede an 'assistant' message or end the array; "
    "the directive-only form (content: [] with output_config) is accepted at any position"
)
AFTER = (
    "messages.{}: role 'system' must follow a 'user' message or an 'assistant' message ending in a server tool result; "
    "the directive-only form (content: [] with output_config) is accepted at any position"
)
DONE = [user("Weather?"), assistant([text("Sure."), call()]), user([result()]), assistant("21C.")]

FIVE_MINUTES = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
DEFERRED = {**WEATHER, "defer_loading": True}
SEARCH = {"type": "tool_search_tool_regex_20251119", "name": "tool_search_tool_regex"}
MANUAL = {"type": "enabled", "budget_tokens": 1024}
REDACTED = {"type": "redacted_thinking", "data": "x"}
THOUGHT = {"type": "thinking", "thinking": "", "signature": ids.sign("", b"0" * 16)}


def reference(name):
    return {"type": "tool_reference", "tool_name": name}


def searching(id="srvtoolu_1", name="web_search"):
    return {"type": "server_tool_use", "id": id, "name": name, "input": {"query": "x"}}


def found(id="srvtoolu_1"):
    return {"type": "web_search_tool_result", "tool_use_id": id, "content": []}


def closed(schema):
    return {"type": "object", "properties": {"a": schema}, "additionalProperties": False}


def structured(schema):
    return request(output_config={"format": {"type": "json_schema", "schema": closed(schema)}})


def strict(schema):
    return request(tools=[{"name": "x", "strict": True, "input_schema": closed(schema)}])


KINDS = [
    # the loop
    ("tool_use_without_result", loop(user("a"), assistant([call()])), WITHOUT.format(1, "toolu_a")),
    (
        "tool_use_without_result",
        loop(*DONE, user("Oslo and Rome?"), assistant([call("b"), call("c")]), user("hm")),
        WITHOUT.format(5, "b, c"),
    ),
    (
        "tool_use_without_result",
        loop(user("a"), assistant("Let me see."), assistant([call()]), user([text("thanks")])),
        WITHOUT.format(2, "toolu_a"),
    ),
    (
        "tool_use_partial_results",
        loop(user("a"), assistant([call("a"), call("b"), call("c")]), user([result("b")])),
        WITHOUT.format(1, "a, c"),
    ),
    (
        "text_before_tool_result",
        loop(user("a"), assistant([call("a"), call("b")]), user([result("a"), text("and"), result("b")])),
        WITHOUT.format(1, "b"),
    ),
    # two user messages are one turn, so the text of the first stands before the result of the second
    (
        "text_before_tool_result",
        loop(user("a"), assistant([call()]), user("Here:"), user([result()])),
        WITHOUT.format(1, "toolu_a"),
    ),
    (
        "unexpected_tool_use_id",
        loop(user("a"), assistant([call()]), user([result("toolu_b")])),
        UNEXPECTED.format("2.content.0", "toolu_b"),
    ),
    (
        "tool_result_sent_again",
        loop(*DONE, user([text("and"), result()])),
        UNEXPECTED.format("4.content.1", "toolu_a"),
    ),
    # a result without its call: five mistakes, one sentence
    ("reply_not_appended", loop(user("a"), user([result()])), UNEXPECTED.format("1.content.0", "toolu_a")),
    (
        "reply_not_appended",
        loop(*DONE[:3], user([result("toolu_b")])),
        UNEXPECTED.format("3.content.0", "toolu_b"),
    ),
    (
        "reply_not_appended",  # the results were appended in front of their reply
        loop(user("a"), user([result()]), assistant([call()])),
        UNEXPECTED.format("1.content.0", "toolu_a"),
    ),
    (
        "reply_without_calls",
        loop(user("a"), assistant("Let me see."), user([result()])),
        UNEXPECTED.format("2.content.0", "toolu_a"),
    ),
    (
        "tool_result_sent_again",
        loop(*DONE[:3], assistant([call("toolu_b")]), user([result(), result("toolu_b")])),
        UNEXPECTED.format("4.content.0", "toolu_a"),
    ),
    (
        "unexpected_tool_use_id",
        loop(user("a"), assistant([call()]), user("Here:"), user([result("get_weather")])),
        UNEXPECTED.format("3.content.0", "get_weather"),
    ),
    (
        "unexpected_tool_use_id",
        loop(user("a"), assistant([call("a"), call("b")]), user([result("a"), result("c")])),
        UNEXPECTED.format("2.content.1", "c"),
    ),
    *[
        (
            "tool_result_missing_id",
            loop(*DONE[:2], user([result(id=value)])),
            "messages.2.content.0.tool_result.tool_use_id: Input should be a valid string",
        )
        for value in (None, 7)
    ],
    ("orphan_tool_result_first", loop(user([result("x")]), *DONE[1:3]), UNEXPECTED.format("0.content.0", "x")),
    (
        "tool_use_ids_unique",
        loop(*DONE, user("and now?"), assistant([call()]), user([result()])),
        "messages.5.content.0: `tool_use` ids must be unique",
    ),
    (
        "multiple_results_same_id",
        loop(user("a"), assistant([call("a"), call("b")]), user([result("a"), result("b")]), user([result("b")])),
        "messages.3.content.0: each tool_use must have a single result. Found multiple `tool_result` blocks with id: b",
    ),
    (
        "tool_result_in_assistant",
        loop(*DONE, user("a"), assistant([text("x"), result()])),
        "messages.5: `tool_result` blocks can only be in `user` messages",
    ),
    (
        "tool_use_in_user",
        loop(*DONE, user([text("x"), call("b")])),
        "messages.4: `tool_use` blocks can only be in `assistant` messages",
    ),
    (
        "unexpected_server_tool_result",
        request(
            user("a"),
            assistant([{"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_x", "content": {}}]),
            user("b"),
        ),
        "messages.1.content.0: unexpected `tool_use_id` found in `code_execution_tool_result` blocks: srvtoolu_x. Each "
        "`code_execution_tool_result` block must have a corresponding `server_tool_use` block before it.",
    ),
    (
        "tool_result_missing_id",
        loop(*DONE[:2], user([result(), {"type": "tool_result", "id": "x"}])),
        "messages.2.content.1.tool_result.tool_use_id: Field required",
    ),
    (
        "tool_use_id_pattern",
        loop(user("a"), assistant([text("x"), call("")])),
        "messages.1.content.1.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ),
    *[
        (
            "tool_use_input_not_object",
            loop(user("a"), assistant([call(input=value)]), user([result()])),
            "messages.1.content.0.tool_use.input: Input should be an object",
        )
        for value in (None, [], "x", 3)
    ],
    # tools
    *[
        (
            "tool_name_pattern",
            request(tools=[WEATHER, {**WEATHER, "name": name}]),
            "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        )
        for name in ("a.b", "a/b", "größe", "ok\n")
    ],
    *[
        (
            "tool_name_pattern",
            request(tools=[WEATHER, {**WEATHER, "name": name}]),
            "tools.1.custom.name: String should have at most 128 characters",
        )
        for name in ("x" * 129, "a b" * 43)  # the length is looked at before the characters
    ],
    (
        "field_value",
        request(tools=[{**WEATHER, "name": ""}]),
        "tools.0.custom.name: String should have at least 1 character",
    ),
    (
        "tool_names_unique",
        request(tools=[{"type": "bash_20250124", "name": "bash"}, {**WEATHER, "name": "bash"}]),
        "tools: Tool names must be unique.",
    ),
    (
        "input_schema_missing",
        request(tools=[WEATHER, {"type": "custom", "name": "x", "parameters": {}}]),
        "tools.1.custom.input_schema: Field required",
    ),
    *[
        (
            "input_schema_type_not_object",
            request(tools=[{"name": "x", "input_schema": {"type": kind}}]),
            "tools.0.custom.input_schema.type: Input should be 'object'",
        )
        for kind in ("array", ["object"], None, 1)
    ],
    ("tool_choice_without_tools", request(tools=[], tool_choice={"type": "any"}), None),
    ("tool_choice_unknown_tool", loop(model=OLD, tool_choice={"type": "tool", "name": "Get_weather"}), None),
    ("tool_choice_bad_tag", loop(tool_choice={"type": "function"}), None),
    ("tool_choice_not_object", loop(tool_choice=None), None),
    ("tool_choice_forced_unsupported", loop(model=BOUND, tool_choice={"type": "tool", "name": "get_weather"}), None),
    ("tools_not_array", request(tools="get_weather"), None),
    # messages
    ("message_not_object", request(user("a"), 7), "messages.1: Input should be an object"),
    ("role_missing", request(user("a"), {"content": []}), "messages.1.role: Field required"),
    ("content_missing", request(user("a"), {"role": "assistant"}), "messages.1.content: Field required"),
    *[
        (rule, request(user("a"), user(value)), "messages.1.content: Input should be a valid array")
        for rule, value in (
            *[("content_wrong_type", value) for value in (None, 7, {}, True)],
            ("content_is_block", result()),
            ("content_is_block", text("a")),
            ("content_is_message", assistant("a")),
            ("content_is_message", {"id": "msg_1", "type": "message", **assistant([text("a")])}),
        )
    ],
    (
        "content_is_message",
        loop(*DONE[:2], user([user([result()])])),
        "messages.2.content.0.type: Field required",
    ),
    (
        "content_is_message",
        request(user("a"), assistant([{"id": "msg_1", "type": "message", **assistant([text("a")])}]), user("b")),
        "messages.1.content.0: Input tag 'message' found using 'type' does not match any of the expected tags:",
    ),
    *[
        ("content_item_not_block", request(user([text("a"), value])), "messages.0.content.1: Input should be an object")
        for value in ("21C", None, [result()], 7)
    ],
    ("block_type_missing", request(user([text("a"), {}])), "messages.0.content.1.type: Field required"),
    ("field_type", request(user([{"type": None}])), "messages.0.content.0.type: Input should be a valid string"),
    ("role_invalid", request(user("a"), {"role": "developer", "content": "x"}), None),
    ("role_system_unsupported_model", request(user("a"), system("x"), model=OLD), None),
    ("role_system_position", request(user("a"), system("x"), system("y"), user("b")), POSITION.format(2)),
    ("role_system_position", request(user("a"), assistant("b"), system("x"), user("c")), AFTER.format(2)),
    (
        "role_system_position",
        request(user("a"), assistant("b"), system("x"), assistant("c"), user("d")),
        AFTER.format(2),
    ),
    ("role_system_position", request(user("a"), assistant([text("b")]), system("x")), AFTER.format(2)),
    ("role_system_position", request(user("a"), system("x"), assistant("b"), system("y")), AFTER.format(3)),
    ("role_system_position", loop(user("a"), assistant([call()]), system("x"), user([result()])), AFTER.format(2)),
    (
        "system_item_whitespace",
        request(user("a"), assistant("b"), user("c"), system([text("x"), text(" ")])),
        "messages.3: system text blocks must contain non-whitespace text",
    ),
    ("first_message_not_user", request(assistant([text("hi")]), user("a")), None),
    *[
        ("user_empty_content", request(*sent), f"messages.{len(sent) - 1}: user messages must have")
        for sent in ([user("a"), assistant("b"), user("")], [user("")], [user([])])
    ],
    (
        "user_empty_content",
        request(user("a"), assistant("b"), user(""), user([])),
        "messages.2: user messages must have non-empty content",
    ),
    (
        "all_messages_nonempty",
        request(user("a"), assistant("b"), user("c"), assistant(""), user("d")),
        "messages.3: all messages must have non-empty content except for the optional final assistant message",
    ),
    ("text_empty", request(user("a"), assistant([text("")]), user("b")), None),
    ("text_empty", loop(*DONE[:2], user([result(content=[text("")])])), None),
    ("text_whitespace", request(user("\t\n")), None),
    ("text_whitespace", request(user("a"), assistant([text(" "), text("\n")]), user("b")), None),
    ("text_whitespace", loop(user("a"), assistant([text("\n\n"), call()]), user([result()])), None),
    ("prefill_unsupported", request(user("a"), assistant([text("{")])), None),
    *[("prefill_unsupported", request(user("a"), assistant(end)), None) for end in ("Answer: ", "", [])],
    ("prefill_unsupported", loop(*DONE, assistant([])), None),
    ("final_assistant_trailing_ws", request(user("a"), assistant([text("a"), text("b\n")]), model=OLD), None),
    (
        "message_extra_key",
        request(user("a"), {"id": "msg_1", **assistant("x")}),
        "messages.1.id: Extra inputs are not permitted",
    ),
    (
        "message_extra_key",
        request({**user("a"), "output_config": {"effort": "low"}}),
        "messages.0.output_config: Extra inputs are not permitted",
    ),
    # parameters
    ("max_tokens_type", request(max_tokens=64.0), None),
    ("max_tokens_type", request(max_tokens=True), None),
    ("max_tokens_type", request(max_tokens=None), None),
    (
        "max_tokens_over_model",
        request(max_tokens=128_001),
        "max_tokens: 128001 > 128000, which is the maximum allowed number of output tokens for claude-opus-5",
    ),
    ("temperature_range", request(model=OLD, temperature=-0.1), "temperature: range: 0..1"),
    ("temperature_type", request(model=OLD, temperature=None), "temperature: Input should be a valid number"),
    ("temperature_deprecated", request(top_p=0.9), "`top_p` is deprecated for this model."),
    ("temperature_deprecated", request(top_k=5), "`top_k` is deprecated for this model."),
    ("extra_inputs", request(n=1), "n: Extra inputs are not permitted"),
    ("stop_sequence_whitespace", request(stop_sequences=["END", ""]), None),
    (
        "metadata_extra",
        request(metadata={"user_id": "u", "team": "x"}),
        "metadata.team: Extra inputs are not permitted",
    ),
    (
        "effort_level_unsupported",
        request(model="claude-opus-4-5", output_config={"effort": "max"}),
        "This model does not support effort level 'max'. Supported levels: high, low, medium.",
    ),
    (
        "thinking_disabled_effort",
        request(thinking={"type": "disabled"}, output_config={"effort": "xhigh"}),
        "output_config.effort 'xhigh' is not supported when thinking is disabled on this model. "
        "Use effort 'high' or below, or enable thinking.",
    ),
    (
        "cache_control_max",
        request(
            user([text("a", cache_control={"type": "ephemeral"})]),
            system=[text("b", cache_control={"type": "ephemeral"})] * 2,
            tools=[{**WEATHER, "cache_control": {"type": "ephemeral"}}],
            cache_control={"type": "ephemeral"},
        ),
        "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ),
    (
        "cache_control_empty_text",
        loop(*DONE[:2], user([result(content=[text("x"), text("", cache_control={"type": "ephemeral"})])])),
        "messages.2.content.0.tool_result.content.1.text: cache_control cannot be set for empty text blocks",
    ),
    (
        "system_text_empty",
        request(system=[text("a"), text("", cache_control={"type": "ephemeral"})]),
        "system.1: cache_control cannot be set for empty text blocks",
    ),
    # thinking
    (
        "thinking_enabled_unsupported",
        request(max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 1024}),
        None,
    ),
    ("thinking_disabled_unsupported", request(model="claude-fable-5", thinking={"type": "disabled"}), None),
    ("budget_over_max", request(model=OLD, max_tokens=1024, thinking={"type": "enabled", "budget_tokens": 1024}), None),
    (
        "thinking_temperature",
        request(model="claude-sonnet-4-6", temperature=0.2, thinking={"type": "adaptive"}),
        "`temperature` may only be set to 1 when thinking is enabled or in adaptive mode. Please consult",
    ),
    ("budget_over_max", loop(model=OLD, max_tokens=1024, thinking={"type": "enabled", "budget_tokens": 2048}), None),
    (
        "thinking_forced_tool",
        loop(
            model=OLD,
            max_tokens=4096,
            thinking={"type": "enabled", "budget_tokens": 1024},
            tool_choice={"type": "tool", "name": "get_weather"},
        ),
        None,
    ),
    (
        "thinking_signature_invalid",
        request(user("a"), assistant([{"type": "thinking", "thinking": "", "signature": "not base64!"}]), user("b")),
        "messages.1.content.0: Invalid `signature` in `thinking` block",
    ),
    (
        "block_binding_no_beta",
        request(model=OLD, max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 1024, "block_binding": {}}),
        "thinking.enabled.block_binding: Extra inputs are not permitted",
    ),
    *[
        (
            "thinking_prefill",
            request(user("a"), assistant(prefill), model=OLD, max_tokens=4096, thinking=MANUAL),
            "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.",
        )
        for prefill in ("It is", [text("It is")])
    ],
    (
        "prefill_unsupported",
        request(user("a"), assistant("It is"), model="claude-sonnet-4-6", max_tokens=4096, thinking=MANUAL),
        None,
    ),
    *[
        (
            "thinking_final_block",
            request(user("a"), assistant(blocks), model=OLD, max_tokens=4096, thinking=MANUAL),
            f"messages.1: The final block in an assistant message cannot be `{blocks[-1]['type']}`.",
        )
        for blocks in ([REDACTED], [THOUGHT], [REDACTED, text("Let me see."), THOUGHT])
    ],
    *[
        (
            "thinking_final_disabled",
            request(user("a"), assistant([THOUGHT, text("It is")]), model=OLD, max_tokens=4096, **off),
            "messages.1.content.0: When thinking is disabled, an `assistant` message in the final position",
        )
        for off in ({}, {"thinking": {"type": "disabled"}})
    ],
    (
        "thinking_top_k",
        request(model="claude-sonnet-4-6", max_tokens=4096, top_k=1, thinking=MANUAL),
        "`top_k` must be unset when thinking is enabled.",
    ),
    # deferred tools
    ("tools_all_deferred", request(tools=[DEFERRED, {**DEFERRED, "name": "b"}]), None),
    (
        "deferred_cache_control",
        request(tools=[WEATHER, {**DEFERRED, "name": "b", "cache_control": {"type": "ephemeral"}}]),
        "Tool 'b' cannot have both defer_loading=true and cache_control set.",
    ),
    (
        "tool_reference_unknown",
        loop(*DONE[:2], user([result(content=[reference("get_weather"), reference("get_time")])])),
        "Tool reference 'get_time' not found in available tools",
    ),
    ("tool_reference_unknown", request(*DONE[:2], user([result(content=[reference("get_weather")])])), None),
    # cache marks
    *[
        (
            "cache_control_ttl_order",
            request(*sent, **more),
            f"{at}.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m'",
        )
        for at, sent, more in (
            ("system.1", [], {"system": [text("a", **FIVE_MINUTES), text("b", **HOUR)]}),
            ("system.0", [], {"system": [text("b", **HOUR)], "tools": [{**WEATHER, **FIVE_MINUTES}]}),
            ("tools.1", [], {"tools": [{**WEATHER, **FIVE_MINUTES}, {**WEATHER, "name": "b", **HOUR}]}),
            (
                "messages.2.content.1",
                [user([text("a", **FIVE_MINUTES)]), assistant("b"), user([text("c"), text("d", **HOUR)])],
                {},
            ),
            (
                "messages.2.content.0.content.1",
                [*DONE[:2], user([result(content=[text("a"), text("b", **HOUR)])])],
                {"system": [text("b", cache_control={"type": "ephemeral", "ttl": "5m"})], "tools": [WEATHER]},
            ),
        )
    ],
    # what structured output does not take
    *[
        (rule, body, f"{path}: For {sentence}")
        for schema, sentence in (
            (
                {"type": "number", "minimum": 0, "maximum": 1},
                "'number' type, properties maximum, minimum are not supported",
            ),
            ({"type": ["integer", "null"], "multipleOf": 5}, "'integer' type, property 'multipleOf' is not supported"),
            ({"type": "string", "maxLength": 9}, "'string' type, property 'maxLength' is not supported"),
            (
                {"type": "array", "items": {"type": "string"}, "maxItems": 3},
                "'array' type, property 'maxItems' is not supported",
            ),
            (
                {"type": "array", "items": {}, "minItems": 8},
                "'array' type, 'minItems' values other than 0 or 1 are not supported",
            ),
            (
                {"anyOf": [{"type": "string"}, {"type": "string", "minLength": 1}]},
                "'string' type, property 'minLength'",
            ),
        )
        for rule, body, path in (
            ("output_schema_keywords", structured(schema), "output_config.format.schema"),
            ("strict_schema_keywords", strict(schema), "tools.0.custom"),
        )
    ],
    *[
        ("strict_additional_properties", strict({"type": "object", "additionalProperties": value}), sentence)
        for value, sentence in (
            (True, "tools.0.custom: For 'object' type, 'additionalProperties: true' is not supported. Please set"),
            ({"type": "string"}, "tools.0.custom: For 'object' type, 'additionalProperties: object' is not supported."),
        )
    ],
    (
        "output_schema_additional_properties",
        structured({"type": "object", "additionalProperties": True}),
        "output_config.format.schema: For 'object' type, 'additionalProperties: true' is not supported.",
    ),
    # calls of server tools
    *[
        (
            "server_tool_use_without_result",
            loop(*sent),
            f"messages.{i}: `{name}` tool use with id `srvtoolu_1` was found without a corresponding `{kind}_",
        )
        for i, name, kind, sent in (
            (1, "web_search", "web_search", [user("a"), assistant([searching()]), user("b")]),
            (
                1,
                "tool_search_tool_regex",
                "tool_search",
                [user("a"), assistant([searching(name="tool_search_tool_regex")]), user("b")],
            ),
            (
                1,
                "web_search",
                "web_search",
                [user("a"), assistant([searching(), call()]), user([result(), text("and Rome?")])],
            ),
            (
                1,
                "web_search",
                "web_search",
                [user("a"), assistant([searching(), call()]), user([result()]), assistant("ok"), user("b")],
            ),
        )
    ],
    ("metadata_email", request(metadata={"user_id": " reader@mail.example.org"}), None),
    # images, at the top and in a tool's result
    (
        "image_dimensions",
        request(user([text("a"), image(png(1, 8001))])),
        "messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: "
        "8000 pixels",
    ),
    (
        "image_dimensions",
        loop(*DONE[:2], user([result(content=[text("x"), image(png(8001, 1))])])),
        "messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions "
        "exceed max allowed size: 8000 pixels",
    ),
    (
        "image_dimensions",
        request(user([*[image(png(1, 1))] * 20, image(png(2001, 1))])),
        "messages.0.content.20.image.source.base64.data: At least one of the image dimensions exceed max allowed size "
        "for many-image requests: 2000 pixels",
    ),
    *[
        (
            "image_not_base64",
            request(user([image(data)])),
            "messages.0.content.0.image.source.base64: invalid base64 data",
        )
        for data in ("data:image/png;base64," + png(1, 1), "cat.png", "iVBORw0KGg", png(1, 1)[:-3] + "?", "größe")
    ],
    (
        "image_empty",
        loop(*DONE[:2], user([result(content=[image("")])])),
        "messages.2.content.0.tool_result.content.0.image.source.base64: image cannot be empty",
    ),
    (
        "image_media_type",
        loop(*DONE[:2], user([result(content=[text("x"), image(png(1, 1), "image/webp")])])),
        "messages.2.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/webp "
        "media type, but the image appears to be a image/png image",
    ),
    (
        "image_media_type",
        request(user([image(base64.b64encode(b"\xff\xd8\xff\xe0" + b"\0" * 20).decode())])),
        "messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the "
        "image appears to be a image/jpeg image",
    ),
    *[
        (
            "pdf_invalid",
            request(user([text("a"), pdf(data)])),
            "messages.0.content.1.pdf.source.base64.data: The PDF specified was not valid.",
        )
        for data in (base64.b64encode(b"<html>").decode(), "report.pdf", "")
    ],
    (
        "image_too_big",
        request(user([image("A" * 5_242_884)])),
        "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes",
    ),
    # the general ones
    ("field_missing", request(system=[{"type": "text"}]), "system.0.text: Field required"),
    ("field_missing", loop(tool_choice={"type": "tool"}), "tool_choice.tool.name: Field required"),
    ("field_type", request(user([text(7)])), "messages.0.content.0.text.text: Input should be a valid string"),
    ("field_type", request(stream=1), "stream: Input should be a valid boolean"),
    (
        "field_extra",
        request(user([{"type": "thinking", "thinking": "", "signature": "", "cache_control": {"type": "ephemeral"}}])),
        "messages.0.content.0.thinking.cache_control: Extra inputs are not permitted",
    ),
    (
        "field_choice",
        request(system=[text("a", cache_control={"type": "ephemeral", "ttl": "1d"})]),
        "system.0.cache_control.ephemeral.ttl: Input should be '5m' or '1h'",
    ),
    (
        "block_tag_unknown",
        loop(*DONE[:2], user([result(content=[{"type": "image_url"}])])),
        "messages.2.content.0.tool_result.content.0: Input tag 'image_url' found using 'type' does not match any of "
        "the expected tags: 'browser_state', 'document', 'image', 'search_result', 'text', 'tool_reference'",
    ),
    *[
        (
            "tool_result_wrong_type",
            loop(*DONE[:2], user([result(content=value)])),
            "messages.2.content.0.tool_result.content: Input should be a valid array",
        )
        for value in (None, 21, {"degrees": 21}, text("21C"), True)
    ],
    (
        "tool_result_list",
        loop(*DONE[:2], user([result(content=[text("a"), "b"])])),
        "messages.2.content.0.tool_result.content.1: Input should be an object",
    ),
    (
        "tool_result_list",
        loop(*DONE[:2], user([result(content=[{"title": "Sync"}])])),
        "messages.2.content.0.tool_result.content.0.type: Field required",
    ),
    *[
        (
            "no_results_collected",
            loop(user("a"), reply, user([])),
            "messages.2: user messages must have non-empty content",
        )
        for reply in (assistant([call()]), assistant("21C."))
    ],
    ("field_type", loop(*DONE[:2], user([result(is_error=None)])), "messages.2.content.0.tool_result.is_error: Input"),
    ("field_type", request(tools=[{**WEATHER, "description": None}]), "tools.0.custom.description: Input should be a"),
]


@pytest.mark.parametrize("rule, body, expected", KINDS, ids=[f"{n}-{kind[0]}" for n, kind in enumerate(KINDS)])
def test_rule_holds_for_its_kind(rule, body, expected):
    entry = ENTRIES[rule]
    status, error, by = ask(body)
    assert (status, error["type"], by) == (entry["status"], entry["type"], rule), error
    templates = [entry["message"], *entry.get("variants", {}).values()]
    assert any(re.fullmatch(pattern(template), error["message"]) for template in templates), error["message"]
    if expected:
        assert error["message"].startswith(expected)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "strng"},
        {"type": ["string", "any"]},
        {"type": "string", "required": True},
        {"type": "number", "exclusiveMinimum": True},
        {"type": "string", "pattern": "["},
        {"type": "string", "pattern": "(a"},
        {"type": "array", "items": [{"type": "string"}]},
        {"enum": "red"},
        {"minLength": -1},
        {"anyOf": []},
        {"properties": []},
        {"$ref": 1},
        {"properties": {"deep": {"items": {"not": {"type": "str"}}}}},
        "string",
        None,
    ],
)
@pytest.mark.parametrize("place", ["properties", "$defs"])
def test_invalid_schemas(part, place):
    tool = {"name": "x", "input_schema": {"type": "object", place: {"a": part}}}
    status, error, rule = ask(request(tools=[WEATHER, tool]))
    assert rule == "input_schema_invalid"
    assert error["message"].startswith("tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": True, "b": {}}},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
        {"type": "object", "properties": {"a": {"type": ["string", "null"], "format": "made-up", "x-own": [1]}}},
        {"type": "object", "$defs": {"P": {"type": "object"}}, "properties": {"p": {"$ref": "#/$defs/P"}}},
        {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^\p{L}+(?<year>\d{4})$"}}},
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": 0, "exclusiveMaximum": 5.5}}},
        {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "required": []},
        {"type": "object", "properties": {"type": {"type": "string"}, "required": {"type": "boolean"}}},
        {"type": "object", "properties": None, "required": None},
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": None},
    ],
)
def test_valid_schemas(schema):
    assert message(request(tools=[{"name": "x", "input_schema": schema}])) is None


def test_strict_looks_into_nested_objects():
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    tool = {"name": "x", "strict": True, "input_schema": closed | {"properties": {"a": {"type": "object"}}}}
    assert "must be explicitly set to false" in message(request(tools=[tool]))
    tool["input_schema"]["properties"]["a"] = closed
    assert message(request(tools=[tool])) is None


# --- What must pass

CACHED = {"cache_control": {"type": "ephemeral"}}
ACCEPTED = {
    "consecutive messages of one role": request(user("a"), user("b"), assistant("c"), assistant("d"), user("e")),
    "max_tokens 0": request(max_tokens=0),
    "text after tool results": loop(*DONE[:2], user([result(), text("and Rome?")])),
    "blank text beside real text": request(user([text(" "), text("real")])),
    "system message in mid-conversation": request(
        user("a"), system("b"), assistant("c"), user("d"), model="claude-opus-4-8"
    ),
    "system messages at the end": request(user("a"), system("b"), system([text("c")])),
    "system message after a server tool's result": request(
        user("a"),
        assistant(
            [
                {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
                {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
            ]
        ),
        system("b"),
    ),
    "directive after the assistant": request(
        user("a"), assistant("b"), system([], output_config={"effort": "low"}), user("c")
    ),
    "directive-only system message": request(
        user("a"), system([], output_config={"effort": "low"}), user("b"), assistant("c"), user("d")
    ),
    "string result": loop(*DONE[:2], user([result(content="x")])),
    "list result": loop(*DONE[:2], user([result(content=[text("x"), image(png(1, 1))])])),
    "empty string result": loop(*DONE[:2], user([result(content="")])),
    "no content": loop(*DONE[:2], user([{"type": "tool_result", "tool_use_id": "toolu_a"}])),
    "failed result": loop(*DONE[:2], user([result(is_error=True)])),
    "is_error false": loop(*DONE[:2], user([result(is_error=False)])),
    "results in two messages": loop(
        user("a"), assistant([call("a"), call("b")]), user([result("b")]), user([result("a")])
    ),
    "empty system string": request(system=""),
    "system blocks": request(system=[text("a", **CACHED), text("b")]),
    "empty user message beside a full one": request(user([]), user("a")),
    "directive without content": request(
        user("a"), {"role": "system", "output_config": {"effort": "low"}}, user("b"), assistant("c"), user("d")
    ),
    "empty final assistant message": request(user("a "), assistant([]), model=OLD),
    "call of a name too long for a tool": loop(user("a"), assistant([call(name="x" * 200)]), user([result()])),
    "prefill on an old model": request(user("a"), assistant("It is"), model=OLD),
    "paused turn sent back": request(
        user("a"),
        assistant([{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}]),
        tools=[{"type": "web_search_20250305", "name": "web_search"}],
    ),
    "server tool's result after the program's own": loop(
        user("a"), assistant([searching(), call()]), user([result()]), assistant([found(), text("b")]), user("c")
    ),
    "server tool still waiting": loop(user("a"), assistant([searching(), call()]), user([result()])),
    "paused turn gone on with": request(
        user("a"), assistant([searching()]), assistant([found(), text("b")]), user("c")
    ),
    "tools found by the API's search": request(
        user("Weather in Paris?"),
        assistant(
            [
                searching(name="tool_search_tool_regex"),
                {
                    "type": "tool_search_tool_result",
                    "tool_use_id": "srvtoolu_1",
                    "content": {
                        "type": "tool_search_tool_search_result",
                        "tool_references": [reference("get_weather")],
                    },
                },
                call(),
            ]
        ),
        user([result()]),
        tools=[SEARCH, DEFERRED],
    ),
    "tools found by a tool of one's own": request(
        user("Weather in Paris?"),
        assistant([{"type": "tool_use", "id": "a", "name": "find_tools", "input": {}}]),
        user([result("a", [reference("get_weather")])]),
        assistant([call()]),
        user([result()]),
        tools=[{**WEATHER, "name": "find_tools", **CACHED}, DEFERRED],
    ),
    "tool of an MCP server found": request(
        *DONE[:2],
        user([result(content=[reference("anything")])]),
        tools=[WEATHER, {"type": "mcp_toolset", "mcp_server_name": "x"}],
    ),
    "cache marks that get shorter": request(
        user([text("a", **FIVE_MINUTES)]), system=[text("b", **HOUR)], tools=[{**WEATHER, **HOUR}]
    ),
    "limits in a schema that is not strict": request(
        tools=[{"name": "x", "input_schema": closed({"type": "string", "maxLength": 3})}]
    ),
    "a list that is not empty": structured({"type": "array", "items": {"type": "string"}, "minItems": 1}),
    "thinking in a prefill": request(
        user("a"), assistant([THOUGHT, text("It is")]), model=OLD, max_tokens=4096, thinking=MANUAL
    ),
    "thinking at the end of an earlier message": request(
        user("a"), assistant([THOUGHT]), user("b"), model=OLD, max_tokens=4096, thinking=MANUAL
    ),
    "top_k without thinking": request(model=OLD, top_k=3),
    "user_id of Claude Code": request(metadata={"user_id": "user_0af3_account__session_5b1c-4d"}),
    "nulls that count as absent": request(
        metadata=None, inference_geo=None, stop_sequences=None, cache_control=None, container=None
    ),
    "everything clients send": request(
        metadata={"user_id": "u"},
        output_config={"effort": "medium", "format": None},
        context_management={"edits": [{"type": "clear_tool_uses_20250919"}]},
        service_tier="auto",
        speed="standard",
        inference_geo="us",
        thinking={"type": "adaptive", "display": "summarized"},
        stop_sequences=["END"],
        stream=False,
        mcp_servers=[{"type": "url", "url": "https://example.com/mcp", "name": "x"}],
        tool_choice={"type": "auto", "disable_parallel_tool_use": True},
        tools=[
            {
                **WEATHER,
                **CACHED,
                "type": "custom",
                "description": "d",
                "strict": False,
                "defer_loading": False,
                "eager_input_streaming": True,
                "input_examples": [{"city": "Paris"}],
                "allowed_callers": ["direct"],
            },
            {"type": "bash_20250124", "name": "bash"},
            {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool", "max_characters": 10_000},
            {"type": "code_execution_20250825", "name": "code_execution"},
            {"type": "web_search_20250305", "name": "web_search", "max_uses": 5},
        ],
        container="container_x",
        **CACHED,
    ),
    "top-level cache_control with three marks": request(
        user([text("a", **CACHED), text("b", **CACHED), text("c", **CACHED)]),
        cache_control={"type": "ephemeral", "ttl": "1h"},
    ),
    "temperature 1 on a new model": request(temperature=1, top_p=1),
    "temperature on an old model": request(model=OLD, temperature=0.2),
    "manual thinking on an old model": request(
        model=OLD, max_tokens=4096, thinking={"type": "enabled", "budget_tokens": 1024}
    ),
    "between_tools": request(model="claude-sonnet-5-5", thinking={"type": "between_tools"}),
    "any on a model that takes it": loop(tool_choice={"type": "any"}),
    "pdf": request(
        user([{"type": "document", "source": {"type": "url", "url": "https://example.com/a.pdf"}, "title": "t"}])
    ),
    "pdf as base64": request(user([pdf(base64.b64encode(b"\xef\xbb\xbf%PDF-1.7\n").decode())])),
    "base64 in lines": request(user([image("\r\n".join(re.findall(".{1,76}", png(9, 9))) + "\n")])),
    "many images": request(user([image(png(2000, 1))] * 21)),
    "dated name of an alias": request(model="claude-haiku-4-5-20251001"),
}


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED.keys())
@pytest.mark.parametrize("stream", [False, True])
def test_what_the_api_accepts_passes(body, stream):
    assert message(body | {"stream": stream}) is None


def test_budget_of_interleaved_thinking_may_be_larger_than_a_reply():
    beta = {"anthropic-beta": "interleaved-thinking-2025-05-14"}
    manual = {"type": "enabled", "budget_tokens": 8000}
    assert message(loop(model=OLD, max_tokens=2048, thinking=manual), **beta) is None
    without_tools = message(request(model=OLD, max_tokens=2048, thinking=manual), **beta)
    assert without_tools.startswith("`max_tokens` must be greater than `thinking.budget_tokens`")


@pytest.mark.parametrize(
    "name, sentence",
    [("", "String should have at least 1 character"), ("x" * 201, "String should have at most 200 characters")],
)
def test_length_of_a_called_name(name, sentence):
    body = loop(user("a"), assistant([call(name=name)]), user([result()]))
    assert message(body) == f"messages.1.content.0.tool_use.name: {sentence}"


@pytest.mark.parametrize("directive", [{"role": "system"}, {"role": "system", "output_config": {}}])
def test_system_message_with_nothing_in_it(directive):
    assert message(request(user("a"), directive)).startswith("messages.1")


def test_null_is_no_thread():
    body = request(thread=None)
    assert message(body, **{"anthropic-beta": "message-threads-2026-08-12"}) is None
    assert message(body) == "thread: Extra inputs are not permitted"


def test_count_tokens_takes_no_max_tokens():
    path = "/v1/messages/count_tokens"
    assert message({"model": NEW, "messages": [user("a")], "tools": [WEATHER], "system": "x"}, path) is None
    assert message(request(), path) == "max_tokens: Extra inputs are not permitted"


BETAS = [
    # names that clients send and that no list has: a date makes them pass
    ("code-execution-web-tools-2026-02-09,search-results-2025-06-09, adaptive-thinking-2026-01-28", None),
    ("environments-2025-11-01,ccr-byoc-2025-07-29,mcp-servers-2025-12-04,citations-2024-10-31", None),
    ("claude-code-20250219,made-up-2026-11-30,", None),
    ("interleaved-thinking-2025-05-14", None),
    ("effort-2025-11-24, interleaved-thinking-2025-04-14", "`interleaved-thinking-2025-04-14`"),
    ("nope,effort-2025-11-24,a-20250101", "`nope`, `a-20250101`"),
    ("effort-2025-24-11", "`effort-2025-24-11`"),
    ("", None),  # as SDK 2.14 sends for an empty list
]


@pytest.mark.parametrize("header, refused", BETAS)
def test_a_dated_beta_is_refused_only_if_it_is_known_to_be(header, refused):
    said = message(request(), **{"anthropic-beta": header})
    if refused is None:
        assert said is None
    else:
        assert said.startswith(f"Unexpected value(s) {refused} for the `anthropic-beta` header.")


def test_image_dimensions_name_every_image_as_the_sdk_types_it():
    large = image(png(8001, 1))
    body = loop(user([text("a"), large]), *DONE[1:2], user([result(content=[image(png(1, 1)), large])]))
    _, error, _ = ask(body)
    details = ImageDimensionsTooLargeErrorDetails.model_validate(error["details"], strict=True)
    assert details.error_code == "image_dimensions_too_large"
    assert details.max_side_length_pixels == 8000
    assert details.paths == ["messages.0.content.1", "messages.2.content.0.content.1"]
    many = ask(request(user([*[image(png(1, 1))] * 20, image(png(2001, 1))])))[1]["details"]
    assert (many["max_side_length_pixels"], many["paths"]) == (2000, ["messages.0.content.20"])


# --- Keys

KEYS = [
    ({"authorization": None}, "no_api_key"),
    ({"authorization": "Bearer "}, "no_api_key"),
    ({"authorization": None, "x-api-key": " "}, "no_api_key"),
    ({"authorization": None, "x-api-key": "sk-ant-x"}, None),
    ({"authorization": "bearer wrong-key"}, "bad_api_key"),
    ({"anthropic-version": ""}, "no_version"),
    ({"anthropic-version": "2023-06-01"}, None),
    ({"anthropic-version": " 2023-01-01"}, None),
    ({"anthropic-version": "2024-10-22"}, "bad_version"),
    ({"anthropic-version": "2023-06-01, 2023-06-01"}, "bad_version"),
]


@pytest.mark.parametrize("headers, rule", KEYS)
def test_key_and_version(headers, rule):
    assert ask(request(), **headers)[2] == rule


def test_words_for_a_wrong_key_depend_on_the_header_that_carried_it():
    assert message(request(), authorization="Bearer wrong") == "Invalid bearer token"
    assert message(request(), authorization=None, **{"x-api-key": "wrong"}) == "invalid x-api-key"
    refused = message(request(), **{"anthropic-version": "2024-10-22"})
    assert refused == 'anthropic-version: "2024-10-22" is not a valid version'


# --- Order

ORDER = [
    # (what is wrong with the request, the field that is named), each with something wrong further on as well
    ({"model": 7, "tool_choice": 7}, "model"),
    ({"tool_choice": 7, "tools": 7}, "tool_choice"),
    ({"tools": 7, "messages": 7}, "tools"),
    ({"messages": 7, "system": 7}, "messages"),
    ({"system": 7, "thinking": 7}, "system"),
    ({"thinking": 7, "output_config": 7}, "thinking"),
    ({"output_config": 7, "cache_control": 7}, "output_config"),
    ({"cache_control": 7, "max_tokens": "x"}, "cache_control"),
    ({"max_tokens": "x", "metadata": 7}, "max_tokens"),
    ({"metadata": 7, "stop_sequences": 7}, "metadata"),
    ({"stop_sequences": 7, "temperature": "x"}, "stop_sequences"),
    ({"temperature": "x", "service_tier": 7}, "temperature"),
    ({"service_tier": 7, "top_k": "x"}, "service_tier"),
    ({"top_k": "x", "top_p": "x"}, "top_k"),
    ({"top_p": "x", "stream": 7}, "top_p"),
    ({"stream": 7, "container": 7}, "stream"),
    ({"container": 7, "inference_geo": 7}, "container"),
    ({"inference_geo": 7, "zzz": 1}, "inference_geo"),
    ({"zzz": 1, "messages": [user([])]}, "zzz"),
    ({"messages": [user([])], "container": "x"}, "messages.0"),
]


@pytest.mark.parametrize("wrong, named", ORDER)
@pytest.mark.parametrize("turned", [False, True])
def test_first_fault_in_the_apis_order_is_named(wrong, named, turned):
    body = request() | wrong
    if turned:
        body = dict(reversed(body.items()))
    assert message(body).startswith((f"{named}:", f"{named}."))


def test_missing_model_comes_before_missing_messages():
    assert message({}) == "model: Field required"
    assert message({"model": NEW}) == "messages: Field required"
    assert message({"model": NEW, "messages": [user("a")]}) == "max_tokens: Field required"


def test_validation_order_of_the_catalogue_is_the_one_in_the_code():
    fields = catalogue.load()["meta"]["validation_order"]["fields"]
    assert list(rules.shapes.FIELDS)[: len(fields)] == fields


# --- Thinking that the stand-in itself wrote


def think(body):
    """The reply of the stand-in to a request with thinking."""
    response = handle("POST", "/v1/messages", HEADERS, json.dumps(body).encode())
    return json.loads(b"".join(response.chunks))["content"]


@pytest.fixture
def thought():
    """A conversation whose last reply begins with thinking, on the model that binds it to what came before."""
    question = loop(user("Weather in Paris?"), model=BOUND, max_tokens=4000, system="Be brief.")
    content = think(question)
    assert [block["type"] for block in content] == ["thinking", "tool_use"]
    question["messages"] += [assistant(content), user([result(content[1]["id"])])]
    return question


def test_own_thinking_comes_back_unchanged(thought):
    assert message(thought) is None


def test_edited_thinking_in_the_latest_reply(thought):
    thought["messages"][1]["content"][0]["thinking"] = "edited"
    assert ask(thought)[2] == "thinking_modified"
    assert message(thought).startswith("messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest")


def test_thinking_moved_behind_the_call(thought):
    thought["messages"][1]["content"].reverse()
    assert message(thought).startswith("messages.1.content.1: `thinking` or `redacted_thinking` blocks in the latest")


def test_edited_thinking_in_an_earlier_reply(thought):
    thought["messages"] += [assistant("21C."), user("Thanks")]
    thought["messages"][1]["content"][0]["thinking"] = "edited"
    assert message(thought) == "messages.1.content.0: Invalid `signature` in `thinking` block"


BINDING = {"anthropic-beta": "thinking-binding-controls-2026-08-01"}
DROPPING = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}


def test_models_that_bind_thinking():
    binding = {model.id for model in models.all_models() if "thinking_prefix_mismatch" in model.refuses}
    assert binding == {
        "claude-fable-5-1", "claude-fable-5-2", "claude-mythos-5-2", "claude-opus-5-5", "claude-sonnet-5-5",
        "claude-haiku-5-5",
    }  # fmt: skip


@pytest.mark.parametrize("deferred", [[], [{**DEFERRED, "name": "b"}, {**DEFERRED, "name": "c"}]])
def test_deferred_tools_may_come_and_go(thought, deferred):
    thought["tools"] = [WEATHER, *deferred, {**DEFERRED, "name": "d"}]
    assert message(thought) is None
    thought["tools"] = [WEATHER, {**WEATHER, "name": "b"}]
    assert ask(thought)[2] == "thinking_prefix_mismatch"


def test_refusal_names_the_beta_only_where_it_was_not_sent(thought):
    thought["system"] = "Be long."
    sentence = 'Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'
    assert message(thought, **BINDING).endswith(sentence)
    assert message(thought).endswith(
        sentence
        + " That setting requires the `thinking-binding-controls-2026-08-01` value in the `anthropic-beta` header."
    )


@pytest.mark.parametrize("stream", [False, True])
def test_dropped_thinking_is_reported(recorder, thought, stream):
    client = anthropic.Anthropic(base_url=recorder().base_url, api_key="sk-ant-test", max_retries=0)
    betas = ["thinking-binding-controls-2026-08-01"]

    def reply(**changes):
        sent = {**thought, "thinking": DROPPING, "betas": betas, **changes}
        if not stream:
            return client.beta.messages.create(**sent)
        with client.beta.messages.stream(**sent) as events:
            return events.get_final_message()

    assert reply().input_transformations == []
    (entry,) = reply(system="Be long.").input_transformations
    assert (entry.type, entry.path, entry.reason) == (
        "thinking_dropped", "messages.1.content.0", "prefix_binding_mismatch",
    )  # fmt: skip
    del thought["messages"][1]["content"][0]
    assert reply(system="Be long.", betas=[], thinking={"type": "adaptive"}).input_transformations is None


@pytest.mark.parametrize("change", ["system", "tools", "message"])
def test_thinking_is_bound_to_what_came_before(thought, change):
    if change == "system":
        thought["system"] = "Be long."
    elif change == "tools":
        thought["tools"] = [WEATHER | {"description": "new"}]
    else:
        thought["messages"][0] = user("Weather in Rome?")
    assert ask(thought)[2] == "thinking_prefix_mismatch"
    # cured by the setting that drops such blocks, and no matter on models that do not bind them
    dropping = thought | {"thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}}
    assert message(dropping, **{"anthropic-beta": "thinking-binding-controls-2026-08-01"}) is None
    assert message(thought | {"model": NEW}) is None


def test_moved_cache_marks_change_nothing(thought):
    thought["messages"][0] = user([text("Weather in Paris?", **CACHED)])
    thought["system"] = [text("Be brief.", **CACHED)]
    assert message(thought) is None


def test_dropped_thinking_is_fine_in_adaptive_mode_only(thought):
    del thought["messages"][1]["content"][0]
    assert message(thought) is None
    manual = thought | {"model": OLD, "thinking": {"type": "enabled", "budget_tokens": 1024}}
    assert message(manual).startswith(
        "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`."
    )


# --- Bodies that are no JSON

BODIES = [
    (b"", "Input is a zero-length, empty document: line 1 column 1 (char 0)"),
    (b"{not json", "unexpected character: line 1 column 2 (char 1)"),
    (b'{"a": 1', "unexpected end of data: line 1 column 8 (char 7)"),
    (b'{"a": NaN}', "unexpected character"),
    (b'{"a": 1e999}', "unexpected character"),
    (b'{"a": "\xff"}', "invalid UTF-8"),
    (b'{} {}', "unexpected content after document"),
    (b'{"a": "\n"}', "control character (\\u0000-\\u001F) found while parsing a string"),
    (b'{"a": "\\ud83d"}', "no low surrogate in string: line 1 column 14 (char 13)"),
    (b'{"a": "\\ud83dx\\n"}', "no low surrogate in string: line 1 column 14 (char 13)"),
    (b'{"a": "\\ud83d\\n"}', "no low surrogate in string"),
    (b'{"a": "\\ude00"}', "invalid low surrogate in string"),
    (b"[" * 100_000, "Recursion limit reached"),
    (b'{"a":' * 400 + b"1" + b"}" * 400, "Recursion limit reached"),
    (b'{"a": ' + b"9" * 5000 + b"}", "unexpected character"),
]  # fmt: skip


@pytest.mark.parametrize("raw, detail", BODIES, ids=range(len(BODIES)))
def test_bodies_that_are_no_json(raw, detail):
    status, error, rule = ask(raw)
    assert (status, error["type"], rule) == (400, "invalid_request_error", "body_not_json")
    assert error["message"].startswith(f"The request body is not valid JSON: {detail}")


def test_pairs_of_surrogates_and_escaped_backslashes_are_fine():
    body = json.dumps(request(user("\N{GRINNING FACE} \\ud83d")))
    assert "\\ud83d\\ude00" in body and "\\\\ud83d" in body
    assert message(body.encode()) is None


@pytest.mark.parametrize("raw", [b"[1, 2]", b'"hi"', b"7", b"null", b"true"])
def test_bodies_that_are_no_object(raw):
    assert ask(raw)[2] == "body_not_object"


# --- Over real HTTP, with the real SDK


def test_sdk_meets_the_same_refusals(recorder):
    server = recorder()
    client = anthropic.Anthropic(base_url=server.base_url, api_key="sk-ant-test", max_retries=0)
    history = [user("Weather in Paris?"), assistant([call()]), user("thanks")]
    expected = WITHOUT.format(1, "toolu_a")
    asked = {"model": NEW, "max_tokens": 64, "messages": history, "tools": [WEATHER]}
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**asked)
    assert caught.value.body["error"] == {"type": "invalid_request_error", "message": expected}
    assert caught.value.request_id == caught.value.body["request_id"]
    with pytest.raises(anthropic.BadRequestError, match="ids were found without"), client.messages.stream(**asked):
        pass
    del asked["max_tokens"]
    with pytest.raises(anthropic.BadRequestError, match="ids were found without"):
        client.messages.count_tokens(**asked)
    with pytest.raises(anthropic.NotFoundError, match="model: claude-nope-9"):
        client.messages.create(model="claude-nope-9", max_tokens=1, messages=history[:1])
    wrong = anthropic.Anthropic(base_url=server.base_url, api_key="wrong", max_retries=0)
    with pytest.raises(anthropic.AuthenticationError, match="Invalid bearer token"):
        wrong.messages.create(**asked, max_tokens=64)
    assert [exchange.rule for exchange in server.exchanges] == [
        *["tool_use_without_result"] * 3,
        "model_not_found",
        "bad_api_key",
    ]


def test_examples_leave_the_catalogue_as_it_is():
    before = copy.deepcopy(ENTRIES["thinking_modified"])
    catalogue.example("thinking_modified")
    assert ENTRIES["thinking_modified"] == before
