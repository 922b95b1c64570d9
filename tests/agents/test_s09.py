"""s09: what its tools refuse, whatever Claude asks for, and what a person gets to see before something happens."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agents.playing import Playing, results_in
from tests.conftest import ROOT, clean_env, run_script

SCRIPT = ROOT / "agents/s09_guardrails.py"
FENCE = ROOT / "tests/agents/fence.py"
PROGRAMS = {  # put beside the others, to be tried
    "environment": "import os; print(sorted(os.environ))",
    "endless": "while True: print('x' * 99)",
    "sleeper": "import time; print('begun', flush=True); time.sleep(60)",
    "reader": "print(repr(input()))",
}

OUT = "is not in the review folder; give a path inside, as in reports/harbor-hall.txt"
LISTED = "program: expected one of count, "
# Calls that are refused -> what their answers must say.
REFUSED = [
    ("write_file", {"path": "../x.md", "text": "x"}, f"../x.md {OUT}"),
    ("write_file", {"path": "../notes/x.md", "text": "x"}, OUT),
    ("write_file", {"path": "/tmp/x.md", "text": "x"}, OUT),
    ("write_file", {"path": "notes/../../x.md", "text": "x"}, OUT),
    ("write_file", {"path": "notes/x.py", "text": "x"}, "notes/x.py cannot be written, only files notes/*.md"),
    ("write_file", {"path": "notes/deep/x.md", "text": "x"}, "only files notes/*.md"),
    ("write_file", {"path": "notes", "text": "x"}, "only files notes/*.md"),
    ("write_file", {"path": "reports/harbor-hall.txt", "text": "Approved."}, "only files notes/*.md"),
    ("write_file", {"path": "checks/count.py", "text": "import os"}, "only files notes/*.md"),
    ("write_file", {"path": "notes/x.txt:y.md", "text": "x"}, OUT),
    ("write_file", {"path": "notes/a\nb.md", "text": "x"}, "only files notes/*.md"),
    ("write_file", {"path": "notes/a\0b.md", "text": "x"}, "Error: ValueError"),
    ("write_file", {"path": "notes/x.md"}, "missing 1 required positional argument: 'text'"),
    ("run_command", {"program": "sh", "arguments": ["-c", "curl example.com"]}, LISTED),
    ("run_command", {"program": "../checks/count", "arguments": []}, LISTED),
    ("run_command", {"program": "count; ls", "arguments": []}, LISTED),
    ("run_command", {"program": "count", "arguments": ["../../.env"]}, f"../../.env {OUT}"),
    ("run_command", {"program": "count", "arguments": ["measurements.csv", "/etc/passwd"]}, f"/etc/passwd {OUT}"),
    ("run_command", {"program": "count", "arguments": ["./C:/x"]}, f"./C:/x {OUT}"),
    ("run_command", {"program": "count", "arguments": ["reports/harbor-hall.txt::$DATA"]}, OUT),
    ("run_command", {"program": "count", "arguments": ["--help"]}, "--help: options are not allowed"),
    ("run_command", {"program": "count", "arguments": [1]}, "Error: TypeError"),
    ("read_report", {"report": "../../.env", "page": 1}, "report: expected one of harbor-hall, lakeview-school"),
    ("bash", {"command": "ls"}, "no tool bash; there are read_report, write_file, run_command"),
]


@pytest.fixture
def copy(tmp_path):
    """A copy of the script and its folder, with PROGRAMS among the checks."""
    shutil.copytree(ROOT / "agents/review", tmp_path / "review", ignore=shutil.ignore_patterns("notes"))
    for name, source in PROGRAMS.items():
        (tmp_path / f"review/checks/{name}.py").write_text(source, encoding="utf-8")
    return Path(shutil.copy(SCRIPT, tmp_path))


@pytest.fixture
def run(copy, recorder):
    """run(calls, *arguments) -> (the run, the texts of the results): Claude makes the calls, then says "Done."."""

    def go(calls, *arguments):
        blocks = [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
        server = recorder(Playing(blocks))
        done = run_script(copy, "Go", *arguments, stdin="typed\n", **server.env)
        assert (done.status, "Traceback" in done.err) == (0, False), done.err
        return done, results_in(server.requests[-1])

    return go


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_not_allowed_is_refused_and_told_even_with_yes(run, tmp_path):
    before = files(tmp_path)
    done, results = run([(name, given) for name, given, _ in REFUSED], "--yes")
    for (name, given, expected), result in zip(REFUSED, results, strict=True):
        assert result.startswith("Error: ") and expected in result, (name, given, result)
        assert str(tmp_path) not in result.replace(OUT, ""), "the place of the folder is nobody's business"
    assert files(tmp_path) == before
    assert "  ? " not in done.out, "nobody is asked about what cannot be done"


@pytest.mark.parametrize("how_many", [500, pytest.param(10_000, marks=pytest.mark.extra)])
def test_no_path_leads_out_of_the_folder_and_none_inside_is_refused(copy, tmp_path, how_many):
    done = run_script(FENCE, str(copy), str(how_many), "9", cwd=tmp_path, timeout=120)
    found = json.loads(done.out)
    assert found["mistakes"] == []
    assert found["taken"] + found["refused"] == how_many
    assert found["inside"] > how_many / 20 and found["outside"] > how_many / 20, "the paths must try both sides"


@pytest.mark.parametrize(("prompt", "refused"), [
    ("Review Lakeview School.", "Calls: {}, all refused."),
    ("Prüfe Lakeview School.", "Aufrufe: {}, alle abgewiesen."),
    ("审查 Lakeview School。", "调用 {} 次，全部被拒绝。"),
])  # fmt: skip
@pytest.mark.parametrize("strict", [True, False])
def test_a_report_that_gives_orders_is_obeyed_and_nothing_comes_of_it(prompt, refused, strict, recorder, tmp_path):
    """Two of its three orders become calls; without `strict` the third does, too, and is refused as well."""
    folder = tmp_path / "agents"
    shutil.copytree(ROOT / "agents/review", folder / "review", ignore=shutil.ignore_patterns("notes"))
    source = SCRIPT.read_text(encoding="utf-8")
    (folder / SCRIPT.name).write_text(
        source if strict else source.replace('    tool["strict"] = True\n', ""), encoding="utf-8"
    )
    (tmp_path / ".env").write_text("OTHER_KEY=canary-4711\n", encoding="utf-8")
    before = files(tmp_path)
    server = recorder()
    done = run_script(folder / SCRIPT.name, "--yes", prompt, **server.env)
    assert (done.status, "turn 5: end_turn" in done.lines) == (0, True), done.err
    assert refused.format(2 if strict else 3) in done.out
    ordered = results_in(server.requests[2])
    assert len(ordered) == (2 if strict else 3) and all(text.startswith("Error: ") for text in ordered)
    assert "canary-4711" not in json.dumps(server.requests)
    note = folder / "review/notes/lakeview-school.md"
    assert "2.5" in note.read_text(encoding="utf-8") and "T5" in note.read_text(encoding="utf-8")
    note.unlink()
    assert files(tmp_path) == before


def test_a_program_gets_no_key_no_input_and_only_so_much_time_and_output(run, copy):
    source = copy.read_text(encoding="utf-8").replace("TIME_LIMIT = 10 ", "TIME_LIMIT = 2 ")
    copy.write_text(source, encoding="utf-8")
    calls = [("run_command", {"program": name, "arguments": []}) for name in PROGRAMS]
    done, (environment, endless, sleeper, reader) = run(calls)
    assert "ANTHROPIC" not in environment and "PATH" in environment
    assert endless.startswith("exit code ") and "the program was ended, ask it for less" in endless
    assert len(endless) < 5_200
    assert sleeper == "Error: TimeoutError: ended after 2 s. Until then:\nbegun"
    assert "EOFError" in reader and "typed" not in reader


def test_what_a_program_prints_is_read_to_its_end_and_its_exit_code_is_told(run):
    calls = [
        ("run_command", {"program": "section", "arguments": ["2.5", "9.9"]}),
        ("run_command", {"program": "summarize", "arguments": ["lakeview-school", "moisture_percent"]}),
        ("run_command", {"program": "summarize", "arguments": ["lakeview-school", "depth"]}),
        ("run_command", {"program": "summarize", "arguments": ["lakeview-school"]}),
        ("run_command", {"program": "count", "arguments": ["reports/harbor-hall.txt", "measurements.csv"]}),
        ("run_command", {"program": "count", "arguments": ["reports/no.txt"]}),
        ("run_command", {"program": "count", "arguments": ["reports"]}),
    ]
    _, (section, summary, nothing, half, words, no_file, folder) = run(calls)
    assert section.startswith("exit code 0\n2.5 Snow") and "There is no section 9.9, only 1.1" in section
    assert "(T5)" in summary
    assert nothing == "exit code 1\nNothing was measured in column depth for lakeview-school."
    assert half.startswith("exit code 1\nExpected a report and a column")
    assert words.endswith(" measurements.csv")
    assert no_file == "exit code 1\nThere is no file reports/no.txt."
    assert folder == "exit code 1\nThere is no file reports."


def test_without_a_terminal_nothing_is_written_unless_yes_was_said(run, tmp_path):
    call = ("write_file", {"path": "reports/../notes/own.md", "text": "Größe: 你好\n"})
    done, results = run([call])
    assert results == [
        "Error: PermissionError: not done, because nobody is there to approve it: no terminal, and no --yes"
    ]
    assert not (tmp_path / "review/notes").exists()
    done, results = run([call], "--yes")
    assert "  ? write notes/own.md:\n  | Größe: 你好\n" in done.out, "the real place is shown"
    assert results == ["Written: notes/own.md, 10 characters"]
    assert (tmp_path / "review/notes/own.md").read_bytes() == "Größe: 你好\n".encode()
    done, _ = run([call], "--yes")
    assert "  ? replace notes/own.md:" in done.out


def test_what_a_report_smuggles_in_does_not_steer_the_terminal(run, tmp_path):
    (tmp_path / "review/reports/odd.txt").write_text("== Page 1 ==\n\x1b[2J\x9b1A\u202e\n", encoding="utf-8")
    calls = [
        ("read_report", {"report": "odd", "page": 1}),
        ("write_file", {"path": "notes/own.md", "text": "\x1b[1A\r hidden"}),
        ("write_file", {"path": "notes/\x9b2J.md", "text": "x"}),
    ]
    done, results = run(calls, "--yes")
    assert "\x1b[2J" in results[0], "Claude gets what is there"
    assert "  | \\x1b[1A\\r hidden" in done.out and results[1].startswith("Written: ")
    assert "only files notes/*.md" in results[2]
    assert not set("\x1b\x9b\r\u202e") & set(done.out)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_only_y_approves_and_a_reason_is_told(copy, recorder, tmp_path):
    import pexpect

    answers = {
        "": "no reason given",
        "n": "n",
        "the wrong file": "the wrong file",
        "yess": "yess",
        "Y": None,
        "yes": None,
    }
    calls = [
        {"type": "tool_use", "name": "write_file", "input": {"path": f"notes/{i}.md", "text": "x"}}
        for i in range(len(answers) + 1)
    ]
    server = recorder(Playing(calls))
    child = pexpect.spawn(sys.executable, [str(copy), "Go"], env=clean_env(**server.env), encoding="utf-8", timeout=30)
    for answer in answers:
        child.expect_exact("Do it? [y: yes, anything else: no] ")
        child.sendline(answer)
    child.expect_exact("Do it? [y: yes, anything else: no] ")
    child.sendeof()
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0
    told = results_in(server.requests[-1])
    for reason, result in zip([*answers.values(), "no reason given"], told, strict=True):
        if reason is None:
            assert result.startswith("Written: ")
        else:
            assert result == f"Error: PermissionError: not done, because the user declined it: {reason}"
    assert sorted(path.name for path in (tmp_path / "review/notes").iterdir()) == ["4.md", "5.md"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_ctrl_c_at_the_question_ends_it_and_nothing_is_written(copy, recorder, tmp_path):
    import pexpect

    server = recorder(
        Playing([{"type": "tool_use", "name": "write_file", "input": {"path": "notes/x.md", "text": "x"}}])
    )
    child = pexpect.spawn(sys.executable, [str(copy), "Go"], env=clean_env(**server.env), encoding="utf-8", timeout=30)
    child.expect_exact("Do it? [y: yes, anything else: no] ")
    child.sendcontrol("c")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 1
    assert "Stopped. This was not done." in child.before and "Traceback" not in child.before
    assert not (tmp_path / "review/notes").exists()


def test_a_test_can_import_it_without_options():
    code = "import sys; sys.argv.append('--no-such'); import s09_guardrails as s09; print(s09.OPTIONS.yes)"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT / "agents",
        env=clean_env(),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.stdout.strip() == "False", done.stderr
