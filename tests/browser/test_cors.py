"""A page of another origin asks the stand-in from a real browser, as the SDK for TypeScript does in one."""

import pytest

from course.standin.app import create_app
from course.standin.faults import Faults
from course.standin.server import start

ASK = """
async ([url, optIn, more]) => {
    const headers = {"x-api-key": "key", "anthropic-version": "2023-06-01", "content-type": "application/json"};
    if (optIn) headers["anthropic-dangerous-direct-browser-access"] = "true";
    const messages = [{role: "user", content: "Hello"}];
    const body = JSON.stringify({model: "claude-sonnet-5-5", max_tokens: 1000, messages, ...more});
    try {
        const answer = await fetch(url + "/v1/messages", {method: "POST", headers, body});
        return [answer.status, await answer.text(), Object.fromEntries(answer.headers)];
    } catch (error) {
        return [0, String(error), {}];
    }
}
"""


@pytest.fixture
def ask(page):
    """ask(...) -> (status, text, headers) as a page of another origin sees them."""
    servers = [start(lambda: create_app(Faults(["ok:3", "rate_limit"]))), start()]
    page.goto(servers[1].base_url + "/health")
    yield lambda opt_in, **more: page.evaluate(ASK, [servers[0].base_url, opt_in, more])
    for each in servers:
        each.stop()


def test_a_page_of_another_origin_may_ask_if_it_opts_in(ask):
    status, text, headers = ask(True)
    assert status == 200 and "end_turn" in text and headers["request-id"].startswith("req_")
    status, text, _ = ask(True, stream=True)
    assert status == 200 and text.endswith('data: {"type":"message_stop"}\n\n')
    status, text, headers = ask(True, max_tokens=-1)
    assert status == 400 and "max_tokens" in text and headers["x-course-rule"] == "max_tokens_negative"
    ask(True)
    status, text, headers = ask(True)
    assert status == 429 and "rate_limit_error" in text and 1 <= int(headers["retry-after"]) <= 5


def test_a_page_that_does_not_opt_in_may_not(ask):
    assert ask(False) == [0, "TypeError: Failed to fetch", {}]
