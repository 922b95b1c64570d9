"""What public reports of 2026 say of the API, as requests of our own: what it takes, and what it refuses."""

import base64
import json

import pytest
import test_rules
from test_rules import (
    DEFERRED,
    DONE,
    DROPPING,
    FIVE_MINUTES,
    HOUR,
    MANUAL,
    OLD,
    REDACTED,
    SEARCH,
    THOUGHT,
    WEATHER,
    ask,
    assistant,
    call,
    image,
    pdf,
    png,
    reference,
    result,
    searching,
    strict,
    structured,
    system,
    text,
    user,
)


def request(*messages, model="claude-sonnet-5-5", **more):
    return test_rules.request(*messages, model=model, **more)


def refused(body, betas):
    """The rule that refuses a request, or None."""
    return ask(body, **({"anthropic-beta": betas} if betas else {}))[2]


# {what: (request, anthropic-beta)}
PASS = {
    "betas of a coding agent": (
        request(),
        "claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27,prompt-caching-scope-2026-01-05,effort-2025-11-24,advisor-tool-2026-03-01,fast-mode-2026-02-01,redact-thinking-2026-02-12,structured-outputs-2025-12-15",
    ),
    "binding on unbound model": (
        request(model="claude-opus-5", thinking=DROPPING),
        "thinking-binding-controls-2026-08-01",
    ),
    "binding on haiku45 enabled": (
        request(model=OLD, max_tokens=4096, thinking={**MANUAL, "block_binding": {}}),
        "thinking-binding-controls-2026-08-01",
    ),
    "clear thinking": (
        request(context_management={"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]}),
        "context-management-2025-06-27",
    ),
    "system 1h, msgs 5m": (request(user([text("x", **FIVE_MINUTES)]), system=[text("a", **HOUR)]), ""),
    "all 1h": (request(user([text("x", **HOUR)]), system=[text("a", **HOUR)]), ""),
    "scope global": (
        request(system=[text("a", cache_control={"type": "ephemeral", "ttl": "1h", "scope": "global"})]),
        "",
    ),
    "cache null on deferred": (request(tools=[WEATHER, {**DEFERRED, "name": "b", "cache_control": None}]), ""),
    "defer false all": (request(tools=[{**WEATHER, "defer_loading": False}]), ""),
    "search tool + deferred": (request(tools=[SEARCH, DEFERRED]), ""),
    "reference in result with error": (
        request(*DONE[:2], user([result(content=[text("found"), reference("get_weather")])]), tools=[WEATHER]),
        "",
    ),
    "server search error result": (
        request(
            user("a"),
            assistant(
                [
                    searching(),
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "srvtoolu_1",
                        "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
                    },
                    text("b"),
                ]
            ),
            user("c"),
        ),
        "",
    ),
    "code exec programmatic": (
        request(
            user("a"),
            assistant(
                [searching("s1", "code_execution"), call(caller={"type": "code_execution_20260120", "tool_id": "s1"})]
            ),
            user([result()]),
            assistant([{"type": "code_execution_tool_result", "tool_use_id": "s1", "content": {}}, text("x")]),
            user("b"),
            tools=[WEATHER],
        ),
        "",
    ),
    "code exec two rounds": (
        request(
            user("a"),
            assistant(
                [
                    searching("s1", "code_execution"),
                    call("a", caller={"type": "code_execution_20260120", "tool_id": "s1"}),
                ]
            ),
            user([result("a")]),
            assistant([call("b", caller={"type": "code_execution_20260120", "tool_id": "s1"})]),
            user([result("b")]),
            tools=[WEATHER],
        ),
        "",
    ),
    "bash exec results": (
        request(
            user("a"),
            assistant(
                [
                    searching("s1", "bash_code_execution"),
                    {"type": "bash_code_execution_tool_result", "tool_use_id": "s1", "content": {}},
                ]
            ),
            user("b"),
        ),
        "",
    ),
    "mcp pair": (
        request(
            user("a"),
            assistant(
                [
                    {"type": "mcp_tool_use", "id": "m1", "name": "x", "input": {}, "server_name": "s"},
                    {"type": "mcp_tool_result", "tool_use_id": "m1", "content": "ok"},
                ]
            ),
            user("b"),
        ),
        "mcp-client-2025-11-20",
    ),
    "advisor": (
        request(
            user("a"),
            assistant(
                [
                    searching("s1", "advisor"),
                    {"type": "advisor_tool_result", "tool_use_id": "s1", "content": {}},
                    text("k"),
                ]
            ),
            user("b"),
        ),
        "advisor-tool-2026-03-01",
    ),
    "paused turn": (request(user("a"), assistant([searching()])), ""),
    "result with image": (request(*DONE[:2], user([result(content=[image(png(3, 3))])]), tools=[WEATHER]), ""),
    "jpeg": (request(user([image(base64.b64encode(b"\xff\xd8\xff\xe0" + b"\0" * 30).decode(), "image/jpeg")])), ""),
    "gif": (request(user([image(base64.b64encode(b"GIF89a" + b"\1\0\1\0" + b"\0" * 9).decode(), "image/gif")])), ""),
    "webp": (request(user([image(base64.b64encode(b"RIFF\0\0\0\0WEBPVP8 " + b"\0" * 9).decode(), "image/webp")])), ""),
    "image url": (
        request(user([{"type": "image", "source": {"type": "url", "url": "https://example.com/x.png"}}])),
        "",
    ),
    "pdf text source": (
        request(user([{"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "hello"}}])),
        "",
    ),
    "pdf file": (
        request(user([{"type": "document", "source": {"type": "file", "file_id": "file_1"}}])),
        "files-api-2025-04-14",
    ),
    "strict ok": (strict({"type": "string", "enum": ["a"], "format": "date"}), ""),
    "strict pattern": (strict({"type": "string", "pattern": "^a+$"}), ""),
    "output minItems 0": (structured({"type": "array", "items": {"type": "string"}, "minItems": 0}), ""),
    "user_id json": (request(metadata={"user_id": json.dumps({"device_id": "a1", "session_id": "b2"})}), ""),
    "user_id uuid": (request(metadata={"user_id": "123e4567-e89b-12d3-a456-426614174000"}), ""),
    "thinking then text history": (
        request(user("a"), assistant([text("x")]), user("b"), thinking={"type": "adaptive"}),
        "",
    ),
    "redacted mid": (request(user("a"), assistant([REDACTED, text("x")]), user("b")), ""),
    "old manual thinking loop": (
        request(
            user("a"),
            assistant([REDACTED, call()]),
            user([result()]),
            model=OLD,
            max_tokens=4096,
            thinking=MANUAL,
            tools=[WEATHER],
        ),
        "",
    ),
    "old prefill {": (request(user("a"), assistant("{"), model=OLD), ""),
    "old top_k": (request(model=OLD, top_k=40, thinking={"type": "disabled"}), ""),
}
# {what: (request, anthropic-beta, rule)}
REFUSED = {
    "sonnet5.5 disabled": (request(thinking={"type": "disabled"}), "", "thinking_disabled_sonnet55"),
    "sonnet5.5 any": (request(tools=[WEATHER], tool_choice={"type": "any"}), "", "tool_choice_forced_unsupported"),
    "sonnet5.5 enabled": (request(max_tokens=4096, thinking=MANUAL), "", "thinking_enabled_unsupported"),
    "sonnet5.5 top_p": (request(top_p=0.9), "", "temperature_deprecated"),
    "computer_20251124 on opus55": (
        request(
            model="claude-opus-5-5",
            tools=[{"type": "computer_20251124", "name": "computer", "display_width_px": 1, "display_height_px": 1}],
        ),
        "computer-use-2025-11-24",
        "tool_type_unsupported",
    ),
    "computer_20251124 on sonnet55": (
        request(
            tools=[{"type": "computer_20251124", "name": "computer", "display_width_px": 1, "display_height_px": 1}]
        ),
        "computer-use-2025-11-24",
        "tool_type_unsupported",
    ),
    "block_binding no beta": (request(thinking=DROPPING), "", "block_binding_no_beta"),
    "stale interleaved": (request(), "interleaved-thinking-2025-04-14", "invalid_beta"),
    "web_search string input": (
        request(user("a"), assistant([{"type": "server_tool_use", "id": "s", "name": "web_search", "input": "x"}])),
        "",
        "field_type",
    ),
    "advisor result orphan": (
        request(user("a"), assistant([{"type": "advisor_tool_result", "tool_use_id": "s", "content": {}}]), user("b")),
        "",
        "unexpected_server_tool_result",
    ),
    "web search filtered": (
        request(user("a"), assistant([searching(), text("b")]), user("c")),
        "",
        "server_tool_use_without_result",
    ),
    "data uri": (request(user([image("data:image/jpeg;base64,/9j/4AAQ", "image/jpeg")])), "", "image_not_base64"),
    "png as jpeg in result": (
        request(*DONE[:2], user([result(content=[image(png(2, 2), "image/jpeg")])]), tools=[WEATHER]),
        "",
        "image_media_type",
    ),
    "empty img": (request(user([image("")])), "", "image_empty"),
    "svg": (request(user([image("PHN2Zz48L3N2Zz4=")])), "", "image_unprocessable"),
    "media type svg": (request(user([image("PHN2Zz4=", "image/svg+xml")])), "", "field_choice"),
    "pdf media as image": (request(user([image("JVBERi0=", "application/pdf")])), "", "field_choice"),
    "pdf html": (request(user([pdf("PGh0bWw+")])), "", "pdf_invalid"),
    "min/max": (structured({"type": "integer", "minimum": 1, "maximum": 10}), "", "output_schema_keywords"),
    "maxItems": (
        structured({"type": "array", "items": {"type": "string"}, "maxItems": 3}),
        "",
        "output_schema_keywords",
    ),
    "zod int": (
        strict({"type": "integer", "minimum": -9007199254740991, "maximum": 9007199254740991}),
        "",
        "strict_schema_keywords",
    ),
    "uniqueItems": (strict({"type": "array", "uniqueItems": True}), "", "strict_schema_keywords"),
    "record": (
        strict({"type": "object", "additionalProperties": {"type": "string"}}),
        "",
        "strict_additional_properties",
    ),
    "top oneOf": (
        request(tools=[{"name": "x", "input_schema": {"type": "object", "oneOf": [{}]}}]),
        "",
        "input_schema_top_level_combinator",
    ),
    "dup ids": (
        request(
            user("a"), assistant([call()]), user([result()]), assistant([call()]), user([result()]), tools=[WEATHER]
        ),
        "",
        "tool_use_ids_unique",
    ),
    "compaction orphan": (request(user([result(), text("go on")]), tools=[WEATHER]), "", "orphan_tool_result_first"),
    "system role first": (request(system("x"), user("a")), "", "role_system_first"),
    "empty assistant mid": (request(user("a"), assistant(""), user("b")), "", "all_messages_nonempty"),
    "whitespace": (request(user("a"), assistant([text("\n\n")]), user("b")), "", "text_whitespace"),
    "5 marks": (request(user([text(str(n), **FIVE_MINUTES) for n in range(5)])), "", "cache_control_max"),
    "1h after 5m": (request(user([text("a", **FIVE_MINUTES), text("b", **HOUR)])), "", "cache_control_ttl_order"),
    "cache on thinking": (
        request(user("a"), assistant([{**THOUGHT, **FIVE_MINUTES}, text("b")]), user("c")),
        "",
        "field_extra",
    ),
    "all deferred": (request(tools=[DEFERRED]), "", "tools_all_deferred"),
    "removed tool ref": (
        request(*DONE[:2], user([result(content=[reference("gone")])]), tools=[WEATHER]),
        "",
        "tool_reference_unknown",
    ),
    "email": (request(metadata={"user_id": "jane.doe+x@mail.example.co.uk"}), "", "metadata_email"),
    "name 129": (request(tools=[{**WEATHER, "name": "m" * 129}]), "", "tool_name_pattern"),
    "top-level reasoning": (request(reasoning_effort="low"), "", "extra_inputs"),
    "effort xhigh on 4.6": (
        request(model="claude-sonnet-4-6", output_config={"effort": "xhigh"}),
        "",
        "effort_level_unsupported",
    ),
    "adaptive on 4.5": (request(model=OLD, thinking={"type": "adaptive"}), "", "thinking_adaptive_unsupported"),
    "container alone": (request(container="c"), "", "container_without_code_execution"),
}


@pytest.mark.parametrize("body, betas", PASS.values(), ids=PASS.keys())
def test_what_clients_send_passes(body, betas):
    assert refused(body, betas) is None


@pytest.mark.parametrize("body, betas, rule", REFUSED.values(), ids=REFUSED.keys())
def test_what_was_reported_as_refused_is_refused(body, betas, rule):
    assert refused(body, betas) == rule
