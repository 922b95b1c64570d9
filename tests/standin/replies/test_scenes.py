"""What the scenes play, in three languages; what they leave alone, and how they say so."""

import copy
import datetime

import pytest

from course.standin.replies import play as player
from course.standin.talk import Talk

from .loop import ask, play
from .toolsets import CALENDAR, SETS, SYSTEM, TEAM, tool

CREATE, LIST = "create_calendar_event", "list_calendar_events"
SYNC = "Schedule a 30-minute sync with ana@example.com and ben@example.com on Monday, September 6, 2027 at 10:00."


def calls_of(played):
    return [call for calls in played.rounds for call in calls]


def event(title, start, end, *people, **more):
    attendees = {"attendees": [f"{name}@example.com" for name in people]} if people else {}
    return [CREATE, {"title": title, "start": f"2026-12-{start}:00", "end": f"2026-12-{end}:00", **attendees, **more}]


def weekly(count):
    return {"recurrence": {"frequency": "weekly", "count": count}}


# --- weather ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "cities", "words"),
    [
        ("What should I wear in Austin today?", ["Austin"], "It's 95F and sunny in Austin. Wear light"),
        ("Which is warmer today, Oslo or Berlin?", ["Oslo", "Berlin"], "It's warmer in Berlin."),
        ("Do I need an umbrella in Berlin tomorrow?", ["Berlin"], "I can only see today's weather"),
        ("weather in lisbon", ["Lisbon"], "The cities I can look up are Austin"),
        ("Was soll ich heute in Oslo anziehen?", ["Oslo"], "In Oslo sind es -5 °C, und es schneit."),
        ("Wo ist es kälter, in Austin oder in Berlin?", ["Austin", "Berlin"], "Kälter ist es in Berlin."),
        ("今天在成都穿什么？", ["Chengdu"], "成都现在 14 °C，有雾。"),
        ("成都和柏林今天哪里更暖和？", ["Chengdu", "Berlin"], "成都更暖和。"),
        ("奥斯陆现在冷不冷？", ["Oslo"], "奥斯陆现在 -5 °C"),
        ("Ich fahre heute nach Oslo, was soll ich einpacken?", ["Oslo"], "In Oslo sind es -5 °C"),
    ],
)
def test_weather_is_looked_up_and_told(prompt, cities, words):
    played = play(prompt)
    assert played.rounds == [[["get_weather", {"city": city}] for city in cities]]
    assert words in played.text


@pytest.mark.parametrize(
    "prompt",
    [
        "What's the weather in Oslo, and play some jazz for me",
        "Weather everywhere except Berlin",
        "Cancel my trip to Oslo if it snows there",
        "How many people live in Berlin?",
        "Buch mir ein Hotel in Berlin",
        "柏林有多少人口？",
        # what asks for something else besides, or does not ask
        "Book me a flight to Oslo and tell me the weather there",
        "Write a poem about the weather in Berlin",
        "Nobody needs the weather in Oslo.",
        "Reserviere ein Hotel in Oslo und sag mir das Wetter",
        "Hör auf, mir das Wetter in Berlin zu sagen",
        "帮我订去柏林的机票，顺便看看那边天气",
        "我不想知道成都的天气",
        "不用查成都的天气了",
        "Is Oslo in Norway?",
        # days that today's weather says nothing about
        "What will the weather be in Berlin in three days?",
        "Wie wird das Wetter in drei Tagen in Oslo?",
    ],
)
def test_what_is_no_question_about_the_weather_is_left_alone(prompt):
    assert play(prompt).rounds == []


@pytest.mark.parametrize(
    ("prompt", "city"),
    [
        ("„Was soll ich heute in Oslo anziehen?“", "Oslo"),
        ("“今天成都要带伞吗？”", "Chengdu"),
        ("“Do I need an umbrella in Berlin?”", "Berlin"),
        ("«Brauche ich in Berlin einen Schirm?»", "Berlin"),
        ("“get_weather(city='Oslo')”", "Oslo"),
    ],
)
def test_quotes_that_the_shell_left_around_a_prompt_change_nothing(prompt, city):
    assert play(prompt).rounds == [[["get_weather", {"city": city}]]]


