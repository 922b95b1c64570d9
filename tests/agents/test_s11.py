"""s11: a stream that breaks at each of its events and inside a character, and what is shown, sent and run then."""

import json
import os
import re
import signal
import subprocess
import sys
import threading

import pytest

from course.standin import sse
from course.standin.app import create_app
from course.standin.core import Pause, Reset, handle
from course.standin.server import start
from course.testing.player import Replies, read
from tests.conftest import ROOT, clean_env, run_script

SCRIPT = ROOT / "agents/s11_streaming.py"
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals, a pseudo-terminal")
STAIR = "How wide must a stair for 300 people be?"
READ = 'read_section(number="5.3")'
ERROR = sse.event({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})
SECONDS = 30  # one run takes much less


class Answers:
    """An `answer` whose n-th reply, counted from 0, is broken: {n: a function from its chunks to others}."""

    def __init__(self, answer=handle, broken=None):
        self.answer, self.broken, self.number = answer, broken or {}, 0

    def __call__(self, method, path, headers, body):
        response = self.answer(method, path, headers, body)
        if response.status == 200:
            if self.number in self.broken:
                response.chunks = self.broken[self.number](list(response.chunks))
            self.number += 1
        return response


class Child:
    """s11 in a process that runs it many times (streams.py), against a server that answers as each run says."""

    def __init__(self):
        self.answers = handle
        self.exchanges = []
        self.server = start(lambda: create_app(lambda *request: self.answers(*request), self.exchanges.append))
        env = clean_env(ANTHROPIC_BASE_URL=self.server.base_url, ANTHROPIC_API_KEY="sk-ant-test")
        command = [sys.executable, str(ROOT / "tests/agents/streams.py"), str(SCRIPT)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=env, encoding="utf-8", **pipes)

    def run(self, *arguments, replies=None, broken=None, **scenario):
        """Run it; `replies`: what Claude says, as text, if not what the stand-in says."""
        self.answers = Answers(Replies(read(replies), quick=True) if replies else handle, broken)
        self.exchanges.clear()
        watchdog = threading.Timer(SECONDS, self.process.kill)
        watchdog.start()
        try:
            self.process.stdin.write(json.dumps({"arguments": arguments, **scenario}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        finally:
            watchdog.cancel()
        assert line, f"not done after {SECONDS} s"
        done = Outcome([*self.exchanges], **json.loads(line))
        assert "Traceback" not in done.err, done.err
        return done

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=SECONDS)
        self.process.stdout.close()
        self.server.stop()


class Outcome:
    def __init__(self, exchanges, status, out, err, writes):
        self.status, self.out, self.err, self.writes = status, out, err, writes
        self.statuses = [exchange.status for exchange in exchanges]
        self.requests = [json.loads(exchange.body) for exchange in exchanges]
        self.chunks = [list(exchange.chunks) for exchange in exchanges]
        self.problems = re.findall(r"^\(broken off: (.*)\)$", err, re.MULTILINE)
        self.shown = re.sub(r"after \d+\.\d s", "after # s", out)  # without how long it took


@pytest.fixture(scope="module")
def child():
    made = Child()
    yield made
    made.close()


def test_a_plain_run_streams_each_reply_and_runs_each_call(child):
    done = child.run(STAIR)
    assert (done.status, done.err, done.statuses) == (0, "", [200] * 3)
    assert all(request["stream"] for request in done.requests)
    assert done.out.startswith(f"> {STAIR}\nturn 1: tool_use\n  search_code(")
    assert "For 300 people: 3,000 mm.\n  (first word after 0." in done.out and done.out.endswith("turn 3: end_turn\n")
    assert len(done.requests[-1]["messages"]) == 5


BREAKS = {  # what comes after the events that came
    "cut": ((), ["it ended in the middle"]),
    "error": ((ERROR,), ["overloaded_error"]),
    "reset": ((Reset(),), ["ReadError: ", "RemoteProtocolError: "]),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_stream_that_breaks_at_any_event_is_asked_for_again_and_shows_nothing_twice(child, kind):
    """Nothing of a broken reply is kept, no call of it is run; what is printed is what a good run prints."""
    plain = child.run(STAIR)
    rest, problems = BREAKS[kind]
    for reply, chunks in enumerate(plain.chunks):
        for place in range(len(chunks)):
            done = child.run(STAIR, broken={reply: lambda chunks, place=place: [*chunks[:place], *rest]})
            at = (reply, place)
            assert (done.status, done.shown) == (0, plain.shown), at
            if kind == "cut" and place == len(chunks) - 1:  # the stop reason has come: it is whole
                assert (done.requests, done.problems) == (plain.requests, []), at
                continue
            if kind == "reset" and not place:  # before the answer began: the SDK itself asks again
                assert not done.problems
            else:
                (problem,) = done.problems
                assert problem.startswith((*problems, "no reply at all" if not place else problems[0])), at
            again = [*plain.requests[: reply + 1], *plain.requests[reply:]]  # the same request, and all as without it
            assert [without_ids(request) for request in done.requests] == [without_ids(each) for each in again], at


def without_ids(request):
    return re.sub(r'"(id|tool_use_id)": "toolu_\w+"', "", json.dumps(request))


def test_a_stream_that_breaks_inside_a_character_is_asked_for_again(child):
    """At each byte of an answer with letters of two, three and four bytes."""
    answer = '"F\u00fcr 300 Leute: \u697c\u68af \U0001f6b6 breit"'
    plain = child.run("Go", replies=answer)
    whole = b"".join(plain.chunks[0])
    first, last = whole.index("\u00fc".encode()), whole.index(b"breit")
    found = set()
    for place in range(first, last):
        broken = {0: lambda chunks, place=place: [b"".join(chunks)[:place]]}
        done = child.run("Go", replies=f"{answer}\n{answer}", broken=broken)
        assert (done.status, done.shown, len(done.requests)) == (0, plain.shown, 2), place
        found.update(done.problems)
    assert "it ended in the middle" in found
    assert any(problem.startswith("UnicodeDecodeError: ") for problem in found)


def test_characters_that_come_byte_by_byte_are_shown_whole(child):
    answer = '"F\u00fcr \u697c\u68af"'
    done = child.run("Go", replies=answer, broken={0: lambda chunks: [bytes([byte]) for byte in b"".join(chunks)]})
    assert done.out.startswith("> Go\nF\u00fcr \u697c\u68af\n  (first word") and not done.problems


def test_other_words_after_a_break_are_shown_from_their_beginning(child):
    first = '"The stair must be 3,000 mm wide, says section 5.3."'
    for second in ("For 300 people it is three metres.", "The stair must be"):
        done = child.run("Go", replies=f'{first}\n"{second}"', broken={0: lambda chunks: chunks[:-4]})
        assert f"\n(from the beginning, in other words)\n{second}\n  (first word" in done.out
        assert done.out.count("The stair must be 3,000 mm wide") == 1
    longer = first.replace('5.3."', '5.3, and so does 5.4."')
    done = child.run("Go", replies=f"{first}\n{longer}", broken={0: lambda chunks: chunks[:-4]})
    assert "other words" not in done.out and done.out.count("The stair must be") == 1 and "5.4.\n" in done.out


def test_it_does_not_ask_for_ever(child):
    broken = {number: lambda chunks: chunks[:5] for number in range(9)}
    done = child.run(STAIR, broken=broken)
    assert (done.status, len(done.requests), len(done.problems)) == (1, 5, 5)
    assert done.out.endswith("\nThe reply broke off 5 times. Try again later.\n")


NO_STREAMS = {
    "a page": ([b"<!DOCTYPE html><html><body>Sign in</body></html>"], "no reply at all"),
    "nothing": ([], "no reply at all"),
    "no JSON": ([b"event: message_start\ndata: {]\n\n"], "JSONDecodeError: "),
    "half a character": ([b"event: ping\ndata: \xc3"], "UnicodeDecodeError: "),
    "an error without a type": ([b"event: error\ndata: busy\n\n"], "busy"),
}


@pytest.mark.parametrize("kind", NO_STREAMS)
def test_a_200_that_is_no_stream_is_asked_for_again(child, kind):
    chunks, problem = NO_STREAMS[kind]
    done = child.run("Go", replies='"Hello."\n"Hello."', broken={0: lambda _: chunks})
    assert done.status == 0 and done.out.count("Hello.") == 1
    assert [each.startswith(problem) for each in done.problems] == [True]


def test_a_call_with_unreadable_arguments_is_asked_for_again_and_not_run(child):
    def spoiled(chunks):
        return [chunk.replace(b'"partial_json":"{', b'"partial_json":"]{') for chunk in chunks]

    done = child.run("Go", replies=f'{READ}\n{READ}\n"Fine."', broken={0: spoiled})
    assert done.out.count("-> 5.3 Width") == 1 and len(done.requests) == 3
    assert done.problems[0].startswith("ValueError: Unable to parse tool parameter JSON")


def test_a_call_that_was_cut_is_not_run_although_its_input_is_readable(child):
    """Cut between two arguments the input is valid JSON: nothing tells it from a whole one but the stop reason."""
    call = 'search_code(words="snow", part="2-loads")'

    def cut(chunks):
        ends = [n for n, chunk in enumerate(chunks) if b"part" in chunk and b"partial_json" in chunk]
        return chunks[: ends[-1] - 1]

    done = child.run("Go", replies=f'{call}\n{call}\n"Fine."', broken={0: cut})
    assert done.out.count("search_code(") == 1 and '"part": "2-loads"' in done.out
    done = child.run("Go", replies=f"{call} max_tokens")
    assert "search_code(" not in done.out and "Cut off after MAX_TOKENS." in done.out


def test_what_fails_before_the_stream_is_left_to_the_sdk_and_then_said(child):
    done = child.run("Go", replies='overloaded\n"Hello."')
    assert (done.status, done.statuses, done.problems) == (0, [529, 200], [])
    done = child.run("Go", replies="bad_key")
    assert (done.status, done.statuses, done.problems) == (1, [401], [])
    assert "invalid x-api-key" in done.out and "sk-ant-test" not in done.out + done.err


@pytest.mark.parametrize(
    "reply, said",
    [
        ("refusal", "(no text)\nClaude declined."),
        ("empty", "turn 1: end_turn\n(no text)\n"),
        ('"Begun." context_window', "The conversation no longer fits into the model."),
        ("unknown_stop_reason", "Stopped for an unknown reason: some_new_reason"),
    ],
)
def test_every_ending_has_its_sentence(child, reply, said):
    done = child.run("Go", replies=reply)
    assert done.status == 0 and said in done.out


def test_thinking_and_calls_show_in_one_line_that_is_wiped_and_on_a_terminal_only(child):
    plain = child.run("Go", replies=f'{READ} thinking_first\n"Fine."')
    assert "\r" not in plain.out and "thinking" not in plain.out
    done = child.run("Go", replies=f'{READ} thinking_first\n"Fine."', terminal=[])
    assert "\r  (thinking) " in done.out and '\r  read_section({"number": "5.' in done.out
    left = re.sub(r"[^\r\n]*\r", "", done.shown)  # what stands on the screen in the end: a line is wiped by blanks
    assert left == plain.shown + "> "


def test_ctrl_c_at_any_moment_leaves_a_history_that_can_be_sent(child):
    """Interrupted with each write to the terminal: the next prompt is taken, and each request passes all rules."""
    plain = child.run(STAIR, terminal=[])
    ends = set()
    for moment in range(2, plain.writes - 1):  # the first two write the prompt, the last asks for the next one
        done = child.run(STAIR, terminal=["And fire?"], interrupt=moment)
        assert done.status == 0 and set(done.statuses) == {200}, (moment, done.out)
        messages = done.requests[-1]["messages"]
        prompts = [each["content"] for each in messages if each["role"] == "user" and isinstance(each["content"], str)]
        assert prompts[-1] == "And fire?", moment
        ends.add(len(prompts))
        ends.update(end for end in (" (interrupted)", "may have partly run") if end in json.dumps(messages))
    assert ends == {1, 2, " (interrupted)", "may have partly run"}


# --- a real pipe, a real terminal -------------------------------------------------------------------------------------


def held(place):
    """After so many chunks nothing comes for a long time."""
    return lambda chunks: [*chunks[:place], Pause(60), *chunks[place:]]


@POSIX
def test_a_pipe_gets_the_words_while_the_stream_goes_on_and_ctrl_c_ends_it(recorder):
    server = recorder(Answers(Replies(read('"The stair must be three metres wide, says section 5.3."')), {0: held(5)}))
    command = [sys.executable, str(SCRIPT), "Go"]  # without -u: the script itself must flush
    child = subprocess.Popen(
        command, env=clean_env(**server.env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    watchdog = threading.Timer(SECONDS, child.kill)
    watchdog.start()
    came = b""
    while b"metres" not in came and (more := os.read(child.stdout.fileno(), 999)):
        came += more
    assert b"The stair must be three" in came and b"5.3" not in came
    child.send_signal(signal.SIGINT)
    out, err = child.communicate()
    watchdog.cancel()
    assert (child.returncode, out) == (1, b"\nInterrupted.\n") and b"Traceback" not in err


@POSIX
def test_how_long_it_took_until_the_first_word(recorder):
    def slow(chunks):
        first = next(n for n, chunk in enumerate(chunks) if b"text_delta" in chunk)
        return [Pause(0.3), *chunks[: first + 1], Pause(3), *chunks[first + 1 :]]

    server = recorder(Answers(Replies(read('"Three metres, says section 5.3 of the code."')), {0: slow}))
    done = run_script(SCRIPT, "Go", **server.env)
    first, last = map(float, re.search(r"\(first word after (.*) s, the last after (.*) s\)", done.out).groups())
    assert 0.3 <= first <= last - 1  # of the 3 s, the process may be busy with the first word for some time


@POSIX
def test_in_a_terminal_ctrl_c_in_mid_reply_keeps_what_was_read_and_the_next_prompt_goes_on(recorder):
    import pexpect

    replies = Replies(read('"The stair must be three metres wide, says section 5.3."\n"Unheard."\n"Fine."'))
    server = recorder(Answers(replies, {0: held(5), 1: held(0)}))
    env = clean_env(**server.env, TERM="xterm", LC_ALL="C.UTF-8")
    child = pexpect.spawn(sys.executable, [str(SCRIPT), "Go"], env=env, encoding="utf-8", timeout=SECONDS)
    child.expect_exact("The stair must be three metres")
    child.sendintr()
    child.expect_exact("Interrupted.")
    child.expect_exact("> ")
    child.sendline("Only the number")
    wait_until(lambda: len(replies.requests) == 2)
    child.sendintr()
    child.expect_exact("Interrupted.")
    child.expect_exact("> ")
    child.sendline("Is it wide?")
    child.expect_exact("Fine.")
    child.expect_exact("> ")
    child.sendline("")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0 and not replies.refused
    messages = [(each["role"], each["content"]) for each in replies.requests[-1]["messages"]]
    assert messages[0] == ("user", "Go") and messages[-1] == ("user", "Is it wide?") and len(messages) == 3
    assert messages[1][0] == "assistant"
    assert re.fullmatch(r"The stair must be three metres.* \(interrupted\)", messages[1][1])


def wait_until(condition):
    """Waits in small steps: a terminal says nothing of what the server has seen."""
    for _ in range(SECONDS * 50):
        if condition():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it never happened")
