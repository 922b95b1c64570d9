"""`course run --wire`, and the recording proxy: tested with a second local server that plays the real API."""

import asyncio
import io
import json
import os
import re
import socket
import subprocess
import sys
import threading

import anthropic
import pytest

from course.proxy import Proxy
from course.standin.app import create_app
from course.standin.core import Response, handle
from course.standin.faults import Faults
from course.standin.server import start
from course.wire import View, Wire
from course.wire.record import make
from tests.conftest import ROOT, clean_env

KEY = "sk-ant-api03-0123456789-abcdef-secret"
SECONDS = 60
ASK = {"model": "claude-sonnet-5-5", "max_tokens": 500, "messages": [{"role": "user", "content": "Weather in Oslo?"}]}


def course(*arguments, **env):
    return subprocess.run(
        [sys.executable, "-m", "course", *arguments],
        env=clean_env(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )


class Site:
    """A server, whatever it plays, with what it was asked."""

    def __init__(self, answer, observe=None):
        self.exchanges = []
        self.server = start(lambda: create_app(answer, observe or self.exchanges.append))
        self.base_url = self.server.base_url


@pytest.fixture
def site():
    sites = []

    def make_site(answer=handle, observe=None):
        sites.append(Site(answer, observe))
        return sites[-1]

    yield make_site
    for each in sites:
        each.server.stop()


def client(base_url, **more):
    http = anthropic.DefaultHttpxClient(trust_env=False)
    return anthropic.Anthropic(api_key=KEY, base_url=base_url, max_retries=0, timeout=20, http_client=http, **more)


# --- the proxy ---------------------------------------------------------------------------------------------------


def test_bodies_pass_unchanged_both_ways(site):
    upstream = site()
    proxy = site(Proxy(upstream.base_url))
    with client(proxy.base_url) as through:
        reply = through.messages.create(**ASK)
    (near,), (far,) = proxy.exchanges, upstream.exchanges
    assert near.body == far.body and near.chunks == far.chunks
    assert reply.id == json.loads(far.chunks[0])["id"]
    assert far.headers["authorization"] == f"Bearer {KEY}"
    assert far.headers["anthropic-version"] == near.headers["anthropic-version"]
    assert near.response_headers["request-id"] == far.response_headers["request-id"]


def test_a_stream_passes_as_it_comes(site):
    seen = threading.Event()
    waited = []

    async def held_back(chunks):
        for chunk in chunks[:3]:
            yield chunk
        waited.append(await asyncio.to_thread(seen.wait, 20))  # the rest comes only when the reader has the beginning
        for chunk in chunks[3:]:
            yield chunk

    def answer(method, path, headers, body):
        response = handle(method, path, headers, body)
        response.chunks = held_back(list(response.chunks))
        return response

    proxy = site(Proxy(site(answer).base_url))
    with client(proxy.base_url) as through, through.messages.stream(**ASK) as stream:
        for _event in stream:
            seen.set()
        message = stream.get_final_message()
    assert waited == [True]
    assert message.stop_reason == "end_turn" and message.content[0].text


def test_refusals_and_headers_pass(site):
    upstream = site(Faults(["rate_limit"], retry_after=7))
    proxy = site(Proxy(upstream.base_url))
    with client(proxy.base_url) as through, pytest.raises(anthropic.RateLimitError) as caught:
        through.messages.create(**ASK)
    assert caught.value.response.headers["retry-after"] == "7"
    with client(proxy.base_url) as through, pytest.raises(anthropic.BadRequestError, match="max_tokens"):
        through.messages.create(**{**ASK, "max_tokens": -1})


def test_every_path_is_passed_on(site):
    upstream = site()
    proxy = site(Proxy(upstream.base_url + "/"))
    with client(proxy.base_url) as through:
        assert through.models.list().data
        assert through.messages.count_tokens(model=ASK["model"], messages=ASK["messages"]).input_tokens > 0
    assert [exchange.path for exchange in upstream.exchanges] == ["/v1/models", "/v1/messages/count_tokens"]


def test_an_api_that_cannot_be_reached_is_a_clear_502(site):
    proxy = site(Proxy("http://127.0.0.1:9"))
    with client(proxy.base_url) as through, pytest.raises(anthropic.InternalServerError) as caught:
        through.messages.create(**ASK)
    assert caught.value.status_code == 502
    assert "127.0.0.1 could not be reached from here" in str(caught.value)


@pytest.mark.parametrize("upstream", ["http://", "nonsense", "http://[::1", "ftp://example.com"])
def test_an_address_that_is_none_is_a_502_too(site, upstream):
    proxy = site(Proxy(upstream))
    with client(proxy.base_url) as through, pytest.raises(anthropic.InternalServerError):
        through.messages.create(**ASK)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("fault", ["reset", "cut"])
def test_what_breaks_upstream_breaks_here(site, fault, stream):
    upstream = site(Faults([fault]))
    proxy = site(Proxy(upstream.base_url))
    with client(proxy.base_url) as through:
        if fault == "cut" and stream:
            with through.messages.stream(**ASK) as events:
                assert [event for event in events] and events.current_message_snapshot.stop_reason is None
        else:
            with pytest.raises((anthropic.APIConnectionError, anthropic.InternalServerError)):
                through.messages.create(**ASK, stream=stream)


# --- `course run --wire` -----------------------------------------------------------------------------------------


def test_the_wire_is_on_stderr_and_the_script_s_output_is_its_own():
    plain = course("run", "s01")
    done = course("run", "s01", "--wire")
    assert done.returncode == 0 and done.stdout == plain.stdout
    for text in (
        ">>> turn 1: request",
        "+ user text: What should I wear in Austin today?",
        "<<< tool_use",
        'tool_use: get_weather({"city": "Austin"})',
        ">>> turn 2: request",
        "1 message as before",
        "tool_result: get_weather -> Weather in Austin: 95F, sunny",
        "<<< end_turn",
        "=== 2 requests",
        "at the prices of 2026-11-30",
        "nothing was paid",
    ):
        assert text in done.stderr, text
    assert done.stderr.count("max_tokens: 8000") == 1  # said once, as it does not change
    assert done.stderr.isascii() or "°" in done.stderr
    assert "\x1b" not in done.stderr


def test_tokens_and_costs_add_up():
    done = course("run", "s01", "--wire")
    parts = [float(text) for text in re.findall(r"([\d.]+) USD, so far", done.stderr)]
    total = float(re.search(r"([\d.]+) USD at the prices", done.stderr)[1])
    assert len(parts) == 2 and abs(sum(parts) - total) < 0.0002 and total > 0
    tokens = [tuple(map(int, pair)) for pair in re.findall(r"([\d,]+) tokens in, (\d+) out", done.stderr)]
    assert tokens[2] == (tokens[0][0] + tokens[1][0], tokens[0][1] + tokens[1][1])
    # claude-sonnet-5-5: 2 and 10 dollars a million.
    assert abs((tokens[2][0] * 2 + tokens[2][1] * 10) / 1e6 - total) < 0.0001


def test_raw_bodies_are_json_lines():
    done = course("run", "--wire=json", "s01")
    assert done.returncode == 0
    bodies = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    assert [list(body)[0] for body in bodies].count("model") or bodies
    assert len(bodies) == 4
    assert bodies[2]["messages"][:1] == bodies[0]["messages"]
    assert bodies[3]["stop_reason"] == "end_turn"


@pytest.mark.extra
def test_errors_and_retries_are_told():
    done = course("run", "s01", "--wire", "--fault", "rate_limit", "--fault", "reset")
    assert done.returncode == 0
    for text in (
        "<<< 429 rate_limit_error",
        "would exceed your organization's rate limit",
        "retry after",
        ">>> turn 1: request, try 2",
        "<<< the connection broke, no answer",
        ">>> turn 1: request, try 3",
        "<<< tool_use",
        ">>> turn 2: request\n",
    ):
        assert text in done.stderr, text


@pytest.mark.parametrize("form", ["--wire", pytest.param("--wire=json", marks=pytest.mark.extra)])
def test_a_real_key_goes_to_the_api_and_nowhere_else(site, form, tmp_path):
    upstream = site()
    done = course("run", "s01", form, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=upstream.base_url)
    assert done.returncode == 0, done.stderr
    assert "turn 2: end_turn" in done.stdout
    assert [each.headers["authorization"] for each in upstream.exchanges] == [f"Bearer {KEY}"] * 2
    assert "nothing was paid" not in done.stderr
    assert KEY not in done.stdout + done.stderr


@pytest.mark.parametrize("form", ["--wire", pytest.param("--wire=json", marks=pytest.mark.extra)])
def test_a_key_that_slips_into_a_prompt_is_not_shown(form):
    done = course("run", "s01", form, f"What does {KEY} mean in Oslo?")
    assert KEY not in done.stderr and "[key]" in done.stderr


@pytest.mark.extra
def test_a_key_from_the_env_file_is_used_and_not_shown(site, tmp_path):
    upstream = site()
    script = tmp_path / "mine äö.py"
    script.write_text((ROOT / "agents/s01_agent_loop.py").read_text(encoding="utf-8"), encoding="utf-8")
    secret = "a-token-without-the-usual-form-123456"
    (tmp_path / ".env").write_text(
        f"ANTHROPIC_AUTH_TOKEN={secret}\nANTHROPIC_BASE_URL={upstream.base_url}\n", encoding="utf-8"
    )
    done = course("run", str(script), f"Is {secret} a city?", "--wire")
    assert done.returncode == 0, done.stderr
    assert upstream.exchanges[0].headers["authorization"] == f"Bearer {secret}"
    assert secret not in done.stderr and "[key]" in done.stderr


@pytest.mark.extra
def test_an_unreachable_api_is_said_plainly(site):
    done = course("run", "s01", "--wire", ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    assert done.returncode == 1
    assert "127.0.0.1 could not be reached from here" in done.stderr and KEY not in done.stderr


def test_chinese_facts_stand_between_chinese_marks():
    told = course("run", "s01", "--wire", COURSE_LANG="zh").stderr
    facts = [line for line in told.splitlines() if line.startswith(("<<<", "==="))]
    assert len(facts) == 3
    assert not [line for line in facts if re.search("[,;()]", line)]


@pytest.mark.extra
@pytest.mark.parametrize("language, word", [("zh", "第 1 轮"), ("de", "Runde 1")])
def test_in_three_languages(language, word):
    done = course("run", "s01", "--wire", COURSE_LANG=language)
    assert word in done.stderr and "tool_use" in done.stderr
    assert ("0,00" in done.stderr) == (language == "de")  # US dollars, as numbers are written there


@pytest.mark.parametrize(
    "encoding", [*(pytest.param(each, marks=pytest.mark.extra) for each in ("ascii", "cp1252")), "gbk"]
)
def test_any_console_is_survived(encoding):
    done = subprocess.run(
        [sys.executable, "-m", "course", "run", "s01", "明天在成都穿什么？", "--wire"],
        env=clean_env(PYTHONUTF8="0", PYTHONIOENCODING=encoding + ":strict", COURSE_LANG="zh"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, done.stderr
    assert b"end_turn" in done.stderr and b"Traceback" not in done.stderr


@pytest.mark.extra
def test_colour_only_where_it_is_wanted():
    assert "\x1b[" in course("run", "s01", "--wire", FORCE_COLOR="1").stderr
    assert "\x1b[" not in course("run", "s01", "--wire", FORCE_COLOR="1", NO_COLOR="1").stderr


# --- the view ----------------------------------------------------------------------------------------------------


def exchange_of(request, response=None, headers=None):
    """An Exchange as the app makes it."""
    from course.standin.app import Exchange

    headers = {"x-api-key": KEY, "anthropic-version": "2023-06-01", **(headers or {})}
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    response = response or handle("POST", "/v1/messages", headers, body)
    chunks = [chunk for chunk in response.chunks]
    return Exchange(
        "POST", "/v1/messages", headers, body, response.status, response.headers, chunks, 1.0, 1.25, 1.5, None
    )


def test_a_streamed_reply_is_joined():
    plain = make(exchange_of(ASK))
    streamed = make(exchange_of({**ASK, "stream": True}))
    assert streamed["streamed"] and streamed["complete"] and not plain["streamed"]
    assert streamed["reply"] == plain["reply"]
    assert streamed["tokens"] == plain["tokens"] and streamed["seconds"] == 0.5


@pytest.mark.extra
def test_terminal_sequences_in_a_reply_are_shown_and_not_obeyed():
    evil = "\x1b]0;owned\x07 \x1b[2J \u202egnp.exe \x9b31m ok"
    reply = {"content": [{"type": "text", "text": evil}], "stop_reason": "end_turn\x1b[1m", "usage": {}}
    response = Response(200, {"content-type": "application/json"}, (json.dumps(reply).encode(),))
    text = View(colour=False).show(make(exchange_of(ASK, response)))
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    assert "\\x1b" in text and "ok" in text


BODIES = [
    b"",
    b"null",
    b"[1]",
    b'"x"',
    b"\xff\xfe",
    b'{"messages": 3}',
    b'{"messages": [3, null, {}], "tools": [1], "system": [2]}',
    b'{"tools": 1, "system": 2, "model": {}, "max_tokens": []}',
    b'{"messages": [{"role": 1, "content": [1, {"type": "tool_use"}, {"type": null}, {"type": "tool_result"}]}]}',
]
ANSWERS = [
    b"",
    b"null",
    b"[]",
    b'{"content": 3}',
    b'{"content": [1, {}]}',
    b'{"content": [{}], "usage": {"input_tokens": "many"}, "stop_reason": {}}',
    b'{"error": 1}',
    b'{"error": {}}',
    b"data: {\ndata: 1\ndata: {}\n",
    b'data: {"type": "message_start"}\n',
    b'data: {"type": "error"}\n',
    b'data: {"type": "message_start", "message": {}}\ndata: {"type": "content_block_delta"}\n',
    b'data: {"type": "message_start", "message": {}}\ndata: {"type": "content_block_delta", "delta": {"text": 1}}\n',
    b'data: {"type": "message_start", "message": {}}\ndata: {"type": "content_block_start", "content_block": {}}\n'
    b'data: {"type": "content_block_delta", "delta": {"partial_json": "[[{"}}\ndata: {"type": "message_delta"}',
]


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_nothing_that_goes_over_the_wire_breaks_the_view(kind):
    for body in BODIES:
        for answer in ANSWERS:
            response = Response(200, {"content-type": kind, "retry-after": "soon", "content-length": "x"}, (answer,))
            view = View()
            assert view.show(make(exchange_of(body, response))), (body, answer)
            assert view.show(make(exchange_of(ASK)))
            assert view.totals()


def test_long_texts_are_shortened_and_counted():
    request = {**ASK, "messages": [{"role": "user", "content": "word " * 1000}]}
    text = View().show(make(exchange_of(request)))
    assert len(text) < 3000 and re.search(r"\(and [\d,]+ characters\)", text)


def test_of_other_requests_no_body_is_shown(capsys):
    for raw in (False, True):
        seen = exchange_of(ASK, Response(200, {"content-type": "application/json"}, (b'{"token": "secret"}',)))
        seen.path = "/v1/oauth/token?code=secret"
        Wire(sys.stderr, raw=raw, paid=True)(seen)
        told = capsys.readouterr().err
        assert "POST /v1/oauth/token\n" in told and "200" in told and "secret" not in told and "Oslo" not in told


def test_every_request_is_shown_with_its_betas_and_its_rule(site):
    """Also what a program asks besides messages, and what nobody plays."""
    told = io.StringIO()
    wire = Wire(told)
    server = site(handle, wire)
    with client(server.base_url) as asking:
        asking.models.list()
        asking.messages.count_tokens(model=ASK["model"], messages=ASK["messages"])
        asking.beta.messages.create(**ASK, betas=["context-1m-2025-08-07"])
        for wrong in (lambda: asking.messages.batches.list(), lambda: asking.messages.create(**{**ASK, "model": "x"})):
            with pytest.raises(anthropic.NotFoundError):
                wrong()
    text = told.getvalue()
    for part in (
        ">>> GET /v1/models\n<<< 200",
        ">>> count tokens: request",
        "anthropic-beta: context-1m-2025-08-07",
        ">>> GET /v1/messages/batches\n<<< 404 not_found_error",
        "Message Batches API",
        "    rule: unknown_path\n",
        "    rule: model_not_found\n",
    ):
        assert part in text, text


def results(*messages):
    """What the wire shows of a request that ends in these messages of results."""
    history = [*ASK["messages"], {"role": "assistant", "content": [{"type": "text", "text": "A moment."}]}]
    for ids in messages:
        parts = [{"type": "tool_result", "tool_use_id": each, "content": "fine"} for each in ids]
        history.append({"role": "user", "content": parts})
    lines = View().show(make(exchange_of({**ASK, "messages": history}))).splitlines()
    return [line for line in lines if line.startswith(("  + user tool_result", "  |"))]


def test_one_message_with_two_results_does_not_look_like_two_messages():
    first = "  + user tool_result: a -> fine"
    assert results("ab") == [first, "  |      tool_result: b -> fine"]
    assert results("a", "b") == [first, "  + user tool_result: b -> fine"]


def test_what_left_the_history_is_said():
    view = View()
    first = {**ASK, "messages": [{"role": "user", "content": "one"}]}
    grown = [*first["messages"], {"role": "assistant", "content": "two"}, {"role": "user", "content": "three"}]
    view.show(make(exchange_of(first)))
    view.show(make(exchange_of({**first, "messages": grown})))
    text = view.show(make(exchange_of({**first, "messages": grown[2:]})))
    assert "left out or changed: 3 of the messages before" in text


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
def test_on_a_terminal_the_lines_come_in_order():
    """Request, reply, then what the script prints about it: on a terminal both streams are one."""
    import pty

    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "run", "s01", "--wire"],
        env=clean_env(TERM="xterm"), stdin=subprocess.DEVNULL, stdout=follower, stderr=follower,
    )  # fmt: skip
    os.close(follower)
    text = b""
    while True:
        try:
            data = os.read(leader, 4096)
        except OSError:
            break
        if not data:
            break
        text += data
    assert process.wait(timeout=SECONDS) == 0
    os.close(leader)
    order = [b">>> turn 1", b"<<< tool_use", b"turn 1: tool_use", b">>> turn 2", b"<<< end_turn", b"turn 2: end_turn"]
    places = [text.index(part) for part in order]
    assert places == sorted(places)
    assert b"\x1b[" in text


# --- certificates and proxies of the environment -------------------------------------------------------------------


class TlsSite:
    """The stand-in behind TLS with a certificate of its own authority, as behind a company's firewall."""

    def __init__(self, folder):
        import trustme
        import uvicorn

        authority = trustme.CA()
        authority.cert_pem.write_to_path(folder / "authority.pem")
        certificate = authority.issue_cert("localhost")
        certificate.private_key_and_cert_chain_pem.write_to_path(folder / "server.pem")
        self.exchanges = []
        config = uvicorn.Config(
            create_app(observe=self.exchanges.append),
            lifespan="off",
            log_config=None,
            ssl_certfile=folder / "server.pem",
        )
        self.server = uvicorn.Server(config)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.base_url = f"https://localhost:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self.thread.start()

    def stop(self):
        self.server.should_exit = True
        self.thread.join(timeout=10)


@pytest.mark.extra
def test_the_certificate_file_of_the_environment_is_used(tmp_path):
    tls = TlsSite(tmp_path)
    env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": tls.base_url}
    try:
        refused = course("run", "s01", "--wire", **env)
        done = course("run", "s01", "--wire", **env, SSL_CERT_FILE=str(tmp_path / "authority.pem"))
    finally:
        tls.stop()
    assert refused.returncode == 1 and "localhost could not be reached from here" in refused.stderr
    assert "certificate" in refused.stderr.lower()
    assert done.returncode == 0 and len(tls.exchanges) == 2, done.stderr


@pytest.mark.extra
def test_the_proxy_of_the_environment_is_used_for_the_api_and_not_for_this_machine(site):
    """An HTTP proxy gets the request whole, for a host that only it knows; the script's way to us does not use it."""
    asked = []

    def forward(method, path, headers, body):
        asked.append(headers["host"])
        return handle(method, path.removeprefix("http://api.example.test"), headers, body)

    middle = site(forward)
    done = course(
        "run", "s01", "--wire",
        ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="http://api.example.test", HTTP_PROXY=middle.base_url,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert asked == ["api.example.test"] * 2


def test_a_key_in_pieces_is_not_shown_either():
    """A stream cuts what Claude says anywhere; the pieces of a key are a key."""
    pieces = ["The key: ", KEY[:3], KEY[3:20], KEY[20:] + ", as you see"]
    deltas = [{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": at}} for at in pieces]
    answer = "".join(f"event: content_block_delta\ndata: {json.dumps(delta)}\n\n" for delta in deltas)
    stream = io.StringIO()
    response = Response(200, {"content-type": "text/event-stream"}, [answer.encode()])
    Wire(stream, raw=True)(exchange_of({"messages": []}, response, {"x-api-key": KEY}))
    lines = [line.removeprefix("data: ") for line in stream.getvalue().split("\n") if line.startswith("data: ")]
    assert "".join(json.loads(line)["delta"]["text"] for line in lines) == "The key: [key], as you see"
