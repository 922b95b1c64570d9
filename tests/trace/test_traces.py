"""Recording: what the committed traces are, what a run of one's own gives, and how each way of ending is kept."""

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import fastjsonschema
import pytest

from course.lessons import LESSONS
from course.site.outputs import find
from course.standin.app import create_app
from course.standin.server import start
from course.trace import files, make
from tests import warm
from tests.conftest import ROOT, clean_env

SECONDS = 120
KEY = "sk-ant-api03-0123456789-abcdef-secret"
SOURCES = {lesson.id: lesson.path.read_text(encoding="utf-8") for lesson in LESSONS if lesson.id in make.RECORDED}


@pytest.fixture(scope="module")
def schema():
    text = (ROOT / "course/trace/schema.json").read_text(encoding="utf-8")
    return fastjsonschema.compile(json.loads(text), use_default=False)


# Lessons whose tools run in the script of another one: a trace steps through its own script only.
ELSEWHERE = [
    lesson.id for lesson in LESSONS if {f"{each}.py" for each in lesson.imports} & {one.file for one in LESSONS}
]


def record(script, *arguments, path, **env):
    done = subprocess.run(
        [sys.executable, "-m", "course", "run", str(script), *arguments, "--trace", str(path)],
        env=clean_env(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    return done, files.load(path)


def warmly(command, environment):
    """A tape.Runner: in a process that has the SDK loaded."""
    return warm.run(command, cwd=None, env=environment, stdin="", timeout=SECONDS)[0]


def committed(name):
    return files.load(make.FOLDER / f"{name}.json")


def kinds(trace, kind):
    return [step for step in trace["steps"] if step["kind"] == kind]


def messages_of(trace):
    """The list `messages` as it was at the end, and every state on the way has to fit together."""
    messages = []
    for step in kinds(trace, "messages"):
        assert step["from"] <= len(messages)
        messages = messages[: step["from"]] + step["messages"]
    return messages


# --- the committed traces ------------------------------------------------------------------------------------------


def marks(name):
    """When a trace is compared with a new one: a mistake's in full runs, s07's only where its commands are the same."""
    if name.split(".")[0] in make.WAITING:
        return pytest.mark.skipif(sys.platform != "linux", reason="the script tells Claude the system and its shell")
    return () if name in ("s01", "s05") else pytest.mark.extra


@contextmanager
def one_at_a_time():
    """Some recordings need the same folder, and tests run side by side. On Windows these are skipped."""
    if sys.platform == "win32":
        yield
        return
    import fcntl

    with Path(tempfile.gettempdir(), "agent-loop-course.lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.mark.parametrize("name", [pytest.param(name, marks=marks(name)) for name in make.names()])
def test_the_committed_trace_is_what_the_script_does_now(name, tmp_path):
    """If this fails because a script, the stand-in or the recorder has changed: `make traces`, and look at the diff."""
    path = tmp_path / "new.json"
    with one_at_a_time():
        status = make.record(name, path, warmly)
    assert status == files.load(path)["end"]["status"]
    new, old = files.load(path), committed(name)
    # Which lines count as executed differs between versions of Python; what was said does not.
    assert messages_of(new) == messages_of(old)
    for trace in (new, old) if name.split(".")[0] in make.WAITING else ():
        for each in [*trace["exchanges"], *trace["calls"]]:
            each["seconds"] = None  # how long another program takes is chance
    assert new["exchanges"] == old["exchanges"] and new["calls"] == old["calls"]
    if sys.version_info[:2] == (3, 11) and name.split(".")[0] not in make.WAITING:
        assert path.read_text(encoding="utf-8") == (make.FOLDER / f"{name}.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", make.names())
def test_a_trace_is_as_its_schema_says_and_points_to_what_is_there(name, schema):
    trace = committed(name)
    schema(trace)
    assert trace["masked"] and trace["answered_by"] == "stand-in"
    if name in make.RECORDED:
        assert trace["end"]["how"] == "finished" and trace["source"] == SOURCES[name]
    lines = trace["source"].split("\n")
    for step in kinds(trace, "line"):
        assert lines[step["line"] - 1].strip(), step
    text = json.dumps(trace, ensure_ascii=False)
    assert (
        str(ROOT) not in text
        and "site-packages" not in text
        and "File " not in text
        and "127.0.0.1" not in text
        and "no-key-needed" not in text
    )


@pytest.mark.parametrize("name", make.RECORDED)
def test_steps_requests_calls_and_results_fit_together(name):
    trace = committed(name)
    order = [(step["kind"], step["exchange"]) for step in trace["steps"] if "exchange" in step]
    assert order == [(kind, number) for number in range(len(trace["exchanges"])) for kind in ("request", "reply")]
    for number, call in enumerate(trace["calls"]) if name not in ELSEWHERE else ():
        around = [step["kind"] for step in trace["steps"] if step.get("call") == number]
        assert around == ["call", "result"], call
        assert call["result"] is not None and call["seconds"] is not None
        place = trace["steps"].index(
            {"kind": "call", "call": number, **({"lane": call["lane"]} if call["lane"] else {})}
        )
        assert place > trace["steps"].index({"kind": "reply", "exchange": call["exchange"]})
    # The history that was sent is the list that the script kept.
    sent = trace["exchanges"][-1]["request"]["messages"]
    kept = messages_of(trace)
    assert _bare(kept[: len(sent)]) == _bare(sent)
    assert trace["totals"]["requests"] == len(trace["exchanges"]) >= 2
    assert trace["totals"]["cost_usd"] > 0


def _bare(value):
    if isinstance(value, dict):
        return {key: _bare(item) for key, item in value.items() if item is not None}
    return [_bare(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", [name for name in make.names() if name not in make.RECORDED])
def test_a_mistake_shows_what_came_of_it(name):
    trace = committed(name)
    refused = trace["exchanges"][-1]
    ends = ((400, "exception"), (200, "exception"), (200, "finished"), (401, "exit"))
    assert (refused["status"], trace["end"]["how"]) in ends
    if refused["status"] == 400:
        assert refused["error"]["message"] in "".join(step["text"] for step in kinds(trace, "print"))


def test_what_was_printed_is_the_output_of_the_lesson():
    trace = committed("s01")
    text = "".join(step["text"] for step in kinds(trace, "print") if step["stream"] == "stdout")
    assert text.splitlines()[:4] == [
        "> What should I wear in Austin today?",
        "turn 1: tool_use",
        '  get_weather({"city": "Austin"}) -> Weather in Austin: 95F, sunny',
        "turn 2: end_turn",
    ]


def test_parallel_calls_have_lanes_and_durations():
    trace = committed("s04")
    first = [call for call in trace["calls"] if call["exchange"] == 0]
    assert [call["lane"] for call in first] == [1, 2, 3] and [call["seconds"] for call in first] == [1, 1, 1]
    lanes = [step.get("lane", 0) for step in trace["steps"]]
    begins = lanes.index(1)
    assert lanes[begins : begins + 6] == [1, 2, 3, 1, 2, 3]
    assert all(step["function"] in ("run_tool", "list_calendar_events", "days_of") for step in kinds(trace, "line")
               if step.get("lane") in (2, 3))  # fmt: skip


def test_errors_of_s05_are_seen():
    trace = committed("s05")
    assert [call["is_error"] for call in trace["calls"]] == [True, False, False]
    assert [step["text"].split(":")[0] for step in kinds(trace, "raise")] == ["ValueError"]


@pytest.mark.parametrize("name", [name for name in make.names() if "." in name])
def test_a_translated_run_has_its_own_prompt(name):
    english, _, language = name.partition(".")
    prompt = committed(name)["arguments"][-1]
    assert prompt == find(english, language).prompt != find(english, "en").prompt
    assert messages_of(committed(name))[0]["content"] == prompt


def test_how_a_stream_arrived_is_kept_and_adds_up_to_the_reply():
    exchanges = committed("s11")["exchanges"]
    assert [each["complete"] for each in exchanges] == [True] * 3
    for exchange in exchanges:
        times = [at for at, _block, _text in exchange["pieces"]]
        assert times == sorted(times) and times[0] > 0
        for place, block in enumerate(exchange["reply"]["content"]):
            came = "".join(text for _at, where, text in exchange["pieces"] if where == place)
            if block["type"] == "tool_use":
                assert json.loads(came) == block["input"]
            else:
                assert came == block[block["type"]]
    assert not any("pieces" in each for each in committed("s08")["exchanges"])  # not streamed


def test_sizes():
    """As a web host sends them, compressed: a small part of what a page may weigh."""
    sizes = {name: len(gzip.compress((make.FOLDER / f"{name}.json").read_bytes())) for name in make.names()}
    assert sizes["s01"] <= 5_000 and max(sizes.values()) <= 20_000, sizes


# --- a run of one's own --------------------------------------------------------------------------------------------


def script_of(tmp_path, text):
    path = tmp_path / "mine äö.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_script_behaves_as_if_it_ran_alone(tmp_path):
    script = script_of(
        tmp_path, "import sys\nprint(sys.argv[1:], __name__)\nprint('warn', file=sys.stderr)\nsys.exit(7)\n"
    )
    alone = subprocess.run([sys.executable, str(script), "a", "b c"], capture_output=True, encoding="utf-8")
    done, trace = record(script, "a", "b c", path=tmp_path / "t.json")
    assert (done.returncode, done.stdout) == (alone.returncode, alone.stdout) == (7, "['a', 'b c'] __main__\n")
    assert "warn" in done.stderr
    assert trace["end"] == {"how": "exit", "status": 7, "text": None} and trace["arguments"] == ["a", "b c"]
    assert [step["text"] for step in kinds(trace, "print")] == ["['a', 'b c'] __main__\n", "warn\n"]
    assert all("t" in step for step in trace["steps"]) and trace["script"] == "mine äö.py"


def test_a_crash_leaves_its_traceback_and_a_whole_trace(tmp_path, schema):
    script = script_of(tmp_path, "def f():\n    return {}['x']\n\n\nprint('before')\nf()\n")
    alone = subprocess.run([sys.executable, str(script)], capture_output=True, encoding="utf-8")
    done, trace = record(script, path=tmp_path / "t.json")
    assert done.returncode == 1 and alone.stderr in done.stderr  # the same traceback, without a frame of ours
    schema(trace)
    assert trace["end"] == {"how": "exception", "status": 1, "text": "KeyError: 'x'"}
    assert [(step["line"], step["function"]) for step in kinds(trace, "line")] == [
        (1, "<module>"), (5, "<module>"), (6, "<module>"), (2, "f")]  # fmt: skip
    assert [(step["line"], step["text"]) for step in kinds(trace, "raise")] == [(2, "KeyError: 'x'")]


def test_an_exception_is_told_from_one_that_was_caught(tmp_path, schema):
    text = "try:\n    {}['x']\nexcept KeyError:\n    print('none')\n"
    _done, trace = record(script_of(tmp_path, text), path=tmp_path / "clean.json")
    schema(trace)
    assert [step.get("caught") for step in kinds(trace, "raise")] == [True]
    _done, trace = record(script_of(tmp_path, f"{text}[][1]\n"), path=tmp_path / "crash.json")
    assert [step.get("caught") for step in kinds(trace, "raise")] == [True, None]
    # One that made a call fail is none that was caught, though the run went on; one that a tool hid is.
    assert [step.get("caught") for step in kinds(committed("s05"), "raise")] == [None]
    assert [step.get("caught") for step in kinds(committed("s05-break"), "raise")] == [True]


def test_a_script_that_is_no_python(tmp_path):
    done, trace = record(script_of(tmp_path, "def f(:\n"), path=tmp_path / "t.json")
    assert done.returncode == 1 and "SyntaxError" in done.stderr
    assert trace["end"]["how"] == "exception" and "SyntaxError" in trace["end"]["text"]


def test_a_sudden_death_keeps_what_happened_until_then(tmp_path, schema):
    done, trace = record(script_of(tmp_path, "import os\nprint('alive')\nos._exit(9)\n"), path=tmp_path / "t.json")
    assert done.returncode == 9
    schema(trace)
    assert trace["end"] == {"how": "killed", "status": 9, "text": None}
    assert [step["line"] for step in kinds(trace, "line")] == [1, 2, 3]
    assert kinds(trace, "print")[0]["text"] == "alive\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal here")
def test_ctrl_c_leaves_a_whole_trace(tmp_path, schema):
    script = script_of(tmp_path, "import time\nprint('ready', flush=True)\nfor _ in range(600):\n    time.sleep(0.1)\n")
    path = tmp_path / "t.json"
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "run", str(script), "--trace", str(path)],
        env=clean_env(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        encoding="utf-8", start_new_session=True,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    _out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 130 and err.rstrip().endswith("KeyboardInterrupt")
    trace = files.load(path)
    schema(trace)
    assert trace["end"]["how"] == "interrupted" and trace["end"]["status"] == 130


def test_threads_are_told_apart(tmp_path):
    script = script_of(
        tmp_path,
        "import threading, time\n\n\ndef work(n):\n    time.sleep(0.1 * n)\n    print(n)\n\n\n"
        "threads = [threading.Thread(target=work, args=(n,)) for n in (1, 2)]\n"
        "for thread in threads:\n    thread.start()\nfor thread in threads:\n    thread.join()\n",
    )
    _done, trace = record(script, path=tmp_path / "t.json")
    for lane in (1, 2):
        lines = [step["line"] for step in kinds(trace, "line") if step.get("lane") == lane]
        assert lines == [5, 6]
    assert {step["text"]: step.get("lane") for step in kinds(trace, "print")} == {"1\n": 1, "2\n": 2}


def test_messages_changed_in_place_are_told(tmp_path):
    script = script_of(
        tmp_path,
        "def main(messages):\n    messages.append({'role': 'assistant', 'content': []})\n"
        "    messages[-1]['content'].append({'type': 'text', 'text': 'late'})\n    messages[:] = messages[1:]\n"
        "    return messages\n\n\nmain([{'role': 'user', 'content': 'hi'}])\n",
    )
    _done, trace = record(script, path=tmp_path / "t.json")
    late = {"role": "assistant", "content": [{"type": "text", "text": "late"}]}
    assert [(step["from"], step["messages"]) for step in kinds(trace, "messages")] == [
        (0, [{"role": "user", "content": "hi"}]),
        (1, [{"role": "assistant", "content": []}]),
        (1, [late]),
        (0, [late]),
    ]


def test_a_loop_without_end_does_not_fill_the_disk(tmp_path):
    script = script_of(tmp_path, "total = 0\nfor n in range(200_000):\n    total += n\nprint(total)\n")
    began = time.perf_counter()
    done, trace = record(script, path=tmp_path / "t.json")
    assert done.stdout == "19999900000\n" and time.perf_counter() - began < SECONDS
    assert len(kinds(trace, "line")) <= 20_000 and kinds(trace, "cut") == [{"kind": "cut", "lines": 20_000,
        "t": kinds(trace, "cut")[0]["t"]}]  # fmt: skip
    assert kinds(trace, "print")[-1]["text"] == "19999900000\n"
    assert (tmp_path / "t.json").stat().st_size < 2_000_000


def test_a_key_never_enters_a_trace(tmp_path):
    exchanges = []
    upstream = start(lambda: create_app(observe=exchanges.append))
    script = script_of(
        tmp_path,
        SOURCES["s01"].replace('print(f"> {prompt}")', 'print(f"> {prompt}", client.api_key, dict(os.environ))'),
    )
    path = tmp_path / "t.json"
    env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": upstream.base_url}
    try:
        done, trace = record(script, f"Is {KEY} a city?", path=path, **env)
    finally:
        upstream.stop()
    assert done.returncode == 0 and exchanges[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY in done.stdout  # the script may print it; the trace may not keep it
    text = path.read_text(encoding="utf-8")
    assert KEY not in text and "[key]" in text and "authorization" not in text.lower()
    assert trace["answered_by"] == "127.0.0.1"


def test_faults_and_retries_are_in_the_trace(tmp_path, schema):
    done = subprocess.run(
        [sys.executable, "-m", "course", "run", "s05", "--trace", str(tmp_path / "t.json"), "--fault", "reset",
         "--fault", "html"],
        env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 1
    trace = files.load(tmp_path / "t.json")
    schema(trace)
    assert [each["status"] for each in trace["exchanges"]] == [None, 200]
    assert not trace["exchanges"][0]["complete"] and "<html>" in trace["exchanges"][1]["text"]
    assert trace["end"]["how"] == "exception"


def test_a_trace_that_cannot_be_written_is_said_before_the_run(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "course", "run", "s01", "--trace", str(tmp_path / "no" / "t.json")],
        env=clean_env(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
    )  # fmt: skip
    assert done.returncode == 2 and not done.stdout
    assert "cannot be written" in done.stderr and "Traceback" not in done.stderr


# --- `course replay` and files that may be anybody's -----------------------------------------------------------------


def replay(path, *flags, **env):
    return subprocess.run(
        [sys.executable, "-m", "course", "replay", str(path), *flags],
        env=clean_env(**env), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=SECONDS,
    )  # fmt: skip


def test_replay_tells_the_story():
    done = replay(make.FOLDER / "s05.json")
    assert done.returncode == 0, done.stderr
    for text in ("turn 1: request", "<<< tool_use", "create_calendar_event begins", "is_error", "turn 3: end_turn",
                 "ValueError: attendees: 15 people", "The script ran to its end."):  # fmt: skip
        assert text in done.stdout, text
    assert "def " not in done.stdout


def test_replay_shows_lines_on_request():
    done = replay(make.FOLDER / "s01.json", "--lines")
    assert re.search(r"^ +\d+ +reply = ask_claude\(messages\)$", done.stdout, re.MULTILINE)


@pytest.mark.parametrize("language, word", [("zh", "脚本运行完毕"), ("de", "Das Skript lief bis zum Ende")])
def test_replay_in_three_languages(language, word):
    assert word in replay(make.FOLDER / "s01.json", COURSE_LANG=language).stdout


def spoiled(change):
    trace = json.loads((make.FOLDER / "s01.json").read_text(encoding="utf-8"))
    change(trace)
    return json.dumps(trace).encode()


BAD_FILES = {
    "empty": b"",
    "no text": b"\xff\xfe\x00",
    "no json": b"{",
    "deep": b"[" * 200_000,
    "other json": b'{"steps": []}',
    "list": b"[]",
    "no version": spoiled(lambda trace: trace.update(version="1")),
    "newer": spoiled(lambda trace: trace.update(version=2)),
    "cut": (make.FOLDER / "s01.json").read_bytes()[:5000],
    "no steps": spoiled(lambda trace: trace.pop("steps")),
    "wrong type": spoiled(lambda trace: trace["steps"][3].update(line="x")),
    "wrong kind": spoiled(lambda trace: trace["steps"][3].update(kind="dance")),
    "wrong place": spoiled(lambda trace: trace["steps"].append({"kind": "call", "call": 99})),
    "negative place": spoiled(lambda trace: trace["steps"].append({"kind": "reply", "exchange": -1})),
    "gap": spoiled(lambda trace: trace["steps"].append({"kind": "messages", "from": 50, "messages": []})),
    "call of nothing": spoiled(lambda trace: trace["calls"][0].update(exchange=7)),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_is_one_sentence(name, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(BAD_FILES[name])
    with pytest.raises(ValueError) as caught:
        files.load(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_the_command_says_that_sentence_and_fails(tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(BAD_FILES["newer"])
    for file in (path, tmp_path / "none.json", tmp_path):
        done = replay(file)
        assert done.returncode == 2 and not done.stdout and len(done.stderr.splitlines()) == 1, done.stderr


def test_a_hostile_trace_cannot_steer_the_terminal(tmp_path):
    evil = "\x1b]0;owned\x07\x1b[2J\u202eevil"

    def change(trace):
        trace["script"] = trace["python"] = trace["answered_by"] = evil
        trace["arguments"] = [evil]
        trace["end"].update(how="exception", status=1, text=evil)
        trace["source"] = evil
        for step in trace["steps"]:
            step.update({name: evil for name in ("text", "function") if name in step})
        for call in trace["calls"]:
            call.update(name=evil, result=evil)
        for exchange in trace["exchanges"]:
            exchange["path"] = evil
            exchange["request"] = {evil: evil, "messages": [{"role": evil, "content": [{"type": evil, evil: evil}]}]}
            exchange["reply"]["stop_reason"] = evil
            exchange["reply"]["content"] = [{"type": "text", "text": evil}, {"type": evil}]

    path = tmp_path / "evil.json"
    path.write_bytes(spoiled(change))
    done = replay(path, "--lines")
    assert done.returncode == 0, done.stderr
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.stdout)
    assert "\\x1b" in done.stdout
