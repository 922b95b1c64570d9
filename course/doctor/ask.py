"""What a lesson does, in small. Started in a process of its own, it prints what came of it as JSON."""

import json
import os
import sys
from typing import Any

TOOL: Any = {
    "name": "get_weather",
    "description": "Get today's weather in one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
SECONDS = 30  # for one answer
MOST = {True: 500, False: 16}  # tokens of one answer: of a whole tool call, of the smallest request


def main(whole: bool) -> None:
    """Ask once and print {"status", "error", "chain", "message", "called", "faults"}.

    Args:
        whole: offer a tool, and answer the calls if some come, as the lessons do. Otherwise the smallest request that
            there is, because it is paid for.
    """
    client = _client()
    import anthropic

    found: dict[str, Any] = {"status": 0, "error": None, "chain": [], "message": False, "called": False, "faults": []}
    # Two cities: where one reply can hold several calls, it will.
    prompt = "What should I wear in Austin and in Oslo today?" if whole else "Hi"
    messages: list[Any] = [{"role": "user", "content": prompt}]
    more: dict[str, Any] = {"max_tokens": MOST[whole], "model": _model()}
    if whole:
        more["tools"] = [TOOL]
    try:
        reply: Any = client.messages.create(messages=messages, **more)
        found["status"], found["message"] = 200, _is_message(reply)
        if not found["message"]:
            found["error"] = reply.model_dump(mode="json", exclude_unset=True) if hasattr(reply, "model_dump") else None
        else:
            calls = [block for block in reply.content if block.type == "tool_use"]
            found["faults"] = _faults(reply, calls)
            if calls and reply.stop_reason == "tool_use":
                found["called"] = True
                results = [{"type": "tool_result", "tool_use_id": call.id, "content": "95F, sunny"} for call in calls]
                messages += [{"role": "assistant", "content": reply.content}, {"role": "user", "content": results}]
                found["message"] = _is_message(client.messages.create(messages=messages, **more))
    except anthropic.APIStatusError as error:
        found["status"], found["error"] = error.status_code, error.body
    except Exception as problem:
        cause: BaseException | None = problem
        while cause:
            found["chain"].append([type(cause).__name__, getattr(cause, "verify_message", None) or str(cause)])
            cause = cause.__cause__ or cause.__context__
    json.dump(found, sys.stdout)


def offers() -> None:
    """Print what else there is at the address: {"models", "counts", "streams"}.

    models: the ids, or None if there is no list. counts: whether it counts tokens. streams: whether a small answer
    comes in pieces and to its end.
    """
    client = _client()
    small: Any = {"model": _model(), "messages": [{"role": "user", "content": "Hi"}]}
    found: dict[str, Any] = {"models": None, "counts": False, "streams": False}
    try:
        listed: Any = client.models.with_raw_response.list().http_response.json()
        found["models"] = [str(model["id"]) for model in listed["data"]]
    except Exception:
        pass  # whatever it is that came, it is no list
    try:
        found["counts"] = isinstance(client.messages.count_tokens(**small).input_tokens, int)
    except Exception:
        pass
    try:
        with client.messages.stream(max_tokens=MOST[False], **small) as stream:
            kinds = {event.type for event in stream}
        found["streams"] = {"content_block_delta", "message_stop"} <= kinds
    except Exception:
        pass
    json.dump(found, sys.stdout)


def _client() -> Any:
    import anthropic

    from course import load_env

    load_env()
    return anthropic.Anthropic(max_retries=0, timeout=SECONDS)


def _model() -> str:
    return os.environ.get("MODEL_ID", "claude-sonnet-5-5")


def _is_message(reply: Any) -> bool:
    """Whether it is a reply of this API. The SDK hands on whatever came with status 200."""
    return (
        getattr(reply, "type", "") == "message"
        and isinstance(reply.content, list)
        and isinstance(reply.stop_reason, str)
    )


def _faults(reply: Any, calls: list[Any]) -> list[str]:
    """What is not as a lesson expects it: "cut", "stop", "ids", "input"."""
    ids = {call.id for call in calls if isinstance(call.id, str) and call.id}
    wrong = {
        "cut": reply.stop_reason == "max_tokens",
        "stop": bool(calls) and reply.stop_reason not in ("tool_use", "max_tokens"),
        "ids": len(ids) < len(calls),
        "input": any(not isinstance(call.input, dict) for call in calls),
    }
    return [name for name, is_so in wrong.items() if is_so]
