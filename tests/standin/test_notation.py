"""Replies as text: what is read, what is written, and what every slip is called in three languages."""

import json
import random
import re
import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.standin import notation
from course.standin.faults import NAMES
from course.standin.notation import Line, NotationError, looks_like_calls, read, write

FAULTS = sorted(set(NAMES) - set(notation.STOP_REASONS) - {"ok"})
LANGUAGES = ("en", "zh", "de")


def call(name, **given):
    return {"type": "tool_use", "name": name, "input": given}


def text(words):
    return {"type": "text", "text": words}


def contents(source, faults=None):
    return [line.content for line in read(source, faults)]


OSLO, BERLIN = call("get_weather", city="Oslo"), call("get_weather", city="Berlin")


@pytest.mark.parametrize(
    "source, replies",
    [
        ("get_weather(city='Oslo') get_weather(city='Berlin')", [[OSLO, BERLIN]]),
        ("get_weather(city='Oslo'), get_weather(city='Berlin')", [[OSLO, BERLIN]]),
        ("get_weather(city='Oslo'); get_weather(city='Berlin')", [[OSLO], [BERLIN]]),
        ("get_weather(city='Oslo')\r\n\r\nget_weather(city='Berlin')\r\n", [[OSLO], [BERLIN]]),
        ("get_weather(\n  city='Oslo',  # a comment\n)\n# another\n'Cold.' # a third", [[OSLO], [text("Cold.")]]),
        ('"I will look." get_weather({"city": "Oslo"})', [[text("I will look."), OSLO]]),
        ("get_weather（city＝“Oslo”）；“好的，（冷）”", [[OSLO], [text("好的，（冷）")]]),
        ("get_weather(city=„Oslo“) get_weather(city=‘Berlin’)", [[OSLO, BERLIN]]),
        ("get_weather(city=「Oslo」，)", [[OSLO]]),
        ("'Er sagt: „Hallo“ (laut)'", [[text("Er sagt: „Hallo“ (laut)")]]),
        (r"'It\'s \"cold\"\n\u00e9\d'", [[text('It\'s "cold"\né\\d')]]),
        (r'"\ud83d\ude00"', [[text("😀")]]),
        ("f(from='a', class=1, max-size=-2.5e3)", [[call("f", **{"from": "a", "class": 1, "max-size": -2500.0})]]),
        ("f(a=[true, None, {'b': []}], c=False)", [[call("f", a=[True, None, {"b": []}], c=False)]]),
        ("天气(城市='奥斯陆') mcp__x.y-z()", [[call("天气", 城市="奥斯陆"), call("mcp__x.y-z")]]),
        ("\ufeffget_weather(city='Oslo')", [[OSLO]]),
        ("# nothing\n;;\n", []),
    ],
)
def test_calls_and_texts(source, replies):
    assert contents(source) == replies


@pytest.mark.parametrize(
    "source, line",
    [
        ('"The answer is" max_tokens', Line([text("The answer is")], "max_tokens")),
        ("get_weather(city='Oslo') pause_turn", Line([OSLO], "pause_turn")),
        ('""', Line()),
        ("529", Line(status=529)),
        ('400 "words of its own"', Line([text("words of its own")], status=400)),
        ('"Cold" cut', Line([text("Cold")], fault="cut")),
        ("rate_limit", Line(fault="rate_limit")),
        (
            '{"type": "thinking", "thinking": "Hm.", "signature": "x"} "Yes."',
            Line([{"type": "thinking", "thinking": "Hm.", "signature": "x"}, text("Yes.")]),
        ),
    ],
)
def test_more_than_calls_for_tests(source, line):
    assert read(source, FAULTS) == [line]
    assert read(write([line]), FAULTS) == [line]
    if source != '""':
        with pytest.raises(NotationError):
            read(source)  # a prompt is calls and texts alone


def test_a_reply_knows_its_line():
    assert [line.number for line in read("'a'\n\n'b'; 'c'\nf(\n)\n'd'")] == [1, 3, 3, 4, 6]


