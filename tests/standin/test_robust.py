"""Malformed input over raw sockets: never a 500, never a traceback, never a server that hangs."""

import gzip
import json
import socket
import struct
import time

import pytest

from course.standin.app import create_app
from course.standin.core import MAX_BODY
from course.standin.server import start

BODY = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "Hello"}]}
GOOD = json.dumps(BODY).encode()
BASE = "host: x\r\nx-api-key: key\r\nanthropic-version: 2023-06-01\r\ncontent-type: application/json\r\n"


@pytest.fixture(scope="module")
def server():
    running = start()
    yield "127.0.0.1", int(running.base_url.rsplit(":", 1)[1])
    running.stop()


@pytest.fixture
def address(server, capfd):
    """The server's address; after the test it still answers, and nothing was printed."""
    yield server
    status, _, answer = exchange(server, request(GOOD))
    assert status == 200 and json.loads(answer)["type"] == "message"
    said = capfd.readouterr()
    assert "Traceback" not in said.err + said.out


def request(body, headers="", method="POST", path="/v1/messages", length=None):
    size = len(body) if length is None else length
    return f"{method} {path} HTTP/1.1\r\n{BASE}content-length: {size}\r\n{headers}\r\n".encode() + body


def read(client):
    """(status, head, body) of one response, by its content-length; (0, b"", b"") if the server hung up."""
    got = b""
    while b"\r\n\r\n" not in got:
        part = client.recv(65536)
        if not part:
            return 0, b"", got
        got += part
    head, _, body = got.partition(b"\r\n\r\n")
    length = 0
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        part = client.recv(65536)
        assert part
        body += part
    return int(head.split()[1]), head, body


def exchange(address, data):
    with socket.create_connection(address, timeout=20) as client:
        client.sendall(data)
        return read(client)


def refused(address, body, headers="", expected=400):
    status, _, answer = exchange(address, request(body, headers))
    assert status == expected, answer
    error = json.loads(answer)
    assert error["type"] == "error" and error["error"]["message"] and error["request_id"]
    return error["error"]


# --- bodies that are no JSON, or no JSON that can be taken -----------------------------------------------------------

DEEP = 100_000


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"{",
        b"{not json",
        b"null",
        b"[]",
        b'"text"',
        b"0",
        b"\x00",
        b"\xff\xfe{\x00}\x00",
        b"\xef\xbb\xbf" + GOOD,
        GOOD + b"x",
        GOOD.decode().encode("utf-16"),
        GOOD.replace(b"Hello", b"\xff\xfe"),
        GOOD.replace(b"Hello", b"\xed\xa0\x80"),
        GOOD.replace(b"Hello", rb"\ud800"),
        GOOD.replace(b"Hello", rb"\udc00\ud800"),
        GOOD.replace(b"Hello", b"line\nbreak"),
        GOOD.replace(b"100", b"NaN"),
        GOOD.replace(b"100", b"Infinity"),
        GOOD.replace(b"100", b"-Infinity"),
        GOOD.replace(b"100", b"1e999"),
        GOOD.replace(b"100", b"9" * 5000),
        GOOD.replace(b"100", b"1" + b"0" * 400),
        GOOD.replace(b"100", b"-1"),
        GOOD.replace(b"100", b"1.5"),
        GOOD.replace(b"100", b"true"),
        b"[" * DEEP,
        b"[" * DEEP + b"]" * DEEP,
        b'{"a":' * DEEP + b"1" + b"}" * DEEP,
        GOOD.replace(b'"Hello"', b"[" * 900 + b"]" * 900),
        b'{"model": "claude-sonnet-5-5", "model": 7, "max_tokens": 1, "messages": []}',
    ],
    ids=lambda body: f"{body[:24]!r}...{len(body)}",
)
def test_a_body_that_cannot_be_taken_is_a_400(address, body):
    assert refused(address, body)["type"] == "invalid_request_error"


def nested(depth, opening, middle, closing):
    return opening * depth + middle + closing * depth


