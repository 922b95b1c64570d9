"""`course doctor` at an endpoint of the reader's own: what it says of each difference that the lessons would meet."""

import pytest

from tests.agents import endpoints

WARM = True  # see Patient
KEY = "sk-ant-test"


def at(patient, recorder, endpoint, *checks, **env):
    """The findings behind the one that says what comes, and the server."""
    server = recorder(getattr(endpoints, endpoint)) if endpoint else recorder()
    findings = patient.examine(*checks, **(server.env | env))
    return [f for f in findings if not f["found"].startswith("now come")], server


@pytest.mark.parametrize(
    "endpoint, found",
    [
        pytest.param(
            "one_id",
            [("warn", "several calls have the same id"), ("ok", "asked for a tool and took its result")],
            marks=pytest.mark.extra,
        ),
        ("one_id_but_strict", [("warn", "several calls have the same id"), ("fail", "duplicate tool_use id")]),
        pytest.param(
            "text_arguments",
            [("fail", "the arguments of a call"), ("ok", "asked for a tool and took its result")],
            marks=pytest.mark.extra,
        ),
        pytest.param("ends_turn", [("fail", "does not end with stop_reason tool_use")], marks=pytest.mark.extra),
        pytest.param("no_options", [("ok", "asked for a tool")], marks=pytest.mark.extra),
        pytest.param("bare", [("ok", "asked for a tool")], marks=pytest.mark.extra),
        pytest.param(
            "other_errors", [("fail", '(400): {"code": 20012, "msg": "Model does not exist"}')], marks=pytest.mark.extra
        ),
        ("errors_with_200", [("fail", '(200): {"code": 1113, "msg": "no credit", "success": false}')]),
    ],
)
def test_each_difference_is_named(patient, recorder, endpoint, found):
    findings, server = at(patient, recorder, endpoint, "request")
    assert [f["status"] for f in findings] == [status for status, _ in found]
    assert all(words in f["found"] for f, (_, words) in zip(findings, found, strict=True))
    assert all(f["cure"] for f in findings if f["status"] != "ok")
    assert len(server.requests) <= 2


@pytest.mark.extra
def test_the_cure_for_a_key_in_the_other_header(patient, recorder):
    (refused,), _ = at(patient, recorder, "x_api_key_alone", "request")
    assert refused["status"] == "fail" and "ANTHROPIC_CUSTOM_HEADERS=x-api-key: KEY" in refused["cure"]
    (cured,), _ = at(patient, recorder, "x_api_key_alone", "request", ANTHROPIC_CUSTOM_HEADERS="x-api-key: sk-ant-test")
    assert cured["status"] == "ok"


@pytest.mark.extra
def test_an_answer_that_is_cut_off(patient, recorder):
    def cut(method, path, headers, body):
        return endpoints.changed(path, body, None, lambda reply: reply.update(stop_reason="max_tokens", content=[]))

    server = recorder(cut)
    _, finding, _ = patient.examine("request", **server.env)
    assert finding["status"] == "warn" and "cut off after 500 tokens" in finding["found"]


@pytest.mark.extra
def test_what_the_address_offers(patient, recorder):
    (models, rest), server = at(patient, recorder, None, "endpoint", MODEL_ID="claude-sonnet-5-5")
    assert models["status"] == "ok" and "claude-sonnet-5-5" in models["found"]
    assert rest["found"] == "streaming: yes; count_tokens: yes; no lesson so far needs them"
    assert [request.get("max_tokens") for request in server.requests if "stream" in request] == [16]


@pytest.mark.extra
def test_a_model_that_is_not_in_the_list(patient, recorder):
    (models, _rest), _ = at(patient, recorder, None, "endpoint", MODEL_ID="qwen3-coder")
    assert models["status"] == "warn" and models["found"].endswith("; qwen3-coder is not among them")


@pytest.mark.extra
def test_an_address_that_offers_nothing_more(patient, recorder):
    findings, _ = at(patient, recorder, "errors_with_200", "endpoint")
    assert [f["status"] for f in findings] == ["ok", "ok"]
    assert [f["found"] for f in findings] == [
        "no list of models",
        "streaming: no; count_tokens: no; no lesson so far needs them",
    ]


def test_claude_is_not_asked_for_more_than_the_key(patient):
    """No endpoint of one's own: nothing is sent, not even to the address that the SDK knows by itself."""
    (finding,) = patient.examine("endpoint", ANTHROPIC_API_KEY=KEY, HTTPS_PROXY="http://127.0.0.1:9")
    assert finding["found"] == "not asked: it is not an endpoint of your own"
