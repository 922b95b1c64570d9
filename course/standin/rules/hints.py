"""What to do about a refusal, in the reader's language: advice.toml."""

import os
import tomllib
from functools import cache
from pathlib import Path

from course.standin.rules.request import Refusal

DEFAULT_SITE = "http://127.0.0.1:8000/"  # where `make docs` serves the pages


@cache
def advice(language: str) -> dict[str, dict[str, str]]:
    """The advice in one language ("en", "zh" or "de"): {rule id: {"mistake": ..., "cure": ...}}."""
    found = tomllib.loads(Path(__file__).with_name("advice.toml").read_text(encoding="utf-8"))
    return {rule: {part: said[language] for part, said in parts.items()} for rule, parts in found.items()}


def link(rule: str, language: str) -> str:
    """The address of a rule's place on the page of errors, below COURSE_SITE."""
    site = (os.environ.get("COURSE_SITE") or DEFAULT_SITE).rstrip("/")
    return f"{site}/{'' if language == 'en' else language + '/'}errors/#{rule}"


def hint(refusal: Refusal, language: str) -> str:
    """One line for a learner's screen: the rule's name, what to do, where to read more: a command, and the page where
    COURSE_SITE says that the site is up. Empty for what is no rule.
    """
    found = advice(language).get(refusal.rule)
    if not found:
        return ""
    page = f", {link(refusal.rule, language)}" if os.environ.get("COURSE_SITE") else ""
    return f"{refusal.rule}: {found['cure']} `course errors {refusal.rule}`{page}"
