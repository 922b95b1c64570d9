"""Runs scripts one after another in one process, for tests that run hundreds: the SDK's import alone takes a second.

Reads a JSON object a line: {"script", "arguments", "env"}; answers with one: {"status", "out", "err"}. Each script runs
as __main__, in a fresh namespace.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback


def run(script, arguments, env):
    os.environ.update(env)
    sys.argv = [script, *arguments]
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as exit_:
            status = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
            if isinstance(exit_.code, str):
                print(exit_.code, file=err)
        except BaseException:
            traceback.print_exc(file=err)
            status = 1
    return {"status": status, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(run(**json.loads(line))), flush=True)
