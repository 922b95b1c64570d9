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

import io
import json
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
        self._seen: list[tuple[int, str]] = []  # (id, JSON) of each message as last recorded
        self._streams: list[tuple[str, TextIO]] = []

    def __enter__(self) -> "Recorder":
        self._on = True
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
            getattr(sys, name).flush()
            setattr(sys, name, stream)
        self._on = False

    def emit(self, **event: Any) -> None:
        with self._lock:
            if self._on:
                self._write({**event, "t": time.perf_counter(), "thread": self._number()})

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
                text = f"{arg[0].__name__}: {arg[1]}"
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
        self.emit(kind="messages", **{"from": same}, messages=[json.loads(text) for _id, text in new])


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
    return json.dumps(jsonable(value), ensure_ascii=False)


def _is_function(code: CodeType) -> bool:
    return not code.co_name.startswith("<")


def _function(code: CodeType) -> str:
    """The function that a line belongs to. A comprehension belongs to the one around it, as from Python 3.12 on."""
    return code.co_qualname.split(".<locals>")[0] if code.co_name.startswith("<") else code.co_qualname


def _tool_use_id(frame: FrameType) -> str | None:
    for value in _arguments(frame):
        if getattr(value, "type", None) == "tool_use":
            return str(value.id)
    return None


def _arguments(frame: FrameType) -> Iterator[Any]:
    code = frame.f_code
    local = frame.f_locals
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        if name in local:
            yield local[name]
