"""The bash scene: each job in a real folder, by the script of s07 and by real commands over the core."""

import re
import shutil
import subprocess
import sys

import pytest

from course.standin.replies import play as player
from course.standin.replies.words import table
from course.standin.talk import Talk
from tests.conftest import run_script

from .loop import play
from .toolsets import tool

TOOL = tool("bash", "Run a command.", command="string")
posix = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("python3"), reason="commands for bash")


def reply(prompt, *exchanges, system=""):
    """The reply to a prompt after (command, result) pairs; a result is a text, or a text and whether it is an error."""
    messages = [{"role": "user", "content": prompt}]
    for n, (command, result) in enumerate(exchanges):
        content, is_error = result if isinstance(result, tuple) else (result, False)
        call = {"type": "tool_use", "id": f"toolu_{n}", "name": "bash", "input": {"command": command}}
        told = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": content, "is_error": is_error}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [told]}]
    return player(Talk({"messages": messages, "tools": [TOOL], "system": system}))


def commands_of(played):
    return [block["input"]["command"] for block in played.content if block["type"] == "tool_use"]


@pytest.fixture
def work(tmp_path):
    """work(prompt) -> Played: a loop over the core with a tool that runs real commands in tmp_path."""

    def run(command):
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=30,
        )
        return f"exit code {done.returncode}\n{done.stdout.rstrip() or '(no output)'}"

    return lambda prompt, **more: play(prompt, ([TOOL], {"bash": run}), **more)


DAY = {  # prompts in order, and the words of each answer
    "en": [
        ("Create hello.py that prints a greeting and run it", "it works. It prints: Hello, world!"),
        (
            "Make a folder test_output with three files",
            "test_output is there, with file1.txt, file2.txt and file3.txt.",
        ),
        ("List all Python files", "I found one .py file:\n    hello.py"),
        ("Count the lines of the files by type", "All in all 4 lines in 4 files:\n    .txt: 3 lines in 3 files"),
        ("Which git branch is this?", "This folder is in no git repository"),
        ("Tell me a joke", "I'm a stand-in for Claude"),
    ],
    "de": [
        ("Erstelle hello.py, das einen Gruß ausgibt, und führe es aus", "funktioniert. Die Ausgabe: Hallo, Welt!"),
        ("Leg einen Ordner test_output mit drei Dateien an", "ist angelegt, darin file1.txt, file2.txt und file3.txt."),
        ("Liste alle Python-Dateien auf", "Ich habe eine .py-Datei gefunden:\n    hello.py"),
        ("Zähl die Zeilen der Dateien nach Typ", "4 Zeilen in 4 Dateien:\n    .txt: 3 Zeilen in 3 Dateien"),
        ("Welcher Git-Branch ist das?", "Dieser Ordner gehört zu keinem Git-Repository"),
        ("Erzähl mir einen Witz", "Ich bin ein Double"),
    ],
    "zh": [
        ("创建 hello.py，打印一句问候，并运行它", "hello.py 已经写好，运行正常。输出：你好，世界！"),
        ("建一个 test_output 文件夹，里面放三个文件", "已经建好，里面有 file1.txt、file2.txt 和 file3.txt。"),
        ("列出所有 Python 文件", "找到 1 个 .py 文件：\n    hello.py"),
        ("按类型统计文件的行数", "一共 4 个文件，4 行：\n    .txt：3 个文件，3 行"),
        ("现在是哪个 git 分支？", "这个文件夹不在 git 仓库里"),
        ("讲个笑话", "我是 Claude 的本地替身"),
    ],
}


@posix
@pytest.mark.parametrize("language", DAY)
def test_the_jobs_of_a_day_with_the_script_of_s07(recorder, tmp_path, language):
    server = recorder()
    prompts = [prompt for prompt, _ in DAY[language]]
    arguments = ["--yes", "--workspace", str(tmp_path)]
    done = run_script("agents/s07_bash_agent.py", *arguments, stdin="\n".join(prompts), **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False), done.err
    assert {each.status for each in server.exchanges} == {200}
    for prompt, words in DAY[language]:
        answer = done.out[done.out.index(f"> {prompt}\n") :].partition(": end_turn\n")[2].partition("\n> ")[0]
        assert words in answer
    assert (tmp_path / "hello.py").exists() and len(list((tmp_path / "test_output").iterdir())) == 3


