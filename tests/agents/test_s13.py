"""s13: what its tests notice, and what its table says."""

import json
import math
import re
import signal
import subprocess
import sys

import pytest

from course.lessons import AGENTS
from course.standin.faults import Faults
from tests.agents.playing import Playing, text
from tests.conftest import ROOT, clean_env, run_script

SCRIPT = "agents/s13_testing.py"
KEY = "sk-ant-test-0123456789"
S08 = (AGENTS / "s08_tool_design.py").read_text(encoding="utf-8")

# One mistake each: what stands in s08, and what somebody might have written instead. Halves of characters and two calls
# with one id are not among them: the fixture, as the API, sends neither (test_s05.py has them from elsewhere).
MISTAKES = [
    # the tools
    ("found[:MAX_HITS]]", "found]"),
    ("if len(found) > MAX_HITS else", "if len(found) > 99 else"),
    ('f"{len(found)} found{more}"', 'f"{len(found[:MAX_HITS])} found{more}"'),
    ("all(word in text.lower() for", "any(word in text.lower() for"),
    ("words.lower().split()", "words.split()"),
    ("text.startswith(part[:1])", "text.startswith(part)"),
    ("if text.startswith(part[:1])]", "]"),
    ("    if not found:\n        return", "    if found is None:\n        return"),
    ('.replace("\\n", ": "), 100)', '.replace("\\n", ": "), 1000)'),
    ("    if number not in sections:\n", "    if not number:\n"),
    ("if other[0] == number[:1]] or list(sections)", "]"),
    ("if other[0] == number[:1]] or list(sections)", "if other[0] == number[:1]]"),
    ("; try search_code", ""),
    ("range(1, len(pages) + 1)", "range(len(pages) + 1)"),
    ("range(1, len(pages) + 1)", "range(1, len(pages) + 2)"),
    ("range(1, len(pages) + 1)", "range(1, len(pages))"),
    ("pages[page - 1].strip()", "pages[page - 2].strip()"),
    ('re.split(r"== Page \\d+ ==\\n", text)[1:]', 're.split(r"== Page \\d+ ==\\n", text)'),
    ("page {page} of {len(pages)}\\n", "\\n"),
    ("{one_of('report', report, REPORTS)}.txt", "{report}.txt"),
    ("for row in rows if row[column]}", "for row in rows if row[column] or row.update({column: 0}) is None}"),
    ("float(row[column])", "row[column]"),
    ('if row["report"] == report]', "]"),
    ("{len(rows) - len(values)} missing", "{len(rows)} missing"),
    ("min(values, key=values.get), max(", "max(values, key=values.get), min("),
    ("    if not values:\n", "    if values is None:\n"),
    ('one_of("column", column, COLUMNS)', "column"),
    ("    if value not in allowed:\n", "    if value is None:\n"),
    ('"required": ["report", "page"]', '"required": ["report"]'),
    ('"number": {"type"', '"section": {"type"'),
    ('    tool["strict"] = True\n', '    tool["strict"] = False\n'),
    ('    "read_report": read_report,\n', '    "read_report": read_section,\n'),
    # running them
    ("list(pool.map(run_tool, calls))", "list(pool.map(run_tool, calls[:1]))"),
    ("list(pool.map(run_tool, calls))", "list(pool.map(run_tool, calls))[::-1]"),
    ("list(pool.map(run_tool, calls))", "list({each.name: run_tool(each) for each in calls}.values())"),
    ("        show_call(call, result)\n", "        pass\n"),
    ('"tool_use_id": call.id', '"tool_use_id": call.name'),
    ('"is_error": is_error}', '"is_error": False}'),
    ("    if call.name not in FUNCTIONS:\n", "    if not call.name:\n"),
    ("    except Exception as error:\n", "    except ValueError as error:\n"),
    ('f"Error: {type(error).__name__}: {error}", is_error=True', '"Error", is_error=True'),
    ('f"Error: {type(error).__name__}: {error}", is_error=True', 'f"Error: {error}"'),
    # what comes back and goes out again
    ('if block.type != "text" or block.text.strip()]', "]"),
    ('if block.type != "text" or block.text.strip()]', 'if block.type == "tool_use"]'),
    ("reply = mend(ask_claude(messages))", "reply = ask_claude(messages)"),
    ("system=SYSTEM, tools=TOOLS, messages=messages)", "system=SYSTEM, tools=TOOLS, messages=messages[-1:])"),
    ("system=SYSTEM, tools=TOOLS, messages=messages)", "system=SYSTEM, tools=TOOLS[:1], messages=messages)"),
    # the loop and its ends
    ("range(1, MAX_TURNS + 1)", "range(1, MAX_TURNS)"),
    ("range(1, MAX_TURNS + 1)", "range(1, MAX_TURNS + 100)"),
    ("        if reply.content:  #", "        if True:  #"),
    ("        if reply.content:  #", '        if reply.stop_reason != "end_turn":  #'),
    ('run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)', "run_tools(reply)"),
    ('run_tools(reply) if reply.stop_reason == "tool_use" else skip_tools(reply)',
     'run_tools(reply) if reply.stop_reason == "tool_use" else []'),
    ('if reply.stop_reason != "pause_turn" and not', "if not"),
    ('and not (reply.stop_reason == "tool_use" and results)', 'and reply.stop_reason == "end_turn"'),
    ('"user", "content": results})', '"user", "content": results[:1]})'),
    ('messages.append({"role": "assistant", "content": reply.content})',
     'messages.append({"role": "assistant", "content": [each for each in reply.content if each.type == "text"]})'),
    ('texts = [block.text for block in reply.content if block.type == "text"]', "texts = [reply.content[0].text]"),
    ('texts = [block.text for block in reply.content if block.type == "text"]',
     'texts = [block.text for block in reply.content if block.type == "text"][:1]'),
    ('or "(no text)")', ")"),
    ('    if reply.stop_reason != "end_turn":\n', '    if reply.stop_reason == "max_tokens":\n'),
    ("ENDINGS.get(reply.stop_reason, f", "ENDINGS.get(reply.stop_reason.upper(), f"),
]  # fmt: skip


