"""`make docs`: the site on this machine, made anew whenever a page changes: `python -m course.site.serve [PORT]`."""

import os
import socket
import sys

from course import console, i18n
from course.site import ROOT

_ = i18n.translator("course")

HOST = "127.0.0.1"
PORT = 8000


def main() -> int:
    console.prepare()
    wanted = sys.argv[1] if len(sys.argv) > 1 else str(PORT)
    if not wanted.isascii() or not wanted.isdecimal() or not 0 < int(wanted) < 65536:
        return console.problem(_("A port is a number from 1 to 65535, not {port}.").format(port=wanted))
    port = int(wanted)
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        reason = error.strerror or error
        other = port + 1 if port < 65535 else PORT
        return console.problem(
            _(
                "Port {port} cannot be used ({reason}). Choose another: `make docs PORT={other}`, "
                "or without make `python -m course.site.serve {other}`."
            ).format(port=port, reason=reason, other=other)
        )
    from mkdocs.__main__ import cli

    os.environ.setdefault("SITE_URL", f"http://{HOST}:{port}/")
    cli(["serve", "--dev-addr", f"{HOST}:{port}", "--config-file", str(ROOT / "mkdocs.yml")], prog_name="mkdocs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
