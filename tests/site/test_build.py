"""The site builds strictly, and what `--strict` does not notice is looked for in what was built."""

import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from course.site import LANGUAGES, ROOT
from tests.site.built import built
from tests.site.pages import PAGES

FOLDERS = {code: "" if code == LANGUAGES[0] else f"{code}/" for code in LANGUAGES}


@pytest.fixture(scope="module")
def build(tmp_path_factory):
    return built(tmp_path_factory)


class Page(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.ids, self.twice, self.links, self.fetched, self.text = set(), set(), [], [], []
        self.language, self.verbatim = "", 0
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.verbatim += tag in ("code", "pre", "script", "style")
        if tag == "html":
            self.language = given["lang"]
        if given.get("id"):
            (self.twice if given["id"] in self.ids else self.ids).add(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in ("script", "img", "iframe", "source") and given.get("src"):
            self.fetched.append(given["src"])
        if tag == "link" and "stylesheet" in given.get("rel", ""):
            self.fetched.append(given["href"])

    def handle_endtag(self, tag):
        self.verbatim -= tag in ("code", "pre", "script", "style")

    def handle_data(self, data):
        if not self.verbatim:
            self.text.append(data)


@pytest.fixture(scope="module")
def site(build):
    folder, _ = build
    return {
        file.relative_to(folder).as_posix(): Page(file.read_text(encoding="utf-8")) for file in folder.rglob("*.html")
    }


def address(language, name):
    path = name.removesuffix(".md").removesuffix("index")
    return FOLDERS[language] + (f"{path}/" if path else "") + "index.html"


def test_build_says_nothing_but_information(build):
    lines = [line for line in build[1].splitlines() if line.strip()]
    assert [line for line in lines if not line.startswith("INFO")] == []


def test_every_page_in_every_language(site):
    wanted = {address(language, name): language for language in LANGUAGES for name in PAGES}
    assert set(site) == {*wanted, "404.html"}
    for file, language in wanted.items():
        assert site[file].language == language


def test_every_internal_link_leads_somewhere(site):
    wrong = []
    for file, page in site.items():
        if file == "404.html":
            continue
        for link in page.links:
            target = urlsplit(urljoin(f"http://site/{file}", link))
            if target.netloc not in ("site", "127.0.0.1:8000"):
                continue
            path = target.path.lstrip("/")
            path += "index.html" if not path or path.endswith("/") else ""
            if path not in site or (target.fragment and unquote(target.fragment) not in site[path].ids):
                wrong.append(f"{file}: {link}")
    assert wrong == []


def test_no_anchor_stands_twice_on_a_page(site):
    assert {file: page.twice for file, page in site.items() if page.twice} == {}


def test_links_go_from_page_to_page_so_that_the_site_can_lie_below_any_address(site):
    links = {link for file, page in site.items() if file != "404.html" for link in page.links}
    assert [link for link in links if link.startswith("/")] == []


def test_nothing_is_fetched_from_elsewhere(site):
    for file, page in site.items():
        assert not [source for source in page.fetched if urlsplit(source).netloc], file


def test_no_markup_is_left_over(site):
    for file, page in site.items():
        text = "".join(page.text)
        assert not re.search(r"```|^\?\?\? |^!!! |\{ ?[#.][\w-]+ ?\}|--8<--", text, re.MULTILINE), file


def test_a_command_above_an_output_can_be_typed_as_it_stands(build):
    folder, _ = build
    for file in folder.rglob("*.html"):
        html = file.read_text(encoding="utf-8")
        assert "\ue000" not in html, file
        assert not [title for title in re.findall(r'<span class="filename">(.*?)</span>', html) if "’" in title], file


@pytest.mark.parametrize("language", LANGUAGES)
def test_search_has_the_pages_of_one_language(build, language):
    index = json.loads((build[0] / FOLDERS[language] / "search" / "search_index.json").read_text(encoding="utf-8"))
    found = {entry["location"].split("#")[0] for entry in index["docs"]}
    assert found == {address(language, name).removeprefix(FOLDERS[language])[: -len("index.html")] for name in PAGES}
    assert index["config"]["lang"] == [language]


def test_chinese_search_keeps_terms_whole(build):
    text = (build[0] / "zh" / "search" / "search_index.json").read_text(encoding="utf-8")
    assert re.search(r"[\u200b\"]智能体循环[\u200b\"]", text)


def test_404_speaks_every_language(site):
    assert site["404.html"].language == "en"
    assert {"Home", "首页", "Startseite"} <= {text.strip() for text in site["404.html"].text}


BROKEN = [
    ("```include\nagents/s01_agent_loop.py nowhere\n```\n", "no `nowhere` there"),
    ("```include\nagents/s01_agent_loop.py run_tool\nhighlight: nowhere\n```\n", "is in 0 lines"),
    ("```include\nagents/s01_agent_loop.py run_tool\nnote: def run_tool\n```\n", "has 1 notes"),
    ("```output\nnowhere\n```\n", "no output `nowhere`"),
    ("```python\nprint()\n", "never closed"),
    ("[Nowhere](nowhere.md)\n", "nowhere.md"),
    ("[Nowhere](setup.md#nowhere)\n", "nowhere"),
]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Each is a build; what else an include can have wrong is in test_include.py.
        pytest.param(*each, id=each[1], marks=pytest.mark.extra if index else ())
        for index, each in enumerate(BROKEN)
    ],
)
def test_a_broken_page_breaks_the_build(text, message, tmp_path):
    for language in LANGUAGES:
        (tmp_path / "docs" / language).mkdir(parents=True)
        for name in ("index.md", "setup.md"):
            (tmp_path / "docs" / language / name).write_text("# Page {#top}\n", encoding="utf-8")
    (tmp_path / "docs" / "en" / "index.md").write_text(f"# Page {{#top}}\n\n{text}", encoding="utf-8")
    config = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    config = re.sub(r"(?ms)^nav:.*?^hooks:", "nav: [index.md, setup.md]\nhooks:", config)
    config = config.replace("course/site/", f"{ROOT.as_posix()}/course/site/")
    config = re.sub(r"(?m)^(watch|extra_css|extra_javascript):.*\n", "", config)
    config = re.sub(r"(?m)^  (favicon|logo):.*\n", "", config)
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=tmp_path,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert done.returncode != 0
    assert message in done.stdout
    assert "Traceback" not in done.stdout
