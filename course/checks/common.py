"""What can go wrong in any exercise. Each function looks for one kind of mistake and explains it, or returns None."""

import ast
import json
import re
from collections.abc import Callable
from functools import lru_cache

from ..i18n import language, translator
from ..standin.rules.hints import advice
from .run import Block, Run, Sent, results
from .verdict import Verdict, fail, place

_ = translator("checks")

Judge = Callable[[Run], Verdict | None]

ASKS = (r"messages\.create\(", r"\.stream\(", r"tool_runner\(")
RESULT = (r"type\W+tool_result", r"tool_result")
SENDS_RESULTS = (r"\"role\": \"user\".*result", *RESULT, *ASKS)


def first(run: Run, *judges: Judge) -> Verdict:
    """The first verdict that one of the judges comes to. The last of them must come to one."""
    for judge in judges:
        if found := judge(run):
            return found
    raise ValueError("no judge came to a verdict")


def obstacle(run: Run) -> Verdict | None:
    """What keeps a program from being judged by what it does, and requests that the API refuses."""
    for judge in (unreadable, without_load_env, stopped, elsewhere, asks_for_input, refused):
        if found := judge(run):
            return found
    return None


def unreadable(run: Run) -> Verdict | None:
    message, line = "", None
    try:
        _compiled(run.source, run.file)
        if not run.failure or run.failure.type not in ("SyntaxError", "UnicodeDecodeError") or run.sent:
            return None
        # Not in the encoding that it says it has, which the source alone does not show.
        message, line = run.failure.message, run.failure.line
        step = _("Save the file in UTF-8: most editors offer that when you save under a new name.")
    except IndentationError as error:
        message, line = error.msg, error.lineno
        step = _(
            "Compare how far that line and the ones above it are indented: what belongs to a for, if or def stands "
            "four blanks further in, and tabs do not mix with blanks."
        )
    except SyntaxError as error:
        message, line = error.msg, error.lineno
        step = _(
            "Look at that line and the one above it: often a bracket, a quotation mark, a comma or a colon is missing, "
            "or is not the plain one of the keyboard but a curly or full-width one."
        )
        if "\0" in run.source:  # UTF-16, most often
            step = _("Save the file in UTF-8: most editors offer that when you save under a new name.")
    except ValueError as error:
        message = str(error)
        step = _("Save the file as plain text.")
    return fail(
        "syntax",
        seen=_("Python cannot read the file: {message}.").format(message=message),
        expected=_("A file that Python can read."),
        next=step,
        line=line,
    )


@lru_cache(maxsize=1)
def _compiled(source: str, file: str) -> object:
    return compile(source, file, "exec", dont_inherit=True)


def without_load_env(run: Run) -> Verdict | None:
    if not run.source.strip():
        return fail(
            "empty",
            seen=_("There is nothing in the file."),
            expected=_("The program of the exercise, completed by you."),
            next=_("Bring the starter back: `course reset {file}`").format(file=run.file),
        )
    called = _calls(run.source)
    loads = [call for name in ("load_env", "load_dotenv") for call in called.get(name, ())]
    clients = [call for name in ("Anthropic", "AsyncAnthropic") for call in called.get(name, ())]
    loads_at_once = [line for line, at_once in loads if at_once]
    clients_at_once = [line for line, at_once in clients if at_once]
    # Of what functions do, nothing is known about the order.
    late = bool(loads_at_once and clients_at_once) and min(loads_at_once) > min(clients_at_once)
    if loads and not late:
        return None
    return fail(
        "no_load_env",
        seen=_("The client is made without a call of load_env() before it."),
        expected=_(
            "load_env() first: it finds your key or starts the stand-in. Without it the first request ends with "
            '"Could not resolve authentication method".'
        ),
        next=_("Put `from course import load_env` and `load_env()` in front of the client."),
        line=min(clients_at_once or [line for line, _at_once in clients], default=None),
    )


@lru_cache(maxsize=1)
def _calls(source: str) -> dict[str, list[tuple[int, bool]]]:
    """By the name of a function: the lines on which it is called, and whether that is outside of any function."""
    found: dict[str, list[tuple[int, bool]]] = {}
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while todo:
        node, outside = todo.pop()
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            found.setdefault(name, []).append((node.lineno, outside))
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        todo += [(child, outside and not inside) for child in ast.iter_child_nodes(node)]
    return found


def stopped(run: Run) -> Verdict | None:
    if run.stopped == "time":
        return fail(
            "time",
            seen=_("The program did not come to its end and was stopped. It had sent {count} requests.").format(
                count=len(run.sent)
            ),
            expected=_("A program that ends by itself."),
            next=_("Find out what it waits for, or which loop nothing ends."),
            line=run.line,
        )
    if run.stopped == "output":
        return fail(
            "output",
            seen=_("The program printed far too much and was stopped."),
            expected=_("A few lines for each turn."),
            next=_("Look for a print in a loop that nothing ends."),
            line=place(run, r"while "),
        )
    if run.stopped == "requests":
        return endless(run)
    return None


