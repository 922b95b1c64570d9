"""Everything in the course that is not a lesson. A script needs one name from here: `load_env`."""

from .env import load_env

__all__ = ["load_env"]
