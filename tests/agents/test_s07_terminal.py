"""s07 in a real terminal: approval, Ctrl-C, what is typed and pasted."""

import itertools
import json
import sys
import time

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import pexpect

from tests.agents.playing import Playing, bash, prompts_in, results_in, text
from tests.agents.test_s07 import RUN, SCRIPT, gone, running, wait_for
from tests.conftest import clean_env

WITHOUT_READLINE = (
    "import runpy, sys; sys.modules['readline'] = None; sys.argv.pop(0); "
    "runpy.run_path(sys.argv[0], run_name='__main__')"
)
QUESTION = "Run it? [Enter: yes, anything else: no] "
NOT_IN_HASTE = 0.4  # seconds; an answer in less than 0.2 does not count


@pytest.fixture
def session(tmp_path):
    """session(server, *arguments) -> the script in a terminal, at its first prompt, in a workspace of its own."""
    spawned = []

    def start(server, *arguments, python=()):
        command = [*python, str(SCRIPT), "--workspace", str(tmp_path / "workspace"), *arguments]
        env = clean_env(**server.env, TERM="xterm", LC_ALL="C.UTF-8")
        child = pexpect.spawn(sys.executable, command, env=env, encoding="utf-8", timeout=30, dimensions=(50, 200))
        spawned.append(child)
        child.expect_exact("nothing keeps them there.")
        child.expect_exact("> ")
        return child

    yield start
    for child in spawned:
        child.close(force=True)


def answer(child, keys):
    child.expect_exact(QUESTION)
    time.sleep(NOT_IN_HASTE)
    child.sendline(keys)


def leave(child):
    child.sendline("exit")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert "Traceback" not in child.before


def test_a_session_with_one_history_in_which_each_command_asks(session, recorder, tmp_path):
    server = recorder()
    child = session(server)
    child.sendline("Create hello.py that prints a greeting and run it")
    answer(child, "")
    child.expect_exact("  $ cat > hello.py <<'EOF'\r\n  > print(\"Hello, world!\")\r\n  > EOF\r\n")
    assert not (tmp_path / "workspace" / "hello.py").exists()
    answer(child, "y")
    child.expect_exact("  $ python3 hello.py")
    answer(child, "n")
    child.expect_exact("You declined this, so I did not run it and stopped here: python3 hello.py")
    child.expect_exact("> ")
    (result,) = results_in(server.requests[-1])
    assert result == "Error: PermissionError: not run, because the user declined it: n"

    child.sendline("")
    child.expect_exact("> ")
    child.sendline("Show hello.py")
    answer(child, "no, leave it alone")
    child.expect_exact("You declined this")
    child.expect_exact("> ")
    assert "declined it: no, leave it alone" in results_in(server.requests[-1])[0]
    assert prompts_in(server.requests[-1]) == ["Create hello.py that prints a greeting and run it", "Show hello.py"]
    leave(child)


def test_ctrl_c_in_a_command_ends_it_and_the_turn_and_leaves_the_history_valid(session, recorder, tmp_path):
    workspace = tmp_path / "workspace"
    calls = [
        bash("echo done before"),
        bash(f"touch begun; sleep 7341{RUN} & sleep 7342{RUN}; touch late"),
        bash("touch never"),
    ]
    server = recorder(Playing([text("Now."), *calls]))
    child = session(server, "--yes")
    child.sendline("Go")
    wait_for(workspace / "begun")
    pressed = time.monotonic()
    child.sendintr()
    child.expect_exact("Interrupted.")
    assert time.monotonic() - pressed < 3
    child.expect_exact("> ")
    assert gone([f"sleep 7341{RUN}", f"sleep 7342{RUN}"]) == []
    child.sendline("And now?")
    child.expect_exact("Done.")
    assert [each.status for each in server.exchanges] == [200, 200]
    lost = "Error: interrupted by the user, "
    results = [block for block in server.requests[-1]["messages"][2]["content"]]
    assert [block["content"] for block in results] == [
        "exit code 0\ndone before",
        f"{lost}may have partly run",
        f"{lost}not run",
    ]
    assert [block["is_error"] for block in results] == [False, True, True]
    assert prompts_in(server.requests[-1]) == ["Go", "And now?"]
    assert sorted(path.name for path in workspace.iterdir()) == ["begun"]
    leave(child)


def test_an_interrupted_command_does_not_get_the_result_of_one_before(session, recorder):
    """Not every endpoint gives each call an id of its own."""
    playing = Playing([bash("echo before")], [bash(f"echo begun; sleep 7361{RUN}")])
    playing.ids = itertools.repeat("same")
    server = recorder(playing)
    child = session(server, "--yes")
    child.sendline("Go")
    child.expect_exact(f"$ echo begun; sleep 7361{RUN}")
    child.sendintr()
    child.expect_exact("Interrupted.")
    child.expect_exact("> ")
    child.sendline("And now?")
    child.expect_exact("> ")
    messages = json.loads(server.exchanges[-1].body)["messages"]
    assert messages[4]["content"][0]["content"] == "Error: interrupted by the user, may have partly run"
    leave(child)


