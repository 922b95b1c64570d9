"""Every script of Part I through every fault: what it sends, what it prints, how it ends. Nothing hangs.

One child process a script runs all its scenarios (many_runs.py); the server and the faults are here.
"""

import json
import re
import subprocess
import sys
import threading

import pytest

from course.lessons import LESSONS
from course.standin.app import create_app
from course.standin.faults import NAMES, Faults
from course.standin.server import start
from tests.conftest import ROOT, clean_env

KEY = "sk-ant-test-0123456789"
SECONDS = 60  # for one scenario; none takes more than two
PART_ONE = [lesson.id for lesson in LESSONS if lesson.part == 1]
FILES = {lesson.id: lesson.path for lesson in LESSONS}
# One call and no slow tool; the lessons' own prompts are tested in test_runs.py.
LUNCH = "Book lunch with ana@example.com and ben@example.com tomorrow at 12:00 for an hour."
PROMPTS = {"s04": [LUNCH], "s05": [LUNCH], "s06": [LUNCH]}
CALL_LINE = re.compile(r"^  \w+\(\{.*\}\) -> ", re.MULTILINE)
LIMIT = 10  # MAX_TURNS

STOPS = {
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "context_window": "model_context_window_exceeded",
    "unknown_stop_reason": "some_new_reason",
}
# What s05 says of each: a word that its sentence must have.
TREATMENT = {
    "max_tokens": "MAX_TOKENS",
    "refusal": "declined",
    "context_window": "no longer fits",
    "unknown_stop_reason": "some_new_reason",
}
OUTLASTING = {
    "rate_limit:3": "RateLimitError",
    "overloaded:3": "OverloadedError",
    "api_error:3": "InternalServerError",
    "reset:3": "APIConnectionError",
    "cut:3": "APIConnectionError",
    "spend_limit": "EnforcedSpendLimitReachedError",
}
FINAL = {  # not tried again
    "bad_key": (401, "AuthenticationError"),
    "no_permission": (403, "PermissionDeniedError"),
    "no_credit": (400, "BadRequestError"),
    "too_long": (400, "BadRequestError"),
    "window@100": (400, "BadRequestError"),
}
BAD_ARGUMENTS = {  # fault -> the argument that an answer must name
    "missing_argument": "title",
    "unknown_argument": "mood",
    "mistyped_argument": "title",
    "bad_format": "start",
    "nested_argument": "attendees",
}


