"""Other libraries that talk to this API, in a project with the fixture `claude`; copied to test_clients.py."""

import asyncio


def test_langchain(claude):
    from langchain_anthropic import ChatAnthropic
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool

    @tool
    def get_weather(city: str) -> str:
        """Get the weather."""
        return f"41F in {city}"

    model = ChatAnthropic(model="claude-sonnet-5-5", max_tokens=1000).bind_tools([get_weather])
    claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
    messages = [HumanMessage("Oslo or Berlin?")]
    messages.append(model.invoke(messages))
    messages += [
        ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]) for call in messages[-1].tool_calls
    ]
    assert model.invoke(messages).text == "Cold in both."
    assert [result["content"] for result in claude.results] == ["41F in Oslo", "41F in Berlin"]


def test_langchain_that_answers_one_of_two(claude):
    from langchain_anthropic import ChatAnthropic
    from langchain_core.messages import HumanMessage, ToolMessage

    claude.says("get_weather(city='Oslo') get_weather(city='Berlin')")
    tools = [{"name": "get_weather", "description": "Weather.", "input_schema": {"type": "object"}}]
    model = ChatAnthropic(model="claude-sonnet-5-5", max_tokens=1000).bind_tools(tools)
    asked = HumanMessage("Oslo or Berlin?")
    reply = model.invoke([asked])
    model.invoke([asked, reply, ToolMessage("41F", tool_call_id=reply.tool_calls[0]["id"])])


def test_pydantic_ai(claude):
    from pydantic_ai import Agent

    asked = []
    agent = Agent("anthropic:claude-sonnet-5-5")

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """Get the weather."""
        asked.append(city)
        return f"41F in {city}"

    claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
    assert asyncio.run(agent.run("Oslo or Berlin?")).output == "Cold in both."
    assert sorted(asked) == ["Berlin", "Oslo"] and len(claude.results) == 2