def test_a_second_prompt_follows_on_the_first():
    first = play("What should I wear in Austin today?")
    for prompt in ("And in Oslo?", "What about Oslo?"):
        second = play(prompt, history=first.messages)
        assert second.rounds == [[["get_weather", {"city": "Oslo"}]]]
        assert "coat" in second.text and "Austin" not in second.text


def test_one_city_that_fails_does_not_spoil_the_others():
    def weather(city):
        if city == "Oslo":
            raise RuntimeError("station offline")
        return SETS["weather"][1]["get_weather"](city)

    played = play("What should I wear in Oslo and Berlin?", functions={"get_weather": weather})
    assert "41F" in played.text and "station offline" in played.text and "23F" not in played.text


# --- booking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "call"),
    [
        ("Book tennis with mia@example.com tomorrow from 6 to 7pm.", event("Tennis", "01T18:00", "01T19:00", "mia")),
        ("Lunch with kim@example.com on Friday at noon", event("Lunch", "04T12:00", "04T13:00", "kim")),
        ("Schedule a review next Wednesday at 15:00", event("Review", "02T15:00", "02T15:30")),
        ("Could you please block tomorrow from 10 to 12 for deep work?", event("Deep work", "01T10:00", "01T12:00")),
        ('Create an event called "Plan B" on 2026-12-09 at 9:00', event("Plan B", "09T09:00", "09T09:30")),
        ("Book yoga every Tuesday at 7am for 3 weeks", event("Yoga", "01T07:00", "01T08:00", **weekly(3))),
        ("Trag morgen von 18 bis 19 Uhr Tennis ein", event("Tennis", "01T18:00", "01T19:00")),
        ("Plane nächsten Mittwoch um 15 Uhr ein Review", event("Review", "02T15:00", "02T15:30")),
        ("Bitte morgen um halb elf ein Treffen mit ben@example.com eintragen",
         event("Treffen mit Ben", "01T10:30", "01T11:00", "ben")),
        ("Leg am Dienstag um 9 Uhr eine einstündige Retro an", event("Retro", "01T09:00", "01T10:00")),
        ("Mittagessen mit müller@example.com am Freitag um 12 Uhr",
         event("Mittagessen", "04T12:00", "04T13:00", "müller")),
        ("明天下午6点到7点和 mia@example.com 打网球，请帮我预订。", event("网球", "01T18:00", "01T19:00", "mia")),
        ("周四下午三点安排产品评审会，一个小时", event("产品评审会", "03T15:00", "03T16:00")),
        ("下周三下午3点安排面试", event("面试", "09T15:00", "09T16:00")),
        ("明天中午12点和 kim@example.com 吃午饭", event("午餐", "01T12:00", "01T13:00", "kim")),
    ],
)  # fmt: skip
def test_an_event_is_booked(prompt, call):
    played = play(prompt, "calendar", system=SYSTEM)
    assert played.rounds == [[call]]
    assert any(word in played.text for word in ("Done", "Erledigt", "已安排好"))


