"""The bash scene: each job played in a real folder, by the script of s07 and by real commands over the core."""

import re
import shutil
import subprocess
import sys
import tomllib
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.standin.replies import bash, reply
from course.standin.replies.bash_repair import problem_in, repair
from course.standin.replies.bash_shells import Shell, shell_named_in
from tests.conftest import run_script

from .loop import play

PROMPTS = tomllib.loads(resources.files(bash.__package__).joinpath("bash_prompts.toml").read_text(encoding="utf-8"))
TOOL = {
    "name": "bash",
    "description": "Run a command.",
    "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}
posix = pytest.mark.skipif(sys.platform == "win32" or not shutil.which("python3"), reason="commands for bash")


def body(prompt, *exchanges, system="", language_tools=(TOOL,)):
    """A request: the prompt, then (command, result) pairs; a result is a text, or a text and whether it is an error."""
    messages = [{"role": "user", "content": prompt}]
    for n, (command, result) in enumerate(exchanges):
        content, is_error = result if isinstance(result, tuple) else (result, False)
        call = {"type": "tool_use", "id": f"toolu_{n}", "name": "bash", "input": {"command": command}}
        told = {"type": "tool_result", "tool_use_id": f"toolu_{n}", "content": content, "is_error": is_error}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [told]}]
    return {"model": "claude-sonnet-5-5", "messages": messages, "tools": list(language_tools), "system": system}


def commands_of(played):
    """The commands that a reply asks for."""
    return [block["input"]["command"] for block in played.content if block["type"] == "tool_use"]


def text_of(played):
    return "\n".join(block["text"] for block in played.content if block["type"] == "text")


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


# --- what a prompt asks for -------------------------------------------------------------------------------------------

ROWS = [(job, language, prompt) for job, rows in PROMPTS.items() for language in rows for prompt in rows[language]]


@pytest.mark.parametrize("job, language, prompt", ROWS, ids=[prompt for *_, prompt in ROWS])
def test_a_prompt_leads_to_its_job_in_its_language(job, language, prompt):
    assert bash.job_for(bash.Scene(prompt, language, Shell("bash"))).__name__ == job
    nobody = "Error: PermissionError: not run, because nobody is there to approve it: no terminal, and no --yes"
    end = text_of(reply(body(prompt, ("ls", (nobody, True)))))
    assert end == bash.TEXTS.get(language, "nobody")


def test_every_job_is_in_the_table_in_each_language():
    jobs = "create list_files branch make_folder fix count_lines run show look_around".split()
    assert list(PROMPTS) == jobs
    assert all(set(rows) == {"en", "de", "zh"} for rows in PROMPTS.values())


def test_every_text_is_there_in_each_language_with_the_same_values():
    for name, texts in bash.TEXTS.texts.items():
        assert set(texts) == {"en", "de", "zh"}, name
        fields = {language: set(re.findall(r"\{(\w+)\}", text)) for language, text in texts.items()}
        assert fields["en"] == fields["de"] == fields["zh"], name
        assert texts["en"].isascii(), name


# --- with the script of s07 -------------------------------------------------------------------------------------------

DAY = {  # prompts in order, and the words of each answer
    "en": [
        ("Create hello.py that prints a greeting and run it", "it works. It prints: Hello, world!"),
        (
            "Make a folder test_output with three files",
            "test_output is there, with file1.txt, file2.txt and file3.txt.",
        ),
        ("List all Python files", "I found one .py file:\n    hello.py"),
        (
            "Count the lines of the files by type",
            "All in all 4 lines in 4 files:\n    .txt: 3 lines in 3 files\n    .py: 1 ",
        ),
        ("Which git branch is this?", "This folder is in no git repository"),
        (
            "Tell me a joke",
            "It holds hello.py and test_output.\nMore than looking I can't do about this: I'm the course's",
        ),
    ],
    "de": [
        ("Erstelle hello.py, das einen Gruß ausgibt, und führe es aus", "funktioniert. Die Ausgabe: Hallo, Welt!"),
        ("Leg einen Ordner test_output mit drei Dateien an", "ist angelegt, darin file1.txt, file2.txt und file3.txt."),
        ("Liste alle Python-Dateien auf", "Ich habe eine .py-Datei gefunden:\n    hello.py"),
        (
            "Zähl die Zeilen der Dateien nach Typ",
            "4 Zeilen in 4 Dateien:\n    .txt: 3 Zeilen in 3 Dateien\n    .py: 1 Zeile ",
        ),
        ("Welcher Git-Branch ist das?", "Dieser Ordner gehört zu keinem Git-Repository"),
        ("Erzähl mir einen Witz", "Hier liegen: hello.py und test_output.\nMehr als nachsehen kann ich dazu nicht"),
    ],
    "zh": [
        ("创建 hello.py，打印一句问候，并运行它", "hello.py 已经写好，运行正常。输出：你好，世界！"),
        ("建一个 test_output 文件夹，里面放三个文件", "已经建好，里面有 file1.txt、file2.txt、file3.txt。"),
        ("列出所有 Python 文件", "找到 1 个 .py 文件：\n    hello.py"),
        ("按类型统计文件的行数", "一共 4 个文件，4 行：\n    .txt：3 个文件，3 行\n    .py：1 个文件，1 行"),
        ("现在是哪个 git 分支？", "这个文件夹不在 git 仓库里"),
        ("讲个笑话", "这里有：hello.py、test_output。\n这件事我只能做到这里：我是课程的本地替身"),
    ],
}
GREETING = {"en": "Hello, world!", "de": "Hallo, Welt!", "zh": "你好，世界！"}
FILE = {"en": "File", "de": "Datei", "zh": "文件"}


