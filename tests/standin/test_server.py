"""The stand-in behind a port: the bytes on the wire, the server's life, pauses and resets, what observers see."""

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib.util import find_spec

import pytest

from course.standin.app import create_app
from course.standin.core import Pause, Reset, Response, handle
from course.standin.server import _fastest_loop, listen, serve, start

HEADERS = {"x-api-key": "key", "anthropic-version": "2023-06-01", "content-type": "application/json"}
BODY = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}


@pytest.fixture
def run():
    """run(app) starts a server and returns its (host, port); all are stopped at the end."""
    started = []

    def make(*app):
        started.append(start(*app))
        return "127.0.0.1", int(started[-1].base_url.rsplit(":", 1)[1])

    yield make
    for each in started:
        each.stop()


def post(address, body=BODY, path="/v1/messages", headers=HEADERS, method="POST"):
    connection = http.client.HTTPConnection(*address, timeout=10)
    connection.request(method, path, json.dumps(body), headers)
    response = connection.getresponse()
    data = response.read()
    connection.close()
    return response, data


def raw(address, data, until=b""):
    """Send bytes, read to the end or until these bytes have come."""
    with socket.create_connection(address, timeout=10) as client:
        client.sendall(data)
        got = b""
        while not until or until not in got:
            part = client.recv(65536)
            if not part:
                break
            got += part
        return got


# --- the wire --------------------------------------------------------------------------------------------------------


def test_json_over_http(run):
    response, data = post(run())
    assert response.status == 200
    assert response.headers["content-type"] == "application/json"
    assert int(response.headers["content-length"]) == len(data)
    assert response.headers["request-id"].startswith("req_01")
    assert response.headers["server"] is None
    assert json.loads(data)["stop_reason"] == "end_turn"


@pytest.mark.parametrize("body", [BODY, BODY | {"max_tokens": "x"}])
def test_a_request_that_is_sent_twice_is_two_requests(run, body):
    address = run()
    answers = [post(address, body, headers=HEADERS | {"request-id": "req_mine"}) for _ in range(2)]
    ids = [response.headers["request-id"] for response, _ in answers]
    assert len(set(ids)) == 2 and all(each.startswith("req_01") for each in ids)
    if "type" in (error := json.loads(answers[0][1])) and error["type"] == "error":
        assert error["request_id"] == ids[0]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/messages?beta=true"])
def test_what_http_carries_is_what_the_core_says(run, path):
    address = run()
    for more in ({}, {"stream": True}):
        body = json.dumps(BODY | more).encode()
        expected = b"".join(handle("POST", path, HEADERS, body).chunks)
        assert post(address, BODY | more, path)[1] == expected


REQUESTS = [
    (BODY, {}),
    (BODY | {"stream": True}, {}),
    (BODY | {"max_tokens": "x"}, {}),
    (BODY, {"content-encoding": "gzip"}),
    (BODY, {"x-api-key": ""}),
]


@pytest.mark.parametrize("body, more", REQUESTS)
def test_the_short_cut_answers_as_the_application_does(run, body, more):
    answers = []
    for answer in (handle, lambda *request: handle(*request)):  # the short cut is taken for `handle` itself only
        seen = []
        response, data = post(run(lambda a=answer, s=seen: create_app(a, s.append)), body, headers=HEADERS | more)
        own = seen[0].response_headers["request-id"].encode()
        fields = [field for field in response.getheaders() if not field[0].endswith(("date", "-reset", "request-id"))]
        chunks = [chunk.replace(own, b"id") for chunk in seen[0].chunks]
        told = (seen[0].status, chunks, seen[0].rule, seen[0].body)
        answers.append((response.status, sorted(fields), data.replace(own, b"id"), told))
    assert answers[0] == answers[1]


def written(body, **more):
    """A POST to /v1/messages as the bytes that go over the wire."""
    text = json.dumps(body)
    head = "".join(f"{name}: {value}\r\n" for name, value in (HEADERS | more).items())
    return f"POST /v1/messages HTTP/1.1\r\nhost: x\r\n{head}content-length: {len(text)}\r\n\r\n{text}".encode()


APPS = [(), (lambda: create_app(lambda *request: handle(*request)),)]  # by the short cut, and by the application


@pytest.mark.parametrize("app", APPS, ids=["short cut", "application"])
def test_a_stream_is_chunked_event_by_event_and_ends_properly(run, app):
    got = raw(run(*app), written(BODY | {"stream": True}), until=b"0\r\n\r\n")
    head, _, rest = got.partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head.lower() and b"text/event-stream; charset=utf-8" in head
    chunks = []
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        chunks.append(rest[: int(size, 16)])
        assert rest[int(size, 16) :].startswith(b"\r\n")
        rest = rest[int(size, 16) + 2 :]
    *events, end = chunks
    assert end == b"" and len(events) > 5
    assert all(event.startswith(b"event: ") and event.find(b"\n\n") == len(event) - 2 for event in events)


def until(client, enough):
    """What comes from a socket until it is enough. Fails when the other side hangs up before that."""
    got = b""
    while not enough(got):
        more = client.recv(65536)
        assert more, got
        got += more
    return got


