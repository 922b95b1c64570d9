"""uvicorn's HTTP protocol with a short cut for the usual request, which halves what the server itself costs.

The short cut is for the stand-in as it is (`answer` is the core, so nothing pauses and nothing is awaited), and for
requests that arrive whole and alone. When anything else comes on a connection, that and all that follows goes uvicorn's
own way, through the ASGI application. The answers are the same.
"""

import time
from http import HTTPStatus

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from course.standin.app import App
from course.standin.core import handle

STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n" for status in HTTPStatus}


class Protocol(HttpToolsProtocol):
    """One connection."""

    def connection_made(self, transport) -> None:  # type: ignore[no-untyped-def]
        super().connection_made(transport)
        self.whole: Whole | None = None
        if isinstance(self.app, App) and self.app.answer is handle:
            self.whole = Whole()

    def data_received(self, data: bytes) -> None:
        if self.whole:
            if not self.flow.write_paused and self.whole.read(data):
                self.respond(self.whole)
                return
            self.whole = None
        super().data_received(data)

    def respond(self, request: "Whole") -> None:
        """Answer a whole request."""
        started = time.perf_counter()
        app: App = self.app
        response = handle(request.method, request.path, request.headers, request.body)
        if app.observe:
            asked = (request.method, request.path, request.headers, request.body)
            app.report(*asked, response, response.status, list(response.chunks), started, 0.0)  # type: ignore[arg-type]
        data = b"".join(response.chunks)  # type: ignore[arg-type]
        if response.headers["content-type"].startswith("text/event-stream"):
            framing = "transfer-encoding: chunked"
            data = b"%x\r\n%b\r\n0\r\n\r\n" % (len(data), data)
        else:
            framing = f"content-length: {len(data)}"
        own = "".join(map("%s: %s\r\n".__mod__, response.headers.items()))
        head = f"{STATUS_LINES[response.status]}{own}{framing}\r\n".encode("latin-1")
        dated = b"".join([b"%b: %b\r\n" % header for header in self.server_state.default_headers])
        self.server_state.total_requests += 1
        self.transport.write(b"%b%b\r\n%b" % (head, dated, data))


class Whole:
    """Reads requests that come whole: a POST with nothing behind it, and nothing special asked of the connection."""

    def __init__(self) -> None:
        self.parser = httptools.HttpRequestParser(self)

    def read(self, data: bytes) -> bool:
        """Whether these bytes are one whole request; then `method`, `path`, `headers` and `body` hold it."""
        self.begun = 0
        self.complete = False
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            return False
        return (
            self.begun == 1
            and self.complete
            and self.method == "POST"
            and self.path.startswith("/")
            and self.stays_open
        )

    def on_message_begin(self) -> None:
        self.begun += 1
        self.path = ""
        self.headers: dict[str, str] = {}
        self.body = b""

    def on_url(self, url: bytes) -> None:
        self.path += url.decode("latin-1")

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        # Asked now, because the parser forgets it with the end of the message.
        self.stays_open = self.parser.should_keep_alive() and self.parser.get_http_version() == "1.1"

    def on_body(self, body: bytes) -> None:
        self.body += body

    def on_message_complete(self) -> None:
        self.method = self.parser.get_method().decode("latin-1")
        self.complete = True
