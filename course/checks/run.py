"""What one run of a program left behind: what it sent and what came back, what it printed, how it ended. Data alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..standin.talk import PLAYED, Block, blocks, blocks_of, joined, text_of
from ..wire import record

__all__ = ["blocks", "blocks_of", "joined", "text_of"]

# The SDK's tool runner asks for a thread, is told to send everything, and does; an exercise may let the API fail.
# Neither is a mistake of the reader's.
NO_MISTAKE = ("thread_unsupported_request", PLAYED)


@dataclass(frozen=True)
class Sent:
    """One request to /v1/messages and its answer. Times are seconds on one clock."""

    body: dict[str, Any]
    status: int
    reply: dict[str, Any]  # the message; {} if the request was refused
    problem: str  # the API's words if it was refused, else ""
    rule: str | None  # the rule that refused it
    started: float
    ended: float

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages as the API reads them."""
        return joined(self.body.get("messages"))

    @property
    def calls(self) -> list[Block]:
        """The tool_use blocks of the reply."""
        return [block for block in self.reply.get("content", []) if block["type"] == "tool_use"]

    @property
    def text(self) -> str:
        return "\n".join(block["text"] for block in self.reply.get("content", []) if block["type"] == "text")


@dataclass(frozen=True)
class Failure:
    """The exception that ended the program. `line` is the last line of the reader's file that took part, if any."""

    type: str
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Run:
    """`stopped` says why the program had to be stopped, if it had to; `line` is where it stood then. `died` names what
    ended it otherwise than Python does: a signal ("SIGSEGV"), os._exit. `restarts`: how many requests had been sent
    when it was started again, in an exercise that kills it. `overwrote`: files that held something and were emptied to
    be written anew. `reached` is the host that it tried to reach, other than the stand-in. `days` are the dates (ISO)
    of the run. `own_key`: it sent an API key, and got none from its environment.
    """

    file: str
    source: str
    sent: tuple[Sent, ...] = ()
    printed: str = ""
    failure: Failure | None = None
    stopped: Literal["", "time", "output", "requests"] = ""
    line: int | None = None
    reached: str = ""
    died: str = ""
    restarts: tuple[int, ...] = ()
    overwrote: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    own_key: bool = False

    @property
    def accepted(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.status == 200]

    @property
    def refused(self) -> list[Sent]:
        return [sent for sent in self.sent if sent.status != 200 and sent.rule not in NO_MISTAKE]

    @property
    def calls(self) -> list[Block]:
        """Every tool_use block that came, in order."""
        return [call for sent in self.sent for call in sent.calls]

    def result(self, call: Block) -> Block | None:
        """The first tool_result block that was sent for this call."""
        for sent in self.sent:
            for block in results(sent.body):
                if block.get("tool_use_id") == call["id"]:
                    return block
        return None

    def number(self, sent: Sent) -> int:
        """1 for the first request."""
        return self.sent.index(sent) + 1


def results(body: dict[str, Any]) -> Iterator[Block]:
    return blocks_of(body, "user", "tool_result")


def from_exchanges(exchanges: Iterable[Any]) -> tuple[Sent, ...]:
    """The requests to /v1/messages among exchanges (course.standin.app.Exchange), in order."""
    found = []
    for exchange in sorted(exchanges, key=lambda exchange: exchange.started):
        if exchange.path.partition("?")[0] == "/v1/messages":
            one = record.make(exchange)
            body = one["request"] if isinstance(one["request"], dict) else {}
            problem = one["error"]["message"] if one["error"] else ""
            times = exchange.started, exchange.ended
            found.append(Sent(body, exchange.status, one["reply"] or {}, problem, exchange.rule, *times))
    return tuple(found)
