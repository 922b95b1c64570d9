"""Rules for the API's own tools in a history: each call comes with its result."""

from typing import Any

from course.standin.rules.request import Block, Place, Request, Values


def server_tool_use_without_result(request: Request, at: Place, block: Block) -> Values:
    """The call of a server tool without its result. Usually a turn that was paused (pause_turn) and answered instead of
    sent back, or a history from which the results were filtered.

    Results of the program's own tools may stand between the two. Seen:
    https://github.com/AnswerDotAI/lisette/issues/108
    """
    kind = "tool_search" if block["name"].startswith("tool_search_tool") else block["name"]
    return {"i": at.i, "name": block["name"], "id": block["id"], "kind": kind}


def first_fault(request: Request) -> tuple[Any, Values] | None:
    """The first call of a server tool that has no result when the conversation goes on with something else."""
    waiting: dict[str, tuple[Place, Block]] = {}
    for turn in request.turns:
        for at, block in turn.blocks:
            kind = block["type"]
            if turn.role == "user":
                if waiting and kind != "tool_result":
                    rule = server_tool_use_without_result
                    return rule, rule(request, *next(iter(waiting.values())))
            elif kind == "server_tool_use":
                waiting[block["id"]] = (at, block)
            elif kind.endswith("_tool_result"):
                waiting.pop(block["tool_use_id"], None)
    return None
