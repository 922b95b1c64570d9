import anthropic
from anthropic import beta_tool
from course import load_env

load_env()


@beta_tool
def get_weather(city: str) -> str:
    """Get today's weather in one city."""
    return f"Weather in {city}: 23F"


runner = anthropic.Anthropic().beta.messages.tool_runner(
    model="claude-sonnet-5-5",
    max_tokens=8000,
    tools=[get_weather],
    messages=[{"role": "user", "content": "Is it warmer in Oslo or in Austin today?"}],
)
for message in runner:
    print(message.stop_reason)
print(message.content[-1].text)