def endless(run: Run) -> Verdict:
    return fail(
        "endless",
        seen=_("The program sent {count} requests and was stopped, or it would have gone on.").format(
            count=len(run.sent)
        ),
        expected=_("A loop that ends when Claude asks for no tool, and after MAX_TURNS requests at the latest."),
        next=_("Check what ends your loop, and that each request carries what came before: the reply and its results."),
        line=place(run, r"while ", r"for .*range", *ASKS),
    )


def elsewhere(run: Run) -> Verdict | None:
    if not run.reached:
        return None
    return fail(
        "elsewhere",
        seen=_("The program tried to reach {host}. A check lets nothing out of this machine.").format(host=run.reached),
        expected=_("A client that talks to the address that load_env() sets."),
        next=_("Make the client with `anthropic.Anthropic()`, without an address or a key of its own."),
        line=place(run, r"base_url", r"Anthropic\("),
    )


def asks_for_input(run: Run) -> Verdict | None:
    if not run.failure or run.failure.type != "EOFError":
        return None
    return fail(
        "input",
        seen=_("The program waits for something to be typed. In a check nobody types."),
        expected=_("A program that runs to its end alone, with the prompt that stands in the file."),
        next=_("Take the input() out, or put a constant in its place."),
        line=run.failure.line,
    )


def no_request(run: Run) -> Verdict | None:
    if run.accepted:
        return None
    return fail(
        "no_request",
        seen=_("The program came to its end and sent no request."),
        expected=_("At least one request to Claude."),
        next=_("Check that main() is called at the end of the file, and that what it calls reaches Claude."),
        line=place(run, r"__main__", *ASKS),
    )


def crash(run: Run) -> Verdict | None:
    """An exception that no other judge knew; and a program that never got as far as a request."""
    if not run.failure:
        return no_request(run)
    if "not JSON serializable" in run.failure.message:
        return fail(
            "not_json",
            seen=_("The request could not be written as JSON: {message}.").format(message=run.failure.message),
            expected=_("Text, numbers, lists and dicts. The content of a tool_result is a string."),
            next=_("Turn the object into text before you send it: str(...) will often do."),
            line=run.failure.line,
        )
    step = _("Run it yourself to see the whole traceback: python {file}").format(file=run.file)
    if "'NoneType' object" in run.failure.message:
        step = _(
            "Something is None here. That is what a function gives back which ends without return: look where the "
            "value comes from."
        )
    elif re.match("'(Thinking|Text)Block' object has no attribute '(id|name|input)'", run.failure.message):
        step = _("Leave out blocks of other types: only those of type tool_use are calls.")
    return fail(
        "crash",
        seen=_("The program ended with {type}: {message}").format(
            type=run.failure.type, message=_shortened(run.failure.message)
        ),
        expected=_("A program that comes to its end."),
        next=step,
        line=run.failure.line,
    )


# --- requests that the API refuses -----------------------------------------------------------------------------------


def refused(run: Run) -> Verdict | None:
    if not run.refused:
        return None
    sent = run.refused[0]
    if sent.rule not in ("block_tag_unknown", "block_type_missing"):  # those say themselves what is wrong
        for explain in (_went_on, _no_block, _bad_content, _foreign_result, _missing_results):
            if found := explain(run, sent):
                return found
    known = advice(language()).get(sent.rule or "", {})
    seen = _("The API refuses request {number}.").format(number=run.number(sent))
    return fail(
        "refused",
        seen=sentences(seen, known["mistake"]) if known else seen,
        expected=_("A request that the API takes."),
        next=known.get("cure") or _("Read the API's sentence: it begins with the place in the request."),
        api=api(sent),
        line=place(run, *ASKS),
    )


def api(sent: Sent) -> str:
    """The API's words on a refused request."""
    return f"{sent.status}: {sent.problem}"


