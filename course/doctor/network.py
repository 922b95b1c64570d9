"""What is between this machine and the API: a proxy, and the certificates that are trusted."""

import importlib.util
import os
import socket
import ssl
import sys
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

from .. import i18n
from . import Finding, settings
from .shell import program

_ = i18n.translator("doctor")

SECONDS = 5


def NAME() -> str:
    return _("network")


def check() -> Iterator[Finding]:
    if settings.real_access() is None:
        yield Finding("ok", _("not needed: the lessons stay on this machine"))
        return
    with settings.as_a_lesson():
        url = urlsplit(settings.base_url())
        yield from _proxy(url.scheme, url.hostname or "")
        if url.scheme == "https":
            yield from _certificates()


def _proxy(scheme: str, host: str) -> Iterator[Finding]:
    # The SDK's HTTP library reads the same: the environment, else the settings of Windows and macOS.
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if not proxy or "*" in proxies.get("no", "") or urllib.request.proxy_bypass(host):
        yield Finding("ok", _("no proxy"))
        return
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    if parts.scheme.startswith("socks") and importlib.util.find_spec("socksio") is None:
        yield Finding(
            "fail",
            _("the proxy {proxy} speaks SOCKS, and the package for it is missing").format(proxy=shown),
            f'`{program(sys.executable)} -m pip install "httpx2[socks]"`',
        )
        return
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), timeout=SECONDS).close()
    except (OSError, ValueError) as error:
        yield Finding(
            "fail",
            _("the proxy {proxy} does not answer: {error}").format(
                proxy=shown, error=getattr(error, "strerror", None) or error
            ),
            _("Correct HTTPS_PROXY, or set NO_PROXY={host} to go without it.").format(host=host),
        )
    else:
        yield Finding("ok", _("through the proxy {proxy}").format(proxy=shown))


def certificates() -> str:
    """The file, folder or store of trusted certificates, as the SDK's HTTP library (httpx2) picks it."""
    named = os.environ.get("SSL_CERT_FILE") or os.environ.get("SSL_CERT_DIR")
    if named:
        return named
    if sys.platform in ("win32", "darwin"):
        return _("the system's own store")
    paths = ssl.get_default_verify_paths()
    found = [path for path in (paths.openssl_cafile, paths.openssl_capath) if os.path.exists(path)]
    return found[0] if found else "/etc/ssl/certs/ca-certificates.crt"


def _certificates() -> Iterator[Finding]:
    for name, exists in (("SSL_CERT_FILE", os.path.isfile), ("SSL_CERT_DIR", os.path.isdir)):
        path = os.environ.get(name)
        if path and not exists(path):
            yield Finding(
                "fail",
                _("{name} names {path}, which does not exist").format(name=name, path=path),
                _("Correct {name}, or remove it to trust what this system trusts.").format(name=name),
            )
            return
    yield Finding("ok", _("trusted certificates: {path}").format(path=certificates()))
