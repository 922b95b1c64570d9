"""What the stand-in makes of prompts that it was not written for: right, refused with help, or wrong.

    python benchmarks/prompts.py [--all] [FILE ...]

A line of a table is a prompt, the tools on offer, and what is wanted: the calls, reply by reply, as
course.standin.notation has them (a title of "*" may be any), how many commands a shell runs, or "" for a trap: nothing
may be done. Looking is not doing, but 0 wants no call at all. `says` instead: what the answer must say. `before` holds
prompts of the same conversation, `system` a system prompt of its own ("" for none); a line with `toolset` names tools
for those below it. The prompts were written before they were tried; no pattern was written for one of them. Those of
blind.jsonl were written without sight of the patterns, most of them as traps; those of workshop.jsonl from the lessons'
pages alone, as what people at work with
them would type: in their first run 62 were right, 58 refused with help and none wrong. Refused with help means: nothing
was done, and the answer says what could be, or asks. Wrong should be 0.
"""

import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from course.standin import notation
from tests.standin.replies.loop import Played, play
from tests.standin.replies.review_world import World
from tests.standin.replies.toolsets import ASSISTANT, SETS, SYSTEM, TEAM, tool

TABLES = [Path(__file__).with_name(name) for name in ("prompts.jsonl", "blind.jsonl", "workshop.jsonl")]
LOOKING = ("get_", "list_", "find_", "search_", "read_", "random_", "summarize_", "run_command")
READS = ("ls", "cat ", "find ", "git branch", "git rev-parse")

Rounds = list[list[tuple[str, dict[str, Any]]]]


def shell(folder: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A tool that runs commands in a folder with three files."""
    for name, text in (("hello.py", 'print("hi")\n'), ("test.py", "print(1)\n"), ("README.md", "# Title\ntext\n")):
        Path(folder, name).write_text(text, encoding="utf-8")

    def bash(command: str) -> str:
        done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, encoding="utf-8", timeout=20)
        return f"exit code {done.returncode}\n{(done.stdout + done.stderr).rstrip() or '(no output)'}"

    return [tool("bash", "Run a command in bash; get its exit code and what it printed.", command="string")], {
        "bash": bash
    }


def try_out(entry: dict[str, Any], own: dict[str, list[dict[str, Any]]]) -> Played:
    """Play a prompt to its end, after those before it; `own` holds the toolsets of its table."""
    with tempfile.TemporaryDirectory() as folder:
        tools: Any = entry["tools"]
        if tools == "bash":
            tools = shell(folder)
        elif tools in ("s08", "s09", "s10"):
            tools = World().tools(tools)
        elif tools == "assistant":
            tools = ASSISTANT, {each["name"]: lambda **given: "done" for each in ASSISTANT}
        elif tools in own:
            tools = own[tools], {each["name"]: lambda **given: "done" for each in own[tools]}
        else:
            assert tools in SETS
        history: list[dict[str, Any]] = []
        more = {"system": system} if (system := entry.get("system", SYSTEM)) else {}
        for before in entry.get("before", []):
            history = play(before, tools, history, **more).messages
        return play(entry["prompt"], tools, history, **more)


def does(played: Played) -> bool:
    """Whether anything was changed, beyond looking."""
    for name, given in (call for calls in played.rounds for call in calls):
        if name == "bash" and given["command"].startswith(READS):
            continue
        if not name.startswith(LOOKING):
            return True
    return False


def plain(rounds: Rounds, like: Rounds) -> Rounds:
    """Calls so that they can be compared: no seconds, titles in small letters, any title where `like` has "*"."""
    made: Rounds = []
    for calls, other in zip(rounds, [*like, *[[]] * len(rounds)], strict=False):
        row = []
        for n, (name, given) in enumerate(calls):
            short = {key: value[:16] if key in ("start", "end") else value for key, value in given.items()}
            if "title" in short:
                wanted = other[n][1].get("title") if n < len(other) else ""
                short["title"] = "*" if wanted == "*" else short["title"].lower()
            row.append((name, short))
        made.append(row)
    return made


def judge(entry: dict[str, Any], played: Played) -> str:
    """ "right", "refused" or "wrong"."""
    if "says" in entry:
        said = all(words in played.text for words in entry["says"])
        return "right" if said else "wrong" if played.rounds else "refused"
    want = entry["want"]
    if want == 0:
        return "wrong" if played.rounds else "right"
    if isinstance(want, int):
        good = len(played.rounds) == want
    elif not want:
        return "wrong" if does(played) else "right"
    else:
        lines = notation.read(want.replace("TEAM", json.dumps(TEAM)))
        wanted = [[(block["name"], block["input"]) for block in line.content] for line in lines]
        rounds = [[(name, given) for name, given in calls] for calls in played.rounds]
        good = plain(rounds, wanted) == plain(wanted, wanted)
    if good:
        return "right"
    return "refused" if not does(played) else "wrong"


def main() -> int:
    files = [Path(each) for each in sys.argv[1:] if not each.startswith("-")]
    counts: dict[str, Counter[str]] = {}
    own: dict[str, list[dict[str, Any]]] = {}
    for line in (line for file in files or TABLES for line in file.read_text(encoding="utf-8").splitlines()):
        entry = json.loads(line)
        if "toolset" in entry:
            own[entry["toolset"]] = entry["tools"]
            continue
        played = try_out(entry, own)
        verdict = judge(entry, played)
        kind = f"{entry['tools']}, {'playable' if entry.get('want', entry.get('says')) else 'trap'}"
        counts.setdefault(kind, Counter())[verdict] += 1
        if verdict != "right" or "--all" in sys.argv:
            print(f"{verdict}: {entry['tools']}, {entry['language']}: {entry['prompt']}")
            print(f"    {played.rounds}\n    {played.text[:200]!r}")
    total: Counter[str] = sum(counts.values(), Counter())
    for kind, found in [*sorted(counts.items()), ("all", total)]:
        print(f"{kind:22} right {found['right']:4}  refused {found['refused']:4}  wrong {found['wrong']:4}")
    return 1 if total["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
