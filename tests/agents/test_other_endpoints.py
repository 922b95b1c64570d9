"""Each difference that the page "Other models" names, with the lessons that it names: what it says is what happens."""

import shutil

import pytest

from tests.agents import endpoints
from tests.agents.test_runs import FILES
from tests.conftest import ROOT, run_script

EVENT = 'create_calendar_event(title="{}", start="2026-12-07T09:00", end="2026-12-07T10:00")'
ARGUMENTS = {  # two calls in one reply, in each lesson; those that are not here have them by themselves
    "s01": ["What should I wear in Oslo and Berlin?"],
    "s02": [f"{EVENT.format('A')} {EVENT.format('B')}"],
    "s03": [f"{EVENT.format('A')} {EVENT.format('B')}"],
    "s07": ["--yes", 'bash(command="echo 1") bash(command="echo 2")\nbash(command="echo 3")'],
}
NAMED = [f"s{number:02}" for number in range(1, 8)]
# Lessons 2 to 4 have the loop of lesson 1: with `make test` it stands for them.
each_lesson = pytest.mark.parametrize(
    "lesson",
    [pytest.param(lesson, marks=pytest.mark.extra) if lesson in ("s02", "s03", "s04") else lesson for lesson in NAMED],
)
HINT = "[course] Is it the key, the address or what answers there? `course doctor` says more."


def go(recorder, lesson, endpoint, **env):
    server = recorder(getattr(endpoints, endpoint))
    return run_script(FILES[lesson], *ARGUMENTS.get(lesson, ()), **(server.env | env)), server


def fine(done):
    assert done.status == 0 and "Traceback" not in done.err, done.err
    assert done.lines[-1] != "(no text)"


def ends_with(done, error):
    """A traceback with this error, and behind it the line that names the doctor. Lesson 7 needs no traceback."""
    assert done.status == 1
    assert error in done.err + done.out
    assert done.err.rstrip().endswith(HINT)


@each_lesson
@pytest.mark.parametrize(
    "endpoint", ["one_id", *(pytest.param(name, marks=pytest.mark.extra) for name in ("no_options", "bare"))]
)
def test_what_changes_nothing(recorder, lesson, endpoint):
    done, server = go(recorder, lesson, endpoint)
    fine(done)
    assert {each.path.split("?")[0] for each in server.exchanges} == {"/v1/messages"}, (
        "the page says: no lesson needs it"
    )


def test_all_calls_are_answered_though_one_was_allowed(recorder):
    done, server = go(recorder, "s02", "no_options")
    assert server.requests[0]["tool_choice"]["disable_parallel_tool_use"] is True
    assert [block["type"] for block in server.requests[1]["messages"][-1]["content"]] == ["tool_result"] * 2


@each_lesson
def test_an_endpoint_that_refuses_its_own_ids(recorder, lesson):
    done, _ = go(recorder, lesson, "one_id_but_strict")
    if lesson in ("s01", "s03", "s04", "s06"):
        ends_with(done, "anthropic.BadRequestError")
    else:  # one call at most in s02; s05 and s07 mend the ids
        fine(done)


@each_lesson
def test_arguments_as_text(recorder, lesson):
    done, server = go(recorder, lesson, "text_arguments")
    if lesson in ("s01", "s02", "s03", "s04"):
        ends_with(done, "TypeError")
    else:
        assert done.status == 0 and HINT not in done.err
        assert ("Traceback" in done.err) == (lesson == "s06")
        assert all(result["is_error"] for result in server.requests[1]["messages"][-1]["content"])


@each_lesson
def test_end_turn_although_there_are_calls(recorder, lesson):
    done, server = go(recorder, lesson, "ends_turn")
    assert (done.status, done.lines[-1]) == (0, "(no text)")
    assert len(server.requests) == 1 and "Traceback" not in done.err


@each_lesson
def test_errors_in_another_form(recorder, lesson):
    done, _ = go(recorder, lesson, "other_errors")
    assert done.status == 1 and "Model does not exist" in done.out + done.err
    if lesson == "s07":
        assert "Traceback" not in done.err
    else:
        ends_with(done, "anthropic.BadRequestError")


@each_lesson
def test_an_error_with_status_200(recorder, lesson):
    ends_with(go(recorder, lesson, "errors_with_200")[0], "TypeError")


def test_lesson_7_goes_on_after_it(recorder):
    server = recorder(endpoints.errors_with_200)
    done = run_script(FILES["s07"], "--yes", stdin="Hi\nHi\n", **server.env)
    assert done.status == 0 and len(server.requests) == 2


def test_the_key_as_x_api_key(recorder):
    done, server = go(recorder, "s01", "x_api_key_alone")
    ends_with(done, "anthropic.AuthenticationError")
    key = server.env["ANTHROPIC_API_KEY"]
    done, _ = go(recorder, "s01", "x_api_key_alone", ANTHROPIC_CUSTOM_HEADERS=f"x-api-key: {key}")
    fine(done)


@pytest.mark.parametrize("lesson", ["s08", "s09"])
def test_an_endpoint_without_strict_refuses_the_lesson_until_one_line_is_gone(lesson, recorder, tmp_path):
    done, server = go(recorder, lesson, "no_strict")
    ends_with(done, "BadRequestError")
    script = ROOT / FILES[lesson]
    source = script.read_text(encoding="utf-8")
    (line,) = [line for line in source.splitlines(keepends=True) if '["strict"]' in line]
    (tmp_path / script.name).write_text(source.replace(line, ""), encoding="utf-8")
    shutil.copytree(script.parent / "review", tmp_path / "review")
    fine(run_script(tmp_path / script.name, **server.env))
