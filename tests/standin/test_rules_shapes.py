"""The tables of shapes know what the SDK's types know: every key, and which ones must be there."""

import typing
from typing import Literal, get_args, get_origin

import pytest
import typing_extensions
from anthropic.types import (
    cache_control_ephemeral_param,
    message_create_params,
    metadata_param,
    text_block_param,
    tool_choice_param,
    tool_result_block_param,
    tool_union_param,
)
from anthropic.types import content_block_param as ga_blocks
from anthropic.types.anthropic_beta_param import AnthropicBetaParam
from anthropic.types.beta import (
    beta_content_block_param,
    beta_output_config_param,
    beta_system_message_param,
    beta_thinking_config_param,
    beta_tool_union_param,
)
from anthropic.types.beta import message_count_tokens_params as beta_count
from anthropic.types.beta import message_create_params as beta_params

from course.standin.rules import http, shapes

# What the SDK takes as an argument and sends as a header, or answers by itself.
HEADERS = {"betas", "user_profile_id", "workspace_id"}
# `thread` is answered by the core, before the rules.
ELSEWHERE = {"thread"}
# In the API, not in the types of SDK 2.14: refused by new models, older SDKs' parameters, Claude Code's.
UNTYPED = {"temperature", "top_k", "top_p", "output_format", "safeguards"}


def typed_dicts(union):
    """The TypedDicts in a union, however deep."""
    for part in get_args(union):
        if typing_extensions.is_typeddict(part):
            yield part
        else:
            yield from typed_dicts(part)


def tags(kind):
    """The values that a TypedDict's `type` may have."""
    hint = typing_extensions.get_type_hints(kind)["type"]
    literals = [hint] if get_origin(hint) is Literal else get_args(hint)
    return [tag for literal in literals for tag in get_args(literal)]


def keys(kind):
    """(all keys, required keys) of a TypedDict, whose __required_keys__ is blind where annotations are strings."""
    hints = typing_extensions.get_type_hints(kind, include_extras=True)
    required = {key for key, hint in hints.items() if get_origin(hint) is typing_extensions.Required}
    return set(hints), required


def cases():
    unions = [
        (ga_blocks.ContentBlockParam, shapes.BLOCKS),
        (beta_content_block_param.BetaContentBlockParam, shapes.BLOCKS),
        (tool_union_param.ToolUnionParam, shapes.TOOLS),
        (beta_tool_union_param.BetaToolUnionParam, shapes.TOOLS),
        (tool_choice_param.ToolChoiceParam, shapes.TOOL_CHOICE.variants),
        (beta_thinking_config_param.BetaThinkingConfigParam, shapes.THINKING.variants),
        (tool_result_block_param.Content, shapes.IN_RESULT.variants),
    ]
    for union, table in unions:
        for kind in typed_dicts(union):
            for tag in tags(kind):
                yield pytest.param(kind, tag, table, id=f"{kind.__name__}-{tag}")


@pytest.mark.parametrize("kind, tag, table", list(cases()))
def test_variant_has_the_keys_of_the_sdk(kind, tag, table):
    shape = table[tag]
    known, required = keys(kind)
    assert set(shape.shapes) - {"type"} == known - {"type"}
    assert set(shape.required) - {"type"} == required - {"type"}


def test_top_level_keys_are_those_of_the_sdk():
    known = set()
    for base in (message_create_params.MessageCreateParamsBase, beta_params.MessageCreateParamsBase):
        all_keys, required = keys(base)
        known |= all_keys
        assert required == set(shapes.REQUIRED)
    assert known | {"stream"} == (set(shapes.FIELDS) - UNTYPED) | HEADERS | ELSEWHERE
    counted = set(typing_extensions.get_type_hints(beta_count.MessageCountTokensParams))
    assert counted == (shapes.COUNT_TOKENS - UNTYPED) | HEADERS | (counted & ELSEWHERE)


def test_small_objects_have_the_keys_of_the_sdk():
    message = set(typing_extensions.get_type_hints(beta_system_message_param.BetaSystemMessageParam))
    assert message == set(shapes.SYSTEM_MESSAGE.shapes)
    assert set(shapes.MESSAGE.shapes) == {"role", "content"}
    output = set(typing_extensions.get_type_hints(beta_output_config_param.BetaOutputConfigParam))
    assert output == set(shapes.OUTPUT_CONFIG.shapes)
    assert set(typing.get_type_hints(metadata_param.MetadataParam)) == {"user_id"}
    cache = set(typing_extensions.get_type_hints(cache_control_ephemeral_param.CacheControlEphemeralParam))
    assert shapes.CACHE({"type": "ephemeral", **dict.fromkeys(cache - {"type"}, "5m")}) is None
    assert set(typing_extensions.get_type_hints(text_block_param.TextBlockParam)) == set(shapes.BLOCKS["text"].shapes)


def test_betas_of_the_sdk_pass():
    literal = next(part for part in get_args(AnthropicBetaParam) if get_origin(part) is Literal)
    assert len(get_args(literal)) > 30
    assert http.invalid_beta({"anthropic-beta": ",".join(get_args(literal))}, b"") is None
