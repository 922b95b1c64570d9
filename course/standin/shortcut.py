"""uvicorn's HTTP protocol, deaf to `Upgrade:`, with a short cut for the usual request.

The short cut halves what the server itself costs. It is for the stand-in as it is (`answer` is the core, so nothing
pauses and nothing is awaited), and for requests that arrive whole and alone and ask for no replies or faults. When
anything else comes on a connection, that and all that follows goes uvicorn's own way, through the ASGI application. The
answers are the same.
"""

import time
from http import HTTPStatus

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from course.standin import ids
from course.standin.app import App
from course.standin.core import handle
from course.testing import headers

STATUS_LINES = {status.value: f"HTTP/1.1 {status.value} {status.phrase}\r\n" for status in HTTPStatus}


class Protocol(HttpToolsProtocol):
    """One connection."""

    def connection_made(self, transport) -> None:  # type: ignore[no-untyped-def]
        super().connection_made(transport)
        # Nothing waits for the next write: uvloop would send the events of a stream in one piece.
        transport.set_write_buffer_limits(high=0)
        self.whole: Whole | None = None
        if isinstance(self.app, App) and self.app.answer in (handle, headers.answer):
            self.whole = Whole()

    def data_received(self, data: bytes) -> None:
        if self.whole:
            if not self.flow.write_paused and self.whole.read(data) and not headers.asked(self.whole.headers):
                self.respond(self.whole)
                return
            self.whole = None
        self._unset_keepalive_if_required()
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserError:
            self.send_400_response("Invalid HTTP request received.")
        except httptools.HttpParserUpgrade as end:
            self.ignore_upgrade(data[end.args[0] :])

    def ignore_upgrade(self, rest: bytes) -> None:
        """Read a request that offers another protocol as if it did not. `rest` is what came behind its head.

        HTTP allows it (RFC 9110, 7.8). The parser takes a body behind such a head for the other protocol, so it gets
        the head once more, without the offer. curl --http2, Java's own client and WebSockets send such requests.
        """
        method = self.parser.get_method()
        if method == b"CONNECT":  # asks for a proxy
            return self.send_400_response("This is no proxy.")
        lines = [b"%b %b HTTP/%b" % (method, self.url, self.parser.get_http_version().encode())]
        lines += [b"%b: %b" % header for header in self.headers if header[0] != b"upgrade"]
        self.data_received(b"\r\n".join([*lines, b"", rest]))

    def on_headers_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_headers_complete()

    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def respond(self, request: "Whole") -> None:
        """Answer a whole request."""
        started = time.perf_counter()
        app: App = self.app
        request.headers["request-id"] = ids.request_id()
        response = handle(request.method, request.path, request.headers, request.body)
        if app.observe:
            asked = (request.method, request.path, request.headers, request.body)
            app.report(*asked, response, response.status, list(response.chunks), started, 0.0)  # type: ignore[arg-type]
        streams = response.headers["content-type"].startswith("text/event-stream")
        if streams:
            pieces = [b"%x\r\n%b\r\n" % (len(event), event) for event in response.chunks]  # type: ignore
            pieces[-1] += b"0\r\n\r\n"
            framing = "transfer-encoding: chunked"
        else:
            pieces = [b"".join(response.chunks)]  # type: ignore[arg-type]
            framing = f"content-length: {len(pieces[0])}"
        own = "".join(map("%s: %s\r\n".__mod__, response.headers.items()))
        head = f"{STATUS_LINES[response.status]}{own}{framing}\r\n".encode("latin-1")
        dated = b"".join([b"%b: %b\r\n" % header for header in self.server_state.default_headers])
        self.server_state.total_requests += 1
        self.transport.write(b"%b%b\r\n%b" % (head, dated, pieces[0]))
        for piece in pieces[1:]:  # each event by itself, as it comes over a network
            if self.transport.is_closing():
                return
            self.transport.write(piece)


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
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
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
