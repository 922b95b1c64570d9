"""s01/3, a second tool: what Claude says, and how to judge the run."""

from course.checks.accepted import not_printed, unanswered
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, fail, first, place
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot look that up: I have no tool for it."


def play(talk: Talk) -> Reply:
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


def judge(run: Run) -> Verdict:
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
    )


def _tool(run: Run) -> dict | None:
    """The definition of the second tool, as it was sent first."""
    tools = run.sent[0].body.get("tools") or [] if run.sent else []
    return next((tool for tool in tools if tool.get("name") != "get_weather"), None)


def _not_offered(run: Run) -> Verdict | None:
    if not run.sent or _tool(run):
        return None
    return fail("not_offered", line=place(run, r"TOOLS = "))


def _not_called(run: Run) -> Verdict | None:
    """Claude called the tool, and the program failed with what Claude sent."""
    tool = _tool(run)
    if not tool or not run.failure:
        return None
    call = next((call for call in run.calls if call["name"] == tool["name"]), None)
    if call and run.failure.type == "KeyError" and call["name"] in run.failure.message:
        return fail("not_entered", name=call["name"], line=place(run, r"FUNCTIONS = "))
    if call and "object is not callable" in run.failure.message:
        return fail(
            "no_function",
            name=call["name"],
            type=run.failure.type,
            message=run.failure.message,
            line=place(run, r"FUNCTIONS = "),
        )
    if call and run.failure.type == "TypeError":
        return fail(
            "schema_and_function",
            input=call["input"],
            message=run.failure.message,
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
    for content in weather.values():
        if content.startswith("Local time"):
            return fail(
                "other_function", "swapped", name="get_weather", content=content, line=place(run, r"FUNCTIONS = ")
            )
    for given, content in other.items():
        if content and content == weather.get(given):
            return fail(
                "other_function", name=tool["name"] if tool else "", content=content, line=place(run, r"FUNCTIONS = ")
            )
    return None


def _no_description(run: Run) -> Verdict | None:
    tool = _tool(run)
    words = str(tool.get("description") or "").strip() if tool else ""
    others = [one.get("description") for one in run.sent[0].body.get("tools") or [] if one is not tool]
    if words and words not in others:
        return None
    return fail("no_description", "copied" if words else "", line=place(run, r"get_time\"", r"TOOLS = "))
