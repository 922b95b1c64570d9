"""Does whoever answers do what a lesson needs? Asked as a lesson asks.

An endpoint of the reader's own (ANTHROPIC_BASE_URL) plays a whole tool call. Claude itself gets the smallest request
there is, because it is paid for: it shows the key, the credit and the model all the same.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

from .. import env, i18n
from . import Finding, ask, child, network, settings

_ = i18n.translator("doctor")

SECONDS = 2 * ask.SECONDS + 15


def NAME() -> str:
    return _("a request as the lessons send it")


def check() -> Iterator[Finding]:
    source = settings.access()
    if source is None:
        yield Finding("ok", _("not needed: the lessons stay on this machine"))
        return
    with settings.as_a_lesson():
        if env.trouble():
            yield Finding("fail", _("not sent, because of what is said above"), _("Cure what is said above first."))
            return
    url = settings.endpoint()
    yield Finding("ok", _cost(url))
    run = child.run("-c", f"from course.doctor import ask; ask.main({bool(url)})", seconds=SECONDS)
    if run is None:
        yield Finding("fail", _("no answer within {seconds} s").format(seconds=SECONDS), _later())
        return
    try:
        found = json.loads(run.out)
    except ValueError:
        yield Finding("fail", _("the SDK stopped: {error}").format(error=run.last), _("Cure what is said above first."))
        return
    status = found["status"]
    yield from (_fault(name) for name in found["faults"])
    if not status:
        yield _no_answer([(kind, settings.foreign(text)) for kind, text in found["chain"]], url)
    elif status == 200 and found["message"]:
        if found["called"] or "stop" not in found["faults"]:
            yield _answered(url, found["called"])
    elif status == 407:
        yield _proxy_wants_password()
    elif status == 200 or not (isinstance(found["error"], dict) and "error" in found["error"]):
        yield _something_else(url, status, found["error"] if isinstance(found["error"], dict) else None)
    else:
        yield _refused(status, found["error"]["error"], source, url)


def _cost(url: str) -> str:
    """What comes now costs something: said before."""
    if url:
        return _(
            "now come two requests to {url}, with answers of at most {most} tokens each, and then a very short one"
        ).format(url=url, most=ask.MOST[True])
    return _("now comes the smallest request to Claude; it costs less than a tenth of a cent")


def _fault(name: str) -> Finding:
    """Something that the lessons notice; the page "Other models" says how."""
    found, cure = {
        "cut": (
            _("the answer was cut off after {most} tokens; perhaps the model thinks that long").format(
                most=ask.MOST[True]
            ),
            _("Try a lesson: it allows 8000."),
        ),
        "stop": (
            _("there are calls, but the reply does not end with stop_reason tool_use"),
            _("The lessons run no tool then. Try another model or another program."),
        ),
        "ids": (
            _("several calls have the same id, or none"),
            _("Lessons 5 and 7 give each its own; the others send back what came."),
        ),
        "input": (
            _("the arguments of a call are not an object"),
            _("Lessons 1 to 4 stop at that; later ones tell the model. Try another model or another program."),
        ),
    }[name]
    return Finding("fail" if name in ("stop", "input") else "warn", found, cure)


def _answered(url: str, called: bool) -> Finding:
    if not url:
        return Finding("ok", _("the API takes the key"))
    if called:
        return Finding("ok", _("{url} asked for a tool and took its result").format(url=url))
    return Finding(
        "warn",
        _("{url} answers, but asked for no tool").format(url=url),
        _("Name a model in MODEL_ID that can call tools."),
    )


def _something_else(url: str, status: int, answer: Any = None) -> Finding:
    """An answer that is not in this API's form; where it is JSON, its own words are shown."""
    if not url:
        return Finding(
            "fail",
            _("what answered is not the API ({status}), perhaps the sign-in page of the network").format(status=status),
            _("Open a web page in a browser and sign in, then try again."),
        )
    return Finding(
        "fail",
        _("what answers at {url} is not the Messages API ({status})").format(url=url, status=status)
        + (f": {settings.foreign(json.dumps(answer, ensure_ascii=False))[:300]}" if answer else ""),
        _("Correct ANTHROPIC_BASE_URL (host, port, path), or do what the answer says.")
        if answer
        else _("Correct ANTHROPIC_BASE_URL (host, port, path), or remove it."),
    )


