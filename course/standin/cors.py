"""Cross-origin requests: a browser may ask from a page of another origin if it says that it knows what it does.

The API lets browsers in that send `anthropic-dangerous-direct-browser-access: true`; the SDK for TypeScript sends it
with `dangerouslyAllowBrowser`. The answers' headers: https://fetch.spec.whatwg.org/#http-cors-protocol
"""

from collections.abc import Mapping

OPT_IN = "anthropic-dangerous-direct-browser-access"
REQUESTED = "access-control-request-headers"


def is_preflight(method: str, headers: Mapping[str, str]) -> bool:
    """Whether a browser asks if it may send a request with the opt-in."""
    return method == "OPTIONS" and OPT_IN in headers.get(REQUESTED, "").lower()


def permission(headers: Mapping[str, str]) -> dict[str, str]:
    """The answer's headers to a preflight."""
    return {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": headers[REQUESTED],
        "access-control-max-age": "600",
    }


def open_to(headers: Mapping[str, str], answer: dict[str, str]) -> None:
    """Let a page of any origin read an answer with these headers, if the request has the opt-in."""
    if headers.get(OPT_IN) == "true":
        answer["access-control-allow-origin"] = answer["access-control-expose-headers"] = "*"
