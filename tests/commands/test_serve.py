"""`course serve`: a real client of another process talks to it; wrong addresses get one sentence."""

import re
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import anthropic
import pytest

from tests.commands.test_cli import course, one_sentence
from tests.conftest import ROOT, clean_env


@contextmanager
def serving(*args, lang="en"):
    """A `course serve` of its own; gives (URL, process), and ends it with Ctrl-C."""
    flags = subprocess.CREATE_NEW_PROCESS_GROUP if sys.platform == "win32" else 0
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "serve", *args],
        cwd=ROOT,
        env=clean_env(COURSE_LANG=lang),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        creationflags=flags,
    )
    try:
        line = process.stdout.readline()
        yield re.search(r"https?://\S+", line)[0].rstrip("/"), process
    finally:
        process.send_signal(signal.CTRL_BREAK_EVENT if sys.platform == "win32" else signal.SIGINT)
        try:
            process.communicate(timeout=20)
        finally:
            process.kill()


def ask(url):
    client = anthropic.Anthropic(base_url=url, api_key="stand-in", max_retries=0)
    return client.messages.create(
        model="claude-haiku-5-5", max_tokens=500, messages=[{"role": "user", "content": "Hello"}]
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_any_client_can_use_it(workers):
    with serving("--port", "0", "--workers", workers) as (url, _process):
        assert url.startswith("http://127.0.0.1:")
        assert ask(url).stop_reason == "end_turn"


def test_what_it_prints_points_a_client_at_it():
    with serving("--port", "0") as (url, process):
        assert process.stdout.readline() == "\n"
        shell, powershell, cmd, python = (process.stdout.readline() for _line in range(4))
        assert f"export ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY=" in shell
        assert f'$env:ANTHROPIC_BASE_URL="{url}"' in powershell
        assert f"set ANTHROPIC_BASE_URL={url}&&" in cmd  # a blank before && would belong to the value
        code = python.strip().removeprefix("Python").strip()
        client = eval(code, {"anthropic": anthropic})  # noqa: S307  (our own line, as a reader would paste it)
        assert client.with_options(max_retries=0).models.list().data


@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot press Ctrl-C for another one there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_it_without_a_word(workers):
    with serving("--port", "0", "--workers", workers) as (url, process):
        ask(url)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=20)
    assert process.returncode == 0
    assert err == ""


def test_a_port_in_use():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        sentence = one_sentence(course("serve", "--port", port))
    assert sentence.startswith(f"Port {port} on 127.0.0.1 is in use")


@pytest.mark.parametrize("host", ["192.0.2.77", "no-such-host.invalid", "not a host"])
def test_an_address_of_another_machine(host):
    assert one_sentence(course("serve", "--host", host)).startswith(f"{host} is not an address of this machine")


def test_all_addresses_get_a_warning_and_an_address_that_others_can_use():
    with serving("--host", "0.0.0.0", "--port", "0") as (url, process):
        assert not url.startswith("http://0.0.0.0")
        assert "everyone in this network can reach it" in process.stderr.readline()
        assert ask(url).stop_reason == "end_turn"


@pytest.mark.parametrize(("lang", "word"), [("de", "Double"), ("zh", "本地替身")])
def test_it_speaks_the_readers_language(lang, word):
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "serve", "--port", "0"],
        cwd=ROOT,
        env=clean_env(COURSE_LANG=lang),
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert word in process.stdout.readline()
    process.kill()
    process.communicate(timeout=20)


def test_a_cache_and_pace_on_demand():
    system = [{"type": "text", "text": "rule " * 1000, "cache_control": {"type": "ephemeral"}}]
    request = {"model": "claude-sonnet-5-5", "max_tokens": 500, "system": system}
    request["messages"] = [{"role": "user", "content": "Hello"}]
    with serving("--port", "0", "--cache", "--pace") as (url, _process):
        client = anthropic.Anthropic(base_url=url, api_key="stand-in", max_retries=0)
        assert client.messages.create(**request).usage.cache_creation_input_tokens == 1250
        began = time.perf_counter()
        events = list(client.messages.create(**request, stream=True))
        assert time.perf_counter() - began >= 0.01 * (len(events) - 1) > 0.05
        assert events[0].message.usage.cache_read_input_tokens == 1250


@pytest.mark.parametrize("flag", ["--cache", "--pace"])
def test_what_needs_one_process_is_refused_with_several(flag):
    done = course("serve", "--workers", "2", flag)
    assert done.returncode == 2
    assert "leave --workers out" in one_sentence(done)
