"""load_env(): use the reader's own access to Claude if there is any, else start the stand-in.

Nothing of the SDK is imported or changed. What `anthropic.Anthropic()` reads from the environment is all that is set.
"""

import gc
import os
import re
import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from course import console, i18n, mask

_ = i18n.translator("env")

DUMMY_KEY = "no-key-needed"

# Called with each Exchange (course.standin.app) that the stand-in of this process is done with. `course run --wire` and
# the like add themselves before the script runs.
observers: list[Callable[[Any], None]] = []

QUOTES = "\"'“”‘’„"
# The SDK that the lessons are written for (pyproject.toml has the same bound).
OLDEST_SDK = (2, 14)
# Variables of the SDK that may stay when the stand-in plays: they neither give access nor say where to send requests.
_HARMLESS = {"ANTHROPIC_LOG"}
# What the SDK's HTTP library reads when a client is made. The stand-in needs neither certificates nor a proxy.
_TLS = ("SSLKEYLOGFILE", "SSL_CERT_FILE", "SSL_CERT_DIR")
_PROXIES = ("ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY")

_done = False


def load_env() -> None:
    """Make `anthropic.Anthropic()` work, and say on stderr in one line with whom the script will talk.

    Reads `.env` (see `find_env_file`); variables that are set already win, empty ones count as not set. Then, if there
    is a key, a token, a profile of the SDK or a base URL, that is used. If there is none, or if COURSE_OFFLINE is 1, a
    stand-in on a free port of this machine answers instead. A second call does nothing.

    Raises:
        SystemExit: the SDK could not send a request with what is set; one sentence says why.
    """
    global _done
    if _done:
        return
    _done = True
    # The SDK's modules are some hundred thousand objects that never become garbage: do not look through them again.
    gc.freeze()
    console.prepare()
    # What is not UTF-8 in an argument cannot be sent.
    sys.argv = [re.sub("[\ud800-\udfff]", "\ufffd", argument) for argument in sys.argv]
    if os.environ.get("COURSE_WATCHED"):  # `course run --wire` and its like have done all this for us
        stay_on_this_machine()
        return
    read()
    if reason := old_sdk():
        raise SystemExit(f"[course] {reason}")
    if offline():
        console.say(_("COURSE_OFFLINE is set: the stand-in answers, not Claude. It costs nothing."))
        _use_stand_in()
    elif source := access():
        if reason := trouble():
            raise SystemExit(f"[course] {reason}")
        _use(source)
    else:
        console.say(_("No API key found: the stand-in answers, not Claude. It costs nothing."))
        for path in misnamed():
            console.say(_("{path} is not read: the name must be .env").format(path=path))
        _use_stand_in()


def read(folder: Path | None = None) -> None:
    """Make the environment what a script in this folder finds: its `.env` read, the SDK's variables cleaned."""
    if path := find_env_file(folder):
        read_env_file(path)
    clean_environment()


def find_env_file(folder: Path | None = None) -> Path | None:
    """The `.env` for a script in this folder (by default the running script's; without a script, from here).

    Inside the course it is the nearest from the folder up to the course's root. Elsewhere it is the folder's own alone:
    a file further up may be somebody else's.
    """
    return next((place / ".env" for place in _places(folder) if (place / ".env").is_file()), None)


def misnamed(folder: Path | None = None) -> list[Path]:
    """Files that were meant to be the `.env`, where it would be found: Notepad and Explorer like to add .txt."""
    names = (".env.txt", "env.txt", ".env.env")
    return [place / name for place in _places(folder) for name in names if (place / name).is_file()]


def _places(folder: Path | None) -> list[Path]:
    if folder is None:
        script = getattr(sys.modules.get("__main__"), "__file__", None)
        folder = Path(script).resolve().parent if script else Path.cwd()
    places = [folder, *folder.parents]
    root = next((number for number, place in enumerate(places) if _is_course(place)), 0)
    return places[: root + 1]


