"""The page "Other models": each place where a model answers in the form of this API, from other_models.toml."""

from collections.abc import Iterator
from typing import Any

from course.site import SiteError
from course.site.fences import code
from course.site.labels import HERE, label, load


def places() -> list[dict[str, Any]]:
    """All places, in the order of the file; that file says what the fields mean."""
    found: list[dict[str, Any]] = load(HERE / "other_models.toml")["place"]
    return found


def settings(place: dict[str, Any]) -> str:
    """The three lines of .env."""
    variable, value = place.get("key", ("ANTHROPIC_API_KEY", "the-key-for-that-endpoint"))
    return f"ANTHROPIC_BASE_URL={place['url']}\n{variable}={value}\nMODEL_ID={place['model']}"


def other_models_fence(body: str, language: str) -> str:
    """The places on the reader's own machine ("here") or elsewhere ("provider"), a section each; anchors are ids."""
    if body.strip() not in ("here", "provider"):
        raise SiteError(f"other-models: expected `here` or `provider`, got {body.strip()!r}")
    here = body.strip() == "here"
    return "\n".join(
        line for place in places() if place.get("here", False) == here for line in _section(place, language)
    )


def _section(place: dict[str, Any], language: str) -> Iterator[str]:
    yield f"### {place['name']} {{#{place['id']}}}"
    yield ""
    if start := place.get("start"):
        yield from (label(language, "place_start"), "", code(start, "sh"), "", label(language, "place_then"), "")
    yield from (code(settings(place), "sh"), "")
    for where, url in place.get("others", ()):
        yield from (label(language, f"place_{where}", url=url), "")
    yield place["note"][language] + ("" if place.get("tools", True) else label(language, "place_tools"))
    yield ""
    yield label(language, "place_docs", docs=place["docs"], read=place["read"])
    yield "{ .remark }"
    yield ""
