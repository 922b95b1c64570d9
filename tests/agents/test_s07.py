"""s07 without a terminal: what its tool promises, and sessions from a pipe or the command line."""

import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.agents.playing import Playing, bash, prompts_in, results_in, text
from tests.conftest import ROOT, Recorder, clean_env, run_script

SCRIPT = ROOT / "agents/s07_bash_agent.py"
RUN = f".{os.getpid()}"  # ends the length of each long sleep, so that those of another run are not found
posix = pytest.mark.skipif(sys.platform == "win32", reason="commands for bash")


COMMANDS = {
    "three": "echo out; echo err >&2; echo out again; exit 3",
    "silent": "true",
    "blank lines": "printf 'a\\n\\n\\n'",
    "slow writer": "sleep 0.3; echo first > order",
    "reader": "cat order; cd /; X=1",
    "new shell": "pwd; echo ${X:-unset}",
    "no input": "cat; read line; echo status $?",
    "long": "seq 1 20000",
    "at the bound": "printf 'x%.0s' $(seq 10000)",
    "over the bound": "printf 'x%.0s' $(seq 10001)",
    "bytes": "printf '\\377\\376\\000\\200 ok'",
    "noise": "head -c 100000 /dev/urandom",
    "languages": "echo 你好 Grüße",
    "red": "printf '\\033[31mred\\033[0m'",
    "disguised": "true # \x1b[2K\r  $ ls",
    "null byte": "echo a\0b",
    "too long": "echo " + "x" * 1_100_000,  # macOS takes a megabyte
    "background": f"sleep 7311{RUN} & echo started",
    "last": "echo still here",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """All COMMANDS, asked for in one reply: ({name: result}, what was printed, the workspace)."""
    server = Recorder(Playing([bash(command) for command in COMMANDS.values()]))
    workspace = tmp_path_factory.mktemp("workspace")
    try:
        done = run_script(SCRIPT, "--yes", "--workspace", str(workspace), "Go", **server.env)
        assert (done.status, "Traceback" in done.err) == (0, False), done.err
        return dict(zip(COMMANDS, results_in(server.requests[1]), strict=True)), done.out, workspace
    finally:
        server.stop()


@pytest.fixture
def run(recorder, tmp_path):
    """run(commands) -> (their results, what was printed): all of them in one reply, in a workspace of its own."""

    def go(*commands, script=SCRIPT, **env):
        server = recorder(Playing([bash(command) for command in commands]))
        workspace = tmp_path / "workspace"
        done = run_script(script, "--yes", "--workspace", str(workspace), "Go", **server.env | env)
        assert (done.status, "Traceback" in done.err) == (0, False), done.err
        return results_in(server.requests[1]), done

    return go


@pytest.fixture
def hurried(tmp_path):
    """The script with a time limit of three seconds."""
    source = SCRIPT.read_text(encoding="utf-8")
    assert "\nTIME_LIMIT = 30 " in source
    script = tmp_path / "hurried.py"
    script.write_text(source.replace("\nTIME_LIMIT = 30 ", "\nTIME_LIMIT = 3 "), encoding="utf-8")
    return script


def running(marks):
    """The processes whose command line holds one of the marks, the asking shell left out."""
    if sys.platform == "linux":  # a small container has no ps
        lines = [_command_line(folder) for folder in Path("/proc").glob("[0-9]*")]
    else:
        ps = ["ps", "-A", "-o", "args="]
        lines = subprocess.run(ps, capture_output=True, encoding="utf-8", errors="replace").stdout.splitlines()
    return [line for line in lines if any(mark in line for mark in marks)]


def _command_line(folder):
    try:
        return (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""  # it has ended


def gone(marks, seconds=1.0):
    """Wait until none of them runs, at most so long; return those that still do."""
    end = time.monotonic() + seconds
    while (left := running(marks)) and time.monotonic() < end:
        time.sleep(0.02)
    return left


# --- the tool ---------------------------------------------------------------------------------------------------------


@posix
def test_a_result_has_the_exit_code_and_the_output_in_order_errors_included(played):
    results, out, _ = played
    assert results["three"] == "exit code 3\nout\nerr\nout again"
    assert results["silent"] == "exit code 0\n(no output)"
    assert results["blank lines"] == "exit code 0\na"
    assert "  $ true\n    exit code 0\n    (no output)\n" in out


@posix
def test_commands_run_one_after_another_each_in_a_new_shell_in_the_workspace(played):
    results, _, workspace = played
    assert results["reader"] == "exit code 0\nfirst"
    assert results["new shell"] == f"exit code 0\n{workspace}\nunset"


@posix
def test_a_command_gets_no_input(played):
    assert played[0]["no input"] == "exit code 0\nstatus 1"


@posix
def test_a_long_output_keeps_head_and_tail_and_says_what_is_missing(played):
    results, out, _ = played
    printed = "".join(f"{n}\n" for n in range(1, 20001))
    missing = f"\n[... {len(printed) - 10_000} bytes are missing here ...]\n"
    assert results["long"] == f"exit code 0\n{printed[:5000]}{missing}{printed[-5000:-1]}"
    assert re.search(r"\n    9\n    \(\d+ more lines\)\n", out)  # the reader gets to see ten lines
    assert results["at the bound"] == "exit code 0\n" + "x" * 10_000
    assert "[... 1 bytes are missing here ...]" in results["over the bound"]


@posix
def test_any_bytes_become_text(played):
    results, out, _ = played
    assert results["bytes"] == "exit code 0\n\ufffd\ufffd\x00\ufffd ok"
    assert "bytes are missing here" in results["noise"]
    assert results["languages"] == "exit code 0\n你好 Grüße"
    assert "你好 Grüße" in out


@posix
def test_control_characters_reach_claude_but_not_the_terminal(played):
    results, out, _ = played
    assert results["red"] == "exit code 0\n\x1b[31mred\x1b[0m"
    assert "    \\x1b[31mred" in out
    assert "  $ true # \\x1b[2K\\r  $ ls\n" in out
    assert not any(character in out for character in "\x1b\r\0")


def test_claudes_words_cannot_steer_the_terminal_either(recorder):
    """Hidden writing that is switched on before a command would hide the command."""
    server = recorder(Playing([text("\x1b[8m\x1b]0;title\x07看，\u3000Grüße"), bash("true")], [text("\x9b8mDone.")]))
    done = run_script(SCRIPT, "Go", **server.env)
    assert "\\x1b[8m\\x1b]0;title\\x07看，\u3000Grüße\n" in done.out and "\\x9b8mDone." in done.out
    assert not any(character in done.out for character in "\x1b\x07\x9b")


@posix
def test_commands_that_cannot_start_become_results_and_the_next_one_runs(played):
    results, _, _ = played
    assert results["null byte"] == "Error: ValueError: embedded null byte"
    assert results["too long"].startswith("Error: OSError: ") and "too long" in results["too long"]
    assert results["last"] == "exit code 0\nstill here"


@posix
def test_a_background_job_ends_with_its_command_and_does_not_hold_it_up(played):
    assert played[0]["background"] == "exit code 0\nstarted"
    assert gone([f"sleep 7311{RUN}"]) == []


@posix
def test_nothing_survives_a_time_out_and_what_was_printed_is_kept(recorder, hurried, tmp_path):
    crowd = f"sleep 7301{RUN} & (sleep 7302{RUN} | cat) & sh -c 'trap \"\" TERM INT HUP; sleep 7303{RUN}; true' & "
    python = f"python3 -c \"import time; print('from python'); time.sleep(7304{RUN})\""
    server = recorder(Playing([bash(f"echo begun; {crowd}{python}"), bash(f"exec > /dev/null 2>&1; sleep 7305{RUN}")]))
    done = run_script(hurried, "--yes", "--workspace", str(tmp_path), "Go", **server.env)
    assert gone([f"730{n}{RUN}" for n in range(1, 6)]) == []
    told = "Error: TimeoutError: ended after 3 s, with all it had started. Until then:\n"
    assert results_in(server.requests[1]) == [f"{told}begun\nfrom python", f"{told}(no output)"]
    assert "    begun\n    from python\n" in done.out
    first, second = server.exchanges
    assert 6 <= second.started - first.ended < 6 + 2  # each within a second of its limit


@posix
@pytest.mark.skipif(not shutil.which("setsid"), reason="no setsid")
def test_a_process_that_left_the_group_cannot_hold_the_agent_up(run):
    """The honest limit: it lives on, as long as it likes. Only the agent does not wait for it."""
    start = time.monotonic()
    results, _ = run("setsid sleep 60 & pid=$!; sleep 0.5; echo $pid")
    assert time.monotonic() - start < 30
    os.kill(int(results[0].split()[-1]), signal.SIGKILL)


@pytest.mark.extra
@posix
@pytest.mark.skipif(not shutil.which("setsid"), reason="no setsid")
def test_a_process_that_left_the_group_cannot_print_for_ever(recorder, tmp_path):
    """Nobody reads it any more once its command is over, so it gets SIGPIPE."""
    mark = f"gone{RUN}"
    server = recorder(Playing([bash(f"setsid yes {mark} & sleep 0.5")], [bash("sleep 2")]))
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), "--yes", "--workspace", str(tmp_path), "Go"],
        env=clean_env(**server.env), stdout=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        while len(server.requests) < 2 and process.poll() is None:
            time.sleep(0.02)
        assert gone([f"yes {mark}"]) == []
        assert process.poll() is None
    assert results_in(server.requests[1])[0].endswith(mark)


