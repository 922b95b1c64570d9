"""load_env(): use the reader's own access to Claude if there is any, else start the stand-in.

Nothing of the SDK is imported or changed. What `anthropic.Anthropic()` reads from the environment is all that is set.
"""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from course import console, i18n

_ = i18n.translator("env")

DUMMY_KEY = "no-key-needed"

# Called with each Exchange (course.standin.app) that the stand-in of this process is done with. `course run --wire` and
# the like add themselves before the script runs.
observers: list[Callable[[Any], None]] = []

_QUOTES = "\"'“”‘’„"
# Variables of the SDK that may stay when the stand-in plays: they neither give access nor say where to send requests.
_HARMLESS = {"ANTHROPIC_LOG"}

_done = False


def load_env() -> None:
    """Make `anthropic.Anthropic()` work, and say on stderr in one line with whom the script will talk.

    Reads `.env` from the script's folder upward; variables that are set already win, empty ones count as not set. Then,
    if there is a key, a token, a profile of the SDK or a base URL, that is used. If there is none, or if COURSE_OFFLINE
    is 1, a stand-in on a free port of this machine answers instead. A second call does nothing.
    """
    global _done
    if _done:
        return
    _done = True
    # The SDK's modules are some hundred thousand objects that never become garbage: do not look through them again.
    gc.freeze()
    console.prepare()
    if os.environ.get("COURSE_WATCHED"):  # `course run --wire` and its like have done all this for us
        bypass_proxies()
        return
    env_file = find_env_file()
    if env_file:
        read_env_file(env_file)
    clean_environment()
    if offline():
        _say(_("COURSE_OFFLINE is set: the stand-in answers, not Claude. It costs nothing."))
        _use_stand_in()
    elif source := access():
        _use(source)
    else:
        _say(_("No API key found: the stand-in answers, not Claude. It costs nothing."))
        _use_stand_in()


def find_env_file(folder: Path | None = None) -> Path | None:
    """The nearest `.env` from the folder upward: the running script's if none is named; without a script, from here."""
    if folder is None:
        script = getattr(sys.modules.get("__main__"), "__file__", None)
        folder = Path(script).resolve().parent if script else Path.cwd()
    for place in (folder, *folder.parents):
        if (place / ".env").is_file():
            return place / ".env"
    return None


def read_env_file(path: Path) -> None:
    """Set what the file sets and the environment does not. A file that cannot be read is reported and left out."""
    from dotenv import dotenv_values

    try:
        # utf-8-sig: Windows' Notepad may write a byte order mark.
        values = dotenv_values(path, encoding="utf-8-sig")
    except UnicodeDecodeError:
        _say(
            _(
                "{path} is not in UTF-8, so it was left out. PowerShell's > writes UTF-16; "
                "open the file in an editor and save it as UTF-8."
            ).format(path=path)
        )
        return
    except OSError as error:
        _say(_("{path} cannot be read, so it was left out: {reason}").format(path=path, reason=error.strerror))
        return
    for name, value in values.items():
        if value and "\0" not in value and not os.environ.get(name, "").strip():
            os.environ[name] = value


def clean_environment() -> None:
    """Take blanks and quotes away from around the SDK's variables, and remove those that are empty."""
    others = ("MODEL_ID", "COURSE_OFFLINE")
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_") or name in others]:
        value = os.environ[name].strip().strip(_QUOTES).strip()
        if value:
            os.environ[name] = value
        else:
            # The SDK takes an empty base URL for an address.
            del os.environ[name]


def offline() -> bool:
    """Whether COURSE_OFFLINE asks for the stand-in, whatever else is set."""
    return os.environ.get("COURSE_OFFLINE", "").lower() not in ("", "0", "false", "no", "off")


