"""What is between this machine and whoever answers: can the SDK make its client, through which proxy, trusting whom?"""

import os
import socket
import ssl
import sys
import urllib.request
from collections.abc import Iterator
from urllib.parse import urlsplit

from .. import env, i18n
from . import Finding, settings
from .shell import program, unset

_ = i18n.translator("doctor")

SECONDS = 5


def NAME() -> str:
    return _("network")


def check() -> Iterator[Finding]:
    if settings.access() is None:
        yield Finding("ok", _("not needed: the lessons stay on this machine"))
        return
    import anthropic

    with settings.as_a_lesson():
        url = urlsplit(settings.base_url()) if env.is_address(settings.base_url()) else urlsplit("")
        local = env.is_loopback(url.geturl())
        if local:
            env.bypass_proxies()
        # As the SDK does it, not by a logic of our own: it knows best what it reads.
        if found := env.in_the_way(anthropic.DefaultHttpxClient):
            yield _not_made(*found)
            return
        if local:
            yield Finding("ok", _("not needed: the lessons stay on this machine"))
        else:
            yield _proxy(url.scheme, url.hostname or "")
        if url.scheme == "https":
            yield Finding("ok", _("trusted certificates: {path}").format(path=certificates()))


def _not_made(name: str, error: str) -> Finding:
    """The SDK's client cannot be made because of this variable."""
    value = os.environ.get(name) or os.environ.get(name.lower(), "")
    if "socksio" in error:
        cure = f'`{program(sys.executable)} -m pip install "httpx2[socks]"`'
    elif value.startswith("socks://"):
        cure = _("Write {name}=socks5:// and the rest as it is.").format(name=name)
    else:
        cure = _("Correct {name}, or take it away: {unset}").format(name=name, unset=unset(name))
    return Finding(
        "fail", _("because of {name} the SDK cannot make its client: {error}").format(name=name, error=error), cure
    )


def _proxy(scheme: str, host: str) -> Finding:
    # The SDK's HTTP library reads the same: the environment, else the settings of Windows and macOS.
    proxies = urllib.request.getproxies()
    kind = scheme if scheme in proxies else "all"
    proxy = proxies.get(kind)
    if not proxy or "*" in proxies.get("no", "") or urllib.request.proxy_bypass(host):
        return Finding("ok", _("no proxy"))
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
        socket.create_connection((parts.hostname or "", port), timeout=SECONDS).close()
    except (OSError, ValueError) as error:
        return Finding(
            "fail",
            _("the proxy {proxy} does not answer: {error}").format(
                proxy=shown, error=settings.foreign(getattr(error, "strerror", None) or error)
            ),
            _("Correct {name}, or set NO_PROXY={host} to go without it.").format(
                name=f"{kind.upper()}_PROXY", host=host
            ),
        )
    return Finding("ok", _("through the proxy {proxy}").format(proxy=shown))


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
