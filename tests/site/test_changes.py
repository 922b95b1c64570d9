import pytest

from course.site import SiteError
from course.site.changes import changes, changes_fence, edit

OLD = '''"""Old words."""

import os

LIMIT = 3


def gone():
    return 1


def same():
    return 2


def ask(messages):
    first = 1
    second = 2
    third = 3
    fourth = 4
    fifth = 5
    return call(messages)
'''
NEW = (
    OLD.replace("Old words", "New words")
    .replace("def gone():\n    return 1\n\n\n", "")
    .replace("call(messages)", "call(messages, system=S)")
    + "\n\ndef more():\n    return 3\n"
)


def test_only_what_changed_with_little_around_it():
    assert changes([OLD], NEW).splitlines() == [
        "@@ gone @@",
        "-def gone():",
        "-    return 1",
        "@@ ask @@",
        "     fourth = 4",
        "     fifth = 5",
        "-    return call(messages)",
        "+    return call(messages, system=S)",
        "@@ more @@",
        "+def more():",
        "+    return 3",
    ]


def test_a_part_is_compared_with_the_last_script_that_has_it():
    first = "def loop():\n    return 1\n\n\ndef old_tool():\n    return 2\n"
    second = "def tool():\n    return 3\n\n\ndef by_hand():\n    return 4\n"
    third = "def loop():\n    return 1\n\n\ndef tool():\n    return 3\n"
    assert changes([first, second], third) == "@@ by_hand @@\n-def by_hand():\n-    return 4"


def test_edit_shows_both_sides():
    assert edit("a = 1\nb = 2", "a = 1\nb = 3") == " a = 1\n-b = 2\n+b = 3"


def test_the_fence_reads_what_a_lesson_builds_on():
    block = changes_fence("s03")
    assert 'title="s01, s02 → agents/s03_multi_turn.py"' in block
    assert "@@ ask_claude @@" in block and "@@ agent_loop @@" not in block


@pytest.mark.parametrize("body", ["", "s01", "s99", "s03 from s01", "s03 since"])
def test_what_has_no_diff_breaks(body):
    with pytest.raises(SiteError):
        changes_fence(body)
