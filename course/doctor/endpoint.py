"""What else is there at an address of the reader's own? Nothing of it keeps a lesson from running."""

import json
import os
from collections.abc import Iterator

from .. import env, i18n
from . import Finding, ask, child, settings

_ = i18n.translator("doctor")

SECONDS = 3 * ask.SECONDS + 15
SHOWN = 5  # models


def NAME() -> str:
    return _("the address offers")


def check() -> Iterator[Finding]:
    if settings.access() is None:
        yield Finding("ok", _("not needed: the lessons stay on this machine"))
        return
    url = settings.endpoint()
    with settings.as_a_lesson():
        model, trouble = os.environ.get("MODEL_ID", ""), env.trouble()
    if not url or trouble:
        yield Finding("ok", _("not asked: it is not an endpoint of your own") if not url else _("not asked"))
        return
    run = child.run("-c", "from course.doctor import ask; ask.offers()", seconds=SECONDS)
    try:
        found = json.loads(run.out if run else "")
    except ValueError:
        yield Finding("warn", _("no answer within {seconds} s").format(seconds=SECONDS))
        return
    yield _models(found["models"], model)
    here = {True: _("yes"), False: _("no")}
    yield Finding(
        "ok",
        _("streaming: {streams}; count_tokens: {counts}; no lesson so far needs them").format(
            streams=here[found["streams"]], counts=here[found["counts"]]
        ),
    )


def _models(names: list[str] | None, model: str) -> Finding:
    if names is None:
        return Finding("ok", _("no list of models"))
    listed = settings.foreign(", ".join(names[:SHOWN]))
    if len(names) > SHOWN:
        listed = _("{names} and {number} more").format(names=listed, number=len(names) - SHOWN)
    found = _("models: {names}").format(names=listed or "-")
    if model and model not in names:
        return Finding(
            "warn",
            _("{found}; {model} is not among them").format(found=found, model=settings.foreign(model)),
            _("If the call of a tool did not work, set MODEL_ID to one of these."),
        )
    return Finding("ok", found)
