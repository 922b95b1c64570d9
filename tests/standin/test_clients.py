"""The official Python SDK against the stand-in, over HTTP: everything a lesson or a reader's own program may call."""

import asyncio
import json

import anthropic
import pytest
from anthropic import beta_async_tool, beta_tool

from course import models
from course.standin.app import create_app
from course.standin.core import handle
from course.standin.server import start

MODEL = "claude-sonnet-5-5"
PROMPT = "What should I wear in Oslo and Berlin?"
MESSAGES = [{"role": "user", "content": PROMPT}]
TOOLS = [
    {
        "name": "get_weather",
        "description": "Get today's weather in one city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
ASK = {"model": MODEL, "max_tokens": 1000, "messages": MESSAGES, "tools": TOOLS}


@pytest.fixture(scope="module")
def server():
    """A running stand-in; `seen` holds the exchanges of the test."""
    seen = []
    running = start(lambda: create_app(handle, seen.append))
    running.seen = seen
    yield running
    running.stop()


@pytest.fixture
def client(server):
    server.seen.clear()
    with anthropic.Anthropic(base_url=server.base_url, api_key="key", max_retries=0) as client:
        yield client


def in_async(server, work):
    """Run `await work(client)` with an async client."""

    async def main():
        async with anthropic.AsyncAnthropic(base_url=server.base_url, api_key="key", max_retries=0) as client:
            return await work(client)

    server.seen.clear()
    return asyncio.run(main())


def loop(create):
    """The weather loop; returns the stop reasons."""
    messages = list(MESSAGES)
    reasons = []
    for _ in range(5):
        reply = create(messages)
        reasons.append(reply.stop_reason)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            break
        calls = [block for block in reply.content if block.type == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": call.id, "content": "41F, rain"} for call in calls]
        messages.append({"role": "user", "content": results})
    return reasons


# --- create and stream -----------------------------------------------------------------------------------------------


def test_create(client):
    reply = client.messages.create(**ASK)
    assert reply.stop_reason == "tool_use" and reply.model == MODEL
    assert [block.input for block in reply.content if block.type == "tool_use"] == [
        {"city": "Oslo"},
        {"city": "Berlin"},
    ]
    assert reply.usage.input_tokens > 0 and reply.usage.output_tokens > 0
    assert reply._request_id.startswith("req_01")


def test_strict_validation_of_every_kind_of_answer(server):
    """With strict validation the SDK checks each field's type against its own models."""
    with anthropic.Anthropic(base_url=server.base_url, api_key="k", _strict_response_validation=True) as client:
        client.messages.create(**ASK)
        client.messages.count_tokens(model=MODEL, messages=MESSAGES, tools=TOOLS)
        client.models.retrieve("claude-haiku-4-5")
        assert list(client.models.list(limit=3))
        client.beta.messages.create(**ASK)
        client.beta.models.retrieve("claude-haiku-4-5")
        with client.messages.stream(**ASK) as stream:
            stream.get_final_message()


def test_the_whole_loop_with_the_sdks_own_blocks_sent_back(client):
    assert loop(lambda messages: client.messages.create(**ASK | {"messages": messages})) == ["tool_use", "end_turn"]
    assert loop(lambda messages: client.beta.messages.create(**ASK | {"messages": messages})) == [
        "tool_use",
        "end_turn",
    ]


@pytest.mark.parametrize("model", [model.id for model in models.all_models() if model.retires is None])
def test_the_whole_loop_with_every_model(client, model):
    ask = ASK | {"model": model}
    assert loop(lambda messages: client.messages.create(**ask | {"messages": messages})) == ["tool_use", "end_turn"]


VARIANTS = {
    "call": {},
    "shown thinking": {"thinking": {"type": "adaptive", "display": "summarized"}},
    "no tools": {"tools": [], "messages": [{"role": "user", "content": "你好，Grüße 👋"}]},
    "cut at 3": {"max_tokens": 3},
    "cut at 25": {"max_tokens": 25},
    "cut at 33": {"max_tokens": 33},
    "cut at 40": {"max_tokens": 40},
    "stop": {"tools": [], "messages": [{"role": "user", "content": "Hello"}], "stop_sequences": ["e"]},
}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_accumulated_stream_equals_the_json_reply(client, name):
    ask = ASK | VARIANTS[name]
    reply = client.messages.create(**ask)
    with client.messages.stream(**ask) as stream:
        texts = list(stream.text_stream)
        streamed = stream.get_final_message()
    assert streamed.to_dict() == reply.to_dict()
    assert "".join(texts) == "".join(block.text for block in reply.content if block.type == "text")


def test_raw_events(client):
    events = list(client.messages.create(**ASK, stream=True))
    assert events[0].type == "message_start" and events[-1].type == "message_stop"


def test_async_create_and_stream(server):
    async def work(client):
        reply = await client.messages.create(**ASK)
        async with client.messages.stream(**ASK) as stream:
            streamed = await stream.get_final_message()
        return reply, streamed

    reply, streamed = in_async(server, work)
    assert reply.to_dict() == streamed.to_dict()


def test_forty_async_clients_at_once(server):
    async def work(client):
        return await asyncio.gather(*(client.messages.create(**ASK) for _ in range(40)))

    assert {reply.stop_reason for reply in in_async(server, work)} == {"tool_use"}


# --- counting and models ---------------------------------------------------------------------------------------------


def test_count_tokens(client):
    counted = client.messages.count_tokens(model=MODEL, messages=MESSAGES, tools=TOOLS)
    assert counted.input_tokens == client.messages.create(**ASK).usage.input_tokens
    assert client.beta.messages.count_tokens(model=MODEL, messages=MESSAGES).input_tokens < counted.input_tokens


def test_models_in_pages(client):
    ids = [model.id for model in client.models.list(limit=4)]
    assert ids == [model.id for model in models.all_models()]
    assert MODEL in ids
    assert client.models.retrieve(MODEL).max_tokens == models.find(MODEL).max_output
    assert client.models.retrieve("claude-haiku-4-5").id == "claude-haiku-4-5-20251001"


def test_async_models(server):
    async def work(client):
        return [model.id async for model in client.models.list(limit=7)]

    assert in_async(server, work) == [model.id for model in models.all_models()]


# --- errors ----------------------------------------------------------------------------------------------------------


def test_errors_become_the_sdks_exceptions(client):
    with pytest.raises(anthropic.NotFoundError, match="model: claude-nope-9"):
        client.messages.create(**ASK | {"model": "claude-nope-9"})
    with pytest.raises(anthropic.NotFoundError):
        client.models.retrieve("claude-nope-9")
    with pytest.raises(anthropic.BadRequestError) as caught:
        client.messages.create(**ASK | {"messages": []})
    assert caught.value.type == "invalid_request_error" and caught.value.request_id.startswith("req_01")


def test_a_refused_request_is_refused_alike_when_it_streams(client):
    with pytest.raises(anthropic.BadRequestError):
        with client.messages.stream(**ASK | {"messages": []}):
            pass


def test_a_wrong_key_and_a_missing_version(server):
    with anthropic.Anthropic(base_url=server.base_url, api_key="a-wrong-key") as wrong:
        with pytest.raises(anthropic.AuthenticationError, match="Invalid bearer token"):
            wrong.messages.create(**ASK)


# --- the tool runner -------------------------------------------------------------------------------------------------


@beta_tool
def get_weather(city: str) -> str:
    """Get today's weather in one city.

    Args:
        city: The city's name
    """
    return f"Weather in {city}: 41F, rain"


@beta_async_tool
async def get_weather_async(city: str) -> str:
    """Get today's weather in one city.

    Args:
        city: The city's name
    """
    return f"Weather in {city}: 41F, rain"


RUN = {"model": MODEL, "max_tokens": 1000, "messages": MESSAGES}


def bodies(server):
    return [json.loads(each.body) for each in server.seen if each.path.startswith("/v1/messages")]


@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize("stream", [True, False])
def test_the_tool_runner(client, server, threads, stream):
    more = {} if threads else {"thread": False}
    runner = client.beta.messages.tool_runner(**RUN, tools=[get_weather], stream=stream, **more)
    if stream:
        replies = []
        for each in runner:
            replies.append(each.get_final_message())
    else:
        replies = list(runner)
    assert [reply.stop_reason for reply in replies] == ["tool_use", "end_turn"]
    assert "41" in replies[-1].content[-1].text
    sent = bodies(server)
    tried = [body for body in sent if "thread" in body]
    # The SDK tries a thread once, is refused, and sends the whole history from then on.
    assert len(tried) == (1 if threads else 0) and len(sent) == len(tried) + 2
    assert [part["type"] for part in sent[-1]["messages"][-1]["content"]] == ["tool_result", "tool_result"]
    statuses = [each.status for each in server.seen]
    assert statuses == ([400] if threads else []) + [200, 200]


@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize("stream", [True, False])
def test_the_async_tool_runner(server, threads, stream):
    async def work(client):
        more = {} if threads else {"thread": False}
        runner = client.beta.messages.tool_runner(**RUN, tools=[get_weather_async], stream=stream, **more)
        return [await each.get_final_message() if stream else each async for each in runner]

    replies = in_async(server, work)
    assert [reply.stop_reason for reply in replies] == ["tool_use", "end_turn"]
