"""Rules for the loop itself: every call gets its result, at once, in one message, once.

`first_fault` goes through the turns in order and asks the rules below. The sentence for a call without its result is
the same for three mistakes, that for a result without its call for five; which of the rules is named decides what the
learner is told to do.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from course.standin.rules.naming import place
from course.standin.rules.request import Block, Place, Request, Turn, Values
from course.standin.rules.shapes import Fault

Found = tuple[Callable[..., Any], Values] | None
Call = tuple[Place, Block]
Calls = dict[str, Call]  # by their ids


class Before(NamedTuple):
    """What stands before a result: the turn that it is in, the calls that this turn should answer, those that it has
    answered by then, and the ids of all calls so far.
    """

    turn: Turn
    asked: Calls
    answered: set[str]
    seen: set[str]


def tool_result_missing_id(fault: Fault) -> Values | None:
    """A tool_result without tool_use_id, or with one that is no string: nobody knows which call it answers. Usually the
    key was called id, or the id was looked for where there is none.
    """
    at = ("messages", int, "content", int, "tool_result", "tool_use_id")
    found = place(fault, "type", *at)
    return found | {"variant": "type"} if found else place(fault, "missing", *at)


def tool_result_wrong_type(fault: Fault) -> Values | None:
    """A result that is neither a string nor a list of blocks. Usually what the tool's function returned, as it is."""
    return place(fault, "type", "messages", int, "content", int, "tool_result", "content")


def tool_result_list(fault: Fault) -> Values | None:
    """A result that is a list of something else than blocks. Usually what the tool's function returned, as it is."""
    at = ("messages", int, "content", int, "tool_result", "content", int)
    found = place(fault, "missing", *at, "type")
    return found | {"variant": "missing"} if found else place(fault, "type", *at)


def tool_use_id_pattern(fault: Fault) -> Values | None:
    """A call's id that is empty or has other characters than letters, digits, _ and -. Usually a history from
    another provider.

    Seen: https://github.com/anomalyco/opencode/issues/1279
    """
    return place(fault, "value", "messages", int, "content", int, "tool_use", "id")


def tool_use_input_not_object(fault: Fault) -> Values | None:
    """A call's input that is no object. Usually the arguments as a string of JSON, as OpenAI's API has them, or
    null for a tool without arguments.
    """
    return place(fault, "type", "messages", int, "content", int, "tool_use", "input")


def tool_result_in_assistant(request: Request, at: Place, block: Block) -> Values | None:
    """A result in an assistant message. Claude asks, the program answers: results go into a user message. Usually
    calls and results collected in one list.
    """
    return {"i": at.i} if at.role == "assistant" else None


def tool_use_in_user(request: Request, at: Place, block: Block) -> Values | None:
    """A call in a user message. Usually the reply was appended with role "user"."""
    return {"i": at.i} if at.role == "user" else None


def tool_use_ids_unique(request: Request, at: Place, block: Block, seen: set[str]) -> Values | None:
    """Two calls with one id, anywhere in the conversation. Usually a reply appended twice, or ids made up by a test.

    Seen: https://github.com/anthropics/claude-code/issues/20573
    """
    return {"i": at.i, "j": at.j} if block["id"] in seen else None


def unexpected_server_tool_result(request: Request, at: Place, block: Block, seen: set[str]) -> Values | None:
    """The result of a server tool (web search and the like) without its call before it. Usually a history from
    which the calls were filtered.

    Seen: https://github.com/anthropics/claude-code/issues/64383
    """
    if block["tool_use_id"] in seen:
        return None
    return {"i": at.i, "j": at.j, "kind": block["type"].removesuffix("_tool_result"), "id": block["tool_use_id"]}


def orphan_tool_result_first(request: Request, at: Place, block: Block, before: Before) -> Values | None:
    """A conversation that begins with a result. Usually a history trimmed by counting messages, so that it now
    begins between a call and its result.

    Seen: https://github.com/anthropics/claude-code/issues/18947
    """
    return {"id": block["tool_use_id"]} if (at.i, at.j) == (0, 0) else None


def tool_result_sent_again(request: Request, at: Place, block: Block, before: Before) -> Values | None:
    """A result for a call of an earlier reply. Usually a list of results that is never emptied."""
    return _unexpected(at, block) if block["tool_use_id"] in before.seen else None


def reply_not_appended(request: Request, at: Place, block: Block, before: Before) -> Values | None:
    """A result for a call that is nowhere, with a message of the user's before it. Usually the results were appended
    and the reply was not.
    """
    all_answered = before.answered.issuperset(before.asked)
    return _unexpected(at, block) if all_answered and at.i > before.turn.first else None


def reply_without_calls(request: Request, at: Place, block: Block, before: Before) -> Values | None:
    """A result for a call that is nowhere, with a reply before it that holds none. Usually only the reply's text was
    appended.
    """
    return None if before.asked or not before.turn.first else _unexpected(at, block)


