"""`course doctor` on the machine: Python, environment, packages, console, port, loop. Each fault is made for real."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from course.commands.doctor import CHECKS
from tests.conftest import ROOT, clean_env


def one(findings):
    (finding,) = findings
    return finding


def test_a_healthy_machine(patient):
    run = patient.run()
    assert run.returncode == 0, run.stdout
    assert run.stdout.rstrip().endswith("The lessons will run, with the stand-in.")
    assert "FAIL" not in run.stdout
    findings = patient.examine()
    assert list(dict.fromkeys(finding["check"] for finding in findings)) == list(CHECKS)
    for finding in findings:
        # A cure for every complaint, and no cure where there is none.
        assert (finding["status"] == "ok") == (finding["cure"] == ""), finding


@pytest.mark.parametrize(
    ("lang", "verdict"), [("de", "Die Lektionen laufen, mit dem Double."), ("zh", "课程可以运行，使用本地替身。")]
)
def test_it_speaks_the_readers_language(patient, lang, verdict):
    run = patient.run("python", "credentials", COURSE_LANG=lang)
    assert run.stdout.rstrip().endswith(verdict)


def test_chinese_findings_stand_behind_a_chinese_colon(patient):
    assert "密钥：没有" in patient.run("credentials", COURSE_LANG="zh").stdout


def test_one_check_alone_and_an_unknown_one(patient):
    assert {finding["check"] for finding in patient.examine("loopback")} == {"loopback"}
    run = patient.run("heart")
    assert run.returncode == 2
    assert run.stderr.startswith("course: There is no check heart; the checks are python, ")


def old_pythons():
    return sorted(Path.home().glob(".pyenv/versions/3.[0-9].*/bin/python")) + sorted(
        Path.home().glob(".pyenv/versions/3.10.*/bin/python")
    )


@pytest.mark.parametrize("python", old_pythons(), ids=lambda path: path.parts[-3])
def test_a_python_that_is_too_old_is_told_so(patient, python):
    run = subprocess.run(
        [python, "-m", "course", "doctor"], cwd=patient.folder, capture_output=True, encoding="utf-8", timeout=60
    )
    assert run.returncode == 1
    assert run.stderr.startswith("The course needs Python 3.11 or newer; this is ")
    assert len(run.stderr.splitlines()) == 1


def base_python():
    """The Python that the virtual environment was made from."""
    name = "python.exe" if sys.platform == "win32" else "bin/python3"
    return Path(sys.base_prefix) / name


def test_no_virtual_environment(patient):
    packages = next(
        path for path in sys.path if path.endswith("site-packages") and Path(path).is_relative_to(sys.prefix)
    )
    run = patient.run(
        "environment", python=[str(base_python())], PYTHONPATH=os.pathsep.join([str(patient.folder), packages])
    )
    assert "none: packages go into the Python of the whole machine" in run.stdout
    assert "-m venv .venv`" in run.stdout


def test_python_and_pip_of_another_environment(patient, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    for name in ("python", "pip"):
        program = other / (f"{name}.exe" if sys.platform == "win32" else name)
        program.write_bytes(b"")
        program.chmod(0o755)
    scripts = str(Path(sys.executable).parent)
    wrong = one(patient.examine("environment", PATH=os.pathsep.join([str(other), scripts])))
    assert wrong["status"] == "warn"
    assert "python, pip" in wrong["found"]
    # The cure: activated, this environment comes first.
    assert one(patient.examine("environment", PATH=os.pathsep.join([scripts, str(other)])))["status"] == "ok"


def metadata(folder, name, version, requires=()):
    """Lay a distribution of this version in front of the real one, as an old installation would lie there."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {name}",
        f"Version: {version}",
        *(f"Requires-Dist: {r}" for r in requires),
    ]
    (info / "METADATA").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_an_sdk_that_is_too_old(patient, tmp_path):
    metadata(tmp_path / "old", "anthropic", "0.84.0")
    path = os.pathsep.join([str(patient.folder), str(tmp_path / "old")])
    finding = one(patient.examine("packages", PYTHONPATH=path))
    assert finding["status"] == "fail"
    assert finding["found"].startswith("anthropic is 0.84.0; the lessons need ")
    assert "-m pip install -e ." in finding["cure"]


def test_a_package_that_is_missing(patient, tmp_path):
    metadata(tmp_path / "new", "agent-loop-course", "9", ["no-such-package>=1,<2", "anthropic; extra == 'never'"])
    path = os.pathsep.join([str(patient.folder), str(tmp_path / "new")])
    assert one(patient.examine("packages", PYTHONPATH=path))["found"] == "no-such-package is missing"


def test_a_python_without_the_packages(patient, tmp_path):
    subprocess.run([str(base_python()), "-m", "venv", "--without-pip", tmp_path / "bare"], check=True, timeout=120)
    python = tmp_path / "bare" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    run = patient.run(python=[str(python)])
    assert run.returncode == 1
    assert "the course itself is not installed in this Python" in run.stdout
    assert f"`{python} -m pip install -e .`" in run.stdout
    assert "Traceback" not in run.stdout + run.stderr
    for command in (["run", "s01"], ["check", "s01/1"], ["serve"]):
        run = subprocess.run(
            [python, "-m", "course", *command],
            cwd=patient.folder,
            env=clean_env(),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )
        assert run.returncode == 2 and run.stdout == ""
        assert run.stderr == (
            f"course: {python} has no package anthropic. `{python} -m pip install -e .`, in the folder of the course.\n"
        )


