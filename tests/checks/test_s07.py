"""s07/1 where cmd runs the commands: only the time shows there that a child lived on. Judged from a made-up run."""

import pytest

from course.checks.exercises import find
from course.checks.run import Run, Sent
from course.standin.talk import Talk

(EXERCISE,) = find("s07/1")
CHECK = EXERCISE.check
TOOLS = [{"name": "bash", "input_schema": {"type": "object"}}]
LATE = {"content": "Error: the time was up", "is_error": True}


def play(late_by):
    """A run of the exercise on Windows, in which the first command is answered after so many seconds."""
    messages = [{"role": "user", "content": "Run the build."}]
    sent, clock = [], 0.0
    while not sent or sent[-1].calls:
        body = {"system": "The shell is cmd on win32.", "tools": TOOLS, "messages": list(messages)}
        reply = CHECK.play(Talk(body))
        number = len(sent) + 1
        content = [
            block | ({"id": f"toolu_{number}"} if block["type"] == "tool_use" else {}) for block in reply.content
        ]
        sent.append(
            Sent(body, 200, {"content": content, "stop_reason": reply.stop_reason}, "", None, clock, clock + 0.01)
        )
        clock += late_by if number == 1 else 0.1
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}"}
        result |= LATE if number == 1 else {"content": "exit code 0\n0 \n0\n"}
        messages += [{"role": "assistant", "content": content}, {"role": "user", "content": [result]}]
    source = "from course import load_env\nload_env()\n"
    return Run("my/s07_1_time_is_up.py", source, tuple(sent), printed=sent[-1].text)


@pytest.mark.parametrize(("late_by", "expected"), [(0.6, "passed"), (3.1, "survivor")])
def test_time_tells_on_windows(late_by, expected):
    run = play(late_by)
    assert [call["input"]["command"] for call in run.calls] == [CHECK.BUILD_WINDOWS, CHECK.LOOK_WINDOWS]
    verdict = CHECK.judge(run)
    assert verdict.id == expected, verdict
