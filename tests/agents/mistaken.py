"""`python mistaken.py < VERSIONS`: the tests of lesson 13 against versions of s08, given as JSON, one after another.

Prints, as JSON, the names of the tests that fail for each; a version that cannot be imported fails as "import".
"""

import io
import json
import sys
import types
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

AGENTS = Path(__file__).parents[2] / "agents"


class Failures:
    def __init__(self):
        self.names = []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.names.append(report.nodeid.partition("::")[2])


def failures(source):
    module = types.ModuleType("s08_tool_design")
    module.__file__ = str(AGENTS / "s08_tool_design.py")
    sys.modules.pop("s13_testing", None)
    sys.modules["s08_tool_design"] = module
    try:
        exec(compile(source, module.__file__, "exec"), module.__dict__)
    except Exception:
        return ["import"]
    found = Failures()
    options = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:randomly", "--rootdir", str(AGENTS), "-c", "/dev/null"]
    options += ["--confcutdir", str(AGENTS)]  # else pytest looks at all that lies in the folders above
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
        status = pytest.main([*options, str(AGENTS / "s13_testing.py")], plugins=[found])
    return found.names or ([] if status == 0 else [f"status {status}"])


if __name__ == "__main__":
    versions = json.load(sys.stdin)
    print(json.dumps([failures(source) for source in versions]))
