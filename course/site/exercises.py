"""The place of the exercises on a lesson page. Empty until exercises/exercises.toml has some for the lesson."""

from course.site import ROOT, SiteError
from course.site.labels import label, load

TABLE = ROOT / "exercises" / "exercises.toml"


def exercises_fence(body: str, language: str) -> str:
    """The exercises of a lesson in order: title, task, and the command that checks the reader's solution.

    Expects [[exercise]] entries with id, lesson, and title and task by language.
    """
    lesson = body.strip()
    if not TABLE.is_file():
        return ""
    found = [entry for entry in load(TABLE)["exercise"] if entry["lesson"] == lesson]
    if not found:
        raise SiteError(f"exercises.toml has no exercise for {lesson}")
    return "\n".join(
        f"### {entry['title'][language]} {{#{entry['id']}}}\n\n{entry['task'][language].strip()}\n\n"
        f"{label(language, 'check_it')} `course check {entry['id']}`\n"
        for entry in found
    )
