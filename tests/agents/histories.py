"""Cuts random histories with the functions of s12 and sends them: `python histories.py SCRIPT HOW_MANY SEED`.

The stand-in writes the histories, with a Claude that says anything; its rules then judge what is left of each after a
cut, with a model that binds its thinking to what stands before it. Prints what was done and what was refused.
"""

import contextlib
import copy
import importlib.util
import io
import json
import os
import random
import sys

import anthropic

from course.standin.app import create_app
from course.standin.core import handle
from course.standin.replies import play
from course.standin.server import start
from course.standin.talk import Reply, ask_for, say

MODEL = "claude-opus-5-5"
PROMPTS = ["Review Harbor Hall.", "And again?", "审查 Harbor Hall。", "Was ist offen?", "x" * 300, "["]
CUTS = 3  # of each history

script, how_many, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
server = start(lambda: create_app(handle))
os.environ |= {"ANTHROPIC_BASE_URL": server.base_url, "ANTHROPIC_API_KEY": "sk-ant-test", "MODEL_ID": MODEL}
spec = importlib.util.spec_from_file_location("s12", script)
s12 = importlib.util.module_from_spec(spec)
spec.loader.exec_module(s12)
chance = random.Random(seed)


def anything(talk):
    """A reply as Claude could give it: calls that are right or wrong, words, nothing, a stop of any kind."""
    if "summary" in talk.system:
        return play(talk)
    think = chance.random() < 0.5
    calls = [
        (chance.choice(["read_report", "read_report", "fly"]), {"report": "harbor-hall", "page": chance.randrange(5)})
        for _ in range(chance.randrange(4))
    ]
    if calls and chance.random() < 0.7:
        stop = "max_tokens" if chance.random() < 0.1 else "tool_use"
        return ask_for(*calls, text=chance.choice(["", "I read on."]), think=think, stop_reason=stop)
    if chance.random() < 0.1:
        return Reply([], chance.choice(["refusal", "end_turn"]))
    return say(*["Word " * chance.randrange(1, 60)] * chance.randrange(1, 3), think=think)


def ask(messages):
    """One reply, without a network: what is made here is only what shall be cut."""
    body = {"model": MODEL, "max_tokens": 8000, "system": s12.SYSTEM, "tools": s12.TOOLS, "messages": messages}
    sent = json.dumps(body, default=lambda block: block.to_dict()).encode()
    response = handle("POST", "/v1/messages", {"authorization": "Bearer x", "anthropic-version": "2026-10-21"}, sent,
                      anything)  # fmt: skip
    told = b"".join(response.chunks)
    assert response.status == 200, told
    return anthropic.types.Message.construct(**json.loads(told))


def history():
    """A history up to a moment at which something is about to be sent."""
    messages = []
    for _ in range(chance.randrange(1, 6)):
        messages.append({"role": "user", "content": chance.choice(PROMPTS)})
        for _ in range(6):
            reply = s12.mend(ask(messages))
            if reply.content:
                messages.append({"role": "assistant", "content": reply.content})
            results = s12.run_tools(reply) if reply.stop_reason == "tool_use" else s12.skip_tools(reply)
            if results:
                messages.append({"role": "user", "content": results})
            if not results or reply.stop_reason != "tool_use":
                break
    ends = [n for n, message in enumerate(messages) if message["role"] == "user"]
    return messages[: chance.choice(ends) + 1]


def prompts(messages):
    return [message["content"] for message in messages if isinstance(message["content"], str)]


done = {"histories": 0, "cut": 0, "summarized": 0, "wrong": []}
with contextlib.redirect_stdout(io.StringIO()):
    for _ in range(how_many):
        original = history()
        before = s12.to_json(original)
        done["histories"] += 1
        for _ in range(CUTS):
            messages = copy.copy(original)
            s12.KEEP = chance.choice([0, 1, 2, 3, 4, 7])
            s12.LIMIT = chance.choice([1, 1_400, 1_500, 1_700, 2_000])
            s12.LENGTH |= {"kept": 0}
            s12.shorten(messages)
            done["cut"] += messages != original
            done["summarized"] += len(prompts(messages)) < len(prompts(original))
            try:
                s12.ask_claude(messages)
            except anthropic.BadRequestError as error:
                done["wrong"].append(f"refused: {error}")
            if prompts(messages)[-1:] != prompts(original)[-1:]:
                done["wrong"].append("the last prompt is not there, word for word")
            if s12.to_json(original) != before:
                done["wrong"].append("the history itself was changed, before the cut was done")
server.stop()
print(json.dumps(done))