@pytest.mark.extra
@posix
def test_endless_output_takes_no_memory(recorder, hurried, tmp_path):
    server = recorder(Playing([bash("yes")]))
    # By way of a small process: what a large one starts, as this one may be, counts as large as itself at first.
    measured = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, str(hurried), "--yes", "--workspace", str(tmp_path), "Go"]
    done = subprocess.run(
        [sys.executable, "-c", measured, *command], env=clean_env(**server.env), check=True, stdout=subprocess.PIPE
    )
    megabytes = int(done.stdout) / (1024 * 1024 if sys.platform == "darwin" else 1024)
    assert 10 < megabytes < 200
    (result,) = results_in(server.requests[1])
    assert result.startswith("Error: TimeoutError: ") and result.endswith("\ny")
    assert "bytes are missing here" in result


@posix
def test_no_key_and_nothing_of_env_reaches_a_command(run, tmp_path):
    script = tmp_path / "agent" / "s07.py"
    script.parent.mkdir()
    shutil.copy(SCRIPT, script)
    dotenv = "ANTHROPIC_AUTH_TOKEN=sk-ant-dotenv\nMY_DATABASE=postgres://geheim\n"
    (tmp_path / ".env").write_text(dotenv, encoding="utf-8")
    secrets = {"ANTHROPIC_API_KEY": "sk-ant-test", "OTHER_API_KEY": "sk-other", "MODEL_ID": "claude-haiku-5-5"}
    commands = ["env", "cat /proc/self/environ || env", "python3 -c 'import os; print(dict(os.environ))'"]
    (env, initial, python), _ = run(*commands, script=script, **secrets)
    for result in (env, initial, python):
        assert "PATH" in result
        for secret in ("sk-", "geheim", "ANTHROPIC", "MODEL_ID", "127.0.0.1"):
            assert secret not in result


