"""What mkdocs.yml hooks in: code included by name, diffs, outputs, generated pages, search per language."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LANGUAGES = ("en", "zh", "de")  # the first is the original


class SiteError(Exception):
    """Something on a page that cannot be built. The message says what, and what is expected instead."""
