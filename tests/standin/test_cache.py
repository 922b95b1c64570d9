"""The prompt cache: what `usage` says of a conversation, as the real SDK reads it, against sums made by hand."""

import copy
import io
import json
import subprocess
import sys

import anthropic
import pytest

from course.standin import tokens
from course.standin.app import create_app
from course.standin.cache import Cache
from course.standin.faults import Faults
from course.standin.server import start
from course.wire import Wire
from course.wire.record import cost, make
from tests.conftest import ROOT, clean_env

MODEL = "claude-sonnet-5-5"  # minimum 512
MARK = {"cache_control": {"type": "ephemeral"}}
HOUR = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
# One token is four bytes here, so these are sums that a reader can check.
SYSTEM = {"type": "text", "text": "rule" * 600}  # 600 tokens
TOOL = {
    "name": "look_up",
    "description": "Looks up one entry.",
    "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
}
TOOLS = tokens.TOOL_PROMPT + tokens.of_json([TOOL])
START = 600 + tokens.MESSAGE  # tokens in front of the first prompt's text


class Server:
    def __init__(self, answer=None):
        self.now = 0.0
        self.exchanges = []
        cache = Cache(answer, clock=lambda: self.now) if answer else Cache(clock=lambda: self.now)
        self.running = start(lambda: create_app(cache, self.exchanges.append))
        http = anthropic.DefaultHttpxClient(trust_env=False)
        self.client = anthropic.Anthropic(
            api_key="key", base_url=self.running.base_url, max_retries=0, timeout=20, http_client=http
        )

    def usage(self, messages, stream=False, **more):
        """(input, read, written for five minutes, written for an hour) of one request."""
        request = {"model": MODEL, "max_tokens": 1000, "system": [SYSTEM | MARK], "messages": messages, **more}
        if stream:
            with self.client.messages.stream(**request) as opened:
                usage = opened.get_final_message().usage
        else:
            usage = self.client.messages.create(**request).usage
        split = usage.cache_creation
        assert usage.cache_creation_input_tokens == split.ephemeral_5m_input_tokens + split.ephemeral_1h_input_tokens
        return (
            usage.input_tokens,
            usage.cache_read_input_tokens,
            split.ephemeral_5m_input_tokens,
            split.ephemeral_1h_input_tokens,
        )


@pytest.fixture
def serve():
    servers = []

    def make_server(answer=None):
        servers.append(Server(answer))
        return servers[-1]

    yield make_server
    for each in servers:
        each.client.close()
        each.running.stop()


@pytest.fixture
def server(serve):
    return serve()


def user(text, **more):
    return {"role": "user", "content": [{"type": "text", "text": text, **more}]}


def said(text):
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


both = pytest.mark.parametrize("stream", [False, True], ids=["json", "sse"])


@both
def test_what_was_written_is_read_by_the_next_request(server, stream):
    assert server.usage([user("ask " * 10)], stream) == (10 + tokens.MESSAGE, 0, 600, 0)
    assert server.usage([user("ask " * 20)], stream) == (20 + tokens.MESSAGE, 600, 0, 0)


@both
def test_a_mark_that_moves_reads_what_was_there_and_writes_what_is_new(server, stream):
    history = [user("ask " * 100, **MARK)]
    assert server.usage(history, stream) == (0, 0, START + 100, 0)
    more = [user("ask " * 100), said("well" * 50), user("and?" * 30, **MARK)]
    assert server.usage(more, stream) == (0, START + 100, 50 + 30 + 2 * tokens.MESSAGE, 0)


def test_the_whole_request_s_mark_moves_by_itself(server):
    ask = {"system": [SYSTEM], **MARK}
    assert server.usage([user("ask " * 100)], **ask) == (0, 0, START + 100, 0)
    more = [{"role": "user", "content": "ask " * 100}, said("well" * 50), user("and?" * 30)]
    assert server.usage(more, **ask) == (0, START + 100, 50 + 30 + 2 * tokens.MESSAGE, 0)


def test_the_time_in_front_spoils_everything_behind_it(server):
    for minute in range(3):
        clock = {"type": "text", "text": f"At {minute:05}"}  # 2 tokens
        usage = server.usage([user("ask " * 10)], system=[clock, SYSTEM | MARK])
        assert usage == (10 + tokens.MESSAGE, 0, 602, 0)


def test_behind_a_change_the_part_before_it_is_still_read(server):
    server.usage([user("ask " * 10, **MARK)])
    assert server.usage([user("else" * 10, **MARK)]) == (0, 600, 10 + tokens.MESSAGE, 0)


def test_tools_stand_in_front_of_the_system_prompt(server):
    first = server.usage([user("ask " * 10)], tools=[TOOL])
    assert first == (10 + tokens.MESSAGE, 0, TOOLS + 600, 0)
    assert server.usage([user("ask " * 10)], tools=[TOOL])[1] == TOOLS + 600
    keys_turned = copy.deepcopy(TOOL)
    keys_turned["input_schema"] = dict(reversed(TOOL["input_schema"].items()))
    for changed in ([TOOL | {"name": "look_for"}], [keys_turned], []):
        assert server.usage([user("ask " * 10)], tools=changed)[1] == 0