# --- sessions ---------------------------------------------------------------------------------------------------------


@posix
def test_lines_from_a_pipe_are_prompts_to_the_end_with_one_history(recorder, tmp_path):
    server = recorder()
    prompts = [
        "Create hello.py that prints a greeting and run it",
        "Welche Python-Dateien gibt es?",
        "列出 Python 文件",
    ]
    lines = f"{prompts[0]}\n\n   \n{prompts[1]}\n{prompts[2]}"
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path / "a b 文件夹"), stdin=lines, **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False)
    assert (tmp_path / "a b 文件夹" / "hello.py").read_text(encoding="utf-8") == 'print("Hello, world!")\n'
    assert [line[2:] for line in done.lines if line.startswith("> ")] == prompts
    assert prompts_in(server.requests[-1]) == prompts
    assert "Ich habe eine .py-Datei gefunden:\n    hello.py" in done.out
    assert done.out.rstrip().endswith("找到 1 个 .py 文件：\n    hello.py")


def test_exit_ends_a_session(recorder):
    server = recorder(Playing())
    done = run_script(SCRIPT, "--yes", stdin="one\nexit\ntwo\n", **server.env)
    assert done.status == 0
    assert prompts_in(server.requests[-1]) == ["one"]


def test_without_terminal_and_yes_nothing_is_run_and_claude_is_told(recorder, tmp_path):
    server = recorder()
    done = run_script(SCRIPT, "--workspace", str(tmp_path), stdin="Create hello.py that greets\n", **server.env)
    assert done.status == 0
    (result,) = results_in(server.requests[-1])
    assert result == (
        "Error: PermissionError: not run, because nobody is there to approve it: no terminal, and no --yes"
    )
    assert server.requests[-1]["messages"][-1]["content"][0]["is_error"] is True
    assert list(tmp_path.iterdir()) == []
    assert "Nothing was run, because nobody is there to approve commands." in done.out


