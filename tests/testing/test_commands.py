"""Replies as text on the command line: course run --replies and --save-replies, course serve, and its headers."""

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib import parse, request

import anthropic
import pytest

from course.testing.headers import line_after
from course.testing.player import read
from tests.conftest import ROOT, clean_env
from tests.testing.examples import agent


def course(*arguments, cwd=None, **env):
    command = [sys.executable, "-m", "course", *map(str, arguments)]
    return subprocess.run(
        command, cwd=cwd or ROOT, env=clean_env(**env), capture_output=True, encoding="utf-8", timeout=120
    )


def test_a_lesson_plays_replies_and_says_what_is_left(tmp_path):
    file = tmp_path / "s04 é.replies"
    file.write_text('"Cold." # the answer\n\n"never"\n', encoding="utf-8")
    done = course("run", "s04", "--replies", file)
    assert done.stdout.endswith("turn 1: end_turn\nCold.\n")
    assert '[course] Replies that nobody asked for: 1. The first, in line 3: "never"' in done.stderr


@pytest.mark.parametrize(
    "language, said",
    [("en", "Line 2, column 3: write 'x y' in single quotes."), ("zh", "第 2 行第 3 列"), ("de", "Zeile 2, Spalte 3")],
)
def test_a_slip_is_one_sentence(tmp_path, language, said):
    file = tmp_path / "some.replies"
    file.write_text("f(\na=x y)", encoding="utf-8")
    done = course("run", "s04", "--replies", file, COURSE_LANG=language)
    assert done.returncode == 2 and said in done.stderr and done.stderr.count("\n") == 1
    assert done.stdout == ""


@pytest.mark.parametrize("data", [b"'\xff'", None])
def test_a_file_that_cannot_be_read_is_one_sentence(tmp_path, data):
    file = tmp_path / "some.replies"
    if data:
        file.write_bytes(data)
    for command in (["run", "s04"], ["serve"]):
        done = course(*command, "--replies", file)
        assert done.returncode == 2 and str(file) in done.stderr and done.stderr.count("\n") == 1


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path):
    done = course("run", "s04", "--save-replies", tmp_path)
    assert done.returncode == 2 and f"{tmp_path} cannot be written" in done.stderr and "Traceback" not in done.stderr


def test_replies_are_not_for_the_real_api(tmp_path):
    file = tmp_path / "some.replies"
    file.write_text("'a'", encoding="utf-8")
    done = course("run", "s04", "--replies", file, "--real", ANTHROPIC_API_KEY="sk-ant-test")
    assert done.returncode == 2 and "leave --real out" in done.stderr


SAVED = """\
"I will look." list_calendar_events(date="2027-09-06") list_calendar_events(date="北京")
529
"Nothing\\n\\"planned\\"."
"""


def test_a_run_is_saved_as_it_was_played(tmp_path):
    """The faults of the API too; thinking, which the stand-in adds, is left out."""
    played, saved = tmp_path / "played", tmp_path / "saved"
    played.write_text(SAVED, encoding="utf-8")
    done = course("run", "s05", "--replies", played, "--save-replies", saved)
    assert done.returncode == 0, done.stderr
    assert saved.read_text(encoding="utf-8") == SAVED.replace("529", '529 "Overloaded"')
    again = course("run", "s05", "--replies", saved)
    assert re.sub(r"\d\.\d s", "", again.stdout) == re.sub(r"\d\.\d s", "", done.stdout)


STREAM = """
import anthropic
client = anthropic.Anthropic(max_retries=0)
ask = {"model": "claude-sonnet-5-5", "max_tokens": 500, "messages": [{"role": "user", "content": "Hi"}]}
tools = [{"name": "f", "input_schema": {"type": "object"}}]
for _ in range(2):
    with client.messages.stream(tools=tools, **ask) as stream:
        stream.get_final_message()
try:
    client.messages.create(**{**ask, "messages": []})
except anthropic.BadRequestError as refused:
    print(refused)
client.messages.create(**ask)
"""


@pytest.mark.extra
def test_streams_are_saved_and_refusals_are_not(tmp_path, recorder):
    """From an endpoint with a key, as a run with Claude would be: through the recording proxy."""
    script, played, saved = tmp_path / "streams.py", tmp_path / "played", tmp_path / "saved"
    script.write_text(STREAM, encoding="utf-8")
    text = 'f(a={"b": [1, null]}) f()\n"Half" cut\n"No." refusal\n'
    played.write_text(text, encoding="utf-8")
    from course.testing.player import Replies

    endpoint = recorder(Replies(read(text)))
    done = course("run", script, "--save-replies", saved, **endpoint.env)
    assert "Passing everything on" in done.stderr and "at least one message" in done.stdout
    first, half, last = saved.read_text(encoding="utf-8").splitlines()
    assert (first, last) == ('f(a={"b": [1, null]}) f()', '"No." refusal')
    assert half.endswith("cut")
    assert "sk-ant" not in saved.read_text(encoding="utf-8")


