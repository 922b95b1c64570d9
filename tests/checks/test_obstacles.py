"""Programs that no exercise can judge: each gets an explanation of its own, and nothing hangs, leaks or is paid for."""

import os
import select

import pytest

from course.checks import report
from course.checks.exercises import exercises
from course.checks.runner import run_program
from course.checks.session import Checked
from course.checks.verdict import fail

EXERCISE = exercises()[0]
SOLUTION = EXERCISE.solution.read_text(encoding="utf-8")
CLIENT = SOLUTION.replace("load_env()\nclient", "client").partition("client = ")[0].count("\n") + 1  # its line
HEAD = "import anthropic\nfrom course import load_env\nload_env()\nclient = anthropic.Anthropic()\n"


def check(path, source, starter=None, seconds=10.0):
    if isinstance(source, str):
        source = source.encode()
    path.write_bytes(source)
    run = run_program(path, EXERCISE.play, starter, "my/s01_1_close_the_loop.py", seconds)
    return run, EXERCISE.judge(run)


@pytest.mark.parametrize(
    ("source", "expected", "line"),
    [
        ("def main(:\n    pass\n", "syntax", 1),
        ("if True:\nprint(1)\n", "syntax", 2),
        (b"print('\xff')\n", "syntax", None),
        (b"\x00\x00", "syntax", None),
        (HEAD + "print('hello')\n", "no_request", None),
        ("", "empty", None),
        ("\n# mine\n".encode("utf-16"), "syntax", None),
        (SOLUTION.replace("load_env()\nclient", "client"), "no_load_env", CLIENT),
        (HEAD + "name = input('Your name? ')\n", "input", 5),
        (HEAD + "import sys\nsys.exit('no')\n", "crash", 6),
        (HEAD + "1 / 0\n", "crash", 5),
        (HEAD + "def f():\n    raise KeyError('x')\ntry:\n    f()\nexcept KeyError as e:\n    raise e\n", "crash", 6),
        (HEAD.replace("Anthropic()", "Anthropic(base_url='http://192.0.2.1', max_retries=0)")
         + "client.messages.create(model='claude-sonnet-5-5', max_tokens=9, messages=[])\n", "elsewhere", 4),
        (HEAD.replace("Anthropic()", "Anthropic(base_url='https://api.anthropic.com', max_retries=0)")
         + "client.messages.create(model='claude-sonnet-5-5', max_tokens=9, messages=[])\n", "elsewhere", 4),
        (HEAD + "while True:\n    print('x' * 1000)\n", "output", 5),
        (HEAD + "client.messages.create(model='claude-sonnet-5-5', max_tokens=9, messages=[])\n", "refused", 5),
    ],
)  # fmt: skip
def test_explained(source, expected, line, starter, tmp_path):
    run, verdict = check(tmp_path / "program.py", source, starter)
    assert verdict.id == expected, (verdict, run)
    assert not verdict.passed and all(vars(EXERCISE.explain(verdict, "en")).values())
    if line is not None:
        assert verdict.line == line


LINE = '        if reply.stop_reason != "tool_use":\n'
SLIPS = [  # (what stands in place of this line, the verdict's name)
    (LINE.replace(":\n", "\n"), "syntax.colon"),
    (LINE.replace("!=", "="), "syntax.equals"),
    (LINE.replace(":\n", "：\n"), "syntax.character"),
    (LINE.replace('"', "“"), "syntax.character"),
    (LINE.replace("        if", "\u3000\u3000if"), "syntax.character"),
    (LINE.replace('use":', "use:"), "syntax.open"),
    (LINE.replace('":', '"):'), "syntax.closing"),
    (LINE.replace("        if", "        >>> if"), "syntax.pasted"),
    (LINE.replace("        if", "\tif"), "syntax.indent"),
    (LINE.replace("reply", "replay"), "crash.near"),
    (LINE.replace("if ", "if true and "), "crash.capital"),
    (LINE.replace("stop_reason", "stopreason"), "crash.attribute"),
    (LINE.replace("reply.stop_reason", 'reply["stop_reason"]'), "crash.dot"),
]  # fmt: skip


@pytest.mark.parametrize(("slip", "expected"), SLIPS, ids=[f"{n}-{name}" for n, (_slip, name) in enumerate(SLIPS)])
def test_a_slip_is_named_with_its_line(slip, expected, starter, tmp_path):
    """A beginner's mistakes: the line, and words of its own for the cure."""
    assert SOLUTION.count(LINE) == 1
    _, verdict = check(tmp_path / "program.py", SOLUTION.replace(LINE, slip), starter)
    assert verdict.name == expected
    assert verdict.line == SOLUTION.partition(LINE)[0].count("\n") + 1
    general = EXERCISE.explain(fail(verdict.id, **verdict.values), "de")
    assert EXERCISE.explain(verdict, "de").next != general.next


@pytest.mark.parametrize(("encoding", "text"), [("gbk", "没有"), ("cp1252", "für")])
def test_a_file_that_is_not_utf8(encoding, text, tmp_path):
    """The line, too; with a coding line it is read."""
    source = SOLUTION.replace("(no text)", text)
    _, verdict = check(tmp_path / "program.py", source.encode(encoding))
    assert verdict.name == "syntax.encoding"
    assert source.splitlines()[verdict.line - 1].count(text) == 1
    _, verdict = check(tmp_path / "program.py", f"# -*- coding: {encoding} -*-\n{source}".encode(encoding))
    assert verdict.passed


def test_bom_and_line_ends_of_windows(starter, tmp_path):
    _, verdict = check(tmp_path / "program.py", "\ufeff" + SOLUTION.replace("\n", "\r\n"), starter)
    assert verdict.passed


