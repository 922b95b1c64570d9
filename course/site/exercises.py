"""The place of the exercises on a lesson page. Empty as long as there are none for the lesson."""

from course.checks.exercises import exercises
from course.site.labels import label


def exercises_fence(body: str, language: str) -> str:
    """The exercises of a lesson in order: title, minutes, task, the commands for it, the hints."""
    lesson = body.strip()
    return "\n".join(
        f"### {one.title[language]} {{#exercise-{one.number}}}\n\n"
        f"{label(language, 'minutes', minutes=one.minutes)}\n{{ .remark }}\n\n{one.task[language]}\n\n"
        f"{label(language, 'exercise_how', file=one.shown, id=one.id)}\n{{ .remark }}\n\n"
        + _folded([hint[language] for hint in one.hints], language)
        for one in exercises()
        if one.lesson == lesson
    )


def _folded(hints: list[str], language: str) -> str:
    """Each hint behind its title, to be opened one at a time."""
    numbered = enumerate(hints, 1)
    return "\n".join(
        f'??? tip "{label(language, "exercise_hint", number=number)}"\n    {hint}\n' for number, hint in numbered
    )
