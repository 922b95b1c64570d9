"""Send many broken requests to the real server and look for an answer that the API would not give.

    python benchmarks/property_run.py [--count 100000] [--seed N]

Each request is valid but for one thing changed somewhere (tests/standin/strategies.py). Every answer must be a message
or a 4xx in the API's envelope; the first that is not is printed. At the end: how many of each, and which rules.
"""

import argparse
import collections
import http.client
import json
import sys
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "standin")]

from strategies import broken, valid_requests  # noqa: E402

from course.standin.app import create_app  # noqa: E402
from course.standin.core import handle  # noqa: E402
from course.standin.server import start  # noqa: E402

EACH = 50  # requests made from one valid request
HEADERS = {"authorization": "Bearer sk-ant-test", "anthropic-version": "2026-10-21", "content-type": "application/json"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    args = parser.parse_args()
    statuses: collections.Counter[int] = collections.Counter()
    rules: collections.Counter[str] = collections.Counter()
    server = start(lambda: create_app(handle, lambda exchange: rules.update([exchange.rule or "none"])))
    connection = http.client.HTTPConnection(server.base_url.removeprefix("http://"), timeout=30)

    @seed(args.seed)
    @settings(
        max_examples=-(-args.count // EACH),
        deadline=None,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(valid_requests(), st.randoms(use_true_random=False))
    def run(body, random) -> None:
        for _ in range(EACH):
            ask(broken(body, random))

    def ask(body) -> None:
        connection.request("POST", "/v1/messages", json.dumps(body), HEADERS)
        response = connection.getresponse()
        answer = response.read()
        statuses[response.status] += 1
        if response.status == 200:
            if not answer.startswith(b"event: message_start"):
                assert json.loads(answer)["type"] == "message", (body, answer)
        else:
            assert 400 <= response.status < 500, (response.status, body, answer)
            error = json.loads(answer)
            assert error["type"] == "error" and error["error"]["type"] and error["error"]["message"], (body, answer)
        done = sum(statuses.values())
        if done % 10_000 == 0:
            print(f"{done} requests, {dict(statuses)}", flush=True)

    began = time.perf_counter()
    try:
        run()
    finally:
        connection.close()
        server.stop()
        seconds = time.perf_counter() - began
        print(f"seed {args.seed}: {sum(statuses.values())} requests in {seconds:.0f} s, statuses {dict(statuses)}")
        for rule, count in rules.most_common():
            print(f"{count:8} {rule}")


if __name__ == "__main__":
    main()
