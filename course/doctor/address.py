"""Is ANTHROPIC_BASE_URL an address that the SDK can use?"""

from collections.abc import Iterator
from urllib.parse import urlsplit

from .. import env, i18n
from . import Finding, settings

_ = i18n.translator("doctor")


def NAME() -> str:
    return _("address")


def check() -> Iterator[Finding]:
    with settings.as_a_lesson():
        url = settings.base_url()
        if env.offline() or env.access() is None:
            yield Finding("ok", _("the stand-in's"))
            return
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError:
        host, parts = None, urlsplit("")
    if parts.scheme not in ("http", "https") or not host:
        yield Finding(
            "fail",
            _("ANTHROPIC_BASE_URL is no address: it does not start with https:// and a host"),
            _("Set it to https:// and the endpoint's name, or remove it to talk to Claude."),
        )
        return
    path = parts.path.rstrip("/")
    shown = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{path}"
    for end in ("/v1/messages", "/v1"):
        if path.endswith(end):
            yield Finding(
                "fail",
                _("{url} ends with {end}; the SDK adds /v1/messages itself").format(url=shown, end=end),
                f"ANTHROPIC_BASE_URL={shown.removesuffix(end)}",
            )
            return
    if parts.scheme == "http" and not env.is_loopback(url):
        yield Finding(
            "warn",
            _("{url} sends your key without encryption").format(url=shown),
            _("Use https:// if the endpoint offers it."),
        )
        return
    yield Finding("ok", shown)
