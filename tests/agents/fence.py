"""Tries the fence of a copy of s09 with random paths: `python fence.py SCRIPT HOW_MANY SEED`.

Whether a path leads out is asked of the system, by opening it: each file outside the folder holds "outside". Prints
how many were taken and refused, and the first mistakes.
"""

import importlib.util
import json
import os
import random
import sys
from pathlib import Path

script, how_many, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
spec = importlib.util.spec_from_file_location("s09", script)
s09 = importlib.util.module_from_spec(spec)
spec.loader.exec_module(s09)

root = script.parent / "review"
os.chdir(root)
OUTSIDE = [
    script.parent / "review-secret/plan.txt",
    script.parent / "plan.txt",
]  # the first has a name that begins alike
INSIDE = [root / "reports/harbor-hall.txt", root / "notes/own.md", root / "notes/deep/er/own.md"]
for path in OUTSIDE + INSIDE:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("outside" if path in OUTSIDE else "inside", encoding="utf-8")
LINKS = {
    "out": script.parent,
    "notes/up": script.parent / "review-secret",
    "plan.md": OUTSIDE[1],
    "notes/in": root / "reports",
    "notes/chain": root / "out",
    "notes/round": root / "notes/round",
    "notes/dangling.md": script.parent / "nothing-there.md",
    "relative": "../review-secret",
}
try:
    for name, target in LINKS.items():
        os.symlink(target, root / name)
except OSError:  # Windows, without the right to make links
    LINKS = {}

PARTS = [
    *["..", ".", "", "reports", "notes", "deep", "er", "review", "review-secret", "harbor-hall.txt", "own.md"],
    *[
        "plan.txt",
        "plan.md",
        "new.md",
        "...",
        "~",
        " ",
        "NOTES",
        "Reports",
        "REVIEW~1",
        "nul",
        "x" * 300,
        "a\0b",
        "\ud800",
    ],
    *[
        "C:",
        "C:plan.txt",
        "\\\\server\\share",
        "..\\plan.txt",
        "file:",
        "%2e%2e",
        "\u202e",
        "．．",
        str(script.parent),
        str(root),
    ],
    *[part for name in LINKS for part in name.split("/")],
]
# Ways that exist, most of them back to the folder; half of all paths are made of these.
DETOURS = [
    "",
    ".",
    "reports/..",
    "notes/deep/er/../../..",
    "out/review",
    "notes/chain/review",
    "notes/in/..",
    "notes/up/../review",
]
DETOURS += ["../review", "relative/../review", "out", "..", "notes/up/..", str(root), f"{script.parent}"]
TARGETS = [
    "reports/harbor-hall.txt",
    "notes/own.md",
    "notes/in/harbor-hall.txt",
    "plan.txt",
    "plan.md",
    "notes/up/plan.txt",
]
TARGETS += ["review-secret/plan.txt", "relative/plan.txt", "review/notes/own.md", "notes/dangling.md", "notes/new.md"]


def some_path():
    if rng.random() < 0.5:
        return "/".join([*rng.choices(DETOURS, k=rng.randint(0, 3)), rng.choice(TARGETS)])
    path = rng.choice(["/", "/", "/", "\\", "//"]).join(rng.choices(PARTS, k=rng.randint(1, 7)))
    return rng.choice(["", "", "", "", "/", "\\", "./", f"{root}/", f"{script.parent}/"]) + path


rng = random.Random(seed)
taken, refused, inside, outside, mistakes = 0, 0, 0, 0, []
for _ in range(how_many):
    path = some_path()
    try:
        content = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError):  # no such file, a folder, no name at all
        content = None
    inside, outside = inside + (content == "inside"), outside + (content == "outside")
    try:
        place = s09.confined(path)
    except Exception:  # of whatever kind: run_tool makes it an answer
        refused += 1
        if content == "inside" and not os.path.isabs(path):  # absolute ones are refused wherever they lead
            mistakes.append(f"refused: {path!r}")
        continue
    taken += 1
    if os.path.isabs(path) or ":" in path:
        mistakes.append(f"absolute or with a drive, and looked up: {path!r}")
    if content == "outside":
        mistakes.append(f"taken: {path!r}")
    if content == "inside" and not (place.exists() and os.path.samefile(path, place)):
        mistakes.append(f"another file than the one that was named: {path!r}")
    while not os.path.isdir(place):  # up to the nearest folder there is: where a file of this name would come to lie
        place = place.parent
    if not any(os.path.samefile(folder, root) for folder in [place, *place.parents]):
        mistakes.append(f"would lie outside: {path!r}")
found = {"taken": taken, "refused": refused, "inside": inside, "outside": outside, "mistakes": mistakes[:5]}
print(json.dumps(found))
