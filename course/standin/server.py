"""The stand-in behind a real port: in a thread of this process (`start`), or as a server of its own (`serve`)."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

App = Callable[..., Awaitable[None]]


@dataclass
class Running:
    """A server in a daemon thread."""

    base_url: str
    _stop: Callable[[], None]

    def stop(self) -> None:
        """Close all connections and end the thread. Safe to call twice."""
        self._stop()


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


def start(app: App | None = None, host: str = "127.0.0.1", port: int = 0) -> Running:
    """Serve in a daemon thread. Returns at once: a request made before the server is up waits in the socket's queue."""
    listener = listen(host, port)
    stop = threading.Event()
    server_ready: list = []

    def run() -> None:
        import uvicorn

        server = uvicorn.Server(_config(app or _default_app()))
        server_ready.append(server)
        if stop.is_set():
            listener.close()
            return
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(server.serve(sockets=[listener]))

    thread = threading.Thread(target=run, name="stand-in", daemon=True)
    thread.start()

    def halt() -> None:
        stop.set()
        for server in server_ready:
            server.should_exit = True
            server.force_exit = True
        thread.join(timeout=5)

    return Running(base_url(listener), halt)


def _default_app() -> App:
    from course.standin.app import create_app

    return create_app()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _config(app: App, **more):  # type: ignore[no-untyped-def]
    import uvicorn

    return uvicorn.Config(
        app, lifespan="off", log_config=None, access_log=False, server_header=False, timeout_keep_alive=60,
        backlog=2048, **more,
    )  # fmt: skip


def serve(app: App | None = None, host: str = "127.0.0.1", port: int = 8089, workers: int = 1) -> None:
    """Serve until interrupted. With more than one worker, each is a process of its own, and `app` must be None."""
    import uvicorn

    listener = listen(host, port)
    config = _config(app or _default_app())
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(uvicorn.Server(config).serve(sockets=[listener]))
