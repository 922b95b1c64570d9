"""What happens inside the script, as a stream of events: lines, functions, prints, `messages` as it grows.

It knows nothing of HTTP. `build` joins these events with the exchanges into a trace. Pure Python, and at home in one
process, so that it records a run in a browser too:

    recorder = Recorder(path_of_the_script, events.append)
    with recorder:
        runpy.run_path(path_of_the_script, run_name="__main__")

An event is a dict with `t` (time.perf_counter) and `thread` (0 the main thread, others numbered as they appear) and

    {"kind": "line", "line": 57, "function": "agent_loop"}
    {"kind": "enter" | "leave", "function": ..., "call": the id of the tool_use block among the arguments, if any}
    {"kind": "raise", "line": ..., "function": ..., "text": "ValueError: ..."}
    {"kind": "messages", "from": 2, "messages": [...]}      from index 2 on, the list is now this
    {"kind": "print", "stream": "stdout" | "stderr", "text": ...}
    {"kind": "cut", "lines": MAX_LINES}                     later lines were executed, but not recorded
"""

import contextlib
import io
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, TracebackType
from typing import Any, TextIO

MAX_LINES = 20_000  # line events in one run; a loop over a big file would fill the disk
# How many messages at the end of the list are compared by what they hold; the ones before, by identity.
_WATCHED = 3
_MAX_DEPTH = 30

Event = dict[str, Any]


