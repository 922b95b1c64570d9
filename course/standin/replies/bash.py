"""The bash scene: a careful coding agent with a tool that runs commands. It looks, writes, runs and checks.

A job is a generator: it yields steps (commands to ask for), is sent their results and returns what to say at the end.
For every request the job is played from its beginning with the results so far, so that a reply stays a function of the
request alone. Results that end any job (declined, timed out ...) are dealt with in one place, _perform().
"""

import json
import re
import shlex
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from course.standin.talk import Call, Reply, Talk, ask_for, say

from . import schema, slots, when
from .wording import join
from .words import Texts, Words, language_of, look, pattern, table

STATES = ("nobody", "declined", "late", "stopped")  # why a command gave no exit code: patterns of bash.toml
TOTAL = ("total", "insgesamt", "总计", "总用量", "合計")
MOST_FILES = 20

text = Texts("bash")


@dataclass(slots=True)
class Result:
    """What came of a command: `state` is "done", why it did not run to its end, or "failed" (not started at all)."""

    command: str
    state: str
    code: int
    output: str
    limit: str = ""

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()


def read(call: Call, command: str) -> Result:
    said = call.result or ""
    found = look("bash", "exit").search(said)
    if not found and call.is_error:
        state = next((state for state in STATES if look("bash", state).search(said[:300])), "failed")
        limit = look("bash", "limit").search(said[:300])
        output = said.strip() if state == "failed" else said.partition("\n")[2].rstrip()
        return Result(command, state, 1, output, limit[1] if limit else "")
    output = said[: found.start()] + said[found.end() :].removeprefix("\n") if found else said
    output = "" if output.strip() in ("(no output)", "(empty)") else output.rstrip()
    return Result(command, "done", int(found[1]) if found else int(call.is_error), output)


@dataclass(frozen=True, slots=True)
class Shell:
    """The commands, for bash (and all that is like it) or for PowerShell."""

    power: bool

    def pick(self, bash: str, powershell: str) -> str:
        return powershell if self.power else bash

    def quote(self, word: str) -> str:
        if not self.power:
            return shlex.quote(word)
        return word if re.fullmatch(r"[\w./-]+", word) else "'" + word.replace("'", "''") + "'"

    def look(self, folder: str = "") -> str:
        command = self.pick("ls -A", "Get-ChildItem -Force -Name")
        return f"{command} {self.quote(folder)}" if folder else command

    def read(self, file: str) -> str:
        return f"{self.pick('cat', 'Get-Content -Encoding UTF8')} {self.quote(file)}"

    def write(self, file: str, content: str) -> str:
        folder, _, _ = file.rpartition("/")
        command = self.pick(
            f"cat > {self.quote(file)} <<'EOF'\n{content}\nEOF",
            f"@'\n{content}\n'@ | Set-Content -Encoding UTF8 {self.quote(file)}",
        )
        return self.pick(" &&\n", "\n").join([self.folder(folder), command]) if folder else command

    def folder(self, folder: str) -> str:
        return self.pick(
            f"mkdir -p {self.quote(folder)}", f"New-Item -ItemType Directory -Force {self.quote(folder)} | Out-Null"
        )

    def python(self, file: str, other: bool = False) -> str:
        return f"{self.pick('python' if other else 'python3', 'py' if other else 'python')} {self.quote(file)}"

    def find(self, ending: str) -> str:
        only = f" -name '*{ending}'" if ending else ""
        return self.pick(
            f"find . -type f{only} -not -path '*/.*' | sort", f"Get-ChildItem -Recurse -File -Name -Filter '*{ending}'"
        )

    def count(self) -> str:
        return self.pick(
            "find . -type f -not -path '*/.*' -exec wc -l {} +",
            "Get-ChildItem -Recurse -File | ForEach-Object { '{0} {1}' -f @(Get-Content $_.FullName).Count, $_.Name }",
        )


@dataclass(slots=True)
class Step:
    """Commands for one reply, the sentence before them and its values; `may_fail` if the job goes on after an error."""

    commands: list[str]
    say: str = ""
    values: dict[str, object] | None = None
    may_fail: bool = False


Job = Generator[Step, list[Result], str]


