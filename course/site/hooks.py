"""The hooks of mkdocs.yml. Each does one line of work; the work is in the modules beside this one."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # mkdocs loads this file by its path

from mkdocs.exceptions import PluginError  # noqa: E402
from mkdocs.plugins import event_priority  # noqa: E402

from course.lessons import LESSONS  # noqa: E402
from course.site import LANGUAGES, SiteError, search  # noqa: E402
from course.site.changes import changes_fence  # noqa: E402
from course.site.command import commands_fence, course_fence  # noqa: E402
from course.site.errors import errors_fence  # noqa: E402
from course.site.exercises import exercises_fence  # noqa: E402
from course.site.fences import plain, replace  # noqa: E402
from course.site.glossary import glossary_fence  # noqa: E402
from course.site.handouts import first_errors_fence, messages_fence  # noqa: E402
from course.site.include import check_notes, include, table_fence, text_fence  # noqa: E402
from course.site.lesson_parts import facts_fence, lessons_fence, unchanged_fence  # noqa: E402
from course.site.other_models import other_models_fence  # noqa: E402
from course.site.outputs import edit_fence, output_fence  # noqa: E402
from course.site.player import BlockElement, player_fence  # noqa: E402
from course.site.playground import playground_fence  # noqa: E402
from course.site.sections import section_fence  # noqa: E402
from course.site.teach import plan_fence, teach_fence  # noqa: E402
from course.site.tree import tree_fence  # noqa: E402

PARTS = ("Part I", "Part II")  # the sections of mkdocs.yml's nav that the lessons fill
BY_LANGUAGE: dict[str, Callable[[str, str], str]] = {
    "output": output_fence,
    "edit": edit_fence,
    "player": player_fence,
    "playground": playground_fence,
    "exercises": exercises_fence,
    "facts": facts_fence,
    "lessons": lessons_fence,
    "tree": tree_fence,
    "unchanged": unchanged_fence,
    "errors": errors_fence,
    "glossary": glossary_fence,
    "table": table_fence,
    "text-file": text_fence,
    "other-models": other_models_fence,
    "plan": plan_fence,
    "teach": teach_fence,
    "section": section_fence,
    "messages": messages_fence,
    "commands": commands_fence,
    "course": course_fence,
    "first-errors": first_errors_fence,
}


def generators(language: str) -> dict[str, Callable[[str], str]]:
    """What each kind of generated fence is made by, for pages in one language."""

    def bind(make: Callable[[str, str], str]) -> Callable[[str], str]:
        return lambda body: make(body, language)

    return {"include": include, "changes": changes_fence, **{kind: bind(make) for kind, make in BY_LANGUAGE.items()}}


def on_startup(command: str, dirty: bool) -> None:
    search.teach_words()


def on_config(config: Any) -> None:
    for section in config.nav or []:
        for part, title in enumerate(PARTS, 1):
            if isinstance(section, dict) and title in section:
                section[title] = [f"lessons/{one.id}.md" for one in LESSONS if one.part == part and one.has_page]
    config.markdown_extensions.append(BlockElement())


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    language = page.file.src_uri.split("/")[0]
    try:
        check_notes(markdown)
        return replace(markdown, generators(language))
    except SiteError as error:
        raise PluginError(f"docs/{page.file.src_uri}, {error}") from error


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    return plain(html)


@event_priority(-200)  # after the i18n plugin has set the links to other languages
def on_page_context(context: Any, page: Any, config: Any, nav: Any) -> None:
    if page.meta.get("toc_depth") == 2:  # pages with a hundred entries list their groups only
        for group in page.toc:
            group.children.clear()
    # The i18n plugin links home pages from the root of the host, which is wrong where the site lies below it.
    for other in config.extra.alternate:
        if other["lang"] in page.file.alternates:
            other["link"] = page.file.alternates[other["lang"]].url


def on_post_template(output_content: str, template_name: str, config: Any) -> str:
    # Each language writes /404.html anew; empty output is not written, so the first language's page stays.
    other = template_name == "404.html" and config.theme["language"] != LANGUAGES[0]
    return "" if other else output_content


@event_priority(-200)  # after the i18n plugin has built every language
def on_post_build(config: Any) -> None:
    search.split_index(Path(config.site_dir))
