"""The place of the exercises on a lesson page. Empty as long as exercises/exercises.toml has none for the lesson."""

from course.site import ROOT
from course.site.labels import label, load

TABLE = ROOT / "exercises" / "exercises.toml"


def exercises_fence(body: str, language: str) -> str:
    """The exercises of a lesson in order: title, task, the file to finish, the commands for it, the hints."""
    lesson = body.strip()
    if not TABLE.is_file():
        return ""
    found = [entry for entry in load(TABLE)["exercise"] if entry["id"].startswith(f"{lesson}/")]
    return "\n".join(
        f"### {entry['title'][language]} {{#exercise-{entry['id'].split('/')[1]}}}\n\n{entry['task'][language]}\n\n"
        f"{label(language, 'exercise_how', file='exercises/' + entry['file'], id=entry['id'])}\n{{ .remark }}\n\n"
        + _folded(entry["hints"][language], language)
        for entry in found
    )


def _folded(hints: list[str], language: str) -> str:
    """Each hint behind its title, to be opened one at a time."""
    numbered = enumerate(hints, 1)
    return "\n".join(
        f'??? tip "{label(language, "exercise_hint", number=number)}"\n    {hint}\n' for number, hint in numbered
    )