def versions_of_s08():
    for old, new in MISTAKES:
        assert S08.count(old) == 1, old
        yield S08.replace(old, new)


@pytest.mark.extra  # 30 s of computing
def test_the_tests_notice_every_mistake():
    """All in one process: what takes long is loading the SDK."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "tests/agents/mistaken.py")],
        input=json.dumps([S08, *versions_of_s08()]),
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        cwd=AGENTS,
        env=clean_env(),
    )
    right, *wrong = json.loads(done.stdout)
    assert right == []
    missed = [mistake for mistake, failed in zip(MISTAKES, wrong, strict=True) if not failed]
    assert missed == [], missed
    assert "import" not in [name for failed in wrong for name in failed]


def table(done):
    """{task: the words of its row}"""
    rows = re.findall(r"^(\S.*?) {2,}(\d+ of \d+ .*)$", done.out, re.MULTILINE)
    return {task: words.split() for task, words in rows}


def test_the_tests_pass_and_ask_nobody_but_their_own_claude():
    """Even where a key is at hand: port 9 answers nobody."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", SCRIPT],
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        cwd=ROOT,
        env=clean_env(ANTHROPIC_BASE_URL="http://127.0.0.1:9", ANTHROPIC_API_KEY=KEY),
    )
    assert done.returncode == 0, done.stdout
    assert re.search(r"^\d\d passed in ", done.stdout, re.MULTILINE) and KEY not in done.stdout + done.stderr


def test_the_table_counts_what_was_asked_and_what_it_cost(recorder):
    server = recorder()
    done = run_script(SCRIPT, "2", **server.env)
    assert (done.status, done.err.count("\n")) == (0, 1), done.err
    assert done.lines[0] == "3 tasks x 2. With a key this costs at most 0.36 USD; Ctrl-C ends it early."
    rows = table(done)
    assert [row[:4] for row in rows.values()] == [["2", "of", "2", "10"]] * 3 + [["6", "of", "6", "30"]]
    usages = [reply["usage"] for reply in server.replies]
    read, written = (sum(usage[key] for usage in usages) for key in ("input_tokens", "output_tokens"))
    assert rows["all"][4:] == [f"{read:,}", f"{written:,}", f"{(read * 2 + written * 10) / 1e6:.4f}"]
    assert done.lines[-1] == "After 6 runs the true rate may be anything from 60% to 100%."


