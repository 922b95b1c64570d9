"""Run a script with a server of ours between it and whoever answers: the stand-in, spoiled or not, or the real API.

The script stays unchanged: a child process whose ANTHROPIC_BASE_URL points here. `course run` with --fault, --wire,
--trace, --replies or --save-replies.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from . import console, env, i18n, mask
from .proxy import Proxy, host
from .standin import server
from .standin.app import Exchange, create_app
from .standin.cache import Cache
from .standin.core import Answer, handle
from .standin.faults import ERRORS, Faults
from .standin.notation import Line
from .standin.pace import on_a_terminal
from .standin.rules import Refusal, hint
from .testing.player import Replies
from .testing.recorder import Recorder
from .trace.tape import STAND_IN, Tape
from .wire import Wire

_ = i18n.translator("wire")

API = "https://api.anthropic.com"
INTERRUPTED = 130  # exit status of a script that Ctrl-C ended: then no fault that is missing says anything

Runner = Callable[[list[str], dict[str, str]], int]


def run(
    script: Path,
    arguments: Sequence[str],
    run_child: Runner,
    *,
    faults: Sequence[str] = (),
    wire: str | None = None,
    trace: Path | None = None,
    replies: list[Line] | None = None,
    save_replies: Path | None = None,
    offline: bool = False,
    real: bool = False,
) -> int:
    """Run the script and return its exit status.

    Args:
        run_child: runs a command in an environment and returns its exit status.
        faults: specs for Faults; they mean the stand-in, also where there is a key.
        wire: "text" or "json" prints the wire on stderr.
        trace: the file to record the run in.
        replies: what the stand-in says, also where there is a key.
        save_replies: the file to write the replies to.
        offline: the stand-in, also where there is a key.
        real: the API, also where COURSE_OFFLINE asks for the stand-in.

    Raises:
        ValueError: a fault's spec that cannot be read, with one sentence for the reader.
        OSError: a file cannot be written.
    """
    played = Replies(replies) if replies is not None else None
    spoiler = Faults(faults, played or handle)
    with _environment(script, offline or bool(faults) or played is not None, real) as (environment, upstream):
        answer: Answer = on_a_terminal(Cache(spoiler)) if upstream is None else Proxy(upstream)
        shown = Wire(sys.stderr, raw=wire == "json", paid=upstream is not None) if wire else None
        observers: list[Callable[[Exchange], None]] = [_hint] if upstream is None else []
        if shown:
            observers.append(shown)
        if save_replies:
            observers.append(Recorder(save_replies))
        tape = Tape(script, arguments, host(upstream) if upstream else STAND_IN) if trace else None
        if tape:
            observers.append(tape.observe)
        running = server.start(lambda: create_app(answer, lambda exchange: _tell(observers, exchange)))
        environment["ANTHROPIC_BASE_URL"] = running.base_url
        try:
            if tape and trace:
                status = tape.record(trace, run_child, environment)
            else:
                status = run_child([sys.executable, str(script), *arguments], environment)
        finally:
            running.stop()
    if shown:
        shown.finish()
    for name in spoiler.unmet() if status != INTERRUPTED else ():
        console.say(_("The fault {name} never came: no reply had what it needs.").format(name=name))
    if played and (left := played.left()):
        console.say(left)
    return status


@contextmanager
def _environment(script: Path, offline: bool, real: bool) -> Iterator[tuple[dict[str, str], str | None]]:
    """What load_env would make of the environment for this script, and the API's base URL (None: the stand-in).

    While it holds, this process has the same environment, so that the proxy finds the reader's proxies.
    """
    before = dict(os.environ)
    try:
        env.read(script.resolve().parent)
        upstream = None
        if offline or (env.offline() and not real) or not env.access():
            env.forget_access()
            console.say(_("The course's stand-in answers, not Claude. It costs nothing."))
        else:
            if reason := env.trouble():
                raise SystemExit(console.problem(reason))
            upstream = os.environ.get("ANTHROPIC_BASE_URL") or API
            console.say(_("Passing everything on to {host}. Each request may cost money.").format(host=host(upstream)))
        environment = dict(os.environ)
        environment["COURSE_WATCHED"] = "1"
        env.stay_on_this_machine(environment)  # where we are
        if upstream is None or env.access() == "ANTHROPIC_BASE_URL":
            environment["ANTHROPIC_API_KEY"] = env.DUMMY_KEY
        yield environment, upstream
    finally:
        os.environ.clear()
        os.environ.update(before)


def _tell(observers: list[Callable[[Exchange], None]], exchange: Exchange) -> None:
    """Tell every observer. What goes wrong in one must not break the run that it watches."""
    for observer in observers:
        try:
            observer(exchange)
        except Exception as error:
            console.say(f"{type(error).__name__}: {mask.masked(str(error))}")


def _hint(exchange: Exchange) -> None:
    # An error that was asked for needs no explanation.
    if exchange.rule and exchange.rule not in ERRORS.values():
        if line := hint(Refusal(exchange.rule, 0, "", ""), i18n.language()):
            console.say(line)