class Recorder:
    def __init__(self, script: str, write: Callable[[Event], None]) -> None:
        """Record what runs in the file `script` (the path as Python will have it) and hand each event to `write`."""
        self._script = script
        self._write = write
        self._lock = threading.Lock()
        self._own = threading.local()
        self._threads = 0
        self._lines = 0
        self._on = False
        self.failure: OSError | None = None  # what ended the recording before the script
        self._seen: list[tuple[int, str]] = []  # (id, JSON) of each message as last recorded
        self._streams: list[tuple[str, TextIO]] = []

    def __enter__(self) -> "Recorder":
        self._on = True
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._stop)
        self._number()
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if isinstance(stream, io.TextIOWrapper):
                self._streams.append((name, stream))
                setattr(sys, name, _Tee(stream, self._printed(name)))
        threading.settrace(self._called)
        sys.settrace(self._called)
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, tb: TracebackType | None) -> None:
        sys.settrace(None)
        threading.settrace(None)
        for name, stream in self._streams:
            if isinstance(now := getattr(sys, name), _Tee):  # else the script has put something else in its place
                with contextlib.suppress(OSError, ValueError):  # it may be closed
                    now.flush()
                setattr(sys, name, stream)
        self._on = False

    def _stop(self) -> None:
        """Tell no more. In a fork of the process: it would tell its own story into this one."""
        self._on = False
        sys.settrace(None)
        threading.settrace(None)

    def emit(self, **event: Any) -> None:
        if not self._on:  # not after the lock: a fork may have been made while another thread held it
            return
        with self._lock:
            try:
                self._write({**event, "t": time.perf_counter(), "thread": self._number()})
            except OSError as error:  # the disk is full, say: the script goes on, and what is recorded is kept
                self._on = False
                self.failure = error

    def _number(self) -> int:
        """The number of this thread. Kept in the thread itself: the system uses its own numbers again."""
        if not hasattr(self._own, "number"):
            self._own.number = self._threads
            self._threads += 1
        number: int = self._own.number
        return number

    def _printed(self, stream: str) -> Callable[[str], None]:
        return lambda text: self.emit(kind="print", stream=stream, text=text)

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        """sys.settrace's function: called for every function of every module, so it leaves early."""
        if frame.f_code.co_filename != self._script:
            return None
        if _is_function(frame.f_code):
            self.emit(kind="enter", function=frame.f_code.co_name, call=_tool_use_id(frame))
        return self._inside

    def _inside(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if event == "line":
            self._messages(frame)
            self._line(frame.f_lineno, _function(code))
        elif event == "return":
            self._messages(frame)
            if _is_function(code):
                self.emit(kind="leave", function=code.co_name)
        elif event == "exception" and not issubclass(arg[0], (StopIteration, StopAsyncIteration, GeneratorExit)):
            # One exception passes many frames; it is told once, where it first came into the script.
            if getattr(self._own, "raised", None) is not arg[1] and arg[1] is not None:
                self._own.raised = arg[1]
                said = _safely(str, arg[1])
                text = arg[0].__name__ if said is None else f"{arg[0].__name__}: {said}"
                self.emit(kind="raise", line=frame.f_lineno, function=_function(code), text=text)
        return self._inside

    def _line(self, line: int, function: str) -> None:
        if self._lines >= MAX_LINES:
            if self._lines == MAX_LINES:
                self._lines += 1
                self.emit(kind="cut", lines=MAX_LINES)
            return
        self._lines += 1
        self.emit(kind="line", line=line, function=function)

    def _messages(self, frame: FrameType) -> None:
        """Tell what has changed in the list called `messages`, as this frame sees it."""
        code = frame.f_code
        if "messages" not in code.co_varnames and "messages" not in code.co_names or self._number() != 0:
            return
        messages = frame.f_locals.get("messages", frame.f_globals.get("messages"))
        if not isinstance(messages, list) or not all(isinstance(item, dict) and "role" in item for item in messages):
            return
        same = 0
        watched = len(messages) - _WATCHED
        for index, (seen, item) in enumerate(zip(self._seen, messages, strict=False)):
            if seen[0] != id(item) or index >= watched and seen[1] != _text(item):
                break
            same += 1
        if same == len(messages) == len(self._seen):
            return
        new = [(id(item), _text(item)) for item in messages[same:]]
        self._seen[same:] = new
        told = [json.loads(text) for _id, text in new]
        self.emit(kind="messages", **{"from": same}, messages=[_message(item) for item in told])


class _Tee(io.TextIOWrapper):
    """stdout or stderr itself, which also tells what is written. A TextIOWrapper, as programs may `reconfigure` it."""

    def __init__(self, stream: io.TextIOWrapper, tell: Callable[[str], None]) -> None:
        super().__init__(
            stream.buffer, stream.encoding, stream.errors, newline=None, line_buffering=True, write_through=True
        )
        self._tell = tell
        self._original = stream

    def write(self, text: str) -> int:
        count = super().write(text)
        if text:
            self._tell(text)
        return count

    def __del__(self) -> None:
        # The buffer belongs to the original; without this it would be closed with the wrapper.
        try:
            self.detach()
        except ValueError:
            pass


def jsonable(value: Any, depth: int = 0) -> Any:
    """`value` as plain JSON values: the SDK's objects as the API wrote them, anything unknown as its repr."""
    if isinstance(value, float) and not math.isfinite(value):  # JSON has no such number
        return repr(value)
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if depth > _MAX_DEPTH:
        return "..."
    if isinstance(value, dict):
        return {str(key): jsonable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item, depth + 1) for item in value]
    to_dict = getattr(value, "to_dict", None)  # anthropic's models
    if callable(to_dict):
        return jsonable(to_dict(), depth + 1)
    return repr(value)[:1000]


def _text(value: Any) -> str:
    return _safely(lambda it: json.dumps(jsonable(it), ensure_ascii=False), value) or '"..."'


def _safely(look: Callable[[Any], Any], value: Any) -> Any:
    """What `look` finds in a value of the script's; None if the value raises something when it is looked at."""
    try:
        return look(value)
    except Exception:
        return None


def _message(item: Any) -> dict[str, Any]:
    return item if isinstance(item, dict) and "role" in item else {"role": "?", "content": item}


def _is_function(code: CodeType) -> bool:
    return not code.co_name.startswith("<")


def _function(code: CodeType) -> str:
    """The function that a line belongs to. A comprehension belongs to the one around it, as from Python 3.12 on."""
    return code.co_qualname.split(".<locals>")[0] if code.co_name.startswith("<") else code.co_qualname


def _tool_use_id(frame: FrameType) -> str | None:
    for value in _arguments(frame):
        if _safely(lambda it: it.type, value) == "tool_use":
            return str(value.id)
    return None


def _arguments(frame: FrameType) -> Iterator[Any]:
    code = frame.f_code
    local = frame.f_locals
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in local:
            yield local[name]
