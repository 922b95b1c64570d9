"""`make outputs` (python -m course.readme): what the READMEs show, made anew.

Each marks the places with a comment: `<!-- output: s01 -->` before a code block, `<!-- lessons -->` before a table.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from .lessons import LESSONS, Lesson

ROOT = Path(__file__).parent.parent
FILES = {"en": "README.md", "zh": "README.zh.md", "de": "README.de.md"}
HEADINGS = {
    "en": ("Lesson", "The one new idea", "Minutes", "With a key, at most"),
    "zh": ("课程", "唯一的新概念", "分钟", "使用密钥时最多"),
    "de": ("Lektion", "Der eine neue Gedanke", "Minuten", "Mit Schlüssel höchstens"),
}


def main() -> None:
    for language, name in FILES.items():
        path = ROOT / name
        text = fill(path.read_text(encoding="utf-8"), output(LESSONS[0], language), language)
        path.write_text(text, encoding="utf-8", newline="\n")


def output(lesson: Lesson, language: str) -> str:
    """What a reader of this language sees on the terminal after `make s01`, with no key."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "COURSE_"))}
    # Unbuffered, because a terminal shows the lines of stdout and stderr as they come.
    environment |= {"COURSE_LANG": language, "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
    with tempfile.TemporaryDirectory() as folder:
        # From a folder of its own, so that no .env and no profile of this machine counts.
        environment["ANTHROPIC_CONFIG_DIR"] = folder
        script = shutil.copy(lesson.path, folder)
        run = subprocess.run(
            [sys.executable, script],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=60,
            check=True,
        )
    return run.stdout


def fill(text: str, shown: str, language: str) -> str:
    """The README with the output and the table of lessons put in."""
    text = re.sub(
        r"(<!-- output: s01 -->\n```text\n).*?(```\n)", lambda m: m[1] + shown + m[2], text, count=1, flags=re.DOTALL
    )
    return re.sub(r"(<!-- lessons -->\n)(?:\|.*\n)*", lambda m: m[1] + table(language) + "\n", text, count=1)


def table(language: str) -> str:
    rows = ["| " + " | ".join(HEADINGS[language]) + " |", "|---|---|---:|---:|"]
    for lesson in LESSONS:
        usd = f"{lesson.cost_usd:.2f}".replace(".", "," if language == "de" else ".")
        link = f"[{lesson.id}](agents/{lesson.file}) {lesson.title[language]}"
        rows.append(f"| {link} | {lesson.idea[language]} | {lesson.minutes} | {usd} USD |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
