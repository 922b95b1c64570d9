"""The exercises of s01: what Claude says in each, and how to judge the run."""

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import crash, empty_result, first, flat, not_printed, obstacle, spread, unanswered, without_tools
from .run import Run, text_of
from .scene import ask_for, say
from .verdict import Verdict, fail, passed, place

_ = translator("checks")

NO_TOOL = "I cannot look that up: I have no tool for it."


# --- 1: close the loop ------------------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """Oslo first, then Austin, then the answer."""
    if "get_weather" not in talk.tools:
        return say(NO_TOOL)
    asked = [call.input.get("city") for call in talk.calls]
    if "Oslo" not in asked:
        return ask_for(("get_weather", {"city": "Oslo"}), text="I will look at Oslo first.")
    if "Austin" not in asked:
        return ask_for(("get_weather", {"city": "Austin"}))
    return say("Austin is warmer than Oslo today, by 72 degrees Fahrenheit.")


def judge_1(run: Run) -> Verdict:
    return first(run, obstacle, crash, without_tools, _stale, unanswered, empty_result, spread, not_printed, _well_1)


def _stale(run: Run) -> Verdict | None:
    """The same request twice: the loop turns, and Claude hears nothing new."""
    for before, after in zip(run.accepted, run.accepted[1:], strict=False):
        if before.body.get("messages") == after.body.get("messages"):
            return fail(
                "stale",
                seen=_("Request {number} says exactly what the one before it said.").format(number=run.number(after)),
                expected=_("Each request holds more than the last: the reply and the results are added to messages."),
                next=_("Append the reply and the results to the same list that ask_claude sends."),
                line=place(run, r"messages\.append", r"(?<!def )ask_claude\("),
            )
    return None


def _well_1(run: Run) -> Verdict:
    return passed(_("Three requests: Claude asked for Oslo, then for Austin, then answered."))


# --- 2: where is the text? --------------------------------------------------------------------------------------------

PACK = ("Warm clothes: Oslo has snow this week.", "And shoes that stay dry.")


def play_2(talk: Talk) -> Reply:
    """To the first question two text blocks, to the second none."""
    if "thank" in talk.prompt.lower():
        return say()
    return say(*PACK, think=True)


def judge_2(run: Run) -> Verdict:
    return first(run, obstacle, _first_block, _no_block, crash, _whole_text, _as_list, _nothing_said, _well_2)


def _first_block(run: Run) -> Verdict | None:
    """It ended at the first reply, which begins with thinking."""
    if len(run.accepted) != 1 or not run.failure or " object has no attribute 'text'" not in run.failure.message:
        return None
    return fail(
        "thinking_first",
        seen=_("The program ended with {type}. The reply had these blocks: {kinds}.").format(
            type=run.failure.type, kinds=", ".join(block["type"] for block in run.accepted[0].reply["content"])
        ),
        expected=_("Only blocks of type text have text; which place they stand at is up to Claude."),
        next=_("Look at each block's type instead of counting on its place."),
        line=run.failure.line,
    )


def _no_block(run: Run) -> Verdict | None:
    """It ended at the second reply, which is empty."""
    if (
        not run.failure
        or len(run.accepted) < 2
        or run.failure.type not in ("IndexError", "StopIteration", "UnboundLocalError")
    ):
        return None
    return fail(
        "empty_reply",
        seen=_("The program ended with {type}. The reply was empty: stop_reason end_turn, content [].").format(
            type=run.failure.type
        ),
        expected=_("A reply may hold no text at all, and the program goes on."),
        next=_("Collect the texts in a list, and say NO_TEXT when the list is empty."),
        line=run.failure.line,
    )


def _whole_text(run: Run) -> Verdict | None:
    printed = flat(run.printed)
    missing = [text for text in PACK if text not in printed]
    if not missing:
        return None
    return fail(
        "half_text",
        seen=_('The reply had two text blocks; this one was not printed: "{text}".').format(text=missing[0]),
        expected=_("All text of a reply, however many blocks it comes in."),
        next=_("Join the text of all text blocks."),
        line=place(run, r"def text_of", r"print\("),
    )


def _as_list(run: Run) -> Verdict | None:
    """print() of a list: brackets and quotation marks around every text."""
    if str(list(PACK)) not in run.printed:
        return None
    return fail(
        "list_printed",
        seen=_("The program printed a Python list, with brackets and quotation marks: {list}").format(list=list(PACK)),
        expected=_("All text of a reply as one string."),
        next=_("Join the texts, as in {code}.").format(code='"\\n".join(texts)'),
        line=place(run, r"def text_of", r"print\("),
    )


def _nothing_said(run: Run) -> Verdict | None:
    if len(run.accepted) < 2:
        return fail(
            "one_question",
            seen=_("Only one of the two questions was asked."),
            expected=_("Both questions, with the reply to each printed."),
            next=_("Let main() go through all of PROMPTS."),
            line=place(run, r"for .* in PROMPTS", r"PROMPTS"),
        )
    after = run.printed.rpartition(PACK[-1])[2]
    lines = [line for line in after.splitlines() if line.strip() and "Thank you" not in line]
    if lines and lines[-1].strip() not in ("None", "[]", "''"):
        return None
    return fail(
        "silent",
        seen=_("To the empty reply the program printed nothing that a reader could understand."),
        expected=_("NO_TEXT, so that whoever reads it knows that Claude said nothing."),
        next=_("Return NO_TEXT when no text was found."),
        line=place(run, r"def text_of", r"print\("),
    )


