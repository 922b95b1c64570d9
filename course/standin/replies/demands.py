"""What a request demands of a reply, whatever the prompt says: a call, a form for the answer, an end.

The rules here are those that programs and libraries other than the lessons need to come to an end.
"""

import json
import re
from typing import Any

from course.standin.talk import Reply, Talk, ask_for, say, text_of

from . import one_tool, schema
from .arguments import fill
from .words import Texts, look, spoken_in

MAX_ROUNDS = 12  # replies that ask for tools, for one prompt, unless they are typed
MAX_SAME = 2  # times that one call may come back with the same result

text = Texts("texts")


def hold(reply: Reply, talk: Talk) -> Reply:
    """Hold a reply to what the request allows and demands, and the work to an end."""
    calls = [block for block in reply.content if block["type"] == "tool_use"]
    must_call = talk.choice in ("any", "tool") and talk.tools
    if not calls and not must_call:
        return _answered(reply, talk) or _in_form(reply, talk)
    if talk.choice == "none":
        return _in_form(say(text(spoken_in(talk), "not_allowed", name=calls[0]["name"])), talk)
    circles = talk.rounds >= MAX_ROUNDS or any([_again(block, talk) for block in calls])
    if must_call:
        if not calls or circles or (talk.forced and calls[0]["name"] != talk.forced):
            return _demanded(reply, talk)
    elif circles:
        last = (talk.calls[-1].result or "").strip()[:500]
        return _in_form(say(text(spoken_in(talk), "stopped", result=last)), talk)
    if not talk.parallel:
        first = next(i for i, block in enumerate(reply.content) if block["type"] == "tool_use")
        return Reply(reply.content[: first + 1], reply.stop_reason)
    return reply


def _again(block: dict[str, Any], talk: Talk) -> bool:
    """Whether this call has been made, and brought the same, more than once."""
    same = [call.result for call in talk.calls if (call.name, call.input) == (block["name"], block["input"])]
    return len(same) >= MAX_SAME and len(set(same[-MAX_SAME:])) == 1


def _demanded(reply: Reply, talk: Talk) -> Reply:
    """The call that must come: to the tool that is named, to the one that takes the answer, to one not yet called."""
    if talk.forced in talk.tools:
        tool = talk.tools[talk.forced]
    else:
        done = {call.name for call in talk.calls}
        new = [tool for name, tool in talk.tools.items() if name not in done]
        tool = (_answer_tool(talk) if talk.calls else None) or (new or list(talk.tools.values()))[0]
    return ask_for((tool["name"], _filled(tool, reply.text, talk)))


def _answered(reply: Reply, talk: Talk) -> Reply | None:
    """The same through the tool that takes the answer, if there is one and it was not called for this prompt."""
    tool = _answer_tool(talk)
    if tool is None or talk.choice != "auto" or any(call.name == tool["name"] for call in talk.calls):
        return None
    return ask_for((tool["name"], _filled(tool, reply.text, talk))) if talk.prompt or talk.calls else None


def _answer_tool(talk: Talk) -> dict[str, Any] | None:
    looked = look("texts", "takes_answer")
    return next((tool for name, tool in talk.tools.items() if looked.search(name)), None)


def _filled(tool: dict[str, Any], answer: str, talk: Talk) -> dict[str, Any]:
    """An input for a tool; one that takes nothing but a text gets the answer."""
    root = tool["input_schema"]
    needed = schema.required(root)
    if look("texts", "takes_answer").search(tool["name"]) and len(needed) == 1 and answer:
        value = schema.fit(answer, schema.properties(root).get(needed[0], {}), root)
        if value is not schema.NOTHING:
            return schema.complete({needed[0]: value}, root)
    return fill(root, talk)


# --- a form for the answer --------------------------------------------------------------------------------------------


def _in_form(reply: Reply, talk: Talk) -> Reply:
    """The reply as JSON of the schema that the answer is to have, if it is to have one."""
    about = _form(talk)
    return reply if about is None else say(json.dumps(fill(about, talk), ensure_ascii=False))


def _form(talk: Talk) -> dict[str, Any] | None:
    """The schema that the answer is to have: the request's, or one that stands in the system prompt."""
    wanted = (talk.body.get("output_config") or {}).get("format") or talk.body.get("output_format") or {}
    found = wanted.get("schema") if isinstance(wanted, dict) else None
    if isinstance(found, dict):
        return found
    if talk.tools or '"properties"' not in talk.system or not look("texts", "wants_json").search(talk.system):
        return None
    decoder = json.JSONDecoder()
    for match in list(re.finditer(r"\{", talk.system))[:50]:
        try:
            found, _ = decoder.raw_decode(talk.system, match.start())
        except ValueError:
            continue
        if isinstance(found, dict) and "properties" in found:
            return found
    return None


# --- before a scene looks at the prompt -------------------------------------------------------------------------------


def without_form(talk: Talk) -> Talk:
    """The conversation without paragraphs that speak only of the form of the answer, and without quotes around all."""
    if "\n" not in talk.prompt and talk.prompt[:1] != '"':
        return talk
    first, *others = re.split(r"\n\s*\n", talk.prompt)
    kept = [part for part in others if not look("texts", "about_answer").search(part)]
    prompt = "\n\n".join([first, *kept])
    if len(prompt) > 2 and prompt[0] == prompt[-1] == '"' and '"' not in prompt[1:-1]:
        prompt = prompt[1:-1]
    return talk if len(prompt) == len(talk.prompt) else talk.asking(prompt)


def observed(talk: Talk) -> Reply | None:
    """What a result says that a client sends as text, "Observation: ...", where calls go as text."""
    if talk.choice != "any" and not talk.prompt.startswith("Observation:"):
        return None
    seen = list(look("texts", "observation").finditer(talk.prompt))
    if not seen:
        return None
    told = talk.prompt[seen[-1].end() :].strip()
    tool = _answer_tool(talk)
    return ask_for((tool["name"], _filled(tool, told, talk))) if tool else say(told)


def search(talk: Talk) -> Reply | None:
    """Search for a tool that is only named, with the tool for that, if its name fits the prompt."""
    if talk.calls:
        return None
    searcher = next((tool for name, tool in talk.tools.items() if look("texts", "tool_search").search(name)), None)
    if searcher is None:
        return None
    named = [(name, name) for name in talk.deferred]
    for message in talk.messages:
        named += look("texts", "named_tool").findall(text_of(message["content"]))
    for whole, name in named:
        if whole not in talk.tools and one_tool.fitting(name, talk.prompt):
            root = searcher["input_schema"]
            needed = schema.required(root) or list(schema.properties(root))
            return ask_for((searcher["name"], schema.complete(dict.fromkeys(needed[:1], f"select:{whole}"), root)))
    return None