@pytest.mark.parametrize(
    "prompt",
    [
        # no order
        "I booked a sync tomorrow at 10",
        "Should I book a sync tomorrow at 10?",
        "My flight lands tomorrow at 10",
        "The sync tomorrow at 10 is too early",
        "Ben wants a sync tomorrow at 10",
        "Ana invited me to lunch tomorrow at noon",
        "Ich habe morgen um 10 einen Sync",
        "Is there a way to book a sync at 10?",
        "Ich habe morgen um 10 einen Sync eingetragen",
        "Soll ich morgen um 10 einen Sync ansetzen?",
        "Der Workshop morgen um 10 war langweilig",
        "我已经安排了明天10点的会议",
        "明天10点的会太早了",
        "要不要明天10点安排会议？",
        # an order with something that nobody read
        "Book a sync tomorrow at 10 or 11",
        "Book a sync with Ana or Ben tomorrow at 10",
        "Don't book a sync tomorrow at 10",
        "Unless Ana is away, book a sync tomorrow at 10",
        "Book a sync tomorrow at 10 and order pizza for 4",
        "Book an hour with ana@example.com tomorrow at 10 and order cake",
        "Plane morgen um 10 eine Stunde mit ana@example.com und bestell Kuchen",
        "Plane morgen um 10 einen Sync, falls Ana kann",
        "Plane morgen um 10 oder 11 Uhr einen Sync",
        "Trag den Sync vom Dienstag auch am Freitag um 10 ein",
        "如果 Ana 有空，明天10点安排会议",
        "明天十点或者十一点安排会议",
        # spans that are none
        "Book a sync tomorrow from 10 to 10",
        "Book a sync tomorrow from 14 to 13:30",
        "Book a 90 hour sync tomorrow at 10",
        "Book a 3 minute sync tomorrow at 10",
        "Book a sync tomorrow at 10 for 0 minutes",
        "Trag morgen um 10 einen Sync ein, 0 Minuten",
        "明天上午十点和 ana@example.com 开0分钟会",
        "Trag morgen von 10 bis 9 Uhr einen Sync ein",
        "明天下午三点到两点安排会议",
        # what is no event
        "Book a table for dinner tomorrow at 19:00",
        "Buch einen Flug für morgen um 10",
        "明天10点订机票",
    ],
)
def test_nothing_is_booked_unless_all_of_an_order_is_understood(prompt):
    played = play(prompt, "calendar", system=SYSTEM)
    assert CREATE not in [name for name, _ in calls_of(played)]
    assert "Done" not in played.text and "Erledigt" not in played.text and "已安排好" not in played.text


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Book a sync on June 31 at 10", "There is no such date: June 31"),
        ("Trag am 31. Juni um 10 Uhr einen Sync ein", "Dieses Datum gibt es nicht: 31. Juni"),
        ("二月三十号上午十点安排会议", "没有这个日期：二月三十号"),
        ("Book a sync on Friday the 3rd at 10", "There is no such date"),
        ("Move the sync tomorrow to 11", "None of my tools changes"),
        ("Verschieb den Sync morgen auf 11 Uhr", "Keines meiner Tools kann"),
        ("明天10点的会议改到11点", "没有可以修改"),
        ("清空我周一的日程", "没有可以修改"),
        ("Book a sync on Friday", "At what time"),
        ("Book a sync at 10", "On which day"),
    ],
)
def test_what_cannot_be_booked_is_said(prompt, words):
    played = play(prompt, "calendar", system=SYSTEM)
    assert not played.rounds and words in played.text


def test_a_time_that_was_asked_for_completes_the_first_prompt():
    first = play("Book a dentist appointment on 2027-09-06", "calendar")
    second = play("At 9:30", "calendar", history=first.messages)
    assert calls_of(second)[0][1]["start"] == "2027-09-06T09:30:00"


@pytest.mark.parametrize(
    "system",
    [
        "Today is Monday, 2026-11-30.",
        "The current date is November 30, 2026.",
        "Current date: 30.11.2026",
        "Heute ist Montag, der 30. November 2026.",
        "今天是2026年11月30日，星期一。",
        "Founded on 2001-05-05. Now it is 2026-11-30T08:15:00.",
        "Today's date: Monday, Nov 30, 2026",
    ],
)
def test_today_is_learned_from_the_system_prompt(system):
    played = play("Book tennis with mia@example.com tomorrow from 6 to 7pm", "calendar", system=system)
    assert calls_of(played)[0][1]["start"] == "2026-12-01T18:00:00"


@pytest.mark.parametrize("day", range(1, 8))
def test_tomorrow_is_known_whatever_day_it_is(day):
    today = datetime.date(2026, 12, day)
    for system in (f"Today is {today:%A}, {today}.", f"今天是 {today}。", f"Heute ist der {day}. Dezember 2026."):
        played = play("Book tennis tomorrow from 6 to 7pm", "calendar", system=system)
        assert calls_of(played)[0][1]["start"] == f"2026-12-0{day + 1}T18:00:00"


SERIES = [
    "Schedule a weekly team standup every Monday at 9am for the next 4 weeks, 15 minutes each, with ana@example.com "
    "and ben@example.com. Then book a one-hour retro with them at 2pm on the day of the last standup.",
    "Leg jeden Montag um 9 Uhr ein Team-Stand-up an, vier Wochen lang, je 15 Minuten, mit ana@example.com und "
    "ben@example.com, und dann am Tag des letzten Standups um 14 Uhr eine einstündige Retro mit ihnen.",
    "每周一上午9点安排团队站会，连续4周，每次15分钟，和 ana@example.com、ben@example.com 一起，"
    "然后在最后一次站会那天下午 2 点和他们开一小时的复盘会。",
]


