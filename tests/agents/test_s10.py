"""s10: what it does about each failure of the API, and a history that outlives the process."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

from course.site.outputs import entries
from course.standin.core import Pause, handle
from course.standin.faults import Faults
from course.testing.player import Replies, read
from tests.conftest import ROOT, clean_env, run_script

SCRIPT = ROOT / "agents/s10_api_errors.py"
READ = 'read_report(report="harbor-hall", page=1)'
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")

# What comes -> what is printed for it. Each of them passes, so the same request is sent again.
PASSES = {
    "rate_limit": "429: ",
    "overloaded": "529: Overloaded (request req_",
    "api_error": "500: Internal server error (request req_",
    '503 "Down for a moment"': "503: Down for a moment (request req_",
    '408 "Too slow"': "408: Too slow (request req_",
    "reset": "Connection error. (",
    "cut": "Connection error. (",  # shorter than its content-length said
}
# And of these no other request can come of it.
LASTS = {
    "bad_key": "401: invalid x-api-key (request ",
    "no_permission": "403: ",
    "no_credit": "400: Your credit balance is too low",
    "spend_limit": "429: You have reached your API usage limits",
    "too_long": "400: prompt is too long: ",
    '404 "model: x"': "404: model: x (request ",
    '413 "Request exceeds the maximum size"': "413: Request exceeds the maximum size (request ",
    "html": "This is no answer of the API. Check the network and ANTHROPIC_BASE_URL. It begins: '<",
}


@pytest.fixture
def play(recorder, tmp_path):
    """play(replies, *arguments) -> (the run, its requests, the history in the file, if there is one)."""

    def go(replies, *arguments, history=tmp_path / "history.json"):
        server = recorder(Replies(read(replies), quick=True) if isinstance(replies, str) else replies)
        done = run_script(SCRIPT, "--resume", str(history), *arguments, **server.env)
        assert "Traceback" not in done.err, done.err
        assert "sk-ant-test" not in done.out + done.err
        done.out = done.out.replace(" (retry after 0 s)", "")  # which `quick` makes of any failure
        kept = json.loads(history.read_text(encoding="utf-8")) if history.exists() else None
        return done, server.requests, kept

    return go


@pytest.mark.parametrize("fault", PASSES)
def test_what_passes_by_itself_is_waited_for_and_asked_again(play, fault):
    done, requests, kept = play(f'{READ}\n{fault}\n"Fine."')
    assert done.status == 0
    assert requests[1] == requests[2] and len(requests) == 3
    assert f"  {PASSES[fault]}" in done.out and " s, then asking again (Ctrl-C stops)\n" in done.out
    assert done.lines[-1] == "Fine."
    assert [message["role"] for message in kept] == ["user", "assistant", "user", "assistant"]


def test_each_wait_is_longer_than_the_one_before(play):
    done, requests, _ = play('api_error\napi_error\napi_error\n"Fine."')
    waits = [int(line.split()[1]) for line in done.lines if line.startswith("  waiting ")]
    assert len(requests) == 4 and 1 <= waits[0] <= 2 <= waits[1] <= 3 < 4 <= waits[2] <= 5


@pytest.mark.parametrize("fault", LASTS)
def test_what_only_a_person_can_mend_ends_the_run_at_once_and_resume_goes_on(play, fault):
    done, requests, kept = play(f"{READ}\n{fault}")
    assert done.status == 1
    assert LASTS[fault] in done.out and "waiting" not in done.out
    assert "The history is kept. Go on with: --resume " in done.err
    assert len(requests) == 2
    again, resumed, _ = play('"Fine."')
    assert (again.status, again.lines[-1]) == (0, "Fine.")
    assert resumed == [requests[1]], "what failed is sent again, and nothing of what was paid for"


@pytest.mark.parametrize("seconds", [300, 3600, 999999999])
def test_a_wait_longer_than_the_patience_is_not_waited_for(play, seconds):
    done, requests, _ = play(Faults([f"overloaded@{seconds}"]))
    assert done.status == 1 and f"(retry after {seconds} s)" in done.out and "waiting" not in done.out
    assert len(requests) == 1


@pytest.mark.parametrize("said", ["1.2.3", "soon", "Wed, 21 Oct 2026 07:28:00 GMT", "-5", ""])
def test_a_retry_after_that_is_no_number_counts_as_none(play, said):
    overloaded = Faults(["overloaded"])

    def strange(*request):
        response = overloaded(*request)
        if response.status == 529:
            response.headers["retry-after"] = said
        return response

    done, _, _ = play(strange)
    assert done.status == 0 and "  waiting 1 s, then asking again" in done.out


@pytest.mark.parametrize("body", [b'{"type": "mess', b"\xff\xfe", b"", b"[]", b'{"ok": true}'])
def test_what_is_no_message_is_no_exception_of_the_sdk_and_is_told_all_the_same(play, body):
    def other(*request):
        response = handle(*request)
        response.chunks = [body]
        return response

    done, requests, kept = play(other)
    assert done.status == 1 and len(requests) == 1
    assert "This is no answer of the API. Check the network and ANTHROPIC_BASE_URL." in done.out
    assert [message["role"] for message in kept] == ["user"] and "The history is kept." in done.err


def test_a_reply_cut_inside_a_character_is_asked_for_again(play):
    done, requests, _ = play(Faults(["cut_character"], Replies(read('"Grün."\n"Grün."'))))
    assert (done.status, done.lines[-1], len(requests)) == (0, "Grün.", 2)
    assert "  Connection error. (" in done.out


@pytest.mark.extra
def test_retries_of_both_multiply_as_the_page_says(recorder, tmp_path):
    mistake = entries()["s10-break"]
    source = SCRIPT.read_text(encoding="utf-8").replace(mistake["old"], mistake["new"])
    script = tmp_path / "s10.py"
    script.write_text(source.replace("max_retries=0, ", ""), encoding="utf-8")
    (tmp_path / "review").symlink_to(SCRIPT.parent / "review", target_is_directory=True)
    server = recorder(Replies(read("overloaded\n" * 20), quick=True))
    done = run_script(script, "--resume", str(tmp_path / "history.json"), **server.env)
    assert done.status == 1 and len(server.requests) == 9


def test_a_finished_history_is_not_asked_again_and_takes_another_prompt(play):
    play('"Two sections."')
    done, requests, _ = play("")
    assert (done.status, requests) == (0, []) and done.lines == ["Finished already: Two sections."]
    done, requests, kept = play('"Both exist."', "And", "which", "exist?")
    assert [message["content"] for message in requests[0]["messages"] if message["role"] == "user"][
        -1
    ] == "And which exist?"
    assert len(kept) == 4 and done.lines[-1] == "Both exist."


@pytest.mark.parametrize("content", ["", "[]", "{}", "[1]", '"x"', '[{"role": "assistant"}]', "\xff"])
def test_a_file_that_is_no_history_is_said_and_kept(tmp_path, content):
    file = tmp_path / "history.json"
    file.write_bytes(content.encode("latin-1"))
    done = run_script(SCRIPT, "--resume", str(file))
    assert done.status == 1 and f"{file} holds no history: " in done.err and "Traceback" not in done.err
    assert file.read_bytes() == content.encode("latin-1")


def test_a_place_where_nothing_can_be_kept_is_said_before_anything_is_paid_for(play, tmp_path):
    done, requests, _ = play('"Fine."', history=tmp_path / "no such folder" / "history.json")
    assert (done.status, requests) == (1, [])
    assert "No such file or directory" in done.out and "No history was kept." in done.err


# Runs the script with a tool that tells when it has begun, and then takes long.
SLOW_TOOL = """
import runpy, sys, time
script = runpy.run_path(sys.argv[1])
def read_report(report, page):
    print("in the tool", flush=True)
    time.sleep(60)
