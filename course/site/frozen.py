"""`python frozen.py SCRIPT [ARGUMENT ...]`: run a script with a clock that starts at a fixed time."""

import os
import runpy
import sys

import time_machine

if __name__ == "__main__":
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.realpath(sys.argv[0]))
    with time_machine.travel("2026-11-30 09:00", tick=True):
        runpy.run_path(sys.argv[0], run_name="__main__")