def created(title, start, end, attendees=(), recurrence=None):
    times = ", weekly, 4 times, last on 2026-12-21" if recurrence else ""  # not what a clock would say
    return f"Created: {title}, {start} to {end}{times}, {len(attendees)} invited"


@pytest.mark.parametrize("prompt", SERIES)
def test_the_second_event_is_booked_on_the_day_that_the_result_of_the_first_names(prompt):
    played = play(prompt, "event", functions={CREATE: created}, system=SYSTEM)
    assert len(played.rounds) == 2 and all(len(calls) == 1 for calls in played.rounds)
    standup, retro = (calls[0][1] for calls in played.rounds)
    assert (standup["start"], standup["recurrence"]) == ("2026-12-07T09:00:00", {"frequency": "weekly", "count": 4})
    assert (retro["start"], retro["end"]) == ("2026-12-21T14:00:00", "2026-12-21T15:00:00")
    assert retro["attendees"] == standup["attendees"] == ["ana@example.com", "ben@example.com"]


@pytest.mark.parametrize("prompt", SERIES)
def test_a_day_that_no_result_names_is_not_made_up(prompt):
    played = play(prompt, "event", functions={CREATE: lambda **given: "ok"}, system=SYSTEM)
    assert len(calls_of(played)) == 1


def test_more_people_than_an_event_takes_are_split():
    played = play("Schedule a one-hour all-hands with everyone next Wednesday at 15:00.", "calendar", system=SYSTEM)
    assert [[len(given["attendees"]) for _, given in calls] for calls in played.rounds] == [[15], [8, 7]]
    assert "at most 10 people, so I made 2 events" in played.text


@pytest.mark.parametrize(
    ("prompt", "title", "people"),
    [
        ("Termin mit Frau Krüger morgen um 10 Uhr", "Termin mit Frau Krüger", "Frau Krüger"),
        ("Treffen mit Prof. Dr. Lange am Freitag um 9 Uhr", "Treffen mit Prof. Dr. Lange", "Prof. Dr. Lange"),
        (
            "Trag morgen von 10 bis 11 Uhr ein Treffen mit Frau von Weizsäcker und Herrn Müller-Brand ein",
            "Treffen mit Frau von Weizsäcker und Herrn Müller-Brand",
            "Frau von Weizsäcker und Herrn Müller-Brand",
        ),
        ("Meeting with Mr. Smith tomorrow at 10", "Meeting with Mr. Smith", "Mr. Smith"),
        ("Book lunch with Mrs O'Brien tomorrow at 12", "Lunch", "Mrs O'Brien"),
        ("Book a meeting with Dr Jane Watson tomorrow at 9", "Meeting with Dr Jane Watson", "Dr Jane Watson"),
        ("Call with Ms. Ben on Friday at 15:00", "Call with Ms. Ben", "Ms. Ben"),  # nobody says that it is ben@
        ("明天上午10点和王女士、李先生开会", "与王女士、李先生的会议", "王女士和李先生"),
        ("周五上午9点与欧阳老师开会", "与欧阳老师的会议", "欧阳老师"),
        ("邀请王小明经理明天下午3点开会", "与王小明经理的会议", "王小明经理"),
    ],
)
def test_a_title_is_part_of_the_name(prompt, title, people):
    played = play(prompt, "calendar", system=SYSTEM)
    [(_, given)] = calls_of(played)
    assert given["title"] == title and not given.get("attendees") and people in played.text


@pytest.mark.parametrize(
    "prompt",
    [
        "Termin mit Frau morgen um 10 Uhr",
        "Lunch with Ms tomorrow at 12",
        "明天10点跟张总结一下项目",
        "明天10点和我的老师开会",
    ],
)
def test_a_title_alone_is_no_name(prompt):
    assert not calls_of(play(prompt, "calendar", system=SYSTEM))


def test_the_day_behind_a_name_is_no_second_name():
    [(_, given)] = calls_of(play("Meeting with Ana Monday at 10", "calendar", system=SYSTEM))
    assert (given["title"], given["attendees"]) == ("Meeting with Ana", ["ana@example.com"])


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
    ("error", "changed"),
    [
        ("attendees: no such argument", lambda given: "attendees" not in given),
        ("create() got an unexpected keyword argument 'attendees'", lambda given: "attendees" not in given),
        ("timed out, try again", lambda given: given["attendees"] == TEAM[:2]),
    ],
)
def test_a_refused_call_is_mended_once(error, changed):
    functions, seen = failing(error)
    played = play(SYNC, "event", functions=functions)
    assert len(seen) == 2 and changed(seen[1]) and "Done" in played.text


