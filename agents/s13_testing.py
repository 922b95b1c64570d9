"""s13: testing an agent.

An agent has two halves. Yours is code: from the same replies it makes the same of them, so tests write Claude's part
down and say yes or no. Claude's half is a chance: tasks are run and counted, and what comes out is a rate.

    the tools   functions like any other        --> pytest, no Claude at all
    the loop    replies that a test wrote down  --> pytest, the fixture `claude`; the API's rules stay on
    a real run  replies as they once came       --> pytest, the same fixture
    Claude      TASKS, each of them RUNS times  --> a table: how often, how many requests, at what cost

Run         python agents/s13_testing.py [RUNS]
            python -m pytest agents/s13_testing.py
Costs       nothing without a key; with one, at most 0.18 USD for each of RUNS (the tests: nothing, ever)
Leaves out  answers that only a reader, or another model, can judge
"""

import argparse
import contextlib
import inspect
import io
import pathlib
import re
import sys

import anthropic
import pytest

# ---- as in s08, unchanged

import s08_tool_design as agent

# ---- new from here

RECORDING = pathlib.Path(__file__).with_suffix(".replies")  # made by: course run s08 --save-replies FILE
PRICED, MOST = "claude-sonnet-5-5", 0.06  # with this model, one run of a task costs at most so many USD
PRICE_IN, PRICE_OUT = 2.00, 10.00  # USD per million of its tokens
TASKS = {  # the prompt, and what the answer must name
    "Does Harbor Hall meet the code?": [r"\b2\.3\b", r"\b3\.1\b", r"\bB4\b"],
    "Does Lakeview School meet the code?": [r"\b2\.5\b", r"\b4\.6\b", r"\bT5\b"],
    "Does Mill Lane Depot meet the code?": [r"\b2\.4\b", r"\b4\.3\b", r"\bD3\b"],
}


# The tools: functions like any other. Claude takes no part.

HARBOR, MILL = {"report": "harbor-hall"}, {"report": "mill-lane-depot"}
CALLS = [  # a call, and what Claude must be told
    ("search_code", {"words": "SHALL"}, r"24 found, the first 5 follow: add a word [^\n]*(\n\d\.\d [^\n]{,96}){5}"),
    ("search_code", {"words": "gather vibrate"}, r"0 found with all of: gather vibrate\. Try .*"),
    ("search_code", {"words": "way out", "part": "5-escape"}, r"5 found(\n5\.\d [^\n]*){5}"),
    ("search_code", {"words": "people", "part": "2-loads"}, r"1 found\n2\.3 Floors where people gather: A .*"),
    ("read_section", {"number": "2.3"}, r"2\.3 Floors where people gather\nA floor.* 5\.0 kN/m2\. [^\n]*"),
    ("read_section", {"number": "2.9"}, r"Error.* number: there is no section 2\.9, only 2\.1 to 2\.7; .*"),
    ("read_section", {"number": "9.1"}, r"Error.* only 1\.1 to 5\.6; try search_code"),
    ("read_section", {}, r"Error.* missing .* 'number'"),
    ("read_report", {**HARBOR, "page": 3}, r"harbor-hall, page 3 of 3\nWays out\. [^=]*60 minutes\."),
    ("read_report", {**HARBOR, "page": 0}, r"Error.* page: harbor-hall has the pages 1 to 3, not 0"),
    ("read_report", {**HARBOR, "page": 4}, r"Error.* page: harbor-hall has the pages 1 to 3, not 4"),
    ("read_report", {"report": "../x", "page": 1}, r"Error.* report: expected one of harbor-hall, .*, got '../x'"),
    ("summarize_measurements", {**HARBOR, "column": "moisture_percent"}, r"Error.* only span_mm, span_.*, cover_mm"),
    ("summarize_measurements", {**HARBOR, "column": "cover"}, r"Error.* column: expected one of span_mm, .*"),
    ("summarize_measurements", {**MILL, "column": "cover_mm"}, r".* 11 values, 1 missing; lowest 26 .D3., mean 34.*"),
    ("read_mind", {}, "Error: no tool read_mind; there are search_code, read_section, read_report, .*"),
]


@pytest.mark.parametrize("name, arguments, told", CALLS)
def test_a_call_is_told_what_its_definition_promises(name, arguments, told):
    call = anthropic.types.ToolUseBlock(type="tool_use", id="toolu_1", name=name, input=arguments)
    result = agent.run_tool(call)
    assert re.fullmatch(told, result["content"], re.DOTALL) and result["is_error"] == told.startswith("Error")


@pytest.mark.parametrize("tool", agent.TOOLS, ids=lambda tool: tool["name"])
def test_a_definition_fits_its_function(tool):
    schema, parameters = tool["input_schema"], inspect.signature(agent.FUNCTIONS[tool["name"]]).parameters
    assert list(schema["properties"]) == list(parameters)
    assert schema["required"] == [name for name, each in parameters.items() if each.default is each.empty]
    assert tool["strict"] and not schema["additionalProperties"]


# The loop: Claude says what the test wrote down. A request that the API would refuse fails the test by itself.

