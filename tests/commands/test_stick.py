"""`course stick`: what is packed, what is downloaded, what is refused, and a stick from which a learner installs."""

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from course.site import LANGUAGES
from course.stick import ARCHIVE, FOLDER, READMES, SITE, WHEELS, Problem, contents, wheels
from course.stick.wheels import Wheel, fetch, have
from tests.conftest import ROOT, clean_env

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="runs the lines for Linux")


def stick(*args, **env):
    command = [sys.executable, "-m", "course", "stick", *map(str, args)]
    return subprocess.run(command, cwd=ROOT, env=clean_env(**env), capture_output=True, encoding="utf-8", timeout=500)


# ---- what lies on it


def readme(language):
    return (contents.HERE / f"README.{language}.txt").read_text(encoding="utf-8")


def typed(language):
    """The lines of a README that are typed, without their indent and the words before them."""
    lines = [line.strip() for line in readme(language).splitlines() if line.startswith("    ")]
    return [re.sub(r"^(Linux|Windows)\S*( macOS)?\s*", "", line) for line in lines]


def test_the_readmes_say_the_same_and_name_what_is_there():
    assert typed("en") == typed("de") == typed("zh")
    for language in LANGUAGES:
        text = readme(language)
        assert {ARCHIVE, FOLDER, *wheels.PYTHONS[::4]} <= set(re.findall(r"agent-loop-course(?:\.zip)?|3\.\d+", text))
        assert f"({WHEELS})" in text or f"（{WHEELS}）" in text
        assert f"({SITE})" in text or f"（{SITE}）" in text
        assert all(len(line) <= 120 for line in text.splitlines())


def test_notepad_and_a_browser_show_them_rightly(tmp_path):
    contents.write_readmes(tmp_path)
    for language, name in READMES.items():
        raw = (tmp_path / name).read_bytes()
        assert raw.startswith(b"\xef\xbb\xbf") and raw.count(b"\r\n") == raw.count(b"\n") > 50
        assert raw.decode("utf-8-sig").replace("\r\n", "\n") == readme(language)


def unpacked(stick, place):
    """The files of the archive, unpacked as a learner does it."""
    subprocess.run([sys.executable, "-m", "zipfile", "-e", stick / ARCHIVE, place], check=True, timeout=60)
    return {file.relative_to(place).as_posix() for file in place.rglob("*") if file.is_file()}


@pytest.mark.parametrize("with_git", [True, False])
def test_the_archive_holds_the_course_and_no_key(tmp_path, with_git):
    root = tmp_path / "der Kurs, übersetzt"
    root.mkdir()
    shutil.copy(ROOT / ".gitignore", root)
    ours = {"README.md", ".env.example", "agents/s01.py", "docs/zh/索引.md"}
    for name in [*ours, ".env", ".venv/key.py", "my/s01/1.py", "site/index.html", "agents/s01.pyc"]:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x", encoding="utf-8")
    if with_git:
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        for command in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "first"]):
            subprocess.run(["git", *command], cwd=root, env=clean_env(), check=True, timeout=60)
        (root / "later.txt").write_text("x", encoding="utf-8")
        assert contents.uncommitted(root) == 1
    place = root / "stick"  # in the repository itself
    place.mkdir()
    contents.pack(place, root)
    found = unpacked(place, tmp_path / "home")
    assert found == {f"{FOLDER}/{name}" for name in ours | {".gitignore"}}


# ---- what is downloaded

CONTENT = b"a wheel " * 20_000


