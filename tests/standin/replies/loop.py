"""A small agent loop over the stand-in's core, as a program would run it, and what came of it."""

import json
from dataclasses import dataclass, field

import fastjsonschema

from course.standin.core import handle

from .toolsets import SETS, run

HEADERS = {"x-api-key": "key", "anthropic-version": "2026-10-21", "content-type": "application/json"}
MODEL = "claude-haiku-5-5"
# Local time has no offset: nothing in these requests says in which zone the user is.
DATE_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$"


def ask(body):
    """Send one request; return the message."""
    response = handle("POST", "/v1/messages", HEADERS, json.dumps(body).encode())
    data = json.loads(b"".join(response.chunks))
    assert response.status == 200, data
    return data


@dataclass
class Played:
    """What a conversation came to: `rounds` holds, reply by reply, the calls as [name, input]; `text` is the answer."""

    messages: list
    rounds: list = field(default_factory=list)
    text: str = ""
    stop_reason: str = ""


def play(prompt, tools="weather", history=(), functions=None, turns=12, checked=True, **more):
    """Run the loop. Every call is `checked` against its tool's schema by an independent validator."""
    definitions, own = SETS[tools] if isinstance(tools, str) else tools
    functions = own if functions is None else functions
    validators = {
        each["name"]: fastjsonschema.compile(each["input_schema"], formats={"date-time": DATE_TIME})
        for each in definitions
    }
    played = Played([*history, {"role": "user", "content": prompt}])
    for _ in range(turns):
        body = {"model": MODEL, "max_tokens": 8000, "messages": played.messages, **more}
        if definitions:
            body["tools"] = definitions
        message = ask(body)
        played.stop_reason = message["stop_reason"]
        played.messages.append({"role": "assistant", "content": message["content"]})
        if message["stop_reason"] != "tool_use":
            played.text = "\n".join(block["text"] for block in message["content"] if block["type"] == "text")
            return played
        calls = [block for block in message["content"] if block["type"] == "tool_use"]
        assert calls, "stop_reason is tool_use, and there is no call"
        for call in calls if checked else ():
            validators[call["name"]](json.loads(json.dumps(call["input"])))
        played.rounds.append([[call["name"], call["input"]] for call in calls])
        played.messages.append({"role": "user", "content": [run(functions, call) for call in calls]})
    raise AssertionError(f"no end after {turns} turns: {played.rounds[-1]}")
