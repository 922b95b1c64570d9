"""`course doctor` and the key: the .env in the shapes that people really have it in, and the variables beside it."""

import subprocess
import sys

import pytest

from tests.conftest import ROOT, clean_env

SHELL = ("powershell", "-NoProfile", "-Command") if sys.platform == "win32" else ("sh", "-c")

KEY = "sk-ant-api03-SECRET-not-to-be-shown-0123456789"
LINE = f"ANTHROPIC_API_KEY={KEY}\n"


@pytest.fixture(autouse=True)
def _never_shows_the_key(patient):
    """Whatever a test does, what the doctor prints is free of the key."""
    run = patient.run

    def checked(*args, **env):
        result = run(*args, **env)
        assert "SECRET" not in result.stdout + result.stderr
        return result

    patient.run = checked
    yield
    patient.run = run


def key(patient, **env):
    return patient.examine("credentials", **env)


def by_status(findings, status):
    return [finding for finding in findings if finding["status"] == status]


def test_no_key(patient):
    assert key(patient) == [
        {
            "check": "credentials",
            "name": "key",
            "status": "ok",
            "found": "none: the lessons use the stand-in",
            "cure": "",
        }
    ]


def test_where_a_good_key_comes_from(patient):
    path = patient.write(".env", LINE)
    (finding,) = key(patient)
    assert (finding["status"], finding["found"]) == ("ok", f"ANTHROPIC_API_KEY, from {path}")
    (finding,) = key(patient, ANTHROPIC_API_KEY=KEY)
    assert finding["found"] == "ANTHROPIC_API_KEY, from the environment"


def test_course_offline(patient):
    patient.write(".env", LINE)
    assert key(patient, COURSE_OFFLINE="1")[-1]["found"].startswith("COURSE_OFFLINE is set")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_as_powershell_writes_it(patient, encoding):
    path = patient.write(".env", LINE.replace("\n", "\r\n").encode(encoding))
    (failure,) = by_status(key(patient), "fail")
    assert failure["found"] == f"{path} is in UTF-16, so the lessons cannot read it"
    assert "UTF-8" in failure["cure"].upper() or "utf8" in failure["cure"]
    # The cure.
    patient.write(".env", path.read_bytes().decode(encoding).encode())
    assert [finding["status"] for finding in key(patient)] == ["ok"]


def test_a_byte_order_mark(patient):
    path = patient.write(".env", b"\xef\xbb\xbf" + LINE.encode())
    warning, source = key(patient)
    assert warning["status"] == "warn"
    assert "byte order mark" in warning["found"]
    assert source["found"] == f"ANTHROPIC_API_KEY, from {path}"
    patient.write(".env", LINE)
    assert [finding["status"] for finding in key(patient)] == ["ok"]


def test_an_umlaut_in_the_encoding_of_an_old_windows(patient):
    path = patient.write(".env", f"# Schlüssel\n{LINE}".encode("cp1252"))
    (failure,) = by_status(key(patient), "fail")
    assert failure["found"] == f"{path} is not in UTF-8 (line 1)"


@pytest.mark.parametrize("name", [".env.txt", "env.txt"])
def test_a_name_that_notepad_made(patient, name):
    path = patient.write(name, LINE)
    warning, source = key(patient)
    assert warning["status"] == "warn"  # the lessons run, with the stand-in
    assert warning["found"] == f"{path} is not read: the name must be .env"
    assert source["found"] == "none: the lessons use the stand-in"
    command = [sys.executable, patient.folder / "agents" / "s01_agent_loop.py"]
    env = clean_env(**patient.env)
    lesson = subprocess.run(command, env=env, capture_output=True, encoding="utf-8", timeout=60)
    assert lesson.returncode == 0 and f"[course] {path} is not read: the name must be .env\n" in lesson.stderr
    subprocess.run([*SHELL, warning["cure"].strip("`")], check=True)
    assert [finding["status"] for finding in key(patient)] == ["ok"]


