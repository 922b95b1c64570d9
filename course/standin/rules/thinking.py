"""Rules for thinking: which form a model takes, and that its blocks come back as they were."""

import base64
from typing import Any

from course.standin import ids
from course.standin.rules.naming import place
from course.standin.rules.request import Block, Place, Request, Turn, Values
from course.standin.rules.shapes import Fault

BINDING_BETA = "thinking-binding-controls-2026-08-01"
INTERLEAVED_BETA = "interleaved-thinking-2025-05-14"
THOUGHTS = frozenset({"thinking", "redacted_thinking"})


def thinking_enabled_unsupported(request: Request) -> Values | None:
    """Manual thinking ("enabled" with a budget) on models that think by themselves: Claude 4.7 and later. Usually
    an old program with a new model.

    Documented: https://platform.claude.com/docs/en/api/errors#extended-thinking-not-supported
    """
    return {} if _form(request) == "enabled" and request.refuses("thinking_enabled_unsupported") else None


def thinking_adaptive_unsupported(request: Request) -> Values | None:
    """Adaptive thinking on models that know only the manual form: Claude 4.5 and earlier. Usually a new program
    with an old model.

    Documented: https://platform.claude.com/docs/en/api/errors#adaptive-thinking-not-supported
    """
    form = _form(request)
    if form not in ("adaptive", "between_tools"):
        return None
    return {} if request.refuses("thinking_adaptive_unsupported") else None


def thinking_disabled_unsupported(request: Request) -> Values | None:
    """Turning thinking off on a model that always thinks. Usually an attempt to save; a lower effort does that.

    Documented: https://platform.claude.com/docs/en/api/errors#thinking-cannot-be-disabled
    """
    return {} if _form(request) == "disabled" and request.refuses("thinking_disabled_unsupported") else None


def thinking_disabled_sonnet55(request: Request) -> Values | None:
    """Thinking "disabled" on Sonnet 5.5, which calls it "between_tools". Usually a setting kept from Sonnet 5.

    Documented: https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
    """
    return {} if _form(request) == "disabled" and request.refuses("thinking_disabled_sonnet55") else None


def budget_minimum(fault: Fault) -> Values | None:
    """budget_tokens under 1024. Usually meant as "a little thinking"; that is what effort is for.

    Documented: https://platform.claude.com/docs/en/build-with-claude/extended-thinking
    """
    return place(fault, "value", "thinking", "enabled", "budget_tokens")


def budget_over_max(request: Request) -> Values | None:
    """budget_tokens as large as max_tokens or larger: nothing would be left for the answer. Usually max_tokens was
    kept when thinking was turned on.

    With interleaved thinking and tools the budget is that of several replies, and may be larger. Seen:
    https://github.com/ProfSynapse/nexus/issues/17
    """
    most = request.body.get("max_tokens")
    budget = request.body["thinking"].get("budget_tokens")
    if type(most) is not int or budget is None or budget < most:
        return None
    return None if request.has_beta(INTERLEAVED_BETA) and request.body.get("tools") else {}


def thinking_top_k(request: Request) -> Values | None:
    """top_k together with manual thinking. Usually a default of a framework.

    Seen: https://github.com/quarkiverse/quarkus-langchain4j/issues/1812
    """
    return {} if _form(request) == "enabled" else None


def thinking_forced_tool(request: Request) -> Values | None:
    """Manual thinking together with a forced tool. Usually forcing was there first, for structured output.

    Seen: https://github.com/run-llama/llama_index/issues/19641
    """
    choice = request.body.get("tool_choice")
    return {} if _form(request) == "enabled" and choice and choice["type"] in ("any", "tool") else None


def block_binding_no_beta(request: Request) -> Values | None:
    """thinking.block_binding without the beta header that brings it. Usually the header was sent with other
    requests only.

    Documented: https://platform.claude.com/docs/en/api/errors
    """
    thinking = request.body["thinking"]
    if "block_binding" not in thinking or request.has_beta(BINDING_BETA):
        return None
    return {} if thinking["type"] == "adaptive" else {"variant": "enabled"}


def thinking_must_come_first(request: Request) -> Values | None:
    """With manual thinking, a call sent back without the thinking that led to it. Usually a history that keeps only
    texts and calls.

    Seen: https://github.com/anthropics/claude-code/issues/11978
    """
    if _form(request) != "enabled":
        return None
    turns = request.turns
    # The turns of the loop that is going on: from the end back over user turns that begin with a result.
    replies = []
    for n in range(len(turns) - 1, 0, -2):
        if turns[n].role != "user" or turns[n].blocks[0][1]["type"] != "tool_result":
            break
        replies.append(turns[n - 1])
    # One reply that begins with thinking is enough: later ones of the same loop may go without.
    if not replies or any(reply.blocks[0][1]["type"] in THOUGHTS for reply in replies):
        return None
    at, block = replies[0].blocks[0]
    return {"i": at.i, "type": block["type"]}


def thinking_signature_missing(fault: Fault) -> Values | None:
    """A thinking block without its signature. Usually a block rebuilt from its text instead of sent back as it came.

    Seen: https://github.com/anthropics/claude-code/issues/26542
    """
    return place(fault, "missing", "messages", int, "content", int, "thinking", "signature")


