"""load_env(): a key from .env or the environment if there is one, else the stand-in."""

import os


def load_env() -> None:
    """Make `anthropic.Anthropic()` work: with the reader's own key, or with the stand-in when there is none."""
    from course import console
    from course.standin import server

    console.prepare()
    running = server.start()
    os.environ["ANTHROPIC_BASE_URL"] = running.base_url
    os.environ["ANTHROPIC_API_KEY"] = "stand-in"
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "*"
