"""Whatever is sent, the stand-in answers as the API would: a message, or a refusal in its envelope. Never a 500.

A longer run, against the real server: benchmarks/property_run.py.
"""

import json

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategies import broken, surely_broken, valid_requests

from course.standin.cache import Cache
from course.standin.core import handle
from course.standin.rules import shapes

HEADERS = {"authorization": "Bearer sk-ant-test", "anthropic-version": "2026-10-21"}
# Examples are drawn anew in each run of a developer; a failure is kept in .hypothesis and tried first the next time.
# `make test` draws 100, `make test-all` 400 (tests/conftest.py).
many = settings(deadline=None, suppress_health_check=list(HealthCheck))
EACH = 5  # requests made from one valid request


def ask(body, path="/v1/messages"):
    """(status, body of the answer) for a request."""
    response = handle("POST", path, HEADERS, json.dumps(body).encode())
    return response.status, b"".join(response.chunks)


def check_refusal(status, answer):
    assert 400 <= status < 500, answer
    answer = json.loads(answer)
    assert answer.keys() == {"type", "error", "request_id"}
    assert answer["type"] == "error"
    assert answer["error"].keys() - {"details"} == {"type", "message"}
    assert answer["error"]["type"] in ("invalid_request_error", "not_found_error")
    assert answer["error"]["message"]
    assert answer["request_id"].startswith("req_")


def check_message(body, answer):
    if body.get("stream"):
        events = [json.loads(line[6:]) for line in answer.decode().splitlines() if line.startswith("data: ")]
        assert events[0]["type"] == "message_start" and events[-1]["type"] == "message_stop"
    else:
        message = json.loads(answer)
        assert message["role"] == "assistant" and isinstance(message["content"], list)
        assert message["stop_reason"]


@many
@given(valid_requests())
def test_valid_requests_are_answered(body):
    status, answer = ask(body)
    assert status == 200, answer
    check_message(body, answer)


@many
@given(valid_requests(), st.randoms(use_true_random=False))
def test_requests_broken_in_one_place_are_refused(body, random):
    for _ in range(EACH):
        check_refusal(*ask(surely_broken(body, random)))


@many
@given(valid_requests(), st.randoms(use_true_random=False))
def test_requests_changed_in_one_place_get_a_proper_answer(body, random):
    for _ in range(EACH):
        changed = broken(body, random)
        status, answer = ask(changed)
        if status == 200:
            check_message(changed, answer)
        else:
            check_refusal(status, answer)


@many
@given(valid_requests(), st.randoms(use_true_random=False))
def test_count_tokens_gets_a_proper_answer(body, random):
    counted = {key: value for key, value in broken(body, random).items() if key in shapes.COUNT_TOKENS}
    status, answer = ask(counted, "/v1/messages/count_tokens")
    if status == 200:
        assert json.loads(answer)["input_tokens"] > 0
    else:
        check_refusal(status, answer)


@many
@given(valid_requests(), st.sampled_from(["5m", "1h"]))
def test_the_prompt_cache_reads_what_it_wrote_and_no_token_is_lost(body, ttl):
    """Whatever is asked, if it is long enough: the same request again is read from the cache as a whole."""
    body |= {"cache_control": {"type": "ephemeral", "ttl": ttl}, "stream": False}
    body["system"] = [{"type": "text", "text": "rule" * 5_000}]
    cache = Cache()
    usages = []
    for answer in (handle, cache, cache):
        response = answer("POST", "/v1/messages", HEADERS, json.dumps(body).encode())
        assume(response.status == 200)
        usages.append(json.loads(b"".join(response.chunks))["usage"])
    whole, first, second = usages
    written = first["cache_creation_input_tokens"]
    assert first["cache_creation"][f"ephemeral_{ttl}_input_tokens"] == written > 5_000
    assert (first["cache_read_input_tokens"], second["cache_read_input_tokens"]) == (0, written)
    assert second["cache_creation_input_tokens"] == 0
    assert first["input_tokens"] + written == second["input_tokens"] + written == whole["input_tokens"]
    assert first["input_tokens"] >= 0