# --- course serve ---


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """A `course serve` in a process of its own, found by its port file as a shell would find it."""
    file = tmp_path_factory.mktemp("serve") / "port file"
    file.write_text("stale", encoding="ascii")
    command = [sys.executable, "-m", "course", "serve", "--port", "0", "--port-file", str(file)]
    process = subprocess.Popen(command, cwd=ROOT, env=clean_env(), stdout=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while not (text := file.read_text(encoding="ascii") if file.exists() else "").endswith("\n"):
        assert process.poll() is None and time.monotonic() < until
        time.sleep(0.05)
    yield int(text)
    process.terminate()
    assert process.wait(timeout=30) == (1 if sys.platform == "win32" else 143)
    assert sys.platform == "win32" or not file.exists()


def client(port, **headers):
    names = {f"x-course-{name}": value for name, value in headers.items()}
    return anthropic.Anthropic(base_url=f"http://127.0.0.1:{port}", api_key="test", default_headers=names)


def test_the_server_is_ready_when_its_port_is_known(port):
    with request.build_opener(request.ProxyHandler({})).open(f"http://127.0.0.1:{port}/health", timeout=20) as answer:
        assert json.load(answer)["status"] == "ok"


def test_parallel_tests_share_a_server(port):
    def one(number):
        replies = f"get_weather(city='{number}'); '{number} is cold.'"
        return agent.ask(client=client(port, replies=replies)).content[0].text

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(one, range(16))) == [f"{number} is cold." for number in range(16)]


def test_errors_among_replies_are_met_by_the_tries_of_one_request(port):
    replies = "get_weather(city='Oslo'); 429; 529; 'Cold.'"
    assert agent.ask(client=client(port, replies=replies)).content[0].text == "Cold."


def test_a_pause_goes_on(port):
    messages = [{"role": "user", "content": "Oslo?"}]
    asking = client(port, replies="'Let me' pause_turn; get_weather(city='Oslo'); 'Cold.'")
    assert agent.agent_loop(messages, client=asking).stop_reason == "pause_turn"
    assert agent.agent_loop(messages, client=asking).content[0].text == "Cold."


@pytest.mark.extra
def test_faults_by_header(port):
    with pytest.raises(anthropic.InternalServerError, match="Overloaded"):
        agent.ask(client=client(port, fault="overloaded").with_options(max_retries=0))
    assert agent.ask(client=client(port, fault="overloaded:2", replies="'Cold.'")).content[0].text == "Cold."
    assert agent.ask(client=client(port, fault="refusal")).stop_reason == "refusal"
    with pytest.raises(anthropic.RateLimitError) as caught:
        agent.ask(client=client(port, fault="rate_limit@20").with_options(max_retries=0))
    assert caught.value.response.headers["retry-after"] == "20"


@pytest.mark.parametrize(
    "letters", ["utf-8''" + parse.quote("'冷；\"'\n'后来'"), '"\\u51b7；\\""'.replace("；", "\\uff1b"), "'冷；\"'"]
)
def test_any_letters(port, letters):
    body = {**agent.ASK, "messages": [{"role": "user", "content": "Hi"}]}
    asked = request.Request(
        f"http://127.0.0.1:{port}/v1/messages", json.dumps(body).encode(),
        {"x-api-key": "k", "anthropic-version": "2023-06-01", "x-course-replies": letters.encode().decode("latin-1")},
    )  # fmt: skip
    with request.build_opener(request.ProxyHandler({})).open(asked, timeout=20) as answer:
        assert json.load(answer)["content"] == [{"type": "text", "text": '冷；"'}]


@pytest.mark.parametrize(
    "headers, said",
    [
        ({"replies": "f(a=b)"}, "x-course-replies: Line 1, column 5: write 'b' in single quotes."),
        ({"fault": "overloadd"}, "x-course-fault: There is no fault overloadd; did you mean overloaded?"),
        ({"replies": "# nothing"}, "There is no reply left for this request."),
    ],
)
def test_a_slip_in_a_header_is_a_400_with_a_sentence(port, headers, said):
    with pytest.raises(anthropic.BadRequestError, match=re.escape(said)):
        agent.ask(client=client(port, **headers))


def test_the_rules_come_first(port, monkeypatch):
    all_of_them = agent.run_tools
    monkeypatch.setattr(agent, "run_tools", lambda reply: all_of_them(reply)[:1])
    with pytest.raises(anthropic.BadRequestError) as raised:
        agent.ask(client=client(port, replies="get_weather(city='Oslo') f(city='Bern'); 'Cold.'"))
    assert raised.value.response.headers["x-course-rule"] == "tool_use_partial_results"


def test_which_line_comes_next():
    lines = read("'a'; 429; reset; 'b'; 529")
    found = [[line_after(lines, said, tries) for tries in range(4)] for said in range(3)]
    a, limit, reset, b, over = lines
    assert found == [[a, a, a, a], [limit, reset, b, b], [over, None, None, None]]


def test_replies_begin_anew_for_the_next_run(tmp_path, recorder):
    from course.testing.player import Replies

    server = recorder(Replies(read("get_weather(city='Oslo'); 'Cold.'"), again=True))
    asking = anthropic.Anthropic(base_url=server.base_url, api_key="test")
    assert [agent.ask(client=asking).content[0].text for _ in range(2)] == ["Cold."] * 2


@pytest.mark.parametrize("flag", ["--replies"])
def test_counting_needs_one_process(tmp_path, flag):
    file = tmp_path / "some.replies"
    file.write_text("'a'", encoding="utf-8")
    done = course("serve", flag, file, "--workers", "2")
    assert done.returncode == 2 and "one process" in done.stderr
