"""Each failure on the page "When the room fails" is played: what its screen shows is what is printed."""

import re
import socket
import ssl
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from course.site import LANGUAGES
from tests.conftest import ROOT, clean_env
from tests.doctor.conftest import Proxy
from tests.site import pages
from tests.test_bootstrap import BASE, bootstrap, folder, pretend  # noqa: F401  (folder is a fixture)

REPORTED = {"en": "*As reported;", "zh": "*来自他人的报告", "de": "*Wie berichtet;"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="the failure is one of Linux")


def rows(language):
    """The screens of each row by its anchor: (text, is it marked as reported?)."""
    page = pages.body(pages.read(language, "room.md"))
    found = {}
    for part in re.split(r"(?m)^### ", page)[1:]:
        anchor = re.search(r"\{#([\w-]+)\}", part)[1]
        screens = re.findall(r"(?m)^```text\n([^`]*(?:`[^`]+`[^`]*)*)\n```\n\n(?=([^\n]*))", part)
        found[anchor] = [(text, after.startswith(REPORTED[language])) for text, after in screens]
    return found


PLAYED = [
    *("no-network", "tls-proxy", "pep-668", "no-venv", "garbled", "port-taken"),
    *("status-401", "status-403", "status-429", "status-529", "spend-limit"),
]


def is_printed(printed, anchor, number=0, language="en"):
    """Assert that the lines of this screen are printed, in order. `...` stands for what differs."""
    text, reported = rows(language)[anchor][number]
    assert not reported
    rest = printed
    for line in text.splitlines():
        found = re.search(".*".join(re.escape(part) for part in line.split("...")), rest)
        assert found, f"{line}\nis not in\n{printed}"
        rest = rest[found.end() :]


def run(*command, **env):
    """Run a command in a reader's environment; return all that it prints."""
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=clean_env(**env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
    )
    return done.stdout.decode("utf-8", errors="replace")


def lesson(*arguments, **env):
    return run(sys.executable, "agents/s01_agent_loop.py", *arguments, **env)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_marked_as_reported_is_played(language):
    found = rows(language)
    assert all(found.values())
    assert {anchor for anchor, screens in found.items() if not all(marked for _, marked in screens)} == set(PLAYED)
    page = pages.prose(pages.read(language, "room.md"))
    cure, way = {"en": ("Cure", "Way round"), "zh": ("办法", "绕过去"), "de": ("Abhilfe", "Ausweg")}[language]
    assert page.count(f"**{cure}") == page.count(f"**{way}") == len(found) == 14


def test_no_network(tmp_path):
    pip = [sys.executable, "-m", "pip", "--isolated", "download", "--retries", "0", "--no-deps", "--no-cache-dir"]
    away = ["--index-url", "http://name.invalid/simple", "--dest", str(tmp_path), "anthropic"]
    is_printed(run(*pip, *away), "no-network", 0)
    printed = lesson(ANTHROPIC_API_KEY="sk-none", ANTHROPIC_BASE_URL="http://name.invalid")
    is_printed(printed, "no-network", 1)


def test_and_the_way_round_without_a_network():
    printed = run(sys.executable, "-m", "course", "run", "s01", "--offline", ANTHROPIC_API_KEY="sk-none")
    assert "turn 2: end_turn" in printed


@pytest.mark.extra
def test_a_proxy_that_inspects_tls(recorder):
    import trustme

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("api.anthropic.com").configure_cert(context)
    host, port = recorder().base_url.removeprefix("http://").split(":")
    proxy = Proxy((host, int(port)), tls=context)
    try:
        printed = lesson(ANTHROPIC_API_KEY="sk-none", HTTPS_PROXY=proxy.url, https_proxy=proxy.url)
    finally:
        proxy.close()
    is_printed(printed, "tls-proxy")


@POSIX
def test_pep_668(tmp_path):
    """A Python whose library holds the marker, as Debian's does: links to this one's, and one file more."""
    library = Path(sysconfig.get_path("stdlib"))
    copy = tmp_path / library.relative_to(sys.base_prefix)
    copy.mkdir(parents=True)
    for entry in library.iterdir():
        if entry.name != "EXTERNALLY-MANAGED":
            (copy / entry.name).symlink_to(entry)
    (copy / "EXTERNALLY-MANAGED").write_text("[externally-managed]\nError=Use a virtual environment.\n", "utf-8")
    away = {"PYTHONHOME": str(tmp_path), "PYTHONPATH": sysconfig.get_path("purelib")}
    is_printed(run(str(BASE), "-m", "pip", "install", "--no-index", "nothing", **away), "pep-668")


@POSIX
def test_python3_venv_is_missing(folder):  # noqa: F811
    made = bootstrap(folder, python=pretend(folder, "sys.modules['ensurepip'] = None"))
    is_printed(made.stderr, "no-venv", 0)
    subprocess.run([BASE, "-m", "venv", "--without-pip", folder / "half"], check=True, timeout=60)
    is_printed(run(str(folder / "half" / "bin" / "python"), "-m", "pip", "list"), "no-venv", 1)


@pytest.mark.parametrize(
    ("encoding", "prompt"),
    [("cp1252", "成都今天天气怎么样？"), pytest.param("gbk", "ößñçõåæøþð", marks=pytest.mark.extra)],
)
def test_a_garbled_console(encoding, prompt):
    is_printed(lesson(prompt, PYTHONIOENCODING=encoding), "garbled")


@pytest.mark.parametrize(
    "language", ["en", pytest.param("zh", marks=pytest.mark.extra), pytest.param("de", marks=pytest.mark.extra)]
)
def test_a_taken_port(language):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        own = {"COURSE_LANG": language, "PYTHONUTF8": "1"}
        printed = run(sys.executable, "-m", "course", "serve", "--port", port, **own)
        is_printed(printed, "port-taken", 0, language=language)
        printed = run(sys.executable, "-m", "course.site.serve", port, **own)
        is_printed(printed, "port-taken", 1, language=language)


@pytest.mark.parametrize(
    ("anchor", "fault"),
    [
        ("status-401", "bad_key"),
        pytest.param("status-403", "no_permission", marks=pytest.mark.extra),
        pytest.param("status-429", "rate_limit", marks=pytest.mark.extra),
        pytest.param("status-529", "overloaded", marks=pytest.mark.extra),
        pytest.param("spend-limit", "no_credit", marks=pytest.mark.extra),
    ],
)
def test_the_api_refuses(anchor, fault, tmp_path):
    """The SDK tries again before it gives up, and prints the same afterwards; here it gives up at once."""
    script = tmp_path / "lesson.py"
    code = (ROOT / "agents" / "s01_agent_loop.py").read_text(encoding="utf-8")
    assert code.count("anthropic.Anthropic()") == 1
    script.write_text(code.replace("anthropic.Anthropic()", "anthropic.Anthropic(max_retries=0)"), encoding="utf-8")
    printed = run(sys.executable, "-m", "course", "run", str(script), "--fault", fault)
    is_printed(printed, anchor)
