"""The exercises of s06: what Claude says in each, and how to judge the run."""

import datetime
import re
from typing import Any

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import api, crash, empty_result, first, not_printed, obstacle, unanswered, without_tools
from .run import Run, results, text_of
from .s03 import WHICH_DAY, event, told_date
from .scene import ask_for, say
from .verdict import Verdict, constant, fail, passed, place, place_of

_ = translator("checks")

NO_TOOL = "I cannot look that up: I have no tool for it."


# --- 1: hand it to the runner -----------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """Oslo, then Austin, then the answer; by the argument that the schema names."""
    if not talk.tools:
        return say(NO_TOOL)
    name, tool = next(iter(talk.tools.items()))
    argument = next(iter(tool["input_schema"].get("properties") or {"city": {}}))
    asked = [call.input.get(argument) for call in talk.calls]
    if "Oslo" not in asked:
        return ask_for((name, {argument: "Oslo"}), text="I will look at Oslo first.")
    if "Austin" not in asked:
        return ask_for((name, {argument: "Austin"}))
    if any(call.is_error for call in talk.calls):
        return say("The weather could not be looked up.")
    return say("Austin is warmer than Oslo today, by 72 degrees Fahrenheit.")


def judge_1(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        _not_asked,
        _plain_function,
        _tool_for_create,
        crash,
        _no_tools,
        _too_early,
        _failed_inside,
        unanswered,
        empty_result,
        not_printed,
        _without_limit,
        _well_1,
    )


def _not_asked(run: Run) -> Verdict | None:
    """A runner that nobody runs: it asks only when something takes its replies."""
    if run.sent or "tool_runner(" not in run.source or (run.failure and "ToolRunner" not in run.failure.message):
        return None
    return fail(
        "runner_idle",
        seen=_("The program made a runner and sent no request."),
        expected=_("A runner that runs: it asks only when something takes its replies."),
        next=_("Go through it with `for reply in runner`, or call runner.until_done()."),
        line=place(run, r"tool_runner\("),
    )


def _tool_for_create(run: Run) -> Verdict | None:
    if not run.failure or "BetaFunctionTool is not JSON serializable" not in run.failure.message:
        return None
    return fail(
        "tool_for_create",
        seen=_("messages.create was given what @beta_tool makes, and cannot write it as JSON."),
        expected=_("A runner: it knows how to describe such a tool to Claude, and how to run it."),
        next=_("Replace messages.create by beta.messages.tool_runner, and give it the tool."),
        line=run.failure.line,
    )


def _plain_function(run: Run) -> Verdict | None:
    if not run.failure or "function is not JSON serializable" not in run.failure.message:
        return None
    return fail(
        "plain_function",
        seen=_("The runner was given a plain function, and cannot tell Claude what it takes."),
        expected=_(
            "A tool: @beta_tool makes one, with a schema from the signature and a description from the docstring."
        ),
        next=_("Write @beta_tool in the line above the function."),
        line=place(run, r"def get_weather", r"tools="),
    )


def _no_tools(run: Run) -> Verdict | None:
    if any(sent.body.get("tools") for sent in run.sent):
        return None
    return fail(
        "no_tools",
        seen=_('The request offers no tool. Claude answered: "{text}"').format(text=run.accepted[0].text),
        expected=_("tools=[get_weather] in the request, with get_weather made a tool by @beta_tool."),
        next=_("Replace messages.create by beta.messages.tool_runner, and give it the tool."),
        line=place(run, r"messages\.create\(", r"tool_runner\("),
    )


def _too_early(run: Run) -> Verdict | None:
    """max_iterations ends the runner: the tools of the last turn run, and nobody tells Claude."""
    last = run.accepted[-1]
    if last.reply.get("stop_reason") != "tool_use":
        return None
    return fail(
        "runner_cap",
        seen=_(
            "The runner stopped after {count} requests, with Claude's last call unanswered. What it returns then "
            "is that call, not an answer."
        ).format(count=len(run.accepted)),
        expected=_(
            "Three turns. At max_iterations the tools of the last turn still run, but nobody reads the results."
        ),
        next=_("Set max_iterations to MAX_TURNS, and take the replies to the end."),
        line=place(run, r"max_iterations", r"MAX_TURNS = ", r"tool_runner\("),
    )