class Scene:
    """What a prompt asks of the shell; `said`: which lists of words of bash.toml it has words of."""

    def __init__(self, talk: Talk, shell: Shell) -> None:
        prompt = talk.prompt
        go_on, overwrite = look("bash", "go_on"), look("bash", "overwrite")
        if go_on.fullmatch(prompt) or (overwrite.search(prompt) and not look("words", "file").search(prompt)):
            before = [turn.prompt for turn in talk.earlier if not go_on.fullmatch(turn.prompt)]
            prompt = "\n".join([*before[-1:], "" if go_on.fullmatch(prompt) else prompt]).strip()
        self.shell, self.words = shell, Words(prompt)
        self.language = language_of(prompt, *(turn.prompt for turn in reversed(talk.earlier)))
        self.overwrite = self.words.has(overwrite)
        self.files = slots.files(self.words)
        self.quoted = [quoted for quoted in self.words.quoted() if quoted not in self.files]
        content = self.words.take(look("bash", "content"))
        self.quoted += [match["text"].strip() for match in content if match["text"]]
        endings = table("bash")["endings"]
        written = [match[1] for match in self.words.take(look("bash", "ending"))]
        named = [ending for ending, words in endings.items() if re.search(words, prompt, re.IGNORECASE)]
        self.ending = (written or named or [""])[0]
        kinds = ("branch", "each", "greet", "run", "lines", "folder", "make", "show")
        self.said = {name for name in kinds if self.words.has(pattern("bash", name))}
        if content:
            self.said.add("content")
        if talk.earlier and "make" not in self.said and self.words.has(pattern("bash", "it")):
            self.files = list(dict.fromkeys([*slots.files(Words(talk.earlier[-1].prompt)), *self.files]))
        if pattern("bash", "things").search(prompt) or self.ending:
            self.said.add("things")
        numbers = [token for token in when.tokens(self.words.rest) if token.kind == "n" and token.text != "一"]
        self.count = int(numbers[-1].value) if numbers else 0
        for token in numbers if "folder" in self.said else ():
            self.words.mark(token.start, token.end)
        self.words.take(pattern("bash", "known"))
        self.name = ""
        if {"folder", "make"} <= self.said:
            self.name = next(filter(look("bash", "name").fullmatch, self.words.pieces()), "")
            if self.name:
                self.words.take(re.compile(re.escape(self.name)))

    def text(self, name: str, **values: object) -> str:
        return text(self.language, name, **values)


def _tool(talk: Talk) -> tuple[dict[str, Any], str] | None:
    """The tool that runs commands and the name of its argument."""
    for name, tool in talk.tools.items():
        if not look("bash", "tool").search(name):
            continue
        root = tool["input_schema"]
        for argument, about in schema.properties(root).items():
            takes_text = schema.kind_of(schema.first(about, root)) in ("string", "")
            if takes_text and look("bash", "argument").match(argument):
                return tool, argument
    return None


def fits(talk: Talk) -> bool:
    """Whether there is a tool that runs commands."""
    return _tool(talk) is not None


def play(talk: Talk) -> Reply | list[str]:
    """Do the job, step by step; what nobody understood, if there is something."""
    found = _tool(talk)
    assert found
    tool, argument = found
    told = f"{talk.system} {tool.get('description')}".lower()
    scene = Scene(talk, Shell(bool(re.search("powershell|pwsh", told))))
    said, files = scene.said, scene.files
    script = bool(files) and files[0].endswith(".py")
    jobs: list[tuple[object, Callable[[Scene], Job]]] = [
        ("branch" in said, branch),
        ({"make", "folder"} <= said and not files and scene.name, make_folder),
        (
            {"make", "content"} <= said and files and not script and scene.quoted and not said & {"run", "folder"},
            create,
        ),
        (
            "make" in said and (script or not files) and (scene.quoted or "greet" in said) and "content" not in said,
            create,
        ),
        ("lines" in said and not files, count_lines),
        ({"show", "things"} <= said and not files and "make" not in said, list_files),
        ("run" in said and script and "make" not in said, run),
        (said & {"show", "lines"} and files and not said & {"make", "run"}, show),
    ]
    job = next((job for fitting, job in jobs if fitting), None)
    left = scene.words.left(titles=True) + files[1:] + scene.quoted[1:]
    if job is None or left or (scene.quoted and job is not create) or (scene.count and job is not make_folder):
        return left or [scene.words.text]
    calls = [call for call in talk.calls if call.name == tool["name"]]
    return _perform(job(scene), scene, calls, tool, argument)


