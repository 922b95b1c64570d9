"""Rules for tools and tool_choice."""

from typing import Any

from course.standin.rules import json_schema
from course.standin.rules.naming import place
from course.standin.rules.request import Request, Values
from course.standin.rules.shapes import TOOLS, Fault

Tool = dict[str, Any]

_NULLABLE = ("properties", "required")


def tool_name_pattern(fault: Fault) -> Values | None:
    """A tool's name with a blank, a dot, a slash or a letter outside ASCII, or longer than 128 characters. Usually
    a title for people, or a name with its server's in front, as in "files.read".

    Seen: https://github.com/github/copilot-cli/issues/2581, https://github.com/anthropics/claude-code/issues/96152
    """
    found = place(fault, "value", "tools", int, "custom", "name")
    if found and "at most" in fault.text:
        return found | {"variant": "long"}
    return found if "pattern" in fault.text else None


def tool_names_unique(request: Request) -> Values | None:
    """Two tools of one name: a call could not say which it means. Usually tools from several sources put together.

    Seen: https://github.com/anthropics/claude-code/issues/10687
    """
    names = [tool["name"] for tool in request.body["tools"] if "name" in tool]
    return {} if len(set(names)) < len(names) else None


def tools_all_deferred(request: Request) -> Values | None:
    """Nothing but deferred tools: Claude would see none, not even one to search with. Usually the flag was set in a
    loop over all of them.

    Documented: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
    """
    tools = request.body["tools"]
    for tool in tools:
        if not tool.get("defer_loading"):
            return None
    return {} if tools else None


def deferred_cache_control(request: Request, index: int, tool: Tool) -> Values | None:
    """A deferred tool with a cache mark: it is not in the prompt that is cached. Usually the mark is put on the last
    tool, whatever it is.

    Seen: https://github.com/Wei-Shaw/sub2api/issues/4990
    """
    return {"name": tool.get("name", tool.get("type"))} if tool.get("cache_control") else None


def tool_reference_unknown(request: Request, block: Tool) -> Values | None:
    """A tool_reference in a result that names none of the tools. Usually tools that were found are listed no longer
    in a later request.

    Seen: https://github.com/anthropics/claude-code/issues/81863
    """
    tools = request.body.get("tools") or []
    if any(tool.get("type") == "mcp_toolset" for tool in tools):
        return None  # the names of its tools are not in the request
    known = any(tool.get("name") == block["tool_name"] for tool in tools)
    return None if known else {"name": block["tool_name"]}


def input_schema_missing(fault: Fault) -> Values | None:
    """A tool without input_schema. A tool that takes nothing needs one too: {"type": "object", "properties": {}}.
    Usually the key is called parameters, as elsewhere.
    """
    return place(fault, "missing", "tools", int, "custom", "input_schema")


def input_schema_type_missing(fault: Fault) -> Values | None:
    """An input_schema without "type". Usually only the properties were written down."""
    return place(fault, "missing", "tools", int, "custom", "input_schema", "type")


def input_schema_type_not_object(fault: Fault) -> Values | None:
    """An input_schema of another type than object: arguments have names. Usually a tool with one argument,
    described by the schema of that argument alone.

    Documented: https://platform.claude.com/docs/en/api/messages
    """
    return place(fault, "choice", "tools", int, "custom", "input_schema", "type")


def input_schema_invalid(request: Request, index: int, tool: Tool) -> Values | None:
    """An input_schema that is no JSON Schema of draft 2020-12. Usually a schema of an older draft ("required":
    true, a boolean exclusiveMinimum, a list in items) or a type's name from a programming language ("str", "any").

    Seen: https://github.com/anthropics/claude-code/issues/86665
    """
    schema = tool["input_schema"]
    # At the top the API takes null for these two; some SDKs write it for "none".
    if schema.get("properties", 0) is None or schema.get("required", 0) is None:
        schema = {key: value for key, value in schema.items() if value is not None or key not in _NULLABLE}
    return None if json_schema.is_valid(schema) else {"i": index}