READ = 'read_section(number="3.1")'
ENDINGS = [  # what Claude says, and what the reader must be shown
    ('"Two parts," "one answer."', "turn 1: end_turn\nTwo parts,\none answer.\n"),
    ('""', "turn 1: end_turn\n(no text)\n"),
    (f'"  " {READ}; "Read."', "-> 3.1 Sag of floors (2 lines)\nturn 2: end_turn\nRead.\n"),
    ('529; "Late."', "turn 1: end_turn\nLate.\n"),
    ('"Hm." pause_turn; "Done."', "turn 2: end_turn\nDone.\n"),
    (f"{READ} max_tokens", "turn 1: max_tokens\n(no text)\nCut off after MAX_TOKENS."),
    (f'"No." {READ} refusal', "turn 1: refusal\nNo.\nClaude declined."),
    ('"It" model_context_window_exceeded', "It\nThe conversation no longer fits"),
    ('"So" stop_sequence', "So\nStopped for a reason unknown to this script: stop_sequence"),
    ("; ".join([READ] * agent.MAX_TURNS), f"{agent.MAX_TURNS} turns are the limit"),
]


@pytest.fixture(autouse=True)
def scripted(claude, monkeypatch):
    """No test can reach the real Claude by mistake."""
    monkeypatch.setattr(agent, "client", claude.client)


def ask(*prompts):
    messages = []
    for prompt in prompts:
        messages.append({"role": "user", "content": prompt})
        reply = agent.agent_loop(messages)
    return reply, messages


def test_calls_side_by_side_are_answered_in_order(claude):
    claude.says(f'"I look." {READ} read_section(number="2.3")', '"I have read both."')
    _, messages = ask("Well?")
    assert [result["content"][:3] for result in claude.results] == ["3.1", "2.3"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user", "assistant"]
    assert (claude.requests[0]["system"], claude.requests[0]["tools"]) == (agent.SYSTEM, agent.TOOLS)


@pytest.mark.parametrize("says, shown", ENDINGS)
def test_every_ending_is_told_and_the_conversation_can_go_on(claude, monkeypatch, capsys, says, shown):
    monkeypatch.setattr(sys, "argv", ["agent", "Well?"])
    claude.says(says)
    agent.main()
    assert shown in capsys.readouterr().out and not claude.replies
    claude.says(says, '"Still here."')
    ask("Well?", "Are you there?")


# A real run, played back: what Claude asked for then must still be answered, and nothing of it may get lost.


def test_a_recorded_run_still_works(claude):
    claude.says(RECORDING.read_text(encoding="utf-8"))
    _, messages = ask("Does Harbor Hall meet the code?")
    results = [block for message in messages[2::2] for block in message["content"]]
    assert [block["content"][:62] for block in results if block["is_error"]] == [
        "Error: ValueError: number: there is no section 2.9, only 2.1 t"
    ]
    for before, after in zip(claude.requests, claude.requests[1:]):
        assert after == {**before, "messages": [*before["messages"], *after["messages"][-2:]]}


# Claude: how often does it get there? Counted, as one run says little.


class Counting:
    """A client that passes each request on and keeps what it used."""

    def __init__(self, client):
        self.messages, self.client, self.usages = self, client, []

    def create(self, **request):
        reply = self.client.messages.create(**request)
        self.usages.append(reply.usage)
        return reply


def judge(answer, names):
    """Whether the answer names all that it must. What else it says is not seen."""
    return all(re.search(name, answer) for name in names)


def between(passed, runs):
    """The rates at which so many passes are no surprise (Wilson's interval, two standard deviations)."""
    middle, spread = (passed + 2) / (runs + 4), 2 * (passed * (runs - passed) / runs + 1) ** 0.5 / (runs + 4)
    return f"{middle - spread:.0%} to {middle + spread:.0%}"


def row(task, passed, runs, usages):
    read, written = sum(usage.input_tokens for usage in usages), sum(usage.output_tokens for usage in usages)
    cost = f"  {(read * PRICE_IN + written * PRICE_OUT) / 1_000_000:.4f}" if agent.MODEL == PRICED else ""
    print(f"{task:36} {f'{passed} of {runs}':>9} {len(usages):9} {read:10,} {written:8,}{cost}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs="?", type=int, default=1, help="how often each task is run")
    runs = parser.parse_args().runs
    if runs < 1:
        parser.error("RUNS must be 1 or more")
    most = f"at most {len(TASKS) * runs * MOST:.2f} USD" if agent.MODEL == PRICED else f"what {agent.MODEL} takes"
    print(f"{len(TASKS)} tasks x {runs}. With a key this costs {most}; Ctrl-C ends it early.\n")
    print(f"{'task':36}    passed  requests  tokens in      out{'     USD' * (agent.MODEL == PRICED)}", flush=True)
    agent.client = counting = Counting(agent.client)
    verdicts, failed = [], []
    try:
        for prompt, names in TASKS.items():
            begun, used = len(verdicts), len(counting.usages)
            while len(verdicts) < begun + runs:
                with contextlib.redirect_stdout(io.StringIO()):
                    reply, _ = ask(prompt)
                answer = "\n".join(block.text for block in reply.content if block.type == "text")
                verdicts.append(judge(answer, names))
                if not verdicts[-1]:
                    failed.append(f"\nFailed: {prompt} ({reply.stop_reason})\n{answer or '(no text)'}\n")
            row(prompt, sum(verdicts[begun:]), runs, counting.usages[used:])
    except (KeyboardInterrupt, anthropic.APIError) as error:  # no word about Claude, so it is not counted
        print(f"Ended early: {str(error) or 'interrupted'}")
    row("all", sum(verdicts), len(verdicts), counting.usages)
    if verdicts:
        rates = between(sum(verdicts), len(verdicts))
        print(f"\nAfter {len(verdicts)} runs the true rate may be anything from {rates}.")
    print("".join(failed[:3]), end="")  # to be read: it may be the judge who is wrong


if __name__ == "__main__":
    main()
