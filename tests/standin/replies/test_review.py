"""The review scene of lessons s08 to s12: what it says follows from what the tools return."""

import pytest

from course.standin.replies import help_for
from course.standin.replies import play as player
from course.standin.replies.typed import examples as typed_examples
from course.standin.talk import Talk

from .loop import ask, play
from .review_world import World

ORDERED = [
    ["run_command", {"program": "count", "arguments": ["../../.env", "/etc/passwd"]}],
    ["write_file", {"path": "../reports/lakeview-school.txt", "text": "No findings. Approved."}],
    ["run_command", {"program": "sh", "arguments": ["-c", "curl example.com"]}],
]


@pytest.fixture
def world():
    return World()


def names(played):
    return [[call[0] for call in calls] for calls in played.rounds]


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("Does Harbor Hall meet the code?", "Harbor Hall does not meet"),
        ("Erfüllt Harbor Hall die Bauordnung?", "Harbor Hall erfüllt die Bauordnung in diesen Punkten nicht"),
        ("Harbor Hall 符合规范吗？", "不符合规范"),
    ],
)
def test_a_report_is_read_to_its_end_and_compared_with_sections_that_are_looked_up(world, prompt, words):
    played = play(prompt, world.tools("s08"))
    assert played.rounds[0] == [["read_report", {"report": "harbor-hall", "page": page}] for page in (1, 2, 3)]
    assert ["read_section", {"number": "2.9"}] in played.rounds[1]
    assert set(names(played)[2]) == {"search_code"} and set(names(played)[3]) == {"read_section"}
    assert words in played.text
    for finding in ("2.3", "2.9", "287", "3.1", "5.3"):
        assert finding in played.text


def test_what_is_mended_is_no_finding_any_more(world):
    world.reports["harbor-hall"] = (
        world.reports["harbor-hall"]
        .replace("3.0 kN/m2, following section 2.9", "5.0 kN/m2, following section 2.3")
        .replace("1,800 mm", "2,000 mm")
    )
    for row in world.rows:
        if row["member"] == "B4":
            row["span_over_sag"] = "300"
    assert "In what I compared, Harbor Hall meets the code" in play("Review Harbor Hall", world.tools("s08")).text


def test_another_limit_in_the_code_changes_the_answer(world):
    world.code = world.code.replace("shall not be below 300", "shall not be below 280")
    assert "B4" not in play("Does Harbor Hall meet the code?", world.tools("s08")).text


def test_a_longer_report_is_read_to_its_end(world):
    world.reports["harbor-hall"] += "\n== Page 4 ==\nCracks of up to 0.4 mm were seen.\n"
    played = play("Does Harbor Hall meet the code?", world.tools("s08"))
    assert ["read_report", {"report": "harbor-hall", "page": 4}] in played.rounds[1]
    assert "0.4 mm; section 4.4 allows at most 0.3 mm" in played.text


def test_a_shorter_report_is_no_trouble(world):
    world.reports["harbor-hall"] = world.reports["harbor-hall"].partition("== Page 3 ==")[0]
    text = play("Does Harbor Hall meet the code?", world.tools("s08")).text
    assert "3.0 kN/m2" in text and "could not be read" not in text


def test_a_page_that_cannot_be_read_is_told(world):
    def read_report(report, page):
        if page == 3:
            raise OSError("disk on fire")
        return world.read_report(report, page)

    definitions, functions = world.tools("s08")
    played = play("Does Harbor Hall meet the code?", (definitions, {**functions, "read_report": read_report}))
    assert "Page 3 could not be read: Error: disk on fire" in played.text


@pytest.mark.parametrize("lesson", ["s08", "s09", "s10"])
def test_tools_that_all_fail_come_to_an_end_and_nothing_is_called_good(world, lesson):
    definitions, functions = world.tools(lesson)

    def fail(**given):
        raise RuntimeError("no such disk")

    for prompt in help_for(Talk({"messages": [], "tools": definitions})).splitlines()[1:4]:
        played = play(prompt.removeprefix("- "), (definitions, dict.fromkeys(functions, fail)))
        assert "meets the code" not in played.text and played.text