def _perform(job: Job, scene: Scene, calls: list[Call], tool: dict[str, Any], argument: str) -> Reply:
    """Play the job with the results there are; ask for the next commands, or say how it ended."""
    step = next(job)
    while True:
        mine, calls = calls[: len(step.commands)], calls[len(step.commands) :]
        results = [read(call, str(call.input.get(argument, ""))) for call in mine]
        for result in results:
            if result.state != "done" or (result.code and not step.may_fail):
                return say(_trouble(scene, result))
        if missing := step.commands[len(mine) :]:
            sentence = scene.text(step.say, **(step.values or {})) if step.say and not mine else ""
            inputs = (schema.complete({argument: command}, tool["input_schema"]) for command in missing)
            return ask_for(*((tool["name"], given) for given in inputs), text=sentence)
        try:
            step = job.send(results)
        except StopIteration as end:
            return say(end.value)


def _trouble(scene: Scene, result: Result) -> str:
    """What to say of a result that ends the job."""
    name = result.state if result.state != "done" else "exit_code"
    first, _, more = result.command.partition("\n")
    limit = scene.text("seconds", n=result.limit) if result.limit else scene.text("the_limit")
    told = scene.text(
        name, command=first[:100] + " ..." * bool(more), code=result.code, output=_quote(result.output), limit=limit
    )
    return told if result.output or name not in ("late", "exit_code") else told.split("\n")[0]


def _quote(output: str) -> str:
    """The output as the end of a sentence: one line behind it, several below it, the last of very many."""
    lines = output.splitlines()
    if len(lines) <= 1:
        return output[:300]
    lines = [*lines[:4], "...", *lines[-4:]] if len(lines) > 12 else lines
    return "\n" + "\n".join(f"    {line[:200]}" for line in lines)


# --- the jobs ---------------------------------------------------------------------------------------------------------


def create(scene: Scene) -> Job:
    shell, file = scene.shell, (scene.files or ["hello.py"])[0]
    wanted = (scene.quoted or [scene.text("greeting")])[0]
    script = file.endswith(".py")
    code = f"print({json.dumps(wanted, ensure_ascii=False)})" if script else wanted
    there = yield from _names(scene, file)
    same = file.rpartition("/")[2] in there
    if same:
        (old,) = yield Step([shell.read(file)], "exists", {"file": file})
        same = old.output.strip() == code
        if not same and not scene.overwrite:
            return scene.text("left_alone", file=file)
    if not same:
        yield Step([shell.write(file, code)], "write", {"file": file})
    if not script:
        return (yield from show(scene))
    result = yield from _run(scene, file)
    if result.code:
        return scene.text("script_exit", file=file, code=result.code, output=_quote(result.output))
    if result.output.strip() != wanted.strip():
        return scene.text("unexpected", file=file, expected=wanted, output=_quote(result.output))
    return scene.text("unchanged_works" if same else "works", file=file, output=_quote(result.output))


def run(scene: Scene) -> Job:
    file = scene.files[0]
    there = yield from _names(scene, file)
    if file.rpartition("/")[2] not in there:
        names = scene.text("names", names=join(there[:12], scene.language)) if there else scene.text("empty")
        return f"{scene.text('absent', file=file)} {names}"
    yield Step([scene.shell.read(file)], "read_first", {"file": file})
    result = yield from _run(scene, file)
    if result.code:
        return scene.text("script_exit", file=file, code=result.code, output=_quote(result.output))
    return scene.text("ran" if result.output else "ran_silently", file=file, output=_quote(result.output))


def show(scene: Scene) -> Job:
    file = scene.files[0]
    (result,) = yield Step([scene.shell.read(file)], "read", {"file": file}, may_fail=True)
    if result.code:
        return scene.text("unreadable", file=file, output=_quote(result.output))
    return scene.text("content", file=file, n=len(result.lines), output=_quote(result.output) or "-")


def branch(scene: Scene) -> Job:
    (result,) = yield Step(["git branch --show-current"], "branch", may_fail=True)
    if result.code in (127, 9009):
        return scene.text("no_git")
    if result.code:
        return scene.text("no_repository", output=_quote(result.output))
    if result.output:
        return scene.text("on_branch", branch=result.output.strip())
    (commit,) = yield Step(["git rev-parse --short HEAD"], "no_branch", may_fail=True)
    return scene.text("detached", commit=commit.output.strip())


