"""One Python that has loaded the SDK, for all programs that the tests of the checks run."""

import pytest

from course.checks.runner import Forks, Fresh


@pytest.fixture(scope="session")
def starter():
    if Forks.possible:
        with Forks() as forks:
            yield forks
    else:
        yield Fresh()
