"""The stand-in behind a real port: in a thread of this process (`start`), or as a server of its own (`serve`)."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import uvicorn

App = Callable[..., Awaitable[None]]


class Running:
    """A server in a daemon thread. `base_url` is where it answers."""

    def __init__(self, base_url: str, listener: socket.socket) -> None:
        self.base_url = base_url
        self.thread: threading.Thread | None = None
        self._listener = listener
        self._server: uvicorn.Server | None = None
        self._stopped = False

    def run(self, make_app: Callable[[], App]) -> None:
        """Serve until `stop` is called. This is what the thread does."""
        self._server = _server_that_ends(_config(make_app()))
        self._server.should_exit = self._stopped
        _run(self._server, self._listener)

    def stop(self) -> None:
        """Close all connections and end the thread. May be called twice."""
        self._stopped = True
        if self._server:
            self._server.should_exit = self._server.force_exit = True
        if self.thread:
            self.thread.join(timeout=10)


def listen(host: str = "127.0.0.1", port: int = 0) -> socket.socket:
    """A listening socket; port 0 takes a free one. Raises OSError if the address is taken or not of this machine."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named protocol and no Nagle: else asyncio leaves Nagle's algorithm on, and each small answer waits 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if hasattr(socket, "SO_EXCLUSIVEADDRUSE"):  # Windows, where SO_REUSEADDR would share the port with anyone
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError:
        listener.close()
        raise
    return listener


def base_url(listener: socket.socket) -> str:
    """ "http://127.0.0.1:4711" for a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def start(make_app: Callable[[], App] | None = None, host: str = "127.0.0.1", port: int = 0) -> Running:
    """Serve in a daemon thread what `make_app` makes (it is called there); without it, the stand-in.

    Returns at once: a request that comes before the server is up waits in the socket's queue.
    Raises OSError if the address cannot be had.
    """
    listener = listen(host, port)
    running = Running(base_url(listener), listener)
    running.thread = threading.Thread(target=running.run, args=(make_app or default_app,), name="stand-in", daemon=True)
    running.thread.start()
    return running


def default_app() -> App:
    """The stand-in as it is, observed by nobody; a request's headers may ask for replies and faults."""
    from course.standin import replies  # noqa: F401 -- now, not with the first request
    from course.standin.app import create_app
    from course.testing import headers

    return create_app(headers.answer)


def serve(listener: socket.socket, app: App | None = None, workers: int = 1) -> None:
    """Serve on what `listen` gave until interrupted (Ctrl-C or SIGTERM).

    More than one worker: each a process, and `app` must be None.
    """
    import uvicorn

    if workers == 1:
        _run(uvicorn.Server(_config(app or default_app())), listener)
        return
    if app is not None:
        raise ValueError("several workers can only serve the plain stand-in: an app cannot be shared by processes")
    from uvicorn.supervisors import Multiprocess

    config = _config("course.standin.server:default_app", factory=True, workers=workers, loop="auto")
    Multiprocess(config, [listener]).run()


def _config(app: App | str, **more: Any) -> "uvicorn.Config":
    import uvicorn

    try:
        from course.standin.shortcut import Protocol
    except ImportError:  # no httptools
        protocol: Any = "h11"
    else:
        protocol = Protocol
    # No header "server", no log but of mistakes: what a learner reads on stderr is about the lesson.
    return uvicorn.Config(
        app,
        http=protocol,
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=75,
        **more,
    )


def _server_that_ends(config: "uvicorn.Config") -> "uvicorn.Server":
    """A server that drops its clients when its `force_exit` is set.

    uvicorn's own leaves them, and from Python 3.12 on a closed asyncio server waits for each of them to go.
    """
    import uvicorn

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            if self.force_exit:
                for connection in list(self.server_state.connections):
                    connection.transport.abort()
            await super().shutdown(sockets)

    return Server(config)


def _run(server: "uvicorn.Server", listener: socket.socket) -> None:
    with asyncio.Runner(loop_factory=_fastest_loop()) as runner:
        runner.run(server.serve(sockets=[listener]))


def _fastest_loop() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        # Not new_event_loop: Windows' own loop closes the listener when a client resets its connection before it is
        # accepted, prints a traceback for a later reset, and leaves Nagle's algorithm on. (This one takes some 500
        # connections there.)
        return asyncio.SelectorEventLoop
    return uvloop.new_event_loop
