"""The tests of a project that uses the fixture `claude`. The first line of each says what becomes of it."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import agent
import anthropic
import pytest

BOTH = "get_weather(city='Oslo') get_weather(city='Berlin')"
BEFORE = dict(os.environ)


@pytest.fixture
def careless(monkeypatch):
    """The agent answers the first call of a reply and no other."""
    all_of_them = agent.run_tools
    monkeypatch.setattr(agent, "run_tools", lambda reply: all_of_them(reply)[:1])


def test_results_requests_and_the_answer(claude):
    """passes"""
    claude.says(BOTH, "'Cold in both.'")
    assert agent.ask().content[-1].text == "Cold in both."
    assert [result["content"] for result in claude.results] == ["41F in Oslo", "41F in Berlin"]
    assert [len(request["messages"]) for request in claude.requests] == [1, 3]


def test_usage_tells_of_the_prompt_cache(claude):
    """passes"""
    claude.says("'One.'", "'Two.'")
    system = [{"type": "text", "text": "rule" * 600, "cache_control": {"type": "ephemeral"}}]
    ask = {"model": "claude-sonnet-5-5", "max_tokens": 100, "system": system}
    first, second = (
        claude.client.messages.create(messages=[{"role": "user", "content": text}], **ask).usage for text in ("a", "b")
    )
    assert (first.cache_creation_input_tokens, first.cache_read_input_tokens) == (600, 0)
    assert (second.cache_creation_input_tokens, second.cache_read_input_tokens) == (0, 600)


def test_one_of_two_calls_is_answered(claude, careless):
    """fails: ids were found without `tool_result` blocks"""
    claude.says(BOTH, "'Cold in both.'")
    agent.ask()


def test_the_program_swallows_the_refusal(claude, careless):
    """fails: The API refuses request 2: messages.1: `tool_use` ids were found without `tool_result` blocks"""
    claude.says(BOTH)
    try:
        agent.ask()
    except Exception:
        pass


def test_a_refusal_that_is_wanted(claude, careless):
    """passes"""
    claude.says(BOTH)
    with pytest.raises(anthropic.BadRequestError):
        agent.ask()
    claude.refused.clear()


def test_a_reply_that_nobody_asks_for(claude):
    """fails: Replies that nobody asked for: 2. The first, in line 2: get_weather(city="Oslo")"""
    claude.says("'Cold.'\nget_weather(city='Oslo')\n'Cold.'")
    agent.ask()


def test_a_request_too_many(claude):
    """fails: After the last reply came request 2."""
    claude.says("get_weather(city='Oslo')")
    with pytest.raises(anthropic.BadRequestError, match="There is no reply left for this request"):
        agent.ask()


def test_a_slip_in_a_reply(claude):
    """fails: ValueError: Line 1, column 18: write 'Oslo' in single quotes."""
    claude.says("get_weather(city=Oslo)")


def test_a_fault_with_nothing_to_take_hold_of(claude):
    """fails: The fault missing_argument finds nothing to take hold of in its reply."""
    claude.says("'Cold.' missing_argument")
    with pytest.raises(anthropic.BadRequestError):
        agent.ask()


def test_every_end_of_a_reply(claude):
    """passes"""
    claude.says("529\nrate_limit\n'after two tries'", "'No.' refusal", "''", "'It is' max_tokens", "'A' stop_sequence")
    ends = [agent.ask() for _ in range(5)]
    assert [end.stop_reason for end in ends] == ["end_turn", "refusal", "end_turn", "max_tokens", "stop_sequence"]
    assert ends[0].content[0].text == "after two tries" and ends[2].content == []


def test_an_error_with_words_of_its_own(claude):
    """passes"""
    claude.says("402 'Pay first.'")
    with pytest.raises(anthropic.APIStatusError, match="Pay first.") as raised:
        agent.ask()
    assert raised.value.status_code == 402 and raised.value.type == "billing_error"


def test_a_pause_is_sent_back_and_goes_on(claude):
    """passes"""
    claude.says("'Let me' pause_turn", "get_weather(city='Oslo')", "'Cold.'", "'Bye.'")
    messages = [{"role": "user", "content": "Oslo?"}]
    assert agent.agent_loop(messages).stop_reason == "pause_turn"
    assert agent.agent_loop(messages).content[0].text == "Cold."
    messages.append({"role": "user", "content": "Thanks."})
    assert agent.agent_loop(messages).content[0].text == "Bye."


def test_blocks_that_words_do_not_reach(claude):
    """passes"""
    search = '{"type": "server_tool_use", "id": "srvtoolu_01", "name": "web_search", "input": {"query": "Oslo"}}'
    found = '{"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01", "content": []}'
    claude.says(f"'I search.' {search} {found} 'Cold.'", f"{search} {found} 'Cold.'")
    kinds = ["text", "server_tool_use", "web_search_tool_result", "text"]
    assert [block.type for block in agent.ask().content] == kinds
    with claude.client.messages.stream(messages=[{"role": "user", "content": "Oslo?"}], **agent.ASK) as stream:
        blocks = stream.get_final_message().content
    assert [block.type for block in blocks] == kinds[1:] and blocks[0].input == {"query": "Oslo"}


def test_thinking_of_ones_own(claude):
    """passes"""
    claude.says('{"type": "thinking", "thinking": "Oslo first."} get_weather(city=\'Oslo\')', "'Cold.'")
    messages = [{"role": "user", "content": "Oslo?"}]
    agent.agent_loop(messages)
    assert [block.type for block in messages[1]["content"]] == ["thinking", "tool_use"]


def test_streams(claude):
    """passes"""
    claude.says("get_weather(city='Oslo')", "'Cold in the north.'", "'Cold in the north.' cut")
    ask = {**agent.ASK, "tools": agent.TOOLS, "messages": [{"role": "user", "content": "Oslo?"}]}
    with claude.client.messages.stream(**ask) as stream:
        assert stream.get_final_message().content[-1].input == {"city": "Oslo"}
    with claude.client.messages.stream(**ask) as stream:
        assert "".join(stream.text_stream) == "Cold in the north."
    with claude.client.messages.stream(**ask) as stream:
        assert stream.get_final_message().stop_reason is None


def test_the_tool_runner(claude):
    """passes"""
    asked = []

    @anthropic.beta_tool
    def get_weather(city: str) -> str:
        """Get the weather."""
        asked.append(city)
        return "41F"

    claude.says(BOTH, "'Cold.'")
    runner = claude.client.beta.messages.tool_runner(
        tools=[get_weather], messages=[{"role": "user", "content": "Oslo?"}], **agent.ASK
    )
    assert runner.until_done().content[0].text == "Cold."
    assert asked == ["Oslo", "Berlin"] and len(claude.requests) == 2


@pytest.mark.parametrize("number", [1, 2])
def test_async_code_in_a_loop_of_its_own(claude, number):
    """passes"""

    async def go():
        asking = [
            claude.async_client.messages.create(messages=[{"role": "user", "content": "Hi"}], **agent.ASK)
            for _ in range(5)
        ]
        return {reply.content[0].text for reply in await asyncio.gather(*asking)}

    claude.says(*[f"'{number}.{letter}'" for letter in "abcde"])
    assert asyncio.run(go()) == {f"{number}.{letter}" for letter in "abcde"}


def test_other_paths_are_refused_too(claude):
    """fails: The API refuses /v1/messages/count_tokens: messages: at least one message is required"""
    with pytest.raises(anthropic.BadRequestError):
        claude.client.messages.count_tokens(model="claude-sonnet-5-5", messages=[])


def test_what_the_test_itself_finds_comes_first(claude):
    """fails: AssertionError: its own words"""
    claude.says("'Cold.'", "'never asked for'")
    agent.ask()
    raise AssertionError("its own words")


def test_the_environment_is_as_it_was():
    """passes"""
    kept = [name for name in BEFORE if name != "PYTEST_CURRENT_TEST"]
    assert {name: os.environ.get(name) for name in kept} == {name: BEFORE[name] for name in kept}
    assert not {name for name in os.environ if name.startswith("ANTHROPIC_")} - BEFORE.keys()


def test_tests_in_threads_do_not_hear_one_another():
    """passes"""
    from course.testing import claude

    together = threading.Barrier(8)

    def one(number):
        with claude() as it:
            it.says(f"get_weather(city='{number}')", f"'{number}'")
            together.wait()
            reply = agent.ask(client=it.client)
            return reply.content[0].text, it.results[0]["content"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(8))) == [(f"{n}", f"41F in {n}") for n in range(8)]
    test_the_environment_is_as_it_was()


def test_a_late_request_meets_no_other_test(claude):
    """passes"""
    from course.testing import claude as another

    with another() as over:
        pass
    with pytest.raises(anthropic.BadRequestError, match="The test that this request belongs to is over"):
        agent.ask(client=over.client)
    assert claude.requests == claude.refused == []


def test_without_pytest_it_raises():
    """passes"""
    from course.testing import claude

    with pytest.raises(AssertionError, match="Replies that nobody asked for: 1."), claude() as it:
        it.says("'Cold.'")
    with pytest.raises(KeyError), claude() as it:  # not in place of what went wrong first
        it.says("'Cold.'")
        raise KeyError
