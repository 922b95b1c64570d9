"""The lessons as a reader runs them: real scripts, the real SDK, real HTTP. What counts is what was sent."""

import datetime
import re
import tomllib

import pytest

from tests.conftest import ROOT, run_script

LESSONS = tomllib.loads((ROOT / "course/lessons.toml").read_text(encoding="utf-8"))["lesson"]
FILES = {lesson["id"]: f"agents/{lesson['file']}" for lesson in LESSONS}
PART_ONE = [lesson["id"] for lesson in LESSONS if lesson["part"] == 1]
CALL = re.compile(r"  (\w+)\((\{.*?\})\) -> (.*)")


def calls_in(message):
    return [block for block in message["content"] if block["type"] == "tool_use"]


def assert_history_is_whole(server):
    """Each request is the one before, plus the reply as it came, plus one message with one result a call, in order."""
    for before, reply, after in zip(server.requests, server.replies, server.requests[1:], strict=False):
        expected = [*before["messages"], {"role": "assistant", "content": reply["content"]}]
        assert without_nulls(after["messages"][: len(expected)]) == without_nulls(expected)
        added = after["messages"][len(expected) :]
        assert len(added) == 1 and added[0]["role"] == "user"
        assert [block["type"] for block in added[0]["content"]] == ["tool_result"] * len(calls_in(reply))
        assert [block["tool_use_id"] for block in added[0]["content"]] == [call["id"] for call in calls_in(reply)]
        for key in before.keys() | after.keys() - {"messages"}:
            if key != "messages":
                assert before[key] == after[key], key


def without_nulls(value):
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    if isinstance(value, list):
        return [without_nulls(item) for item in value]
    return value


@pytest.fixture
def run(recorder):
    """run("s01", "a prompt") -> (Run, Recorder), the history checked."""

    def go(lesson, *args, answer=None, **env):
        server = recorder(answer) if answer else recorder()
        done = run_script(FILES[lesson], *args, **server.env, **env)
        assert "Traceback" not in done.err, done.err
        assert done.status == 0
        assert_history_is_whole(server)
        return done, server

    return go


def printed_calls(done):
    return [(match[1], match[2], match[3]) for line in done.lines if (match := CALL.match(line))]


def answer_of(done):
    """What is printed after the last turn's line."""
    last = max(i for i, line in enumerate(done.lines) if line.startswith("turn "))
    return "\n".join(done.lines[last + 1 :])


def test_s01_asks_twice_and_runs_one_tool(run):
    done, server = run("s01")
    assert done.lines[0] == "> What should I wear in Austin today?"
    assert done.lines[1:4] == [
        "turn 1: tool_use",
        '  get_weather({"city": "Austin"}) -> Weather in Austin: 95F, sunny',
        "turn 2: end_turn",
    ]
    assert len(done.lines) > 4 and done.lines[4]
    assert len(server.requests) == 2


def test_s01_says_that_a_city_is_unknown(run):
    done, _ = run("s01", "What should I wear in Atlantis?")
    assert [name for name, *_ in printed_calls(done)] == ["get_weather"]
    assert "Known cities" in printed_calls(done)[0][2]
    assert "95" not in answer_of(done) and "Atlantis" in answer_of(done)


@pytest.mark.parametrize(
    "prompt, cities, language",
    [
        ("What should I wear in Oslo and Berlin?", {"Oslo", "Berlin"}, r"[a-z]"),
        ("Was soll ich morgen in Oslo anziehen?", {"Oslo"}, r"\b(und|ist|in|warm)\b"),
        ("明天在成都穿什么？", {"Chengdu"}, r"[\u4e00-\u9fff]"),
    ],
)
def test_s01_in_three_languages(run, prompt, cities, language):
    done, server = run("s01", prompt)
    sent = {call["input"]["city"] for reply in server.replies for call in calls_in(reply)}
    assert sent == cities
    assert re.search(language, answer_of(done))


