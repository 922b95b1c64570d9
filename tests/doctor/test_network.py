"""`course doctor` and the way to the API, with a real proxy and, for make test-all, a real authority of our own."""

import http.server
import json
import ssl
import sys
import threading

import pytest

from course.standin.core import Response

WARM = True  # see Patient
KEY = "sk-ant-api03-SECRET-not-to-be-shown-0123456789"


def statuses(findings):
    return [(finding["check"], finding["status"]) for finding in findings]


def last(findings):
    return findings[-1]


def through(proxy, **more):
    """A key for an endpoint that only this proxy can reach."""
    return {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": "http://api.example",
        "HTTP_PROXY": proxy.url,
        "http_proxy": proxy.url,
    } | more


def test_without_a_key_the_network_is_left_alone(patient, proxy, recorder):
    watched = proxy(recorder().base_url)
    findings = patient.examine("network", "request", HTTPS_PROXY=watched.url, HTTP_PROXY=watched.url)
    assert statuses(findings) == [("network", "ok"), ("request", "ok")]
    assert watched.seen == []


@pytest.mark.extra
def test_a_stand_in_on_this_machine_needs_no_network(patient, recorder):
    server = recorder()
    network, cost, request = patient.examine("network", "request", **server.env)
    assert cost["found"].startswith(f"now come two requests to {server.base_url}, with answers of at most 500 tokens")
    assert network["found"] == "not needed: the lessons stay on this machine"
    assert (request["status"], request["found"]) == (
        "ok",
        f"{server.base_url} asked for a tool and took its result",
    )
    assert len(server.requests) == 2
    verdict = patient.run("network", **server.env).stdout.splitlines()[-1]
    assert verdict == f"The lessons will run, with what answers at {server.base_url}."


@pytest.mark.parametrize("key", [KEY, pytest.param("", marks=pytest.mark.extra)], ids=["with a key", "without"])
def test_an_endpoint_on_this_machine_that_is_gone(patient, recorder, key):
    server = recorder()
    server.stop()
    finding = last(patient.examine("request", ANTHROPIC_BASE_URL=server.base_url, ANTHROPIC_API_KEY=key))
    assert (finding["status"], finding["found"]) == ("fail", f"nothing answers at {server.base_url}")
    assert "remove ANTHROPIC_BASE_URL" in finding["cure"]
    assert last(patient.examine("request"))["status"] == "ok"


@pytest.mark.extra
def test_a_whole_tool_call_through_the_proxy(patient, proxy, recorder):
    server = recorder()
    watched = proxy(server.base_url)
    findings = patient.examine("network", "request", **through(watched))
    assert statuses(findings) == [("network", "ok"), ("request", "ok"), ("request", "ok")]
    assert findings[0]["found"] == f"through the proxy {watched.url}"
    assert last(findings)["found"] == "http://api.example asked for a tool and took its result"
    assert len(server.exchanges) == 2
    assert "with what answers at http://api.example." in patient.run("network", **through(watched)).stdout


@pytest.mark.extra
def test_a_proxys_password_is_not_shown(patient, proxy, recorder):
    watched = proxy(recorder().base_url)
    secret = watched.url.replace("http://", "http://me:SECRET-word@")
    run = patient.run("network", "request", **through(watched, HTTP_PROXY=secret, http_proxy=secret))
    assert run.returncode == 0
    assert "SECRET" not in run.stdout


def answering(status, body=b"{}", content_type="application/json"):
    def answer(method, path, headers, body_sent):
        return Response(status, {"content-type": content_type}, [body])

    return answer


