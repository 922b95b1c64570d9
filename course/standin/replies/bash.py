"""The bash scene: a careful coding agent with a tool that runs commands. It looks, writes, runs and checks.

A job is a generator: it yields steps (commands to ask for), is sent their results and returns what to say at the end.
For every request the job is played from its beginning with the results so far, so that a reply stays a function of the
request alone. Results that end any job (declined, timed out ...) are dealt with in one place, perform().
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from . import schema
from .answers import Reply, ask_for, say
from .bash_repair import Problem, problem_in, repair
from .bash_shells import Shell, shell_named_in
from .bash_texts import TEXTS
from .conversation import Call, Conversation, language_of
from .facts import content_in
from .general import computed
from .vocabulary import asked_by_name
from .wording import join, phrase

TOOL = re.compile(r"bash|shell|terminal|command|powershell|^exec", re.IGNORECASE)
COMMAND = re.compile(r"^(?:command|cmd|script|code|input)$", re.IGNORECASE)


# --- what a prompt asks for ------------------------------------------------------------------------------------------


def _words(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


MAKE = _words(
    r"\b(?:create|make|write|add|set up|put together|generate|build)\b",
    r"\b(?:need|want|would like) an? (?:\w+ ){0,2}(?:script|program|file|folder|directory)\b",
    r"\b(?:erstell|schreib|mach|leg|erzeug|bau)\w*|anlegen",
    r"\b(?:brauche|möchte|will|hätte gern) eine?n? (?:\w+ ){0,2}(?:skript|programm|\w*datei|ordner|verzeichnis)\b",
    "创建|新建|写|建一?个?|建立|生成|(?:需要|想要)一?个",
)
FOLDER = _words(r"\b(?:folder|directory)\b", "ordner|verzeichnis", "文件夹|目录")
FIX = _words(
    r"\b(?:fix|repair|debug)\b|\bsort (?:it|this|that|\S+\.py) out\b|\bget (?:it|\S+\.py) (?:to work|working)\b",
    r"\b(?:reparier|beheb|korrigier)\w*|in ordnung bringen|bring\w* .*in ordnung",
    "修复|修好|修一下|修正|改好|调试|搞定",
)
BRANCH = _words(
    r"\bbranch\b|\bam i on (?:main|master)\b", r"\bgit-?zweig\b|(?:welche[mr]|aktuelle[rn]?) zweig\b", "分支"
)
LINES = _words(
    r"\b(?:count|how many)\b.*\blines?\b|\blines? of code\b",
    r"\b(?:zähl\w*|wie ?viele)\b.*zeilen",
    "行数|(?:统计|数一?数|多少|几).*行",
)
FILES = _words(
    r"\b(?:list|show|find|which|what|how many|are there|search)\b.*\bfiles?\b",
    "dateien|skripte",
    "(?:列出|找出?|有哪些|查找|显示|多少).*(?:文件|脚本)|(?:文件|脚本).*(?:有哪些|列出来)|有什么文件",
)
CONTENTS = _words(  # of the folder: files are not named
    r"^\W*(?:ls|dir)\W*$|\b(?:list|show|what(?:'s| is)|see)\b.*\b(?:here|(?:folder|directory)(?:'s contents?)?)\W*$",
    r"\bwas (?:liegt|ist)\b.*\b(?:hier|ordner|verzeichnis)\W*$",
    r"\binhalt d(?:es|ieses)\b.*(?:ordners|verzeichnisses)\W*$",
    "(?:这里|目录里?|文件夹里?)面?有(?:什么|哪些)|(?:目录|文件夹)的内容",
)
EACH = _words(
    r"\b(?:each|every|per) file\b|\bfile by file\b", r"\bjede[rn]? datei\b|\b(?:pro|je) datei\b", "每个文件|逐个"
)
RUN = _words(
    r"\b(?:run|execute|start)\b",
    r"\b(?:starte?|ausführen|führe?)\b|\blass\b.*\blaufen\b|\blaufen lassen\b",
    "运行|执行|跑",
)
SHOW = _words(
    r"\b(?:show|read|print|open|cat|what(?:'s| is) in)\b",
    r"\b(?:zeig|lies|öffne|was steht in)\w*",
    "看看|读|显示|打开|查看",
)
OVERWRITE = _words(r"\b(?:overwrite|replace)\b", r"\b(?:überschreib|ersetz)\w*", "覆盖|替换")
GO_ON = _words(
    r"^\W*(?:please )?(?:go on|continue|carry on|(?:try|do it) again|once more|retry)(?: please)?\W*$",
    r"^\W*(?:bitte )?(?:mache? )?weiter(?:machen)?(?: bitte)?\W*$",
    r"^\W*(?:versuche? es )?noch ?(?:ein)?mal(?: bitte)?\W*$",
    r"^\W*请?(?:继续|接着[做来]?|再试一?次|重试)吧?\W*$",
)
SMALL_TALK = _words(
    r"^\W*(?:hi|hello|hey|thanks?(?: you)?(?: very much| a lot)?|good (?:morning|evening))\W*$",
    r"^\W*(?:hallo|guten (?:tag|morgen|abend)|danke(?: schön| sehr)?)\W*$",
    r"^\W*(?:你好|您好|谢谢你?|多谢|早上好)\W*$",
)
GERMAN = _words(
    r"^\W*(?:bitte )?(?:reparier|beheb|korrigier|zähl|starte|führ|zeig|lies|öffne|erstell|schreib|lösch)",
    r"^\W*(?:überschreib|ersetz|was (?:steht|liegt)|lass\b|(?:mach )?weiter|noch ?(?:ein)?mal)",
)
THANKS = re.compile(r"thank|danke|谢", re.IGNORECASE)

LETTER = "A-Za-zÀ-ÿ0-9_"  # of a file's name; Chinese around it is part of the sentence
FILE_NAME = re.compile(
    rf"(?<![{LETTER}./~\\-])((?:[{LETTER}][{LETTER}.-]*/)*[{LETTER}][{LETTER}-]*\.[A-Za-z][A-Za-z0-9]{{0,4}})"
)
QUOTED = re.compile(r"[\"“„「『`]([^\"“”„「」『』`\n]+)[\"”“」』`]|(?<!\w)'([^'\n]+)'(?!\w)")
ENDINGS = {
    r"\bpython|\bpy\b": ".py", r"\bmarkdown": ".md", r"\btext|文本": ".txt", r"\bjson\b": ".json",
    r"\bcsv\b": ".csv", r"\bhtml\b": ".html", r"\bjavascript": ".js", r"\btoml\b": ".toml",
    r"\bya?ml\b": ".yaml", r"\bcss\b": ".css",
}  # fmt: skip
NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "ein": 1, "eine": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8,
    "neun": 9, "zehn": 10, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
    "十": 10,
}  # fmt: skip
NUMBER = re.compile(
    rf"(\d+|\b(?:{'|'.join(word for word in NUMBERS if word.isascii() or 'ü' in word)})\b|[一两二三四五六七八九十])"
    r"(?=(?: \w+){0,2} ?(?:files?|\w*dateien|datei)\b|\s?[个份]?[A-Za-z ]*(?:文本)?文件)",
    re.IGNORECASE,
)
MOST_FILES = 20


# --- results ---------------------------------------------------------------------------------------------------------

EXIT = re.compile(r"^[^\w\n]*(?:exit|return)[ _-]?(?:code|status)[^\w\n-]+(-?\d+)[^\w\n]*$", re.I | re.M)
NOBODY = re.compile(r"nobody|no terminal|--yes|non-?interactive|niemand|没有人", re.IGNORECASE)
DECLINED = re.compile(
    r"declin|denied|reject|not (?:run|allowed|approved|executed)|abgelehnt|拒绝|未批准", re.IGNORECASE
)
LATE = re.compile(r"timed? ?-?out|TimeoutExpired|time limit|Zeitlimit|超时", re.IGNORECASE)
LIMIT = re.compile(r"(\d+(?:\.\d+)?) ?(?:s\b|sec|Sek|秒)")
STOPPED = re.compile(r"interrupt|unterbrochen|中断", re.IGNORECASE)
CUT = re.compile(  # of bounded length: results are long, and may be one line
    r"(?<!\.)\.\.\.[^\n]{0,80}(?:missing|truncated|omitted|left out|cut)|\[[^\[\]\n]{0,80}(?:truncated|omitted)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Result:
    """What came of a command.

    state   "done", "nobody", "declined", "late", "stopped" or "failed" (not started at all)
    code    the exit code, 0 where none is told and no error shown
    output  what it printed, without the exit code
    limit   the seconds after which it was ended, if it was "late"
    """

    command: str
    state: str
    code: int
    output: str
    limit: str = ""

    @property
    def cut(self) -> bool:
        return bool(CUT.search(self.output))

    @property
    def lines(self) -> list[str]:
        return self.output.splitlines()


def read(call: Call, command: str) -> Result:
    text = call.result or ""
    found = EXIT.search(text)
    if not found and call.is_error:
        for state, pattern in (("nobody", NOBODY), ("declined", DECLINED), ("late", LATE), ("stopped", STOPPED)):
            if pattern.search(text[:300]):
                limit = LIMIT.search(text[:300])
                return Result(command, state, 1, _output(text.partition("\n")[2]), limit[1] if limit else "")
        if text.lower().startswith(("error", "fehler", "错误")) and "Traceback" not in text:
            return Result(command, "failed", 1, text.strip())
    code = int(found[1]) if found else int(call.is_error)
    if found:
        text = text[: found.start()] + text[found.end() :].removeprefix("\n")
    return Result(command, "done", code, _output(text))


def _output(text: str) -> str:
    text = text.rstrip()
    return "" if text.strip() in ("(no output)", "(empty)") else text


# --- steps and how a job is played -----------------------------------------------------------------------------------


@dataclass(slots=True)
class Step:
    """Commands to ask for in one reply, the sentence before them (its name in TEXTS) and its values; `may_fail` if the
    job goes on after an exit code other than 0."""

    commands: list[str]
    say: str = ""
    values: dict[str, object] | None = None
    may_fail: bool = False


Job = Generator[Step, list[Result], str]


@dataclass(slots=True)
class Scene:
    """What a job needs to know."""

    words: str
    language: str
    shell: Shell

    def text(self, name: str, **values: object) -> str:
        return TEXTS.get(self.language, name, **values)


def fits(conversation: Conversation) -> bool:
    found = _tool(conversation)
    return found is not None and not _another_is_named(found[0], conversation)


def _another_is_named(own: dict[str, Any], conversation: Conversation) -> bool:
    """Whether another tool does what is asked, without anything to be run."""
    words = conversation.words
    if len(conversation.tools) == 1 or RUN.search(words) or FIX.search(words):
        return False
    return any(asked_by_name(tool, words) for tool in conversation.tools.values() if tool is not own)


def _tool(conversation: Conversation) -> tuple[dict[str, Any], str] | None:
    """Return the tool that runs commands and the name of its argument."""
    for name, tool in conversation.tools.items():
        if TOOL.search(name):
            root = tool["input_schema"]
            for argument, about in schema.properties_of(schema.resolve(root, root)).items():
                if COMMAND.match(argument) and schema.kind_of(schema.variants(about, root)[0]) in ("string", ""):
                    return tool, argument
    return None


def play(conversation: Conversation) -> Reply | None:
    found = _tool(conversation)
    if not found:
        return None
    tool, argument = found
    shell = shell_named_in(f"{conversation.system}\n{tool.get('description', '')}")
    words = conversation.words
    if GO_ON.match(words) or (OVERWRITE.search(words) and not FILE_NAME.search(words)):
        before = [turn.prompt for turn in conversation.earlier if not GO_ON.match(turn.prompt)]
        words = "\n".join([*before[-1:], words])
    scene = Scene(words, _language(conversation, words), shell)
    if SMALL_TALK.match(words) and conversation.choice == "auto":
        return say(scene.text("welcome" if THANKS.search(words) else "hello"))
    if conversation.choice == "auto" and (result := computed(words, scene.language)):
        return say(result)
    calls = [call for call in conversation.calls if call.name == tool["name"]]
    return perform(job_for(scene), scene, calls, tool, argument)


def _language(conversation: Conversation, words: str) -> str:
    """The language of the prompt; of "weiter", of a lone "Repariere x.py" too."""
    if conversation.language == "en" and GERMAN.search(conversation.prompt):
        return "de"
    return language_of(words) if GO_ON.match(conversation.prompt) else conversation.language


def perform(job: Job, scene: Scene, calls: list[Call], tool: dict[str, Any], argument: str) -> Reply:
    """Play the job with the results there are; ask for the next commands, or say how it ended."""
    step = next(job)
    while True:
        mine, calls = calls[: len(step.commands)], calls[len(step.commands) :]
        results = [read(call, str(call.input.get(argument, ""))) for call in mine]
        for result in results:
            if result.state != "done" or (result.code and not step.may_fail):
                return say(_trouble(scene, result))
        if missing := step.commands[len(mine) :]:
            text = scene.text(step.say, **(step.values or {})) if step.say and not mine else ""
            return ask_for([(tool["name"], _input(tool, argument, command)) for command in missing], text)
        try:
            step = job.send(results)
        except StopIteration as end:
            return say(end.value)


def _input(tool: dict[str, Any], argument: str, command: str) -> dict[str, Any]:
    root = tool["input_schema"]
    about = schema.properties_of(schema.resolve(root, root))
    others = [name for name in schema.required_of(root) if name != argument]
    return {argument: command} | {name: schema.placeholder(about.get(name, {}), root) for name in others}


def _trouble(scene: Scene, result: Result) -> str:
    """What to say of a result that ends the job."""
    name = result.state if result.state != "done" else "exit_code"
    first, _, more = result.command.partition("\n")
    command = first[:100] + (" ..." if more or len(first) > 100 else "")
    limit = scene.text("seconds", n=result.limit) if result.limit else scene.text("the_limit")
    told = scene.text(name, command=command, code=result.code, output=_quote(result.output), limit=limit)
    return told if result.output or name not in ("late", "exit_code") else told.split("\n")[0]


def _quote(output: str) -> str:
    """The output as the end of a sentence: one line behind it, several below it, the last of very many."""
    lines = output.splitlines()
    if len(lines) <= 1:
        return output[:300]
    if len(lines) > 12:
        lines = [*lines[:4], "...", *lines[-4:]]
    return "\n" + "\n".join(f"    {line[:200]}" for line in lines)


# --- the jobs --------------------------------------------------------------------------------------------------------


def job_for(scene: Scene) -> Job:
    words = scene.words
    makes = MAKE.search(words)
    kinds: list[tuple[object, Callable[[Scene], Job]]] = [
        (FIX.search(words), fix),
        (BRANCH.search(words), branch),
        (makes and FOLDER.search(words) and not _file(words), make_folder),
        (makes and _file(words) and not _file(words, ".py") and content_in(words), write_text),
        (makes and _program(scene), create),
        (LINES.search(words), count_lines),
        ((FILES.search(words) or (CONTENTS.search(words) and not _file(words))) and not makes, list_files),
        (RUN.search(words) and _file(words, ".py") and not makes, run),
        (SHOW.search(words) and _file(words), show),
    ]
    return next((job for fitting, job in kinds if fitting), look_around)(scene)


def look_around(scene: Scene) -> Job:
    where, names = yield Step([scene.shell.where(), scene.shell.look()], "look")
    parts = [scene.text("where", folder=where.output.strip())]
    parts.append(scene.text("names", names=_some(names.lines, scene)) if names.lines else scene.text("empty"))
    return phrase(parts, scene.language) + "\n" + scene.text("abilities")


def create(scene: Scene) -> Job:
    shell, file = scene.shell, _file(scene.words, ".py") or "hello.py"
    code, expected = _program(scene) or ("", "")
    there = yield from _names(scene, file)
    known = file.rpartition("/")[2] in there
    if known:
        (old,) = yield Step([shell.read(file)], "exists", {"file": file})
        known = old.output.strip() == code.strip()
        if not known and not OVERWRITE.search(scene.words):
            return scene.text("left_alone", file=file)
    if not known:
        yield Step([shell.write(file, code)], "write", {"file": file})
    result = yield from _run(scene, file, "run")
    if result.code:
        return _failure(scene, file, result)
    if expected and result.output.strip() != expected:
        return scene.text("unexpected", file=file, expected=expected, output=_quote(result.output))
    return scene.text("unchanged_works" if known else "works", file=file, output=_quote(result.output))


def write_text(scene: Scene) -> Job:
    shell, file = scene.shell, _file(scene.words)
    there = yield from _names(scene, file)
    if file.rpartition("/")[2] in there and not OVERWRITE.search(scene.words):
        return scene.text("left_alone", file=file)
    yield Step([shell.write(file, content_in(scene.words).lstrip("：: "))], "write", {"file": file})
    (result,) = yield Step([shell.read(file)], "read", {"file": file})
    return scene.text("content", file=file, n=len(result.lines), output=_quote(result.output) or "-")


def run(scene: Scene) -> Job:
    file = _file(scene.words, ".py")
    if file.rpartition("/")[2] not in (there := (yield from _names(scene, file))):
        return _absent(scene, file, there)
    yield Step([scene.shell.read(file)], "read_first", {"file": file})
    result = yield from _run(scene, file, "run")
    if result.code:
        return _failure(scene, file, result)
    if not result.output:
        return scene.text("ran_silently", file=file)
    name = "ran_cut" if result.cut else "ran"
    return scene.text(name, file=file, n=len(result.lines), output=_quote(result.output), last=result.lines[-1][:200])


def show(scene: Scene) -> Job:
    file = _file(scene.words)
    (result,) = yield Step([scene.shell.read(file)], "read", {"file": file}, may_fail=True)
    if result.code:
        return scene.text("unreadable", file=file, output=_quote(result.output))
    return scene.text("content", file=file, n=len(result.lines), output=_quote(result.output) or "-")


def fix(scene: Scene) -> Job:
    shell, file = scene.shell, _file(scene.words, ".py")
    there = yield from _names(scene, file)
    if not file:
        scripts = [name for name in there if name.endswith(".py")]
        if len(scripts) != 1:
            return scene.text("which" if scripts else "no_script", names=_some(scripts, scene, last="or"))
        file = scripts[0]
    elif file.rpartition("/")[2] not in there:
        return _absent(scene, file, there)
    (source,) = yield Step([shell.read(file)], "read", {"file": file})
    if source.cut:
        return scene.text("too_long", file=file)
    text, result = source.output, (yield from _run(scene, file, "reproduce"))
    if not result.code:
        return scene.text("nothing_to_fix", file=file, output=_quote(result.output) or "-")
    told: list[str] = []
    for _ in range(2):
        problem = problem_in(result.output, file)
        repaired = repair(text, problem) if problem else None
        if not problem or not repaired:
            return phrase([*told, _beyond(scene, file, problem, result)], scene.language)
        text = repaired.source
        why = scene.text("why_" + repaired.what, **repaired.values)
        told.append(why)
        yield Step([shell.write(file, text)], "found", {"problem": _short(problem), "why": why})
        result = yield from _run(scene, file, "run_again")
        if not result.code:
            done = scene.text("fixed", file=file, output=_quote(result.output) or "-")
            return phrase([*told, done], scene.language)
        if problem_in(result.output, file) == problem:
            break
    problem = problem_in(result.output, file)
    return phrase([*told, _beyond(scene, file, problem, result)], scene.language)


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
    shell, folder = scene.shell, _folder(scene.words)
    count = _count(scene.words)
    (here,) = yield Step([shell.look()], "look")
    taken: list[str] = []
    if folder in here.lines:
        (inside,) = yield Step([shell.look(folder)], "folder_exists", {"folder": folder})
        taken = inside.lines
    ending = _ending(scene.words) or ".txt"
    free = (name for n in range(1, 10_000) if (name := f"file{n}{ending}") not in taken)
    names = [next(free) for _ in range(count)]
    lines = [shell.write_line(f"{folder}/{name}", f"{scene.text('file')} {n}") for n, name in enumerate(names, 1)]
    yield Step([shell.then(shell.make_folder(folder), *lines)], "make", {"folder": folder, "n": count})
    after, _ = yield Step([shell.look(folder), shell.show_all(folder)], "check", may_fail=True)
    missing = [name for name in names if name not in after.lines]
    if missing:
        return scene.text("not_made", folder=folder, names=_some(missing, scene))
    return (
        scene.text("made", folder=folder, names=_some(names, scene))
        if names
        else scene.text("made_empty", folder=folder)
    )


def list_files(scene: Scene) -> Job:
    ending = _ending(scene.words)
    (found,) = yield Step([scene.shell.find(ending)], "find")
    names = [re.sub(r"^\.[/\\]", "", line) for line in found.lines if not CUT.search(line)]
    one = len(names) == 1
    kind = scene.text(("one" if one else "some") + ("_of_kind" if ending else "_file"), ending=ending)
    if not names:
        return scene.text("none_found", kind=kind)
    listed = "\n".join(f"    {name}" for name in names[:40]) + ("\n    ..." if len(names) > 40 else "")
    name = "found_some" if found.cut else "found_one" if one else "found_files"
    return scene.text(name, kind=kind, n=len(names), names=listed)


def count_lines(scene: Scene) -> Job:
    only = _ending(scene.words)
    (counted,) = yield Step([scene.shell.count_lines()], "count", may_fail=True)
    each: list[str] = []
    lines: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for line in counted.lines:
        found = re.match(r"\s*(\d+) (.+)$", line) or re.match(r"-+ (?P<name>.+): (?P<n>\d+)$", line)
        if not found:
            continue
        number, name = (found["n"], found["name"]) if "n" in found.groupdict() else (found[1], found[2])
        if name in ("total", "insgesamt", "总计", "总用量", "合計"):
            continue
        base = re.split(r"[/\\]", name)[-1]
        ending = "." + base.rpartition(".")[2].lower() if "." in base[1:] else ""
        if only and ending != only:
            continue
        lines[ending] += int(number)
        files[ending] += 1
        colon = "：" if scene.language == "zh" else ": "
        each.append(f"    {name.removeprefix('./')}{colon}{_amounts(scene, int(number), 1)['lines']}")
    if not files:
        return scene.text("nothing_to_count")
    rows = [
        "    " + scene.text("row", kind=ending or scene.text("no_ending"), **_amounts(scene, n, files[ending]))
        for ending, n in lines.most_common()
    ]
    if EACH.search(scene.words):
        rows = sorted(each[:40]) + ["    ..."] * (len(each) > 40)
    total = scene.text("counted", **_amounts(scene, sum(lines.values()), sum(files.values())))
    return "\n".join([total, *rows] + ([scene.text("counted_cut")] if counted.cut else []))


def _amounts(scene: Scene, lines: int, files: int) -> dict[str, str]:
    return {
        "lines": scene.text("n_lines_1" if lines == 1 else "n_lines", n=lines),
        "files": scene.text("n_files_1" if files == 1 else "n_files", n=files),
    }


# --- parts of jobs ---------------------------------------------------------------------------------------------------


def _names(scene: Scene, file: str) -> Generator[Step, list[Result], list[str]]:
    """Look at the folder that the file is or would be in."""
    (here,) = yield Step([scene.shell.look()], "look")
    folder = file.rpartition("/")[0]
    if not folder:
        return here.lines
    if folder.partition("/")[0] not in here.lines:
        return []
    (inside,) = yield Step([scene.shell.look(folder)], may_fail=True)
    return [] if inside.code else inside.lines


# What Windows says; PowerShell's name for it is the same in every language.
NO_SUCH_COMMAND = re.compile("not recognized|was not found|CommandNotFoundException")


def _run(scene: Scene, file: str, sentence: str) -> Generator[Step, list[Result], Result]:
    (result,) = yield Step([scene.shell.python(file)], sentence, {"file": file}, may_fail=True)
    if result.code in (127, 9009) or (result.code and NO_SUCH_COMMAND.search(result.output)):
        (result,) = yield Step([scene.shell.other_python(file)], "other_python", may_fail=True)
    return result


def _short(problem: Problem) -> str:
    return f"{problem.error}: {problem.message}" if problem.message else problem.error


def _failure(scene: Scene, file: str, result: Result) -> str:
    problem = problem_in(result.output, file)
    if not problem:
        return scene.text("script_exit", file=file, code=result.code, output=_quote(result.output))
    return scene.text("script_error", file=file, problem=_short(problem), line=problem.line)


def _beyond(scene: Scene, file: str, problem: Problem | None, result: Result) -> str:
    if not problem:
        return scene.text("script_exit", file=file, code=result.code, output=_quote(result.output))
    return scene.text("beyond", file=file, problem=_short(problem), line=problem.line)


def _absent(scene: Scene, file: str, there: list[str]) -> str:
    names = scene.text("names", names=_some(there, scene)) if there else scene.text("empty")
    return phrase([scene.text("absent", file=file), names], scene.language)


def _some(names: list[str], scene: Scene, last: str = "and") -> str:
    names = names[:12] + ["..."] * (len(names) > 12)
    return "、".join(names) if scene.language == "zh" else join(names, scene.language, last)


def _file(words: str, ending: str = "") -> str:
    """Return the first file name in the prompt, a relative one; "" if there is none."""
    for found in FILE_NAME.finditer(words):
        name = found[1]
        if ".." not in name and (not ending or name.endswith(ending)):
            return name
    return ""


def _folder(words: str) -> str:
    quoted = [a or b for a, b in QUOTED.findall(words)]
    plain = re.findall(
        r"\b([A-Za-z0-9]\w*[_-][\w-]+)\b|(?:folder|directory|named?|called|namens|ordner|verzeichnis)\s+(?!with|mit|and|und|in\b"
        r"|for|für|that|called|named|namens|containing)([A-Za-z]\w*)|([A-Za-z]\w*)(?:[ ]?的?(?:文件夹|目录))"
        r"|(?:文件夹|目录|名为|叫做?)[ ]?([A-Za-z]\w*)",
        words, re.IGNORECASE | re.ASCII,
    )  # fmt: skip
    for name in [*quoted, *(next(filter(None, groups)) for groups in plain)]:
        if re.fullmatch(r"[^\W_][\w -]{0,60}", name):
            return name
    return "new_folder"


def _count(words: str) -> int:
    found = NUMBER.search(words)
    if not found:
        return 0
    return min(int(found[1]) if found[1].isdigit() else NUMBERS[found[1].lower()], MOST_FILES)


def _ending(words: str) -> str:
    """Return the ending of the files that are meant, named as it is (.rst) or by their type, "" if neither."""
    if found := re.search(r"(?:^|[\s*\"'`“])\*?(\.[a-z]{1,5})\b", words):
        return found[1]
    return next((ending for kind, ending in ENDINGS.items() if re.search(kind, words, re.IGNORECASE | re.ASCII)), "")


def _program(scene: Scene) -> tuple[str, str] | None:
    """Return a small program as asked for and what it must print, "" if that is open; None if none is known here."""
    words = scene.words
    texts = [text for a, b in QUOTED.findall(words) if not FILE_NAME.fullmatch(text := a or b)]
    if found := re.search(r"(\d+)\s*(?:to|bis|数?到|至|-|–)\s*(\d+)", words):
        first, last = int(found[1]), int(found[2])
        if first <= last <= 10_000_000:
            printed = "\n".join(str(n) for n in range(first, last + 1)) if last - first < 1000 else ""
            return f"for number in range({first}, {last + 1}):\n    print(number)", printed
    if found := re.search(r"(?:sleep|wait|warte|schläf|等待?|睡)\D{0,12}(\d+)", words, re.IGNORECASE):
        seconds = int(found[1])
        return f'import time\n\nprint("waiting {seconds} s")\ntime.sleep({seconds})\nprint("done")', ""
    if texts and not texts[0].isspace():
        return f"print({json.dumps(texts[0], ensure_ascii=False)})", texts[0].strip()
    if re.search(r"\b(?:date|time|datum|uhrzeit)\b|日期|时间", words, re.IGNORECASE):
        return "import datetime\n\nprint(datetime.datetime.now())", ""
    if re.search(r"hello|greet|\bhi\b|hallo|gr[uü]ß|问候|打招呼|你好", words, re.IGNORECASE):
        greeting = scene.text("greeting")
        return f"print({json.dumps(greeting, ensure_ascii=False)})", greeting
    return None
