"""`course`: the lessons, help, and one clear sentence for a wrong command line, in three languages."""

import select
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from course.cli import command_names
from course.commands.run import meant
from course.lessons import LESSONS
from tests.conftest import ROOT, clean_env

LANGUAGES = ("en", "zh", "de")


def course(*args, lang="en", program=(sys.executable, "-m", "course"), cwd=ROOT, **env):
    return subprocess.run(
        [*program, *args],
        cwd=cwd,
        env=clean_env(COURSE_LANG=lang, **env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=60,
    )


def one_sentence(run):
    """The sentence of a refused command line: nothing else was printed, and the status is 2."""
    assert run.returncode == 2
    assert run.stdout == ""
    (line,) = run.stderr.splitlines()
    assert line.startswith("course: ")
    return line.removeprefix("course: ")


def installed():
    name = "course.exe" if sys.platform == "win32" else "course"
    return Path(sysconfig.get_path("scripts")) / name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_alone_it_lists_the_lessons_in_the_readers_language(lang):
    run = course(lang=lang)
    assert run.returncode == 0
    lines = run.stdout.splitlines()
    for lesson, line in zip(LESSONS, lines, strict=False):
        assert line.startswith(lesson.id)
        assert lesson.title[lang] in line
        assert str(lesson.minutes) in line


def test_the_installed_program_is_the_same_as_the_module():
    assert course(program=[str(installed())]).stdout == course().stdout


@pytest.mark.parametrize("lang", LANGUAGES)
def test_help_names_every_command(lang):
    run = course("--help", lang=lang)
    assert run.returncode == 0
    for name in command_names():
        assert f"course {name} " in run.stdout


@pytest.mark.parametrize("name", command_names())
def test_every_command_has_help(name):
    run = course(name, "--help")
    assert run.returncode == 0
    assert run.stdout.startswith(f"usage: course {name}")


def test_help_is_german_throughout():
    out = course("serve", "--help", lang="de").stdout
    assert out.startswith("Aufruf: course serve")
    assert "Optionen:" in out
    assert "diese Hilfe zeigen" in out
    assert "options" not in out


@pytest.mark.parametrize(
    ("lang", "expected"),
    [
        ("en", "There is no command `rnu`; did you mean `course run`?"),
        ("de", "Den Befehl `rnu` gibt es nicht. Meintest du `course run`?"),
        ("zh", "没有命令 `rnu`。你是想运行 `course run` 吗？"),
    ],
)
def test_an_unknown_command(lang, expected):
    assert one_sentence(course("rnu", lang=lang)) == expected


@pytest.mark.parametrize(
    ("args", "lang", "expected"),
    [
        (["run"], "en", "the following arguments are required: lesson."),
        (["run"], "de", "es fehlt: lesson."),
        (["run"], "zh", "缺少参数：lesson。"),
        (["run", "s01", "--fast"], "en", "unrecognized arguments: --fast."),
        (["run", "s01", "--fast"], "de", "unbekannte Argumente: --fast."),
        (["run", "s01", "--fast"], "zh", "无法识别的参数：--fast。"),
        (["run", "s01", "--offline", "--real"], "de", "Argument --real: nicht zusammen mit --offline."),
        (["serve", "--port"], "de", "Argument --port: hier fehlt ein Wert."),
        (["serve", "--port", "http"], "zh", "参数 --port：端口是 0 到 65535 之间的数字，不能是 http。"),
        (["run", "x99"], "en", "There is no lesson x99; the lessons are s01 to "),
        (["run", "x99"], "de", "Die Lektion x99 gibt es nicht."),
        (["run", "missing.py"], "en", f"There is no file {ROOT / 'missing.py'}."),
        (["run", "my/s01_1_close.py"], "en", f"There is no file {ROOT / 'my' / 's01_1_close.py'}."),
        (["hint", "s1/1"], "en", "There is no exercise s1/1; did you mean s01/1?"),
        (["check", "s01.1"], "de", "Die Übung s01.1 gibt es nicht. Meintest du s01/1?"),
        (["reset", "s1"], "zh", "没有练习 s1。你是想说 s01 吗？"),
        (["errors", "max_token"], "de", "Den Fehler max_token gibt es nicht."),
        (["errors", "unexpected_tool_id"], "en", "There is no error unexpected_tool_id; did you mean `course errors "),
    ],
)
def test_a_wrong_command_line(args, lang, expected):
    assert one_sentence(course(*args, lang=lang)).startswith(expected)


@pytest.mark.parametrize(
    "name",
    ["s1", "S01", "so1", "1", "s01.py", "agents/s01", "agents\\s01.py", "agents/s01_agent_lop.py", "agent_loop"],
)
def test_the_lesson_that_was_meant(name):
    assert meant(name) == "s01"


def test_a_number_that_no_lesson_has_is_not_taken_for_another():
    assert meant("s99") is None and meant("s0") is None


def test_a_lesson_in_place_of_a_command():
    assert "did you mean `course run s01`?" in one_sentence(course("s01"))


def test_a_console_that_cannot_show_it_gets_a_replacement_not_a_traceback():
    for encoding in ("ascii", "cp1252", "gbk"):
        run = subprocess.run(
            [sys.executable, "-m", "course", "serve", "--port", "x"],
            cwd=ROOT,
            env=clean_env(COURSE_LANG="zh", PYTHONUTF8="0", PYTHONIOENCODING=encoding),
            capture_output=True,
            timeout=60,
        )
        assert run.returncode == 2
        assert b"Traceback" not in run.stderr
        listed = subprocess.run(
            [sys.executable, "-m", "course"],
            cwd=ROOT,
            env=clean_env(COURSE_LANG="zh", PYTHONUTF8="0", PYTHONIOENCODING=encoding),
            capture_output=True,
            timeout=60,
        )
        assert (listed.returncode, listed.stderr) == (0, b"")
        assert b"s01" in listed.stdout


def test_a_pipe_that_closes_early_is_no_error():
    run = subprocess.Popen(
        [sys.executable, "-m", "course", "--help"],
        cwd=ROOT,
        env=clean_env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    run.stdout.close()
    assert run.stderr.read() == b""
    run.stderr.close()
    run.wait(timeout=60)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_sentence():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "course"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", env=clean_env())
    assert done.returncode == 1
    assert done.stderr.splitlines() == ["course: The output cannot be written: No space left on device"]


@pytest.mark.skipif(not hasattr(select, "epoll"), reason="only Linux has something that cannot be written to like this")
def test_a_pipe_that_closes_early_on_windows_is_no_error():
    """There it is EINVAL. An epoll gives that too to whoever writes into it."""
    with select.epoll() as unwritable:
        run = subprocess.run(
            [sys.executable, "-m", "course", "--help"],
            env=clean_env(),
            stdout=unwritable.fileno(),
            stderr=subprocess.PIPE,
            timeout=60,
        )
    assert (run.returncode, run.stderr) == (1, b"")


def test_importing_the_course_loads_neither_sdk_nor_server():
    code = (
        "import sys, course; print([n for n in ('anthropic', 'uvicorn', 'httptools', 'asyncio') if n in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60)
    assert run.stdout.strip() == "[]"
