"""The pytest fixture `claude`: a Claude that says what the test wrote down, behind an API as strict as the real one.

    def test_both_cities(claude):
        claude.says("get_weather(city='Oslo') get_weather(city='Berlin')", "'Cold in both.'")
        agent.agent_loop([{"role": "user", "content": "Oslo or Berlin?"}])
        assert len(claude.results) == 2

A request that the API would refuse, a reply that nobody asked for and a request too many fail the test by themselves.
`course.testing.fixture.Claude` says what else it has. Nothing of it is imported before a test asks for the fixture.
"""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_CLAUDE = pytest.StashKey[Any]()
_FOREIGN = {
    "en": "The fixture claude needs the package `course` of The Agent Loop, but here `course` is {path}. "
    "Rename that one, or run `course serve` in a terminal and point the tests at it.",
    "zh": "夹具 claude 需要课程“智能体循环”的 `course` 包，但这里的 `course` 是 {path}。"
    "请给它改名，或者在终端里运行 `course serve`，让测试连到那里。",
    "de": "Die Fixture claude braucht das Paket `course` der „Agentenschleife“, hier ist `course` aber {path}. "
    "Benenne es um oder starte in einem Terminal `course serve` und richte die Tests darauf.",
}


@pytest.fixture
def claude(request: pytest.FixtureRequest) -> Iterator[Any]:
    """Claude, told what to say by `claude.says(...)`; the API's rules are on."""
    if foreign := _foreign_course():
        language = (os.environ.get("COURSE_LANG") or os.environ.get("LANG") or "")[:2]
        pytest.fail(_FOREIGN.get(language, _FOREIGN["en"]).format(path=foreign), pytrace=False)
    from course.testing import fixture

    with fixture.opened() as made:
        request.node.stash[_CLAUDE] = made
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    try:
        outcome = yield
    except Exception as error:
        if made := item.stash.get(_CLAUDE, None):
            from course.testing.fixture import shorten

            shorten(error)
            if made.refused:
                item.add_report_section("call", "claude", "\n".join(made.refused))
        raise
    if (made := item.stash.get(_CLAUDE, None)) and (problems := made.problems()):
        pytest.fail(problems, pytrace=False)
    return outcome


def _foreign_course() -> str:
    """Where the package `course` is, if it is not the one that was installed with this module."""
    imported = sys.modules.get("course")
    spec = imported.__spec__ if imported else find_spec("course")
    own = Path(__file__).resolve().parent / "course"
    places = [*(spec.submodule_search_locations or ())] if spec else []
    if any(Path(place).resolve() == own for place in places):
        return ""
    return str(places[0] if places else spec.origin if spec else None)