@posix
def test_a_file_that_is_already_there_is_read_and_left_alone_until_told_otherwise(work, tmp_path):
    (tmp_path / "hello.py").write_text("print('mine')\n", encoding="utf-8")
    played = work("Create hello.py that greets")
    assert "left it as it is" in played.text
    assert (tmp_path / "hello.py").read_text(encoding="utf-8") == "print('mine')\n"
    played = work("Overwrite it", history=played.messages)
    assert "It prints: Hello, world!" in played.text


@posix
@pytest.mark.parametrize(
    "prompt",
    [
        "Delete all Python files",
        "Rename hello.py to bye.py",
        "Don't run hello.py",
        "Run hello.py as root",
        "Run hello.py twice",
        "Create hello.py that reads a number and prints its square",
        "Lösch hello.py",
        "Schreib ein Skript, das Primzahlen bis 100 ausgibt",
        "不要运行 hello.py",
        "写一个 sort.py，对数字排序",
    ],
)
def test_what_is_not_understood_runs_nothing(work, tmp_path, prompt):
    (tmp_path / "hello.py").write_text("print('mine')\n", encoding="utf-8")
    assert work(prompt).rounds == []


@pytest.mark.parametrize(
    ("prompt", "result", "words"),
    [
        ("Run x.py", "PermissionError: not run, because the user declined it: n", ["You declined this", "ls -A"]),
        ("Starte x.py", "PermissionError: not run, because the user declined it: n", ["Das hast du abgelehnt"]),
        ("运行 x.py", "PermissionError: not run, because the user declined it: n", ["你拒绝了这条命令"]),
        ("Run x.py", "TimeoutError: ended after 30 s, with all it had started.\nfirst", ["30 seconds", "first"]),
        ("Starte x.py", "TimeoutError: ended after 30 s, with all it had started.\nfirst", ["nach 30 Sekunden"]),
        ("Run x.py", "KeyboardInterrupt: interrupted by the user, may have partly run", ["may have run in part"]),
        ("Run x.py", "ValueError: embedded null byte", ["could not be started", "embedded null byte"]),
    ],
)
def test_a_result_that_ends_the_job(prompt, result, words):
    played = reply(prompt, ("ls -A", (f"Error: {result}", True)))
    assert played.stop_reason == "end_turn"
    for part in words:
        assert part in played.text


def test_where_python_has_another_name_that_is_tried():
    said = [("ls -A", "exit code 0\nx.py"), ("cat x.py", "exit code 0\nprint(1)")]
    missing = ("python3 x.py", "exit code 127\nbash: python3: command not found")
    assert commands_of(reply("Run x.py", *said, missing)) == ["python x.py"]
    assert reply("Run x.py", *said, missing, ("python x.py", "exit code 0\n1")).text == (
        "x.py ran to its end. It printed: 1"
    )


def test_powershell_gets_its_own_commands():
    system = "The shell is powershell on win32."
    assert commands_of(reply("Create hello.py that greets", system=system)) == ["Get-ChildItem -Force -Name"]
    listed = ("Get-ChildItem -Force -Name", "exit code 0\n(no output)")
    assert commands_of(reply("Create hello.py that greets", listed, system=system)) == [
        "@'\nprint(\"Hello, world!\")\n'@ | Set-Content -Encoding UTF8 hello.py"
    ]


@pytest.mark.parametrize("scene", ["weather", "calendar", "bash", "texts"])
def test_every_text_is_there_in_each_language_with_the_same_values(scene):
    for name, texts in table(scene)["texts"].items():
        assert set(texts) == {"en", "de", "zh"}, name
        fields = {language: set(re.findall(r"\{(\w+)\}", text)) for language, text in texts.items()}
        assert fields["en"] == fields["de"] == fields["zh"], name
        assert texts["en"].isascii(), name
