"""A stand-in that says what a test wants said: real requests, checked by the rules, with replies written in advance."""

import itertools
import json
import threading

from course.standin.core import Pause, Response, handle


def text(words):
    return {"type": "text", "text": words}


def bash(command):
    return {"type": "tool_use", "name": "bash", "input": {"command": command}}


class Playing:
    """An `answer` that plays replies in order, each a list of blocks, or a stop reason with its blocks, or a number of
    seconds to wait first; "Done." when there are no more. A request that the API would refuse is refused here too."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.ids = itertools.count(1)
        self.asked = threading.Event()  # set when a request has come

    def __call__(self, method, path, headers, body):
        response = handle(method, path, headers, body)
        if response.status != 200 or not path.startswith("/v1/messages"):
            return response
        self.asked.set()
        pauses = []
        while self.replies and isinstance(self.replies[0], (int, float)):
            pauses.append(Pause(self.replies.pop(0)))
        reply = self.replies.pop(0) if self.replies else [text("Done.")]
        stop_reason, blocks = reply if isinstance(reply, tuple) else (None, reply)
        content = [{**block, "id": f"toolu_{next(self.ids)}"} if "input" in block else block for block in blocks]
        message = json.loads(b"".join(response.chunks))
        message["content"] = content
        message["stop_reason"] = stop_reason or ("tool_use" if content[-1]["type"] == "tool_use" else "end_turn")
        return Response(200, response.headers, [*pauses, json.dumps(message).encode()])


def results_in(request):
    """The text of the tool results in the last message of a request, in order."""
    return [block["content"] for block in request["messages"][-1]["content"] if block["type"] == "tool_result"]


def prompts_in(request):
    """What the user said, in order."""
    return [message["content"] for message in request["messages"] if isinstance(message["content"], str)]