def _refused(status: int, error: Any, source: str, url: str) -> Finding:
    """An error of the API's: {"type", "message"}, or what an endpoint makes of it."""
    message = settings.foreign(error.get("message", error) if isinstance(error, dict) else error)
    said = _("it was refused ({status}): {message}").format(status=status, message=message)
    if "model" in message.lower() and status in (400, 404):
        return Finding("fail", said, settings.other_model())
    if status == 401 and url and not os.environ.get("ANTHROPIC_CUSTOM_HEADERS"):
        return Finding(
            "fail",
            said,
            _(
                "Copy the key again to where {name} is set. If it is right, perhaps it must come as x-api-key: "
                "add the line ANTHROPIC_CUSTOM_HEADERS=x-api-key: KEY."
            ).format(name=source),
        )
    if status == 401:
        return Finding(
            "fail",
            said,
            _("Copy the key again, or make a new one, and put it where {name} is set.").format(name=source),
        )
    if status == 403:
        return Finding("fail", said, _("Ask whoever gave you the key which models it is for."))
    if status == 429 or status >= 500:
        return Finding("fail", said, _later())
    if url and status in (404, 405):
        return Finding("fail", said, _("Correct ANTHROPIC_BASE_URL (host, port, path), or remove it."))
    return Finding("fail", said, _("Do what the message says; until then `--offline` uses the stand-in."))


def _no_answer(chain: list[tuple[str, str]], url: str) -> Finding:
    """No status at all. chain: (type, text) of the exceptions, the outermost first."""
    kinds = [kind for kind, _text in chain]
    everything = " ".join(text for _kind, text in chain)
    local = env.is_loopback(url)
    if "SSLCertVerificationError" in kinds or "CERTIFICATE_VERIFY_FAILED" in everything:
        return _not_trusted(
            next((text for kind, text in chain if kind == "SSLCertVerificationError"), everything), local
        )
    if "407" in everything:
        return _proxy_wants_password()
    if "ProxyError" in kinds:
        return Finding(
            "fail",
            _("the proxy refused: {error}").format(error=chain[-1][1]),
            _("Correct the proxy's variable, or ask whoever runs the proxy to allow this address."),
        )
    if "gaierror" in kinds:
        return Finding(
            "fail",
            _("the name of the address is not known here"),
            _("Check the network (Wi-Fi, VPN), then how ANTHROPIC_BASE_URL is written."),
        )
    if local and "ConnectError" in kinds and "SSL" not in everything:
        return Finding(
            "fail",
            _("nothing answers at {url}").format(url=url),
            _("Start what should answer there, or remove ANTHROPIC_BASE_URL: then the stand-in answers."),
        )
    if {"AttributeError", "AssertionError", "JSONDecodeError", "APIResponseValidationError"} & set(kinds):
        return _something_else(url, 200)
    last = f"{chain[-1][0]}: {chain[-1][1]}" if chain else "?"
    return Finding(
        "fail",
        _("nothing answered: {error}").format(error=last),
        _("Check the network, the proxy and ANTHROPIC_BASE_URL."),
    )


def _not_trusted(reason: str, local: bool) -> Finding:
    with settings.as_a_lesson():
        trusted = network.certificates()
    if local:
        return Finding(
            "fail",
            _("the certificate is signed by nobody that {path} names ({reason})").format(path=trusted, reason=reason),
            _("Set SSL_CERT_FILE to the certificate that signed it, or write http:// if it speaks that."),
        )
    return Finding(
        "fail",
        _(
            "the certificate is signed by nobody that {path} names ({reason}): "
            "a proxy or a security program reads the connection"
        ).format(path=trusted, reason=reason),
        _("Ask for its certificate as a .pem file and set SSL_CERT_FILE to that file's path."),
    )


def _proxy_wants_password() -> Finding:
    return Finding(
        "fail",
        _("the proxy wants a name and a password (407)"),
        _("Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT."),
    )


def _later() -> str:
    return _("Wait a few minutes and try again; until then `--offline` uses the stand-in.")