def _is_course(folder: Path) -> bool:
    try:
        return 'name = "agent-loop-course"' in (folder / "pyproject.toml").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def read_env_file(path: Path) -> None:
    """Set what the file sets and the environment does not. A file that cannot be read is reported and left out."""
    from dotenv import dotenv_values

    try:
        # utf-8-sig: Windows' Notepad may write a byte order mark.
        values = dotenv_values(path, encoding="utf-8-sig")
    except UnicodeDecodeError:
        console.say(
            _(
                "{path} is not in UTF-8, so it was left out. PowerShell's > writes UTF-16; "
                "open the file in an editor and save it as UTF-8."
            ).format(path=path)
        )
        return
    except OSError as error:
        console.say(_("{path} cannot be read, so it was left out: {reason}").format(path=path, reason=error.strerror))
        return
    for name, value in values.items():
        if value and "\0" not in value and not os.environ.get(name, "").strip():
            os.environ[name] = value


def clean_environment() -> None:
    """Take blanks and quotes away from around the SDK's variables, and remove those that are empty."""
    others = ("MODEL_ID", "COURSE_OFFLINE")
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_") or name in others]:
        value = os.environ[name].strip().strip(QUOTES).strip()
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


def bypass_proxies(environment: MutableMapping[str, str] = os.environ) -> None:
    """Keep this process's requests away from any proxy: one cannot reach the loopback of this machine.

    "*", because with ALL_PROXY=socks5://... the SDK fails when the client is made, whatever hosts NO_PROXY names.
    """
    environment["NO_PROXY"] = environment["no_proxy"] = "*"


def stay_on_this_machine(environment: MutableMapping[str, str] = os.environ) -> None:
    """Leave out what the SDK would read for a network that it does not need: proxies, certificates, the log of keys."""
    bypass_proxies(environment)
    for name in _TLS:
        environment.pop(name, None)


