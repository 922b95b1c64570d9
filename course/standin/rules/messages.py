"""Rules for the messages: roles, contents, texts."""

from typing import Any

from course.standin.rules.naming import place
from course.standin.rules.request import Block, Place, Request, Turn, Values
from course.standin.rules.shapes import Fault

Message = dict[str, Any]


def messages_missing(fault: Fault) -> Values | None:
    """No messages. Usually the text was sent as prompt or input, as other APIs have it."""
    return place(fault, "missing", "messages")


def messages_empty(request: Request) -> Values | None:
    """An empty list of messages. Usually a history that was trimmed too far, or only a system prompt."""
    return None if request.body["messages"] else {}


def messages_not_array(fault: Fault) -> Values | None:
    """messages that is no list. Usually a bare string, or one message."""
    return place(fault, "type", "messages")


def message_not_object(fault: Fault) -> Values | None:
    """A message that is no object. Usually a bare string in the list."""
    return place(fault, "type", "messages", int)


def role_missing(fault: Fault) -> Values | None:
    """A message without role. Usually a content block put where a message belongs."""
    return place(fault, "missing", "messages", int, "role")


def content_missing(fault: Fault) -> Values | None:
    """A message without content. Usually an assistant message of another API that held only tool_calls."""
    return place(fault, "missing", "messages", int, "content")


def content_wrong_type(fault: Fault) -> Values | None:
    """A message's content that is neither a string nor a list of blocks. Usually None, from a function that returned
    nothing.
    """
    return place(fault, "type", "messages", int, "content")


def content_is_block(fault: Fault) -> Values | None:
    """One block as a message's content, without the list around it. Usually there was only one result."""
    found = place(fault, "type", "messages", int, "content")
    return found if found and type(fault.found) is dict and "type" in fault.found else None


def content_is_message(fault: Fault) -> Values | None:
    """A message, or a whole reply, as the content of a message or in it. Usually `response` in place of
    `response.content`, or a message wrapped twice.
    """
    found = place(fault, "tag", "messages", int, "content", int)
    if found:
        return found | {"variant": "reply"} if found["value"] == "message" else None
    if type(fault.found) is not dict or "role" not in fault.found:
        return None
    found = place(fault, "missing", "messages", int, "content", int, "type")
    return found | {"variant": "item"} if found else place(fault, "type", "messages", int, "content")


def content_item_not_block(fault: Fault) -> Values | None:
    """Something in a list of content that is no object. Usually bare strings, or a list appended to the list."""
    return place(fault, "type", "messages", int, "content", int)


def block_type_missing(fault: Fault) -> Values | None:
    """A content block without type. Usually {"text": ...} alone."""
    return place(fault, "missing", "messages", int, "content", int, "type")


def block_tag_unknown(fault: Fault) -> Values | None:
    """A content block of a type that does not exist, in a tool's result too. Usually one of OpenAI's: image_url,
    input_text; or the program's own objects, which have a type as well.
    """
    found = place(fault, "tag", "messages", int, "content", int, "tool_result", "content", int)
    return found | {"variant": "result"} if found else place(fault, "tag", "messages", int, "content", int)


def message_extra_key(fault: Fault) -> Values | None:
    """A key that messages do not have. Usually name or tool_calls from another API, or a whole reply (with its id,
    usage, model) appended where only role and content belong.
    """
    found = place(fault, "extra", "messages", int, "")
    return {"i": found["i"], "key": found["last"]} if found else None


def role_invalid(request: Request) -> Values | None:
    """A role that does not exist here. Usually "tool" or "function": results of tools go into user messages."""
    for message in request.body["messages"]:
        if message["role"] not in ("user", "assistant", "system"):
            return {"role": message["role"]}
    return None


def system_content_empty(request: Request, i: int, message: Message) -> Values | None:
    """A system message in the conversation without content. Usually an instruction that turned out empty."""
    return None if message["content"] else {"i": i}


def system_block_types(request: Request, i: int, message: Message) -> Values | None:
    """A system message in the conversation with something else than text. Usually an image meant for the user's
    message.
    """
    content = message["content"]
    if type(content) is str or all(block["type"] in ("text", "tool_addition", "tool_removal") for block in content):
        return None
    return {"i": i}


def role_system_first(request: Request, i: int, message: Message) -> Values | None:
    """The system prompt as the first message. It has a place of its own: the top-level `system`. Usually taken over
    from OpenAI's API.
    """
    return {} if i == 0 else None


def role_system_unsupported_model(request: Request, i: int, message: Message) -> Values | None:
    """A system message in mid-conversation on a model that knows only the top-level `system`: those before Claude
    4.8. Usually a program written for a newer model.
    """
    return {} if request.refuses("role_system_unsupported_model") else None