script["FUNCTIONS"]["read_report"] = read_report
del sys.argv[1]
script["main"]()
"""


@POSIX
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM] if os.name == "posix" else [])
def test_a_process_that_was_killed_in_a_tool_goes_on_and_claude_is_told(recorder, tmp_path, number):
    history = tmp_path / "history.json"
    server = recorder(Replies(read(f'{READ} read_report(report="harbor-hall", page=2)\n"Fine."')))
    command = [sys.executable, "-c", SLOW_TOOL, str(SCRIPT), "--resume", str(history)]
    child = subprocess.Popen(command, env=clean_env(**server.env), stdout=subprocess.PIPE, text=True, encoding="utf-8")
    for line in child.stdout:
        if "in the tool" in line:
            break
    child.send_signal(number)
    child.wait()
    child.stdout.close()
    done = run_script(SCRIPT, "--resume", str(history), **server.env)
    assert (done.status, done.lines[-1]) == (0, "Fine.")
    results = server.requests[-1]["messages"][-1]["content"]
    assert [result["content"] for result in results] == ["Error: interrupted, may have partly run"] * 2
    assert all(result["is_error"] for result in results)


@POSIX
@pytest.mark.parametrize("when", ["waits", "tool", "request"])
def test_ctrl_c_ends_it_with_a_sentence_and_resume_goes_on(recorder, tmp_path, when):
    history, asked = tmp_path / "history.json", threading.Event()

    def slowly(*request):
        asked.set()
        response = handle(*request)
        response.chunks = [Pause(30), *response.chunks]
        return response

    answers = {"waits": Replies(read("overloaded\noverloaded")), "tool": Replies(read(READ)), "request": slowly}
    server = recorder(answers[when])
    slow = ["-c", SLOW_TOOL.replace("60", "1")] if when == "tool" else []
    command = [sys.executable, "-u", *slow, str(SCRIPT)]
    command += ["--resume", str(history)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"}
    child = subprocess.Popen(command, env=clean_env(**server.env), **pipes)
    if when == "request":
        asked.wait(60)
    else:
        for line in child.stdout:
            if "waiting" in line or "in the tool" in line:
                break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 1
    assert "Interrupted." in out and "The history is kept." in err and "Traceback" not in err
    goes_on = recorder(Replies(read('"Fine."')))
    done = run_script(SCRIPT, "--resume", str(history), **goes_on.env)
    assert (done.status, done.lines[-1]) == (0, "Fine.")


# Runs the script on a disk that takes no file of more than 1,200 bytes.
SMALL_DISK = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (1200, 1200))
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@POSIX
def test_a_disk_that_is_full_is_said_and_the_history_before_it_is_whole(recorder, tmp_path):
    history = tmp_path / "history.json"
    server = recorder(Replies(read(f'{READ} read_report(report="harbor-hall", page=2)\n"Fine."')))
    command = [sys.executable, "-c", SMALL_DISK, str(SCRIPT), "--resume", str(history)]
    done = subprocess.run(command, env=clean_env(**server.env), capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 1 and "File too large" in done.stdout and "Traceback" not in done.stderr
    assert [message["role"] for message in json.loads(history.read_text(encoding="utf-8"))] == ["user", "assistant"]


@pytest.mark.extra
def test_killed_at_random_moments_it_loses_nothing():
    command = [sys.executable, str(ROOT / "benchmarks/kills.py"), "--kills", "6"]
    done = subprocess.run(command, env=clean_env(), capture_output=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
