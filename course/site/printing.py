"""`make handouts`: the page "Handouts" as PDF, in every language, on A4 and Letter: `python -m course.site.printing`.

A browser prints them, so the fonts are those of this machine, and stand in the files.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from course import console, i18n
from course.site import LANGUAGES, ROOT
from course.site.labels import label

_ = i18n.translator("site")

FOLDER = ROOT / "handouts"
PAPERS = ("A4", "Letter")
TIME_LIMIT = 60  # seconds for one PDF
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")
# Where the installers put a browser that is on no PATH.
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)


def find_browser() -> str | None:
    """The program that CHROMIUM names, or else a Chromium, Chrome or Edge of this machine. None if there is none."""
    if named := os.environ.get("CHROMIUM"):
        return shutil.which(named)
    return next((found for name in (*NAMES, *PLACES) if (found := shutil.which(name))), None)


def print_handouts(browser: str, site: Path, language: str, paper: str, pdf: Path) -> None:
    """Print the handouts of a built site. Raises RuntimeError with the browser's last words if it makes no PDF."""
    page = site / ("" if language == LANGUAGES[0] else language) / "handouts" / "index.html"
    foot = label(language, "sheet_foot")
    style = f'<style>@page {{ size: {paper}; @bottom-left {{ content: "{foot}"; font: 7pt sans-serif }} }}</style>'
    sized = page.with_name(f"{paper}.html")
    sized.write_text(page.read_text(encoding="utf-8").replace("</head>", style + "</head>"), encoding="utf-8")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [
            browser, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}",
            # Chromium's sandbox does not start for root, as in a container. The page is our own.
            *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
            "--no-pdf-header-footer", f"--print-to-pdf={pdf}", sized.as_uri(),
        ]  # fmt: skip
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT,
                encoding="utf-8", errors="replace",
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            raise RuntimeError(str(error)) from error
    if done.returncode or not pdf.is_file():
        raise RuntimeError((done.stderr.strip().splitlines() or [str(done.returncode)])[-1])


def main() -> int:
    console.prepare()
    browser = find_browser()
    if browser is None:
        return console.problem(
            _(
                "To make PDFs, a Chromium, Chrome or Edge is needed, and none was found: put its path into CHROMIUM, "
                "or print the page `handouts` of the site from any browser."
            )
        )
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as site:
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", site]
        if subprocess.run(build, cwd=ROOT, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"}).returncode:
            return console.problem(_("The site could not be built; what is wrong stands above."))
        for language in LANGUAGES:
            for paper in PAPERS:
                pdf = FOLDER / f"agent-loop-{language}-{paper.lower()}.pdf"
                try:
                    pdf.unlink(missing_ok=True)
                    print_handouts(browser, Path(site), language, paper, pdf)
                except (OSError, RuntimeError) as error:  # OSError: a viewer on Windows has the old one open
                    sentence = _("No PDF was made ({browser}): {reason}")
                    return console.problem(sentence.format(browser=browser, reason=error))
                print(_("written: {name}").format(name=pdf.relative_to(ROOT).as_posix()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
