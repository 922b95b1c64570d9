"""The handouts as PDF: four sheets on four papers of the right size, with their fonts."""

import subprocess

import pytest

from course.site.printing import find_browser, print_handouts

# Chinese needs fonts that not every machine has; German on the shorter paper is the one with the least room.
PRINTED = [
    ("zh", "A4", ["循环", "命令", "停止原因", "最先遇到的十个错误"]),
    ("de", "Letter", ["Die Schleife", "Befehle", "Stoppgründe", "Zehn Fehler, die dir zuerst begegnen"]),
]


def poppler(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout


@pytest.mark.parametrize(("language", "paper", "heads"), PRINTED)
def test_each_sheet_is_one_paper(site_folder, tmp_path, language, paper, heads):
    pdf = tmp_path / "handouts.pdf"
    print_handouts(find_browser(), site_folder, language, paper, pdf)
    told = dict(line.split(":", 1) for line in poppler("pdfinfo", pdf).splitlines())
    assert int(told["Pages"]) == 4
    assert f"({paper})".lower() in told["Page size"].lower()
    for number, head in enumerate(heads, 1):
        assert poppler("pdftotext", "-f", str(number), "-l", str(number), pdf, "-").strip().startswith(head)
    # Name, type, encoding, embedded, ...: the columns from the right, as a name may hold blanks.
    fonts = [line.split() for line in poppler("pdffonts", pdf).splitlines()[2:]]
    assert fonts and all(font[-5] == "yes" for font in fonts)
