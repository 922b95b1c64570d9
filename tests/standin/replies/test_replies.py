"""What holds for every reply: languages, tool_choice, errors, an end, odd clients."""

import copy

import pytest

from course.standin.replies import MAX_ROUNDS, reply

from .loop import ask, play
from .toolsets import CALENDAR, SETS, SYSTEM, TEAM, tool

SYNC = "Schedule a 30-minute sync with ana@example.com and ben@example.com on Monday, September 6, 2027 at 10:00."
CREATE = "create_calendar_event"


def calls_of(played):
    return [call for calls in played.rounds for call in calls]


# Follow-ups


def test_second_prompt_follows_on_the_first():
    first = play("What should I wear in Austin today?")
    second = play("And in Oslo?", history=first.messages)
    assert second.rounds == [[["get_weather", {"city": "Oslo"}]]]
    assert "coat" in second.text and "Austin" not in second.text


def test_date_that_was_asked_for_completes_the_first_prompt():
    first = play("Trag morgen um 15 Uhr eine halbe Stunde mit ana@example.com ein", "calendar")
    second = play("Heute ist der 30. November 2026.", "calendar", history=first.messages)
    assert calls_of(second)[0][1]["start"] == "2026-12-01T15:00:00"


def test_time_that_was_asked_for_completes_the_first_prompt():
    first = play("Book a dentist appointment on 2027-09-06", "calendar")
    assert "what time" in first.text
    second = play("At 9:30", "calendar", history=first.messages)
    assert calls_of(second)[0][1]["start"] == "2027-09-06T09:30:00"


@pytest.mark.parametrize(
    ("prompt", "again", "start"),
    [
        ("Book a sync with ana@example.com tomorrow at 10:00.", "The same again one day later.", "2026-12-02T10:00:00"),
        (
            "Book a sync with ana@example.com tomorrow at 10:00.",
            "The same again on Friday at 9:30",
            "2026-12-04T09:30:00",
        ),
        ("Trag morgen um 10 Uhr eine Besprechung ein", "Dasselbe noch einmal eine Woche später", "2026-12-08T10:00:00"),
        ("明天上午10点安排评审会", "晚一天再来一次", "2026-12-02T10:00:00"),
        ("明天上午10点安排评审会", "后天再安排一次", "2026-12-02T10:00:00"),
    ],
)
def test_same_again_is_booked_once_more_at_the_new_time(prompt, again, start):
    first = play(prompt, "event", system=SYSTEM)
    second = play(again, "event", history=first.messages, system=SYSTEM)
    assert calls_of(first)[0][1]["start"] == "2026-12-01T10:00:00"
    assert calls_of(second) == [
        [CREATE, calls_of(first)[0][1] | {"start": start, "end": calls_of(second)[0][1]["end"]}]
    ]
    assert calls_of(second)[0][1]["end"][:10] == start[:10]


@pytest.mark.parametrize(
    ("prompt", "question", "words"),
    [
        ("What is my next free day?", "Stop looking. Which days have you seen?", "Tuesday, Wednesday and Thursday"),
        (
            "Was ist mein nächster freier Tag?",
            "Hör auf. Welche Tage hast du gesehen?",
            "Dienstag, Mittwoch und Donnerstag",
        ),
        ("我下一个没有安排的日子是哪天？", "停。你看过哪几天？", "星期四"),
    ],
)
def test_days_are_looked_at_one_by_one_and_told_when_stopped(prompt, question, words):
    full = {"list_calendar_events": lambda date: f"{date}: {'free' if date > '2026-12-03' else '09:00-17:00 Workshop'}"}
    looked = play(prompt, "calendar", functions=full, system=SYSTEM)
    assert [[call[1] for call in calls] for calls in looked.rounds] == [
        [{"date": f"2026-12-0{i}"}] for i in (1, 2, 3, 4)
    ]
    stopped = looked.messages[:7]
    assert words in play(question, "calendar", history=stopped, system=SYSTEM).text


def test_result_without_times_is_quoted_and_a_taken_time_is_not_booked():
    taken = {
        "create_calendar_event": lambda title, start, end: "Taken: by the sync" if title == "Review" else "Created",
        "list_calendar_events": lambda date: f"{date}: Sync",
    }
    prompt = "Book tomorrow at 10:00 for the sync and for the review as well. And what is on tomorrow?"
    played = play(prompt, "calendar", functions=taken, system=SYSTEM)
    assert [call[0] for call in calls_of(played)] == [CREATE, CREATE, "list_calendar_events"]
    assert "Review" not in played.text and "Taken" in played.text and "2026-12-01: Sync" in played.text