# As Java's HttpClient, curl --http2 and a WebSocket send them.
UPGRADES = [
    {"connection": "Upgrade, HTTP2-Settings", "upgrade": "h2c", "http2-settings": "AAEAAEAAAAIAAAABAAMAAABk"},
    {"upgrade": "websocket", "connection": "keep-alive, Upgrade"},
    {"Connection": "upgrade", "Upgrade": "h2c, websocket"},
]


@pytest.mark.parametrize("app", APPS, ids=["short cut", "application"])
@pytest.mark.parametrize("more", UPGRADES, ids=["h2c", "websocket", "both"])
def test_an_offer_of_another_protocol_is_ignored(run, more, app, capfd):
    address = run(*app)
    asked = written(BODY | {"max_tokens": "x"}, **more)
    place = asked.index(b"\r\n\r\n") + 4
    listing = b"GET /v1/models HTTP/1.1\r\nhost: x\r\nx-api-key: key\r\nanthropic-version: 2023-06-01\r\n"
    listing += b"connection: Upgrade\r\nupgrade: h2c\r\n\r\n"
    for pieces in ([asked], [asked[:place], asked[place:]], [asked[:99], asked[99:-5], asked[-5:]]):
        with socket.create_connection(address, timeout=10) as client:
            for _ in range(2):  # the connection can be used again
                for piece in pieces:
                    client.sendall(piece)
                    time.sleep(0.01)
                got = until(client, lambda got: got.endswith(b"}"))
                assert got.startswith(b"HTTP/1.1 400") and b"max_tokens: Input should be a valid integer" in got
            client.sendall(listing)
            assert client.recv(65536).startswith(b"HTTP/1.1 200")
    assert capfd.readouterr() == ("", "")


