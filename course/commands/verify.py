"""`course verify`: send the catalogue's requests to the real API and compare its answers with the stand-in's.

The catalogue of refusals was put together from documentation and reports. This asks the API itself, with the reader's
own key.
"""

import argparse
import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from .. import console, env, i18n
from ..standin.rules import catalogue

_ = i18n.translator("verify")

API = "https://api.anthropic.com"
VERSION = "2026-10-21"  # what the Python SDK 2.14 sends
TIMEOUT = 60  # seconds for one answer
LONGEST_WAIT = 60  # seconds that a rate limit may ask for
LARGE = 1_000_000  # bytes; examples above it are only sent when asked for


class Answer(NamedTuple):
    """What came back: status and error of the answer; or status 0 and, as the message, why there was none."""

    status: int
    type: str
    message: str


def HELP() -> str:
    return _("compare the stand-in's refusals with the real API, with your key")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules", nargs="*", metavar="RULE", help=_("only these rules; without any, all that can be sent")
    )
    parser.add_argument("--yes", action="store_true", help=_("do not ask first"))
    parser.add_argument("--large", action="store_true", help=_("send the requests of more than a megabyte too"))


def run(args: argparse.Namespace) -> int:
    unknown = [rule for rule in args.rules if rule not in catalogue.entries()]
    if unknown:
        return console.problem(_("there is no rule {names}").format(names=", ".join(unknown)))
    env.read(Path.cwd())
    key = os.environ.get("ANTHROPIC_API_KEY") or os.environ.get("ANTHROPIC_AUTH_TOKEN")
    if not key:
        return console.problem(_("this needs a key: set ANTHROPIC_API_KEY, or put it into .env"))
    if reason := env.trouble():
        return console.problem(reason)
    url = os.environ.get("ANTHROPIC_BASE_URL", API).rstrip("/")
    rules = [rule for rule in args.rules or catalogue.entries() if can_be_sent(rule, large=args.large)]
    if not rules:
        return console.problem(_("none of these can be sent (see `course verify --help`)"))
    print(announcement(len(rules), env.shown(url)))
    if not args.yes and not _agreed():
        return 1
    return verify(rules, url, key)


def can_be_sent(rule: str, large: bool = False) -> bool:
    """Whether the API can be asked about a rule: it is enforced, and its example needs no signature of the API's."""
    entry = catalogue.entries()[rule]
    if entry["enforce"] is not True or "<valid" in json.dumps(entry["example"]):
        return False
    return large or len(json.dumps(catalogue.example(rule))) <= LARGE


def announcement(count: int, url: str) -> str:
    """What will be sent where, and what it may cost."""
    return _(
        "{count} requests will go to {url}, one after the other. Each of them should be refused, and a refused request "
        "costs nothing. One that the API takes by now is answered and costs a few tokens. What the API must accept is "
        "left out, because every such request would cost tokens."
    ).format(count=count, url=url)


def _agreed() -> bool:
    if not sys.stdin.isatty():
        console.problem(_("nothing was sent: run it in a terminal, or with --yes"))
        return False
    try:
        answer = input(_("Send them? [y/N] "))
    except EOFError:
        return False
    return answer.strip().lower() in ("y", "yes", "j", "ja", "是")


def verify(rules: list[str], url: str, key: str) -> int:
    """Send the examples of the rules, print a line for each, and at the end how many were what.

    Returns 0 if the API says the same in all cases, 1 if not, 2 if the key was refused.
    """
    import httpx2

    names = {
        "same": _("the same"),
        "wording": _("a new wording"),
        "accepted": _("accepted now"),
        "none": _("no answer"),
    }
    counts = dict.fromkeys(names, 0)
    # A proxy cannot reach the loopback of this machine.
    with httpx2.Client(timeout=TIMEOUT, trust_env=not env.is_loopback(url)) as client:
        for rule in rules:
            answer = ask(client, url, key, rule)
            verdict = judge(rule, answer)
            entry = catalogue.entries()[rule]
            if answer.status in (401, 403) and entry["status"] != answer.status:
                return console.problem(
                    _("the API refused the key ({status} {message}); nothing more was sent").format(
                        status=answer.status, message=answer.message
                    )
                )
            counts[verdict] += 1
            print(f"{names[verdict]}: {rule}", flush=True)
            if verdict == "wording":
                print(f"    {answer.status} {answer.type}: {answer.message}")
                print("    " + _("expected:") + f" {entry['status']} {entry['type']}: {entry['message']}")
            elif verdict == "none":
                print(f"    {answer.message}")
    print()
    print(", ".join(f"{names[verdict]}: {count}" for verdict, count in counts.items()))
    return 0 if counts["same"] == len(rules) else 1


def judge(rule: str, answer: Answer) -> str:
    """What the API's answer says about a rule: "same", "wording" (refused otherwise), "accepted", or "none" (no answer,
    or one that is not about the request).
    """
    entry = catalogue.entries()[rule]
    if answer.status == 200:
        return "accepted"
    if answer.status == 0 or answer.status == 429 or answer.status >= 500:
        return "none"
    alike = answer.status == entry["status"] and answer.type == entry["type"]
    templates = [entry["message"], *entry.get("variants", {}).values()]
    return "same" if alike and any(_matches(template, answer.message) for template in templates) else "wording"


def _matches(template: str, message: str) -> bool:
    """Whether a message is the template with something in place of each {placeholder}."""
    parts = re.split(r"\{\w+\}", template)
    return re.fullmatch(".+".join(map(re.escape, parts)), message, re.DOTALL) is not None


def ask(client: Any, url: str, key: str, rule: str) -> Answer:
    """Send a rule's example. A rate limit is waited for, once."""
    example = catalogue.example(rule)
    headers = {"anthropic-version": VERSION, "authorization": f"Bearer {key}", "content-type": "application/json"}
    for name, value in (example.get("headers") or {}).items():
        if name == "x-api-key":
            headers.pop("authorization", None)
        headers.pop(name, None)
        if value is not None:
            headers[name] = value
    body = example["raw"] if "raw" in example else json.dumps(example["body"])
    answer, wait = _send(client, url, headers, body)
    if answer.status == 429 and wait:
        time.sleep(wait)
        answer, wait = _send(client, url, headers, body)
    return answer


def _send(client: Any, url: str, headers: dict[str, str], body: str) -> tuple[Answer, float]:
    """The answer, and how many seconds a rate limit asks to wait (0 if none does, or too many)."""
    import httpx2

    try:
        response = client.post(f"{url}/v1/messages", headers=headers, content=body.encode("utf-8"))
    except httpx2.TimeoutException:
        return Answer(0, "", _("no answer within {seconds} seconds").format(seconds=TIMEOUT)), 0
    except (httpx2.HTTPError, ValueError):
        # Not the exception's own text: it may quote the headers, and with them the key.
        return Answer(0, "", _("no connection to {url}").format(url=env.shown(url))), 0
    wait = response.headers.get("retry-after", "")
    seconds = float(wait) if wait.isascii() and wait.isdigit() else 0
    try:
        error = response.json()["error"]
        answer = Answer(response.status_code, str(error["type"]), str(error["message"]))
    except (ValueError, KeyError, TypeError):
        answer = Answer(response.status_code, "", response.text[:200])
    return answer, seconds if seconds <= LONGEST_WAIT else 0