def session(recorder, workspace, prompts):
    """Run s07 with these lines; check that nothing was refused; return what it printed."""
    server = recorder()
    arguments = ["--yes", "--workspace", str(workspace)]
    done = run_script("agents/s07_bash_agent.py", *arguments, stdin="\n".join(prompts), **server.env)
    assert (done.status, "Traceback" in done.err) == (0, False), done.err
    assert {each.status for each in server.exchanges} == {200}
    return done.out


@posix
@pytest.mark.parametrize("language", DAY)
def test_the_jobs_of_a_day(recorder, tmp_path, language):
    out = session(recorder, tmp_path, [prompt for prompt, _ in DAY[language]])
    for prompt, words in DAY[language]:
        answer = out[out.index(f"> {prompt}\n") :].partition(": end_turn\n")[2].partition("\n> ")[0]
        assert words in answer
    assert (tmp_path / "hello.py").read_text(encoding="utf-8") == f'print("{GREETING[language]}")\n'
    assert {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "test_output").iterdir()} == {
        f"file{n}.txt": f"{FILE[language]} {n}\n" for n in (1, 2, 3)
    }


BROKEN = """def average(numbers):
    total = 0
    for number in numbers:
        total += number
    return totl / len(numbers)


print("Average: " + average([2, 4, 6]))
"""
FIXED = BROKEN.replace("totl", "total").replace("average([2, 4, 6])", "str(average([2, 4, 6]))")


@posix
@pytest.mark.parametrize(
    "prompt, answer",
    [
        ("Fix the failing script", "now broken.py runs. It prints: Average: 4.0"),
        ("Repariere broken.py", "jetzt läuft broken.py. Die Ausgabe: Average: 4.0"),
        ("broken.py 运行出错，帮我修好", "broken.py 可以正常运行了。输出：Average: 4.0"),
    ],
)
def test_a_failing_script_is_read_run_changed_and_run_again_until_it_works(recorder, tmp_path, prompt, answer):
    (tmp_path / "broken.py").write_text(BROKEN, encoding="utf-8")
    out = session(recorder, tmp_path, [prompt])
    asked = re.findall(r"^  \$ (.*)", out, re.MULTILINE)
    write = "cat > broken.py <<'EOF'"
    run = "python3 broken.py"
    assert asked == ["ls -A", "cat broken.py", run, write, run, write, run]
    assert answer in out
    assert (tmp_path / "broken.py").read_text(encoding="utf-8") == FIXED


