"""s08: what its tools return, how much of it, and what they say to a call that is wrong."""

import json
import re
import shutil

import pytest

from tests.agents.playing import Playing
from tests.conftest import ROOT, run_script

SCRIPT = ROOT / "agents/s08_tool_design.py"
REVIEW = ROOT / "agents/review"
REPORTS = ["harbor-hall", "lakeview-school", "mill-lane-depot"]

# Calls that are wrong -> what their answers must say.
WRONG = [
    ("read_section", {"number": "2.9"}, "number: there is no section 2.9, only 2.1 to 2.7; try search_code"),
    ("read_section", {"number": "9.1"}, "only 1.1 to 5.6"),
    ("read_section", {"number": ""}, "only 1.1 to 5.6"),
    ("read_section", {"number": ["4.3"]}, "number: there is no section ['4.3']"),
    ("read_section", {}, "missing 1 required positional argument: 'number'"),
    ("read_section", {"number": "4.3", "part": "4"}, "unexpected keyword argument 'part'"),
    ("read_report", {"report": "harbor-hall", "page": 4}, "page: harbor-hall has the pages 1 to 3, not 4"),
    ("read_report", {"report": "harbor-hall", "page": 0}, "page: harbor-hall has the pages 1 to 3, not 0"),
    ("read_report", {"report": "harbor-hall", "page": "1"}, "page: harbor-hall has the pages 1 to 3, not '1'"),
    ("read_report", {"report": "Harbor Hall", "page": 1}, f"report: expected one of {', '.join(REPORTS)}"),
    ("read_report", {"report": "../reports/harbor-hall", "page": 1}, "report: expected one of"),
    ("summarize_measurements", {"report": "x", "column": "cover_mm"}, "report: expected one of"),
    ("summarize_measurements", {"report": "harbor-hall", "column": "depth"}, "column: expected one of span_mm, "),
    (
        "summarize_measurements",
        {"report": "lakeview-school", "column": "cover_mm"},
        "column: cover_mm was not measured for lakeview-school, only span_mm, span_over_sag, moisture_percent",
    ),
]