def _went_on(run: Run, sent: Sent) -> Verdict | None:
    """Claude had finished, and the program asked again without anything new."""
    before = [one for one in run.accepted if run.number(one) < run.number(sent)]
    messages = sent.body.get("messages")
    if not before or before[-1].reply.get("stop_reason") != "end_turn" or not isinstance(messages, list):
        return None
    last = messages[-1] if messages else None
    if not isinstance(last, dict) or (last.get("role") == "user" and last.get("content")):
        return None
    return fail(
        "went_on",
        seen=_(
            "In its last reply Claude had finished (stop_reason end_turn). The loop went on with request {number}."
        ).format(number=run.number(sent)),
        expected=_("A loop that ends when Claude asks for no tool. Then there are no results, and nothing to send."),
        next=_('Leave the loop when reply.stop_reason is not "tool_use".'),
        api=api(sent),
        line=place(run, r"while ", r"for .*range", *ASKS),
    )


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
            for index, block in enumerate(found if isinstance(found, list) else []):
                if not isinstance(block, dict):
                    return fail(
                        "no_block",
                        seen=_("In request {number} the list {where} holds {value} at place {index}: a {kind}.").format(
                            number=run.number(sent),
                            where=where,
                            value=_shortened(json.dumps(block, ensure_ascii=False), 60),
                            index=index,
                            kind={"NoneType": "None"}.get(type(block).__name__, type(block).__name__),
                        ),
                        expected=_(
                            "Nothing but content blocks in this list: dicts with a type, such as {block}."
                        ).format(block='{"type": "text", "text": "..."}'),
                        next=_block_instead_of(block),
                        api=api(sent),
                        line=place(run, r"role\W+user.*(result|\+|\[)", r"\.append\(", *SENDS_RESULTS),
                    )
    return None


def _block_instead_of(value: object) -> str:
    if value is None:
        return _("Look at the function that makes this block: one that ends without return gives None.")
    if value in ("type", "tool_use_id", "content"):
        return _("`list += dict` adds the keys of the dict. Add the dict itself with append.")
    if isinstance(value, str) and '"tool_result"' in value:
        return _("Leave the block a dict: only what stands under its content is made text with json.dumps.")
    return _("Make a text block of a bare string. A list in the list is too much: join lists with +.")