def role_system_position(request: Request, i: int, message: Message) -> Values | None:
    """A system message in mid-conversation right after the assistant's, or with a user message after it. It must stand
    between the user and the assistant. Usually put in front of the user's message that it belongs to.

    Seen: https://github.com/anthropics/claude-code/issues/73821
    """
    messages = request.body["messages"]
    if _speaker_before(messages, i) == "assistant":
        return {"i": i, "variant": "after"}
    return {"i": i} if i + 1 < len(messages) and messages[i + 1]["role"] == "user" else None


def _speaker_before(messages: list[Message], i: int) -> str:
    """Who spoke last before a system message: "user" or "assistant". A server tool's result counts as the user's."""
    while messages[i]["role"] == "system" and i:
        i -= 1
    content = messages[i]["content"]
    if type(content) is list and content and content[-1]["type"].endswith("_tool_result"):
        return "user"
    return str(messages[i]["role"])


def system_item_whitespace(request: Request, i: int, message: Message) -> Values | None:
    """A system message in mid-conversation with an empty text. Usually a template whose variables were empty."""
    content = message["content"]
    if type(content) is str:
        return None if content.strip() else {"i": i}
    blank = any(block["type"] == "text" and not block["text"].strip() for block in content)
    return {"i": i} if blank else None


def first_message_not_user(request: Request) -> Values | None:
    """A conversation that the assistant opens. Usually a greeting kept in the history, or a history whose beginning
    was cut off.

    Seen: https://github.com/lobehub/lobehub/issues/1601
    """
    for message in request.body["messages"]:
        if message["role"] != "system":
            return {} if message["role"] == "assistant" else None
    return None


def no_results_collected(request: Request, i: int, role: str, last: bool) -> Values | None:
    """An empty list as the user's answer to a reply. Usually a loop that goes on after a reply without calls, or one
    that passes over the calls.
    """
    messages = request.body["messages"]
    after_reply = role == "user" and i > 0 and messages[i - 1]["role"] == "assistant"
    return {"i": i} if after_reply and messages[i]["content"] == [] else None


def user_empty_content(request: Request, i: int, role: str, last: bool) -> Values | None:
    """A user turn without content: "" or [], in all its messages. Usually an empty input line."""
    return {"i": i} if role == "user" else None


def all_messages_nonempty(request: Request, i: int, role: str, last: bool) -> Values | None:
    """An assistant message without content that is not the last. Usually an empty reply (end_turn with no blocks)
    appended to the history: leave it out.

    Seen: https://github.com/anthropics/claude-code/issues/6774
    """
    return {"i": i} if role == "assistant" and not last else None


def cache_control_empty_text(request: Request, at: Place, block: Block) -> Values | None:
    """A cache mark on an empty text: there is nothing to cache. Usually the mark is put on the last block, whatever
    it is.
    """
    return {"i": at.i, "j": at.j} if block.get("cache_control") and not block["text"] else None


def text_empty(request: Request, at: Place, block: Block) -> Values | None:
    """A text block with the empty string, anywhere, beside real text too. Usually a tool's empty output or an empty
    reply wrapped in a block.

    Seen: https://github.com/anthropics/claude-code/issues/59812
    """
    return None if block["text"] else {}


def text_whitespace(request: Request, turn: Turn) -> Values | None:
    """A message whose only text is white space. Usually output of a command that was nothing but a newline.

    Seen: https://github.com/anthropics/claude-code/issues/23369
    """
    blank = False
    for _, block in turn.blocks:
        if block["type"] == "text":
            if block["text"].strip():
                return None
            blank = True
    return {} if blank else None


def system_text_empty(request: Request) -> Values | None:
    """An empty text block in the system prompt (an empty string is fine). Usually a template with nothing in it."""
    system = request.body["system"]
    if type(system) is str:
        return None
    for i, block in enumerate(system):
        if not block["text"]:
            return {"variant": "cached", "i": i} if block.get("cache_control") else {}
    return None


def final_assistant_trailing_ws(request: Request, turn: Turn) -> Values | None:
    """A prefill (a last turn of the assistant, to be gone on with) that ends in a blank, on models that take
    prefills. The next word brings its own blank. Usually "Answer: ".

    Seen: https://github.com/crewAIInc/crewAI/issues/4413
    """
    block = turn.blocks[-1][1]
    return {} if block["type"] == "text" and block["text"] != block["text"].rstrip() else None


def prefill_unsupported(request: Request, turn: Turn) -> Values | None:
    """A last message of the assistant, empty ones too, on a model that does not go on from one: Claude 4.6 and later.
    Usually a loop that asks again without having added the results, or a prefill from before; output_config.format
    does that now.

    A turn that was paused in the middle of a server tool's work (pause_turn) is sent back as it is, and accepted.
    Documented: https://platform.claude.com/docs/en/api/errors#prefill-not-supported
    """
    if not request.refuses("prefill_unsupported"):
        return None
    kind = turn.blocks[-1][1]["type"]
    paused = kind in ("server_tool_use", "mcp_tool_use", "compaction") or kind.endswith("_tool_result")
    return None if paused else {}
