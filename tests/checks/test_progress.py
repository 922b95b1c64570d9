"""The progress is kept, whatever ends a command; and what a check leaves behind is nothing."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from course.checks import progress
from course.checks.exercises import exercises
from course.checks.runner import run_program

ROOT = Path(__file__).parents[2]
EXERCISE = exercises()[0]
HEAD = "import anthropic\nfrom course import load_env\nload_env()\nclient = anthropic.Anthropic()\n"
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says where a process was started")
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")


@pytest.fixture
def course(tmp_path):
    """Begin a command in a copy of the course in which s01 is solved; returns the process."""
    for folder in ("course", "exercises"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "my").mkdir()
    (tmp_path / "tmp").mkdir()
    for exercise in exercises()[:3]:
        shutil.copyfile(exercise.solution, tmp_path / exercise.shown)

    def begin(*arguments, **options):
        environment = os.environ | {"COURSE_LANG": "en", "PYTHONPATH": str(tmp_path), "TMPDIR": str(tmp_path / "tmp")}
        command = [sys.executable, "-u", "-m", "course", *arguments]
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT} | options
        return subprocess.Popen(command, cwd=tmp_path, env=environment, encoding="utf-8", **streams)

    begin.folder = tmp_path
    return begin


def passed(course):
    file = course.folder / ".course" / "progress.json"
    return list(json.loads(file.read_text(encoding="utf-8"))["passed"]) if file.exists() else []


def test_two_commands_at_once_lose_nothing(course):
    running = [course("check", f"s01/{number}") for number in (1, 2, 3)] + [course("hint", "s02/1")]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert passed(course) == ["s01/1", "s01/2", "s01/3"]
    assert progress.load(course.folder / ".course" / "progress.json").hints == {"s02/1": 1}


def test_two_hundred_changes_at_once(tmp_path):
    file = tmp_path / "progress.json"
    code = (
        "import sys\nfrom pathlib import Path\nfrom course.checks import progress\n"
        "for number in range(50):\n"
        "    with progress.changing(Path(sys.argv[1])) as done:\n"
        "        done.hints['s01/1'] = done.hints.get('s01/1', 0) + 1\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(file)]) for _number in range(4)]
    assert [process.wait(60) for process in running] == [0, 0, 0, 0]
    assert progress.load(file).hints == {"s01/1": 200}


def test_a_reader_that_leaves_loses_nothing(course):
    process = course("check", "s01")
    assert "s01/1" in process.stdout.readline()
    process.stdout.close()
    process.wait(60)
    assert "s01/1" in passed(course)


@POSIX
def test_a_kill_loses_nothing(course):
    process = course("check", "s01")
    assert "passed" in process.stdout.readline()
    process.kill()
    process.communicate()
    assert "s01/1" in passed(course)


@pytest.mark.parametrize("damaged", ["[1, 2", '{"passed": []', "[]", "\0\0", "[" * 100_000])
def test_a_damaged_file_is_kept_aside(tmp_path, damaged):
    file = tmp_path / "progress.json"
    file.write_text(damaged, encoding="utf-8")
    progress.set_aside.clear()
    assert progress.load(file) == progress.Progress()
    (aside,) = progress.set_aside
    assert aside.read_text(encoding="utf-8") == damaged
    with progress.changing(file) as done:
        done.passed["s01/1"] = "2027-01-01"
    assert progress.load(file).passed == {"s01/1": "2027-01-01"}


def test_the_reader_hears_of_it(course):
    (course.folder / ".course").mkdir()
    (course.folder / ".course" / "progress.json").write_text("{", encoding="utf-8")
    out, _ = course("progress").communicate()
    assert "could not be read" in out and ".course/progress-unreadable-" in out
    assert f"0 of {len(exercises())} passed." in out


def test_what_comes_next_is_what_comes_after(course):
    for exercise in exercises():
        if exercise.id == "s04/3":
            shutil.copyfile(exercise.solution, course.folder / exercise.shown)
    out, _ = course("check", "s04/3").communicate()
    assert "Next: s05/1" in out
    out, _ = course("check").communicate()
    assert out.startswith("my/s05_1_")


def test_progress_as_json(course):
    course("check", "s01/1").communicate()
    said = json.loads(course("progress", "--json").communicate()[0])
    assert (said["passed"], said["count"], said["exercises"][0]["id"]) == (1, len(exercises()), "s01/1")
    assert said["exercises"][0]["passed"] and said["exercises"][1]["passed"] is None


# --- what a check leaves behind ---------------------------------------------------------------------------------------


def check(tmp_path, starter, body, seconds=5.0):
    path = tmp_path / "program.py"
    path.write_text(HEAD + body, encoding="utf-8")
    run = run_program(path, EXERCISE.play, starter, "my/x.py", seconds)
    return run, EXERCISE.judge(run)


def alive(pid):
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False


@LINUX
@pytest.mark.parametrize("how", ["subprocess.Popen(['sleep', '60'], start_new_session=True)",
                                 "subprocess.Popen(['setsid', 'sleep', '60'])",
                                 "os.fork() or (os.setsid(), time.sleep(60))"])  # fmt: skip
def test_what_leaves_the_session_is_ended_too(tmp_path, starter, how):
    note = tmp_path / "pid"
    body = f"import os, subprocess, time\nstarted = {how}\npid = getattr(started, 'pid', started)\n"
    run, _verdict = check(tmp_path, starter, body + f"open({str(note)!r}, 'w').write(str(pid))\n")
    assert run.failure is None
    deadline = time.monotonic() + 5
    while alive(note.read_text(encoding="utf-8")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(note.read_text(encoding="utf-8"))


@POSIX
@pytest.mark.parametrize(("end", "what"), [("os.kill(os.getpid(), 11)", "SIGSEGV"), ("os._exit(3)", "os._exit(3)")])
def test_an_end_that_python_does_not_see_is_named(tmp_path, starter, end, what):
    run, verdict = check(tmp_path, starter, f"import os\n{end}\n")
    assert (verdict.id, run.died) == ("died", what)
    assert all(what in EXERCISE.explain(verdict, language).seen for language in ("en", "zh", "de"))


@pytest.mark.parametrize("content", ["[]", "{}", '{"failure": 3, "line": "x", "reached": 1, "hung": false}', "\0"])
def test_a_report_that_the_program_wrote_itself(tmp_path, starter, content):
    body = f"import atexit, os\nfile = os.path.join(os.path.dirname(os.getcwd()), 'report.json')\n" \
           f"open(file, 'w').write({content!r})\nos._exit(0)\n"  # fmt: skip
    _run, verdict = check(tmp_path, starter, body)
    assert verdict.id == "no_request"


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP] if os.name != "nt" else [])
def test_sigterm_leaves_neither_program_nor_folder(course, number):
    note = course.folder / "pid"
    body = f"import os, time\nopen({str(note)!r}, 'w').write(str(os.getpid()))\ntime.sleep(60)\n"
    (course.folder / EXERCISE.shown).write_text(HEAD + body, encoding="utf-8")
    process = course("check", EXERCISE.id)
    deadline = time.monotonic() + 30
    while not (note.exists() and note.read_text(encoding="utf-8")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(number)
    out, _ = process.communicate(timeout=20)
    assert process.returncode == 128 + number and "Traceback" not in out
    with pytest.raises(ProcessLookupError):
        os.kill(int(note.read_text(encoding="utf-8")), 0)
    assert list((course.folder / "tmp").iterdir()) == []


@POSIX
def test_what_passes_counts_though_nobody_reads_on(course):
    """`course check s01 | head -0`"""
    reading, writing = os.pipe()
    process = course("check", "s01", stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    os.close(reading)
    assert process.communicate(timeout=60)[1] == "" and process.returncode == 1
    assert passed(course) == ["s01/1", "s01/2", "s01/3"]


@POSIX
@pytest.mark.parametrize("what", ["s01/1", "s01"])
def test_two_signals_at_once_leave_nothing(what, course):
    noted = course.folder / "pid"
    hang = HEAD + f"import os, time\nopen({str(noted)!r}, 'w').write(f'{{os.getpid()}}.')\ntime.sleep(60)\n"
    (course.folder / EXERCISE.shown).write_text(hang, encoding="utf-8")
    process = course("check", what)
    latest = time.monotonic() + 30
    while not (noted.exists() and noted.read_text(encoding="utf-8").endswith(".")) and time.monotonic() < latest:
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGHUP)
    out, _ = process.communicate(timeout=8)
    assert process.returncode in (128 + signal.SIGTERM, 128 + signal.SIGHUP) and "Traceback" not in out
    with pytest.raises(ProcessLookupError):
        os.kill(int(noted.read_text(encoding="utf-8")[:-1]), 0)
    assert list((course.folder / "tmp").iterdir()) == []


@LINUX
def test_a_daemon_that_left_session_and_folder_is_ended(starter, tmp_path):
    pid = tmp_path / "pid"
    source = (
        HEAD
        + f"""