def _well_2(run: Run) -> Verdict:
    return passed(_("Thinking first, two text blocks, an empty reply: the program takes them all."))


# --- 3: a second tool -------------------------------------------------------------------------------------------------


def play_3(talk: Talk) -> Reply:
    """Ask for the weather, and for the time if there is a tool for it. Arguments are those that the schema names."""
    others = [tool for name, tool in talk.tools.items() if name != "get_weather"]
    if not talk.calls:
        calls = [("get_weather", {"city": "Chengdu"})] if "get_weather" in talk.tools else []
        calls += [(tool["name"], _city(tool["input_schema"])) for tool in others[:1]]
        return ask_for(*calls) if calls else say(NO_TOOL)
    found = ". ".join(call.result or "" for call in talk.calls)
    return say(f"{found}." if others else f"{found}. I cannot tell the time: I have no tool for it.")


def _city(schema: dict) -> dict:
    properties = schema.get("properties")
    names = list(properties) if isinstance(properties, dict) else []
    return {name: "Chengdu" for name in schema.get("required") or names[:1] if name in names}


def judge_3(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        _not_offered,
        _not_called,
        crash,
        unanswered,
        _other_function,
        _no_description,
        not_printed,
        _well_3,
    )


def _tool(run: Run) -> dict | None:
    """The definition of the second tool, as it was sent first."""
    tools = run.sent[0].body.get("tools") or [] if run.sent else []
    return next((tool for tool in tools if tool.get("name") != "get_weather"), None)


def _not_offered(run: Run) -> Verdict | None:
    if not run.sent or _tool(run):
        return None
    return fail(
        "not_offered",
        seen=_("The request offers one tool, get_weather. Claude knows of no other."),
        expected=_("A second entry in TOOLS. Claude sees what is in the request, not your functions."),
        next=_("Describe get_time in TOOLS, after the pattern of get_weather."),
        line=place(run, r"TOOLS = "),
    )


def _not_called(run: Run) -> Verdict | None:
    """Claude called the tool, and the program failed with what Claude sent."""
    tool = _tool(run)
    if not tool or not run.failure:
        return None
    call = next((call for call in run.calls if call["name"] == tool["name"]), None)
    if call and run.failure.type == "KeyError" and call["name"] in run.failure.message:
        return fail(
            "not_entered",
            seen=_("Claude called {name}, and the program found no function of that name.").format(name=call["name"]),
            expected=_("FUNCTIONS leads from each name in TOOLS to its function."),
            next=_("Enter {name} in FUNCTIONS.").format(name=call["name"]),
            line=place(run, r"FUNCTIONS = "),
        )
    if call and "object is not callable" in run.failure.message:
        return fail(
            "no_function",
            seen=_("Under {name}, FUNCTIONS holds something that cannot be called. {type}: {message}").format(
                name=call["name"], type=run.failure.type, message=run.failure.message
            ),
            expected=_("FUNCTIONS leads from each name in TOOLS to its function."),
            next=_(
                "Write the function's name alone: in quotation marks it is a text, and () behind it runs it at once."
            ),
            line=place(run, r"FUNCTIONS = "),
        )
    if call and run.failure.type == "TypeError":
        return fail(
            "schema_and_function",
            seen=_("By your schema Claude sent {input}, and the function did not take that: {message}").format(
                input=call["input"], message=run.failure.message
            ),
            expected=_(
                "A schema whose properties are named as the function's parameters, with the required ones under "
                "required."
            ),
            next=_("Compare the properties in input_schema with the parameters of the function."),
            line=place(run, r"def get_time", r"input_schema"),
        )
    return None


def _other_function(run: Run) -> Verdict | None:
    """Two names, one function."""
    contents: dict[str, dict[str, str]] = {}
    for call in run.calls:
        content = text_of((run.result(call) or {}).get("content"))
        contents.setdefault(call["name"], {})[str(list(call["input"].values()))] = content
    weather, tool = contents.get("get_weather", {}), _tool(run)
    other = contents.get(tool["name"], {}) if tool else {}
    for given, content in other.items():
        if content and content == weather.get(given):
            return fail(
                "other_function",
                seen=_('To get_weather and to {name} the program answered the same: "{content}".').format(
                    name=tool["name"] if tool else "", content=content
                ),
                expected=_("FUNCTIONS leads from each name in TOOLS to its function."),
                next=_("Look which function FUNCTIONS names for each of the two."),
                line=place(run, r"FUNCTIONS = "),
            )
    return None


def _no_description(run: Run) -> Verdict | None:
    tool = _tool(run)
    if tool and str(tool.get("description", "")).strip():
        return None
    return fail(
        "no_description",
        seen=_("The second tool has no description."),
        expected=_(
            "One sentence that says what the tool does. The API takes a tool without it, but Claude then guesses "
            "from the name alone when to use it."
        ),
        next=_("Add a description to the tool."),
        line=place(run, r"get_time\"", r"TOOLS = "),
    )


def _well_3(run: Run) -> Verdict:
    return passed(_("Claude found the second tool, called it with what the schema names, and got its result."))