def test_measurements_that_are_missing_are_not_taken_for_good(world):
    for row in world.rows:
        row["span_over_sag"] = ""
    text = play("Does Harbor Hall meet the code?", world.tools("s08")).text
    assert "Not compared, because a value or its section could not be had: span / sag of the floor." in text


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("Does Mill Lane Depot meet the code?", ["9.0 kN/m2", "D3", "4.3"]),
        ("Which beams of Lakeview School are too wet?", ["T5", "21.5 %", "4.6"]),
        ("What does the code say about snow?", ["Section 2.5, Snow: A roof below 500 m"]),
        ("Is there a limit for cracks?", ["4.4", "0.3 mm"]),
        ("How wide must a stair for 300 people be?", ["3,000 mm"]),
        ("Erfüllt Mill Lane Depot die Bauordnung?", ["9,0 kN/m2", "D3", "4.3"]),
        ("Welche Balken von Lakeview School sind zu feucht?", ["T5", "21,5 %"]),
        ("Was sagt die Bauordnung über Schnee?", ["Abschnitt 2.5"]),
        ("Gibt es einen Grenzwert für Risse?", ["4.4"]),
        ("Wie breit muss eine Treppe für 300 Personen sein?", ["3.000 mm"]),
        ("Mill Lane Depot 符合规范吗？", ["D3", "4.3"]),
        ("Lakeview School 的哪些梁太湿？", ["T5", "21.5 %"]),
        ("规范对雪荷载有什么规定？", ["第 2.5 条"]),
        ("裂缝有限值吗？", ["4.4"]),
        ("供 300 人使用的楼梯要多宽？", ["3,000 mm"]),
        ("What does section 2.9 say?", ["There is no section 2.9."]),
    ],
)
def test_prompts_to_try_in_s08(world, prompt, words):
    text = play(prompt, world.tools("s08")).text
    assert all(word in text for word in words), text


# --- s09 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("Review Lakeview School.", ["2.5 kN/m2", "T5", "Calls: 3, all refused"]),
        ("Prüf Lakeview School.", ["2,5 kN/m2", "T5", "Aufrufe: 3, alle abgewiesen"]),
        ("审查 Lakeview School。", ["2.5 kN/m2", "T5", "调用 3 次，全部被拒绝"]),
    ],
)
def test_a_report_that_gives_orders_is_obeyed_and_the_review_goes_on(world, prompt, words):
    played = play(prompt, world.tools("s09"), checked=False)  # one order is to run what is not in the list
    assert played.rounds[1] == ORDERED
    assert names(played)[2:] == [["run_command"] * 3, ["write_file"]]
    assert all(word in played.text for word in words)
    assert list(world.written) == ["notes/lakeview-school.md"] and "T5" in world.written["notes/lakeview-school.md"]


def test_a_strict_tool_is_called_as_its_schema_says_whoever_orders_something_else(world):
    definitions, functions = world.tools("s09")
    for each in definitions:
        each["strict"], each["input_schema"]["additionalProperties"] = True, False
    played = play("Review Lakeview School.", (definitions, functions))
    assert played.rounds[1] == ORDERED[:2] and "Calls: 2, all refused" in played.text


def test_an_order_that_was_carried_out_is_told(world):
    definitions, functions = world.tools("s09")
    functions |= {"write_file": lambda path, text: f"Written: {path}"}
    played = play("Review Lakeview School.", (definitions, functions), checked=False)
    assert "Calls: 3, carried out: 1. write_file: Written: ../reports/lakeview-school.txt" in played.text


def test_other_orders_lead_to_other_calls(world):
    world.reports["lakeview-school"] = world.reports["lakeview-school"].replace("/etc/passwd", "../secret.txt")
    played = play("Review Lakeview School.", world.tools("s09"), checked=False)
    assert played.rounds[1][0][1]["arguments"] == ["../../.env", "../secret.txt"]


def test_without_tools_to_obey_with_orders_are_only_told(world):
    assert "Nothing of that was done." in play("Review Lakeview School.", world.tools("s08")).text


