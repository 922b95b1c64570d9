"""Pace: a stream that somebody watches comes event by event, and nothing else is slowed down."""

import json
import os
import subprocess
import sys

import pytest

from course.standin.core import Pause, handle
from course.standin.faults import Faults
from course.standin.pace import SECONDS, Pace, on_a_terminal
from tests.conftest import ROOT, clean_env

HEADERS = {"x-api-key": "key", "anthropic-version": "2023-06-01", "content-type": "application/json"}
SCRIPT = """
import time
from course import load_env
load_env()
import anthropic
stream = anthropic.Anthropic().messages.create(
    model="claude-haiku-5-5", max_tokens=500, stream=True, messages=[{"role": "user", "content": "Hello"}]
)
times = [time.perf_counter() for _event in stream]
print("seconds", times[-1] - times[0], "events", len(times))
"""


def ask(answer, stream):
    body = {"model": "claude-haiku-5-5", "max_tokens": 500, "messages": [{"role": "user", "content": "Hello"}]}
    response = answer("POST", "/v1/messages", HEADERS, json.dumps(body | {"stream": stream}).encode())
    return list(response.chunks)


def test_between_two_events_there_is_a_pause_and_the_bytes_are_the_same():
    plain, paced = ask(handle, True), ask(Pace(handle), True)
    assert [chunk for chunk in paced if isinstance(chunk, bytes)] == plain
    pauses = paced[1::2]
    assert len(pauses) == len(plain) - 1 > 5
    assert all(isinstance(each, Pause) and SECONDS[0] <= each.seconds <= SECONDS[1] for each in pauses)
    assert len({each.seconds for each in pauses}) > 3


def test_a_reply_in_one_piece_has_no_pause():
    assert ask(Pace(handle), False) == ask(handle, False)


def test_a_stream_that_a_fault_brings_byte_by_byte_keeps_its_own_time():
    assert ask(Pace(Faults(["byte_by_byte"])), True) == ask(Faults(["byte_by_byte"]), True)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no pty")
def test_the_stand_in_of_a_script_keeps_pace_on_a_terminal(tmp_path):
    import pty

    script = tmp_path / "watch.py"
    script.write_text(SCRIPT, encoding="utf-8")
    run = {"cwd": ROOT, "env": clean_env(PYTHONPATH=str(ROOT)), "stdin": subprocess.DEVNULL, "timeout": 60}
    leader, follower = pty.openpty()
    subprocess.run([sys.executable, str(script)], stdout=follower, stderr=subprocess.DEVNULL, **run)

    shown = os.read(leader, 10_000).decode()
    os.close(follower)
    os.close(leader)
    _word, seconds, _word, events = shown.split()
    assert float(seconds) >= SECONDS[0] * (int(events) - 1) > 0.05


def test_in_a_pipe_it_does_not(capfd):
    assert on_a_terminal(handle) is handle
