"""What a test holds: a Claude that says what it is told, behind an API as strict as the real one.

One server a process, with an address of its own for each test, so tests in several threads do not hear one another.
"""

import itertools
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import TracebackType
from typing import TYPE_CHECKING, Any

from .. import i18n
from ..standin.cache import Cache
from ..standin.core import Response, refuse
from ..standin.notation import Line, NotationError
from ..standin.rules import Refusal
from . import server
from .player import Replies, read

if TYPE_CHECKING:
    import anthropic

_ = i18n.translator("testing")

KEY = "test"
# Stays of the SDK's variables: it neither gives access nor says where to send requests.
_HARMLESS = {"ANTHROPIC_LOG"}
_STDLIB = os.path.dirname(os.__file__)


class Claude:
    """Claude in a test.

    url      where it answers; ANTHROPIC_BASE_URL holds it while the test runs
    replies  what was not asked for yet; what is left at the end fails the test (`replies.clear()` lets it pass)
    refused  what the API would have refused; what is left at the end fails the test (`refused.clear()`)
    requests the bodies of the requests for a message, oldest first
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._player = Replies([], quick=True)
        self._answer = Cache(self._player)

    def says(self, *replies: str) -> None:
        """Add replies as text, one a line (course/standin/notation.py).

        Raises:
            ValueError: one that cannot be read, with its place and what was expected.
        """
        __tracebackhide__ = True  # pytest: the traceback ends at the test's own line
        try:
            self._player.lines += read("\n".join(replies))
        except NotationError as slip:
            said = slip.say(i18n.language())
        else:
            return
        raise ValueError(said)

    @property
    def client(self) -> "anthropic.Anthropic":
        """An SDK client that talks to this Claude, whatever the environment says."""
        return _client().with_options(base_url=self.url)

    @property
    def async_client(self) -> "anthropic.AsyncAnthropic":
        """The same for async code; it may be used in any event loop."""
        return _async_client().with_options(base_url=self.url)

    @property
    def requests(self) -> list[dict[str, Any]]:
        return self._player.requests

    @property
    def replies(self) -> list[Line]:
        return self._player.lines

    @property
    def refused(self) -> list[str]:
        return self._player.refused

    @property
    def results(self) -> list[dict[str, Any]]:
        """The tool_result blocks in the last message of the newest request."""
        messages = self.requests[-1].get("messages") if self.requests else None
        content = messages[-1].get("content") if messages else None
        blocks = content if isinstance(content, list) else []
        return [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_result"]

    def problems(self) -> str:
        """What a test is failed for, a line each; "" when there is nothing."""
        return "\n".join(filter(None, [*self.refused, self._player.left()]))


@contextmanager
def running() -> Iterator[Claude]:
    """A Claude for one test; at the end the environment is what it was, and problems raise AssertionError."""
    with opened() as made:
        yield made
    if problems := made.problems():
        raise AssertionError(problems)


@contextmanager
def opened() -> Iterator[Claude]:
    """The same without a word about problems."""
    number, made = _server().add()
    try:
        yield made
    finally:
        _server().remove(number)


class _Server:
    """The server and the tests that run now: the path of a request names its test."""

    def __init__(self) -> None:
        self._base_url = server.start(self._answer)
        self._numbers = itertools.count(1)
        self._tests: dict[int, Claude] = {}
        self._before: dict[str, str] = {}
        self._lock = threading.Lock()

    def add(self) -> tuple[int, Claude]:
        with self._lock:
            number = next(self._numbers)
            if not self._tests:
                self._before = _variables()
            self._tests[number] = made = Claude(f"{self._base_url}/test-{number}")
            _set({"ANTHROPIC_BASE_URL": made.url, "ANTHROPIC_API_KEY": KEY, "NO_PROXY": "*", "no_proxy": "*"})
        return number, made

    def remove(self, number: int) -> None:
        with self._lock:
            del self._tests[number]
            if not self._tests:
                _set(self._before)

    def _answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        _, _, rest = path.partition("/test-")
        number, slash, rest = rest.partition("/")
        made = self._tests.get(int(number)) if number.isdecimal() and len(number) < 10 else None
        if made is None:
            words = "The test that this request belongs to is over, or its address is not the one that it was given."
            return refuse(Refusal("test_over", 400, "invalid_request_error", words), headers["request-id"])
        return made._answer(method, slash + rest, headers, body)


@cache
def _server() -> _Server:
    return _Server()


def _variables() -> dict[str, str]:
    """What the SDK reads of the environment: access, address, proxies."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.lower() == "no_proxy" or name.startswith("ANTHROPIC_") and name not in _HARMLESS
    }


def _set(variables: Mapping[str, str]) -> None:
    """Make these what `_variables` gives."""
    for name in _variables().keys() - variables.keys():
        del os.environ[name]
    os.environ.update(variables)


@cache
def _client() -> "anthropic.Anthropic":
    import anthropic

    return anthropic.Anthropic(api_key=KEY)


@cache
def _async_client() -> "anthropic.AsyncAnthropic":
    import anthropic
    import httpx2

    # Kept-alive connections belong to one event loop, and each test may have its own.
    limits = httpx2.Limits(max_keepalive_connections=0)
    return anthropic.AsyncAnthropic(api_key=KEY, http_client=anthropic.DefaultAsyncHttpxClient(limits=limits))


# --- what a failed test shows -----------------------------------------------------------------------------------------


def shorten(error: BaseException | None) -> None:
    """Let tracebacks that lead into the SDK end at the last line that is no library's: its forty lines and what it had
    on its mind say nothing about the agent."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        steps = list(_steps(error.__traceback__))
        own = [place for place, step in enumerate(steps) if not _is_library(step.tb_frame.f_code.co_filename)]
        if own and any(_module(step) == "anthropic" for step in steps[own[-1] + 1 :]):
            steps[own[-1]].tb_next = None
            error.__cause__, error.__suppress_context__ = None, True
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _steps(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _module(step: TracebackType) -> str:
    return str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0]


def _is_library(file: str) -> bool:
    return "site-packages" in file or "dist-packages" in file or file.startswith((_STDLIB, "<frozen"))