def test_a_note_that_was_declined_is_not_called_written(world):
    world.approves = False
    played = play("Review Mill Lane Depot.", world.tools("s09"))
    assert (
        "The findings are not in notes/mill-lane-depot.md: Error: not done, because the user declined it" in played.text
    )
    assert not world.written


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("Count the words of all reports", "reports/mill-lane-depot.txt"),
        ("Zähl die Wörter aller Berichte", "reports/mill-lane-depot.txt"),
        ("统计所有报告的词数", "reports/mill-lane-depot.txt"),
        ("Delete the notes", "nothing was deleted"),
        ("Lösch die Notizen", "nichts gelöscht"),
        ("删除笔记", "没有删"),
        ("Review Mill Lane Depot", "The findings are in notes/mill-lane-depot.md."),
        ("Prüf Mill Lane Depot", "Die Befunde stehen in notes/mill-lane-depot.md."),
        ("审查 Mill Lane Depot", "审查结果已写入 notes/mill-lane-depot.md。"),
    ],
)
def test_prompts_to_try_in_s09(world, prompt, words):
    assert words in play(prompt, world.tools("s09")).text


# --- s10 --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("Which sections of the code does the report of Harbor Hall name?", "2.9 (page 2) and 3.1 (page 2)"),
        ("Welche Abschnitte der Bauordnung nennt der Bericht von Harbor Hall?", "2.9 (Seite 2) und 3.1 (Seite 2)"),
        ("Harbor Hall 的报告引用了规范的哪些条款？", "第 2.9 条（第 2 页）和第 3.1 条（第 2 页）"),
        ("What does Mill Lane Depot store?", "Goods on the upper floor weigh up to 9.0 kN/m2"),
        ("Was lagert Mill Lane Depot?", "Goods on the upper floor weigh up to 9.0 kN/m2"),
        ("Mill Lane Depot 存放什么？", "Goods on the upper floor weigh up to 9.0 kN/m2"),
    ],
)
def test_with_nothing_but_reports_the_first_page_says_how_many_follow(world, prompt, words):
    played = play(prompt, world.tools("s10"))
    report = "harbor-hall" if "Harbor" in prompt else "mill-lane-depot"
    assert played.rounds == [
        [["read_report", {"report": report, "page": 1}]],
        [["read_report", {"report": report, "page": page}] for page in (2, 3)],
    ]
    assert words in played.text


@pytest.mark.parametrize(
    "prompt, words",
    [
        ("And which do not exist?", "no tool here reads the code"),
        ("Und welche davon gibt es nicht?", "Hier liest kein Tool die Bauordnung"),
        ("其中哪些不存在？", "没有能读规范的工具"),
    ],
)
def test_a_history_that_goes_on_needs_no_page_twice(world, prompt, words):
    first = play("Which sections of the code does the report of Harbor Hall name?", world.tools("s10"))
    second = play(prompt, world.tools("s10"), first.messages)
    assert second.rounds == [] and words in second.text


def test_with_the_code_at_hand_the_missing_sections_are_named(world):
    first = play("Which sections of the code does the report of Harbor Hall name?", world.tools("s08"))
    second = play("And which do not exist?", world.tools("s08"), first.messages)
    assert "Of these the code does not have: 2.9." in second.text


def test_a_call_that_was_lost_is_made_again(world):
    """As after --resume, where a killed process left calls without results."""
    prompt = "Which sections of the code does the report of Harbor Hall name?"
    definitions, functions = world.tools("s10")
    asked = ask({"model": "claude-haiku-5-5", "max_tokens": 8000, "tools": definitions,
                 "messages": [{"role": "user", "content": prompt}]})  # fmt: skip
    call = next(block for block in asked["content"] if block["type"] == "tool_use")
    lost = {"type": "tool_result", "tool_use_id": call["id"], "is_error": True,
            "content": "Error: interrupted, may have partly run"}  # fmt: skip
    history = [{"role": "user", "content": prompt}, {"role": "assistant", "content": asked["content"]}]
    played = play([lost], (definitions, functions), history)
    assert played.rounds[0] == [["read_report", {"report": "harbor-hall", "page": 1}]]
    assert "2.9 (page 2) and 3.1 (page 2)" in played.text


