import pytest

from course.site import ROOT, SiteError
from course.site.source import find, parts

SCRIPT = '''"""A script."""

import json
import os

from course import load_env

load_env()
# how many
LIMIT: int = 3
TABLE = {
    "a": 1,
}


@decorated
def one(x):
    """Not a part of its own."""
    return x


class Box:
    size = 1

    @property
    def width(self):
        return 2

    def height(self):
        return 3


if __name__ == "__main__":
    one(1)
'''


def test_every_top_level_piece_has_a_name():
    names = [part.name for part in parts(SCRIPT)]
    assert names == ["docstring", "imports", "load_env()", "LIMIT", "TABLE", "one", "Box", "__main__"]


@pytest.mark.parametrize(
    ("wanted", "first", "last"),
    [
        ("docstring", '"""A script."""', '"""A script."""'),
        ("imports", "import json", "from course import load_env"),
        ("LIMIT", "# how many", "LIMIT: int = 3"),
        ("TABLE", "TABLE = {", "}"),
        ("one", "@decorated", "    return x"),
        ("Box.width", "@property", "    return 2"),
        ("Box.height", "def height(self):", "    return 3"),
        ("imports..LIMIT", "import json", "LIMIT: int = 3"),
        ("TABLE..one", "TABLE = {", "    return x"),
        ("__main__", 'if __name__ == "__main__":', "    one(1)"),
    ],
)
def test_a_part_is_found_whole(wanted, first, last):
    lines = find(SCRIPT, wanted).splitlines()
    assert (lines[0], lines[-1]) == (first, last)


@pytest.mark.parametrize("wanted", ["two", "Box.depth", "one..nowhere", "Nothing.here"])
def test_a_name_that_is_not_there_breaks(wanted):
    with pytest.raises(SiteError, match=wanted.partition("..")[2] or wanted):
        find(SCRIPT, wanted)


def test_a_range_runs_forward():
    with pytest.raises(SiteError, match="before"):
        find(SCRIPT, "one..TABLE")


def test_no_part_of_a_script_is_named_by_its_line():
    for script in sorted((ROOT / "agents").glob("s*.py")):
        names = [part.name for part in parts(script.read_text(encoding="utf-8"))]
        assert len(set(names)) == len(names) and not any(name.startswith("line ") for name in names), names
