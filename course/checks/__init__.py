"""Checking an exercise: run the reader's program against the stand-in, then judge what it sent and printed.

Running (runner, child) and judging (everything else) are apart. A judge is a pure function from a Run to a Verdict; it
starts no process and opens no socket, so it works wherever a Run can be had, in a browser too.
"""
