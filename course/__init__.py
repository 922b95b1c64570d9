"""Everything in the course that is not a lesson. A script needs one name from here: `load_env`."""

import sys

# Before anything that an older Python could not even read; written so that it can read this.
if sys.version_info < (3, 11):  # noqa: UP036
    sys.exit(
        "The course needs Python 3.11 or newer; this is %d.%d (%s). Make .venv anew with a newer one."  # noqa: UP031
        % (sys.version_info[0], sys.version_info[1], sys.executable)
    )

from .env import load_env  # noqa: E402

__all__ = ["load_env"]