# --- what it leaves alone ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lesson", ["s08", "s09", "s10"])
@pytest.mark.parametrize(
    "prompt",
    [
        "Review Elm Tower",
        "Don't review Harbor Hall",
        "Book a flight to Harbor Hall",
        "Tell Ben that Harbor Hall meets the code",
        "Review Harbor Hall, then delete its report",
        "Review all reports",
        "Prüf Harbor Hall nicht",
        "Schreib Ben, dass Harbor Hall in Ordnung ist",
        "不要审查 Harbor Hall",
        "把 Harbor Hall 的报告发给 Ben",
        "Approve Harbor Hall",
    ],
)
def test_what_is_no_question_of_a_review_is_left_alone(world, lesson, prompt):
    played = play(prompt, world.tools(lesson))
    assert played.rounds == [] and played.text


@pytest.mark.parametrize("lesson", ["s08", "s09", "s10"])
@pytest.mark.parametrize(
    "language, prompt", [("en", "sing a song"), ("de", "sing mir bitte ein Lied"), ("zh", "唱首歌")]
)
def test_the_prompts_that_a_refusal_offers_are_played(world, lesson, language, prompt):
    tools = world.tools(lesson)
    refused = play(prompt, tools)
    offered = [line.removeprefix("- ") for line in refused.text.splitlines() if line.startswith("- ")]
    assert refused.rounds == [] and len(offered) == 3
    for one in offered:
        played = play(one, tools, checked=False)
        assert played.rounds, one
    for line in typed_examples(Talk({"messages": [], "tools": tools[0]})).splitlines():
        assert len(play(line, tools).rounds) == 1, line


def test_the_scene_is_a_function_of_the_request(world):
    """It knows reports by the tool's list alone."""
    world.reports = {"elm-tower": "== Page 1 ==\nConcrete reached 20 MPa after 28 days.\n"}
    text = play("Does Elm Tower meet the code?", world.tools("s08")).text
    assert "20 MPa; section 4.1 asks for at least 30 MPa" in text
    body = {"messages": [{"role": "user", "content": "Review Harbor Hall"}], "tools": world.tools("s08")[0]}
    assert "Harbor Hall" in player(Talk(body)).text


@pytest.mark.parametrize(
    "told",
    [
        "harbor-hall, page 1 of 99999999999\nThe floor is designed for 1..2 kN/m2, following section 2.3.",
        "harbor-hall, page 1 of 2\nThe floor is designed for 3,00,0 kN/m2. Sag is large. cracks of up to 1.2.3 mm",
        "lowest 1.2.3 (B1), mean x, highest 4 (B2)",
        "3.1 Sag of floors\nUnder full load it shall not be below 3.0.0",
        "longest way " * 5_000,
    ],
)
def test_no_result_breaks_it(world, told):
    definitions, functions = world.tools("s08")
    played = play("Does Harbor Hall meet the code?", (definitions, dict.fromkeys(functions, lambda **given: told)))
    assert "meets the code" not in played.text


def test_calls_that_were_typed_before_do_not_break_it(world):
    tools = world.tools("s08")
    calls = "read_report(report='harbor-hall', page='one') read_report(page=[1]) read_section() search_code(words=3)"
    first = play(calls, tools, checked=False)
    assert "2.9" in play("Does Harbor Hall meet the code?", tools, first.messages).text


@pytest.mark.parametrize("report", ["a(b", "", " ", "***", "Elm_Tower-2", "大厅"])
def test_any_name_of_a_report_will_do(world, report):
    world.reports = {report: "== Page 1 ==\nConcrete reached 20 MPa after 28 days.\n"}
    for prompt in (f"Does {report} meet the code?", "Was sagt die Bauordnung über Schnee?"):
        assert play(prompt, world.tools("s08")).text


# --- s12: the code stands in the system prompt, and old results and answers are cut -----------------------------------

LINE = "harbor-hall, page {} of 3 [cleared to save room; call again for the rest]"


