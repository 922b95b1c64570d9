"""Requests that the API refuses: which mistake is behind it."""

import json
import re

from ..standin.rules.hints import advice
from .run import Block, Run, Sent, blocks, results
from .verdict import Verdict, fail, names, place, place_of, shortened

ASKS = (r"messages\.create\(", r"\.stream\(", r"tool_runner\(")
# Rules whose advice says all: what these look for would be something else.
SAY_IT_THEMSELVES = (
    "block_tag_unknown",
    "block_type_missing",
    "content_is_message",
    "content_missing",
    "message_extra_key",
    "message_not_object",
    "role_invalid",
    "role_missing",
)
RESULT = (r"type\W+tool_result", r"tool_result")
SENDS_RESULTS = (r"\"role\": \"user\".*result", *RESULT, *ASKS)


def refused(run: Run) -> Verdict | None:
    if not run.refused:
        return None
    sent = run.refused[0]
    if sent.rule not in SAY_IT_THEMSELVES:
        for explain in (
            _no_list,
            _lost_prompt,
            _went_on,
            _no_block,
            _bad_content,
            _foreign_result,
            _missing_results,
        ):
            if found := explain(run, sent):
                return found
    known = sent.rule if sent.rule in advice("en") else ""
    return fail(
        "refused",
        "known" if known else "",
        number=run.number(sent),
        rule=known,
        api=api(sent),
        line=_where(run, sent),
    )


def _where(run: Run, sent: Sent) -> int | None:
    """The line of the key that the API names ("messages.2.content.0.tool_result.contents: ..."), or what is near it."""
    if sent.problem.endswith("Field required"):
        missing = sent.problem.partition(": ")[0].rpartition(".")[2]
        other = {"role": "content", "content": "role"}.get(missing)
        whole = rf"^(?!.*(tool_result|[\"']{missing}[\"'])).*[\"']{other}[\"']" if other else RESULT[1]
        if missing == "text":
            whole = r"type\W+text"
        return place(run, *([whole] if "messages." in sent.problem else []), *ASKS)
    if sent.rule in _WHERE:
        return place(run, *_WHERE[sent.rule], *ASKS)
    first = 0
    if found := re.match(r"tools\.(\d+)\.", sent.problem):  # from the line on that names this tool
        tools = [n for n, line in enumerate(run.source.splitlines(), 1) if re.search(r"[\"']name[\"']\s*:", line)]
        first = tools[int(found[1])] if int(found[1]) < len(tools) else 0
    path = [part for part in sent.problem.partition(": ")[0].split(".") if re.fullmatch(r"[a-z_]+", part)]
    quoted = re.findall(r'"(\w+)"', sent.problem)  # the value, where the message names it: Unexpected role "..."
    keys = [rf"[\"']{re.escape(key)}[\"']\s*(?::|\])" for key in path[-1:]] if len(path) > 1 else []
    keys = [rf"[\"']{value}[\"']" for value in quoted[:1]] + keys
    near = [place_of(run, key, first=first) for key in keys] if first else []
    return next(filter(None, near), None) or place(run, *keys, *(RESULT if "tool_result" in path else ()), *ASKS)


_WHERE = {  # where the message's path leads astray
    "message_not_object": (r"\.append\((?!\{)",),
    "message_extra_key": (r"\.append\((?!\{)",),
    "content_is_message": (r"content\W+(reply|response)\s*\}", r"return .*role\W+user", r"role\W+assistant"),
}


def api(sent: Sent) -> str:
    """The API's words on a refused request."""
    return f"{sent.status}: {sent.problem}"


def _no_list(run: Run, sent: Sent) -> Verdict | None:
    """`messages = messages.append(...)`: append gives None back."""
    if "messages" in sent.body and sent.body["messages"] is not None:
        return None
    return fail("messages_none", number=run.number(sent), api=api(sent), line=place(run, r"= \w+\.append\(", *ASKS))


def _lost_prompt(run: Run, sent: Sent) -> Verdict | None:
    """A later request that begins with Claude's reply: the list was made anew."""
    if sent.rule != "first_message_not_user" or run.number(sent) == 1:
        return None
    look = place(run, r"= \[.*assistant", r"role\W+assistant", *ASKS)
    return fail("lost_prompt", number=run.number(sent), api=api(sent), line=look)


def _went_on(run: Run, sent: Sent) -> Verdict | None:
    """Claude had finished, and the program asked again without anything new."""
    before = [one for one in run.accepted if run.number(one) < run.number(sent)]
    messages = sent.body.get("messages")
    if not before or before[-1].reply.get("stop_reason") != "end_turn" or not isinstance(messages, list):
        return None
    last = messages[-1] if messages else None
    if not isinstance(last, dict) or (last.get("role") == "user" and last.get("content")):
        return None
    return fail("went_on", number=run.number(sent), api=api(sent), line=place(run, r"while ", r"for .*range", *ASKS))