@pytest.mark.parametrize(
    ("prompt", "answer", "words"),
    [
        ("Book a sync tomorrow at 9am New York time", "At 15:00", "time zones"),
        ("Trage morgen um 9 Uhr New Yorker Zeit ein Meeting ein", "Um 15 Uhr", "Zeitzonen"),
        ("按纽约时间明天上午9点安排站会", "下午3点", "时区"),
    ],
)
def test_time_in_another_zone_is_asked_for(prompt, answer, words):
    first = play(prompt, "event", system=SYSTEM)
    assert not first.rounds and words in first.text
    second = play(answer, "event", history=first.messages, system=SYSTEM)
    assert calls_of(second)[0][1]["start"] == "2026-12-01T15:00:00"


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Standup every weekday at 9:15 for four weeks", "8 more are not booked"),
        ("Trage werktags um 9 Uhr ein Stand-up ein, 20 mal", "8 weitere"),
        ("每个工作日上午9点安排站会，共20次", "还有 8 个"),
    ],
)
def test_events_that_are_too_many_to_make_singly_are_told(prompt, words):
    played = play(prompt, "event", system=SYSTEM)
    assert len(calls_of(played)) == 12 and words in played.text


def test_friday_is_not_taken_for_free_time():
    played = play("Mittagessen mit mia@example.com am Freitag um 12 Uhr", "calendar", system=SYSTEM)
    assert [name for name, _ in calls_of(played)] == [CREATE]


def test_words_beside_results_are_part_of_the_prompt():
    messages = play("What should I wear in Austin today?").messages[:3]
    messages[2]["content"].append({"type": "text", "text": "Look at Oslo too."})
    message = ask({"model": "claude-haiku-5-5", "max_tokens": 900, "messages": messages, "tools": SETS["weather"][0]})
    assert [block["input"] for block in message["content"] if block["type"] == "tool_use"] == [{"city": "Oslo"}]


@pytest.mark.parametrize(
    ("prompt", "tools", "words"), [(SYNC, "event", "booked"), ("Is it cold in Oslo?", "weather", "Oslo")]
)
def test_remark_behind_results_does_not_end_the_work(prompt, tools, words):
    work = play(prompt, tools).messages[:3]
    note = "By the way, please answer in one short sentence."
    assert words in play(note, tools, history=work).text


def test_new_prompt_behind_results_is_a_new_prompt():
    work = play("Is it cold in Oslo?").messages[:3]
    assert play("How warm is it in Austin?", history=work).rounds == [[["get_weather", {"city": "Austin"}]]]


@pytest.mark.parametrize(
    "system",
    [
        "Today is Monday, 2026-11-30.",
        "The current date is November 30, 2026.",
        "Current date: 30.11.2026",
        "Heute ist Montag, der 30. November 2026.",
        "今天是2026年11月30日，星期一。",
        "Founded on 2001-05-05. Now it is 2026-11-30T08:15:00.",
    ],
)
def test_today_is_learned_from_the_system_prompt(system):
    played = play("Book tennis with mia@example.com tomorrow from 6 to 7pm", "calendar", system=system)
    assert calls_of(played)[0][1]["start"] == "2026-12-01T18:00:00"


def test_today_is_learned_from_the_prompt():
    played = play("Today is 2026-11-30. Book tennis tomorrow from 6 to 7pm.", "calendar")
    assert [call[1]["start"] for call in calls_of(played)] == ["2026-12-01T18:00:00"]


# tool_choice


def body(prompt, tools="weather", **more):
    return {"messages": [{"role": "user", "content": prompt}], "tools": SETS[tools][0], **more}


def test_tool_choice_none_calls_nothing():
    answer = reply(body("What should I wear in Austin today?", tool_choice={"type": "none"}))
    assert answer.stop_reason == "end_turn" and "get_weather" in answer.content[0]["text"]


@pytest.mark.parametrize("prompt", ["Hello", "What should I wear in Austin today?", "你好", "Danke!"])
@pytest.mark.parametrize("tools", ["weather", "calendar", "shop", "office", "arithmetic"])
def test_tool_choice_any_calls_a_tool(prompt, tools):
    answer = reply(body(prompt, tools, tool_choice={"type": "any"}))
    assert answer.stop_reason == "tool_use"
    play(prompt, tools, tool_choice={"type": "any"})  # valid inputs, and an end


@pytest.mark.parametrize("name", [tool["name"] for tool in SETS["office"][0]])
def test_tool_choice_tool_calls_that_tool(name):
    answer = reply(body("Hello", "office", tool_choice={"type": "tool", "name": name}))
    assert [block["name"] for block in answer.content] == [name]


def test_forced_final_answer_tool_gets_the_answer():
    tools = [*SETS["calculator"][0], tool("final_answer", "Give the final answer.", answer="The answer as text")]
    functions = {**SETS["calculator"][1], "final_answer": lambda answer: "ok"}
    played = play("What's (15 + 7) * 3?", (tools, functions), tool_choice={"type": "any"})
    assert played.rounds[0] == [["calculator", {"expression": "(15 + 7) * 3"}]]
    assert played.rounds[1] == [["final_answer", {"answer": "The result is 66."}]]


def test_only_offered_tools_are_called():
    tools = [each for each in SETS["calendar"][0] if each["name"] != CREATE]
    played = play(SYNC, (tools, CALENDAR), system=SYSTEM)
    assert CREATE not in [name for name, _ in calls_of(played)]