def access() -> str | None:
    """Where the SDK would find access: the name of a variable, "profile", or None.

    The order is the SDK's own (anthropic/lib/credentials/_chain.py in 2.14), with a mere base URL after all others.
    """
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_PROFILE"):
        if os.environ.get(name):
            return name
    if (
        os.environ.get("ANTHROPIC_FEDERATION_RULE_ID")
        and os.environ.get("ANTHROPIC_ORGANIZATION_ID")
        and (os.environ.get("ANTHROPIC_IDENTITY_TOKEN") or os.environ.get("ANTHROPIC_IDENTITY_TOKEN_FILE"))
    ):
        return "ANTHROPIC_FEDERATION_RULE_ID"
    if _profile_on_disk():
        return "profile"
    if os.environ.get("ANTHROPIC_BASE_URL"):
        return "ANTHROPIC_BASE_URL"
    return None


def is_loopback(url: str) -> bool:
    """Whether a URL points to this machine."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return host in ("localhost", "::1") or host.endswith(".localhost") or host.startswith("127.")


def bypass_proxies() -> None:
    """Keep this process's requests away from any proxy: one cannot reach the loopback of this machine.

    "*", because with ALL_PROXY=socks5://... the SDK fails when the client is made, whatever hosts NO_PROXY names.
    """
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"


def _profile_on_disk() -> bool:
    """Whether the SDK would find a profile: the one that `active_config` names, or "default"."""
    if os.environ.get("ANTHROPIC_CONFIG_DIR"):
        folder = Path(os.environ["ANTHROPIC_CONFIG_DIR"])
    elif sys.platform == "win32":
        folder = Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "Anthropic"
    else:
        folder = Path.home() / ".config" / "anthropic"
    try:
        if (folder / "active_config").read_text(encoding="utf-8").strip():
            return True
    except (OSError, ValueError):
        pass
    return (folder / "configs" / "default.json").is_file()


def _use(source: str) -> None:
    """Use the reader's own access."""
    url = os.environ.get("ANTHROPIC_BASE_URL", "")
    local = is_loopback(url)
    if local:
        bypass_proxies()
    if source == "ANTHROPIC_BASE_URL":
        if local:
            os.environ["ANTHROPIC_API_KEY"] = DUMMY_KEY
        else:
            _say(
                _("{url} is set as ANTHROPIC_BASE_URL, but there is no key for it. Set ANTHROPIC_API_KEY too.").format(
                    url=_shown(url)
                )
            )
            return
    if url:
        _say(_("Talking to {url}, as ANTHROPIC_BASE_URL says.").format(url=_shown(url)))
    elif source == "profile":
        _say(_("Talking to Claude, with the SDK's profile on this machine. Each request costs money."))
    else:
        _say(_("Talking to Claude, with {name}. Each request costs money.").format(name=source))


def _shown(url: str) -> str:
    """The URL without user, password, query: an address may hold a secret."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "?"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def _use_stand_in() -> None:
    """Start the stand-in in this process and send the SDK there. No other access stays in the environment."""
    from course.models import find
    from course.standin import server

    if "ANTHROPIC_BASE_URL" in os.environ and not find(os.environ.get("MODEL_ID")):
        os.environ.pop("MODEL_ID", None)  # a model of the endpoint that is not to be used now
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_") and name not in _HARMLESS]:
        del os.environ[name]
    os.environ["ANTHROPIC_BASE_URL"] = server.start(_app).base_url
    os.environ["ANTHROPIC_API_KEY"] = DUMMY_KEY
    bypass_proxies()


def _app() -> Any:
    """The application that the embedded server runs."""
    from course.standin.app import create_app
    from course.standin.core import handle

    return create_app(handle, _observe)


def _observe(exchange: Any) -> None:
    if exchange.rule:
        from course.standin.rules import Refusal, hint

        if line := hint(Refusal(exchange.rule, 0, "", ""), i18n.language()):
            _say(line)
    for observer in observers:
        observer(exchange)


def _say(line: str) -> None:
    print(f"[course] {line}", file=sys.stderr, flush=True)