import os, time
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    os.chdir("/")
    open({str(pid)!r}, "w").write(str(os.getpid()))
    time.sleep(60)
while not (os.path.exists({str(pid)!r}) and os.path.getsize({str(pid)!r})):
    time.sleep(0.01)
"""
    )
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    run_program(tmp_path / "program.py", EXERCISE.play, starter)
    stat = Path(f"/proc/{pid.read_text(encoding='utf-8')}/stat")
    latest = time.monotonic() + 5  # it is killed; who inherited it has yet to take note
    while (alive := stat.exists() and ") Z " not in stat.read_text(encoding="utf-8")) and time.monotonic() < latest:
        time.sleep(0.01)
    assert not alive


def test_output_that_the_program_removed(starter, tmp_path):
    source = HEAD + "import os\nos.remove('../out')\n"
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    assert EXERCISE.judge(run_program(tmp_path / "program.py", EXERCISE.play, starter)).id == "no_request"


# --- --watch ----------------------------------------------------------------------------------------------------------


@POSIX
def test_watch_checks_at_each_save_and_goes_on(course):
    file = course.folder / EXERCISE.shown
    solution = file.read_text(encoding="utf-8")
    file.write_text(EXERCISE.starter.read_text(encoding="utf-8"), encoding="utf-8")
    process = course("check", "s01", "--watch")

    def until(words):
        lines = []
        for line in process.stdout:
            lines.append(line)
            if words in line:
                return "".join(lines)
        raise AssertionError("".join(lines))

    assert "not yet" in until(f"Watching {EXERCISE.shown}")
    new = file.with_suffix(".new")  # as an editor saves
    new.write_text(solution, encoding="utf-8")
    new.replace(file)
    assert "passed" in until("Watching my/s01_2_thinking_first.py")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert "No longer watching" in out and "Traceback" not in out and process.returncode == 0
    assert passed(course) == ["s01/1"]