class Index(BaseHTTPRequestHandler):
    """Serves CONTENT; what is called "cut" ends half-way, "gone" is not there."""

    def do_GET(self):
        if "gone" in self.path:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT[: len(CONTENT) // 2] if "cut" in self.path else CONTENT)

    def log_message(self, *args):
        pass


@pytest.fixture
def wheel():
    """wheel(name) -> a Wheel that a server on this machine serves."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def make(name, content=CONTENT):
        url = f"http://127.0.0.1:{server.server_port}/{name}"
        return Wheel(name, url, len(content), hashlib.sha256(content).hexdigest())

    yield make
    server.shutdown()
    server.server_close()


def test_what_is_whole_is_kept_and_counted(wheel, tmp_path):
    one = wheel("one.whl")
    assert not have(one, tmp_path)
    assert sum(fetch([one], tmp_path)) == one.size
    assert have(one, tmp_path) and [file.name for file in tmp_path.iterdir()] == ["one.whl"]
    (tmp_path / "one.whl").write_bytes(CONTENT[:-1])
    assert not have(one, tmp_path)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [("cut.whl", CONTENT, "downloaded"), ("gone.whl", CONTENT, "404"), ("other.whl", b"else", "not kept")],
)
def test_what_is_not_whole_is_not_kept(wheel, tmp_path, name, content, says, monkeypatch):
    monkeypatch.setenv("COURSE_LANG", "en")
    with pytest.raises(Problem, match=says) as problem:
        list(fetch([wheel("first.whl"), wheel(name, content), wheel("last.whl")], tmp_path))
    assert name in str(problem.value) and "\n" not in str(problem.value)
    assert [file.name for file in tmp_path.glob("*.whl")] == ["first.whl"]


# ---- what is refused


def one_sentence(run, status):
    assert (run.returncode, run.stdout) == (status, "") and len(run.stderr.splitlines()) == 1
    return run.stderr


def test_bad_input_gets_a_sentence_and_nothing_is_touched(tmp_path):
    file = tmp_path / "a file"
    file.write_text("mine", encoding="utf-8")
    assert "is a file" in one_sentence(stick(file), 1)
    assert "a file" in one_sentence(stick(file / "below"), 1)
    (tmp_path / SITE).mkdir()
    assert "holds site" in one_sentence(stick(tmp_path), 1)
    assert "known are linux-x86_64" in one_sentence(stick(tmp_path, "--systems", "amiga"), 2)
    assert "known are 3.11" in one_sentence(stick(tmp_path, "--pythons", "3.11,"), 2)
    assert {each.name for each in tmp_path.iterdir()} == {"a file", SITE}
    assert file.read_text(encoding="utf-8") == "mine"


def test_without_uv_it_says_how_to_get_it(tmp_path):
    start = "import sys; sys.modules['uv'] = None; from course.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "stick", str(tmp_path / "new")]
    run = subprocess.run(command, cwd=ROOT, env=clean_env(PATH=""), capture_output=True, encoding="utf-8", timeout=60)
    assert "pip install uv" in one_sentence(run, 1)


@pytest.mark.extra  # needs uv
def test_without_a_network_it_says_so(tmp_path):
    away = {"HTTPS_PROXY": "http://127.0.0.1:9", "UV_HTTP_RETRIES": "0", "UV_CACHE_DIR": str(tmp_path / "cache")}
    run = stick(tmp_path / "new", **away)
    assert "package index could not be asked" in one_sentence(run, 1)
    assert not any((tmp_path / "new").iterdir())


# ---- a learner installs from it

ARM = platform.machine() in ("aarch64", "arm64")
HERE = ("macos-arm" if ARM else "macos-intel") if sys.platform == "darwin" else f"linux-{platform.machine()}"


def lines_of(language, system, upto):
    """The lines that a README has for a system, the last of them beginning with `upto`."""
    part = readme(language).split(system, 1)[1]
    lines = [line.strip() for line in part.splitlines() if line.startswith("    ")]
    return lines[: next(number for number, line in enumerate(lines) if line.startswith(upto)) + 1]


@POSIX
@pytest.mark.extra  # needs uv, and downloads what the lessons need
def test_a_learner_without_a_network_installs_from_it(tmp_path):
    place, home = tmp_path / "mein Übungsstick", tmp_path / "Zuhause Ä"
    python = "%d.%d" % sys.version_info[:2]  # noqa: UP031
    one = ("--systems", HERE, "--pythons", python)
    made = stick(place, *one)
    assert made.returncode == 0, made.stdout + made.stderr
    said = json.loads((place / "stick.json").read_text(encoding="utf-8"))
    assert said["complete"] and said["pairs"] == [{"system": HERE, "python": python}] and not said["missing"]
    assert {file.name for file in (place / WHEELS).iterdir()} == set(said["wheels"])
    for page in ("index.html", "zh/index.html", "de/lessons/s01/index.html"):
        assert "127.0.0.1" not in (place / SITE / page).read_text(encoding="utf-8")

    home.mkdir()
    shutil.rmtree(place / SITE)  # only the packages are needed
    # A network namespace of its own has loopback alone. Where there can be none, PIP_NO_INDEX is all that holds pip.
    loopback = "ip link set lo up"
    closed = ["unshare", "-rn"] if subprocess.run(["sh", "-c", f"unshare -rn {loopback}"]).returncode == 0 else []
    script = ["set -e", *([loopback] if closed else []), f'cd "{place}"']
    script += lines_of("en", "LINUX", "make s01")
    script += lines_of("en", "make,", ".venv/bin/python agents")
    env = clean_env(
        HOME=str(home), PIP_NO_COMPILE="1", PATH=os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    )
    run = subprocess.run(
        [*closed, "sh", "-c", "\n".join(script)],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=500,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    assert run.stdout.count("turn 2: end_turn") == 2 == run.stdout.count("stand-in answers")


def test_nothing_is_missing_in_the_archive_of_this_repository(tmp_path):
    """What a learner unpacks has what the lines need."""
    contents.pack(tmp_path)
    with zipfile.ZipFile(tmp_path / ARCHIVE) as packed:
        names = set(packed.namelist())
    needed = {"Makefile", "pyproject.toml", "course/bootstrap.py", "agents/s01_agent_loop.py", "docs/en/setup.md"}
    assert {f"{FOLDER}/{name}" for name in needed} <= names
    assert not {name for name in names if name.rpartition("/")[2] == ".env" or "/.venv/" in name}