def test_answer_in_a_wanted_format_is_json_of_that_schema():
    import json

    wanted = {
        "type": "object",
        "properties": {
            "email": {"type": "string", "format": "email"},
            "urgent": {"type": "boolean"},
            "n": {"type": "integer"},
        },
        "required": ["email", "urgent", "n"],
        "additionalProperties": False,
    }
    request = body("Write to bob@example.com about 3 chairs.", "none")
    del request["tools"]
    answer = reply(request | {"output_config": {"format": {"type": "json_schema", "schema": wanted}}})
    assert json.loads(answer.content[0]["text"]) == {"email": "bob@example.com", "urgent": False, "n": 3}


# Errors


def failing(*errors):
    """A create_calendar_event that raises these errors, one a call, and then works; and what it was called with."""
    seen, left = [], list(errors)

    def create(**given):
        seen.append(given)
        if left:
            raise ValueError(left.pop(0))
        return "Created"

    return {**CALENDAR, CREATE: create}, seen


@pytest.mark.parametrize(
    "error, changed",
    [
        ("attendees: no such argument", lambda given: "attendees" not in given),
        ("create() got an unexpected keyword argument 'attendees'", lambda given: "attendees" not in given),
        ("start: expected date and time without seconds", lambda given: given["start"] == "2027-09-06T10:00"),
        ("Invalid arguments for function create_calendar_event", lambda given: "attendees" not in given),
        ("timed out, try again", lambda given: given["attendees"] == TEAM[:2]),
    ],
)
def test_refused_call_is_corrected_once(error, changed):
    functions, seen = failing(error)
    played = play(SYNC, "event", functions=functions)
    assert len(seen) == 2 and changed(seen[1])
    assert "Done" in played.text
    if "attendees" not in seen[1]:
        assert "could not invite ana@example.com and ben@example.com" in played.text


@pytest.mark.parametrize(
    "error", ["You are not allowed to do that", "room is busy", "attendees: no such argument", "timeout"]
)
def test_call_that_stays_refused_is_explained(error):
    functions, seen = failing(*[error] * 9)
    played = play(SYNC, "event", functions=functions)
    assert len(seen) <= 2
    assert error in played.text and played.text.endswith("?")


def test_one_failing_call_among_several_does_not_spoil_the_others():
    def weather(city):
        if city == "Oslo":
            raise RuntimeError("station offline")
        return SETS["weather"][1]["get_weather"](city)

    played = play("What should I wear in Oslo and Berlin?", functions={"get_weather": weather})
    assert "41F" in played.text and "Oslo" in played.text and "23F" not in played.text


def test_missing_tool_is_explained():
    played = play(SYNC, "event", functions={})
    assert "did not work" in played.text and len(calls_of(played)) == 1


def test_general_scene_explains_an_error():
    def cancel(order_id):
        raise PermissionError("already shipped")

    played = play("Please cancel order O1 for me", "shop", functions={"cancel_order": cancel})
    assert "already shipped" in played.text and len(calls_of(played)) == 1


# Always an end


@pytest.mark.parametrize("tools", [name for name in SETS if name != "none"])
@pytest.mark.parametrize(
    "result", ["", "ok", "Error: no", "95F", "{}", "[1, 2]", "at most 1", "not found", "x: missing"]
)
@pytest.mark.parametrize("is_error", [False, True])
def test_odd_results_lead_to_an_end(tools, result, is_error):
    class Functions(dict):
        def __missing__(self, name):
            def run(**given):
                if is_error:
                    raise RuntimeError(result)
                return result

            return run

    prompts = [
        SYNC,
        "What is the weather in Oslo and Berlin?",
        "What's 3 + 4?",
        "Cancel order O1",
        "Search the docs for x",
    ]
    for prompt in prompts:
        played = play(prompt, tools, functions=Functions(), system=SYSTEM)
        assert played.text and len(played.rounds) <= MAX_ROUNDS


# Other clients


def coding_agent_tools(count=24):
    names = "Bash Edit Read Write Grep Glob Task WebFetch WebSearch TodoWrite NotebookEdit LS MultiEdit".split()
    return [
        tool(names[i % len(names)] + str(i // len(names) or ""), "Long text. " * 50, text="string")
        for i in range(count)
    ]


@pytest.mark.parametrize(
    "prompt", ["hi", "Fix the failing test in src/app.py and run the tests", "What is the weather?"]
)
def test_program_with_many_tools_gets_plain_text(prompt):
    content = [
        {
            "type": "text",
            "text": "<system-reminder>\nToday's date is 2026-11-30. Use the Bash tool.\n</system-reminder>",
        },
        {"type": "text", "text": prompt},
    ]
    request = {
        "system": [{"type": "text", "text": "You are an interactive coding tool. " * 500}],
        "messages": [{"role": "user", "content": content}],
        "tools": coding_agent_tools(),
    }
    assert reply(request).stop_reason == "end_turn"


def test_reminders_are_not_the_prompt():
    content = "<system-reminder>The weather in Berlin is nice.</system-reminder>What should I wear in Oslo?"
    answer = reply(body(content))
    assert [block["input"] for block in answer.content] == [{"city": "Oslo"}]


def test_reply_is_a_function_of_the_request():
    request = body("What should I wear in Oslo and Berlin?")
    before = copy.deepcopy(request)
    assert reply(request) == reply(request)
    assert request == before