@pytest.mark.parametrize("depth", [50, 300, 480, 900, 2000, 20_000])
@pytest.mark.parametrize(
    "place",
    [
        '{"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": @}]}]}',
        '{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [{"type": "tool_use",'
        ' "id": "a", "name": "n", "input": {"x": @}}]}, {"role": "user", "content": "x"}]}',
        '{"messages": [{"role": "user", "content": "x"}], "tools": [{"name": "n", "input_schema": {"type": "object",'
        ' "properties": {"x": %}}}]}',
        '{"messages": [{"role": "user", "content": "x"}], "metadata": @}',
        '{"messages": [{"role": "user", "content": "x"}], "system": @}',
        '{"messages": @}',
        '{"messages": [{"role": "user", "content": "x"}], "unknown": @}',
    ],
    ids=["tool_result", "input", "schema", "metadata", "system", "messages", "unknown"],
)
def test_deep_nesting(address, place, depth):
    text = place.replace("@", nested(depth, "[", "", "]"))
    text = text.replace("%", nested(depth, '{"type": "object", "properties": {"x": ', '{"type": "string"}', "}}"))
    body = text.replace("{", '{"model": "claude-sonnet-5-5", "max_tokens": 9, ', 1).encode()
    for path in ("/v1/messages", "/v1/messages/count_tokens"):
        status, _, answer = exchange(address, request(body, path=path))
        assert status in (200, 400), answer


def test_the_last_of_two_equal_keys_counts(address):
    body = GOOD.replace(b'"max_tokens": 100', b'"max_tokens": -5, "max_tokens": 100')
    assert exchange(address, request(body))[0] == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "x", ""])
def test_another_content_type_is_no_500(address, kind):
    data = request(GOOD).replace(b"application/json", kind.encode())
    assert exchange(address, data)[0] in (200, 400, 415)


# --- compressed bodies -----------------------------------------------------------------------------------------------


def test_a_gzip_body(address):
    status, _, answer = exchange(address, request(gzip.compress(GOOD, mtime=0), "content-encoding: gzip\r\n"))
    assert status == 200 and json.loads(answer)["type"] == "message"


@pytest.mark.parametrize(
    "body, encoding",
    [
        (GOOD, "gzip"),
        (b"", "gzip"),
        (gzip.compress(GOOD, mtime=0)[:-9], "gzip"),
        (gzip.compress(GOOD, mtime=0)[:30] + b"\0" * 30, "gzip"),
        (GOOD, "br"),
        (GOOD, "zstd, gzip"),
        (GOOD, "\xff"),
    ],
)
def test_a_body_that_does_not_unpack(address, body, encoding):
    data = request(body).replace(
        b"content-type", b"content-encoding: " + encoding.encode("latin-1") + b"\r\ncontent-type"
    )
    assert exchange(address, data)[0] == 400


def test_a_small_body_that_unpacks_to_a_huge_one(address):
    bomb = gzip.compress(b" " * (4 * MAX_BODY), compresslevel=9)
    assert len(bomb) < 200_000
    assert refused(address, bomb, "content-encoding: gzip\r\n", 413)["type"] == "request_too_large"


# --- sizes and pieces ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [MAX_BODY + 1, 40_000_000])
def test_a_body_over_32_mb_is_a_413_that_the_client_gets_to_see(address, size):
    error = refused(address, b" " * size, expected=413)
    assert error == {"type": "request_too_large", "message": "Request exceeds the maximum size"}


def test_a_body_of_just_32_mb_is_read(address):
    body = GOOD + b" " * (MAX_BODY - len(GOOD))
    assert exchange(address, request(body))[0] == 200


def test_a_body_that_never_ends_is_cut_off(address):
    with socket.create_connection(address, timeout=20) as client:
        client.sendall(request(b"", length=10**12))
        with pytest.raises(OSError):
            while True:
                client.sendall(b" " * 1_000_000)


def test_a_chunked_body(address):
    parts = [GOOD[:1], GOOD[1:50], GOOD[50:]]
    chunks = b"".join(f"{len(part):x};ext=1\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"
    data = request(b"").replace(b"content-length: 0", b"transfer-encoding: chunked") + chunks
    assert exchange(address, data)[0] == 200


def test_a_chunked_body_over_32_mb(address):
    part = b" " * 1_000_000
    chunk = f"{len(part):x}\r\n".encode() + part + b"\r\n"
    data = request(b"").replace(b"content-length: 0", b"transfer-encoding: chunked") + chunk * 35 + b"0\r\n\r\n"
    assert exchange(address, data)[0] == 413


def test_a_client_that_waits_for_100_continue(address):
    with socket.create_connection(address, timeout=10) as client:
        client.sendall(request(b"", "expect: 100-continue\r\n", length=len(GOOD)))
        assert client.recv(100).startswith(b"HTTP/1.1 100")
        client.sendall(GOOD)
        assert read(client)[0] == 200


def test_two_requests_in_one_packet(address):
    with socket.create_connection(address, timeout=10) as client:
        client.sendall(request(GOOD) + request(GOOD))
        got = b""
        while got.count(b'"type":"message"') < 2:
            part = client.recv(65536)
            assert part
            got += part
        assert got.count(b"HTTP/1.1 200") == 2


# --- bytes that are no HTTP, or odd HTTP -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"garbage\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,  # a TLS handshake: https:// in the base URL
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"POST /v1/messages HTTP/9.9\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        b"POST /v1/messages HTTP/1.1\r\nhost x\r\n\r\n",
        b"\x00" * 1000,
    ],
    ids=lambda data: repr(data[:20]),
)
def test_what_is_no_http_gets_a_400_or_is_hung_up_on(address, data):
    with socket.create_connection(address, timeout=5) as client:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        assert read(client)[0] in (0, 400, 404, 505)


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
def test_wrong_methods(address, method):
    status, head, answer = exchange(address, request(b"", method=method))
    assert status == 405 and b"allow: POST" in head


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/v1",
        "/v1/messages/",
        "/v1//messages",
        "/v1/messages/../messages",
        "/v1/messages%00",
        "/v1/%6dessages%ff",
        "/%",
        "*",
        "http://other.example/v1/messagesx",
        "/v1/messages/batches",
        "/" + "x" * 20_000,
    ],
)
def test_other_paths(address, path):
    status, _, answer = exchange(address, request(GOOD, path=path))
    assert status in (400, 404)
    if status == 404:
        assert json.loads(answer)["error"]["type"] == "not_found_error"