@pytest.mark.parametrize(
    ("status", "found", "cure"),
    [
        (401, "it was refused (401): no: ***", "Copy the key again"),
        pytest.param(403, "it was refused (403)", "which models it is for", marks=pytest.mark.extra),
        pytest.param(404, "it was refused (404)", "Correct ANTHROPIC_BASE_URL", marks=pytest.mark.extra),
        pytest.param(400, "it was refused (400)", "Do what the message says", marks=pytest.mark.extra),
        pytest.param(429, "it was refused (429)", "Wait a few minutes", marks=pytest.mark.extra),
        pytest.param(500, "it was refused (500)", "Wait a few minutes", marks=pytest.mark.extra),
    ],
)
def test_what_the_answer_means(patient, proxy, recorder, status, found, cure):
    error = {"type": "error", "error": {"type": "any", "message": f"no: {KEY}"}}
    server = recorder(answering(status, json.dumps(error).encode()))
    finding = last(patient.examine("request", **through(proxy(server.base_url))))
    assert finding["status"] == "fail"
    assert found in finding["found"]
    assert cure in finding["cure"]
    assert KEY not in json.dumps(finding)
    assert len(server.exchanges) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b'{"status": "ok"}'),
        pytest.param(200, b"<html>Welcome</html>", marks=pytest.mark.extra),
        pytest.param(200, b'{"type": "message", "content": null}', marks=pytest.mark.extra),
        (403, b""),
        pytest.param(400, b"Bad request", marks=pytest.mark.extra),
        pytest.param(500, b"{}", marks=pytest.mark.extra),
        pytest.param(401, b"", marks=pytest.mark.extra),
    ],
)
def test_something_else_answers_on_the_port(patient, recorder, status, body):
    server = recorder(answering(status, body))
    finding = last(patient.examine("request", **server.env))
    assert finding["status"] == "fail"
    assert finding["found"].startswith(f"what answers at {server.base_url} is not the Messages API ({status})")
    assert ('{"status": "ok"}' in finding["found"]) == (b"ok" in body)
    assert "Correct ANTHROPIC_BASE_URL" in finding["cure"]


def test_pythons_own_web_server_answers(patient):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        url = f"http://127.0.0.1:{server.server_port}"
        finding = last(patient.examine("request", ANTHROPIC_BASE_URL=url))
    finally:
        server.shutdown()
        server.server_close()
    assert finding["found"] == f"what answers at {url} is not the Messages API (501)"


def test_a_model_that_the_endpoint_does_not_have(patient, recorder):
    finding = last(patient.examine("request", MODEL_ID="gpt-4", **recorder().env))
    assert finding["found"] == "it was refused (404): model: gpt-4"
    assert finding["cure"].startswith("Take MODEL_ID out of the environment")


def test_a_sign_in_page_in_place_of_claude(patient, proxy, recorder):
    """A hotel's network answers with its own page whatever one asks for. (The API is asked for with http here.)"""
    server = recorder(answering(200, b"<html>Welcome</html>", "text/html"))
    environment = through(proxy(server.base_url), ANTHROPIC_BASE_URL="http://api.example")
    assert last(patient.examine("request", **environment))["status"] == "fail"


@pytest.mark.parametrize(
    ("name", "value", "cure"),
    [
        ("ALL_PROXY", "socks://127.0.0.1:9", "Write ALL_PROXY=socks5://"),
        pytest.param("HTTPS_PROXY", "ftp://127.0.0.1:9", "Correct HTTPS_PROXY", marks=pytest.mark.extra),
        pytest.param("NO_PROXY", "[::", "Correct NO_PROXY", marks=pytest.mark.extra),
    ],
)
def test_a_variable_that_the_sdk_trips_over_is_named(patient, name, value, cure):
    network, *_, request = patient.examine("network", "request", ANTHROPIC_API_KEY=KEY, **{name: value})
    assert network["status"] == request["status"] == "fail"
    assert network["found"].startswith(f"because of {name} the SDK cannot make its client")
    assert network["cure"].startswith(cure)


@pytest.mark.extra
def test_all_proxy_is_not_called_https_proxy(patient, proxy, recorder):
    gone = proxy(recorder().base_url)
    gone.close()
    first, *_more = patient.examine("network", ANTHROPIC_API_KEY=KEY, ALL_PROXY=gone.url)
    assert first["cure"].startswith("Correct ALL_PROXY")


@pytest.mark.extra
def test_a_proxy_that_is_not_there(patient, proxy, recorder):
    gone = proxy(recorder().base_url)
    gone.close()
    first, _, second = patient.examine("network", "request", **through(gone))
    assert first["status"] == second["status"] == "fail"
    assert f"the proxy {gone.url} does not answer" in first["found"]
    # The cure that it names: go without the proxy.
    assert "NO_PROXY=api.example" in first["cure"]
    (direct,) = patient.examine("network", **through(gone, NO_PROXY="api.example", no_proxy="api.example"))
    assert direct["found"] == "no proxy"