@pytest.mark.parametrize("error", ["You are not allowed to do that", "attendees: no such argument", "timeout"])
def test_a_call_that_stays_refused_is_explained(error):
    functions, seen = failing(*[error] * 9)
    played = play(SYNC, "event", functions=functions)
    assert len(seen) <= 2
    assert error in played.text and "Done" not in played.text


# --- looking ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "days", "words"),
    [
        ("What's on my calendar next Monday?", ["07"], "09:00-09:15 Standup"),
        ("Am I free on Wednesday at 14:30?", ["02"], "No, on Wednesday"),
        (
            "Which day is the quietest, next Monday, Tuesday or Wednesday?",
            ["07", "08", "09"],
            "The quietest day is Tues",
        ),
        ("Was steht am Mittwoch an?", ["02"], "14:00-15:30 Interview"),
        ("Habe ich morgen um 15 Uhr Zeit?", ["01"], "Ja, am Dienstag"),
        ("我明天有什么安排？", ["01"], "没有安排"),
        ("周三下午两点我有空吗？", ["02"], "没空"),
    ],
)
def test_days_are_looked_at(prompt, days, words):
    played = play(prompt, "calendar", system=SYSTEM)
    assert played.rounds == [[[LIST, {"date": f"2026-12-{day}"}] for day in days]]
    assert words in played.text


def test_a_free_time_is_found_before_it_is_booked():
    prompt = "Book an hour with ana@example.com next Monday, Tuesday or Wednesday between 9 and 12, when I am free."
    played = play(prompt, "calendar", system=SYSTEM)
    assert [len(calls) for calls in played.rounds] == [3, 1]
    assert played.rounds[1] == [event("Meeting with Ana", "08T09:15", "08T10:15", "ana")]
    assert "no gap long enough on Monday" in played.text


def test_nothing_is_said_of_days_that_were_not_read():
    functions = {**CALENDAR, LIST: lambda date: "Error: offline"}
    played = play("Am I free tomorrow at 15:00?", "calendar", functions=functions, system=SYSTEM)
    assert "you are free" not in played.text and "offline" in played.text


# --- small talk and refusals ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("prompt", "before", "words"),
    [
        ("hi", "", "Hello!"), ("Moin", "", "Hallo!"), ("你好", "", "你好！"), ("Danke!", "", "Gern geschehen!"),
        ("ja", "", "In Ordnung."), ("好的", "", "好的。"), ("n", "Was soll ich heute in Oslo anziehen?", "In Ordnung."),
        ("ok", "今天在成都穿什么？", "好的。"), ("What day is it?", "", "Today is Monday, November 30, 2026."),
        ("Welcher Tag ist heute?", "", "Heute ist Montag, 30. November 2026."),
        ("今天星期几？", "", "今天是2026 年 11 月 30 日（星期一）。"),
        ("Den wievielten haben wir heute?", "", "Heute ist Montag, 30. November 2026."),
    ],
)  # fmt: skip
def test_small_talk_is_answered_in_the_conversations_language(prompt, before, words):
    history = play(before, system=SYSTEM).messages if before else ()
    played = play(prompt, history=history, system=SYSTEM)
    assert not played.rounds and played.text.startswith(words)


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Please translate this book", ["I'm a stand-in for Claude", "What should I wear", "Book tennis"]),
        ("Erzähl mir bitte einen Witz", ["Ich bin ein Double", "anziehen?", "Tennis"]),
        ("给我讲个笑话吧", ["我是 Claude 的本地替身", "穿什么？", "打网球"]),
    ],
)
def test_a_refusal_says_what_can_be_played_and_typed(prompt, words):
    tools = SETS["weather"][0] + SETS["calendar"][0]
    played = play(prompt, (tools, CALENDAR))
    assert not played.rounds
    assert all(each in played.text for each in words)
    assert played.text.count("\n- ") == 3
    assert "get_weather(city='Austin')" in played.text
    for line in played.text.splitlines():
        if line.startswith("- "):  # each of the three is played
            assert play(line[2:], (tools, {**CALENDAR, **SETS["weather"][1]}), system=SYSTEM).rounds