def test_s02_takes_one_turn_apart(run):
    done, server = run("s02")
    assert len(server.requests) == 2
    assert server.requests[0]["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    assert '"stop_reason": "tool_use"' in done.out and '"tool_use_id": "toolu_' in done.out
    (name, _, result) = printed_calls(done)[0]
    assert name == "create_calendar_event"
    (call,) = calls_in(server.replies[0])
    assert call["input"]["start"].startswith("2027-09-13T10:00")
    assert call["input"]["end"].startswith("2027-09-13T10:30")
    assert call["input"]["attendees"] == ["ana@example.com", "ben@example.com"]
    assert result.endswith("2 invited")


def test_s02_survives_a_reply_with_no_call(run):
    done, server = run("s02", "Hello, who are you?")
    assert len(server.requests) == 1
    assert done.lines[1] == "turn 1: end_turn"
    assert answer_of(done)


def test_s03_takes_three_turns_each_of_which_needs_the_one_before(run):
    done, server = run("s03")
    assert re.search(r"Today is \w+day, \d{4}-\d\d-\d\d\.", server.requests[0]["system"])
    calls = [call for reply in server.replies for call in calls_in(reply)]
    assert [len(calls_in(reply)) for reply in server.replies] == [1, 1, 0]
    standup, retro = [call["input"] for call in calls]
    assert standup["recurrence"] == {"frequency": "weekly", "count": 4}
    assert standup["attendees"] == retro["attendees"] == ["ana@example.com", "ben@example.com"]
    assert "T09:00" in standup["start"] and "T09:15" in standup["end"]
    last = datetime.date.fromisoformat(standup["start"][:10]) + datetime.timedelta(weeks=3)
    assert f"last on {last}" in printed_calls(done)[0][2]  # where Claude has the date from
    assert retro["start"].startswith(f"{last}T14:00") and retro["end"].startswith(f"{last}T15:00")
    assert done.lines[-1] and "turn 3: end_turn" in done.lines


def test_s04_runs_three_calls_in_one_second(run):
    done, server = run("s04")
    first = calls_in(server.replies[0])
    assert [call["name"] for call in first] == ["list_calendar_events"] * 3
    assert re.search(r"^  \(1\.\d s in all\)$", done.out, re.MULTILINE)  # not 3 s, however busy the machine is
    (booked,) = calls_in(server.replies[1])
    assert booked["name"] == "create_calendar_event"
    # Monday is full until noon; Tuesday has the stand-up from 9:00 to 9:15.
    assert booked["input"]["start"][:10] == first[1]["input"]["date"]
    assert booked["input"]["start"][11:16] >= "09:15"
    assert "turn 3: end_turn" in done.lines


def test_s04_a_created_event_joins_the_calendar(run):
    prompt = "Book lunch with ana@example.com tomorrow at 12:00 for an hour, then list the events of tomorrow."
    done, server = run("s04", prompt)
    calls = printed_calls(done)
    assert [name for name, *_ in calls] == ["create_calendar_event", "list_calendar_events"]
    assert "12:00-13:00" in calls[1][2]


@pytest.mark.parametrize("lesson", ["s05", "s06"])
def test_the_all_hands_is_refused_and_claude_finds_a_way(run, lesson):
    done, server = run(lesson)
    results = [block for request in server.requests[1:] for block in request["messages"][-1]["content"]]
    assert results[0]["is_error"] is True
    assert "15 people, but one event takes at most 10" in str(results[0]["content"])
    made = [call for reply in server.replies[1:] for call in calls_in(reply)]
    assert len(made) == 2
    assert all(len(call["input"]["attendees"]) <= 10 for call in made)
    assert len({person for call in made for person in call["input"]["attendees"]}) == 15
    assert not any(block.get("is_error") for block in results[1:])
    assert "turn 3: end_turn" in done.lines


def test_s06_sends_everything_each_time_and_no_thread(run):
    _, server = run("s06")
    assert all("thread" not in request for request in server.requests)
    assert all(request["tools"] for request in server.requests)
    schema = server.requests[0]["tools"][0]["input_schema"]
    assert schema["required"] == ["title", "start", "end"]


def test_s06_runs_its_tools_one_after_another(run):
    done, _ = run("s06", "Which of my next three days is the quietest?")
    (seconds,) = re.findall(r"^  \((\d+\.\d) s in all\)$", done.out, re.MULTILINE)
    assert float(seconds) >= 3  # three tools of a second each; side by side it would be one, as in s04


@pytest.mark.parametrize("lesson", PART_ONE)
def test_no_key_no_network(lesson):
    """The README's promise: without a key and a network, every default run ends well against the embedded stand-in."""
    done = run_script(FILES[lesson])
    assert done.status == 0, done.err
    assert done.lines[0].startswith("> ")
    assert any(re.fullmatch(r"turn \d+: end_turn", line) for line in done.lines)
    assert answer_of(done)
    assert len(done.err.splitlines()) == 1 and "stand-in" in done.err


@pytest.mark.parametrize("proxy", [{"HTTP_PROXY": "http://127.0.0.1:9"}, {"ALL_PROXY": "socks5://127.0.0.1:9"}])
def test_a_proxy_in_the_environment_does_no_harm(proxy):
    done = run_script(FILES["s01"], **proxy)
    assert done.status == 0, done.err
    assert "turn 2: end_turn" in done.lines


def test_a_console_that_knows_neither_umlauts_nor_chinese_is_survived():
    for encoding in ("cp1252", "gbk", "ascii"):
        done = run_script(FILES["s01"], "明天在成都穿什么？", PYTHONUTF8="0", PYTHONIOENCODING=encoding + ":strict")
        assert done.status == 0, done.err
        assert "turn 2: end_turn" in done.out
