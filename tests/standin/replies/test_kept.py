"""What pages, recordings, exercises run by hand and clients' tests play: the same calls, reply by reply.

A line of kept.jsonl is a set of tools by name, or a conversation: where it is played, language, tools, system prompt,
and steps. A step is a prompt, or the calls of one reply, [tool, input, result] each, with `true` behind a result that
is an error, or {"beside": words that are sent along with the results}. Calls without a result are the last; else the
last reply asks for none.
"""

import json
from pathlib import Path

import pytest

from .loop import MODEL, ask

LINES = [json.loads(line) for line in Path(__file__).with_name("kept.jsonl").read_text(encoding="utf-8").splitlines()]
TOOLS = {line["name"]: line["tools"] for line in LINES if "name" in line}
KEPT = [line for line in LINES if "steps" in line]


@pytest.mark.parametrize("entry", KEPT, ids=[f"{each['from']}-{each['language']}" for each in KEPT])
def test_kept(entry):
    body = {"model": MODEL, "max_tokens": 8000, "messages": []}
    body |= {key: value for key, value in (("tools", TOOLS[entry["tools"]]), ("system", entry["system"])) if value}
    steps = entry["steps"]
    asked = []
    for step, following in zip(steps, [*steps[1:], "an end"], strict=True):
        if isinstance(step, list):
            assert [[call["name"], call["input"]] for call in asked] == [call[:2] for call in step]
            if not step[0][2:]:
                return
            content = [
                {"type": "tool_result", "tool_use_id": call["id"], "content": told[2], "is_error": told[3:] == [True]}
                for call, told in zip(asked, step, strict=True)
            ]
        else:
            text = step if isinstance(step, str) else step["beside"]
            content = [{"type": "text", "text": text}]
        body["messages"].append({"role": "user", "content": content})
        if isinstance(following, dict):
            continue
        reply = ask(body)
        body["messages"].append({"role": "assistant", "content": reply["content"]})
        asked = [block for block in reply["content"] if block["type"] == "tool_use"]
        if isinstance(following, str):
            assert (reply["stop_reason"], asked) == ("end_turn", [])
            assert any(block["type"] == "text" for block in reply["content"])
