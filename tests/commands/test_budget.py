"""`course budget`: figures that follow from recordings and prices, limits that are enough or not, one sentence else."""

import json
import re

import pytest

from course.lessons import LESSONS
from course.models import find
from tests.commands.test_cli import course, one_sentence
from tests.conftest import ROOT


def figures(out, word):
    line = next(line for line in out.splitlines() if line.startswith(word))
    return [float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*", line)]


def test_the_lowest_is_the_recording_and_the_highest_the_table_of_lessons():
    run = course("budget", "--people", "40", "--lessons", "s01,s05", "--runs", "2")
    assert run.returncode == 0
    totals = [
        json.loads((ROOT / f"docs/assets/traces/{name}.json").read_text(encoding="utf-8"))["totals"]
        for name in ("s01", "s05")
    ]
    assert figures(run.stdout, "Requests in all") == [80 * sum(each["requests"] for each in totals)]
    assert figures(run.stdout, "Input tokens")[0] == 80 * sum(each["input_tokens"] for each in totals)
    assert figures(run.stdout, "Output tokens")[0] == 80 * sum(each["output_tokens"] for each in totals)
    low, high = figures(run.stdout, "USD")
    assert low == pytest.approx(80 * sum(each["cost_usd"] for each in totals), abs=0.01)
    table = sum(lesson.cost_usd for lesson in LESSONS if lesson.id in ("s01", "s05"))
    assert high == pytest.approx(80 * table, abs=0.1)


def test_another_model_has_its_own_price():
    usual, other = (
        figures(course("budget", "--people", "100", "--lessons", "s01", *more).stdout, "USD")[0]
        for more in ([], ["--model", "claude-fable-5-2"])
    )
    prices = find("claude-fable-5-2").price[0] / find("claude-sonnet-5-5").price[0]
    assert other == pytest.approx(usual * prices, rel=0.1)


@pytest.mark.parametrize(
    ("limit", "says"),
    [("80", "80 are enough"), ("79", "begin in 2 groups"), ("20", "begin in 4 groups"), ("1", "too few even for one")],
)
def test_an_accounts_limit(limit, says):
    out = course("budget", "--people", "40", "--lessons", "s01", "--rpm", limit).stdout
    assert says in next(line for line in out.splitlines() if line.startswith("  requests a minute: 80."))


@pytest.mark.parametrize(
    ("args", "lang", "expected"),
    [
        (["--people", "0"], "en", "argument --people: a whole number from 1 on is needed, not 0."),
        (["--people", "vierzig"], "de", "Argument --people: hier gehört eine ganze Zahl ab 1 hin, nicht vierzig."),
        (["--people", "4", "--lessons", "s07-s01"], "en", "The lessons s07-s01 are not known; write s03,"),
        (["--people", "4", "--lessons", "s01,"], "zh", "没有课程 ?；"),
        (["--people", "4", "--model", "gpt"], "de", "Für das Modell gpt gibt es keinen Preis;"),
        ([], "en", "the following arguments are required: --people."),
    ],
)
def test_a_wrong_command_line(args, lang, expected):
    assert one_sentence(course("budget", *args, lang=lang)).startswith(expected)