def unexpected_tool_use_id(request: Request, at: Place, block: Block, before: Before) -> Values | None:
    """A result for a call that the assistant turn before did not make. Usually a made-up id, or a history from which
    the call was trimmed.

    Seen: https://github.com/anthropics/claude-code/issues/13460
    """
    return _unexpected(at, block)


def _unexpected(at: Place, block: Block) -> Values:
    return {"i": at.i, "j": at.j, "id": block["tool_use_id"]}


def multiple_results_same_id(request: Request, at: Place, block: Block, answered: set[str]) -> Values | None:
    """Two results for one call. Usually a tool that was run again after a failure, with both results kept."""
    return {"i": at.i, "j": at.j, "id": block["tool_use_id"]} if block["tool_use_id"] in answered else None


def tool_use_without_result(request: Request, missing: list[Call], answered: set[str]) -> Values | None:
    """Calls without any result in the next message. Usually the loop went on with the user's next words, or the
    program stopped between call and result: answer each call, if only with is_error.

    Seen: https://github.com/anthropics/claude-code/issues/5060
    """
    return None if answered else _open(missing)


def text_before_tool_result(request: Request, missing: list[Call], answered: set[str]) -> Values | None:
    """Results that come after text in their message. Text may follow the results, not precede them. Usually a
    sentence such as "Here are the results:" put in front.

    Documented: https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls
    """
    return _open(missing) if any(call["id"] in answered for _, call in missing) else None


def tool_use_partial_results(request: Request, missing: list[Call], answered: set[str]) -> Values | None:
    """Several calls in one reply, and results for some of them. Usually a loop that runs only the first call, or
    drops the one that failed.

    Seen: https://github.com/anthropics/claude-code/issues/6539
    """
    return _open(missing)


def _open(missing: list[Call]) -> Values:
    return {"i": missing[0][0].i, "ids": ", ".join(call["id"] for _, call in missing)}


def first_fault(request: Request) -> Found:
    """The first rule about calls and results that a conversation breaks, with its values. Expects the types to be
    right.
    """
    asked: Calls = {}
    seen: set[str] = set()
    server: set[str] = set()
    for turn in request.turns:
        found = (
            _user_turn(request, turn, asked, seen)
            if turn.role == "user"
            else _assistant_turn(request, turn, seen, server)
        )
        if found:
            return found
        asked = {block["id"]: (at, block) for at, block in turn.blocks if block["type"] == "tool_use"}
    return _without_results(request, asked, set(), set())


def _assistant_turn(request: Request, turn: Turn, seen: set[str], server: set[str]) -> Found:
    for at, block in turn.blocks:
        kind = block["type"]
        if kind == "tool_use":
            if values := tool_use_ids_unique(request, at, block, seen):
                return tool_use_ids_unique, values
            seen.add(block["id"])
        elif kind == "tool_result":
            if values := tool_result_in_assistant(request, at, block):
                return tool_result_in_assistant, values
        elif kind == "server_tool_use" or kind == "mcp_tool_use":
            server.add(block["id"])
        elif kind.endswith("_tool_result"):
            if values := unexpected_server_tool_result(request, at, block, server):
                return unexpected_server_tool_result, values
    return None


def _user_turn(request: Request, turn: Turn, asked: Calls, seen: set[str]) -> Found:
    in_front: set[str] = set()  # answered before anything else is said
    answered: set[str] = set()
    only_results = True
    for at, block in turn.blocks:
        if block["type"] == "tool_use":
            if values := tool_use_in_user(request, at, block):
                return tool_use_in_user, values
        if block["type"] != "tool_result":
            only_results = False
            continue
        if block["tool_use_id"] not in asked:
            return _unasked(request, at, block, Before(turn, asked, answered, seen))
        if values := multiple_results_same_id(request, at, block, answered):
            return multiple_results_same_id, values
        answered.add(block["tool_use_id"])
        if only_results:
            in_front.add(block["tool_use_id"])
    return _without_results(request, asked, in_front, answered)


# The last one refuses always.
UNASKED = (
    orphan_tool_result_first,
    tool_result_sent_again,
    reply_not_appended,
    reply_without_calls,
    unexpected_tool_use_id,
)


def _unasked(request: Request, at: Place, block: Block, before: Before) -> Found:
    for rule in UNASKED:
        values = rule(request, at, block, before)
        if values is not None:
            return rule, values
    return None


def _without_results(request: Request, asked: Calls, in_front: set[str], answered: set[str]) -> Found:
    missing = [call for id, call in asked.items() if id not in in_front]
    if missing:
        for rule in (tool_use_without_result, text_before_tool_result, tool_use_partial_results):
            values = rule(request, missing, answered)
            if values is not None:
                return rule, values
    return None