def test_ctrl_c_at_the_question_runs_nothing(session, recorder, tmp_path):
    server = recorder(Playing([bash("touch here")]))
    child = session(server)
    child.sendline("Go")
    child.expect_exact(QUESTION)
    child.sendintr()
    child.expect_exact("Interrupted.")
    child.expect_exact("> ")
    child.sendline("And now?")
    child.expect_exact("Done.")
    assert server.exchanges[-1].status == 200
    (result,) = [block["content"] for block in server.requests[-1]["messages"][2]["content"]]
    assert result == "Error: interrupted by the user, not run"
    assert list((tmp_path / "workspace").iterdir()) == []
    leave(child)


def test_ctrl_c_during_a_call_of_the_api(session, recorder):
    playing = Playing([bash("echo one")], 7, [text("Too late.")], [text("Here.")], 7, [text("Too late.")])
    server = recorder(playing)
    child = session(server, "--yes")
    child.sendline("Go")
    child.expect_exact("exit code 0")  # the next call hangs
    time.sleep(NOT_IN_HASTE)
    pressed = time.monotonic()
    child.sendintr()
    child.expect_exact("Interrupted.")
    assert time.monotonic() - pressed < 3
    child.expect_exact("> ")
    child.sendline("And now?")
    child.expect_exact("Here.")
    child.expect_exact("> ")
    playing.asked.clear()
    child.sendline("Never mind this")  # a first call hangs: the prompt is taken back
    assert playing.asked.wait(10)
    child.sendintr()
    child.expect_exact("Interrupted.")
    child.expect_exact("> ")
    child.sendline("Last")
    child.expect_exact("Done.")
    assert prompts_in(server.requests[-1]) == ["Go", "And now?", "Last"]
    leave(child)


def test_ctrl_c_at_the_prompt_drops_the_line_and_ctrl_d_ends_the_session(session, recorder):
    server = recorder(Playing())
    child = session(server)
    child.send("half a prom")
    child.expect_exact("half a prom")
    child.sendintr()
    child.expect_exact("> ")
    child.sendline("whole")
    child.expect_exact("Done.")
    child.expect_exact("> ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    assert prompts_in(server.requests[-1]) == ["whole"]


@pytest.mark.parametrize("python", [(), ("-c", WITHOUT_READLINE)], ids=["readline", "no readline"])
def test_chinese_with_backspaces_and_a_paste(session, recorder, python):
    server = recorder(Playing())
    child = session(server, python=python)
    if python:
        set_utf8_erase(child)
    child.send("你好吗")
    child.send("\x7f\x7f")
    child.sendline("们，Grüße")
    child.expect_exact("Done.")
    expected = ["你们，Grüße"]
    if not python:
        child.expect_exact("\x1b[?2004h")  # asks the terminal to mark what is pasted
    child.expect_exact("> ")
    if not python:
        child.send("\x1b[200~first line\nsecond line\x1b[201~")
        child.send("\r")
        child.expect_exact("Done.")
        expected.append("first line\nsecond line")
    assert prompts_in(server.requests[-1]) == expected
    leave(child)


def set_utf8_erase(child):
    """Have the terminal erase characters and not bytes, as terminal programs do (stty iutf8)."""
    import termios

    settings = termios.tcgetattr(child.child_fd)
    settings[0] |= getattr(termios, "IUTF8", 0o40000)
    termios.tcsetattr(child.child_fd, termios.TCSANOW, settings)


def test_an_enter_before_the_question_does_not_approve(session, recorder, tmp_path):
    playing = Playing(1, [bash("touch unseen")])
    server = recorder(playing)
    child = session(server)
    child.sendline("Go")
    assert playing.asked.wait(10)
    child.send("\r\r\r")
    child.expect_exact(QUESTION)
    answer(child, "n")
    child.expect_exact("Done.")
    assert "declined" in results_in(server.requests[-1])[0]
    assert not (tmp_path / "workspace" / "unseen").exists()
    leave(child)


def test_a_closed_window_ends_the_command_that_runs(session, recorder):
    child = session(recorder(Playing([bash(f"sleep 7351{RUN}")])), "--yes")
    child.sendline("Go")
    end = time.monotonic() + 10
    while not running([f"sleep 7351{RUN}"]):
        assert time.monotonic() < end, "the command did not start"
        time.sleep(0.02)
    child.close(force=False)  # hangs up
    assert gone([f"sleep 7351{RUN}"], seconds=5) == []