@pytest.mark.parametrize(
    "source, place, said",
    [
        ("get_weather(city=Oslo)", (1, 18), "write 'Oslo' in single quotes"),
        ("f(\n  city=New York, days=3)", (2, 8), "write 'New York' in single quotes"),
        ("f(on=2027-12-01)", (1, 6), "write '2027-12-01' in single quotes"),
        ("get_weather('Oslo')", (1, 13), "get_weather needs a name for each argument, as in name='Oslo'."),
        ("get_weather(Oslo)", (1, 13), "get_weather needs a name for each argument, as in name='Oslo'."),
        ("f(city: 'Oslo')", (1, 7), "behind city comes an equals sign"),
        ("'a'\nf(city='Oslo'", (2, 2), "the bracket of f( does not close"),
        ("f(a=[1, 2", (1, 5), "the bracket of [ does not close"),
        ("f(city='Oslo)\n'Cold.'", (1, 8), "no closing quote on its line"),
        ("f(city='Oslo' days=3)", (1, 15), "expected a comma or ), found: days=3)"),
        ("f(city=)", (1, 8), "expected a value"),
        ("f(,)", (1, 3), "expected an argument such as city='Oslo' or the closing bracket, found: ,)"),
        ("f(a=open('x'))", (1, 5), "expected a value"),
        ("f(a=f'{x}')", (1, 5), "expected a value"),
        ("f(a=1, a=2)", (1, 8), "a is there twice"),
        ("f({city: 'Oslo'})", (1, 4), "expected a name in quotes"),
        ("f({'city' 'Oslo'})", (1, 11), 'behind "city" comes a colon and a value'),
        ("f({'a': 1}, b=2)", (1, 11), "expected ), found: , b=2)"),
        ("f() Cold", (1, 5), "expected a call such as name(city='Oslo') or a text in quotes, found: Cold"),
        ("f() max_tokens", (1, 5), "found: max_tokens"),
        ("f(a=" + "[" * 60, (1, 55), "more than 50 lists and objects inside one another"),
        ("f(a=" + "9" * 9_999 + ")", (1, 5), "this number is too large"),
        ("f(a=1e999)", (1, 5), "this number is too large"),
        ("'" + "x" * 200_000 + "'", (1, 1), "longer than 100000 characters"),
    ],
)
def test_a_slip_in_a_prompt_is_named_with_its_place(source, place, said):
    with pytest.raises(NotationError) as raised:
        read(source)
    assert (raised.value.line, raised.value.column) == place
    assert said in str(raised.value)


@pytest.mark.parametrize(
    "source, place, said",
    [
        ('"a"\n"b" max_tokenz', (2, 5), "did you mean max_tokens?"),
        ('"a" rate_limt', (1, 5), "did you mean rate_limit?"),
        ("Cold in both.", (1, 1), "Cold is no stop reason and no fault"),
        ("200", (1, 1), "an error has a status from 400 to 599, not 200"),
        ("f() 529", (1, 5), "no calls and no blocks"),
        ("529 f()", (1, 5), "no calls and no blocks"),
        ('"a" refusal cut', (1, 13), "cut is one too many"),
        ('{"a": 1}', (1, 1), "a JSON block needs its type"),
        ('{"type": "text"}', (1, 1), 'a block of type text needs "text"'),
        ('"a" -> "b"', (1, 5), "is no stop reason and no fault"),
        ('"a" = "b"', (1, 5), "expected a call such as name(city='Oslo'), a text in quotes, a word"),
    ],
)
def test_a_slip_in_replies_is_named_with_its_place(source, place, said):
    with pytest.raises(NotationError) as raised:
        read(source, FAULTS)
    assert (raised.value.line, raised.value.column) == place
    assert said in str(raised.value)


def test_every_slip_has_a_sentence_in_three_languages():
    file = Path(notation.__file__)
    texts = tomllib.loads(file.with_suffix(".toml").read_text(encoding="utf-8"))
    codes = set(re.findall(r'fail\("(\w+)"', file.read_text(encoding="utf-8")))
    codes |= {"reply", "word"}  # named in the second half of an if
    assert codes | {"where"} == set(texts)
    for sentences in texts.values():
        assert set(sentences) == set(LANGUAGES)
        fields = [
            {field for _, field, _, _ in string.Formatter().parse(sentences[lang]) if field} for lang in LANGUAGES
        ]
        assert fields[0] == fields[1] == fields[2]


