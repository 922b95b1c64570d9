"""`course verify` against servers that play the API: as catalogued, and changed."""

import json
import sys

import pytest

from course.standin.core import Refusal, Response, handle, refuse
from course.standin.rules import catalogue
from tests.commands.test_cli import course, one_sentence
from tests.conftest import ROOT, clean_env

KEY = "sk-ant-secret-0123"


def verify(server, *args, lang="en", **env):
    return course("verify", *args, lang=lang, ANTHROPIC_BASE_URL=server.base_url, ANTHROPIC_API_KEY=KEY, **env)


def changed(method, path, headers, body):
    """An API that has moved on since the catalogue was made."""
    response = handle(method, path, headers, body)
    if response.rule == "max_tokens_missing":
        return refuse(Refusal("", 400, "invalid_request_error", "max_tokens: is required {now}"), "req_1")
    if response.rule == "text_empty":
        return Response(200, {"content-type": "application/json"}, [b'{"type": "message"}'])
    if response.rule == "model_not_found":
        return refuse(Refusal("", 410, "not_found_error", "model: claude-nope-9"), "req_1")
    if response.rule == "messages_empty":
        return refuse(Refusal("", 529, "overloaded_error", "Overloaded"), "req_1")
    if response.rule == "role_missing":
        return Response(502, {"content-type": "text/html"}, [b"<html>Bad gateway</html>"])
    return response


def test_an_api_as_catalogued_says_the_same(recorder):
    server = recorder()
    run = verify(server, "--yes")
    assert run.returncode == 0, run.stdout
    *lines, _, summary = run.stdout.splitlines()
    rules = [line.removeprefix("the same: ") for line in lines if line.startswith("the same: ")]
    sent = [exchange.rule for exchange in server.exchanges]
    assert rules == sent
    assert f"{len(sent)} requests will go to {server.base_url}" in run.stdout
    assert summary == f"the same: {len(sent)}, a new wording: 0, accepted now: 0, no answer: 0"
    # What needs the API's own signatures, is a fault or is not enforced is left out; and what is over a megabyte.
    left_out = set(catalogue.entries()) - set(sent)
    assert left_out == {
        *("thinking_modified", "thinking_prefix_mismatch", "thinking_final_block", "thinking_final_disabled"),
        *("prompt_too_long", "request_too_large", "image_too_big"),
        *(rule for rule, entry in catalogue.entries().items() if entry["enforce"] is not True),
    }
    assert all(
        exchange.headers.get("authorization", f"Bearer {KEY}") == f"Bearer {KEY}" for exchange in server.exchanges
    )


def test_a_changed_api_is_reported_entry_by_entry(recorder):
    run = verify(recorder(changed), "--yes")
    assert run.returncode == 1
    assert (
        "a new wording: max_tokens_missing\n    400 invalid_request_error: max_tokens: is required {now}\n"
        in run.stdout
    )
    assert "    expected: 400 invalid_request_error: max_tokens: Field required\n" in run.stdout
    assert "a new wording: model_not_found\n    410 not_found_error" in run.stdout
    assert "accepted now: text_empty\n" in run.stdout
    assert "no answer: messages_empty\n    Overloaded\n" in run.stdout
    assert "no answer: role_missing\n    <html>Bad gateway</html>\n" in run.stdout
    assert "the same: tool_use_without_result\n" in run.stdout
    assert run.stdout.splitlines()[-1].endswith("a new wording: 2, accepted now: 1, no answer: 2")


def test_it_stops_when_the_key_is_refused(recorder):
    server = recorder(lambda *request: refuse(Refusal("", 401, "authentication_error", "invalid x-api-key"), "req_1"))
    run = verify(server, "--yes")
    assert run.returncode == 2
    assert len(server.exchanges) == 1
    assert run.stderr == "course: the API refused the key (401 invalid x-api-key); nothing more was sent\n"


def test_a_rate_limit_is_waited_for_once(recorder):
    seen = []

    def limited(method, path, headers, body):
        seen.append(body)
        if len(seen) % 2:
            response = refuse(Refusal("", 429, "rate_limit_error", "slow down"), "req_1")
            response.headers["retry-after"] = "1"
            return response
        return handle(method, path, headers, body)

    run = verify(recorder(limited), "--yes", "role_missing")
    assert run.returncode == 0
    assert len(seen) == 2 and seen[0] == seen[1]


@pytest.mark.parametrize("lang, same", [("zh", "一致"), ("de", "gleich")])
def test_it_speaks_the_readers_language(recorder, lang, same):
    run = verify(recorder(), "--yes", "role_missing", lang=lang)
    assert f"{same}: role_missing\n" in run.stdout


def test_large_requests_go_only_when_asked_for(recorder):
    assert one_sentence(verify(recorder(), "--yes", "prompt_too_long")).startswith("none of these can be sent")
    run = verify(recorder(), "--yes", "--large", "prompt_too_long", "image_too_big", "request_too_large")
    assert run.stdout.splitlines()[-1].startswith("the same: 3,")


def test_nothing_is_sent_without_consent(recorder):
    server = recorder()
    run = verify(server)
    assert run.returncode == 1
    assert run.stderr == "course: nothing was sent: run it in a terminal, or with --yes\n"
    assert server.exchanges == []


@pytest.mark.skipif(sys.platform == "win32", reason="pexpect needs a POSIX terminal")
@pytest.mark.parametrize("answer, sent", [("y", 1), ("n", 0), ("", 0)])
def test_in_a_terminal_it_asks_first(recorder, answer, sent):
    import pexpect  # not installed on Windows

    server = recorder()
    env = clean_env(ANTHROPIC_BASE_URL=server.base_url, ANTHROPIC_API_KEY=KEY)
    child = pexpect.spawn(sys.executable, ["-m", "course", "verify", "role_missing"], cwd=ROOT, env=env, timeout=30)
    child.expect_exact("Send them? [y/N] ")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert len(server.exchanges) == sent
    assert child.exitstatus == (0 if sent else 1)


def test_the_key_is_never_shown(recorder, tmp_path):
    # The HTTP library would quote a key that no header can carry in its error.
    bad = "sk-ant-secret\x01-größe"
    run = course(
        "verify", "--yes", "role_missing", ANTHROPIC_BASE_URL=recorder().base_url, ANTHROPIC_API_KEY=bad, cwd=tmp_path
    )
    assert one_sentence(run).startswith("ANTHROPIC_API_KEY holds a blank, a line break or a character")
    for shown in (run, verify(recorder(changed), "--yes")):
        assert "secret" not in shown.stdout + shown.stderr


def test_wrong_use_gets_one_sentence(tmp_path):
    assert one_sentence(course("verify", "no_such_rule")) == "there is no rule no_such_rule"
    assert one_sentence(course("verify", cwd=tmp_path)).startswith("this needs a key")


def test_a_server_that_is_not_there(recorder, tmp_path):
    server = recorder()
    server.stop()
    run = verify(server, "--yes", "role_missing")
    assert f"no answer: role_missing\n    no connection to {server.base_url}\n" in run.stdout
    assert run.returncode == 1


def test_the_key_may_stand_in_dotenv(recorder, tmp_path):
    server = recorder()
    (tmp_path / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\n", encoding="utf-8")
    run = course("verify", "--yes", "role_missing", ANTHROPIC_BASE_URL=server.base_url, cwd=tmp_path)
    assert run.returncode == 0
    (exchange,) = server.exchanges
    assert exchange.headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(exchange.body) == catalogue.example("role_missing")["body"]
