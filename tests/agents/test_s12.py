"""s12: what is sent, what of it the cache knows, what that costs, and how a history gets shorter without a refusal."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from course.standin.cache import Cache
from course.standin.core import Response, handle
from course.testing.player import Replies, read
from tests.conftest import ROOT, clean_env, run_script

SCRIPT = ROOT / "agents/s12_context.py"
SOURCE = SCRIPT.read_text(encoding="utf-8")
HERE = Path(__file__).parent
PAGES = " ".join(f'read_report(report="harbor-hall", page={page})' for page in (1, 2, 3))
COST = re.compile(r"  ([\d,]+) tokens in \(([\d,]+) from the cache, ([\d,]+) into it\), ([\d,]+) out: ([\d.]+) USD")


@pytest.fixture
def run(recorder):
    """run(*prompts, answer=...) -> (the run, its server)."""

    def go(*prompts, answer=handle, script=SCRIPT, **env):
        server = recorder(Cache(answer))
        done = run_script(script, *prompts, **server.env | env)
        assert "Traceback" not in done.err, done.err
        return done, server

    return go


@pytest.fixture
def copy(tmp_path):
    """copy((old, new), ...) -> a copy of the script with these edits, beside the folder that it reads."""

    def make(*edits):
        source = SOURCE
        for old, new in edits:
            assert source.count(old) == 1, old
            source = source.replace(old, new)
        review = repr(str(ROOT / "agents/review"))
        source = source.replace('pathlib.Path(__file__).parent / "review"', f"pathlib.Path({review})")
        script = tmp_path / "s12 äö.py"
        script.write_text(source, encoding="utf-8")
        return script

    return make


def costs(done):
    """(in, from the cache, into it, out) of each reply of the conversation, as printed."""
    return [tuple(int(number.replace(",", "")) for number in match.groups()[:4]) for match in COST.finditer(done.out)]


def conversation(server):
    """The requests of the conversation: without those for counting and for a summary."""
    return [request for request in server.requests if "tools" in request and "max_tokens" in request]


def test_the_bill_is_what_one_computes_by_hand(run):
    done, _ = run("Review Harbor Hall.")
    assert costs(done) == [(1_395, 0, 1_395, 66), (1_700, 1_395, 305, 125)]
    # USD per million tokens: in 2, written 2.50, read 0.10, out 10.
    first = 1_395 * 2.50 + 66 * 10  # 4,147.5 millionths
    second = 1_395 * 0.10 + 305 * 2.50 + 125 * 10  # 2,152
    assert (first, second) == (4_147.5, 2_152)
    assert "into it), 66 out: 0.0041 USD" in done.out and "into it), 125 out: 0.0022 USD" in done.out
    plain = (1_395 + 1_700) * 2 + (66 + 125) * 10  # 8,100
    assert (first + second, plain) == (6_299.5, 8_100)
    assert done.lines[-1] == (
        "USD in all: 0.0063 spent, 0.0081 without the cache, 0.0081 with the whole history each time, too"
    )


def test_prices_of_the_cache_are_those_of_the_model():
    models = tomllib.loads((ROOT / "course/models.toml").read_text(encoding="utf-8"))
    (model,) = [one for one in models["models"] if f'"{one["id"]}"' in SOURCE]
    read_, written = model["cache_read"] / model["price"][0], models["cache_write"]["5m"]
    assert f"{written:g} * written + {read_:g} * read)" in SOURCE
    assert f"into the cache {written:g} times PRICE_IN, from it {read_:g}" in SOURCE


def test_the_default_run_is_cut_once_and_answers_from_before_the_cut(run):
    done, server = run()
    assert done.status == 0 and done.out.count("shortened from") == 1
    assert "Harbor Hall, if the number of findings decides: Harbor Hall 3, Lakeview School 1" in done.out
    assert "The floor is designed for 3.0 kN/m2, following section 2.9" in done.lines[-2]
    spent, plain, whole = (float(number) for number in re.findall(r"[\d.]+(?= )", done.lines[-1].partition(":")[2]))
    assert spent < 0.5 * plain and abs(plain - whole) < 0.001  # the cache saves; over so few turns a cut does not
    # Each reads what the one before has written or read; after the cut, what stands in front of the history.
    known = 0
    counts = costs(done)
    assert len(counts) == 9
    for number, (size, from_cache, into, _) in enumerate(counts):
        assert size == from_cache + into, "all of it is marked"
        assert from_cache == (known if number != 4 else 1_386)
        known = size
    marks = [json.dumps(request).count('"cache_control"') for request in conversation(server)]
    assert set(marks) == {2}


def test_what_claude_no_longer_sees_is_on_disk(run):
    done, server = run()
    (path,) = re.findall(r"what it was is in (.*history\.json)", done.out)
    kept = json.loads(Path(path).read_text(encoding="utf-8"))
    before, after = [request["messages"] for request in conversation(server)][3:5]
    assert kept[:-2] == before and kept[-1] == {"role": "user", "content": "Review Mill Lane Depot."}
    assert [message["role"] for message in after] == ["user", "user"] and after[1] == kept[-1]
    assert after[0]["content"][0]["text"].startswith("<summary>")


def test_another_model_has_tokens_and_no_price(run):
    done, _ = run("Review Harbor Hall.", MODEL_ID="claude-haiku-5-5")
    assert "USD" not in done.out and "tokens in (0 from the cache, 1,395 into it), 66 out\n" in done.out


def test_where_nobody_counts_tokens_they_are_estimated_and_that_is_said_once(run):
    asked = []

    def nobody_counts(method, path, headers, body):
        if "count_tokens" in path:
            asked.append(path)
            return Response(404, {"content-type": "application/json"}, [b'{"detail": "Not Found"}'])
        return handle(method, path, headers, body)

    done, _ = run(answer=nobody_counts)
    assert done.status == 0 and len(asked) == 1
    assert done.out.count("(tokens cannot be counted here, status 404: estimated from now on)") == 1
    assert "shortened from" in done.out and "Harbor Hall 3" in done.out


@pytest.mark.parametrize("summary", ["end_turn", '"So far" max_tokens', "refusal"])
def test_a_summary_that_is_none_is_dropped_and_nothing_is_lost(run, copy, summary):
    script = copy(("LIMIT = 2_300", "LIMIT = 1_720"), ("KEEP = 4", "KEEP = 2"))
    two = "Two. " * 60
    done, server = run("One", two, answer=Replies(read(f'{PAGES}\n"Found."\n{summary}\n"Done."')), script=script)
    assert done.status == 0 and done.lines[-2] == "Done."
    last = conversation(server)[-1]["messages"]
    assert [message["content"] for message in last if isinstance(message["content"], str)] == ["One", two]
    results = [block["content"] for block in last[2]["content"]]
    assert results[0] == "harbor-hall, page 1 of 3 [cleared to save room; call again for the rest]"


def test_a_paused_reply_is_not_cut_away(run, copy):
    """Sent back as it is, it goes on; whatever is changed before it, it would not."""
    script = copy(("LIMIT = 2_300", "LIMIT = 1"))
    done, server = run("One", answer=Replies(read('"I look" pause_turn\n"Done."')), script=script)
    assert done.status == 0 and "shortened" not in done.out.partition("turn 1")[2]
    assert [message["role"] for message in conversation(server)[-1]["messages"]] == ["user", "assistant"]


def test_a_history_that_gets_no_shorter_is_not_cut_again_and_again(run, copy):
    script = copy(("LIMIT = 2_300", "LIMIT = 1"))
    done, _ = run("One", answer=Replies(read(f'{PAGES}\n{PAGES}\n{PAGES}\n"Done."')), script=script)
    assert done.status == 0 and done.out.count("shortened") <= 4


@pytest.mark.parametrize("name", ["s12-break", "s12-refused"])
def test_a_moving_front_is_never_found_and_dearer_than_no_cache_or_refused(run, copy, name):
    """The mistakes that the page makes. Newer models bind their thinking to what stands in front of it."""
    entry = tomllib.loads((ROOT / "course/site/outputs.toml").read_text(encoding="utf-8"))[name]
    script = copy((entry["old"], entry["new"]))
    if name == "s12-refused":
        done = run_script(script)
        assert done.status == 1 and "The block is bound to a different conversation." in done.err
        return
    done, _ = run(script=script)
    assert {from_cache for _, from_cache, _, _ in costs(done)} == {0}
    spent, plain = re.findall(r"[\d.]+(?= )", done.lines[-1].partition(":")[2])[:2]
    assert float(spent) > float(plain)


def test_marks_by_hand_that_pile_up_are_refused(run, copy):
    script = copy(
        ("model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages, cache_control=CACHE",
         "model=MODEL, max_tokens=MAX_TOKENS, system=SYSTEM, tools=TOOLS, messages=messages"),
        ('messages.append({"role": "user", "content": sendable(prompt)})',
         'messages.append({"role": "user", "content": [{"type": "text", "text": prompt, "cache_control": CACHE}]})'),
    )  # fmt: skip
    done = run_script(script, "Hello.", "Hello.", "Hello.", "Hello.")
    assert done.status == 1 and "A maximum of 4 blocks with cache_control may be provided. Found 5." in done.err


@pytest.mark.parametrize("how_many", [100, pytest.param(3_000, marks=pytest.mark.extra)])
def test_random_histories_are_cut_and_none_is_refused(how_many, tmp_path):
    """Calls and results stay together, the last prompt stays word for word, thinking goes with what it is bound to."""
    command = [sys.executable, str(HERE / "histories.py"), str(SCRIPT), str(how_many), str(how_many)]
    env = clean_env(TMPDIR=str(tmp_path))  # each history's original is kept in a folder of its own
    printed = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=6 * how_many // 30 + 100)
    assert printed.returncode == 0, printed.stderr
    done = json.loads(printed.stdout)
    assert done["wrong"] == []
    assert done["cut"] > how_many and done["summarized"] > how_many / 2