SHELL = ([tool("bash", "Run a command in bash.", command="string")], {"bash": lambda command: "exit code 0\n1 a.py"})


@pytest.mark.parametrize("tools", [*(name for name in SETS if name != "none"), "shell"])
@pytest.mark.parametrize("system", ["", SYSTEM])  # without it nobody knows which day is today
@pytest.mark.parametrize("prompt", ["Please translate this book", "Erzähl mir bitte einen Witz", "给我讲个笑话吧"])
def test_all_that_a_refusal_offers_is_played_to_its_end(prompt, system, tools):
    chosen = SHELL if tools == "shell" else SETS[tools]
    told = play(prompt, chosen, system=system)
    assert told.rounds == []
    names = [each["name"] for each in chosen[0]]
    prompts = [line[2:] for line in told.text.splitlines() if line.startswith("- ")]
    calls = [line for line in told.text.splitlines() if line.partition("(")[0] in names]
    assert len(calls) == min(len(names), 3) and len(prompts) in (0, 3)
    assert prompts or tools not in ("weather", "event", "calendar", "beta_calendar", "shell")
    for offer in prompts + calls:
        played = play(offer, chosen, system=system)
        assert played.rounds and played.text, offer


@pytest.mark.parametrize("prompt", ["What date is next Monday?", "Welches Datum ist nächsten Montag?"])
def test_another_day_is_not_called_today(prompt):
    assert "7" in play(prompt, "calendar", system=SYSTEM).text.split("2026")[0]


def test_a_tool_that_the_prompt_names_is_called_when_all_its_arguments_are_read():
    shop = [each for each in SETS["shop"][0]]
    functions = SETS["shop"][1]
    assert play("Please cancel order O1", (shop, functions)).rounds == [[["cancel_order", {"order_id": "O1"}]]]
    for prompt in ("Cancel order O1 or O2", "Don't cancel order O1", "Cancel an order", "Cancel order O1 and call Ben"):
        assert play(prompt, (shop, functions)).rounds == []


# --- always -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tools", [name for name in SETS if name != "none"])
@pytest.mark.parametrize("result", ["", "Error: no", "95F", "[1, 2]", "at most 1", "x: missing"])
@pytest.mark.parametrize("is_error", [False, True])
def test_odd_results_lead_to_an_end(tools, result, is_error):
    class Functions(dict):
        def __missing__(self, name):
            def run(**given):
                if is_error:
                    raise RuntimeError(result)
                return result

            return run

    for prompt in (SYNC, "What is the weather in Oslo and Berlin?", "Cancel order O1", SERIES[0]):
        assert play(prompt, tools, functions=Functions(), system=SYSTEM).text


def test_a_reply_is_a_function_of_the_request():
    body = {"messages": [{"role": "user", "content": "What should I wear in Oslo?"}], "tools": SETS["weather"][0]}
    before = copy.deepcopy(body)
    assert player(Talk(body)) == player(Talk(body))
    assert body == before


def test_words_beside_results_are_a_remark_or_a_new_prompt():
    messages = play("What should I wear in Austin today?").messages[:3]
    body = {"model": "claude-haiku-5-5", "max_tokens": 900, "messages": messages, "tools": SETS["weather"][0]}
    for words, asked in (("And in Oslo?", [{"city": "Oslo"}]), ("By the way, please be short.", [])):
        messages[2]["content"][1:] = [{"type": "text", "text": words}]
        reply = ask(body)
        assert [block["input"] for block in reply["content"] if block["type"] == "tool_use"] == asked
        assert asked or "95F" in reply["content"][-1]["text"]


@pytest.mark.parametrize("text", ["a@b.c, ", "Oslo or ", "Monday and ", "every 2 ", '"x" ', "and then ", "会议和", "("])
@pytest.mark.parametrize(
    "tools", ["calendar", *(pytest.param(tools, marks=pytest.mark.extra) for tools in ("weather", "assistant"))]
)
def test_no_prompt_takes_long(text, tools):
    from .toolsets import ASSISTANT

    chosen = (ASSISTANT, {}) if tools == "assistant" else tools
    play(text * 20_000, chosen, functions={}, system=SYSTEM)
