import asyncio

import anthropic
from anthropic import beta_async_tool
from course import load_env

load_env()


@beta_async_tool
async def weather_of(place: str) -> str:
    """Get today's weather in one city."""
    return {"Oslo": "23F", "Austin": "95F"}[place]


async def main():
    runner = anthropic.AsyncAnthropic().beta.messages.tool_runner(
        model="claude-sonnet-5-5",
        max_tokens=8000,
        tools=[weather_of],
        messages=[{"role": "user", "content": "Is it warmer in Oslo or in Austin today?"}],
        max_iterations=5,
    )
    reply = await runner.until_done()
    print(*[block.text for block in reply.content if block.type == "text"])


asyncio.run(main())