def test_with_another_model_it_counts_tokens_only(recorder):
    done = run_script(SCRIPT, **recorder().env, MODEL_ID="claude-opus-5-5")
    assert done.status == 0 and "USD" not in done.out
    assert "With a key this costs what claude-opus-5-5 takes" in done.lines[0]
    assert len(table(done)["all"]) == 6


def test_what_failed_is_shown_to_be_read(recorder):
    done = run_script(SCRIPT, **recorder(Faults(["refusal", "ok:5", "empty"])).env)
    assert done.status == 0
    assert table(done)["all"][:4] == ["1", "of", "3", "7"]
    assert "Failed: Does Harbor Hall meet the code? (refusal)\n" in done.out
    assert "Failed: Does Mill Lane Depot meet the code? (end_turn)\n(no text)\n" in done.out
    assert "anything from 6% to 80%." in done.out


@pytest.mark.parametrize("fault, passed", [("no_credit", 0), ("ok:7 overloaded:3", 1)])
def test_an_error_of_the_api_is_no_failure_of_claude(recorder, fault, passed):
    done = run_script(SCRIPT, **recorder(Faults(fault.split(), retry_after=0.01)).env)
    assert done.status == 0 and "Traceback" not in done.err
    assert re.search(r"^Ended early: .*(credit|verloaded)", done.out, re.MULTILINE)
    assert table(done)["all"][:3] == [str(passed), "of", str(passed)]
    assert ("true rate" in done.out) is bool(passed)


@pytest.mark.skipif(sys.platform == "win32", reason="a signal to one process alone")
def test_ctrl_c_keeps_what_was_counted(recorder):
    server = recorder(Playing([text("2.3 3.1 B4")], 60, [text("Late.")]))
    process = subprocess.Popen(
        [sys.executable, SCRIPT], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", cwd=ROOT,
        env=clean_env(**server.env),
    )  # fmt: skip
    first = [process.stdout.readline() for _ in range(4)]
    assert "1 of 1" in first[-1]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "Traceback" not in err
    assert "Ended early: interrupted" in out and re.search(r"^all +1 of 1 ", out, re.MULTILINE)


@pytest.mark.parametrize("wrong", ["0", "-1", "two"])
def test_a_number_that_is_none_is_told(wrong):
    done = run_script(SCRIPT, wrong)
    assert done.status == 2 and "Traceback" not in done.err and ("RUNS" in done.err or "invalid int" in done.err)


@pytest.mark.parametrize("encoding", ["cp1252", "gbk"])
def test_a_console_of_any_kind_shows_it(encoding, recorder):
    answer = Playing([text("No: \u00e9 \u4e2d \U0001f3e0")])
    done = run_script(SCRIPT, **recorder(answer).env, PYTHONUTF8="0", PYTHONIOENCODING=encoding + ":strict")
    assert done.status == 0 and "Failed: " in done.out


def test_the_interval_is_wilsons():
    """Against the formula as Wilson wrote it, with z = 2 (https://doi.org/10.1080/01621459.1927.10502953)."""
    source = (ROOT / SCRIPT).read_text(encoding="utf-8")
    space = {}
    exec(re.search(r"^def between.*?(?=^\S(?<!d))", source, re.MULTILINE | re.DOTALL)[0], space)
    for runs in (1, 3, 9, 100):
        for passed in range(runs + 1):
            rate, z = passed / runs, 2
            middle = (rate + z * z / (2 * runs)) / (1 + z * z / runs)
            spread = z / (1 + z * z / runs) * math.sqrt(rate * (1 - rate) / runs + z * z / (4 * runs * runs))
            assert space["between"](passed, runs) == f"{middle - spread:.0%} to {middle + spread:.0%}"