@pytest.mark.parametrize("name", ["", "%00", "%ff%fe", "..", "a/b", "%F0%9F%98%80", "x" * 5000])
def test_odd_names_of_models(address, name):
    assert exchange(address, request(b"", method="GET", path=f"/v1/models/{name}"))[0] in (200, 404)


@pytest.mark.parametrize(
    "query", ["limit=%00", "limit=٣", "limit=" + "1" * 5000, "after_id=%ff", "&&&", "a;b=c", "limit"]
)
def test_odd_queries(address, query):
    path = "/v1/models?" + query.encode().decode("latin-1")
    data = request(b"", method="GET", path=path).decode().encode("latin-1")
    assert exchange(address, data)[0] in (200, 400)


def test_huge_headers(address):
    assert exchange(address, request(GOOD, f"x-long: {'x' * 200_000}\r\n"))[0] in (0, 200, 400, 431)
    assert exchange(address, request(GOOD, "".join(f"x-{i}: y\r\n" for i in range(5000))))[0] in (0, 200, 400, 431)


@pytest.mark.parametrize(
    "header", ["anthropic-beta: \xff\xfe", "anthropic-version: \x80", "authorization: Bearer", "x-api-key: \xe9"]
)
def test_odd_headers(address, header):
    data = request(GOOD, header.split(":")[0] + ": @\r\n").replace(b"@", header.split(": ")[-1].encode("latin-1"))
    assert exchange(address, data)[0] in (200, 400, 401)


# --- clients that are slow, that stop, that leave --------------------------------------------------------------------


def test_half_open_connections_keep_nobody_waiting(address):
    beginnings = [b"", b"PO", b"POST /v1/messages HTTP/1.1\r\nhost", request(GOOD, length=10_000)]
    clients = [socket.create_connection(address, timeout=10) for _ in range(200)]
    try:
        for number, client in enumerate(clients):
            client.sendall(beginnings[number % len(beginnings)])
        began = time.perf_counter()
        assert exchange(address, request(GOOD))[0] == 200
        assert time.perf_counter() - began < 5
    finally:
        for client in clients:
            client.close()


def test_a_slow_sender_gets_its_answer(address):
    with socket.create_connection(address, timeout=10) as client:
        for byte in request(GOOD):
            client.sendall(bytes([byte]))
        assert read(client)[0] == 200


def test_a_sender_that_is_too_slow_is_hung_up_on():
    running = start(lambda: create_app(body_seconds=0.3))
    address = "127.0.0.1", int(running.base_url.rsplit(":", 1)[1])
    with socket.create_connection(address, timeout=10) as client:
        client.sendall(request(GOOD, length=1000))
        assert read(client)[0] == 0
    assert exchange(address, request(GOOD))[0] == 200
    running.stop()


def test_clients_that_leave_in_the_middle(address):
    body = json.dumps(BODY | {"stream": True}).encode()
    for data in (request(body), request(body)[:-20], request(b" " * 3_000_000)[:2_000_000]):
        for _ in range(20):
            client = socket.create_connection(address, timeout=10)
            # Closing with this option sends a reset instead of a goodbye.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.sendall(data)
            client.close()


def test_a_reader_that_stops_reading(address):
    clients = []
    for _ in range(50):
        client = socket.create_connection(address, timeout=10)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        for _ in range(20):
            client.sendall(request(json.dumps(BODY | {"stream": True}).encode()))
        clients.append(client)
    assert exchange(address, request(GOOD))[0] == 200
    for client in clients:
        client.close()