def make_folder(scene: Scene) -> Job:
    shell, folder, count = scene.shell, scene.name, min(scene.count, MOST_FILES)
    (here,) = yield Step([shell.look()], "look")
    taken: list[str] = []
    if folder in here.lines:
        (inside,) = yield Step([shell.look(folder)], "folder_exists", {"folder": folder})
        taken = inside.lines
    free = (name for n in range(1, 1000) if (name := f"file{n}{scene.ending or '.txt'}") not in taken)
    names = [next(free) for _ in range(count)]
    lines = [
        shell.pick(
            f"echo '{scene.text('file')} {n}' > {shell.quote(f'{folder}/{name}')}",
            f"Set-Content -Encoding UTF8 {shell.quote(f'{folder}/{name}')} '{scene.text('file')} {n}'",
        )
        for n, name in enumerate(names, 1)
    ]
    yield Step([shell.pick(" &&\n", "\n").join([shell.folder(folder), *lines])], "make", {"folder": folder, "n": count})
    (after,) = yield Step([shell.look(folder)], "check", may_fail=True)
    if missing := [name for name in names if name not in after.lines]:
        return scene.text("not_made", folder=folder, names=join(missing, scene.language))
    return scene.text("made" if names else "made_empty", folder=folder, names=join(names, scene.language))


def list_files(scene: Scene) -> Job:
    (found,) = yield Step([scene.shell.find(scene.ending)], "find")
    names = [re.sub(r"^\.[/\\]", "", line) for line in found.lines]
    one = len(names) == 1
    kind = scene.text(("one" if one else "some") + ("_of_kind" if scene.ending else "_file"), ending=scene.ending)
    listed = "\n".join(f"    {name}" for name in names[:40]) + ("\n    ..." if len(names) > 40 else "")
    return scene.text(
        "found_one" if one else "found_files" if names else "none_found", kind=kind, n=len(names), names=listed
    )


def count_lines(scene: Scene) -> Job:
    (counted,) = yield Step([scene.shell.count()], "count", may_fail=True)
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    each = []
    for number, name in re.findall(r"^\s*(\d+) (.+)$", counted.output, re.M):
        base = re.split(r"[/\\]", name)[-1]
        ending = "." + base.rpartition(".")[2].lower() if "." in base[1:] else ""
        if name not in TOTAL and (not scene.ending or ending == scene.ending):
            lines[ending] += int(number)
            files[ending] += 1
            each.append(scene.text("row", kind=name.removeprefix("./"), **_amounts(scene, int(number), 1)))
    if not files:
        return scene.text("nothing_to_count")
    rows = [
        scene.text("row", kind=kind or scene.text("no_ending"), **_amounts(scene, n, files[kind]))
        for kind, n in lines.most_common()
    ]
    rows = sorted(each)[:40] if "each" in scene.said else rows
    return "\n    ".join([scene.text("counted", **_amounts(scene, lines.total(), files.total())), *rows])


def _amounts(scene: Scene, lines: int, files: int) -> dict[str, str]:
    both = {"lines": lines, "files": files}
    return {name: scene.text(f"n_{name}" + "_1" * (n == 1), n=n) for name, n in both.items()}


def _names(scene: Scene, file: str) -> Generator[Step, list[Result], list[str]]:
    """Look at the folder that the file is or would be in."""
    (here,) = yield Step([scene.shell.look()], "look")
    folder = file.rpartition("/")[0]
    if not folder or folder.partition("/")[0] not in here.lines:
        return here.lines if not folder else []
    (inside,) = yield Step([scene.shell.look(folder)], may_fail=True)
    return [] if inside.code else inside.lines


def _run(scene: Scene, file: str) -> Generator[Step, list[Result], Result]:
    (result,) = yield Step([scene.shell.python(file)], "run", {"file": file}, may_fail=True)
    if result.code in (127, 9009) or (
        result.code and re.search("not recognized|was not found|CommandNotFound", result.output)
    ):
        (result,) = yield Step([scene.shell.python(file, other=True)], "other_python", may_fail=True)
    return result


def examples(talk: Talk, language: str) -> list[str]:
    """Prompts to try."""
    return list(table("bash")["examples"][language])