def test_another_tool_choice_or_thinking_spoils_the_messages_alone(server):
    history = [user("ask " * 10, **MARK)]
    server.usage(history, tools=[TOOL])
    for change in ({"tool_choice": {"type": "none"}}, {"thinking": {"type": "between_tools"}}):
        assert server.usage(history, tools=[TOOL], **change)[1] == TOOLS + 600
    assert server.usage(history, tools=[TOOL])[1] == TOOLS + START + 10


def test_a_model_does_not_read_what_another_one_wrote(server):
    server.usage([user("ask " * 10)])
    assert server.usage([user("ask " * 10)], model="claude-opus-5-5")[1] == 0


@pytest.mark.parametrize("model, minimum", [(MODEL, 512), ("claude-opus-4-8", 1024), ("claude-haiku-4-5", 4096)])
def test_what_is_shorter_than_the_model_s_minimum_is_not_cached(server, model, minimum):
    for length, cached in ((minimum - 1, 0), (minimum, minimum)):
        system = [{"type": "text", "text": "rule" * length} | MARK]
        read = [server.usage([user("ask ")], system=system, model=model)[1] for _again in range(2)]
        assert read == [0, cached]


def test_five_minutes_from_the_last_use(server):
    reads = []
    for server.now in (0, 299, 598, 898):
        reads.append(server.usage([user("ask ")])[1])
    assert reads == [0, 600, 600, 0]


def test_what_a_later_mark_reads_is_kept_anew_too(server):
    server.usage([user("ask " * 10, **MARK)])
    for server.now, word in ((299, "one "), (598, "two ")):
        assert server.usage([user("ask " * 10), said("well"), user(word, **MARK)])[1] == START + 10


@both
def test_an_hour_costs_more_and_lasts_longer(server, stream):
    ask = {"system": [SYSTEM | HOUR]}
    assert server.usage([user("ask " * 20, **MARK)], stream, **ask) == (0, 0, 20 + tokens.MESSAGE, 600)
    server.now = 3599
    assert server.usage([user("ask " * 20, **MARK)], stream, **ask) == (0, 600, 20 + tokens.MESSAGE, 0)
    server.now = 3599 + 3600
    assert server.usage([user("ask " * 20, **MARK)], stream, **ask)[1] == 0


def test_it_looks_back_twenty_blocks_and_no_further(server):
    for word, more, read in (("ask ", 19, START + 1), ("tell", 20, 600)):
        server.usage([user(word, **MARK)])
        blocks = [{"type": "text", "text": word} for _ in range(1 + more)]
        blocks[-1] |= MARK
        assert server.usage([{"role": "user", "content": blocks}])[1] == read


def test_calls_side_by_side_are_one_place_and_so_are_their_results(server):
    ids = [f"toolu_{n:02}" for n in range(30)]
    calls = [{"type": "tool_use", "id": each, "name": "look_up", "input": {"name": "x"}} for each in ids]
    results = [{"type": "tool_result", "tool_use_id": each, "content": "word" * 5} for each in ids]
    first = [user("ask " * 10, **MARK)]
    server.usage(first, tools=[TOOL])
    more = [user("ask " * 10), {"role": "assistant", "content": calls}, {"role": "user", "content": results}]
    more[-1]["content"][-1] |= MARK
    assert server.usage(more, tools=[TOOL])[1] == TOOLS + START + 10


@pytest.mark.parametrize("fault", ["overloaded", "reset"])
def test_a_request_that_failed_has_written_nothing(serve, fault):
    server = serve(Faults([fault]))
    with pytest.raises(anthropic.APIError):
        server.usage([user("ask ")])
    assert [server.usage([user("ask ")])[1] for _ in range(2)] == [0, 600]


@pytest.mark.parametrize("fault", ["split_text", "cut", "thinking_first", "slow"])
def test_a_spoiled_reply_has_the_same_usage(serve, fault):
    server = serve(Faults([fault], slow=0.01))
    request = {"model": MODEL, "max_tokens": 1000, "system": [SYSTEM | MARK], "messages": [user("ask ")]}
    with server.client.messages.stream(**request) as stream:
        for _event in stream:
            pass
        usage = stream.current_message_snapshot.usage
    assert (usage.cache_read_input_tokens, usage.cache_creation_input_tokens) == (0, 600)
    assert server.usage([user("ask ")])[1] == 600


def test_a_paused_reply_is_part_of_the_prompt(serve):
    server = serve(Faults(["pause_turn"]))
    ask = {"model": MODEL, "max_tokens": 1000, "system": [SYSTEM], **MARK}
    reply = server.client.messages.create(messages=[user("ask ")], **ask)
    assert reply.stop_reason == "pause_turn"
    paused = [user("ask "), {"role": "assistant", "content": [reply.content[0].to_dict() | MARK]}]
    words = tokens.text(reply.content[0].text) + tokens.MESSAGE
    assert server.usage(paused, system=[SYSTEM]) == (0, START + 1, words, 0)


