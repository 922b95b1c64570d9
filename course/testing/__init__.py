"""Testing an agent: what Claude says is written down, and the API's rules stay on.

`player` answers with replies written as text (course/standin/notation.py), `recorder` writes a run down as such a text,
`headers` takes replies and faults from a request's headers, and `fixture` is what a test holds.
"""

from typing import Any


def claude() -> Any:
    """A context manager for a test without pytest: inside it the SDK talks to a Claude that says what it is told.

    with claude() as it:
        it.says("get_weather(city='Oslo')", "'Cold.'")
        ...

    See `fixture.Claude`. At its end it raises AssertionError for what the API would have refused and for replies that
    nobody asked for, unless an exception is on its way already.
    """
    from course.testing.fixture import running

    return running()