@pytest.mark.skipif(sys.platform == "win32", reason="Windows needs rights for a link")
def test_the_environment_of_the_course_is_named_to_another_python(patient):
    scripts = patient.folder / ".venv" / "bin"
    scripts.mkdir(parents=True)
    (scripts / "python").symlink_to(sys.executable)
    run = patient.run("environment", python=[str(base_python())])
    assert "Activate it (`source .venv/bin/activate`) or write `.venv/bin/python` for python." in run.stdout


@pytest.mark.parametrize("name", ["course", "anthropic"])
@pytest.mark.parametrize("kind", ["module", "package"])
def test_a_name_that_hides_the_real_one(patient, name, kind):
    """A learner's own anthropic.py beside the lessons; a folder called course."""
    fake = patient.folder / "agents" / (f"{name}.py" if kind == "module" else name)
    if kind == "package":
        fake.mkdir()
        (fake / "__init__.py").write_text("", encoding="utf-8")
    else:
        fake.write_text("", encoding="utf-8")
    finding = one(patient.examine("packages"))
    assert finding["status"] == "fail"
    assert f"`import {name}` finds {fake}" in finding["found"]
    fake.rename(fake.with_name("mine.py" if kind == "module" else "mine"))
    assert one(patient.examine("packages"))["status"] == "ok"


def test_a_console_without_umlauts_and_chinese(patient):
    # As Python does it for a console of an older Windows, and for a pipe there.
    poor = one(patient.examine("console", PYTHONUTF8="0", PYTHONIOENCODING="cp1252"))
    assert poor["status"] == "warn"
    assert "PYTHONUTF8" in poor["cure"]
    run = patient.run("console", PYTHONUTF8="0", PYTHONIOENCODING="cp1252", COURSE_LANG="zh")
    assert (run.returncode, run.stderr) == (0, "")
    assert one(patient.examine("console", PYTHONUTF8="1"))["status"] == "ok"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can take the network away from one process")
def test_no_port_on_loopback(patient):
    """A network namespace of its own has a loopback interface that is down."""
    unshare = [shutil.which("unshare") or "unshare", "--net"]
    if subprocess.run([*unshare, "true"], capture_output=True, timeout=20).returncode:
        unshare.append("--map-root-user")
        if subprocess.run([*unshare, "true"], capture_output=True, timeout=20).returncode:
            pytest.skip("this machine does not allow network namespaces")
    run = patient.run("loopback", "loop", python=[*unshare, sys.executable])
    assert run.returncode == 1
    assert "FAIL  port on loopback: 127.0.0.1 cannot be used" in run.stdout
    assert "Allow Python to use 127.0.0.1" in run.stdout
    assert "FAIL  two turns with the stand-in: s01 stopped" in run.stdout


def test_a_lesson_that_the_reader_broke(patient):
    lesson = patient.folder / "agents" / "s01_agent_loop.py"
    whole = lesson.read_text(encoding="utf-8")
    lesson.write_text(whole.replace("def main():", "def main(:"), encoding="utf-8")
    finding = one(patient.examine("loop"))
    assert finding["status"] == "fail"
    assert "SyntaxError" in finding["found"]
    assert "-m course run s01 --offline" in finding["cure"]
    lesson.write_text(whole, encoding="utf-8")
    assert one(patient.examine("loop"))["status"] == "ok"


def test_colour_only_where_it_can_be_shown():
    plain = subprocess.run(
        [sys.executable, "-m", "course", "doctor", "python"],
        cwd=ROOT,
        env=clean_env(),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    coloured = subprocess.run(
        [sys.executable, "-m", "course", "doctor", "python"],
        cwd=ROOT,
        env=clean_env(FORCE_COLOR="1"),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert "\x1b[" not in plain.stdout
    assert "\x1b[32mok\x1b[0m" in coloured.stdout


@pytest.mark.parametrize("place", ["agents/random.py", "random.py", "random/__init__.py", "mine/random.py"])
def test_a_file_named_as_a_module_of_python(patient, place):
    path = patient.folder / place
    path.parent.mkdir(exist_ok=True)
    path.write_text("x = 1\n", encoding="utf-8")
    paths = os.pathsep.join([str(patient.folder), str(patient.folder / "mine")])
    run = patient.run("python", PYTHONPATH=paths)
    assert run.returncode == 1 and not run.stderr
    hides = path.parent if path.name == "__init__.py" else path
    assert f"{hides} hides Python's own module random" in run.stdout
    assert f"Give {hides} another name" in run.stdout


def test_a_file_that_the_doctor_itself_would_trip_over(patient):
    patient.write("json.py", "x = 1\n")
    run = patient.run()
    assert run.returncode == 1 and not run.stderr
    assert "json.py hides Python's own module json" in run.stdout


def test_another_anthropic_on_pythonpath(patient):
    (patient.folder / "mine" / "anthropic").mkdir(parents=True)
    patient.write("mine/anthropic/__init__.py", "x = 1\n")
    finding = one(
        patient.examine("packages", PYTHONPATH=os.pathsep.join([str(patient.folder), str(patient.folder / "mine")]))
    )
    assert finding["status"] == "fail"
    assert finding["found"].startswith(f"`import anthropic` finds {patient.folder / 'mine' / 'anthropic'}")


def test_a_model_that_does_not_exist(patient):
    patient.write(".env", "MODEL_ID=gpt-4\n")
    finding = one(patient.examine("loop"))
    assert finding["status"] == "fail"
    assert finding["cure"].startswith("Take MODEL_ID out of")