class Child:
    """Scripts run one after another in another process, each against the faults given."""

    def __init__(self, lesson):
        self.lesson = lesson
        self.faults = Faults([])
        self.exchanges = []
        self.server = start(lambda: create_app(lambda *request: self.faults(*request), self.exchanges.append))
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "tests/agents/many_runs.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env=clean_env(ANTHROPIC_BASE_URL=self.server.base_url, ANTHROPIC_API_KEY=KEY, COURSE_WATCHED="1"),
        )

    def run(self, *specs):
        self.faults = Faults(specs, slow=0.1, retry_after=0.01)
        self.exchanges.clear()
        scenario = {"script": str(FILES[self.lesson]), "arguments": PROMPTS.get(self.lesson, []), "env": {}}
        watchdog = threading.Timer(SECONDS, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write(json.dumps(scenario) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        assert line, f"{self.lesson} with {specs} did not end within {SECONDS} s"
        return Outcome(specs, self.faults.unmet(), [*self.exchanges], **json.loads(line))

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=SECONDS)
        self.process.stdout.close()
        self.server.stop()


class Outcome:
    def __init__(self, specs, unmet, exchanges, status, out, err):
        self.specs, self.unmet, self.status, self.out, self.err = specs, unmet, status, out, err
        self.statuses = [exchange.status for exchange in exchanges]
        self.requests = [json.loads(exchange.body) for exchange in exchanges]
        self.error = err.strip().splitlines()[-1] if err.strip() else ""
        # In no case may the fault lead to a request that the API refuses; one of them is a 400 itself.
        assert 400 not in self.statuses or specs[0] in FINAL, (specs, out, err)
        assert KEY not in out + err

    def results(self, request=1):
        """The tool results at the end of a request."""
        return [block for block in self.requests[request]["messages"][-1]["content"] if block["type"] == "tool_result"]

    @property
    def ran(self):
        """How many tool calls were run (and shown)."""
        return len(CALL_LINE.findall(self.out))

    @property
    def words(self):
        return re.sub(r"\d+\.\d s in all", "", self.out).split()


# s02 to s04 treat faults as s01 does; `make test-all` makes sure.
ALIKE = ("s02", "s03", "s04")


@pytest.fixture(params=[pytest.param(each, marks=pytest.mark.extra if each in ALIKE else ()) for each in PART_ONE])
def child(request):
    made = Child(request.param)
    yield made
    made.close()


def test_every_fault(child):
    """All in one test: the child's start is what takes long. Which fault it was stands in the assertion."""
    lesson = child.lesson
    careful = lesson in ("s05", "s06")
    plain = child.run()
    assert plain.status == 0 and not plain.err, plain.err
    tested = {"ok"}

    def run(spec):
        tested.add(re.split("[:@]", spec)[0])
        return child.run(spec)

    # The SDK tries again, and nobody notices.
    for spec in ("rate_limit", "overloaded", "api_error", "reset", "cut", "slow"):
        done = run(spec)
        assert (done.status, done.words) == (0, plain.words), spec
        assert len(done.statuses) == len(plain.statuses) + (spec != "slow"), spec
    # What needs a stream, or a character that these replies do not have.
    for spec in ("byte_by_byte", "cut_character"):
        done = run(spec)
        assert (done.status, done.words) == (0, plain.words), spec

    # It gives up after three requests: its exception is what the reader sees, before anything was run.
    for spec, error in OUTLASTING.items():
        done = run(spec)
        assert done.status == 1 and f"anthropic.{error}" in done.error, (spec, done.err)
        assert len(done.requests) == 3 and done.requests[0] == done.requests[1] == done.requests[2], spec
        assert done.ran == 0 and "turn 1" not in done.out, spec

    for spec, (status, error) in FINAL.items():
        done = run(spec)
        assert done.status == 1 and f"anthropic.{error}" in done.error and done.statuses == [status], spec
    done = run("html")
    assert done.status == 1 and len(done.requests) == 1 and "'str' object has no attribute" in done.error

    # No script of Part I streams, so this one never comes.
    done = run("stream_error")
    assert (done.unmet, done.status, done.words) == (["stream_error"], 0, plain.words)

    for name, reason in STOPS.items():
        done = run(name)
        assert (done.status, done.err, len(done.requests), done.ran) == (0, "", 1, 0), (name, done.err)
        assert f"turn 1: {reason}" in done.out
        last = done.out.splitlines()[-1]
        assert TREATMENT[name] in last if careful else last == f"(stopped early: {reason})", (name, last)

    done = run("pause_turn")
    assert done.status == 0 and "turn 1: pause_turn" in done.out
    if careful:
        assert len(done.requests) == len(plain.requests) + 1
        assert done.requests[1]["messages"][-1]["role"] == "assistant"
        assert done.requests[1]["messages"][:-1] == done.requests[0]["messages"]
        assert done.out.splitlines()[-1] == plain.out.splitlines()[-1]
    else:
        assert len(done.requests) == 1 and done.out.splitlines()[-1] == "(stopped early: pause_turn)"

    done = run("empty")
    assert (done.status, len(done.requests), done.out.splitlines()[-1]) == (0, 1, "(no text)")
    # An empty reply behind tool results must not be sent back, and needs no answer.
    done = child.run("ok", "empty")
    assert (done.status, len(done.requests), done.out.splitlines()[-1]) == (0, 2, "(no text)")

    done = run("thinking_first")
    assert (done.status, done.words, done.unmet) == (0, plain.words, [])
    done = child.run("ok", "thinking_first")
    assert (done.status, done.words, done.unmet) == (0, plain.words, [])
    done = run("split_text")
    assert (done.status, done.words, done.unmet) == (0, plain.words, [])

    done = run("unknown_tool")
    name = "get_weather_v2" if lesson == "s01" else "create_calendar_event_v2"
    if careful:
        check_answered(done, name, cured=False)
    else:
        assert done.status == 1 and done.error == f"KeyError: '{name}'" and len(done.requests) == 1

    for spec, argument in BAD_ARGUMENTS.items():
        done = run(spec)
        if lesson == "s01":
            argument = argument.replace("title", "city")
            if spec in ("bad_format", "nested_argument"):  # its tool has no such argument
                assert (done.unmet, done.words) == ([spec], plain.words)
                continue
        if lesson == "s06" and spec == "bad_format":  # the SDK checks types, and a date is a str like any other
            assert done.status == 0 and done.ran >= 1 and not done.unmet
        elif lesson == "s06":
            check_answered(done, "Invalid arguments for function create_calendar_event")
        elif careful and spec != "mistyped_argument":
            check_answered(done, argument)
        elif spec in ("missing_argument", "unknown_argument"):
            assert done.status == 1 and done.error.startswith("TypeError: ") and argument in done.error, (
                spec,
                done.err,
            )
            assert len(done.requests) == 1
        elif done.status == 0:  # nothing checks it, so the tool runs with it; s05 does not care what a title is
            assert done.ran >= 1 and done.unmet == [], spec
        else:
            assert len(done.requests) == 1 and "Error: " in done.error, (spec, done.err)

    done = run("one_of_several")
    if lesson == "s02":  # asks for one call at most
        assert (done.unmet, done.words) == (["one_of_several"], plain.words)
    elif careful:
        assert done.status == 0 and not done.unmet
        good, bad = done.results()
        assert not good.get("is_error") and bad["is_error"] is True
        asked = [block["id"] for block in done.requests[1]["messages"][-2]["content"] if block["type"] == "tool_use"]
        assert [good["tool_use_id"], bad["tool_use_id"]] == asked
    else:
        assert done.status == 1 and done.error.startswith("TypeError: ") and len(done.requests) == 1

    done = run("obeyed_order")
    if lesson == "s02":  # whose second reply is the last
        assert (done.status, len(done.requests)) == (0, 2) and "another call" in done.out.splitlines()[-1]
    else:
        assert (done.status, len(done.requests)) == (0, len(plain.requests) + 1)
        assert "As ordered" in json.dumps(done.requests[-1])

    done = run("calls_without_end")
    assert done.status == 0
    if lesson == "s02":
        assert len(done.requests) == 2 and "another call" in done.out.splitlines()[-1]
    else:
        assert len(done.requests) == LIMIT
        assert f"{LIMIT} turns" in done.out.splitlines()[-1]

    assert tested == set(NAMES)


def check_answered(done, text, cured=True):
    """The failure went back as a result that names what was wrong; the run came to its end, and a good one if cured."""
    assert done.status == 0, (done.specs, done.err)
    (result,) = done.results()
    assert result["is_error"] is True and text in str(result["content"]), (done.specs, result)
    assert re.search(r"^turn \d+: end_turn$", done.out, re.MULTILINE), done.out
    if cured:
        assert not done.results(len(done.requests) - 1)[0].get("is_error"), (done.specs, done.out)


# The command, as a reader types it. -----------------------------------------------------------------------------


def course(*arguments, **env):
    done = subprocess.run(
        [sys.executable, "-m", "course", *arguments],
        env=clean_env(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
    )
    return done


def test_course_run_with_a_fault():
    done = course("run", "s01", "--fault", "refusal")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "(stopped early: refusal)"
    assert "stand-in" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.extra
def test_course_run_says_which_fault_never_came():
    done = course("run", "s01", "--fault", "nested_argument")
    assert done.returncode == 0
    assert "The fault nested_argument never came" in done.stderr


@pytest.mark.extra
def test_course_run_passes_on_the_script_s_exit_status():
    done = course("run", "s01", "--fault", "bad_key")
    assert done.returncode == 1 and "AuthenticationError" in done.stderr


@pytest.mark.extra
def test_a_fault_means_the_stand_in_even_with_a_key():
    done = course("run", "s01", "--fault", "refusal", ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL="http://127.0.0.1:9")
    assert done.returncode == 0 and "(stopped early: refusal)" in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_fault_list_needs_no_lesson():
    done = course("run", "--fault", "list")
    assert done.returncode == 0
    assert [line.split()[0] for line in done.stdout.splitlines()] and set(NAMES) == {
        line.split()[0] for line in done.stdout.splitlines()
    }


@pytest.mark.parametrize("spec", ["rate_limits", "refusal:0", "refusal:many"])
def test_a_wrong_spec_is_one_sentence(spec):
    done = course("run", "s01", "--fault", spec)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and not done.stdout


def test_fault_and_real_exclude_each_other():
    done = course("run", "s01", "--fault", "refusal", "--real", ANTHROPIC_API_KEY=KEY)
    assert done.returncode == 2 and "--real" in done.stderr and not done.stdout