def _failed_inside(run: Run) -> Verdict | None:
    for call in run.calls:
        result = run.result(call) or {}
        if result.get("is_error"):
            return fail(
                "tool_failed",
                seen=_('Claude called {name}({input}), and the result was an error: "{content}"').format(
                    name=call["name"], input=call["input"], content=text_of(result.get("content"))[:120]
                ),
                expected=_("A function that takes what its own signature promises: the schema is made of it."),
                next=_("Compare the parameters with what Claude sent. The traceback is in what the program prints."),
                line=place(run, r"def get_weather", r"@beta_tool"),
            )
    return None


def _without_limit(run: Run) -> Verdict | None:
    """A runner has no limit of its own, and in three turns nobody notices."""
    if place_of(run, r"max_iterations|MAX_TURNS(?! =)"):
        return None
    return fail(
        "without_limit",
        seen=_(
            "Three turns, and the answer. But nothing limits the runner: by itself it goes on as long as Claude asks."
        ),
        expected=_("At most MAX_TURNS requests."),
        next=_("Give the runner max_iterations=MAX_TURNS."),
        line=place(run, r"tool_runner\("),
    )


def _well_1(run: Run) -> Verdict:
    if not place_of(run, r"tool_runner\("):
        return passed(_("Your own loop asked, ran the tool and answered, three turns long. A runner does the same."))
    return passed(_("The runner asked, ran the tool and answered, three turns long."))


# --- 2: where are the values? -----------------------------------------------------------------------------------------


def play_2(talk: Talk) -> Reply:
    """One call; an answer with the numbers, if the result holds them."""
    if "get_forecast" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        return ask_for(("get_forecast", {"city": "Berlin"}))
    if re.search(r"\d", talk.calls[-1].result or ""):
        return say("I have the forecast for Berlin: take an umbrella if rain is likely by these numbers.")
    return say("I cannot tell: the forecast that I got has no numbers in it.")


def judge_2(run: Run) -> Verdict:
    return first(
        run,
        _only_keys,
        _returned_none,
        obstacle,
        crash,
        without_tools,
        _values_missing,
        unanswered,
        not_printed,
        _well_2,
    )


def _only_keys(run: Run) -> Verdict | None:
    """A list of strings as the content: the runner takes a dict for a list of content blocks, and sends its keys."""
    for sent in run.sent:
        for block in results(sent.body):
            content = block.get("content")
            if isinstance(content, list) and any(isinstance(item, str) for item in content):
                return fail(
                    "only_keys",
                    seen=_(
                        "The runner sent {content} as the result: the keys of the dict, and none of its values."
                    ).format(content=str(content)[:120]),
                    expected=_(
                        "Keys and values as text. A tool of the runner returns a string, or a list of content "
                        "blocks; of a dict only the keys are left."
                    ),
                    next=_("Turn the dict into text with json.dumps."),
                    api=api(sent) if sent.status != 200 else "",
                    line=place(run, r"return .*FORECAST", r"def get_forecast"),
                )
    return None


def _sent_content(run: Run) -> list[Any]:
    return [block.get("content") for sent in run.sent for block in results(sent.body)]


def _returned_none(run: Run) -> Verdict | None:
    """A tool without a return value."""
    contents = _sent_content(run)
    if contents and contents[0] is None:
        return fail(
            "returned_none",
            seen=_("The tool returned nothing, and the runner sent null as the result."),
            expected=_("A return value: what the tool prints, Claude does not see."),
            next=_("Return the text instead of printing it."),
            line=place(run, r"def get_forecast"),
        )
    return None


