"""`course run`: the script as it is, in a process of its own, with its prompt, folder, exit status and Ctrl-C."""

import os
import signal
import subprocess
import sys

import pytest

from course.commands.run import find_script
from course.lessons import LESSONS
from tests.commands.test_cli import course, one_sentence
from tests.conftest import ROOT, clean_env

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


def script(folder, text):
    path = folder / "mein skript ü.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_it_prints_what_the_script_alone_prints(tmp_path):
    lesson = LESSONS[0]
    alone = subprocess.run(
        [sys.executable, str(lesson.path)],
        env=clean_env(),
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert alone.returncode == 0
    run = course("run", lesson.id, cwd=tmp_path)
    assert (run.returncode, run.stdout, run.stderr) == (0, alone.stdout, alone.stderr)


def test_a_lesson_has_three_names():
    for lesson in LESSONS:
        for name in (lesson.id, lesson.file, lesson.file.removesuffix(".py")):
            assert find_script(name) == lesson.path


def test_a_prompt_replaces_the_lessons_own():
    run = course("run", "s01", "What should I wear", "in", "Oslo?")
    assert run.stdout.startswith("> What should I wear in Oslo?\n")
    assert "snow" in run.stdout


def test_own_script_folder_arguments_and_exit_status(tmp_path):
    own = script(tmp_path, "import os, sys\nprint(os.getcwd(), sys.argv[1:], sys.executable)\nsys.exit(7)\n")
    for options in ([], ["--offline"]):
        run = course("run", own, *options, "--", "-x", "ü 中文", cwd=tmp_path)
        assert run.returncode == 7
        assert run.stdout.strip() == f"{tmp_path} {['-x', 'ü 中文']} {sys.executable}"


def test_stdin_reaches_the_script(tmp_path):
    own = script(tmp_path, "print(input() + '!')\n")
    run = subprocess.run(
        [sys.executable, "-m", "course", "run", own],
        cwd=ROOT,
        env=clean_env(),
        input="hello\n",
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert run.stdout == "hello!\n"


def test_offline_wins_over_a_key(recorder):
    server = recorder()
    run = course("run", "s01", "--offline", **server.env)
    assert run.returncode == 0
    assert "turn 2: end_turn" in run.stdout
    assert server.exchanges == []


def test_real_wins_over_course_offline(recorder):
    server = recorder()
    run = course("run", "s01", "--real", COURSE_OFFLINE="1", **server.env)
    assert run.returncode == 0
    assert len(server.requests) == 2


def test_real_without_a_key_is_refused(tmp_path):
    # A script outside the repository, so that no .env of this machine counts.
    own = script(tmp_path, "print('ran')\n")
    sentence = one_sentence(course("run", own, "--real", ANTHROPIC_CONFIG_DIR=str(tmp_path)))
    assert sentence.startswith("There is no key for --real")


def test_real_takes_the_key_from_the_env_file_beside_the_script(tmp_path):
    (tmp_path / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-test\n", encoding="utf-8")
    own = script(tmp_path, "print('ran')\n")
    assert course("run", own, "--real", ANTHROPIC_CONFIG_DIR=str(tmp_path)).stdout == "ran\n"


def started(own):
    """`course run` in a process group of its own, as a terminal has it, and its script running."""
    process = subprocess.Popen(
        [sys.executable, "-m", "course", "run", own],
        cwd=ROOT,
        env=clean_env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdout.readline() == "ready\n"
    return process


WAITS = "import time\nprint('ready', flush=True)\ntime.sleep(60)\n"


@posix
def test_ctrl_c_ends_the_script_and_leaves_no_traceback_of_the_command(tmp_path):
    process = started(script(tmp_path, WAITS))
    os.killpg(process.pid, signal.SIGINT)
    _out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert "run.py" not in err.replace("runpy", "")
    assert err.rstrip().endswith("KeyboardInterrupt")


@posix
def test_a_script_that_takes_ctrl_c_goes_on(tmp_path):
    own = script(
        tmp_path,
        "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(60)\n"
        "except KeyboardInterrupt:\n    print('still here')\n",
    )
    process = started(own)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "still here\n") and "Traceback" not in err


@posix
def test_ending_the_command_ends_the_script(tmp_path):
    process = started(
        script(tmp_path, "import os\nprint('ready', flush=True)\nprint(os.getpid(), flush=True)\n" + WAITS)
    )
    child = int(process.stdout.readline())
    assert process.stdout.readline() == "ready\n"
    process.terminate()
    process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGTERM
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@posix
def test_a_script_killed_by_a_signal_has_the_status_that_shells_give(tmp_path):
    own = script(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert course("run", own).returncode == 137


BARE = """
import sys
import anthropic
reply = anthropic.Anthropic().messages.create(
    model="claude-sonnet-5-5", max_tokens=500, messages=[{"role": "user", "content": "Hello"}])
print(reply.stop_reason, sys.argv[1:])
"""


@pytest.mark.parametrize(
    "words, env",
    [
        ([], {}),
        (["--offline"], {"ANTHROPIC_API_KEY": "sk-ant-0123456789", "HTTP_PROXY": "http://127.0.0.1:9"}),
        pytest.param(
            ["--offline"],
            {"ALL_PROXY": "socks5://127.0.0.1:9", "SSL_CERT_FILE": "/nowhere.pem"},
            marks=pytest.mark.extra,
        ),
    ],
)
def test_a_script_that_does_not_know_this_course_gets_the_stand_in(tmp_path, words, env):
    script = tmp_path / "mine äö.py"
    script.write_text(BARE, encoding="utf-8")
    done = course("run", str(script), "", "a prompt", *words, **env)
    assert (done.returncode, done.stdout) == (0, "end_turn ['', 'a prompt']\n"), done.stderr
    assert "stand-in answers" in done.stderr


@pytest.mark.parametrize(
    "words", [["s03", "--wire", "json"], ["--wire", "json", "s03"], ["s01", ""], ["s01", " \n"], ["s01", "a\udcffb"]]
)
def test_what_is_no_prompt_is_not_sent(words):
    done = course("run", *words)
    one_sentence(done)
    assert done.returncode == 2 and "[course]" not in done.stderr


def test_what_was_typed_does_not_steer_the_terminal():
    for words in (["run", "\x1b]0;x\x07"], ["\x9b31m"]):
        done = course(*words)
        assert done.returncode == 2 and not {"\x1b", "\x07", "\x9b"} & set(done.stderr)