def test_an_offer_with_a_chunked_body_is_ignored_too(run):
    head, _, body = written(BODY, **UPGRADES[0]).partition(b"\r\n\r\n")
    head = head.replace(b"content-length: %d" % len(body), b"transfer-encoding: chunked")
    got = raw(run(), b"%b\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (head, len(body), body), until=b'"end_turn"')
    assert got.startswith(b"HTTP/1.1 200")


def test_it_is_no_proxy(run):
    assert raw(run(), b"CONNECT x:80 HTTP/1.1\r\nhost: x\r\n\r\n").startswith(b"HTTP/1.1 400")


def test_head_has_no_body(run):
    address = run()
    got = raw(address, b"HEAD / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
    assert got.startswith(b"HTTP/1.1 404") and got.endswith(b"\r\n\r\n")


def test_a_client_of_http_1_0_gets_a_stream_without_chunks(run):
    got = raw(run(), written(BODY | {"stream": True}).replace(b"HTTP/1.1", b"HTTP/1.0"))
    head, _, rest = got.partition(b"\r\n\r\n")
    assert b"chunked" not in head and rest.startswith(b"event: message_start") and rest.endswith(b"}\n\n")


@pytest.mark.parametrize("stream", [False, True])
def test_a_connection_is_closed_for_a_client_that_asks_for_it(run, stream):
    got = raw(run(), written(BODY | {"stream": stream}, connection="close"))  # reads until the other side closes
    assert got.startswith(b"HTTP/1.1 200") and (b"message_stop" in got if stream else got.endswith(b"}"))


def test_a_connection_is_kept_for_many_requests(run):
    connection = http.client.HTTPConnection(*run(), timeout=10)
    sockets = set()
    for _ in range(5):
        connection.request("POST", "/v1/messages", json.dumps(BODY), HEADERS)
        assert connection.getresponse().read()
        sockets.add(connection.sock)
    connection.close()
    assert len(sockets) == 1


def test_nagle_is_off_on_accepted_connections():
    """With Nagle's algorithm an answer in two pieces waits 40 ms for the client's acknowledgement."""
    with listen() as listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            # asyncio switches it off by itself only for sockets that say IPPROTO_TCP
            assert accepted.proto == socket.IPPROTO_TCP
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


# --- the server's life -----------------------------------------------------------------------------------------------


def test_the_first_request_may_come_before_the_server_is_up(run):
    assert post(run())[0].status == 200


def test_stop_frees_the_port_and_may_be_called_twice():
    running = start()
    address = ("127.0.0.1", int(running.base_url.rsplit(":", 1)[1]))
    assert post(address)[0].status == 200
    running.stop()
    running.stop()
    with pytest.raises(OSError):
        socket.create_connection(address, timeout=2)


def test_stop_does_not_wait_for_a_client_that_stays_connected():
    running = start(lambda: create_app(lambda *_: Response(200, {}, [Pause(60), b"late"])))
    address = ("127.0.0.1", int(running.base_url.rsplit(":", 1)[1]))
    idle = socket.create_connection(address)
    waiting = socket.create_connection(address)
    waiting.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
    time.sleep(0.3)
    began = time.perf_counter()
    running.stop()
    assert time.perf_counter() - began < 5
    idle.close()
    waiting.close()


def test_stop_at_once_after_start():
    for _ in range(5):
        start().stop()


def test_a_port_that_is_taken_is_an_oserror():
    with listen() as taken:
        with pytest.raises(OSError):
            start(port=taken.getsockname()[1])


def test_only_loopback_unless_told_otherwise():
    with listen() as listener:
        assert listener.getsockname()[0] == "127.0.0.1"


def test_ipv6_loopback():
    try:
        running = start(host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6")
    assert running.base_url.startswith("http://[::1]:")
    assert post(("::1", int(running.base_url.rsplit(":", 1)[1])))[0].status == 200
    running.stop()


@pytest.mark.skipif(bool(find_spec("uvloop")), reason="uvloop is installed, and used")
def test_the_loop_is_the_same_on_all_systems():
    """Not the system's own choice: that of Windows stops listening when a client resets its connection early."""
    assert _fastest_loop() is asyncio.SelectorEventLoop


def test_several_workers_share_no_app():
    with listen() as listener, pytest.raises(ValueError, match="workers"):
        serve(listener, create_app(), workers=2)


SERVE = """
import sys
from course.standin.server import listen, serve
listener = listen()
print(listener.getsockname()[1], flush=True)
serve(listener, workers=int(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_serve_answers_until_it_is_interrupted(workers, signum):
    command = [sys.executable, "-c", SERVE, workers]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        address = ("127.0.0.1", int(server.stdout.readline()))
        answers = [post(address) for _ in range(20)]
        assert {response.status for response, _ in answers} == {200}
        assert len({data for _, data in answers}) == 1
        os.killpg(server.pid, signum)
        server.wait(timeout=20)
    finally:
        if server.poll() is None:
            os.killpg(server.pid, signal.SIGKILL)
        server.stdout.close()
        server.wait()
    with pytest.raises(OSError):
        socket.create_connection(address, timeout=2)


# --- pauses, resets, observers ---------------------------------------------------------------------------------------


def app(chunks, observe=None, content_type="text/event-stream"):
    return lambda: create_app(lambda *_: Response(200, {"content-type": content_type}, chunks), observe)


def test_what_comes_before_a_pause_is_sent_before_it(run):
    address = run(app([b"event: one\n\n", Pause(2), b"event: two\n\n"]))
    with socket.create_connection(address, timeout=10) as client:
        began = time.perf_counter()
        client.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
        assert b"two" not in until(client, lambda got: b"one" in got)
        until(client, lambda got: b"two" in got)
        assert time.perf_counter() - began >= 2


def test_a_pause_of_one_client_keeps_no_other_waiting(run):
    def answer(method, path, headers, body):
        return Response(200, {}, [Pause(2), b"slow"] if path == "/slow" else (b"fast",))

    address = run(lambda: create_app(answer))
    slow = threading.Thread(target=lambda: post(address, path="/slow"))
    slow.start()
    assert post(address, path="/fast")[1] == b"fast"
    assert slow.is_alive()
    slow.join()


@pytest.mark.parametrize("chunks", [[Reset()], [b"event: one\n\n", Reset()], [Pause(0.05), Reset(), b"never"]])
def test_a_reset_drops_the_connection(run, chunks):
    seen = []
    address = run(app(chunks, seen.append))
    got = raw(address, b"GET / HTTP/1.1\r\nhost: x\r\n\r\n")
    assert b"never" not in got and not got.endswith(b"0\r\n\r\n")
    assert (b"one" in got) == (b"event: one\n\n" in chunks)
    assert b"500" not in got
    assert seen[0].status == (200 if got else 0)
    assert post(address := run())[0].status == 200  # the next server is none the worse


def test_an_answer_may_be_awaited_and_its_chunks_too(run):
    async def chunks():
        yield b"event: one\n\n"
        await asyncio.sleep(0)
        yield b"event: two\n\n"

    async def answer(*_):
        await asyncio.sleep(0)
        return Response(200, {"content-type": "text/event-stream"}, chunks())

    assert post(run(lambda: create_app(answer)))[1] == b"event: one\n\nevent: two\n\n"


def test_an_observer_hears_of_every_exchange(run):
    seen = []
    address = run(lambda: create_app(handle, seen.append))
    post(address, path="/v1/messages?beta=true")
    post(address, BODY | {"stream": True})
    post(address, BODY | {"max_tokens": "x"})
    ok, streamed, refused = seen
    assert (ok.method, ok.path, ok.status, ok.rule) == ("POST", "/v1/messages?beta=true", 200, None)
    assert json.loads(ok.body) == BODY and ok.headers["x-api-key"] == "key"
    assert json.loads(b"".join(ok.chunks))["type"] == "message"
    assert ok.started <= ok.first_byte <= ok.ended
    assert len(streamed.chunks) > 5 and all(chunk.startswith(b"event: ") for chunk in streamed.chunks)
    assert (refused.status, refused.rule) == (400, "max_tokens_type")


def test_an_observer_that_fails_does_not_fail_the_client(run, capfd):
    address = run(lambda: create_app(handle, lambda exchange: 1 / 0))
    assert post(address)[0].status == 200
    assert "ZeroDivisionError" in capfd.readouterr().err
