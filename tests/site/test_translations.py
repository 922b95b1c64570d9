import pytest

from course.cli import main
from course.site import translations


@pytest.fixture
def docs(tmp_path):
    for language in ("en", "zh", "de"):
        (tmp_path / language / "lessons").mkdir(parents=True)
    (tmp_path / "en" / "index.md").write_text("---\ntitle: Home\n---\n# Home\n", encoding="utf-8")
    (tmp_path / "zh" / "index.md").write_text("---\ntitle: 首页\n---\n# 首页\n", encoding="utf-8")
    (tmp_path / "de" / "lessons" / "old.md").write_text("# Alt\n", encoding="utf-8")
    return tmp_path


def states(docs):
    return {(page.language, page.name): page.state for page in translations.survey(docs)}


def test_what_is_missing_stale_and_left_over(docs):
    assert states(docs) == {
        ("zh", "index.md"): "stale",
        ("de", "index.md"): "missing",
        ("de", "lessons/old.md"): "extra",
    }


def test_a_stamp_holds_until_the_english_page_changes(docs):
    translations.stamp("zh", "index.md", docs)
    assert states(docs)["zh", "index.md"] == "current"
    text = (docs / "zh" / "index.md").read_text(encoding="utf-8")
    assert text.startswith("---\nsource: ") and text.endswith("\ntitle: 首页\n---\n# 首页\n")
    (docs / "en" / "index.md").write_text("---\ntitle: Home\n---\n# Home, sweet home\n", encoding="utf-8")
    assert states(docs)["zh", "index.md"] == "stale"
    translations.stamp("zh", "index.md", docs)
    assert (docs / "zh" / "index.md").read_text(encoding="utf-8").count("source:") == 1


def test_line_ends_of_windows_make_no_page_stale(docs):
    translations.stamp("zh", "index.md", docs)
    english = docs / "en" / "index.md"
    english.write_bytes(english.read_bytes().replace(b"\n", b"\r\n"))
    assert states(docs)["zh", "index.md"] == "current"


def test_a_page_without_front_matter_can_be_stamped(docs):
    (docs / "en" / "lessons" / "old.md").write_text("# Old\n", encoding="utf-8")
    translations.stamp("de", "lessons/old.md", docs)
    assert states(docs)["de", "lessons/old.md"] == "current"
    assert (docs / "de" / "lessons" / "old.md").read_text(encoding="utf-8").endswith("---\n# Alt\n")


def test_command_names_an_unknown_page(capsys):
    assert main(["translations", "zh/nowhere.md"]) == 2
    assert "zh/nowhere.md" in capsys.readouterr().err
