"""Does the API take the key? One request that costs nothing: the list of models, asked for as a lesson would ask."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from .. import i18n
from ..lessons import AGENTS
from . import Finding, network, settings

_ = i18n.translator("doctor")

SECONDS = 60

# Runs as a script beside the lessons. Prints the status, or the types and texts of the exceptions, outermost first.
ASK = """
import json
from course import load_env
load_env()
import anthropic
answer = {"status": 0, "chain": [], "models": 0}
try:
    page = anthropic.Anthropic(max_retries=0, timeout=20).models.list(limit=1)
    answer["status"] = 200
    answer["models"] = len(page.data)
except anthropic.APIStatusError as error:
    answer["status"] = error.status_code
except Exception as error:
    while error:
        answer["chain"].append([type(error).__name__, getattr(error, "verify_message", None) or str(error)])
        error = error.__cause__ or error.__context__
print(json.dumps(answer))
"""


def NAME() -> str:
    return _("a request that costs nothing")


def check() -> Iterator[Finding]:
    source, local = settings.real_access(), settings.local_endpoint()
    if source is None and local is None:
        yield Finding("ok", _("not needed: the lessons stay on this machine"))
        return
    try:
        run = subprocess.run(
            [sys.executable, "-c", ASK],
            cwd=AGENTS,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=SECONDS,
        )
        answer = json.loads(run.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        yield Finding("fail", _("no answer within {seconds} s").format(seconds=SECONDS), _later())
        return
    except (ValueError, IndexError):
        last = (run.stderr.strip().splitlines() or ["?"])[-1]
        yield Finding("fail", _("the SDK stopped: {error}").format(error=last), _("Cure what is said above first."))
        return
    if local and answer["status"] == 200:
        yield Finding("ok", _("{url} answers").format(url=local))
    elif local and _refused(answer):
        yield Finding(
            "fail",
            _("nothing answers at {url}").format(url=local),
            _("Start what should answer there, or remove ANTHROPIC_BASE_URL: then the stand-in answers."),
        )
    else:
        yield _judge(answer, source or "ANTHROPIC_BASE_URL")


def _refused(answer: dict) -> bool:
    """Whether nobody took the connection."""
    return "ConnectError" in [kind for kind, _text in answer["chain"]]


def _judge(answer: dict, source: str) -> Finding:
    """What the answer means. answer: {"status": int, 0 without one; "chain": [[type, text], …]; "models": int}."""
    status = answer["status"]
    if status == 200:
        return Finding("ok", _("the API knows the key"))
    if status == 401:
        return Finding(
            "fail",
            _("the API does not know this key (401)"),
            _("Copy the key again, or make a new one, and put it where {name} is set.").format(name=source),
        )
    if status == 403:
        return Finding(
            "fail", _("the key may not do this (403)"), _("Ask whoever gave you the key which models it is for.")
        )
    if status in (404, 405, 501):
        return Finding(
            "warn",
            _("the address answers, but has no list of models ({status})").format(status=status),
            _("Run a lesson to see: `{command}`. If that fails too, ANTHROPIC_BASE_URL is wrong.").format(
                command="course run s01 --real"
            ),
        )
    if status == 407:
        return _proxy_wants_password()
    if status == 429:
        return Finding("warn", _("the API knows the key, but it has been used too much (429)"), _later())
    if status:
        return Finding("fail", _("the API answered with an error ({status})").format(status=status), _later())
    return _unreachable([(str(kind), str(text)) for kind, text in answer["chain"]])


def _unreachable(chain: list[tuple[str, str]]) -> Finding:
    kinds = [kind for kind, _text in chain]
    everything = " ".join(text for _kind, text in chain)
    if "SSLCertVerificationError" in kinds or "CERTIFICATE_VERIFY_FAILED" in everything:
        reason = next((text for kind, text in chain if kind == "SSLCertVerificationError"), everything)
        return Finding(
            "fail",
            _(
                "the certificate is signed by nobody that {path} names ({reason}): "
                "a proxy or a security program reads the connection"
            ).format(path=network.certificates(), reason=reason),
            _("Ask for its certificate as a .pem file and set SSL_CERT_FILE to that file's path."),
        )
    if "407" in everything:
        return _proxy_wants_password()
    if "ProxyError" in kinds:
        return Finding(
            "fail",
            _("the proxy refused: {error}").format(error=chain[-1][1]),
            _("Correct HTTPS_PROXY, or ask whoever runs the proxy to allow this address."),
        )
    if "gaierror" in kinds:
        return Finding(
            "fail",
            _("the name of the address is not known here"),
            _("Check the network (Wi-Fi, VPN), then how ANTHROPIC_BASE_URL is written."),
        )
    if "AttributeError" in kinds or "APIResponseValidationError" in kinds:
        return Finding(
            "fail",
            _("what answered is not the API, perhaps the sign-in page of the network"),
            _("Open a web page in a browser and sign in, or correct ANTHROPIC_BASE_URL."),
        )
    last = f"{chain[-1][0]}: {chain[-1][1]}" if chain else "?"
    return Finding(
        "fail",
        _("nothing answered: {error}").format(error=last),
        _("Check the network, the proxy and ANTHROPIC_BASE_URL."),
    )


def _proxy_wants_password() -> Finding:
    return Finding(
        "fail",
        _("the proxy wants a name and a password (407)"),
        _("Set HTTPS_PROXY to http://NAME:PASSWORD@HOST:PORT."),
    )


def _later() -> str:
    return _("Wait a few minutes and try again; until then `--offline` uses the stand-in.")
