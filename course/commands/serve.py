"""`course serve`: the stand-in on a port of its own, for any client in any language."""

import argparse
import errno
import ipaddress
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from .. import console, i18n
from . import _watching

_ = i18n.translator("course")

HOST = "127.0.0.1"
PORT = 8089


def HELP() -> str:
    return _("run the stand-in for Claude, for any client")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default=HOST, help=_("the address to listen on; by default this machine only"))
    parser.add_argument("--port", type=port, default=PORT, metavar="N", help=_("the port, 8089 by default; 0: any"))
    parser.add_argument("--port-file", type=Path, metavar="FILE", help=_("write the port into this file"))
    parser.add_argument("--workers", type=workers, default=1, metavar="N", help=_("how many processes answer"))
    parser.add_argument("--cache", action="store_true", help=_("keep a prompt cache, and tell of it in usage"))
    parser.add_argument("--pace", action="store_true", help=_("let the events of a stream come one after another"))
    _watching.add_fault(parser)
    _watching.add_wire(parser)
    _watching.add_replies(parser)


def run(args: argparse.Namespace) -> int:
    from ..standin import server

    watched = bool(args.fault or args.wire or args.replies is not None or args.cache or args.pace)
    if watched and args.workers > 1:
        return console.problem(
            _("--fault, --wire, --replies, --cache and --pace need one process that sees all; leave --workers out.")
        )
    try:
        listener = server.listen(args.host, args.port)
    except (OSError, UnicodeError) as error:
        return console.problem(_refused(args.host, args.port, error))
    host, port = listener.getsockname()[:2]
    if args.port_file:
        try:
            write_port(args.port_file, port)
        except OSError as error:
            reason = error.strerror or error
            return console.problem(_("{path} cannot be written: {reason}").format(path=args.port_file, reason=reason))
    announce(f"http://{_reachable(host)}:{port}", args.host)
    try:
        app = watched_app(args) if watched else None
        server.serve(listener, app, workers=args.workers)
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        if args.port_file:
            args.port_file.unlink(missing_ok=True)
    return 0


def write_port(path: Path, port: int) -> None:
    """Write the port into a file. It is there with its whole content or not at all: others wait for it."""
    # uvicorn raises the signal again when it has ended; without this nobody would take the file away.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    new = path.with_name(f"{path.name}.{os.getpid()}")
    new.write_text(f"{port}\n", encoding="ascii")
    new.replace(path)


def watched_app(args: argparse.Namespace) -> Any:
    """The stand-in, as the flags say: spoiled, with a memory, slowed down, shown."""
    from ..standin.app import create_app
    from ..standin.cache import Cache
    from ..standin.faults import Faults
    from ..standin.pace import Pace
    from ..testing import headers
    from ..testing.player import Replies
    from ..wire import Wire

    wire = Wire(sys.stderr, raw=args.wire == "json", several=True) if args.wire else None
    answer: Any = Replies(args.replies, again=True) if args.replies is not None else headers.answer
    if args.fault:
        answer = Faults(args.fault, answer)
    if args.cache:
        answer = Cache(answer)
    return create_app(Pace(answer) if args.pace else answer, wire)


def announce(url: str, host: str) -> None:
    """Say where the stand-in is and how to point a client at it."""
    print(_("The stand-in for Claude answers on {url} (Ctrl-C ends it). Point a client at it:").format(url=url))
    print()
    print(f"  bash, zsh    export ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY=stand-in")
    print(f'  PowerShell   $env:ANTHROPIC_BASE_URL="{url}"; $env:ANTHROPIC_API_KEY="stand-in"')
    print(f"  cmd          set ANTHROPIC_BASE_URL={url}&& set ANTHROPIC_API_KEY=stand-in")
    print(f'  Python       anthropic.Anthropic(base_url="{url}", api_key="stand-in")')
    print(flush=True)
    if not _is_loopback(host):
        warning = _("Warning: with --host {host} everyone in this network can reach it.").format(host=host)
        print(warning, file=sys.stderr, flush=True)


def port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError(_("a port is a number from 0 to 65535, not {text}").format(text=text))
    return number


def workers(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= number <= 64:
        raise argparse.ArgumentTypeError(_("the workers are a number from 1 to 64, not {text}").format(text=text))
    return number


def _reachable(host: str) -> str:
    """The host as a client writes it: for "all addresses" (0.0.0.0, ::) the one this machine has in its network."""
    if ipaddress.ip_address(host).is_unspecified:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            try:
                # Sends nothing: the system only picks the address it would send from. (Both are documentation's own.)
                probe.connect(("2001:db8::1" if ":" in host else "192.0.2.1", 9))
                host = probe.getsockname()[0]
            except OSError:
                host = "::1" if ":" in host else "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _refused(host: str, port: int, error: Exception) -> str:
    number = getattr(error, "errno", None)
    if number == errno.EADDRINUSE or getattr(error, "winerror", None) in (10013, 10048):
        return _("Port {port} on {host} is in use; name another (`course serve --port 0` takes a free one).").format(
            port=port, host=host
        )
    if number == errno.EACCES:
        return _("Port {port} needs more rights than you have; name one above 1023.").format(port=port)
    return _(
        "{host} is not an address of this machine; leave --host out, or use 0.0.0.0 for all its addresses."
    ).format(host=host)