@pytest.mark.parametrize(
    "prompt, meant",
    [
        ("get_weather(city='Oslo')", True),
        ("get_weather(city=Oslo", True),  # a slip is to be told
        (" get_weather（", True),
        ("'I will look.'; get_weather(", True),
        ("# first\nget_weather(", True),
        ("get_wether(city='Oslo')", True),  # a tool that nobody offered, read to the end
        ("f(x) = 3, solve for x", False),
        ("get_weather is a tool", False),
        ("get_weather (the tool) is slow", False),
        ("Please call get_weather(city='Oslo')", False),
        ("'Hello'", False),
        ("'s mornings get_weather(", False),
        ("", False),
    ],
)
def test_which_prompts_are_meant_as_calls(prompt, meant):
    assert looks_like_calls(prompt, {"get_weather": {}}) is meant


# --- written and read again ---

LETTERS = st.text(st.characters(), max_size=20)  # lone surrogates too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | LETTERS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(LETTERS, inner, max_size=3),
    max_leaves=8,
)
WORDS = st.from_regex(r"[\w.-]{1,20}", fullmatch=True)
INPUTS = st.dictionaries(LETTERS | WORDS, JSON, max_size=3)
BLOCKS = st.one_of(
    st.builds(text, LETTERS),
    st.builds(lambda name, given: {"type": "tool_use", "name": name, "input": given}, WORDS | LETTERS, INPUTS),
    st.builds(lambda kind, more: {**more, "type": kind}, st.sampled_from(["thinking", "server_tool_use"]), INPUTS),
)
TEXTS = st.builds(text, LETTERS.filter(bool))
REPLIES = st.one_of(
    st.builds(Line, st.lists(BLOCKS, max_size=3), st.sampled_from(notation.STOP_REASONS)),
    st.builds(Line, st.lists(TEXTS, max_size=1), status=st.integers(400, 599)),
    st.builds(Line, st.lists(TEXTS, max_size=3), fault=st.sampled_from(FAULTS)),
)


def paired(value):
    """Two surrogates in a row that are one letter, as that letter: JSON knows no other."""
    return json.loads(json.dumps(value))


@given(st.lists(REPLIES, max_size=4))
def test_what_is_written_is_read_again(lines):
    for line in lines:
        line.content = paired(line.content)
    source = write(lines)
    source.encode("utf-8")
    assert read(source, FAULTS) == lines
    assert write(read(source, FAULTS)) == source


@given(st.text(st.characters(), max_size=200) | st.text("f(a='\"[{}])=:,;#\\\n1e.- “」（", max_size=60), st.booleans())
def test_any_text_is_read_or_named(source, prompt):
    looks_like_calls(source, {"f"})
    try:
        read(source, None if prompt else FAULTS)
    except NotationError as slip:
        assert all(slip.say(language) for language in LANGUAGES)


WHOLE = """\
"I will look: „it’s“ (now)." get_weather(city="Oslo", days=3) get_weather({"city": "北京", "list": [1, -2.5e3, null]})
get_weather（city＝“Oslo”） # a comment
"The answer is" max_tokens; ""
529
400 "words of its own"
"Cold" cut
{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}} pause_turn
"""


def damaged(dice):
    """A good text with up to six letters or pieces left out, doubled, moved or replaced."""
    source = WHOLE
    for _ in range(dice.randint(1, 6)):
        a, b = sorted(dice.randrange(len(source) + 1) for _ in range(2))
        b = min(b, a + dice.choice((1, 1, 1, 5, 30)))
        piece = dice.choice(
            ("", source[a:b] * 2, source[b : b + 9] + source[a:b], dice.choice("()[]{}\"'“”，\\\n;#=:,\0e9"))
        )
        source = source[:a] + piece + source[b:]
    return source


@pytest.mark.parametrize("count", [500, pytest.param(10_000, marks=pytest.mark.extra)])
def test_damaged_replies_give_sentences_and_never_a_traceback(count):
    dice = random.Random(14)
    slips = 0
    for _ in range(count):
        source = damaged(dice)
        try:
            for line in read(source, FAULTS):
                json.dumps(line.content)
        except NotationError as slip:
            slips += 1
            assert 1 <= slip.line <= source.count("\n") + 2 and slip.column >= 1
            for language in LANGUAGES:
                assert len(slip.say(language)) < 300
    assert slips > count / 2


@pytest.mark.parametrize(
    "source", ["f(a=" * 20_000, "[" * 90_000, "'" * 90_001, "f(a='\\" * 15_000, "a" * 99_000, "f(" + "a=1," * 20_000]
)
def test_long_nonsense_is_refused_at_once(source):
    with pytest.raises(NotationError):
        read(source)
