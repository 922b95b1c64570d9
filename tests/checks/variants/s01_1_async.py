import asyncio
import os

import anthropic
from course import load_env

load_env()
client = anthropic.AsyncAnthropic()

TOOL = {
    "name": "get_weather",
    "description": "Get today's weather in one city.",
    "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


async def main():
    history = [{"role": "user", "content": "Is it warmer in Oslo or in Austin today?"}]
    while True:
        reply = await client.messages.create(
            model=os.environ.get("MODEL_ID", "claude-sonnet-5-5"), max_tokens=4000, tools=[TOOL], messages=history
        )
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            break
        said = [block.model_dump(exclude_none=True) for block in reply.content]
        history.append({"role": "assistant", "content": said})
        answers = []
        for call in calls:
            await asyncio.sleep(0)
            text = [{"type": "text", "text": f"{call.input['city']}: 23F"}]
            answers.append({"type": "tool_result", "tool_use_id": call.id, "content": text, "is_error": False})
        history.append({"role": "user", "content": answers})
    for block in reply.content:
        if block.type == "text":
            print(block.text)


asyncio.run(main())
