"""s05: what it makes of calls that are wrong, and of replies that the API would not take back."""

import itertools
import json

import pytest

from tests.agents.playing import Playing, results_in
from tests.conftest import ROOT, run_script

SCRIPT = ROOT / "agents/s05_error_handling.py"
NOON = {"title": "Lunch", "start": "2027-03-01T12:00", "end": "2027-03-01T13:00"}

# A call -> what its answer must say.
WRONG = {
    "a date that there is not": ({"start": "2027-02-30T12:00"}, "start: expected a date"),
    "no time of day": ({"end": "2027-03-01T99:99"}, "end: expected a date"),
    "a weekday": ({"start": "next Monday"}, "got 'next Monday'"),
    "a number for a time": ({"start": 42}, "start: expected a date"),
    "a name for an address": ({"attendees": ["Ana"]}, "attendees: expected a list of e-mail addresses, got ['Ana']"),
    "one address for a list": ({"attendees": "a@b.com"}, "attendees: expected a list of e-mail addresses"),
    "too many": ({"attendees": [f"{n}@example.com" for n in range(11)]}, "attendees: 11 people"),
    "an unknown frequency": (
        {"recurrence": {"frequency": "yearly", "count": 2}},
        "recurrence: expected daily or weekly",
    ),
    "no count": ({"recurrence": {"frequency": "daily"}}, "recurrence: expected daily or weekly and a count"),
    "a count of none": ({"recurrence": {"frequency": "daily", "count": 0}}, "a count from 1"),
    "words for a count": ({"recurrence": {"frequency": "daily", "count": "several"}}, "recurrence: expected"),
    "beyond the calendar": ({"recurrence": {"frequency": "weekly", "count": 10**9}}, "recurrence: expected"),
    "words for a series": ({"recurrence": "weekly"}, "recurrence: expected"),
    "an unknown argument": ({"mood": "good"}, "unexpected keyword argument 'mood'"),
    "a missing argument": ({"title": None}, "missing 1 required positional argument: 'title'"),
}


def call(tool, **given):
    return {"type": "tool_use", "name": tool, "input": given}


@pytest.fixture
def run(recorder):
    """run(reply, ...) -> (the run, its requests): Claude says what is given, then "Done."."""

    def go(*replies, **env):
        server = recorder(Playing(*replies))
        done = run_script(SCRIPT, "Go", **server.env, **env)
        assert (done.status, "Traceback" in done.err) == (0, False), done.err
        return done, server.requests

    return go


def test_a_wrong_call_is_told_which_argument_and_why_and_leaves_no_trace(run):
    inputs = [
        {key: value for key, value in {**NOON, **change}.items() if value is not None} for change, _ in WRONG.values()
    ]
    days = [call("list_calendar_events", date=date) for date in ("2027-03-01", "2027-03-02", "2027-02-30", "today")]
    _, requests = run([call("create_calendar_event", **each) for each in inputs], days)
    for name, result, (_, expected) in zip(WRONG, requests[1]["messages"][-1]["content"], WRONG.values(), strict=True):
        assert result["is_error"] is True and expected in result["content"], name
        assert result["content"].startswith("Error: "), name
    *empty, invalid, words = results_in(requests[2])
    assert empty == ["2027-03-01: free", "2027-03-02: free"]
    assert "date: expected a date as in 2026-12-07" in invalid and "date: expected" in words


def test_a_series_is_on_each_of_its_dates_and_its_last_date_is_said(run):
    series = call("create_calendar_event", **NOON, recurrence={"frequency": "weekly", "count": 3})
    days = [call("list_calendar_events", date=f"2027-03-{day}") for day in ("01", "02", "15", "22")]
    _, requests = run([series], days)
    assert results_in(requests[1])[0].endswith("weekly, 3 times, last on 2027-03-15, 0 invited")
    assert ["Lunch" in result for result in results_in(requests[2])] == [True, False, True, False]


def test_what_the_api_would_not_take_back_is_mended(run):
    half = call("create_calendar_event", **{**NOON, "title": "Lunch \ud83d"})
    done, requests = run([{"type": "text", "text": " \n"}, half], [{"type": "text", "text": "Now \ud83d"}, half])
    assert [block["type"] for block in requests[1]["messages"][1]["content"]] == ["tool_use"]
    assert results_in(requests[1])[0].startswith("Created: Lunch ?, ")
    assert requests[2]["messages"][3]["content"][0]["text"] == "Now ?"
    assert "Lunch ?" in done.out


def test_two_calls_with_one_id_both_get_their_result(recorder):
    playing = Playing([call("list_calendar_events", date=date) for date in ("2027-03-01", "2027-03-02")])
    playing.ids = itertools.repeat("same")
    server = recorder(playing)
    assert run_script(SCRIPT, "Go", **server.env).status == 0
    assert results_in(server.requests[1]) == ["2027-03-01: free", "2027-03-02: free"]


def test_a_call_that_is_not_run_is_told_why_and_nothing_goes_on_for_want_of_a_call(run):
    _, requests = run(("pause_turn", [call("list_calendar_events", date="2027-03-01")]))
    assert results_in(requests[1]) == ["Error: not run because of pause_turn"]
    for content in ([{"type": "text", "text": "I'll look."}], []):
        done, requests = run(("tool_use", content))
        assert len(requests) == 1 and done.lines[-1].endswith("or its reply held no call.")


def test_whatever_a_tool_returns_there_is_an_answer(recorder, tmp_path):
    """Each is returned by a tool of the reader's own: JSON holds the first two, and not the others."""
    source = SCRIPT.read_text(encoding="utf-8")
    marked = "\nFUNCTIONS = {"
    assert source.count(marked) == 1
    own = (
        '\nRETURNS = {"dict": {"name": "Grüße", "day": TODAY}, "none": None, "half": "\\ud83d"}\n'
        'RETURNS |= {"tuple": {(1, 2): 3}, "cycle": []}\n'
        'RETURNS["cycle"].append(RETURNS["cycle"])\n'
    )
    script = tmp_path / "own.py"
    source = source.replace(marked, own + marked).replace("FUNCTIONS = {", 'FUNCTIONS = {"own": RETURNS.get, ')
    script.write_text(
        source.replace("FUNCTIONS[call.name](**call.input)", "FUNCTIONS[call.name](*call.input.values())")
    )
    server = recorder(Playing([call("own", what=what) for what in ("dict", "none", "half", "tuple", "cycle")]))
    done = run_script(script, "Go", **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False), done.err
    *good, keys, cycle = server.requests[1]["messages"][-1]["content"]
    assert json.loads(good[0]["content"])["name"] == "Grüße" and [each["content"] for each in good[1:]] == ["null", "?"]
    assert keys["is_error"] and "keys must be" in keys["content"]
    assert cycle["is_error"] and "Circular reference" in cycle["content"]
