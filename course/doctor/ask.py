"""What a lesson does, in small. request.py starts it in a process of its own; it prints what came of it as JSON."""

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


def main(whole: bool) -> None:
    """Ask once and print {"status", "error", "chain", "message", "called"}.

    Args:
        whole: offer a tool, and answer the call if one comes, as the lessons do. Otherwise the smallest request that
            there is, because it is paid for.
    """
    import anthropic

    from course import load_env

    load_env()
    client = anthropic.Anthropic(max_retries=0, timeout=SECONDS)
    found: dict[str, Any] = {"status": 0, "error": None, "chain": [], "message": False, "called": False}
    messages: list[Any] = [{"role": "user", "content": "What should I wear in Austin today?" if whole else "Hi"}]
    more: dict[str, Any] = {"max_tokens": 2000, "tools": [TOOL]} if whole else {"max_tokens": 16}
    more["model"] = os.environ.get("MODEL_ID", "claude-sonnet-5-5")
    try:
        reply = client.messages.create(messages=messages, **more)
        found["status"], found["message"] = 200, _is_message(reply)
        if found["message"] and reply.stop_reason == "tool_use":
            found["called"] = True
            calls = [block for block in reply.content if block.type == "tool_use"]
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


def _is_message(reply: Any) -> bool:
    """Whether it is a reply of this API. The SDK hands on whatever came with status 200."""
    return (
        getattr(reply, "type", "") == "message"
        and isinstance(reply.content, list)
        and isinstance(reply.stop_reason, str)
    )
