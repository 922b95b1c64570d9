"""Playing Claude for an exercise: the API's rules first, then a reply that the exercise lays down."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from ..standin import ids, message, sse, tokens
from ..standin.core import Response, handle
from ..standin.replies import Reply
from ..standin.replies.conversation import Conversation
from .run import joined

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]
Play = Callable[[Conversation], Reply]

Call = tuple[str, dict[str, Any]]


def answer_with(play: Play) -> Answer:
    """An answer for `create_app`. What the API would refuse is refused; everything else is answered by `play`.

    `play` must be a function of the conversation alone, as a program may send the same request twice. Its reply may
    hold thinking blocks, no content at all, and any stop reason.
    """

    def answer(method: str, path: str, headers: Mapping[str, str], raw: bytes) -> Response:
        response = handle(method, path, headers, raw)
        if response.status != 200 or path.partition("?")[0] != "/v1/messages":
            return response
        body = json.loads(raw)
        played = _message(body, play(Conversation({**body, "messages": joined(body["messages"])})))
        if body.get("stream"):
            response.chunks = sse.events(played)
        else:
            response.chunks = (json.dumps(played, ensure_ascii=False).encode("utf-8", "replace"),)
        return response

    return answer


def _message(body: dict[str, Any], reply: Reply) -> dict[str, Any]:
    """The message for a reply, with ids and signatures of this conversation."""
    made, _ = message.make(body)
    seed = ids.conversation(body)
    thinks = (body.get("thinking") or {}).get("type") not in ("disabled", "between_tools")
    content = []
    for number, block in enumerate(reply.content):
        if block["type"] == "tool_use":
            content.append({**block, "id": ids.new_id("toolu", seed, number), "caller": message.DIRECT})
        elif block["type"] == "text":
            content.append(block)
        elif thinks:
            content.append({"type": "thinking", "thinking": "", "signature": ids.sign("", seed)})
    made.update(content=content, stop_reason=reply.stop_reason, stop_sequence=None)
    made["usage"]["output_tokens"] = 1 + sum(tokens.block(block) for block in content)
    return made


def say(*texts: str, think: bool = False) -> Reply:
    """A reply that ends the turn; without texts, an empty one."""
    return Reply(_thought(think) + [{"type": "text", "text": text} for text in texts], "end_turn")


def ask_for(*calls: Call, text: str = "", think: bool = True, stop_reason: str = "tool_use") -> Reply:
    """A reply that asks for calls, (name, input) each. Thinking comes first, as on current models."""
    content = _thought(think) + ([{"type": "text", "text": text}] if text else [])
    content += [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return Reply(content, stop_reason)


def _thought(think: bool) -> list[dict[str, Any]]:
    return [{"type": "thinking"}] if think else []
