"""What a review has to go on: what its tools can do, what their results have said, and how it compares."""

import re
from collections.abc import Generator, Iterable
from functools import cache
from typing import Any

from course.standin.talk import Asked, Call, Talk

from . import schema
from .wording import join
from .words import Texts, look, spoken_in

ARGUMENTS = {  # the tools, by the arguments that they must take
    "read_report": {"report", "page"},
    "read_section": {"number"},
    "search_code": {"words"},
    "summarize_measurements": {"report", "column"},
    "run_command": {"program", "arguments"},
    "write_file": {"path", "text"},
}

MOST = 20_000  # characters of a result that are looked at

Topic = dict[str, Any]

text = Texts("review")


class Value:
    """What a report or a measurement says of a topic, as it is written, and where: on a page, or of a member."""

    def __init__(self, said: str, place: str, mean: str = "", people: str = "") -> None:
        self.said, self.place, self.mean, self.people = said, place, mean, people
        self.number = _number(said)


class Room:
    """What the tools on offer can do, and what their results have said so far, in earlier turns too."""

    def __init__(self, talk: Talk) -> None:
        self.roots = {
            name: tool["input_schema"]
            for name, tool in talk.tools.items()
            if name in ARGUMENTS and ARGUMENTS[name] <= set(schema.properties(tool["input_schema"]))
        }
        self.strict = {name for name in self.roots if talk.tools[name].get("strict")}
        self.now = talk.calls
        self.calls = [call for turn in talk.earlier for call in turn.calls] + talk.calls
        self.reports: list[str] = self.choices("read_report", "report") or self.choices(
            "summarize_measurements", "report"
        )
        self.programs = self.choices("run_command", "program")
        self.names = {one: re.compile(rf"\b{_pattern(one)}(?:['’]?s)?\b", re.I) for one in self.reports if one.strip()}
        self.language = spoken_in(talk.asking(self.without_names(talk.prompt)))  # English names say nothing of it
        told = self._told("read_section", "run_command")
        written = look("review", "a_section").findall(talk.system)  # the code may stand in the system prompt
        found = written + look("review", "a_section").findall(told)
        self.sections = {number: (title, text) for number, title, text in found}  # those that were read
        self.whole = bool(written)
        self.reads_code = self.whole or "read_section" in self.roots or "section" in self.programs
        self._absent = set(look("review", "no_section").findall(told))
        self.hits = dict(look("review", "a_hit").findall(self._told("search_code")))  # those found: {"4.3": its title}
        self._read: dict[str, dict[int, str]] = {}

    def text(self, name: str, **values: object) -> str:
        return text(self.language, name, **values)

    def joined(self, parts: Iterable[str]) -> str:
        return join(list(parts), self.language)

    def without_names(self, prompt: str) -> str:
        """The prompt without the names of reports."""
        for named in self.names.values():
            prompt = named.sub(" ", prompt)
        return prompt

    def figure(self, said: str, unit: str = "") -> str:
        """A number as the language writes it: "1,800 mm", "1.800 mm" in German."""
        return (said.translate(str.maketrans(",.", ".,")) if self.language == "de" else said) + unit

    def choices(self, tool: str, argument: str) -> list[str]:
        """The values that an argument may have."""
        about = schema.properties(self.roots[tool]).get(argument) if tool in self.roots else None
        return [str(value) for value in schema.first(about, self.roots[tool]).get("enum") or []] if about else []

    def ask(self, name: str, /, **given: Any) -> list[Asked]:
        """A call, if there is such a tool."""
        return [(name, schema.complete(given, self.roots[name]))] if name in self.roots else []

    def allows(self, asked: Asked) -> bool:
        """Whether a call can be made: the API keeps those of a tool with `strict` to its schema."""
        root = self.roots[asked[0]]
        return asked[0] not in self.strict or schema.valid(asked[1], root, root)

    def result(self, asked: Asked) -> Call | None:
        """The call, if it was made and its result came through; what changes something counts for this prompt only."""
        calls = self.calls if asked[0] in ARGUMENTS and asked[0] != "write_file" else self.now
        same = [call for call in calls if (call.name, call.input) == asked]
        if same and _cleared(same[-1]):
            return None
        lost = bool(same) and same[-1].is_error and bool(look("review", "lost").search(same[-1].result or ""))
        return same[-1] if same and not (lost and len(same) < 2) else None

    # --- what was read

    def pages(self, report: str) -> dict[int, Call]:
        """The pages of a report that were asked for, without those beyond its end."""
        asked = [call for call in self.calls if call.name == "read_report" and call.input.get("report") == report]
        found = {call.input["page"]: call for call in asked if type(call.input.get("page")) is int}
        beyond = look("review", "beyond")
        return {
            n: call
            for n, call in sorted(found.items())
            if not (call.is_error and beyond.search(call.result or "")) and not _cleared(call)
        }

    def read(self, report: str) -> dict[int, str]:
        """The text of its pages, line breaks and the line on the page's number left out."""
        if report not in self._read:
            self._read[report] = {
                page: " ".join((call.result or "")[:MOST].split("\n", 1)[-1].split())
                for page, call in self.pages(report).items()
                if not call.is_error
            }
        return self._read[report]

    def _told(self, *names: str) -> str:
        """What the tools of these names have returned."""
        return "\n\n".join((call.result or "")[:MOST] for call in self.calls if call.name in names)

    def cited(self, report: str) -> dict[str, int]:
        """The sections that a report names, each with the page that names it first."""
        found: dict[str, int] = {}
        for page, told in self.read(report).items():
            for number in look("review", "cites").findall(told):
                found.setdefault(number, page)
        return found

    def lacks(self, number: str) -> bool:
        """Whether the code is known to have no such section."""
        return number in self._absent or (self.whole and number not in self.sections)

    # --- calls that get it

    def section_calls(self, numbers: Iterable[str]) -> list[Asked]:
        """Calls that read sections which have not been read."""
        wanted = [n for n in dict.fromkeys(numbers) if n not in self.sections and not self.lacks(n)]
        if "read_section" in self.roots:
            return [call for number in wanted for call in self.ask("read_section", number=number)]
        return self.ask("run_command", program="section", arguments=wanted) if wanted and self.reads_code else []

    def summary_call(self, report: str, column: str) -> list[Asked]:
        if "summarize_measurements" in self.roots:
            known = column in self.choices("summarize_measurements", "column")
            return self.ask("summarize_measurements", report=report, column=column) if known else []
        known = "summarize" in self.programs
        return self.ask("run_command", program="summarize", arguments=[report, column]) if known else []

    def find(self, topics: list[Topic]) -> Generator[list[Asked], None, None]:
        """Search for the sections of topics, then read them; where nothing searches, read those that they have."""
        if "search_code" in self.roots:
            wanted = [topic for topic in topics if not self.section(topic)]
            searches = dict.fromkeys(topic["search"] for topic in wanted)
            yield [call for words in searches for call in self.ask("search_code", words=words)]
            titles = [re.compile(topic["title"]) for topic in wanted]
            yield self.section_calls(n for n, title in self.hits.items() if any(t.search(title) for t in titles))
        else:
            yield self.section_calls(topic["number"] for topic in topics)

    def section(self, topic: Topic) -> str:
        """The number of the section on a topic, if it has been read, or ""."""
        return next((n for n, (title, _) in self.sections.items() if re.search(topic["title"], title)), "")

    # --- comparing

    def values(self, topic: Topic, report: str) -> list[Value]:
        """What there is to compare on a topic; [] if it cannot be had."""
        found = [
            (page, match)
            for page, told in self.read(report).items()
            for match in compiled(topic["report"]).finditer(told)
        ]
        if "column" not in topic:
            made = [Value(m[1], self.text("page", page=n), people=m.groupdict().get("people") or "") for n, m in found]
            return [value for value in made if value.number is not None]
        call = next(map(self.result, self.summary_call(report, topic["column"])), None)
        told = look("review", "measured").search((call and not call.is_error and call.result) or "")
        if not told:
            return []
        low, low_member, mean, high, high_member = told.groups()
        said, member = (low, low_member) if topic["end"] == "lowest" else (high, high_member)
        value = Value(said, member, mean)
        members = found[0][1].groupdict().get("members") if found else None
        return [value] if value.number is not None and (not members or member.startswith(members)) else []

    def limit(self, topic: Topic, value: Value, report: str) -> float | None:
        """What the section asks for: the number in it, raised as it says where that depends on something else."""
        told = self.sections[self.section(topic)][1]
        match = compiled(topic["limit"]).search(told)
        numbers = [number for group in match.groups() if (number := _number(group)) is not None] if match else []
        if not match or len(numbers) < len(match.groups()):
            return None
        if topic["title"] == "storage":
            return max(numbers[0], self._given("goods", report) or 0)
        if topic["title"] == "^Snow":
            height, slope = self._given("above_sea", report), self._given("slope", report) or 0
            if height is None:
                return None
            steep = look("review", "steep").search(told)
            load = numbers[2 if height > numbers[0] else 1]
            return load / 2 if steep and slope > (_number(steep[1]) or 90) else load
        if len(numbers) == 2:  # so much for each person, and at least so much
            return max(numbers[0] * (_number(value.people) or 0), numbers[1])
        return numbers[0]

    def _given(self, name: str, report: str) -> float | None:
        """A number that a report gives."""
        found = look("review", name).search(" ".join(self.read(report).values()))
        return _number(found[1]) if found else None


def _cleared(call: Call) -> bool:
    """Whether its result was cut down to a line, to make a history shorter; it is read again then."""
    return bool(look("review", "cleared").search(call.result or ""))


def _number(said: str) -> float | None:
    """1800.0 for "1,800"; None if it is no number."""
    return float(said.replace(",", "")) if re.fullmatch(r"\d{1,3}(?:,\d{3}){1,3}|\d{1,9}(?:\.\d{1,9})?", said) else None


def _pattern(report: str) -> str:
    """How a prompt may write the name of a report: "Harbor Hall" for harbor-hall."""
    return "[-_ ]".join(map(re.escape, re.split("[-_ ]+", report)))


@cache
def compiled(source: str) -> re.Pattern[str]:
    return re.compile(source, re.VERBOSE)
