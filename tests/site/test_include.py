import pytest

from course.site import ROOT, SiteError
from course.site.fences import fences, replace
from course.site.include import check_notes, include

FILE = "agents/s01_agent_loop.py"


def test_the_code_is_that_of_the_script():
    block = include(f"{FILE} run_tool")
    fence = next(fences(block))
    assert fence.body in (ROOT / FILE).read_text(encoding="utf-8")
    assert fence.body.startswith("def run_tool(call):")
    assert f'title="{FILE}"' in fence.info


def test_a_highlight_is_found_by_its_text():
    block = include(f'{FILE} agent_loop\nhighlight: if reply.stop_reason != "tool_use": ... break')
    lines = next(fences(block)).body.splitlines()
    first = next(n for n, line in enumerate(lines, 1) if "if reply.stop_reason" in line)
    assert f'hl_lines="{first}-{first + 1}"' in block


def test_notes_are_numbered_and_keep_comments():
    block = include(f'{FILE} agent_loop\nnote: reply = ask_claude\nnote: messages.append({{"role": "assistant"')
    lines = next(fences(block)).body.splitlines()
    assert [line for line in lines if "ask_claude" in line][0].endswith("reply = ask_claude(messages)  # (1)!")
    assert [line for line in lines if '"assistant"' in line][0].endswith("text and calls (2)")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (f"{FILE} no_such_function", "no `no_such_function`"),
        ("agents/s99.py", "no file `agents/s99.py`"),
        ("../outside.py", "no file"),
        ("", "no file"),
        (f"{FILE} run_tool\nhighlight: not in there", "is in 0 lines"),
        (f"{FILE} run_tool\nnote: call", "lines of the included code; it must be in exactly one"),
        (f"{FILE} run_tool\nhl: 3", "neither"),
        (f"{FILE} docstring\nnote: asks for none", "inside a string"),
    ],
)
def test_what_cannot_be_included_breaks(body, message):
    with pytest.raises(SiteError, match=message.replace("(", r"\(")):
        include(body)


NOTED = "```include\na.py\nnote: x\nnote: y\n```\n\n"


@pytest.mark.parametrize(
    "below", ["1. One.\n2. Two.\n", "1. One,\n   goes on.\n\n2. Two.\n\nText.\n\n1. Another list.\n"]
)
def test_as_many_explanations_as_notes(below):
    check_notes(NOTED + below)


@pytest.mark.parametrize("below", ["", "Text.\n\n1. One.\n2. Two.\n", "1. One.\n", "1. One.\n2. Two.\n3. Three.\n"])
def test_fewer_or_more_explanations_break(below):
    with pytest.raises(SiteError, match="2 notes"):
        check_notes(NOTED + below)


def test_an_unclosed_block_breaks():
    with pytest.raises(SiteError, match="line 3.*never closed"):
        list(fences("Text\n\n```include\nagents/x.py\n"))


def test_only_known_kinds_are_replaced_in_place():
    page = "A\n\n    ```shout\n    hi\n    ```\n\n````text\n```shout\nno\n```\n````\n"
    assert replace(page, {"shout": str.upper}) == "A\n\n    HI\n\n````text\n```shout\nno\n```\n````\n"


def test_an_error_names_the_block():
    def fail(body):
        raise SiteError("because")

    with pytest.raises(SiteError, match="```shout in line 2 of the text: because"):
        replace("A\n```shout\nhi\n```\n", {"shout": fail})
