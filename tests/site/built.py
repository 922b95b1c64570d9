"""The site as it is now, built once for all tests of a session, in whichever worker of pytest-xdist asks first."""

import os
import subprocess
import sys
import time

from course.site import ROOT

SECONDS = 300  # for a build, on a machine that has much else to do


def built(tmp_path_factory):
    """(the folder of the site, what `mkdocs build --strict` printed). Fails when the build does."""
    common = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        common = common.parent  # each worker has a folder below it
    site, printed, status = common / "the site", common / "the site.log", common / "the site.status"
    try:
        printed.touch(exist_ok=False)  # who makes this file builds
    except FileExistsError:
        latest = time.monotonic() + SECONDS
        while not status.exists():
            assert time.monotonic() < latest, f"another worker has not built the site in {SECONDS} s"
            time.sleep(0.1)
    else:
        _build(site, printed, status)
    said = printed.read_text(encoding="utf-8")
    assert status.read_text(encoding="ascii") == "0", said
    return site, said


def _build(site, printed, status):
    code = 1
    try:
        with printed.open("wb") as file:
            command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(site)]
            env = os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"}
            code = subprocess.run(
                command, cwd=ROOT, env=env, stdout=file, stderr=subprocess.STDOUT, timeout=SECONDS
            ).returncode
    finally:  # a build that failed is not waited for
        part = status.with_suffix(".part")
        part.write_text(str(code), encoding="ascii")
        part.replace(status)