def test_words_on_the_command_line_are_one_job_in_a_fresh_folder(recorder):
    server = recorder()
    done = run_script(SCRIPT, "--yes", "Create", "hello.py that greets", stdin="not read\n", **server.env)
    assert done.status == 0
    assert done.lines[1] == "> Create hello.py that greets"
    workspace = Path(done.lines[0].removeprefix("Working in ").partition(". Commands")[0])
    try:
        assert [path.name for path in workspace.iterdir()] == ["hello.py"]
        assert str(workspace) in server.requests[0]["system"]
    finally:
        shutil.rmtree(workspace)
    assert "not read" not in str(server.requests)


def test_the_system_prompt_names_folder_and_shell(recorder, tmp_path):
    server = recorder(Playing())
    run_script(SCRIPT, "--workspace", str(tmp_path), "Hi", **server.env)
    system = server.requests[0]["system"]
    assert str(tmp_path) in system
    assert ("powershell" if sys.platform == "win32" else "sh on ") in system


def test_an_answer_that_is_no_json_ends_the_turn_and_not_the_session(recorder, tmp_path):
    """It breaks the loop, as in the lessons before: with a traceback, and with a history that can be sent."""
    from course.standin.faults import Faults

    server = recorder(Faults(["ok", "html"]))
    lines = "Create one.py that greets\nList all Python files\n"
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin=lines, **server.env)
    assert done.status == 0
    assert "Traceback" in done.err and "AttributeError: 'str' object has no attribute 'stop_reason'" in done.err
    assert prompts_in(server.requests[-1]) == lines.splitlines()
    assert server.exchanges[-1].status == 200
    assert "There are no .py files here" in done.out


@pytest.mark.parametrize("fault", ["bad_key", "reset:3"])
def test_a_failed_call_ends_the_turn_and_not_the_session(recorder, tmp_path, fault):
    from course.standin.faults import Faults

    server = recorder(Faults([fault]))
    lines = "Create one.py that greets\nList all Python files\n"
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin=lines, **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False)
    assert "sk-ant" not in done.out + done.err
    assert prompts_in(server.requests[-1]) == ["List all Python files"]  # the first got no reply, so it was taken back
    assert "There are no .py files here" in done.out


def test_a_call_that_fails_in_mid_turn_leaves_a_history_that_can_be_sent(recorder, tmp_path):
    from course.standin.faults import Faults

    server = recorder(Faults(["ok:2", "bad_key"]))
    lines = "Create one.py that greets and run it\ngo on\n"
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin=lines, **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False)
    assert prompts_in(server.requests[-1]) == ["Create one.py that greets and run it", "go on"]
    assert server.exchanges[-1].status == 200
    assert done.out.rstrip().endswith("Hello, world!")


def test_one_job_that_fails_has_a_status_to_show(recorder):
    from course.standin.faults import Faults

    done = run_script(SCRIPT, "Hi", **recorder(Faults(["bad_key"])).env)
    assert done.status == 1
    assert "401" in done.out
    assert "Traceback" not in done.err


def test_a_history_that_the_api_refuses_can_be_left_behind(recorder):
    playing = Playing([text("poison")])

    def answer(method, path, headers, body):
        return playing(method, path, headers, b"{}" if b"poison" in body else body)

    server = recorder(answer)
    done = run_script(SCRIPT, stdin="one\ntwo\n/new\nthree\n", **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False)
    assert [each.status for each in server.exchanges] == [200, 400, 200]
    assert done.out.count("If the conversation so far is the cause, /new begins another.") == 1
    assert prompts_in(json.loads(server.exchanges[-1].body)) == ["three"]


HALF = "\ud83d"  # of a character
REPLIES = {
    "blank text": [text("\n")],
    "blank text and a call": [text(" \n"), bash("true")],
    "half a character": [text(f"Look: {HALF}")],
    "half a character in a command": [bash(f"echo {HALF}")],
    "a call twice": [bash("echo one"), bash("echo two")],
    "tool_use and no call": ("tool_use", [text("I'll look.")]),
    "nothing at all": ("tool_use", []),
    "a refused call": ("refusal", [bash("touch here")]),
    "a reason nobody knows": ("\x1b]0;title\x07", [bash("touch here")]),
    "a command that is none": [{"type": "tool_use", "name": "bash", "input": {"command": ["touch", "here"]}}],
    "no command": [{"type": "tool_use", "name": "bash", "input": {}}],
}


