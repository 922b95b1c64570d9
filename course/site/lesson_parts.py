"""What the lesson table knows, for pages: the map of lessons and the line of facts under a lesson's title."""

from course.checks.exercises import exercises
from course.i18n import number
from course.lessons import LESSONS, Lesson
from course.site import SiteError
from course.site.fences import code
from course.site.include import read
from course.site.labels import label
from course.site.source import unchanged


def lesson(name: str) -> Lesson:
    """The lesson with this id. Raises SiteError when there is none."""
    for one in LESSONS:
        if one.id == name:
            return one
    raise SiteError(f"no lesson `{name}`; there are {', '.join(one.id for one in LESSONS)}")


def facts_fence(body: str, language: str) -> str:
    """How long a lesson takes, what it costs with a key, what it builds on, and its script."""
    one = lesson(body.strip())
    links = [f"[{name}]({name}.md)" for name in one.builds_on]
    facts = [
        label(language, "minutes", minutes=one.minutes),
        label(language, "cost", cost=number(f"{one.cost_usd:.2f}", language)),
        *([label(language, "builds_on", lessons=", ".join(links))] if links else []),
        f"`agents/{one.file}`",
    ]
    return " · ".join(facts) + "\n{ .facts }"


def unchanged_fence(body: str, language: str) -> str:
    """What a lesson takes over as it was, folded."""
    one = lesson(body.strip())
    file = f"agents/{one.file}"
    text = unchanged(read(file))
    names = ", ".join(str(int(name[1:])) for name in one.builds_on)
    lines = sum(bool(line.strip()) for line in text.splitlines())
    block = code(text, "python", title=file).splitlines()
    title = label(language, "unchanged", lessons=names, count=lines)
    return f'??? tip "{title}"\n\n' + "\n".join(f"    {line}" if line else "" for line in block)


def lessons_fence(body: str, language: str) -> str:
    """The map of all lessons that have a page and how long they take, for a page at the top of the docs folder."""
    there = [one for one in LESSONS if one.has_page]
    items = [
        f"1. [{one.title[language]}](lessons/{one.id}.md) `{one.id}`\n\n    {one.idea[language]}\n\n"
        f"    {_how_long(one, language)}{_from(one, language)}\n    {{ .remark }}\n"
        for one in there
    ]
    ids = {one.id for one in there}
    together = label(
        language,
        "together",
        hours=_hours(sum(one.minutes for one in there), language),
        more=_hours(sum(one.minutes for one in exercises() if one.lesson in ids), language),
    )
    return '<div class="lesson-map" markdown>\n\n' + "\n".join(items) + f"\n</div>\n\n{together}"


def _from(one: Lesson, language: str) -> str:
    links = ", ".join(f"[{name}](lessons/{name}.md)" for name in one.builds_on)
    return f" · {label(language, 'builds_on', lessons=links)}" if links else ""


def _how_long(one: Lesson, language: str) -> str:
    """The minutes of a lesson, and those of its exercises beside them if it has any."""
    more = sum(exercise.minutes for exercise in exercises() if exercise.lesson == one.id)
    name = "minutes_and_exercises" if more else "minutes"
    return label(language, name, minutes=one.minutes, more=more)


def _hours(minutes: int, language: str) -> str:
    """Minutes in hours, to the half hour: "2.5"."""
    return number(f"{round(minutes / 30) / 2:g}", language)