@posix
@pytest.mark.skipif(not shutil.which("git"), reason="no git")
def test_the_branch_of_a_repository(recorder, tmp_path):
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.com"]
    for arguments in (["init", "-q", "-b", "lesson-7"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run([*git, *arguments], cwd=tmp_path, check=True)
    out = session(recorder, tmp_path, ["Which git branch is this?", "Auf welchem Branch bin ich?", "当前分支是什么？"])
    for words in ("You are on the branch lesson-7.", "Du bist auf dem Branch lesson-7.", "当前分支是 lesson-7。"):
        assert words in out
    subprocess.run([*git, "checkout", "-q", "--detach"], cwd=tmp_path, check=True)
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert f"HEAD is detached, at commit {commit.stdout.strip()}." in session(recorder, tmp_path, ["Which branch?"])


# --- over the core, with real commands --------------------------------------------------------------------------------


@posix
def test_a_file_that_is_already_there_is_read_and_left_alone_until_told_otherwise(work, tmp_path):
    (tmp_path / "hello.py").write_text("print('mine')\n", encoding="utf-8")
    played = work("Create hello.py that greets")
    assert "left it as it is" in played.text
    assert (tmp_path / "hello.py").read_text(encoding="utf-8") == "print('mine')\n"
    played = work("Overwrite it", history=played.messages)
    assert "It prints: Hello, world!" in played.text
    assert (tmp_path / "hello.py").read_text(encoding="utf-8") == 'print("Hello, world!")\n'
    assert "so I changed nothing" in work("Create hello.py that greets").text


@posix
def test_an_interrupted_job_goes_on_when_told_to(work, tmp_path):
    lost = ("Error: interrupted by the user, may have partly run", True)
    history = [*body("Erstelle hello.py mit einem Gruß", ("ls -A", lost))["messages"]]
    assert "Hallo, Welt!" in work("weiter", history=history).text
    assert (tmp_path / "hello.py").exists()


@posix
def test_files_in_a_folder_that_exists_are_not_overwritten(work, tmp_path):
    (tmp_path / "test_output").mkdir()
    (tmp_path / "test_output" / "file2.txt").write_text("mine", encoding="utf-8")
    assert "file1.txt, file3.txt and file4.txt" in work("Make a folder test_output with three files").text
    assert (tmp_path / "test_output" / "file2.txt").read_text(encoding="utf-8") == "mine"


@posix
def test_folders_below_hidden_ones_left_out_and_names_with_blanks(work, tmp_path):
    for name in ("a.py", "below/b c.py", "below/ü.md", ".hidden/d.py", "noend"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("1\n2\n", encoding="utf-8")
    assert work("List all Python files").text == "I found 2 .py files:\n    a.py\n    below/b c.py"
    assert work("Count the lines by file type").text == (
        "All in all 8 lines in 4 files:\n    .py: 4 lines in 2 files\n    .md: 2 lines in 1 file\n"
        "    without an ending: 2 lines in 1 file"
    )
    assert "no .json files here" in work("Are there JSON files? List the files.").text
    assert work("Count the lines of all Python files").text == (
        "All in all 4 lines in 2 files:\n    .py: 4 lines in 2 files"
    )
    assert work("How many lines does each Markdown file have? File by file.").text == (
        "All in all 2 lines in 1 file:\n    below/ü.md: 2 lines"
    )


@posix
def test_names_and_texts_in_chinese_prompts_are_taken_as_they_are_meant(work, tmp_path):
    assert work("新建文件夹 logs").text == "logs 已经建好。"
    assert work("创建 notes.txt，内容是：买牛奶").text == "notes.txt 共 1 行。内容：买牛奶"
    assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "买牛奶\n"


@posix
@pytest.mark.parametrize(
    "prompt, file, printed",
    [
        ('Make greet.py that prints "Guten Tag" and run it', "greet.py", "Guten Tag"),
        ("写一个numbers.py，打印 1 到 3，然后运行", "numbers.py", "\n    1\n    2\n    3"),
        ("Write src/today.py that prints today's date and run it", "src/today.py", "20"),
        ("Create wait.py that sleeps for 0 seconds", "wait.py", "\n    waiting 0 s\n    done"),
    ],
)
def test_other_small_scripts(work, tmp_path, prompt, file, printed):
    assert printed in work(prompt).text
    assert (tmp_path / file).exists()


@posix
def test_running_and_showing_a_script(work, tmp_path):
    (tmp_path / "five.py").write_text("for n in range(5):\n    print(n)\n", encoding="utf-8")
    (tmp_path / "bad.py").write_text("print(1 / 0)\n", encoding="utf-8")
    (tmp_path / "quit.py").write_text("raise SystemExit(3)\n", encoding="utf-8")
    played = work("Run five.py")
    assert [calls[0][1]["command"] for calls in played.rounds] == ["ls -A", "cat five.py", "python3 five.py"]
    assert played.text.endswith("\n    0\n    1\n    2\n    3\n    4")
    assert "stops in line 1 with an error: ZeroDivisionError: division by zero" in work("Run bad.py").text
    assert "exit code 3" in work("Run quit.py").text
    assert "There is no six.py here. It holds bad.py, five.py and quit.py." in work("Run six.py").text
    assert "Lines in five.py: 2." in work("Show five.py").text
    assert "I can't read six.py" in work("Show six.py").text
    assert "Which one do you mean: bad.py, five.py or quit.py?" in work("Fix the script").text
    assert "runs without an error, so I changed nothing" in work("Fix five.py").text


REPAIRS = {
    "misspelt name": ("total = 1\nprint(totla)", "total = 1\nprint(total)"),
    "missing import": ("print(math.sqrt(4))", "import math\nprint(math.sqrt(4))"),
    "import behind #!": ("#!/x\nprint(math.pi)", "#!/x\nimport math\nprint(math.pi)"),
    "import with others": ("''\nimport os\nos, math.pi", "''\nimport math\nimport os\nos, math.pi"),
    "misspelt method": ("a = []\na.apend(1)\nprint(a)", "a = []\na.append(1)\nprint(a)"),
    "misspelt module": ("import maths\nprint(1)", "import math\nprint(1)"),
    "colon": ("for n in range(2)\n    print(n)", "for n in range(2):\n    print(n)"),
    "bracket": ("print(len([1, 2])", "print(len([1, 2]))"),
    "quote": ('print("hello)', 'print("hello")'),
    "print of old": ('print "hello"', 'print("hello")'),
    "comparison": ("a = 1\nif a = 1:\n    print(a)", "a = 1\nif a == 1:\n    print(a)"),
    "indent": ("def f():\nreturn 1\nprint(f())", "def f():\n    return 1\nprint(f())"),
    "zero": ("a = []\nmean = sum(a) / len(a)", "a = []\nmean = sum(a) / len(a) if a else 0"),
    "text and number": ('n = 3\nprint("n is " + n)', 'n = 3\nprint("n is " + str(n))'),
    "number and text": ('n = 3\nprint(n + " files")', 'n = 3\nprint(str(n) + " files")'),
    "one too far": ("a = [1]\nprint(a[len(a)])", "a = [1]\nprint(a[-1])"),
    "loop too far": ("a = [1]\nfor i in range(len(a) + 1):\n    a[i]", "a = [1]\nfor i in range(len(a)):\n    a[i]"),
}


@posix
@pytest.mark.parametrize("name", REPAIRS)
def test_a_fault_is_repaired(work, tmp_path, name):
    before, after = REPAIRS[name]
    (tmp_path / "x.py").write_text(before, encoding="utf-8")
    assert "now x.py runs" in work("Fix x.py").text
    assert (tmp_path / "x.py").read_text(encoding="utf-8") == after + "\n"


@posix
@pytest.mark.parametrize(
    "source", ["print({}['key'])", "import nosuchmodule_xyz", "open('absent.txt')", "assert 1 == 2"]
)
def test_what_only_the_user_can_decide_is_left_to_the_user(work, tmp_path, source):
    (tmp_path / "x.py").write_text(source, encoding="utf-8")
    assert "I leave it to you" in work("Fix x.py").text
    assert (tmp_path / "x.py").read_text(encoding="utf-8") == source


def test_a_traceback_of_windows_is_understood():
    output = """  File "C:\\work\\x.py", line 1, in <module>\nNameError: name 'math' is not defined"""
    problem = problem_in(output, "x.py")
    assert problem == ("NameError", "name 'math' is not defined", 1)
    assert repair("print(math.pi)", problem).source == "import math\nprint(math.pi)"


# --- results that end a job -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "prompt, result, words",
    [
        ("Run x.py", "not run, because the user declined it: n", ["You declined this", "ls -A"]),
        ("Starte x.py", "not run, because the user declined it: n", ["Das hast du abgelehnt", "ls -A"]),
        ("运行 x.py", "not run, because the user declined it: n", ["你拒绝了这条命令", "ls -A"]),
        ("Run x.py", "ended after 30 s, with all it had started. Until then:\nfirst", ["30 seconds", "printed: first"]),
        ("Starte x.py", "ended after 30 s, with all it had started. Until then:\n(no output)", ["nach 30 Sekunden"]),
        ("运行 x.py", "ended after 30 s, with all it had started. Until then:\nfirst", ["超过 30 秒", "first"]),
        ("Run x.py", "interrupted by the user, may have partly run", ["may have run in part"]),
        ("Run x.py", "embedded null byte", ["could not be started", "embedded null byte"]),
    ],
)
def test_a_result_that_ends_the_job(prompt, result, words):
    kind = {"not": "PermissionError: ", "end": "TimeoutError: ", "emb": "ValueError: "}.get(result[:3], "")
    played = reply(body(prompt, ("ls -A", (f"Error: {kind}{result}", True))))
    assert played.stop_reason == "end_turn"
    for part in words:
        assert part in text_of(played)


def test_an_exit_code_that_was_not_expected_ends_the_job():
    played = reply(body("Create hello.py that greets", ("ls -A", "exit code 2\nls: cannot open directory '.'")))
    assert text_of(played) == "I stop here: exit code 2 from ls -A\nIt printed: ls: cannot open directory '.'"


def test_where_python_has_another_name_that_is_tried():
    said = [("ls -A", "exit code 0\nx.py"), ("cat x.py", "exit code 0\nprint(1)")]
    missing = ("python3 x.py", "exit code 127\nbash: python3: command not found")
    assert commands_of(reply(body("Run x.py", *said, missing))) == ["python x.py"]
    end = reply(body("Run x.py", *said, missing, ("python x.py", "exit code 0\n1")))
    assert text_of(end) == "x.py ran to its end. It printed: 1"


@pytest.mark.parametrize("result", ["hello\n(exit code 0)", "Exit code: 0\nhello", "hello", "[exit status 0]\nhello"])
def test_other_forms_of_a_result_are_understood(result):
    said = [("ls -A", "x.py"), ("cat x.py", "print('hello')"), ("python3 x.py", result)]
    assert text_of(reply(body("Run x.py", *said))) == "x.py ran to its end. It printed: hello"


def test_output_without_its_middle_is_noticed():
    said = [("ls -A", "exit code 0\nx.py"), ("cat x.py", "exit code 0\n...")]
    said.append(("python3 x.py", "exit code 0\n1\n2\n[... 5000 bytes are missing here ...]\n9999\n10000"))
    assert "the middle is missing. The last line is: 10000" in text_of(reply(body("Run x.py", *said)))


@settings(deadline=None)
@given(st.sampled_from(ROWS), st.lists(st.tuples(st.text(max_size=60), st.booleans()), min_size=8, max_size=8))
def test_it_ends_whatever_the_results_are(row, results):
    prompt, said = row[2], []
    for content, is_error in results:
        played = reply(body(prompt, *said))
        if played.stop_reason == "end_turn":
            assert text_of(played)
            return
        said += [(command, (content, is_error)) for command in commands_of(played)]
    assert reply(body(prompt, *said)).stop_reason == "end_turn"


# --- shells -----------------------------------------------------------------------------------------------------------


def test_the_shell_is_the_one_that_system_prompt_or_tool_names():
    assert shell_named_in("The shell is powershell on win32.") == Shell("powershell")
    assert shell_named_in("You run commands with cmd.exe") == Shell("cmd")
    assert shell_named_in("The shell is bash on linux.") == Shell("bash")
    system = "The shell is powershell on win32."
    assert commands_of(reply(body("Create hello.py that greets", system=system))) == ["Get-ChildItem -Force -Name"]
    listed = ("Get-ChildItem -Force -Name", "exit code 0\n(no output)")
    assert commands_of(reply(body("Create hello.py that greets", listed, system=system))) == [
        "@'\nprint(\"Hello, world!\")\n'@ | Set-Content -Encoding UTF8 hello.py"
    ]


def test_words_are_quoted_for_each_shell():
    assert [Shell(name).read("a b'c.py") for name in ("bash", "powershell", "cmd")] == [
        "cat 'a b'\"'\"'c.py'", "Get-Content -Encoding UTF8 'a b''c.py'", 'type "a b\'c.py"',
    ]  # fmt: skip
    assert Shell("cmd").write("x.py", 'if a < 1:\n\n    print("50%")') == (
        '(echo if a ^< 1:& echo.& echo     print^(^"50^%^"^))> x.py'
    )


@posix
def test_a_text_that_holds_the_mark_of_its_end_is_written_whole(tmp_path):
    text = "a\nEOF\n$HOME `ls` \\n\n"
    subprocess.run(["bash", "-c", Shell("bash").write("d/x", text)], cwd=tmp_path, check=True)
    assert (tmp_path / "d" / "x").read_text(encoding="utf-8") == text


# --- tools ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tool, given",
    [
        ({"name": "run_command", "properties": {"cmd": {"type": "string"}}}, {"cmd": "git branch --show-current"}),
        (
            {"name": "Bash", "properties": {"command": {"type": "string"}, "description": {"type": "string"}},
             "required": ["command", "description"]},
            {"command": "git branch --show-current", "description": "unknown"},
        ),
    ],
)  # fmt: skip
def test_other_tools_that_run_commands(tool, given):
    schema = {"type": "object", "properties": tool["properties"], "required": tool.get("required", [])}
    tools = [{"name": tool["name"], "description": "", "input_schema": schema}]
    played = reply(body("Which git branch is this?", language_tools=tools))
    assert [block["input"] for block in played.content if block["type"] == "tool_use"] == [given]


def test_small_talk_runs_nothing():
    for prompt in ("Hello!", "Danke!", "谢谢"):
        assert reply(body(prompt)).stop_reason == "end_turn"
