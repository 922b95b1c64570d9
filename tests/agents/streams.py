"""Runs the script of s11 again and again in one process: `python streams.py SCRIPT`, a JSON object a line.

    {"arguments": [...], "terminal": [what is typed] or null, "interrupt": number or null}

`interrupt`: Ctrl-C comes with the write of this number to stdout. Between its tries the script does not wait.
Answers with {"status", "out", "err", "writes"}.
"""

import contextlib
import importlib.util
import io
import json
import sys
import traceback

spec = importlib.util.spec_from_file_location("s11", sys.argv[1])
s11 = importlib.util.module_from_spec(spec)
spec.loader.exec_module(s11)
s11.WAITS = (0,) * len(s11.WAITS)


class Screen(io.StringIO):
    """What was printed, on a terminal or not, and Ctrl-C in one of its writes."""

    def __init__(self, terminal, interrupt):
        super().__init__()
        self.terminal, self.interrupt, self.writes = terminal, interrupt, 0

    def isatty(self):
        return self.terminal

    def write(self, text):
        self.writes += 1
        if self.writes - 1 == self.interrupt:
            raise KeyboardInterrupt
        return super().write(text)


class Keyboard(io.StringIO):
    def isatty(self):
        return True


def run(arguments, terminal=None, interrupt=None):
    sys.argv = ["s11_streaming.py", *arguments]
    out, err, status = Screen(terminal is not None, interrupt), io.StringIO(), 0
    typed = io.StringIO() if terminal is None else Keyboard("".join(line + "\n" for line in terminal))
    stdin, sys.stdin = sys.stdin, typed
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            s11.main()
    except SystemExit as exit_:
        status = exit_.code
    except BaseException:
        err.write(traceback.format_exc())
        status = 1
    finally:
        sys.stdin = stdin
    return {"status": status, "out": out.getvalue(), "err": err.getvalue(), "writes": out.writes}


for line in sys.stdin:
    print(json.dumps(run(**json.loads(line))), flush=True)