def test_a_misnamed_file_beside_a_good_one_is_only_a_note(patient):
    patient.write(".env.txt", LINE)
    patient.write(".env", LINE)
    assert [finding["status"] for finding in key(patient)] == ["warn", "ok"]


def test_a_key_behind_the_hash_of_the_example(patient):
    path = patient.write(".env", f"# Your key.\n#{LINE}# ANTHROPIC_AUTH_TOKEN=\n")
    warning, source = key(patient)
    assert warning["status"] == "warn"
    assert warning["found"] == f"ANTHROPIC_API_KEY in line 2 of {path} stands behind a #, so it is not read"
    assert source["found"] == "none: the lessons use the stand-in"
    patient.write(".env", LINE)
    assert [finding["status"] for finding in key(patient)] == ["ok"]


def test_the_example_as_it_is_delivered_raises_no_doubt(patient):
    patient.write(".env", (ROOT / ".env.example").read_bytes())
    assert [finding["status"] for finding in key(patient)] == ["ok"]


def test_only_the_key_in_the_file(patient):
    path = patient.write(".env", f"# my key\n{KEY}\n")
    (failure,) = by_status(key(patient), "fail")
    assert failure["found"] == f"line 2 of {path} sets nothing"
    assert "ANTHROPIC_API_KEY=" in failure["cure"]


@pytest.mark.parametrize(
    "value",
    [f'"{KEY}"', f" {KEY} ", f"{KEY}\r", f"\u201c{KEY}\u201d"],
    ids=["quotes", "blanks", "carriage return", "typographic quotes"],
)
def test_quotes_and_blanks_in_the_environment(patient, value):
    (warning,) = by_status(key(patient, ANTHROPIC_API_KEY=value), "warn")
    assert warning["found"].startswith("ANTHROPIC_API_KEY in the environment has blanks or quotes around it")
    assert [finding["status"] for finding in key(patient, ANTHROPIC_API_KEY=KEY)] == ["ok"]


def test_typographic_quotes_in_the_file(patient):
    path = patient.write(".env", f"ANTHROPIC_API_KEY=„{KEY}“\n")
    (warning,) = by_status(key(patient), "warn")
    assert f"ANTHROPIC_API_KEY in {path} has blanks or quotes around it" in warning["found"]


@pytest.mark.parametrize("value", [KEY[:20] + " " + KEY[20:], KEY + "é", KEY[:20] + "\n" + KEY[20:]])
def test_a_character_that_no_key_has(patient, value):
    (failure,) = by_status(key(patient, ANTHROPIC_API_KEY=value), "fail")
    assert failure["found"].startswith("ANTHROPIC_API_KEY in the environment holds a blank or a character")


def test_key_and_token(patient):
    both = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_AUTH_TOKEN": KEY[::-1]}
    (warning,) = by_status(key(patient, **both), "warn")
    assert warning["found"] == "ANTHROPIC_API_KEY and ANTHROPIC_AUTH_TOKEN are both set; the SDK uses the first"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no empty variables")
def test_an_empty_variable_that_hides_the_file(patient):
    path = patient.write(".env", LINE)
    warning, source = key(patient, ANTHROPIC_API_KEY="")
    assert warning["status"] == "warn"
    assert "is set in the environment, but empty" in warning["found"]
    assert warning["cure"].startswith("`unset ANTHROPIC_API_KEY`")
    assert source["found"] == f"ANTHROPIC_API_KEY, from {path}"


def test_another_key_in_the_environment_than_in_the_file(patient):
    patient.write(".env", LINE)
    (warning,) = by_status(key(patient, ANTHROPIC_API_KEY=KEY + "2"), "warn")
    assert "the environment's wins" in warning["found"]
    assert "ANTHROPIC_API_KEY" in warning["cure"]


def test_a_profile_of_the_sdk(patient, tmp_path):
    (tmp_path / "profile" / "configs").mkdir(parents=True)
    (tmp_path / "profile" / "configs" / "default.json").write_text("{}", encoding="utf-8")
    (finding,) = key(patient, ANTHROPIC_CONFIG_DIR=str(tmp_path / "profile"))
    assert finding["found"] == "a profile of the SDK on this machine"


