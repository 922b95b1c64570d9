"""Other endpoints of this API, as they differ from Claude's: an `answer` for the recorder each, around the stand-in.

What each does wrong is described on the page "Other models"; test_other_endpoints.py tries the lessons with it.
"""

import json

from course.standin.core import Response, handle


def said(status, body):
    return Response(status, {"content-type": "application/json"}, [json.dumps(body).encode()])


def changed(path, body, change_request=None, change_reply=None):
    """The stand-in's answer to a changed request, changed; a stream as it is. There is nothing else."""
    if path.split("?")[0] != "/v1/messages":
        return said(404, {"detail": "Not Found"})
    request = json.loads(body)
    if change_request:
        change_request(request)
    response = handle("POST", "/v1/messages", HEADERS, json.dumps(request).encode())
    if change_reply is None or response.status != 200 or request.get("stream"):
        return response
    reply = json.loads(b"".join(response.chunks))
    change_reply(reply)
    return said(200, reply)


HEADERS = {"authorization": "Bearer any", "anthropic-version": "2026-10-21", "content-type": "application/json"}


def calls(content):
    return [block for block in content if isinstance(block, dict) and block["type"] == "tool_use"]


def number_ids(request):
    """Give each call and its result an id of its own again, by their order, so that the stand-in takes the history."""
    count = 0
    for asked, answered in zip(request["messages"], request["messages"][1:], strict=False):
        for call, result in zip(calls(asked["content"]), answered["content"], strict=False):
            count += 1
            call["id"] = result["tool_use_id"] = f"toolu_{count}"


def one_id(method, path, headers, body):
    """Every call is "call_0", in this reply and in the next. It does not mind when it gets that back."""

    def repeat(reply):
        for call in calls(reply["content"]):
            call["id"] = "call_0"

    return changed(path, body, number_ids, repeat)


def no_strict(method, path, headers, body):
    """It knows no `strict`, and refuses what it does not know."""
    if any("strict" in tool for tool in json.loads(body or b"{}").get("tools", ())):
        return said(400, {"error": {"message": "tools[0].strict: unknown field"}})
    return changed(path, body)


def one_id_but_strict(method, path, headers, body):
    """The same, but what it gave out itself it refuses, if two calls of one message have it."""
    for message in json.loads(body or b"{}").get("messages", ()):
        ids = [call["id"] for call in calls(message["content"])]
        if len(set(ids)) < len(ids):
            return said(400, {"error": {"message": "duplicate tool_use id", "code": "invalid_request"}})
    return one_id(method, path, headers, body)


def no_options(method, path, headers, body):
    """`tool_choice` and all beyond the basics is ignored: several calls come although one was allowed."""

    def forget(request):
        basics = ("model", "max_tokens", "system", "messages", "tools", "stream")
        for name in [name for name in request if name not in basics]:
            del request[name]

    return changed(path, body, forget)


def ends_turn(method, path, headers, body):
    """A reply with calls says `end_turn`."""

    def end(reply):
        reply["stop_reason"] = "end_turn"

    return changed(path, body, None, end)


def text_arguments(method, path, headers, body):
    """A call's `input` is JSON in a string, as in other APIs."""

    def back(request):
        for message in request["messages"]:
            for call in calls(message["content"]):
                call["input"] = json.loads(call["input"]) if isinstance(call["input"], str) else call["input"]

    def write(reply):
        for call in calls(reply["content"]):
            call["input"] = json.dumps(call["input"])

    return changed(path, body, back, write)


def bare(method, path, headers, body):
    """Thinking without a signature, and no `usage`, no `stop_sequence`, no caching to be seen."""

    def drop(request):
        for message in request["messages"]:
            if isinstance(message["content"], list):
                message["content"] = [block for block in message["content"] if block["type"] != "thinking"]

    def strip(reply):
        for name in ("usage", "stop_sequence"):
            del reply[name]
        reply["content"].insert(0, {"type": "thinking", "thinking": "Let me see."})

    return changed(path, body, drop, strip)


def other_errors(method, path, headers, body):
    """Errors in the shape of another API."""
    return said(400, {"code": 20012, "msg": "Model does not exist"})


def errors_with_200(method, path, headers, body):
    """Errors with the status of success."""
    return said(200, {"code": 1113, "msg": "no credit", "success": False})


def x_api_key_alone(method, path, headers, body):
    """The header that the SDK sent before 2.0, and no other."""
    if "x-api-key" not in headers:
        return said(401, {"error": {"message": "Authentication Fails (no api key)"}})
    return handle(method, path, headers, body)
