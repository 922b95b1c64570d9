"""`python -m course` is the same as `course`."""

from .cli import main

if __name__ == "__main__":
    raise SystemExit(main())