def address(patient, url, **env):
    (finding,) = patient.examine("address", ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=url, **env)
    return finding


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        ("https://example.com/v1", "ANTHROPIC_BASE_URL=https://example.com"),
        ("https://example.com/anthropic/v1/", "ANTHROPIC_BASE_URL=https://example.com/anthropic"),
        ("https://example.com/v1/messages", "ANTHROPIC_BASE_URL=https://example.com"),
    ],
)
def test_an_address_that_ends_in_v1(patient, url, cure):
    finding = address(patient, url)
    assert finding["status"] == "fail"
    assert finding["cure"] == cure
    assert address(patient, cure.removeprefix("ANTHROPIC_BASE_URL="))["status"] == "ok"


@pytest.mark.parametrize(
    ("url", "cure"),
    [
        ("example.com", "ANTHROPIC_BASE_URL=https://example.com"),
        ("127.0.0.1:8189", "ANTHROPIC_BASE_URL=http://127.0.0.1:8189"),
        ("localhost:8089", "ANTHROPIC_BASE_URL=http://localhost:8089"),
        ("https//example.com", "https://"),
        ("https://", "https://"),
        ("https://[::1", "https://"),
    ],
)
def test_an_address_without_scheme_or_host(patient, url, cure):
    finding = address(patient, url)
    assert finding["status"] == "fail"
    assert cure in finding["cure"]


def test_an_address_without_a_key(patient):
    (failure,) = by_status(key(patient, ANTHROPIC_BASE_URL="https://example.com"), "fail")
    assert failure["found"] == "ANTHROPIC_BASE_URL is set, but no key for it"


def test_a_password_in_the_address_is_not_shown(patient):
    finding = address(patient, "http://me:SECRET-word@example.com")
    assert finding["status"] == "warn"
    assert finding["found"].startswith("http://example.com sends your key without encryption")


@pytest.mark.parametrize("line", [f'ANTHROPIC_API_KEY="{KEY}', f"ANTHROPIC_API_KEY: {KEY}", f"my key = {KEY}"])
def test_a_line_that_nothing_can_read(patient, line):
    """A quotation mark that is not closed, a colon for the =, blanks in the name."""
    path = patient.write(".env", f"# mine\n{line}\n")
    (warning,) = by_status(key(patient), "warn")
    assert warning["found"] == f"line 2 of {path} cannot be read, so it sets nothing"
    assert warning["cure"].startswith("Write NAME=value, as in ANTHROPIC_API_KEY= with the key behind it")


def test_a_name_and_nothing_else(patient):
    patient.write(".env", "ANTHROPIC_API_KEY\n")
    (warning,) = by_status(key(patient), "warn")
    assert warning["cure"].startswith("Write NAME=value, as in ANTHROPIC_API_KEY= with")


def test_of_two_lines_alike_the_right_one_is_named(patient):
    path = patient.write(".env", f"MODEL_ID=a\n{KEY}\nMODEL_ID=b\nexport X\n{KEY}\n")
    found = [finding["found"] for finding in key(patient)]
    assert f"MODEL_ID stands in lines 1 and 3 of {path}; the last one counts" in found
    assert f"line 2 of {path} sets nothing" in found and f"line 5 of {path} sets nothing" in found


def test_a_key_that_is_none(patient):
    (warning,) = by_status(key(patient, ANTHROPIC_API_KEY="your-key-here"), "warn")
    assert "does not begin with sk-ant-" in warning["found"]


def test_the_doctors_own_words_are_not_taken_for_the_key(patient):
    run = patient.run("credentials", "loop", ANTHROPIC_API_KEY="stand-in", COURSE_OFFLINE="1")
    assert "two turns with the stand-in: s01 asked" in run.stdout and "***" not in run.stdout


def test_a_folder_called_env(patient):
    (patient.folder / ".env").mkdir()
    (warning,) = by_status(key(patient), "warn")
    assert warning["found"] == f"{patient.folder / '.env'} is a folder, so nothing is read from it"
