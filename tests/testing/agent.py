"""The agent of a project that is tested with the fixture `claude`: s01's loop, and ways to get it wrong."""

import anthropic

TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
ASK = {"model": "claude-sonnet-5-5", "max_tokens": 1000}


def agent_loop(messages, client=None, answered=None):
    """Run the loop. `answered`: how many calls of a reply get a result; all by default."""
    client = client or anthropic.Anthropic()
    while True:
        reply = client.messages.create(messages=messages, tools=TOOLS, **ASK)
        messages.append({"role": "assistant", "content": reply.content})
        calls = [block for block in reply.content if block.type == "tool_use"][:answered]
        if reply.stop_reason != "tool_use":
            return reply
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": f"41F in {call.input}"} for call in calls]
        messages.append({"role": "user", "content": results})


def ask(prompt="Oslo or Berlin?", **more):
    return agent_loop([{"role": "user", "content": prompt}], **more)
