"""The tools of lessons s08 to s10 over the course's reports, code and measurements, held in memory so that a test can
change them.
"""

import csv
import re

from .toolsets import AGENTS, choice, tool

REVIEW = AGENTS / "review"
COLUMNS = ("span_mm", "span_over_sag", "cover_mm", "moisture_percent")
PROGRAMS = ("count", "section", "summarize")


class World:
    """Reports, sections and measurements, and the tools that read them; `written` holds what was written."""

    def __init__(self):
        self.reports = {file.stem: file.read_text(encoding="utf-8") for file in sorted(REVIEW.glob("reports/*.txt"))}
        self.code = "\n\n".join(file.read_text(encoding="utf-8").strip() for file in sorted(REVIEW.glob("code/*.txt")))
        with open(REVIEW / "measurements.csv", encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        self.written = {}
        self.approves = True

    @property
    def sections(self):
        return {section.split()[0]: section for section in self.code.split("\n\n")}

    def search_code(self, words, part=""):
        found = [one for one in self.sections.values() if all(word in one.lower() for word in words.lower().split())]
        return "\n".join([f"{len(found)} found", *(one.replace("\n", ": ")[:100] for one in found[:5])])

    def read_section(self, number):
        if number not in self.sections:
            raise ValueError(f"number: there is no section {number}, only 1.1 to 5.6; try search_code")
        return self.sections[number]

    def read_report(self, report, page):
        pages = re.split(r"== Page \d+ ==\n", self.reports[report])[1:]
        if not 1 <= page <= len(pages):
            raise ValueError(f"page: {report} has the pages 1 to {len(pages)}, not {page}")
        return f"{report}, page {page} of {len(pages)}\n{pages[page - 1].strip()}"

    def summarize_measurements(self, report, column):
        rows = [row for row in self.rows if row["report"] == report]
        values = {row["member"]: float(row[column]) for row in rows if row[column]}
        if not values:
            raise ValueError(f"column: {column} was not measured for {report}")
        low, high = min(values, key=values.get), max(values, key=values.get)
        mean = sum(values.values()) / len(values)
        return (
            f"{column} of {report}: {len(values)} values, {len(rows) - len(values)} missing; "
            f"lowest {values[low]:g} ({low}), mean {mean:.1f}, highest {values[high]:g} ({high})"
        )

    def write_file(self, path, text):
        if not re.fullmatch(r"notes/[\w-]+\.md", path):
            raise PermissionError(f"{path} cannot be written, only files notes/*.md")
        if not self.approves:
            raise PermissionError("not done, because the user declined it: too early")
        self.written[path] = text
        return f"Written: {path}, {len(text)} characters"

    def run_command(self, program, arguments):
        if program not in PROGRAMS:
            raise ValueError(f"program: expected one of {', '.join(PROGRAMS)}, got {program!r}")
        if program == "count":
            if outside := [name for name in arguments if not name.startswith("reports/")]:
                raise PermissionError(f"{outside[0]} is not in the review folder")
            told = [f"{len(self.reports[name[8:-4]].split())} {name}" for name in arguments]
        elif program == "section":
            told = [
                self.sections.get(n) or f"There is no section {n}, only {', '.join(self.sections)}" for n in arguments
            ]
        else:
            try:
                told = self.summarize_measurements(*arguments).partition(": ")[2].split("; ")
            except ValueError as error:
                return f"exit code 1\n{error}"
        return "\n".join(["exit code 0", *told])

    def tools(self, lesson):
        """(definitions, functions) as the lesson has them: "s08", "s09" or "s10"."""
        reports = choice(*self.reports)
        every = [
            tool(
                "search_code", "Find sections by words.", ["words"], words="string", part=choice("1-general", "2-loads")
            ),
            tool("read_section", "Read one section.", number="Part and section with a dot, as in 4.3"),
            tool("read_report", "Read one page of a report.", report=reports, page={"type": "integer"}),
            tool("summarize_measurements", "Summarize measurements.", report=reports, column=choice(*COLUMNS)),
            tool(
                "write_file",
                "Write a text file.",
                path="In the review folder, as in notes/harbor-hall.md",
                text="string",
            ),
            tool(
                "run_command",
                "Run a program.",
                program=choice(*PROGRAMS),
                arguments={"type": "array", "items": {"type": "string"}},
            ),
        ]
        names = {
            "s08": ("search_code", "read_section", "read_report", "summarize_measurements"),
            "s09": ("read_report", "write_file", "run_command"),
            "s10": ("read_report",),
        }[lesson]
        return [each for each in every if each["name"] in names], {name: getattr(self, name) for name in names}
