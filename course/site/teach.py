"""The page "Teach it": what each lesson needs in front of a room (teach/sNN.toml), and the plans (teach/plans.toml)."""

from dataclasses import dataclass
from typing import Any

from course.checks.exercises import exercises
from course.lessons import LESSONS
from course.site import SiteError
from course.site.changes import edit
from course.site.fences import code
from course.site.labels import HERE, label, load
from course.site.lesson_parts import lesson
from course.site.outputs import find
from course.site.sections import section

FOLDER = HERE / "teach"
KINDS = ("talk", "typing", "exercise", "pause")  # what the minutes of a plan are for


@dataclass(frozen=True)
class Step:
    """One line of a plan. `minutes` holds those of each kind in KINDS, `said` is Markdown for its name."""

    said: str
    minutes: dict[str, int]


def plan(name: str, language: str) -> list[Step]:
    """The steps of a plan of plans.toml in order. Raises SiteError for an unknown plan, lesson or exercise."""
    plans = load(FOLDER / "plans.toml")
    if name not in plans:
        raise SiteError(f"no plan `{name}`; plans.toml has {', '.join(plans)}")
    return [_step(entry, language) for entry in plans[name]["steps"]]


def _step(entry: dict[str, Any], language: str) -> Step:
    if "exercise" in entry:
        return Step(_exercise(entry["exercise"], language), {"exercise": _minutes(entry["exercise"])})
    if "lesson" in entry:
        one, talk = lesson(entry["lesson"]), entry["talk"]
        said = f"[{label(language, 'lesson', number=int(one.id[1:]))}](#{one.id}) · {one.title[language]}"
        return Step(said, {"talk": talk, "typing": one.minutes - talk})
    return Step(label(language, f"plan_{entry['do']}"), {kind: entry[kind] for kind in KINDS if kind in entry})


def plan_fence(body: str, language: str) -> str:
    """A plan as a table: when each step begins, what it is, its minutes by kind; their sums below."""
    steps = plan(body.strip(), language)
    heads = [label(language, f"plan_{head}") for head in ("begins", "what", *KINDS)]
    rows = [f"| {' | '.join(heads)} |", "|---:|---|" + "---:|" * len(KINDS)]
    begins = 0
    for step in steps:
        cells = [str(step.minutes.get(kind, "")) for kind in KINDS]
        rows.append(f"| {_clock(begins)} | {step.said} | {' | '.join(cells)} |")
        begins += sum(step.minutes.values())
    sums = [str(sum(step.minutes.get(kind, 0) for step in steps) or "") for kind in KINDS]
    rows.append(f"| {_clock(begins)} | {label(language, 'plan_sum')} | {' | '.join(sums)} |")
    return "\n".join(rows)


def _clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"


def entry(name: str) -> dict[str, Any]:
    """What teach/ says about this lesson. Raises SiteError when there is nothing yet."""
    file = FOLDER / f"{name}.toml"
    if not file.is_file():
        raise SiteError(
            f"there is no course/site/teach/{file.name}: what the one in front of the room needs for {name}"
        )
    return load(file)


def teach_fence(body: str, language: str) -> str:
    """Every lesson, as seen from the front of the room."""
    return "\n\n".join(_lesson(one.id, language) for one in LESSONS if one.has_page)


def _lesson(name: str, language: str) -> str:
    notes, one = entry(name), lesson(name)
    number = label(language, "lesson", number=int(name[1:]))

    def part(head: str, text: str) -> str:
        colon = "：" if language == "zh" else ": "
        return f"**{label(language, 'teach_' + head)}**{colon}{text}\n"

    stretch = notes["stretch"]  # "" as long as a lesson has no exercises
    lines = [
        f"### [{number} · {one.title[language]}](lessons/{name}.md) {{#{name}}}\n",
        part("aim", notes["aim"][language]),
        part("ask", notes["ask"][language]),
        part("live", ""),
        *(f"{_typed(line, language)}\n\n{line['say'][language]}\n" for line in notes["live"]),
        *(part("trap", f"{trap['says'][language]}\n\n{_screen(trap, language)}") for trap in notes["trap"]),
        part("check", section(f"lessons/{name}.md", "quiz", language)),
        *([part("stretch", f"{_exercise(stretch, language)} · {_how_long(stretch, language)}")] if stretch else []),
        *(part(head, notes[head][language]) for head in ("must", "may", "stop")),
    ]
    return "\n".join(lines)


def _typed(line: dict[str, Any], language: str) -> str:
    """What to type: a command, or that of a run of outputs.toml, with its prompt in the reader's language."""
    return code(line.get("command") or find(line["run"], language).command, "sh")


def _screen(trap: dict[str, Any], language: str) -> str:
    """The mistake, and what it prints: all of it, or the `last` lines."""
    run = find(trap["run"], language)
    printed = run.file.read_text(encoding="utf-8").rstrip("\n").splitlines()
    shown = printed[-trap.get("last", len(printed)) :]
    screen = code("\n".join(["..."] * (shown != printed) + shown), "text", title=run.command)
    change = code(edit(run.old.strip("\n"), run.new.strip("\n")), "diff", title=run.script) + "\n\n" if run.old else ""
    return change + screen


def _exercise(id: str, language: str) -> str:
    one = _find(id)
    return f"[{one.title[language]}](lessons/{one.lesson}.md#exercise-{one.number}) · `{id}`"


def _minutes(id: str) -> int:
    return _find(id).minutes


def _how_long(id: str, language: str) -> str:
    return label(language, "minutes", minutes=_minutes(id))


def _find(id: str) -> Any:
    for one in exercises():
        if one.id == id:
            return one
    raise SiteError(f"no exercise `{id}`")
