"""An agent to test: the loop of lesson 1. Its client is made when it runs."""

import anthropic

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
ASK = {"model": "claude-sonnet-5-5", "max_tokens": 1000}


def ask(prompt="Oslo or Berlin?", **more):
    return agent_loop([{"role": "user", "content": prompt}], **more)


def agent_loop(messages, client=None):
    client = client or anthropic.Anthropic()
    while True:
        reply = client.messages.create(messages=messages, tools=TOOLS, **ASK)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return reply
        messages.append({"role": "user", "content": run_tools(reply)})


def run_tools(reply):
    calls = [block for block in reply.content if block.type == "tool_use"]
    return [
        {"type": "tool_result", "tool_use_id": call.id, "content": f"41F in {call.input['city']}"} for call in calls
    ]