@pytest.fixture
def run(recorder):
    """run(calls) -> (the run, its requests): Claude makes the calls, then says "Done."."""

    def go(calls):
        blocks = [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
        server = recorder(Playing(blocks))
        done = run_script(SCRIPT, "Go", **server.env)
        assert (done.status, "Traceback" in done.err) == (0, False), done.err
        return done, server.requests

    return go


def results(requests):
    return requests[-1]["messages"][-1]["content"]


def test_a_wrong_call_is_told_which_argument_and_what_to_do_next(run):
    _, requests = run([(name, given) for name, given, _ in WRONG])
    for (name, given, expected), result in zip(WRONG, results(requests), strict=True):
        assert result["is_error"], (name, given)
        assert expected in result["content"], (name, given)
        assert str(ROOT) not in result["content"]


def test_every_result_has_a_bound_and_its_first_line_says_what_the_rest_is(run):
    calls = [("read_report", {"report": report, "page": page}) for report in REPORTS for page in (1, 2, 3)]
    calls += [("search_code", {"words": words}) for words in ("", "shall", "floor", "stairs")]
    calls += [("summarize_measurements", {"report": report, "column": "span_over_sag"}) for report in REPORTS]
    done, requests = run(calls)
    texts = [result["content"] for result in results(requests)]
    assert all(len(text) < 1000 for text in texts)
    assert [text.splitlines()[0] for text in texts[:3]] == [f"harbor-hall, page {page} of 3" for page in (1, 2, 3)]
    assert texts[9].splitlines()[0] == "31 found, the first 5 follow: add a word or name a part to see others"
    assert all(len(text.splitlines()) <= 6 for text in texts[9:])
    assert texts[13] == (
        "span_over_sag of harbor-hall: 8 values, 0 missing; lowest 287 (B4), mean 337.6, highest 356 (B8)"
    )
    shown = [line for line in done.lines if line.startswith("  ")]
    assert shown[0] == '  read_report({"report": "harbor-hall", "page": 1}) -> harbor-hall, page 1 of 3 (5 lines)'
    assert all(len(line) < 250 for line in shown)


def test_whatever_is_cut_can_be_had_by_another_call(run):
    """All sections are found by a search that a result of another search proposes, and all can be read."""
    code = "\n\n".join(path.read_text(encoding="utf-8").strip() for path in sorted((REVIEW / "code").glob("*.txt")))
    sections = code.split("\n\n")
    numbers = [section.split()[0] for section in sections]
    parts = [path.stem for path in (REVIEW / "code").glob("*.txt")]
    titles = [section.splitlines()[0].split(" ", 1)[1] for section in sections]
    _, requests = run(
        [("read_section", {"number": number}) for number in numbers]
        + [
            ("search_code", {"words": title, "part": part})
            for number, title in zip(numbers, titles, strict=True)
            for part in parts
            if part[0] == number[0]
        ]
    )
    texts = [result["content"] for result in results(requests)]
    assert texts[: len(sections)] == sections
    assert all(number in text for number, text in zip(numbers, texts[len(sections) :], strict=True))


def test_every_tool_is_strict_and_every_choice_is_a_list(run):
    _, requests = run([("search_code", {"words": "cracks"})])
    for tool in requests[0]["tools"]:
        schema = tool["input_schema"]
        assert tool["strict"] is True and schema["additionalProperties"] is False
        assert all("enum" in each or "description" in each for each in schema["properties"].values())
    assert '"report": {"type": "string", "enum": ' + json.dumps(REPORTS) in json.dumps(requests[0]["tools"])


def test_a_report_that_comes_into_the_folder_can_be_chosen(tmp_path, recorder):
    shutil.copy(SCRIPT, tmp_path)
    shutil.copytree(REVIEW, tmp_path / "review")
    (tmp_path / "review/reports/new-mill.txt").write_text("== Page 1 ==\nNEW MILL\n", encoding="utf-8")
    call = {"type": "tool_use", "name": "read_report", "input": {"report": "new-mill", "page": 1}}
    server = recorder(Playing([call]))
    done = run_script(tmp_path / SCRIPT.name, "Go", **server.env)
    assert "-> new-mill, page 1 of 1 (2 lines)" in done.out


def test_a_copy_without_its_folder_says_so_in_a_sentence(tmp_path):
    shutil.copy(SCRIPT, tmp_path)
    done = run_script(tmp_path / SCRIPT.name)
    assert done.status == 1 and not done.out
    assert re.search(r"There is no folder .*review\. This script reads it: copy it from the course, too\.", done.err)
    assert "Traceback" not in done.err


def test_the_code_has_every_section_that_a_report_names_but_for_the_one_that_is_a_finding():
    code = "".join(path.read_text(encoding="utf-8") for path in (REVIEW / "code").glob("*.txt"))
    there = set(re.findall(r"^(\d\.\d) ", code, re.MULTILINE))
    assert len(there) == 31
    named = {
        path.stem: re.findall(r"section (\d\.\d)", path.read_text(encoding="utf-8"))
        for path in (REVIEW / "reports").glob("*.txt")
    }
    assert {number for numbers in named.values() for number in numbers} - there == {"2.9"}


def test_the_default_run_finds_what_is_wrong_by_looking_it_up(recorder):
    server = recorder()
    done = run_script(SCRIPT, **server.env)
    assert done.status == 0 and "turn 5: end_turn" in done.lines
    failed = [result["content"] for request in server.requests for result in in_last(request) if result["is_error"]]
    assert len(failed) == 1 and "there is no section 2.9" in failed[0]
    read = {
        call["input"]["number"]
        for reply in server.replies
        for call in reply["content"]
        if "number" in call.get("input", "")
    }
    answer = done.out.rpartition("turn 5")[2]
    for number, found in (("2.3", "5.0 kN/m2"), ("3.1", "287"), ("5.3", "2,000 mm"), ("1.5", "worst member")):
        assert number in read and number in answer and found in answer
    assert len({json.dumps(request["tools"]) for request in server.requests}) == 1  # tools are part of the prefix


def in_last(request):
    content = request["messages"][-1]["content"]
    return [] if isinstance(content, str) else content