def test_without_a_mark_nothing_is_cached_or_changed(server):
    plain = [user("ask " * 10)]
    for _again in range(2):
        assert server.usage(plain, system=[SYSTEM]) == (START + 10, 0, 0, 0)


def test_five_marks_are_refused_and_write_nothing(server):
    with pytest.raises(anthropic.BadRequestError, match="maximum of 4 blocks with cache_control"):
        server.usage([user("a", **MARK) for _ in range(4)])
    assert server.usage([user("ask ")])[1] == 0


def test_a_compressed_request_is_read(server):
    import gzip

    body = {"model": MODEL, "max_tokens": 1000, "system": [SYSTEM | MARK], "messages": [user("ask ")]}
    headers = {"x-api-key": "key", "anthropic-version": "2023-06-01", "content-encoding": "gzip"}
    cache = Cache()
    for read in (0, 600):
        response = cache("POST", "/v1/messages", headers, gzip.compress(json.dumps(body).encode()))
        assert json.loads(b"".join(response.chunks))["usage"]["cache_read_input_tokens"] == read


@both
def test_the_bill_of_a_conversation_is_the_one_made_by_hand(server, stream):
    """Sonnet 5.5: 2 USD a million tokens in, 10 out, 0.10 read from the cache, 2.50 and 4 written to it."""
    server.usage([user("ask " * 100, **MARK)], stream, system=[SYSTEM | HOUR])
    more = [user("ask " * 100, **MARK), said("well" * 50), user("and?" * 30)]
    server.usage(more, stream, system=[SYSTEM | HOUR])
    records = [make(exchange) for exchange in server.exchanges]
    out = [record["tokens"]["output"] for record in records]
    first = 600 * 4 + (100 + tokens.MESSAGE) * 2.5 + out[0] * 10
    second = (700 + tokens.MESSAGE) * 0.1 + (50 + 30 + 2 * tokens.MESSAGE) * 2 + out[1] * 10
    assert [record["cost_usd"] for record in records] == pytest.approx([first / 1e6, second / 1e6], abs=1e-9)


SCRIPT = """
from course import load_env
import anthropic
load_env()
request = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}
request["system"] = [{"type": "text", "text": "rule" * 600, "cache_control": {"type": "ephemeral"}}]
for _ in range(2):
    usage = anthropic.Anthropic().messages.create(**request).usage
    print(usage.cache_creation_input_tokens, usage.cache_read_input_tokens)
"""


@pytest.mark.parametrize("command", [[], ["-m", "course", "run"], ["-m", "course", "run", "--fault", "slow"]])
def test_the_stand_in_of_a_script_has_one(tmp_path, command):
    script = tmp_path / "own.py"
    script.write_text(SCRIPT, encoding="utf-8")
    words = [sys.executable, *command, str(script)]
    done = subprocess.run(words, cwd=ROOT, env=clean_env(PYTHONPATH=str(ROOT)), capture_output=True, encoding="utf-8")
    assert done.stdout.splitlines() == ["600 0", "0 600"], done.stderr


def test_haiku_5_5_costs_five_times_as_much_beyond_100_000_tokens():
    tokens = {"input": 40_000, "cache_read": 50_000, "cache_write": 10_000, "output": 1_000}
    usual = (40_000 * 0.10 + 50_000 * 0.01 + 10_000 * 0.125 + 1_000 * 0.50) / 1e6
    assert cost("claude-haiku-5-5", tokens) == pytest.approx(usual)
    long = (40_001 * 0.50 + 50_000 * 0.05 + 10_000 * 0.625 + 1_000 * 2.50) / 1e6
    assert cost("claude-haiku-5-5", tokens | {"input": 40_001}) == pytest.approx(long)
    assert cost("claude-sonnet-5-5", tokens | {"input": 40_001}) == pytest.approx(0.1200020)


@pytest.mark.parametrize(
    "language, turn, sum_of_all",
    [
        (
            "en",
            "614 tokens in, {} out; of the input 600 from the cache, 0 into it; ",
            "of the input 600 from the cache, 600 into",
        ),
        ("zh", "输入 614 token，输出 {} token；输入中 600 读自缓存，0 写入缓存；", "输入中 600 读自缓存，600 写入缓存"),
        (
            "de",
            "614 Token hinein, {} heraus; von der Eingabe 600 aus dem Cache, 0 hinein; ",
            "von der Eingabe 600 aus dem Cache, 600 hinein",
        ),
    ],
)
def test_the_wire_tells_of_it(server, monkeypatch, language, turn, sum_of_all):
    monkeypatch.setenv("COURSE_LANG", language)
    for _again in range(2):
        server.usage([user("ask " * 10)])
    told = io.StringIO()
    wire = Wire(told)
    for exchange in server.exchanges:
        wire(exchange)
    wire.finish()
    *_turns, last, totals = [line for line in told.getvalue().splitlines() if line.startswith(("<<<", "==="))]
    assert turn.format(make(server.exchanges[1])["tokens"]["output"]) in last
    assert sum_of_all in totals
