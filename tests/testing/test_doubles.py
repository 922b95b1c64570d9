"""The table of what published doubles let pass: its first column, and its text in three languages."""

import json
import sys

import pytest

from course.standin.core import handle
from tests.conftest import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import doubles  # noqa: E402

HEADERS = {"anthropic-version": "2023-06-01"}


def status(body, **headers):
    return handle("POST", "/v1/messages", HEADERS | headers, json.dumps(body).encode()).status


def test_the_right_request_is_answered():
    assert status(doubles.RIGHT, **{"x-api-key": "k"}) == 200


@pytest.mark.parametrize("mistake", doubles.MISTAKES)
def test_the_stand_in_refuses_each_mistake(mistake):
    change = doubles.MISTAKES[mistake]
    if change is None:
        assert status(doubles.RIGHT) == 401
    else:
        assert status(doubles.wrong(change), **{"x-api-key": "k"}) in (400, 404)


@pytest.mark.parametrize("language", ["en", "zh", "de"])
def test_the_table_of_the_page_has_these_mistakes(language):
    lines = (ROOT / "docs" / "assets" / f"doubles.{language}.txt").read_text(encoding="utf-8").splitlines()[2:]
    cells = [line.strip("| ").split(" | ") for line in lines]
    assert [row[0] for row in cells] == [doubles.NAMES[mistake][language] for mistake in doubles.MISTAKES]
    assert {row[1] for row in cells} == {doubles.NAMES["refused"][language]}
