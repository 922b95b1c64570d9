"""The built site, served on loopback, and a real Chromium: the one on the machine, or the one that CHROMIUM names."""

import functools
import gzip
import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

from course.site import LANGUAGES
from course.site.translations import names
from tests.site.built import built

HERE = Path(__file__).parent
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE = {"width": 1300, "height": 900}
ADDRESSES = [
    (code, ("" if code == LANGUAGES[0] else f"{code}/") + (name.removesuffix(".md") + "/").removeprefix("index/"))
    for code in LANGUAGES
    for name in names(LANGUAGES[0])
]


def pytest_collection_modifyitems(items):
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.extra)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files as web hosts do: text compressed, in persistent connections."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        file = Path(self.translate_path(self.path))
        if file.is_dir() and self.path.split("?")[0].endswith("/"):
            file /= "index.html"
        if not file.is_file():
            return super().do_GET()
        body = gzip.compress(file.read_bytes(), mtime=0)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(file))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory):
    """The site as it is now, built."""
    folder, _printed = built(tmp_path_factory)
    return folder


@pytest.fixture(scope="session")
def site(site_folder):
    """Its address, `http://127.0.0.1:<port>/`."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site_folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    assert path, "these tests need Chromium on the PATH, or in CHROMIUM"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def watch(page):
    """The list of what should not happen on the page; it grows as that happens."""
    faults = []
    page.on("console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(f"failed: {request.url}"))
    page.on("response", lambda answer: faults.append(f"{answer.status} {answer.url}") if answer.status >= 400 else None)
    return faults


@pytest.fixture
def page(browser):
    """A page of its own, wide, light. `page.course_faults` collects what should not happen."""
    context = browser.new_context(viewport=WIDE, color_scheme="light")
    page = context.new_page()
    page.course_faults = watch(page)
    yield page
    context.close()
