import agent
import anthropic
import pytest


def test_both_calls_are_answered(claude):
    claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
    reply = agent.ask("Oslo or Berlin?")
    assert reply.content[-1].text == "Cold in both."
    assert [result["content"] for result in claude.results] == ["41F in Oslo", "41F in Berlin"]


def test_an_overloaded_api_is_asked_again(claude):
    claude.says("529", "529", "'Cold.'")
    agent.ask("Oslo?")
    assert len(claude.requests) == 3


def test_an_account_without_credit(claude):
    claude.says("400 'Your credit balance is too low.'")
    with pytest.raises(anthropic.BadRequestError):
        agent.ask("Oslo?")


@pytest.mark.parametrize("end", ["''", "'No.' refusal", "'It is' max_tokens", "get_weather(city='Oslo') max_tokens"])
def test_whatever_comes_the_loop_ends(claude, end):
    claude.says(end)
    agent.ask("Oslo?")