def _bad_content(run: Run, sent: Sent) -> Verdict | None:
    for block in results(sent.body):
        content = block.get("content")
        if content is not None and not isinstance(content, str | list):
            kind = {dict: "dict", bool: "bool", int: "int", float: "float"}.get(type(content), type(content).__name__)
            return fail(
                "result_not_text",
                seen=_("In request {number} the content of a tool_result is a {kind}, not text.").format(
                    number=run.number(sent), kind=kind
                ),
                expected=_("A string. (A list of content blocks would do too.)"),
                next=_("Turn the tool's result into text: str(...) for a number, json.dumps(...) for a dict."),
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
            seen = _("In request {number} a tool_result answers the call {id}, which Claude never made.")
            if id is None:
                seen = _("In request {number} a tool_result does not say which call it answers.")
            return fail(
                "wrong_id",
                seen=seen.format(number=run.number(sent), id=str(id)[:60]),
                expected=_("The tool_use_id is the id of the call, letter for letter: {ids}.").format(
                    ids=", ".join(asked[-3:])
                ),
                next=_("Give each tool_result the id of the tool_use block that it answers."),
                api=api(sent),
                line=place(run, r"tool_use_id", *SENDS_RESULTS),
            )
        if id not in shown:
            return fail(
                "lost_reply",
                seen=_("Request {number} sends a result, but not the reply in which Claude asked for it.").format(
                    number=run.number(sent)
                ),
                expected=_(
                    "The whole history: the prompt, then Claude's reply, then the results. The API remembers nothing."
                ),
                next=_("Before the results, append the reply: role assistant, with all of reply.content."),
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
        seen=_("Request {number} holds a call of Claude's that is not answered: {names}.").format(
            number=run.number(sent), names=names(missing)
        ),
        expected=_("Straight after a reply with calls, a user message with a tool_result for each of them."),
        next=_instead_of_results(sent)
        or _("Append the results before you ask again, in every case in which the reply holds a call."),
        api=api(sent),
        line=place(run, r"role\W+user.*result", r"role\W+assistant", *SENDS_RESULTS),
    )


def _instead_of_results(sent: Sent) -> str:
    """What to do if a message was appended that holds no result; "" if none was."""
    last = (sent.body.get("messages") or [None])[-1]
    if not isinstance(last, dict) or last.get("role") != "user":
        return ""
    content = last.get("content")
    if content is None:
        return _("The content of the last message is None: what makes the results ends without return.")
    if content == []:
        return _(
            "The content of the last message is an empty list: look at where the results are collected, and return."
        )
    if isinstance(content, dict):
        return _("The content of the last message is a dict. It has to be a list of tool_result blocks.")
    if isinstance(content, str) and "tool_result" in content:
        return _(
            "The content of the last message is one long text. It has to be the list of tool_result blocks itself."
        )
    return ""


def _some_results(run: Run, sent: Sent, calls: list[Block], missing: list[Block]) -> Verdict:
    return fail(
        "some_results",
        seen=_("Claude made {count} calls in one reply, and request {number} answers only {answered} of them.").format(
            count=len(calls), number=run.number(sent), answered=len(calls) - len(missing)
        ),
        expected=_("One message with a tool_result for every call. Still open: {names}.").format(names=names(missing)),
        next=_("Go through all tool_use blocks of the reply, and send their results together."),
        api=api(sent),
        line=place(run, r"tool_use\"", *SENDS_RESULTS),
    )


def _text_first(run: Run, sent: Sent) -> Verdict:
    return fail(
        "text_first",
        seen=_("In request {number} text stands between Claude's calls and their results.").format(
            number=run.number(sent)
        ),
        expected=_("The tool_result blocks first. Text may follow them in the same message."),
        next=_(
            "Put the text behind the results. A user message of its own before them counts as text before them too."
        ),
        api=api(sent),
        line=place(run, r"type\W+text", *SENDS_RESULTS),
    )


# --- requests that the API takes, and that are wrong all the same -----------------------------------------------------


def without_tools(run: Run) -> Verdict | None:
    """Claude called nothing: the tools of the starter did not reach it, or what it was asked."""
    if run.calls:
        return None
    return fail(
        "without_tools",
        seen=_('Claude called no tool. It answered: "{text}"').format(text=_shortened(run.accepted[0].text)),
        expected=_("A request that offers the tools of the starter, with the starter's prompt."),
        next=_("Compare what you send as tools and messages with the starter."),
        line=place(run, r"tools=", *ASKS),
    )


def unanswered(run: Run) -> Verdict | None:
    """The program ends, or asks anew, without an answer to Claude's calls."""
    for sent in run.accepted:
        missing = [call for call in sent.calls if not run.result(call)]
        if sent.reply.get("stop_reason") != "tool_use" or not missing:
            continue
        return fail(
            "unanswered",
            seen=_("Claude asked for {names} and never got a result for it.").format(names=names(missing)),
            expected=_(
                "Run what Claude asks for, send the results, ask again, until the stop_reason is no longer tool_use."
            ),
            next=_("Send the results in a new request that holds the prompt, the reply and the results."),
            line=place(run, *SENDS_RESULTS),
        )
    return None


def spread(run: Run) -> Verdict | None:
    """Results of one reply in several messages."""
    for sent in run.sent:
        before = 0
        for message in sent.body.get("messages") or []:
            content = message.get("content")
            holds = isinstance(content, list) and any(
                isinstance(block, dict) and block.get("type") == "tool_result" for block in content
            )
            if message.get("role") == "user" and holds and before:
                return fail(
                    "spread",
                    seen=_("In request {number} the results of one reply come in several messages.").format(
                        number=run.number(sent)
                    ),
                    expected=_(
                        "All results of one reply in one user message. The API takes it otherwise too, but Claude "
                        "learns from it to make one call at a time."
                    ),
                    next=_("Collect the results in a list first, and append one message with the whole list."),
                    line=place(run, r"role\W+user.*result", *SENDS_RESULTS),
                )
            before = before + 1 if message.get("role") == "user" and holds else 0
    return None


def empty_result(run: Run) -> Verdict | None:
    """A result without content: accepted, and Claude learns nothing."""
    for sent in run.accepted:
        for block in results(sent.body):
            if block.get("content") in (None, "", []):
                return fail(
                    "empty_result",
                    seen=_("Request {number} sends a tool_result without content.").format(number=run.number(sent)),
                    expected=_(
                        "What the tool returned, as text. The API takes a result without it, and Claude then knows "
                        "only that the tool ran."
                    ),
                    next=_("Put the tool's return value into the content of its result."),
                    line=place(run, *RESULT, *SENDS_RESULTS),
                )
    return None


def not_printed(run: Run) -> Verdict | None:
    """Claude's last answer does not show up in the output."""
    last = run.accepted[-1]
    if not last.text or flat(last.text) in flat(run.printed):
        return None
    return fail(
        "not_printed",
        seen=_('Claude answered "{text}", and the program did not print it.').format(text=_shortened(last.text)),
        expected=_("The text of the last reply on the screen."),
        next=_("Print the text blocks of the last reply."),
        line=place(run, r"print\(.*(reply|text|content)", r"print\("),
    )


def names(calls: list[Block]) -> str:
    return ", ".join(str(call.get("name")) for call in calls)


def flat(text: str) -> str:
    """The text with every run of blanks and line ends as one blank."""
    return " ".join(text.split())


def sentences(*texts: str) -> str:
    """Sentences one after another, with a blank between them where the language has one."""
    return re.sub(r"(?<=[。！？：；”）]) ", "", " ".join(texts))


def _shortened(text: str, most: int = 160) -> str:
    text = flat(text)
    return text if len(text) <= most else text[: most - 3] + "..."