@pytest.mark.parametrize("url", ["https://api.example", pytest.param("http://api.example", marks=pytest.mark.extra)])
def test_a_proxy_that_wants_a_password(patient, proxy, recorder, url):
    closed = proxy(recorder().base_url, refuse="407 Proxy Authentication Required")
    environment = through(closed, ANTHROPIC_BASE_URL=url, HTTPS_PROXY=closed.url, https_proxy=closed.url)
    finding = last(patient.examine("request", **environment))
    assert finding["found"] == "the proxy wants a name and a password (407)"


@pytest.mark.extra
def test_a_proxy_that_forbids_the_address(patient, proxy, recorder):
    closed = proxy(recorder().base_url, refuse="403 Forbidden")
    finding = last(patient.examine("request", ANTHROPIC_API_KEY=KEY, HTTPS_PROXY=closed.url, https_proxy=closed.url))
    assert finding["status"] == "fail"
    assert "the proxy refused: 403 Forbidden" in finding["found"]


@pytest.mark.extra
def test_a_socks_proxy_without_its_package(patient):
    environment = {"ANTHROPIC_API_KEY": KEY, "ALL_PROXY": "socks5://127.0.0.1:1", "all_proxy": "socks5://127.0.0.1:1"}
    first, *_, second = patient.examine("network", "request", **environment)
    assert first["status"] == second["status"] == "fail"
    assert 'pip install "httpx2[socks]"' in first["cure"]
    # The stand-in works all the same.
    assert [finding["status"] for finding in patient.examine("loop", **environment)] == ["ok"]


def test_a_certificate_file_that_does_not_exist(patient, tmp_path):
    missing = str(tmp_path / "company.pem")
    finding = last(patient.examine("network", ANTHROPIC_API_KEY=KEY, NO_PROXY="*", SSL_CERT_FILE=missing))
    assert finding["found"].startswith("because of SSL_CERT_FILE the SDK cannot make its client")
    assert finding["cure"].startswith("Correct SSL_CERT_FILE, or take it away")


@pytest.mark.extra
def test_a_name_that_does_not_exist(patient):
    environment = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": "https://no-such-host.invalid", "NO_PROXY": "*"}
    finding = last(patient.examine("request", **environment))
    assert finding["found"] == "the name of the address is not known here"


@pytest.mark.extra
class TestInterception:
    """A company's proxy that reads along: it opens the tunnel with certificates of its own authority."""

    @pytest.fixture
    def authority(self):
        import trustme

        return trustme.CA()

    @pytest.fixture
    def environment(self, proxy, recorder, authority):
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("api.anthropic.com").configure_cert(server)
        self.watched = proxy(recorder().base_url, tls=server)
        return {"ANTHROPIC_API_KEY": KEY, "HTTPS_PROXY": self.watched.url, "https_proxy": self.watched.url}

    def test_it_says_which_certificates_are_trusted_and_how_to_name_another(self, patient, environment):
        first, trusted, _, finding = patient.examine("network", "request", **environment)
        assert first["found"] == f"through the proxy {self.watched.url}"
        assert trusted["found"].startswith("trusted certificates: ")
        assert finding["status"] == "fail"
        assert "a proxy or a security program reads the connection" in finding["found"]
        if sys.platform == "linux":
            assert trusted["found"].removeprefix("trusted certificates: ") in finding["found"]
        assert "set SSL_CERT_FILE" in finding["cure"]
        assert self.watched.seen == ["CONNECT api.anthropic.com:443 HTTP/1.1"]

    def test_on_this_machine_it_says_nothing_of_a_proxy(self, patient, recorder, authority, proxy):
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("127.0.0.1").configure_cert(server)
        url = proxy(recorder().base_url, tls=server, at_once=True).url.replace("http://", "https://")
        finding = last(patient.examine("request", ANTHROPIC_BASE_URL=url))
        assert finding["status"] == "fail" and "proxy" not in finding["found"]
        assert finding["cure"].startswith("Set SSL_CERT_FILE to the certificate that signed it")

    def test_the_cure_works(self, patient, environment, authority, tmp_path):
        file = tmp_path / "Zertifikat der Firma.pem"
        authority.cert_pem.write_to_path(file)
        findings = patient.examine("network", "request", SSL_CERT_FILE=str(file), **environment)
        assert findings[1]["found"] == f"trusted certificates: {file}"
        assert last(findings)["found"].startswith("the API takes the key")