def _no_block(run: Run, sent: Sent) -> Verdict | None:
    """Something else in a list of content blocks: a bare string, or a list in the list."""
    for number, message in enumerate(sent.body.get("messages") or []):
        content = message.get("content") if isinstance(message, dict) else None
        lists = [(f"messages[{number}].content", content)]
        if isinstance(content, list):
            lists += [
                (f"messages[{number}].content[{index}].content", block.get("content"))
                for index, block in enumerate(content)
                if isinstance(block, dict) and block.get("type") == "tool_result"
            ]
        for where, found in lists:
            if not isinstance(found, list):
                continue
            for index, block in enumerate(found):
                if not isinstance(block, dict):
                    return fail(
                        "no_block",
                        _instead_of_block(block, found, sent, number if found is content else None),
                        number=run.number(sent),
                        where=where,
                        value=shortened(json.dumps(block, ensure_ascii=False), 60),
                        index=index,
                        kind={"NoneType": "None"}.get(type(block).__name__, type(block).__name__),
                        block='{"type": "text", "text": "..."}',
                        api=api(sent),
                        line=place(run, r"role\W+user.*(result|\+|\[)", r"\.append\(", *SENDS_RESULTS),
                    )
    return None


def _instead_of_block(value: object, beside: list[object], sent: Sent, number: int | None) -> str:
    """`number`: the place of the message in whose content the value stands; None if it is within a block."""
    if value is None:
        return "none"
    if isinstance(value, list):
        return "list"
    if value in ("type", "tool_use_id", "content"):
        return "keys"
    if isinstance(value, str) and '"tool_result"' in value:
        return "dumped"
    if number is None:
        return "brackets" if isinstance(value, str) else ""
    before = sent.body["messages"][number - 1] if number else None
    said = blocks(before.get("content")) if isinstance(before, dict) else []
    answered = [one.get("tool_use_id") for one in beside if isinstance(one, dict)]
    still_open = [one for one in said if one.get("type") == "tool_use" and one.get("id") not in answered]
    return "result" if still_open else ""


def _bad_content(run: Run, sent: Sent) -> Verdict | None:
    for block in results(sent.body):
        content = block.get("content")
        if content is not None and not isinstance(content, str | list):
            kind = {dict: "dict", bool: "bool", int: "int", float: "float"}.get(type(content), type(content).__name__)
            return fail(
                "result_not_text",
                number=run.number(sent),
                kind=kind,
                api=api(sent),
                line=place(run, *RESULT, *SENDS_RESULTS),
            )
    return None


def _foreign_result(run: Run, sent: Sent) -> Verdict | None:
    """A result whose call is not in the request."""
    asked = [call["id"] for earlier in run.sent[: run.sent.index(sent)] for call in earlier.calls]
    shown = {
        block.get("id") for message in sent.messages if message["role"] == "assistant" for block in message["content"]
    }
    for block in results(sent.body):
        id = block.get("tool_use_id")
        if id not in asked:
            return fail(
                "wrong_id",
                "none" if id is None else "",
                number=run.number(sent),
                call=str(id)[:60],
                ids=", ".join(asked[-3:]),
                api=api(sent),
                line=place(run, r"tool_use_id", *SENDS_RESULTS),
            )
        if id not in shown:
            return fail(
                "lost_reply",
                number=run.number(sent),
                api=api(sent),
                line=place(run, r"role\W+assistant", *SENDS_RESULTS),
            )
    return None


def _missing_results(run: Run, sent: Sent) -> Verdict | None:
    """A reply with calls that the next message does not answer, or not at once."""
    messages = sent.messages
    for index, message in enumerate(messages):
        calls = [block for block in message["content"] if block.get("type") == "tool_use"]
        if message["role"] != "assistant" or not calls:
            continue
        after = messages[index + 1]["content"] if index + 1 < len(messages) else []
        kinds = [block.get("type") for block in after]
        answered = {block.get("tool_use_id") for block in after if block.get("type") == "tool_result"}
        missing = [call for call in calls if call.get("id") not in answered]
        if missing and not answered:
            return _no_results(run, sent, missing)
        if missing:
            return _some_results(run, sent, calls, missing)
        if kinds.index("tool_result") > 0:
            return _text_first(run, sent)
    return None


def _no_results(run: Run, sent: Sent, missing: list[Block]) -> Verdict:
    return fail(
        "no_results",
        _instead_of_results(sent, {call.get("id") for call in missing}),
        number=run.number(sent),
        names=names(missing),
        api=api(sent),
        line=place(run, r"role\W+user.*result", r"role\W+assistant", *SENDS_RESULTS),
    )


def _instead_of_results(sent: Sent, missing: set[object]) -> str:
    """What was appended that holds no result."""
    messages = sent.body.get("messages") or [None]
    last = messages[-1]
    if any(block.get("tool_use_id") in missing for block in results(sent.body)):
        return "before"
    if isinstance(last, dict) and last.get("role") == "assistant":
        kinds = [block.get("type") for block in blocks(last.get("content"))]
        return "by_assistant" if "tool_result" in kinds else "nothing"
    if not isinstance(last, dict) or last.get("role") != "user":
        return ""
    content = last.get("content")
    if content is None:
        return "none"
    if content == []:
        return "empty"
    if isinstance(content, dict):
        return "dict"
    if isinstance(content, str):
        return "text"
    if isinstance(content, list) and any(isinstance(one, dict) and "role" in one for one in content):
        return "message"
    return ""


def _some_results(run: Run, sent: Sent, calls: list[Block], missing: list[Block]) -> Verdict:
    return fail(
        "some_results",
        count=len(calls),
        number=run.number(sent),
        answered=len(calls) - len(missing),
        names=names(missing),
        api=api(sent),
        line=place(run, r"tool_use\"", *SENDS_RESULTS),
    )


def _text_first(run: Run, sent: Sent) -> Verdict:
    return fail("text_first", number=run.number(sent), api=api(sent), line=place(run, r"type\W+text", *SENDS_RESULTS))
