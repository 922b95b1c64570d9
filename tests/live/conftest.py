"""Say what the live tests will cost before they run, and do not run them without a key."""

import os

import pytest

from course import env
from course.lessons import LESSONS
from tests.conftest import ROOT


def live(items):
    return [item for item in items if item.get_closest_marker("live")]


def prepare():
    """Read .env as the lessons do, and take the stand-in out of the way."""
    if (ROOT / ".env").is_file():
        env.read_env_file(ROOT / ".env")
    env.clean_environment()


def pytest_report_collectionfinish(config, items):
    chosen = live(items)
    if not chosen:
        return None
    prepare()
    costs = {lesson.id: lesson.cost_usd for lesson in LESSONS}
    most = sum(costs[item.callspec.id] for item in chosen)
    place = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
    return f"live: {len(chosen)} lessons will talk to {env.shown(place)} and cost at most {most:.2f} USD"


def pytest_runtestloop(session):
    if live(session.items) and not session.config.option.collectonly and not env.access():
        pytest.exit("live tests need a key: set ANTHROPIC_API_KEY, or put it into .env", returncode=4)