def test_a_key_in_the_program(starter, tmp_path):
    """It is refused, though nothing was paid for, and what the program printed shows no key."""
    key = "sk-ant-api03-abcdefgh12345"
    source = SOLUTION.replace("anthropic.Anthropic()", f'anthropic.Anthropic(api_key="{key}")')
    run, verdict = check(tmp_path / "program.py", source + "\nprint(client.api_key)\n", starter)
    assert verdict.id == "own_key" and key in run.printed
    assert key in source.splitlines()[verdict.line - 1]
    assert "[key]" in (said := report.explain(EXERCISE, Checked(verdict, run.printed))) and key not in said


@pytest.mark.parametrize("waiting", ["time.sleep(9)", "while time.monotonic() < began + 9: pass"])
def test_time_limit_names_the_line(waiting, starter, tmp_path):
    """The limit given, not the usual one of ten seconds: nine it would not stop."""
    source = HEAD + f"import time\nbegan = time.monotonic()\n{waiting}\nprint('the end')\n"
    run, verdict = check(tmp_path / "program.py", source, starter, seconds=1.0)
    assert (verdict.id, verdict.line) == ("time", 7)
    assert "the end" not in run.printed


@pytest.mark.parametrize(
    "edits",
    [
        # A client that a function makes, above the line that loads the environment.
        [("load_env()\nclient = anthropic.Anthropic()\n", "def client_of():\n    return anthropic.Anthropic()\n\n"),
         ("return client.messages", "return client_of().messages"),
         ("    main()\n", "    load_env()\n    main()\n")],
        # What the pages say about a script that is copied out of the course.
        [("from course import load_env\n", "from dotenv import load_dotenv as load_env\n")],
    ],
)  # fmt: skip
def test_other_ways_to_load_the_environment(edits, starter, tmp_path):
    source = SOLUTION
    for old, new in edits:
        assert source.count(old) == 1
        source = source.replace(old, new)
    _, verdict = check(tmp_path / "program.py", source, starter)
    assert verdict.passed, verdict


def test_key_stays_outside(starter, tmp_path, monkeypatch):
    """Neither the environment nor a .env beside the program gives it a key, and it works all the same."""
    secrets = {"ANTHROPIC_API_KEY": "sk-ant-secret-1", "ANTHROPIC_AUTH_TOKEN": "secret-2", "GITHUB_TOKEN": "secret-3"}
    for name, value in secrets.items():
        monkeypatch.setenv(name, value)
    (tmp_path / ".env").write_text("ANTHROPIC_API_KEY=sk-ant-secret-4\nCOURSE_OFFLINE=1\n", encoding="utf-8")
    source = SOLUTION + "\nprint(client.api_key, dict(os.environ))\n"
    run, verdict = check(tmp_path / "program.py", source, starter)
    assert verdict.passed, verdict
    assert "secret" not in run.printed


def test_a_python_of_its_own(tmp_path):
    """The way a single check takes, on a path with blanks and letters of all kinds."""
    folder = tmp_path / "Übung 一 und zwei"
    folder.mkdir()
    source = SOLUTION.replace('print(f"> {PROMPT}")', 'print("ä 天气", flush=True)')
    run, verdict = check(folder / "1_schließen.py", source)
    assert verdict.passed, (verdict, run)
    assert "ä 天气" in run.printed


def test_leaves_nothing_behind(starter, tmp_path):
    """Files that a program writes beside itself do not stay in the reader's folder."""
    before = set(os.listdir(tmp_path)) | {"program.py"}
    _, verdict = check(tmp_path / "program.py", SOLUTION + "\nopen('notes.txt', 'w').write('x')\n", starter)
    assert verdict.passed
    assert set(os.listdir(tmp_path)) == before


def test_judging_needs_no_process_and_no_socket():
    """What judges must load where there are neither, as in a browser."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "for name in ('subprocess', 'socket', 'threading', 'uvicorn', 'anthropic', 'multiprocessing', '_ctypes'):\n"
        "    sys.modules[name] = None\n"
        "from course.checks.exercises import exercises\n"
        "from course.checks.run import Run\n"
        "for exercise in exercises():\n"
        "    exercise.play\n"
        "    source = exercise.starter.read_text(encoding='utf-8')\n"
        "    print(exercise.judge(Run('x.py', source)).id)\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert result.returncode == 0, result.stderr
    assert len(result.stdout.split()) == len(exercises())


@pytest.mark.skipif(os.name == "nt", reason="process groups of POSIX")
@pytest.mark.parametrize("end", ["", "while True:\n    print('x' * 1000)\n", "os._exit(1)\n"])
def test_nothing_lives_on(end, starter, tmp_path):
    """What a program has started ends with it, however it ends."""
    os.mkfifo(tmp_path / "held")
    held = os.open(tmp_path / "held", os.O_RDONLY | os.O_NONBLOCK)
    child = f"import time; held = open({str(tmp_path / 'held')!r}, 'w'); print('open', flush=True); time.sleep(60)"
    source = HEAD + f"import os, subprocess, sys\nfirst = [sys.executable, '-c', {child!r}]\n"
    source += "subprocess.Popen(first, stdout=subprocess.PIPE).stdout.readline()\n"
    run, _ = check(tmp_path / "program.py", source + end, starter)
    assert run.failure is None
    assert select.select([held], [], [], 10)[0] and os.read(held, 1) == b"", "the child still holds its file"
    os.close(held)


def test_threads_are_waited_for(starter, tmp_path):
    source = SOLUTION.replace("    main()\n", "    import threading\n    threading.Thread(target=main).start()\n")
    _, verdict = check(tmp_path / "program.py", source, starter)
    assert verdict.passed, verdict