def _forecast(run: Run) -> set[str]:
    """The numbers for Berlin, as the reader's file has them."""
    berlin = constant(run, "FORECAST", {"Berlin": {}}).get("Berlin") or {"high": 44, "rain": 80, "wind": 12}
    return set(re.findall(r"\d+", str(berlin)))


def _values_missing(run: Run) -> Verdict | None:
    contents = _sent_content(run)
    if not contents:
        return None
    content = contents[0] if isinstance(contents[0], str) else text_of(contents[0]) or str(contents[0])
    errors = [block for sent in run.sent for block in results(sent.body) if block.get("is_error")]
    if errors and "not iterable" in content:
        return fail(
            "returned_other",
            seen=_('The runner could not use what the tool returned, and sent an error: "{content}"').format(
                content=content[:120]
            ),
            expected=_("A string. (A list of content blocks would do too.)"),
            next=_("Return json.dumps(...) of what Claude is to know."),
            line=place(run, r"return .*FORECAST", r"def get_forecast"),
        )
    if errors:
        return fail(
            "forecast_failed",
            seen=_('The tool failed, and Claude got "{content}".').format(content=content[:120]),
            expected=_("The forecast, as text."),
            next=_("Look at the traceback that the program prints, and at what the tool returns."),
            line=place(run, r"return .*FORECAST", r"def get_forecast"),
        )
    wanted = _forecast(run)
    numbers = wanted & set(re.findall(r"\d+", content))
    if numbers == wanted and not re.search(r"[^\W\d_]", content):
        return fail(
            "numbers_alone",
            seen=_('Claude got "{content}": numbers, and not what they are of.').format(content=content[:120]),
            expected=_("All three values with their names, so that Claude can judge by itself what matters."),
            next=_("Return json.dumps(...) of the whole dict."),
            line=place(run, r"return .*FORECAST", r"def get_forecast"),
        )
    if numbers == wanted:
        return None
    if numbers:
        return fail(
            "half_values",
            seen=_('Claude got "{content}": only a part of the forecast.').format(content=content[:120]),
            expected=_("All three values with their names, so that Claude can judge by itself what matters."),
            next=_("Return json.dumps(...) of the whole dict."),
            line=place(run, r"return .*FORECAST", r"def get_forecast"),
        )
    return fail(
        "no_values",
        seen=_('Claude got "{content}", without the numbers.').format(content=content[:120]),
        expected=_("All three values with their names, so that Claude can judge by itself what matters."),
        next=_("Return json.dumps(...) of the whole dict."),
        line=place(run, r"return .*FORECAST", r"def get_forecast"),
    )


def _well_2(run: Run) -> Verdict:
    return passed(_("Claude got the whole forecast, and answered with it."))


# --- 3: ask before you invite -----------------------------------------------------------------------------------------

OUTSIDE = "zoe@elsewhere.test"


def play_3(talk: Talk) -> Reply:
    """Two events, of which one is to be declined."""
    if "create_calendar_event" not in talk.tools:
        return say("I cannot create events: I have no tool for it.")
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.calls:
        return ask_for(
            ("create_calendar_event", event("Sync", day, 10, 1, "ana@example.com")),
            ("create_calendar_event", event("Lunch", day, 12, 1, OUTSIDE)),
        )
    if talk.calls[-1].is_error:
        return say("The sync with Ana is booked. The lunch is not: the invitation was declined.")
    return say("The sync with Ana and the lunch with Zoe are booked.")


def judge_3(run: Run) -> Verdict:
    return first(
        run,
        _ran_all_the_same,
        obstacle,
        crash,
        without_tools,
        _left_alone,
        unanswered,
        _declined_too_much,
        _declined_as_success,
        _no_without_words,
        not_printed,
        _well_3,
    )


def _result_of(run: Run, title: str) -> dict[str, Any] | None:
    call = next((call for call in run.calls if call["input"].get("title") == title), None)
    return run.result(call) if call else None


