"""s06/1, hand it to the runner: what Claude says, and how to judge the run."""

import re

from course.checks.accepted import empty_result, not_printed, unanswered
from course.checks.obstacles import crash, obstacle
from course.checks.returned import bad_return
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, constant, fail, first, passed, place, place_of
from course.standin.talk import Reply, Talk, ask_for, say

MOST = 10  # MAX_TURNS in the starter
FAR_TOO_MANY = 50  # a reader may take another limit; this is none any more
NO_TOOL = "I cannot look that up: I have no tool for it."


def play(talk: Talk) -> Reply:
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


def judge(run: Run) -> Verdict:
    return first(
        run,
        _no_parameter,
        _no_tool_at_all,
        bad_return,
        obstacle,
        _not_asked,
        _plain_function,
        _tool_for_create,
        _not_beta,
        _async_tool,
        crash,
        _no_tools,
        _too_early,
        _failed_inside,
        unanswered,
        empty_result,
        not_printed,
        _without_limit,
        _well,
    )


def _not_asked(run: Run) -> Verdict | None:
    """A runner that nobody runs: it asks only when something takes its replies."""
    if run.sent or "tool_runner(" not in run.source or (run.failure and "ToolRunner" not in run.failure.message):
        return None
    return fail("runner_idle", line=place(run, r"tool_runner\("))


def _tool_for_create(run: Run) -> Verdict | None:
    if not run.failure or "BetaFunctionTool is not JSON serializable" not in run.failure.message:
        return None
    return fail("tool_for_create", line=run.failure.line)


def _plain_function(run: Run) -> Verdict | None:
    if not run.failure or "function is not JSON serializable" not in run.failure.message:
        return None
    return fail("plain_function", line=place(run, r"def get_weather", r"tools="))


def _no_tool_at_all(run: Run) -> Verdict | None:
    """tools is no list, or what is in it is text."""
    sent = run.sent[0].body.get("tools") if run.sent else None
    single = run.failure and "'BetaFunctionTool' object is not iterable" in run.failure.message
    if not single and not (isinstance(sent, list) and any(isinstance(tool, str) for tool in sent)):
        return None
    return fail("no_tool_at_all", "single" if single else "", line=place(run, r"tools=", r"tool_runner\("))


def _no_parameter(run: Run) -> Verdict | None:
    """*args or **kwargs: the schema that is made of the signature says nothing of what to send."""
    tools = run.sent[0].body.get("tools") if run.sent else None
    schema = tools[0].get("input_schema") if isinstance(tools, list) and tools and isinstance(tools[0], dict) else None
    if not isinstance(schema, dict) or (schema.get("type") == "object" and schema.get("properties")):
        return None
    return fail("no_parameter", line=place(run, r"def .*(\*|\(\))", r"@beta_tool"))


def _not_beta(run: Run) -> Verdict | None:
    if not run.failure or "has no attribute 'tool_runner'" not in run.failure.message:
        return None
    return fail("not_beta", line=run.failure.line)


def _async_tool(run: Run) -> Verdict | None:
    """An async function where the runner is none, by the SDK's words on it, or by the result that it sent."""
    told = [text_of((run.result(call) or {}).get("content")) for call in run.calls]
    spoken = [run.failure.message] if run.failure else []
    if not any(re.search("coroutine|async tool", text) for text in told + spoken):
        return None
    return fail("async_tool", line=place(run, r"async def", r"async_tool"))


def _no_tools(run: Run) -> Verdict | None:
    if any(sent.body.get("tools") for sent in run.sent):
        return None
    return fail("no_tools", text=run.accepted[0].text, line=place(run, r"messages\.create\(", r"tool_runner\("))


def _too_early(run: Run) -> Verdict | None:
    """max_iterations ends the runner: the tools of the last turn run, and nobody tells Claude."""
    last = run.accepted[-1]
    if last.reply.get("stop_reason") != "tool_use":
        return None
    return fail(
        "runner_cap", count=len(run.accepted), line=place(run, r"max_iterations", r"MAX_TURNS = ", r"tool_runner\(")
    )


def _failed_inside(run: Run) -> Verdict | None:
    for call in run.calls:
        result = run.result(call) or {}
        if result.get("is_error"):
            return fail(
                "tool_failed",
                name=call["name"],
                input=call["input"],
                content=text_of(result.get("content"))[:120],
                line=place(run, r"def get_weather", r"@beta_tool"),
            )
    return None


def _without_limit(run: Run) -> Verdict | None:
    """A runner has no limit of its own, and in three turns nobody notices."""
    if not place_of(run, r"max_iterations|MAX_TURNS(?! =)"):
        return fail("without_limit", line=place(run, r"tool_runner\("))
    found = re.search(r"max_iterations\s*=\s*(\w+)", run.source)
    named = found[1] if found else "MAX_TURNS"
    limit = int(named) if named.isdigit() else constant(run, named, 0)
    if limit <= FAR_TOO_MANY:
        return None
    return fail(
        "without_limit", "too_high", limit=limit, most=MOST, line=place(run, rf"^{named} = ", r"max_iterations")
    )


def _well(run: Run) -> Verdict:
    if not place_of(run, r"tool_runner\("):
        return passed("own_loop")
    return passed()
