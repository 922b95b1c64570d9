"""The playground on a lesson's page: a button that runs its script in the browser."""

import base64

from course.site import DOCS, ROOT
from course.site.labels import label

BUILT = DOCS / "assets" / "playground" / "sizes.json"  # what `make playground` makes last
ONE_AFTER_ANOTHER = ("s04", "s05")  # their calls run side by side where there are threads


def playground_fence(body: str, language: str) -> str:
    """`<agent-playground>` (docs/assets/js/playground.js) for a lesson by its id.

    In a build without `make playground`: a button that does nothing, and why.
    """
    name = body.strip()
    if not BUILT.is_file():
        run = label(language, "playground_run")
        return f"<p><button disabled>{run}</button> {label(language, 'playground_not_built')}</p>"
    script = next(ROOT.joinpath("agents").glob(f"{name}_*.py"))
    source = base64.b64encode(script.read_bytes()).decode()
    note = label(language, "playground_one_after_another") if name in ONE_AFTER_ANOTHER else ""
    attributes = f'id="run-{name}" script="{script.name}" source="{source}" lang="{language}"'
    return (
        f'<agent-playground {attributes} markdown="block">'
        f"\n\n{label(language, 'playground_needs_script')}\n\n</agent-playground>" + (f"\n\n{note}" if note else "")
    )
