"""The commands of the bash scene, written for the shell that the system prompt or the tool names."""

import re
import shlex
from dataclasses import dataclass

POWERSHELL = re.compile(r"powershell|\bpwsh\b", re.IGNORECASE)
CMD = re.compile(r"\bcmd(?:\.exe)?\b", re.IGNORECASE)
CMD_SPECIAL = re.compile(r"([&|<>^()%\"!])")


def shell_named_in(text: str) -> "Shell":
    """Return the shell that a text names: PowerShell or cmd; bash (and all that is like it) when it names neither."""
    return Shell("powershell" if POWERSHELL.search(text) else "cmd" if CMD.search(text) else "bash")


@dataclass(frozen=True, slots=True)
class Shell:
    """Commands for one shell: `name` is "bash", "powershell" or "cmd"."""

    name: str

    def pick(self, bash: str, powershell: str, cmd: str) -> str:
        return {"bash": bash, "powershell": powershell, "cmd": cmd}[self.name]

    def quote(self, word: str) -> str:
        if self.name == "bash":
            return shlex.quote(word)
        if re.fullmatch(r"[\w./\\-]+", word):
            return word.replace("/", "\\") if self.name == "cmd" else word
        return "'" + word.replace("'", "''") + "'" if self.name == "powershell" else f'"{word}"'

    def then(self, *commands: str) -> str:
        """Join commands so that each runs only if the one before it went well (PowerShell 5 knows no such sign)."""
        return self.pick(" &&\n", "\n", " && ").join(commands)

    def where(self) -> str:
        return self.pick("pwd", "(Get-Location).Path", "cd")

    def look(self, folder: str = "") -> str:
        command = self.pick("ls -A", "Get-ChildItem -Force -Name", "dir /a /b")
        return f"{command} {self.quote(folder)}" if folder else command

    def read(self, file: str) -> str:
        return self.pick("cat", "Get-Content -Encoding UTF8", "type") + f" {self.quote(file)}"

    def write(self, file: str, text: str) -> str:
        """Write the lines of `text` into the file, and its folder if need be."""
        folder = file.rpartition("/")[0]
        lines = text.rstrip("\n").split("\n")
        if self.name == "bash":
            end = "EOF"
            while end in lines:
                end += "_"
            command = f"cat > {self.quote(file)} <<'{end}'\n" + "\n".join([*lines, end])
        elif self.name == "powershell":
            command = "@'\n" + "\n".join(lines) + f"\n'@ | Set-Content -Encoding UTF8 {self.quote(file)}"
        else:
            escaped = [CMD_SPECIAL.sub(r"^\1", line) for line in lines]
            echoes = [f"echo {line}" if line.strip() else "echo." for line in escaped]
            command = f"({'& '.join(echoes)})> {self.quote(file)}"
        return self.then(self.make_folder(folder), command) if folder else command

    def make_folder(self, folder: str) -> str:
        name = self.quote(folder)
        return self.pick(
            f"mkdir -p {name}",
            f"New-Item -ItemType Directory -Force {name} | Out-Null",
            f"(if not exist {name} mkdir {name})",
        )

    def write_line(self, file: str, line: str) -> str:
        """Write one line of letters, digits and blanks."""
        name = self.quote(file)
        return self.pick(
            f"echo {shlex.quote(line)} > {name}",
            f"Set-Content -Encoding UTF8 {name} '{line}'",
            f"(echo {line})> {name}",
        )

    def show_all(self, folder: str) -> str:
        """Print every file of a folder."""
        name = self.quote(folder)
        return self.pick(f"head {name}/*", f"Get-Content -Encoding UTF8 {name}/*", f"type {name}\\*")

    def python(self, file: str) -> str:
        return self.pick("python3", "python", "python") + f" {self.quote(file)}"

    def other_python(self, file: str) -> str:
        """For where python() does not exist."""
        return self.pick("python", "py", "py") + f" {self.quote(file)}"

    def find(self, ending: str) -> str:
        """List the files whose names end so, all of them for "", in folders below too, hidden folders left out."""
        only = f" -name '*{ending}'" if ending else ""
        return self.pick(
            f"find . -type f{only} -not -path '*/.*' | sort",
            f"Get-ChildItem -Recurse -File -Name -Filter '*{ending}'",
            f"dir /s /b /a-d *{ending}",
        )

    def count_lines(self) -> str:
        """Print for each file its number of lines and its name."""
        return self.pick(
            "find . -type f -not -path '*/.*' -exec wc -l {} +",
            "Get-ChildItem -Recurse -File | ForEach-Object { '{0} {1}' -f @(Get-Content $_.FullName).Count, $_.Name }",
            'for /r %f in (*) do @find /c /v "" "%f"',
        )