def forget_access() -> None:
    """Take every access to the API out of the environment, and where to find it."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_") and name not in _HARMLESS]:
        del os.environ[name]


def old_sdk() -> str:
    """A sentence if the SDK that the script has imported is older than the lessons; else ""."""
    version = getattr(sys.modules.get("anthropic"), "__version__", "")
    if not version or tuple(int(part) for part in re.findall(r"\d+", version)[:2]) >= OLDEST_SDK:
        return ""
    needed = ".".join(map(str, OLDEST_SDK))
    return _("anthropic is {version}; the lessons need {needed} or newer. `course doctor` says more.").format(
        version=version, needed=needed
    )


def trouble() -> str:
    """A sentence if no request can be sent with the access that is set, as far as can be told without a network."""
    for name in sorted(os.environ):
        if name.startswith("ANTHROPIC_") and unfit(name, os.environ[name]):
            return _(
                "{name} holds a blank, a line break or a character that cannot be sent. Copy it again, as a whole; "
                "`course doctor` says more."
            ).format(name=name)
    url = os.environ.get("ANTHROPIC_BASE_URL", "")
    if url:
        if not is_address(url):
            return _(
                "ANTHROPIC_BASE_URL does not begin with https:// (or http://) and a host; `course doctor` says more."
            )
        if end := surplus(url):
            return _(
                "ANTHROPIC_BASE_URL ends with {end}, which the SDK adds itself: leave it out. "
                "`course doctor` says more."
            ).format(end=end)
        if access() == "ANTHROPIC_BASE_URL" and not is_loopback(url):
            return _(
                "{url} is set as ANTHROPIC_BASE_URL, but there is no key for it. Set ANTHROPIC_API_KEY too; "
                "`course doctor` says more."
            ).format(url=shown(url))
        if is_loopback(url):
            bypass_proxies()
    # Only a script that has the SDK already: to import it here would cost a second.
    make = getattr(sys.modules.get("anthropic"), "DefaultHttpxClient", None)
    if make and (found := in_the_way(make)):
        name, error = found
        return _("The SDK cannot make its client because of {name}: {error}. `course doctor` says more.").format(
            name=name, error=error.rstrip(".")
        )
    return ""


def unfit(name: str, value: str) -> bool:
    """Whether a variable of the SDK that goes into a header or an address holds what none can hold."""
    if name == "ANTHROPIC_CUSTOM_HEADERS":  # one a line
        return not value.replace("\n", "").isascii() or not value.replace("\n", "").isprintable()
    if not name.endswith(("_KEY", "_TOKEN", "_URL")):
        return False
    return not value.isascii() or not value.isprintable() or " " in value


def is_address(url: str) -> bool:
    """Whether the SDK can use it as a base URL: http or https, and a host."""
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        return False


def surplus(url: str) -> str:
    """What stands at the end of a base URL though the SDK adds it itself; "" if nothing does."""
    path = urlsplit(url).path.rstrip("/")
    return next((end for end in ("/v1/messages", "/v1") if path.endswith(end)), "")


def in_the_way(make: Callable[[], Any]) -> tuple[str, str] | None:
    """Which variable keeps the SDK's HTTP client from being made, and the reason; None if it can be made.

    Args:
        make: makes it (anthropic.DefaultHttpxClient), as `anthropic.Anthropic()` does first. The variable is found by
            trying without each; where several are to blame at once, all are named.
    """
    error = _fails(make)
    if error is None:
        return None
    reason = mask.masked(str(error) or type(error).__name__)
    names = [name for name in (*_TLS, *_PROXIES) if os.environ.get(name) or os.environ.get(name.lower())]
    for name in names:
        if not _fails(make, name):
            return name, reason
    return ", ".join(names) or "?", reason


def _fails(make: Callable[[], Any], without: str = "") -> Exception | None:
    """The exception that making the client ends in, with one variable left out, in capitals and small letters."""
    kept = {name: os.environ.pop(name) for name in (without, without.lower()) if name in os.environ}
    try:
        make().close()
    except Exception as error:
        return error
    finally:
        os.environ.update(kept)
    return None


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
    if is_loopback(url):
        bypass_proxies()
        if source == "ANTHROPIC_BASE_URL":
            os.environ["ANTHROPIC_API_KEY"] = DUMMY_KEY
    if url:
        console.say(_("Talking to {url}, as ANTHROPIC_BASE_URL says.").format(url=shown(url)))
    elif source == "profile":
        console.say(_("Talking to Claude, with the SDK's profile on this machine. Each request costs money."))
    else:
        console.say(_("Talking to Claude, with {name}. Each request costs money.").format(name=source))
    sys.excepthook = _stopped


def _stopped(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What Python prints for an exception, without the key; and the way on, if it may be about the connection."""
    import traceback

    text = "".join(traceback.format_exception(kind, error, trace))
    without = mask.masked(text)
    if without == text:
        sys.__excepthook__(kind, error, trace)
    else:
        print(without, end="", file=sys.stderr, flush=True)
    own_endpoint = "ANTHROPIC_BASE_URL" in os.environ and issubclass(kind, Exception)
    if own_endpoint or kind.__module__.startswith("anthropic"):
        console.say(_("Is it the key, the address or what answers there? `course doctor` says more."))


def shown(url: str) -> str:
    """The URL without user, password, query: an address may hold a secret."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "?"
    text = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"
    return console.plain(text)


def _use_stand_in() -> None:
    """Start the stand-in in this process and send the SDK there. No other access stays in the environment."""
    from course.models import find
    from course.standin import server

    if "ANTHROPIC_BASE_URL" in os.environ and not find(os.environ.get("MODEL_ID")):
        os.environ.pop("MODEL_ID", None)  # a model of the endpoint that is not to be used now
    forget_access()
    os.environ["ANTHROPIC_BASE_URL"] = server.start(_app).base_url
    os.environ["ANTHROPIC_API_KEY"] = DUMMY_KEY
    stay_on_this_machine()


def _app() -> Any:
    """The application that the embedded server runs."""
    from course.standin import replies  # noqa: F401 -- now, not with the first request
    from course.standin.app import create_app
    from course.standin.cache import Cache
    from course.standin.pace import on_a_terminal

    return create_app(on_a_terminal(Cache()), _observe)


def _observe(exchange: Any) -> None:
    if exchange.rule:
        from course.standin.rules import Refusal, hint

        if line := hint(Refusal(exchange.rule, 0, "", ""), i18n.language()):
            console.say(line)
    for observer in observers:
        observer(exchange)