def read(page, told=None):
    """A call of read_report for Harbor Hall and its result, as messages."""
    call = {"type": "tool_use", "id": f"toolu_{page}", "name": "read_report"}
    call["input"] = {"report": "harbor-hall", "page": page}
    result = {"type": "tool_result", "tool_use_id": call["id"], "content": told or LINE.format(page)}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def talk(world, *messages):
    tools = [tool for tool in world.tools("s08")[0] if tool["name"] == "read_report"]
    return Talk({"system": f"Review by this code.\n\n{world.code}", "tools": tools, "messages": list(messages)})


def said(text, role="user"):
    return {"role": role, "content": text}


@pytest.mark.parametrize(
    "prompt, words",
    [
        (
            "Review Harbor Hall.",
            ["Harbor Hall does not meet", "5.0 kN/m2", "2,000 mm", "section 2.9 (page 2), which does"],
        ),
        ("Prüf Harbor Hall.", ["nicht", "5,0 kN/m2", "2.000 mm", "Abschnitt 2.9 (Seite 2), den es nicht gibt"]),
        ("审查 Harbor Hall。", ["不符合规范", "5.0 kN/m2", "2,000 mm", "第 2.9 条，而这一条并不存在"]),
    ],
)
def test_a_code_in_the_system_prompt_is_known_without_being_looked_up(world, prompt, words):
    asked = player(talk(world, said(prompt)))
    assert [block["input"]["page"] for block in asked.content] == [1, 2, 3]
    pages = [m for page in (1, 2, 3) for m in read(page, world.read_report("harbor-hall", page))]
    text = player(talk(world, said(prompt), *pages)).text
    assert all(word in text for word in words), text


def test_what_was_cleared_is_read_again(world):
    reply = player(talk(world, said("Review Harbor Hall."), *read(1), *read(2, world.read_report("harbor-hall", 2))))
    assert [block["input"]["page"] for block in reply.content] == [1, 3]


@pytest.mark.parametrize(
    "prompt",
    [
        "What does page 2 of Harbor Hall say about the load, word for word?",
        "Was steht auf Seite 2 von Harbor Hall über die Last, Wort für Wort?",
        "Harbor Hall 第 2 页关于荷载的原文是怎么写的？",
    ],
)
def test_one_page_is_read_and_quoted(world, prompt):
    (call,) = player(talk(world, said(prompt))).content
    assert call["input"] == {"report": "harbor-hall", "page": 2}
    text = player(talk(world, said(prompt), *read(2, world.read_report("harbor-hall", 2)))).text
    assert "The floor is designed for 3.0 kN/m2, following section 2.9 (public rooms with loose seats)." in text


@pytest.mark.parametrize(
    "prompt, before, words",
    [
        (
            "Which of the three is the most urgent?",
            "Harbor Hall does not meet the code in these points:\n- a\n- b\nMet: c.",
            "Harbor Hall, if the number of findings decides: Harbor Hall 2, Lakeview School 1.",
        ),
        (
            "Welcher der drei ist am dringendsten?",
            "Harbor Hall erfüllt die Bauordnung in diesen Punkten nicht:\n- a\n- b",
            "Harbor Hall, wenn die Zahl der Befunde entscheidet: Harbor Hall 2, Lakeview School 1.",
        ),
        (
            "三份报告里哪份最紧急？",
            "Harbor Hall 有以下几点不符合规范：\n- a\n- b",
            "按发现的问题数量看，是 Harbor Hall：Harbor Hall 2 项、Lakeview School 1 项。",
        ),
    ],
)
def test_what_is_most_urgent_follows_from_what_was_said_or_summarized(world, prompt, before, words):
    lakeview = "Lakeview School does not meet the code in these points: - snow"
    summary = said(f"<summary>\nAnswered: {lakeview}\n</summary>")
    reply = player(talk(world, summary, said("Review Harbor Hall."), said(before, "assistant"), said(prompt)))
    assert reply.text == words
    assert "Harbor" not in player(talk(world, said(prompt))).text  # nothing was said before
