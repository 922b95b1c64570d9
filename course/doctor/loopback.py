"""Can a program open a port on this machine and another connect to it? The stand-in needs that."""

import socket
from collections.abc import Iterator

from .. import i18n
from . import Finding

_ = i18n.translator("doctor")

SECONDS = 5


def NAME() -> str:
    return _("port on loopback")


def check() -> Iterator[Finding]:
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(SECONDS)
            port = server.getsockname()[1]
            with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as client:
                connection, _address = server.accept()
                with connection:
                    client.sendall(b"ping")
                    connection.settimeout(SECONDS)
                    arrived = connection.recv(4)
    except OSError as error:
        yield Finding(
            "fail",
            _("127.0.0.1 cannot be used: {error}").format(error=error.strerror or error),
            _("Allow Python to use 127.0.0.1 in your firewall, security program or container, then try again."),
        )
        return
    if arrived != b"ping":
        yield Finding(
            "fail",
            _("127.0.0.1:{port} answers, but not with what was sent").format(port=port),
            _("Allow Python to use 127.0.0.1 in your firewall, security program or container, then try again."),
        )
    else:
        yield Finding("ok", f"127.0.0.1:{port}")