@posix
@pytest.mark.parametrize("name", REPLIES)
def test_whatever_claude_says_the_history_can_be_sent_again(recorder, tmp_path, name):
    playing = Playing(REPLIES[name])
    if name == "a call twice":
        playing.ids = itertools.repeat("same")
    server = recorder(playing)
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin="one\ntwo\n", **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False), done.err
    assert {each.status for each in server.exchanges} == {200}
    sent = json.loads(server.exchanges[-1].body)["messages"]
    assert prompts_in({"messages": sent})[-1] == "two"
    results = [block["content"] for message in sent[1:-1] if message["role"] == "user" for block in message["content"]]
    if name == "a call twice":
        assert results == ["exit code 0\none", "exit code 0\ntwo"]
    if name == "half a character in a command":
        assert results == ["exit code 0\n?"]
    if name == "a reason nobody knows":
        assert results == ["Error: not run because of \\x1b]0;title\\x07"]
    if "no call" in name or "nothing" in name:
        assert "its reply held no call" in done.out
    assert not any(character in done.out for character in "\x1b\x07")
    assert list(tmp_path.iterdir()) == []


def test_a_declined_prompt_is_taken_out_of_the_history(recorder, tmp_path):
    server = recorder(Playing(("refusal", [text("I")]), [text("Fine.")]))
    done = run_script(SCRIPT, "--yes", stdin="something bad\nsomething good\n", **server.env)
    assert "Claude declined." in done.out
    assert prompts_in(server.requests[-1]) == ["something good"]


@posix
def test_calls_without_end_stop_at_the_turn_limit_and_can_go_on(recorder, tmp_path):
    server = recorder(Playing(*[[bash(f"echo {n}")] for n in range(20)]))
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin="Go\nGo on\n", **server.env)
    assert "turn 20: tool_use" in done.out and "turn 21" not in done.out
    assert "20 turns are the limit" in done.out
    assert len(server.requests) == 21
    assert server.exchanges[-1].status == 200
    assert done.out.rstrip().endswith("Done.")


def test_an_empty_reply_is_said_to_be_empty(recorder):
    from course.standin.faults import Faults

    server = recorder(Faults(["empty"]))
    done = run_script(SCRIPT, "--yes", stdin="Hi\nHello\n", **server.env)
    assert "turn 1: end_turn\n(no text)\n> Hello\n" in done.out
    assert server.exchanges[-1].status == 200


def test_a_cut_off_call_is_not_run(recorder, tmp_path):
    server = recorder(Playing(("max_tokens", [bash("touch half")])))
    done = run_script(SCRIPT, "--yes", "--workspace", str(tmp_path), stdin="Go\nAnd now?\n", **server.env)
    assert "Cut off after MAX_TOKENS" in done.out
    assert list(tmp_path.iterdir()) == []
    assert server.exchanges[-1].status == 200


@pytest.mark.extra
@posix
def test_bytes_that_are_no_text_come_through_as_replaced(recorder, tmp_path):
    server = recorder(Playing())
    for arguments, given in ((["Gr\udcfc\udcdfe"], b""), ([], b"Gr\xfc\xdfe\nexit\n")):
        command = [sys.executable, str(SCRIPT), "--workspace", str(tmp_path), *arguments]
        subprocess.run(command, input=given, env=clean_env(**server.env), check=True, stdout=subprocess.DEVNULL)
    assert [prompts_in(request) for request in server.requests] == [["Gr\ufffd\ufffde"]] * 2


TOGETHER = [["SIGTERM"], ["SIGTERM", "SIGHUP"]]
TOGETHER += [pytest.param(names, marks=pytest.mark.extra) for names in (["SIGHUP"], ["SIGQUIT"], ["SIGINT", "SIGTERM"])]


@posix
@pytest.mark.parametrize("names", TOGETHER, ids="+".join)
def test_a_terminated_session_ends_its_command(recorder, tmp_path, names):
    server = recorder(Playing([bash(f"touch begun; sleep 7321{RUN}")]))
    command = [sys.executable, str(SCRIPT), "--yes", "--workspace", str(tmp_path), "Go"]
    with subprocess.Popen(command, env=clean_env(**server.env), stdout=subprocess.DEVNULL) as process:
        wait_for(tmp_path / "begun")
        for name in names:
            process.send_signal(getattr(signal, name))
        assert process.wait(5) in [128 + getattr(signal, name) for name in names if name != "SIGINT"]
    assert gone([f"sleep 7321{RUN}"]) == []


def wait_for(path, seconds=30):
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.02)


def test_a_workspace_that_cannot_be_is_explained(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run_script(SCRIPT, "--workspace", str(tmp_path / "file"), "Hi")
    assert done.status == 2
    assert "--workspace" in done.err and "Traceback" not in done.err