def _ran_all_the_same(run: Run) -> Verdict | None:
    result = _result_of(run, "Lunch") or {}
    created = text_of(result.get("content")).startswith("Created")
    if "sent: Lunch" not in run.printed and not created:
        return None
    declines = not created or "Declined" in run.printed or re.search(r"append_messages|set_messages", run.source)
    if declines and re.search(r"approved\(", re.sub(r"def approved\(.*", "", run.source)):
        return fail(
            "declined_and_ran",
            seen=_("The invitation to {who} was declined, and went out all the same.").format(who=OUTSIDE),
            expected=_(
                "Nothing happens before the yes. A result appended from outside does not keep the runner from "
                "running the tool."
            ),
            next=_("Ask inside the tool, before its first effect, and raise ToolError if the answer is no."),
            line=place(run, r"append_messages", r"approved\((?!.*:$)", r"invitation sent"),
        )
    return fail(
        "not_asked",
        seen=_("The invitation to {who} went out, and nobody was asked.").format(who=OUTSIDE),
        expected=_("approved(attendees) is asked before an invitation goes out."),
        next=_("At the beginning of the tool: if not approved(attendees), raise ToolError with a sentence for Claude."),
        line=place(run, r"invitation sent", r"def create_calendar_event"),
    )


def _left_alone(run: Run) -> Verdict | None:
    """The program stopped at the no, and Claude never heard it."""
    if any(run.result(call) for call in run.calls) or not run.calls:
        return None
    return fail(
        "claude_not_told",
        seen=_("The program stopped at the no, and Claude never heard of it. The sync was not answered for either."),
        expected=_(
            "A result for each call. For the declined one an error result, so that Claude can go on without it."
        ),
        next=_("Raise ToolError inside the tool instead of leaving the loop: the runner makes the result of it."),
        line=place(run, r"break|exit\(|return", r"approved\((?!.*:$)"),
    )


def _declined_too_much(run: Run) -> Verdict | None:
    result = _result_of(run, "Sync") or {}
    if not result.get("is_error") and text_of(result.get("content")).startswith("Created"):
        return None
    return fail(
        "declined_too_much",
        seen=_('The sync with ana@example.com is allowed, and its result was "{content}".').format(
            content=text_of(result.get("content"))[:120]
        ),
        expected=_("Calls that are approved run as before, and say what was created."),
        next=_("Decline only when approved(attendees) is false."),
        line=place(run, r"approved\((?!.*:$)", r"def create_calendar_event"),
    )


def _declined_as_success(run: Run) -> Verdict | None:
    result = _result_of(run, "Lunch") or {}
    if result.get("is_error"):
        return None
    return fail(
        "declined_as_success",
        seen=_('The declined call came back as a success: "{content}", without is_error.').format(
            content=text_of(result.get("content"))[:120]
        ),
        expected=_(
            "A result with is_error. The runner sends it when the tool raises; what a tool returns counts as success."
        ),
        next=_("Raise ToolError instead of returning a text."),
        line=place(run, r"return .*(?i:declin|denied|not )", r"def create_calendar_event"),
    )


def _no_without_words(run: Run) -> Verdict | None:
    """An error, but not the no: Claude cannot know that somebody declined."""
    content = text_of((_result_of(run, "Lunch") or {}).get("content"))
    if content.strip(" .:!\"'") and not re.search(r"is not iterable|EOFError|EOF when reading", content):
        return None
    step = _("Raise ToolError with a sentence for Claude.")
    if "EOF" in content:
        step = _("Take the input() out: in a check nobody types. approved() is the answer.")
    elif "iterable" in content:
        step = _("Raise ToolError instead of returning it.")
    return fail(
        "no_without_words",
        seen=_('Claude was told "{content}". It cannot know that somebody said no, and may try again.').format(
            content=content[:120]
        ),
        expected=_("A sentence for Claude: nobody was invited, because the user declined it."),
        next=step,
        line=place(run, r"ToolError\(", r"input\(", r"approved\((?!.*:$)"),
    )


def _well_3(run: Run) -> Verdict:
    return passed(_("One invitation went out, the other was declined before it could, and Claude told the user so."))
