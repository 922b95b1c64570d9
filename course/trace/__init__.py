"""Recording a run step by step, for the player on the pages and for `course replay`.

recorder   inside the script's process: lines, prints, `messages` as it grows
launch     the process itself: `python -m course.trace.launch EVENTS SCRIPT ...`
tape       outside: runs that process, keeps the exchanges, writes the trace
build      events and exchanges -> the trace, a pure function
files      writing a trace, reading one that may be anybody's
story      a trace as text

The layout of a trace is in schema.json (JSON Schema) with a description of every member.
"""

FORMAT = "agent-loop-trace"
VERSION = 1
