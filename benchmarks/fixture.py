"""What the pytest fixture `claude` costs: a session and a test, beyond what the SDK and pytest cost without it.

    python benchmarks/fixture.py [--rounds 9] [--tests 200]

A session: pytest with one test that asks Claude once by the fixture, against one that asks a server already running by
a client of its own. A test: pytest with many tests that use the fixture, against as many that use nothing. Runs
alternate, and each is measured in its own process from the end of `import anthropic` on, which takes twenty times as
long as what is to be seen. The table shows the least wall time and the least processor time, as other work on the
machine only adds.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from load import free_port, machine, wait_for
from mocks import ROOT, environment, stand_in

ASK = 'messages.create(model="claude-sonnet-5-5", max_tokens=100, messages=[{"role": "user", "content": "Hi"}])\n'
PLAIN = f"def test_one():\n    anthropic.Anthropic(base_url=URL, api_key='k').{ASK}"
FIXTURE = f"def test_one(claude):\n    claude.says(\"'Hello.'\")\n    claude.client.{ASK}"
MANY = "@pytest.mark.parametrize('number', range({tests}))\ndef test_many(number{argument}):\n    {line}\n"


# Both clocks are read when the SDK is there and when pytest has ended.
CLOCKS = """import atexit, time, anthropic, pytest
def now(): return time.perf_counter(), time.process_time()
started = now()
atexit.register(lambda: open("took", "w").write(" ".join(str(b - a) for a, b in zip(started, now()))))
"""


def run(folder: Path, text: str) -> tuple[float, float]:
    """Seconds of wall time and of processor time of one run of pytest on this test file."""
    (folder / "test_it.py").write_text(CLOCKS + text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    wall, used = map(float, (folder / "took").read_text(encoding="utf-8").split())
    return wall, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--tests", type=int, default=200)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, port = Path(name), free_port()
        server = subprocess.Popen(stand_in(folder, port), cwd=ROOT, env=environment())
        try:
            wait_for(port)
            files = {
                "one, without": f"URL = 'http://127.0.0.1:{port}'\n" + PLAIN,
                "one, with": FIXTURE,
                "many, without": MANY.format(tests=args.tests, argument="", line="pass"),
                "many, with": FIXTURE + MANY.format(tests=args.tests, argument=", claude", line="claude.client"),
            }
            times: dict[str, list[tuple[float, float]]] = {name: [] for name in files}
            for number in range(args.rounds + 1):
                for title, text in files.items():
                    took = run(folder, text)
                    if number:  # the first round warms up
                        times[title].append(took)
        finally:
            server.terminate()
            server.wait(timeout=20)
    least = {title: [1000 * min(column) for column in zip(*each, strict=True)] for title, each in times.items()}
    print(f"{machine()}; {args.rounds} rounds, {args.tests} tests; ms, wall and processor\n")
    for title, (wall, used) in least.items():
        print(f"  {title:14} {wall:8.0f} {used:8.0f}")
    session = [a - b for a, b in zip(least["one, with"], least["one, without"], strict=True)]
    more = [a - b for a, b in zip(least["many, with"], least["many, without"], strict=True)]
    each = [(a - b) / args.tests for a, b in zip(more, session, strict=True)]
    print(f"\n  a session      {session[0]:8.0f} {session[1]:8.0f}    (budget 60)")
    print(f"  a test         {each[0]:8.2f} {each[1]:8.2f}    (budget 5)")


if __name__ == "__main__":
    main()