def thinking_signature_invalid(request: Request, at: Place, block: Block) -> Values | None:
    """A signature that does not belong to this thinking. Usually an edited text, or a history from another provider.

    The stand-in accepts only signatures that it issued itself, as the API does. Documented:
    https://platform.claude.com/docs/en/api/errors
    """
    return {"i": at.i, "j": at.j} if ids.verify(block["signature"], block["thinking"]) == "invalid" else None


def thinking_modified(request: Request, at: Place, block: Block, latest: int) -> Values | None:
    """In the latest assistant message: a thinking block of the stand-in's own with another text, or moved behind a
    call. Usually thinking shortened to save tokens.

    Documented: https://platform.claude.com/docs/en/api/errors#thinking-blocks-cannot-be-modified
    """
    if at.i != latest or not _is_ours(block["signature"]):
        return None
    before = request.body["messages"][at.i]["content"][: at.j]
    moved = any(other["type"] == "tool_use" for other in before)
    return {"i": at.i, "j": at.j} if moved or ids.verify(block["signature"], block["thinking"]) == "invalid" else None


def thinking_prefix_mismatch(request: Request, at: Place, block: Block, prefix: bytes) -> Values | None:
    """A thinking block whose conversation is another one now: system prompt, tools or an earlier message changed.
    Usually a system prompt with the time of day in it, or a trimmed history.

    Documented: https://platform.claude.com/docs/en/api/errors#thinking-block-no-longer-matches-the-conversation
    """
    if not request.refuses("thinking_prefix_mismatch") or _drops_blocks(request):
        return None
    if not _is_bound_elsewhere(block, prefix):
        return None
    variant = "beta" if request.has_beta(BINDING_BETA) else None
    return {"i": at.i, "j": at.j, "variant": variant}


def thinking_prefill(request: Request, turn: Turn) -> Values | None:
    """A prefill without thinking, while manual thinking is on. Usually a prefill from before thinking was turned on.

    Seen: https://github.com/Aider-AI/aider/issues/3820
    """
    at, block = turn.blocks[0]
    if _form(request) != "enabled" or block["type"] in THOUGHTS:
        return None
    return {"i": at.i, "type": block["type"]}


def thinking_final_disabled(request: Request, turn: Turn) -> Values | None:
    """A prefill with a thinking block in it, while thinking is off. Usually a reply that was cut off, sent back to be
    gone on with.

    Seen: https://github.com/tailcallhq/forgecode/issues/1853
    """
    if _form(request) not in (None, "disabled"):
        return None
    for at, block in turn.blocks:
        if block["type"] in THOUGHTS:
            return {"i": at.i, "j": at.j}
    return None


def thinking_final_block(request: Request, turn: Turn) -> Values | None:
    """A last message of the assistant that ends with thinking. Usually a reply that used up its max_tokens while it
    thought.

    Seen: https://github.com/tailcallhq/forgecode/issues/2107
    """
    at, block = turn.blocks[-1]
    return {"i": at.i, "type": block["type"]} if block["type"] in THOUGHTS else None


def dropped(request: Request) -> list[dict[str, str]]:
    """What a reply reports as `input_transformations`: the thinking blocks that are bound to another conversation, on
    a model that binds them, for a request that asks for them to be dropped.

    Source: anthropic/types/beta/beta_thinking_dropped_input_transformation.py of Python SDK 2.14.
    """
    if not request.refuses("thinking_prefix_mismatch") or not _drops_blocks(request):
        return []
    prefixes = ids.prefixes(request.body)
    return [
        {
            "type": "thinking_dropped",
            "path": f"messages.{at.i}.content.{at.j}",
            "reason": "prefix_binding_mismatch",
        }
        for turn in request.turns
        for at, block in turn.blocks
        if block["type"] == "thinking" and _is_bound_elsewhere(block, prefixes[at.i, int(at.j)])
    ]


def _is_bound_elsewhere(block: Block, prefix: bytes) -> bool:
    return ids.verify(block["signature"], block["thinking"], prefix) == "other_conversation"


def first_fault(request: Request) -> tuple[Any, Values] | None:
    """The first rule that a thinking block in the conversation breaks. Only called where there is one."""
    messages = request.body["messages"]
    latest = max((i for i, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
    prefixes = ids.prefixes(request.body) if request.refuses("thinking_prefix_mismatch") else {}
    for turn in request.turns:
        for at, block in turn.blocks:
            if block["type"] != "thinking":
                continue
            if values := thinking_modified(request, at, block, latest):
                return thinking_modified, values
            if values := thinking_signature_invalid(request, at, block):
                return thinking_signature_invalid, values
            if prefixes and (values := thinking_prefix_mismatch(request, at, block, prefixes[at.i, int(at.j)])):
                return thinking_prefix_mismatch, values
    return None


def _form(request: Request) -> str | None:
    thinking = request.body.get("thinking")
    return thinking["type"] if thinking else None


def _drops_blocks(request: Request) -> bool:
    binding = (request.body.get("thinking") or {}).get("block_binding") or {}
    return binding.get("prefix_mismatch_behavior") == "drop_block"


_OURS = 1 + 16 + 32  # bytes: version, the conversation's digest, the code; see ids.sign


def _is_ours(signature: str) -> bool:
    try:
        data = base64.b64decode(signature, validate=True)
    except ValueError:
        return False
    return len(data) == _OURS and data[0] == 1
