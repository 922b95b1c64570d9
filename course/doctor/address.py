"""Is ANTHROPIC_BASE_URL an address that the SDK can use?"""

from collections.abc import Iterator

from .. import env, i18n
from . import Finding, settings

_ = i18n.translator("doctor")


def NAME() -> str:
    return _("address")


def check() -> Iterator[Finding]:
    url = settings.base_url() if settings.access() else ""
    shown = env.shown(url)
    if not settings.access():
        yield Finding("ok", _("the stand-in's"))
    elif not env.is_address(url):
        yield Finding(
            "fail",
            _("ANTHROPIC_BASE_URL is no address: it does not start with https:// and a host"),
            _with_scheme(url) or _("Set it to https:// and the endpoint's name, or remove it to talk to Claude."),
        )
    elif end := env.surplus(url):
        yield Finding(
            "fail",
            _("{url} ends with {end}; the SDK adds /v1/messages itself").format(url=shown, end=end),
            f"ANTHROPIC_BASE_URL={shown.rstrip('/').removesuffix(end)}",
        )
    elif url.startswith("http:") and not env.is_loopback(url):
        yield Finding(
            "warn",
            _("{url} sends your key without encryption").format(url=shown),
            _("Use https:// if the endpoint offers it."),
        )
    else:
        yield Finding("ok", shown.rstrip("/"))


def _with_scheme(url: str) -> str:
    """The setting for an address that lacks nothing but http:// or https://; "" for any other."""
    plain = f"http://{url}"
    if "//" in url or not env.is_address(plain):
        return ""
    return "ANTHROPIC_BASE_URL=" + env.shown(plain if env.is_loopback(plain) else f"https://{url}")