def input_schema_top_level_combinator(request: Request, index: int, tool: Tool) -> Values | None:
    """oneOf, allOf or anyOf at the top of an input_schema (deeper they are fine). Usually generated from a union
    type.
    """
    schema = tool["input_schema"]
    return {"i": index} if "oneOf" in schema or "allOf" in schema or "anyOf" in schema else None


def strict_additional_properties(request: Request, index: int, tool: Tool) -> Values | None:
    """A tool with strict: true and an object in its schema that leaves its keys open. Usually strict was added to a
    tool that had been there before.
    """
    found = json_schema.open_object(tool["input_schema"])
    return None if found is None else {"i": index} | _said(found)


def strict_schema_keywords(request: Request, index: int, tool: Tool) -> Values | None:
    """A tool with strict: true and limits in its schema: minimum, maxLength, maxItems and the like. Usually written by
    a library from a model class.

    Seen in public repositories, in raw answers.
    """
    found = json_schema.limits(tool["input_schema"])
    return {"i": index} | found if found else None


def output_schema_additional_properties(request: Request) -> Values | None:
    """An output schema (output_config.format) with an object that leaves its keys open. Usually a schema that was
    made for checking a reply, not for shaping it.
    """
    wanted = request.body["output_config"].get("format")
    found = json_schema.open_object(wanted["schema"]) if wanted else None
    return None if found is None else _said(found)


def output_schema_keywords(request: Request) -> Values | None:
    """An output schema with limits: minimum, maxLength, maxItems and the like. Usually made for checking a reply, not
    for shaping it.

    Seen: https://github.com/laravel/ai/issues/715
    """
    wanted = request.body["output_config"].get("format")
    return json_schema.limits(wanted["schema"]) if wanted else None


def _said(open_object: dict[str, Any]) -> Values:
    """What an object that leaves its keys open says of them: nothing, true, or a schema."""
    if "additionalProperties" not in open_object:
        return {}
    value = open_object["additionalProperties"]
    return {"variant": "open", "value": "true" if value is True else "object"}


def tool_choice_without_tools(request: Request) -> Values | None:
    """tool_choice without tools, or with an empty list. Usually a setting that stays while the tools are left out
    for the last turn.
    """
    return None if request.body.get("tools") else {}


def tool_choice_unknown_tool(request: Request) -> Values | None:
    """tool_choice names a tool that is not among the tools. Usually renamed in one place only."""
    choice = request.body["tool_choice"]
    tools = request.body["tools"]
    if choice["type"] != "tool" or type(tools) is not list:
        return None
    names = [tool.get("name") for tool in tools if type(tool) is dict]
    return None if choice["name"] in names else {"name": choice["name"]}


def tool_choice_bad_tag(fault: Fault) -> Values | None:
    """A kind of tool_choice that does not exist. Usually "required" or "function", which OpenAI's API has."""
    return place(fault, "tag", "tool_choice")


def tool_choice_not_object(fault: Fault) -> Values | None:
    """tool_choice as a bare string such as "auto". It is an object: {"type": "auto"}. Usually taken from OpenAI's
    API.
    """
    return place(fault, "type", "tool_choice")


def tool_choice_forced_unsupported(request: Request) -> Values | None:
    """Forcing a tool (any, tool) on a model that decides by itself. Usually a trick for structured output, which
    output_config.format now does.

    Documented: https://platform.claude.com/docs/en/api/errors#forced-tool-use-not-supported
    """
    forced = request.body["tool_choice"]["type"] in ("any", "tool")
    return {} if forced and request.refuses("tool_choice_forced_unsupported") else None


def tool_type_unsupported(request: Request) -> Values | None:
    """One of the API's own tools in a version that this model does not take. Usually the model is newer than the
    tool.

    Documented: https://platform.claude.com/docs/en/api/errors#computer-use-tool-version-not-supported
    """
    model = request.model
    if model is None or not model.no_tools:
        return None
    for tool in request.body["tools"]:
        if tool.get("type") in model.no_tools:
            others = sorted(name for name in TOOLS if name != "custom" and name not in model.no_tools)
            return {"model": request.body["model"], "type": tool["type"], "list": ", ".join(others)}
    return None


def tools_not_array(fault: Fault) -> Values | None:
    """tools that is no list. Usually a dict of functions by name."""
    return place(fault, "type", "tools")
