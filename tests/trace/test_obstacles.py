"""Recording where something is in the way: odd scripts, objects that cannot be looked at, a full disk."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course.standin.app import Exchange
from course.trace import build, files
from course.wire.record import make
from tests.conftest import ROOT, clean_env

SECONDS = 60
posix = pytest.mark.skipif(sys.platform == "win32", reason="no fork, no such devices")

ODD = {
    "replaced": "import io, sys\nsys.stdout = io.StringIO()\nprint('lost')\n",
    "none": "import sys\nsys.stdout = None\nprint('lost')\n",
    "closed": "import sys\nprint('seen')\nsys.stdout.close()\n",
    "true": "import sys\nsys.exit(True)\n",
    "minus": "import sys\nsys.exit(-1)\n",
    "moved": "import os\nos.chdir('/')\nprint(__file__)\n1 / 0\n",
    "no text": "class E(Exception):\n    def __str__(self):\n        raise RuntimeError\n\n\n"
    "try:\n    raise E\nexcept E:\n    print('caught')\n",
    "no look": "class R:\n    def __repr__(self):\n        raise RuntimeError\n\n    def __getattr__(self, name):\n"
    "        raise RuntimeError\n\n\ndef main(messages, extra):\n"
    "    messages.append({'role': 'user', 'content': extra})\n    print('done')\n\n\nmain([], R())\n",
    "no number": "def main(messages):\n    messages.append({'role': 'user', 'content': float('nan')})\n"
    "    print('done')\n\n\nmain([])\n",
}


@pytest.mark.parametrize("name", ODD)
def test_odd_scripts_run_as_they_do_alone_and_leave_a_trace(name, tmp_path):
    (tmp_path / "odd.py").write_text(ODD[name], encoding="utf-8")
    env = clean_env(PYTHONPATH=str(ROOT))
    alone, recorded = (
        subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
        )
        for command in (["odd.py"], ["-m", "course", "run", "odd.py", "--trace", "t.json"])
    )  # fmt: skip
    errors = "".join(line for line in recorded.stderr.splitlines(True) if not line.startswith("[course]"))
    assert (recorded.returncode, recorded.stdout, errors) == (alone.returncode, alone.stdout, alone.stderr)
    trace = files.load(tmp_path / "t.json")
    assert trace["end"]["status"] % 256 == alone.returncode
    json.loads((tmp_path / "t.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)


@posix
def test_a_fork_does_not_tell_its_story_into_this_one(tmp_path):
    script = tmp_path / "forks.py"
    script.write_text(
        "import os\nchild = os.fork()\nif child == 0:\n    print('child')\n    raise SystemExit(3)\n"
        "os.waitpid(child, 0)\nprint('parent')\n",
        encoding="utf-8",
    )
    done = _record(script, tmp_path / "t.json")
    assert (done.returncode, sorted(done.stdout.split())) == (0, ["child", "parent"])
    steps = files.load(tmp_path / "t.json")["steps"]
    assert [step["line"] for step in steps if step["kind"] == "line"] == [1, 2, 3, 6, 7]
    assert [step["text"] for step in steps if step["kind"] == "print"] == ["parent\n"]


@posix
def test_a_disk_that_fills_up_ends_the_recording_and_not_the_script(tmp_path):
    """A limit on the size of files stands for the full disk: writing fails in the same way, with an OSError."""
    script = tmp_path / "long.py"
    script.write_text("for n in range(3000):\n    m = n\nprint('end')\n", encoding="utf-8")
    limited = (
        "import resource, runpy, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000)); sys.argv.pop(0); "
        "runpy.run_module('course', run_name='__main__', alter_sys=False)"
    )
    command = [sys.executable, "-c", limited, "course", "run", str(script), "--trace", str(tmp_path / "t.json")]
    done = subprocess.run(
        command, cwd=ROOT, env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
        timeout=SECONDS,
    )  # fmt: skip
    assert done.stdout == "end\n"
    assert "[course] The recording ends early: " in done.stderr and "Traceback" not in done.stderr
    assert sorted(path.name for path in tmp_path.glob("t.json*")) == ["t.json"]


@posix
def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path):
    trace = files.load(ROOT / "docs/assets/traces/s01.json")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, encoding="utf-8") as reader:
        files.save(trace, pipe)
        assert json.loads(reader.communicate(timeout=SECONDS)[0]) == trace
    assert pipe.is_fifo()
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    files.save(trace, link)
    assert link.is_symlink() and files.load(tmp_path / "real.json") == trace


@posix
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT"])
def test_a_run_that_is_ended_from_outside_leaves_a_trace(name, tmp_path):
    script = tmp_path / "waits.py"
    script.write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)\n", encoding="utf-8")
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, "-m", "course", "run", str(script), "--trace", str(tmp_path / "t.json")],
        env=clean_env(TMPDIR=str(tmp_path)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, encoding="utf-8",
    ) as process:  # fmt: skip
        assert process.stdout.readline() == "ready\n"
        process.send_signal(number)
        assert process.wait(SECONDS) == 128 + number
    assert files.load(tmp_path / "t.json")["end"] == {"how": "killed", "status": 128 + number, "text": None}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.json", "waits.py"]


def test_a_trace_of_an_endpoint_that_answers_oddly_can_be_read(tmp_path):
    """What some endpoints send: calls without an id, numbers that are none, a wait that is not finite."""
    call = {"type": "tool_use", "id": {}, "name": 5, "input": {"n": math.nan}}
    usage = {"input_tokens": True, "output_tokens": -1, "cache_read_input_tokens": 10**400}
    reply = {"type": "message", "content": [call], "stop_reason": "tool_use", "usage": usage}
    request = {"model": "claude-sonnet-5-5", "messages": 5}
    now = time.perf_counter()
    headers = {"content-type": "application/json", "retry-after": "nan"}
    exchange = Exchange(
        "POST", "/v1/messages", {}, json.dumps(request).encode(), 200, headers, [json.dumps(reply).encode()],
        now, now, now, None,
    )  # fmt: skip
    trace = build.build("x.py", "", [], [], [(now, now, make(exchange))], "example.com")
    files.save(trace, tmp_path / "t.json")
    loaded = files.load(tmp_path / "t.json")
    json.loads((tmp_path / "t.json").read_text(encoding="utf-8"), parse_constant=pytest.fail)
    assert [(each["id"], each["name"]) for each in loaded["calls"]] == [("{}", "5")]
    assert loaded["exchanges"][0]["tokens"] == {"input": 0, "output": 0, "cache_read": 0, "cache_write": 0}
    assert loaded["exchanges"][0]["retry_after"] is None


def test_replay_of_a_foreign_trace_whose_reply_has_no_blocks_or_whose_request_loses_an_evil_name(tmp_path):
    trace = files.load(ROOT / "docs/assets/traces/s01.json")
    trace["exchanges"][0]["request"]["\x1b[2J"] = 1
    trace["exchanges"][1]["reply"]["content"] = 5
    (tmp_path / "t.json").write_text(json.dumps(trace), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "course", "replay", str(tmp_path / "t.json")],
        env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "no longer sent: \\x1b[2J" in done.stdout and "\x1b" not in done.stdout


def _record(script: Path, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "course", "run", str(script), "--trace", str(path)],
        env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
    )  # fmt: skip
