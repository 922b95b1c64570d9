"""The fixture's server: Python's own, for a few clients at a time.

The stand-in's (course/standin/server.py) takes longer to import than all else that a session of tests needs.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ..standin import ids
from ..standin.core import MAX_BODY, Pause, Response, refuse, too_large
from ..standin.rules import Refusal

Answer = Callable[[str, str, Mapping[str, str], bytes], Response]
NO_LENGTH = "The fixture's server reads no body in chunks: send content-length."


def start(answer: Answer) -> str:
    """Answer on a free port of the loopback, from now to the end of the process; returns the base URL."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.answer = answer
    threading.Thread(target=server.serve_forever, name="claude", daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


class _Server(ThreadingHTTPServer):
    answer: Answer
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that has left: it is no mistake of ours."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # a traceback


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each small answer waits 40 ms

    def exchange(self) -> None:
        """Read a request and answer it."""
        headers = {name.lower(): value for name, value in self.headers.items()}
        headers["request-id"] = ids.request_id()
        if "transfer-encoding" in headers:
            self.close_connection = True
            return self.send(
                refuse(Refusal("no_length", 411, "invalid_request_error", NO_LENGTH), headers["request-id"])
            )
        body = self.rfile.read(int(headers.get("content-length") or 0))
        if len(body) > MAX_BODY:
            return self.send(refuse(too_large(), headers["request-id"]))
        self.send(self.server.answer(self.command, self.path, headers, body))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = exchange

    def send(self, response: Response) -> None:
        """Send it, each event of a stream by itself, other chunks in one piece unless a pause keeps them apart."""
        streams = response.headers.get("content-type", "").startswith("text/event-stream")
        waiting, begun = b"", False
        chunks = response.chunks
        assert isinstance(chunks, Iterable)
        for chunk in chunks:
            if isinstance(chunk, bytes):
                waiting += chunk
            if waiting and (streams or not isinstance(chunk, bytes)):
                begun = begun or self.head(response, None)
                self.piece(waiting)
                waiting = b""
            if isinstance(chunk, Pause):
                time.sleep(chunk.seconds)
            elif not isinstance(chunk, bytes):  # Reset
                self.close_connection = True
                return
        if begun:
            if waiting:
                self.piece(waiting)
            self.piece(b"")  # an empty one is the end
        else:
            self.head(response, len(waiting))
            self.wfile.write(b"" if self.command == "HEAD" else waiting)

    def head(self, response: Response, length: int | None) -> bool:
        """Send the status line and the headers; `length` is None for a body that comes in pieces."""
        self.send_response_only(response.status)
        for name, value in response.headers.items():
            self.send_header(name, value)
        self.send_header("date", self.date_time_string())
        framing = ("transfer-encoding", "chunked") if length is None else ("content-length", str(length))
        self.send_header(*framing)
        self.end_headers()
        return True

    def piece(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
