"""load_env() as a script meets it: each test runs a small script of its own in a process of its own.

Where a real key is set, requests go to a server of ours, so that nothing is sent to the API.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from course.env import unfit
from course.standin.app import create_app
from course.standin.core import Response, handle
from course.standin.server import start
from tests.conftest import ROOT, clean_env, run_script

KEY = "sk-ant-secret-0123456789"

SHOW = """
import json, os
from course import load_env
load_env()
print(json.dumps({name: value for name, value in os.environ.items()}))
"""

ASK = """
from course import load_env
load_env()
import anthropic
client = anthropic.Anthropic(max_retries=0)
reply = client.messages.create(
    model="claude-haiku-4-5", max_tokens=50, messages=[{"role": "user", "content": "Hello"}]
)
print("reply:", reply.content[0].text)
"""


def run(folder, code, *arguments, cwd=None, encoding="utf-8", python=(), status=0, **env):
    """Run the code as folder/script.py, which must end with this status. Returns (stdout, stderr)."""
    script = folder / "script.py"
    script.write_text(code, encoding="utf-8")
    keep = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TEMP") if name in os.environ}
    home = folder / "home"
    home.mkdir(exist_ok=True)
    env = keep | {"HOME": str(home), "USERPROFILE": str(home), "APPDATA": str(home), "COURSE_LANG": "en"} | env
    command = [sys.executable, *python, str(script), *arguments]
    done = subprocess.run(command, env=env, cwd=cwd or folder, capture_output=True, timeout=60)
    out, err = done.stdout.decode(encoding), done.stderr.decode(encoding)
    assert done.returncode == status, err
    assert "Traceback" not in err
    assert KEY not in out + err or code == SHOW
    return out, err


def environment(folder, **more):
    out, err = run(folder, SHOW, **more)
    return json.loads(out), err


@pytest.fixture
def endpoint():
    """A server that keeps the headers it was sent. Yields (base URL, list of headers)."""
    seen = []
    running = start(lambda: create_app(handle, lambda exchange: seen.append(exchange.headers)))
    yield running.base_url, seen
    running.stop()


# --- no key ----------------------------------------------------------------------------------------------------------


def test_without_a_key_the_stand_in_answers_and_says_so(tmp_path):
    out, err = run(tmp_path, ASK)
    assert out.startswith("reply: ")
    assert len(err.splitlines()) == 1
    assert "stand-in" in err and "not Claude" in err


@pytest.mark.parametrize("lang, word", [("zh", "本地替身"), ("de", "Double")])
def test_it_says_so_in_the_readers_language(tmp_path, lang, word):
    _, err = run(tmp_path, SHOW, COURSE_LANG=lang, PYTHONUTF8="1")
    assert word in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk"])
@pytest.mark.parametrize("lang", ["zh", "de"])
def test_no_console_breaks_the_output(tmp_path, lang, encoding):
    code = "from course import load_env\nload_env()\nprint('95°F, 成都, Zürich')"
    out, _ = run(tmp_path, code, COURSE_LANG=lang, PYTHONIOENCODING=encoding, encoding=encoding)
    assert "95" in out


@pytest.mark.parametrize(
    "proxies",
    [
        pytest.param(
            {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}, marks=pytest.mark.extra
        ),
        pytest.param({"http_proxy": "http://127.0.0.1:9"}, marks=pytest.mark.extra),
        {"ALL_PROXY": "socks5://127.0.0.1:9"},
        pytest.param({"all_proxy": "socks5h://127.0.0.1:9", "NO_PROXY": "example.com"}, marks=pytest.mark.extra),
    ],
)
def test_a_proxy_in_the_environment_does_not_come_between(tmp_path, proxies):
    assert run(tmp_path, ASK, **proxies)[0].startswith("reply: ")


def test_empty_variables_count_as_not_set(tmp_path):
    empty = {"ANTHROPIC_API_KEY": "", "ANTHROPIC_AUTH_TOKEN": " ", "ANTHROPIC_BASE_URL": "", "MODEL_ID": ""}
    env, err = environment(tmp_path, **empty)
    assert "stand-in" in err
    assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
    assert "MODEL_ID" not in env and "ANTHROPIC_AUTH_TOKEN" not in env


def test_a_second_call_changes_nothing(tmp_path):
    code = SHOW.replace("load_env()\n", "load_env()\nfirst = os.environ['ANTHROPIC_BASE_URL']\nload_env()\n", 1)
    env = json.loads(run(tmp_path, code + "assert first == os.environ['ANTHROPIC_BASE_URL']")[0])
    assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")


def test_a_refused_request_is_explained_by_one_line(tmp_path):
    code = ASK.replace('"claude-haiku-4-5"', '"claude-nope-9"').replace("reply = ", "try:\n    reply = ")
    code = code.replace("\n)\nprint", "\n)\nexcept anthropic.NotFoundError as error:\n    print(error.message)\n#")
    out, err = run(tmp_path, code, COURSE_SITE="http://course.example/docs/")
    assert "claude-nope-9" in out
    assert "model_not_found" in err and "http://course.example/docs/errors/#model_not_found" in err


# --- a key -----------------------------------------------------------------------------------------------------------


def test_a_key_in_the_environment_is_used(tmp_path):
    env, err = environment(tmp_path, ANTHROPIC_API_KEY=KEY)
    assert env["ANTHROPIC_API_KEY"] == KEY
    assert "ANTHROPIC_BASE_URL" not in env and "NO_PROXY" not in env
    assert "Talking to Claude" in err and "ANTHROPIC_API_KEY" in err


def test_a_key_in_dotenv_is_used_from_the_scripts_folder_up_to_the_courses_root(tmp_path):
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    (tmp_path / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\n", encoding="utf-8")
    deep = tmp_path / "Übungen mit Abstand" / "s01"
    deep.mkdir(parents=True)
    elsewhere = tmp_path.parent
    env, _ = environment(deep, cwd=elsewhere)
    assert env["ANTHROPIC_API_KEY"] == KEY


def test_a_dotenv_beyond_the_courses_root_is_somebody_elses(tmp_path):
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=https://thief.example\n", encoding="utf-8")
    course = tmp_path / "course"
    (course / "agents").mkdir(parents=True)
    (course / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    assert "thief" not in json.dumps(environment(course / "agents", ANTHROPIC_API_KEY=KEY)[0])


def test_a_script_elsewhere_reads_its_own_folder_alone(tmp_path):
    (tmp_path / "pyproject.toml").write_text('name = "another"', encoding="utf-8")
    (tmp_path / ".env").write_text("ANTHROPIC_BASE_URL=https://thief.example\n", encoding="utf-8")
    (tmp_path / "mine").mkdir()
    assert "thief" not in json.dumps(environment(tmp_path / "mine", ANTHROPIC_API_KEY=KEY)[0])
    (tmp_path / "mine" / ".env").write_text("MODEL_ID=my-model\n", encoding="utf-8")
    assert environment(tmp_path / "mine", ANTHROPIC_API_KEY=KEY)[0]["MODEL_ID"] == "my-model"


def test_the_working_directory_of_a_script_elsewhere_does_not_count(tmp_path):
    (tmp_path / "cwd").mkdir()
    (tmp_path / "cwd" / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\n", encoding="utf-8")
    (tmp_path / "script").mkdir()
    env, err = environment(tmp_path / "script", cwd=tmp_path / "cwd")
    assert "stand-in" in err and env["ANTHROPIC_API_KEY"] != KEY


def test_the_environment_wins_over_dotenv_unless_it_is_empty(tmp_path):
    (tmp_path / ".env").write_text(f"ANTHROPIC_API_KEY={KEY}\nMODEL_ID=from-file\n", encoding="utf-8")
    env, _ = environment(tmp_path, ANTHROPIC_API_KEY="", MODEL_ID="from-shell")
    assert (env["ANTHROPIC_API_KEY"], env["MODEL_ID"]) == (KEY, "from-shell")


@pytest.mark.parametrize(
    "line",
    [
        f"ANTHROPIC_API_KEY={KEY}   ",
        f"ANTHROPIC_API_KEY = {KEY}",
        f'ANTHROPIC_API_KEY="{KEY}"',
        f"ANTHROPIC_API_KEY=' {KEY} '",
        f"ANTHROPIC_API_KEY=“{KEY}”",
        f"export ANTHROPIC_API_KEY={KEY} # mine",
        f"\ufeffANTHROPIC_API_KEY={KEY}",
        f"ANTHROPIC_API_KEY={KEY}\r",
    ],
)
def test_blanks_and_quotes_around_a_key_are_taken_away(tmp_path, line):
    (tmp_path / ".env").write_bytes((line + "\n").encode())
    assert environment(tmp_path)[0]["ANTHROPIC_API_KEY"] == KEY


@pytest.mark.parametrize("value", [f"{KEY} ", f"{KEY}\n", f'"{KEY}"', f" '{KEY}' "])
def test_so_are_those_of_a_key_in_the_environment(tmp_path, value):
    assert environment(tmp_path, ANTHROPIC_API_KEY=value)[0]["ANTHROPIC_API_KEY"] == KEY


@pytest.mark.parametrize("text", ["", "ANTHROPIC_API_KEY=\n", "ANTHROPIC_API_KEY\n", "# nothing\n", "=\n\n[x]\n"])
def test_a_dotenv_without_a_key_means_the_stand_in(tmp_path, text):
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    assert "stand-in" in environment(tmp_path)[1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "gbk"])
def test_a_dotenv_in_another_encoding_is_explained(tmp_path, encoding):
    (tmp_path / ".env").write_bytes(f"# Schlüssel 密钥\nANTHROPIC_API_KEY={KEY}\n".replace("ü", "").encode(encoding))
    _, err = environment(tmp_path)
    assert "UTF-8" in err and str(tmp_path / ".env") in err and "stand-in" in err


def test_a_dotenv_folder_is_no_file(tmp_path):
    (tmp_path / ".env").mkdir()
    assert "stand-in" in environment(tmp_path)[1]


# --- offline on demand -----------------------------------------------------------------------------------------------


def test_course_offline_keeps_every_access_out_of_the_environment(tmp_path):
    (tmp_path / ".env").write_text(f"ANTHROPIC_AUTH_TOKEN={KEY}\n", encoding="utf-8")
    real = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": "https://gateway.example",
        "ANTHROPIC_CUSTOM_HEADERS": f"x-api-key: {KEY}",
        "ANTHROPIC_PROFILE": "work",
        "ANTHROPIC_LOG": "info",
    }
    env, err = environment(tmp_path, COURSE_OFFLINE="1", **real)
    assert KEY not in json.dumps(env)
    assert env["ANTHROPIC_BASE_URL"].startswith("http://127.0.0.1:")
    left = {name for name in env if name.startswith("ANTHROPIC_")}
    assert left == {"ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_LOG"}
    assert "stand-in" in err and "COURSE_OFFLINE" in err


def test_course_offline_forgets_the_model_of_another_endpoint(tmp_path):
    real = {"ANTHROPIC_BASE_URL": "https://gateway.example", "ANTHROPIC_API_KEY": KEY, "MODEL_ID": "other-model"}
    assert "MODEL_ID" not in environment(tmp_path, COURSE_OFFLINE="1", **real)[0]
    known = real | {"MODEL_ID": "claude-haiku-5-5"}
    assert environment(tmp_path, COURSE_OFFLINE="1", **known)[0]["MODEL_ID"] == "claude-haiku-5-5"


@pytest.mark.parametrize("value", ["0", "false", "", "no"])
def test_course_offline_can_be_switched_off(tmp_path, value):
    assert environment(tmp_path, COURSE_OFFLINE=value, ANTHROPIC_API_KEY=KEY)[0]["ANTHROPIC_API_KEY"] == KEY


# --- other ways to have access ---------------------------------------------------------------------------------------


def test_a_base_url_on_this_machine_needs_no_key_and_no_proxy(tmp_path, endpoint):
    url, seen = endpoint
    out, err = run(tmp_path, ASK, ANTHROPIC_BASE_URL=url, HTTP_PROXY="http://127.0.0.1:9")
    assert out.startswith("reply: ") and url in err
    assert "authorization" in seen[0]


def test_a_key_goes_to_the_base_url(tmp_path, endpoint):
    url, seen = endpoint
    out, err = run(tmp_path, ASK, ANTHROPIC_BASE_URL=url, ANTHROPIC_API_KEY=KEY)
    assert seen[0]["authorization"] == f"Bearer {KEY}"


def test_a_base_url_elsewhere_without_a_key_is_said_to_lack_one(tmp_path):
    _, err = run(tmp_path, SHOW, status=1, ANTHROPIC_BASE_URL="https://user:pass@gateway.example/x?token=abc")
    assert "https://gateway.example/x" in err and "ANTHROPIC_API_KEY" in err
    assert "pass" not in err and "abc" not in err


@pytest.mark.parametrize(
    "url",
    ["nonsense", "http://[", "http://:99999999", "//x", "127.0.0.1:8189", "http://127.0.0.1:8189/v1", "https://a b"],
)
def test_a_base_url_that_cannot_work_is_said_in_one_line(tmp_path, url):
    _, err = run(tmp_path, SHOW, status=1, ANTHROPIC_BASE_URL=url)
    assert "ANTHROPIC_BASE_URL" in says_one_line(err)


def says_one_line(err):
    """The only line on stderr, which sends the reader on."""
    (line,) = err.splitlines()
    assert line.startswith("[course] ") and line.endswith("`course doctor` says more.")
    return line


ODD = ["\n", "\r\n", " ", "\t", "\u00e9", "\u5bc6\u94a5", "\u200b", "\u00a0", "\x7f"]


@pytest.mark.parametrize("name", ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_BASE_URL"])
def test_characters_that_cannot_be_sent(name):
    assert all(unfit(name, f"{KEY[:12]}{odd}{KEY[12:]}") for odd in ODD)
    assert not unfit(name, KEY)
    assert not unfit("ANTHROPIC_CUSTOM_HEADERS", f"x-team: a b\nx-key: {KEY}")
    assert unfit("ANTHROPIC_CUSTOM_HEADERS", "x-team: \u00fc")


@pytest.mark.parametrize(("name", "odd"), [("ANTHROPIC_API_KEY", "\n"), ("ANTHROPIC_AUTH_TOKEN", "\u5bc6\u94a5")])
def test_one_is_said_in_one_line_without_the_key(tmp_path, name, odd):
    _, err = run(tmp_path, SHOW, status=1, **{name: f"{KEY[:12]}{odd}{KEY[12:]}"})
    assert name in says_one_line(err)
    assert KEY[:12] not in err and KEY[12:] not in err


def test_a_key_broken_in_two_by_the_dotenv(tmp_path):
    (tmp_path / ".env").write_text('ANTHROPIC_API_KEY="sk-SECRET\n123"\n', encoding="utf-8")
    _, err = run(tmp_path, ASK, status=1)
    assert "ANTHROPIC_API_KEY" in says_one_line(err) and "SECRET" not in err


# What the SDK's HTTP library trips over when a client is made, and the variable that is to blame.
OBSTACLES = [
    pytest.param("SSL_CERT_FILE", "/nowhere.pem", marks=pytest.mark.extra),
    pytest.param("SSL_CERT_FILE", __file__, marks=pytest.mark.extra),
    ("SSLKEYLOGFILE", "/nowhere/x"),
    pytest.param("ALL_PROXY", "socks5://127.0.0.1:9", marks=pytest.mark.extra),
    ("all_proxy", "socks://me:SECRET-word@127.0.0.1:9"),
    pytest.param("HTTPS_PROXY", "ftp://127.0.0.1:9", marks=pytest.mark.extra),
    pytest.param("NO_PROXY", "[::", marks=pytest.mark.extra),
]


@pytest.mark.parametrize(("name", "value"), OBSTACLES)
def test_what_keeps_the_client_from_being_made_is_named_with_a_key_and_left_out_without(tmp_path, name, value):
    code = "import anthropic\n" + ASK
    # Certificates named by a variable: only then is SSLKEYLOGFILE read.
    variables = {"SSL_CERT_DIR": str(tmp_path), name: value}
    assert run(tmp_path, code, **variables)[0].startswith("reply: ")
    _, err = run(tmp_path, code, status=1, ANTHROPIC_API_KEY=KEY, **variables)
    assert f"because of {name.upper()}" in says_one_line(err)
    assert "SECRET" not in err


def test_nor_does_a_watched_run_begin_with_such_a_key(tmp_path):
    command = [sys.executable, "-m", "course", "run", "s01", "--wire"]
    env = clean_env(ANTHROPIC_API_KEY=f"{KEY[:12]}\n{KEY[12:]}")
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and done.stdout == ""
    assert "ANTHROPIC_API_KEY holds" in done.stderr and KEY[:12] not in done.stderr


def test_an_sdk_older_than_the_lessons(tmp_path):
    code = "import anthropic\nanthropic.__version__ = '0.20.0'\n" + SHOW
    _, err = run(tmp_path, code, status=1)
    assert "anthropic is 0.20.0" in says_one_line(err)


@pytest.mark.parametrize("body", [b'{"ok": true}', b"<html>Welcome</html>", b'{"type": "message", "content": null}'])
def test_what_is_no_message_ends_with_the_way_on(recorder, body):
    server = recorder(lambda *_request: Response(200, {"content-type": "text/html"}, [body]))
    script = ROOT / "agents" / "s01_agent_loop.py"
    ended = run_script(script, **server.env)
    assert ended.status == 1
    assert ended.err.splitlines()[-1].endswith("`course doctor` says more.")


def test_an_exception_that_quotes_the_key_is_shown_without_it(tmp_path):
    code = SHOW + f"raise RuntimeError('refused: {KEY}')"
    script = tmp_path / "script.py"
    script.write_text(code.replace("print(", "str("), encoding="utf-8")
    ended = run_script(script, ANTHROPIC_API_KEY=KEY)
    assert ended.err.splitlines()[-1] == "RuntimeError: refused: ***"


# --- streams and arguments -------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the streams")
@pytest.mark.parametrize("streams", ["<&- >&- 2>&-", pytest.param("0>/dev/null 2>/dev/full", marks=pytest.mark.extra)])
def test_closed_streams_do_not_end_a_run(tmp_path, streams):
    reads = ASK.replace("print(", "import sys; sys.stdin.read()\nprint(") + "open('done', 'w').close()\n"
    (tmp_path / "script.py").write_text(reads, encoding="utf-8")
    shell = f'"{sys.executable}" script.py {streams}'
    done = subprocess.run(shell, shell=True, cwd=tmp_path, env=clean_env(), capture_output=True, timeout=60, input=b"")
    # 120: what Python itself returns for a stderr that takes nothing.
    assert done.returncode == (120 if "full" in streams else 0), done.stderr
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "done").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="arguments are text there")
def test_an_invalid_byte_in_an_argument_is_replaced(tmp_path):
    code = "import sys\nfrom course import load_env\nload_env()\nprint(sys.argv[1])"
    assert run(tmp_path, code, b"Wetter in K\xf6ln?", PYTHONUTF8="1")[0] == "Wetter in K\ufffdln?\n"


def profile(folder: Path, name: str) -> None:
    (folder / "configs").mkdir(parents=True)
    (folder / "configs" / f"{name}.json").write_text("{}", encoding="utf-8")


@pytest.mark.parametrize(
    "make, env, found",
    [
        (lambda d: profile(d, "default"), {}, True),
        (lambda d: profile(d, "work"), {}, False),  # the SDK would not find it either
        (lambda d: (profile(d, "work"), (d / "active_config").write_text("work\n", encoding="utf-8")), {}, True),
        (lambda d: None, {"ANTHROPIC_PROFILE": "work"}, True),
        (lambda d: None, {"ANTHROPIC_AUTH_TOKEN": KEY}, True),
        (
            lambda d: None,
            {"ANTHROPIC_FEDERATION_RULE_ID": "r", "ANTHROPIC_ORGANIZATION_ID": "o", "ANTHROPIC_IDENTITY_TOKEN": KEY},
            True,
        ),
        (lambda d: None, {"ANTHROPIC_FEDERATION_RULE_ID": "r", "ANTHROPIC_ORGANIZATION_ID": "o"}, False),
    ],
)
def test_the_sdks_other_credentials_count(tmp_path, make, env, found):
    config = tmp_path / "config"
    config.mkdir()
    make(config)
    after, err = environment(tmp_path, ANTHROPIC_CONFIG_DIR=str(config), **env)
    assert ("Talking to Claude" in err) is found
    assert ("ANTHROPIC_BASE_URL" in after) is not found


def test_a_profile_in_the_default_place(tmp_path):
    home = tmp_path / "home"
    profile(home / "Anthropic" if sys.platform == "win32" else home / ".config" / "anthropic", "default")
    assert "profile" in environment(tmp_path)[1]


def test_we_look_for_profiles_where_the_sdk_does(tmp_path, endpoint):
    """The SDK itself, with a profile that holds a base URL: load_env leaves it alone, and the request arrives."""
    url, seen = endpoint
    config = tmp_path / "config"
    profile(config, "default")
    (config / "configs" / "default.json").write_text(
        json.dumps({"base_url": url, "authentication": {"type": "user_oauth"}}), encoding="utf-8"
    )
    (config / "credentials").mkdir()
    (config / "credentials" / "default.json").write_text(
        json.dumps({"type": "oauth_token", "access_token": KEY, "expires_at": 4102444800}), encoding="utf-8"
    )
    (config / "credentials" / "default.json").chmod(0o600)
    out, err = run(tmp_path, ASK, ANTHROPIC_CONFIG_DIR=str(config))
    assert out.startswith("reply: ") and "profile" in err
    assert seen[0]["authorization"] == f"Bearer {KEY}"
