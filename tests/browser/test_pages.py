"""Every page in every language, in a real browser."""

import re
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import ADDRESSES, HERE, WIDE, watch

AXE = HERE / "node_modules" / "axe-core" / "axe.min.js"
EVERY = pytest.mark.parametrize(("language", "path"), ADDRESSES, ids=[path or "home" for _, path in ADDRESSES])
PHONE = {"width": 360, "height": 740}
LIMIT = 500_000  # bytes that a page may transfer, compressed as web hosts do


@pytest.fixture(scope="module")
def _visited(browser):
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce")
    page = context.new_page()
    page.course_faults = watch(page)
    page.course_hosts, page.course_sizes = set(), []
    page.on("request", lambda request: page.course_hosts.add(urlsplit(request.url).netloc))
    # What came from the cache says how long it was, too.
    page.on("response", lambda answer: page.course_sizes.append(int(answer.headers.get("content-length", 0))))
    yield page
    context.close()


@pytest.fixture
def visited(_visited):
    """The one page that goes everywhere, as a reader's does: with a cache, so that only the first visit is slow.

    Wide, light; reduced motion, so that nothing is measured while it fades in. For tests that leave nothing behind in
    the browser. `visited.course_faults`, `course_hosts` and `course_sizes` (bytes) hold what came in this test.
    """
    _visited.goto("about:blank")  # ends what is still on its way
    _visited.mouse.move(0, 0)
    _visited.set_viewport_size(WIDE)
    _visited.emulate_media(color_scheme="light")
    for collected in (_visited.course_faults, _visited.course_hosts, _visited.course_sizes):
        collected.clear()
    return _visited


@EVERY
def test_every_page(visited, site, language, path):
    """All of a page in one visit, because a visit is what takes long."""
    visited.goto(site + path, wait_until="networkidle")
    # It loads without a fault, from one host, and is not too large.
    assert visited.course_faults == []
    assert visited.course_hosts == {urlsplit(site).netloc}
    assert visited.locator("html").get_attribute("lang") == language
    assert 10_000 < sum(visited.course_sizes) <= LIMIT
    # It is accessible in light and dark.
    visited.add_script_tag(path=AXE)
    for scheme, name in (("light", "default"), ("dark", "slate")):
        visited.emulate_media(color_scheme=scheme)
        visited.locator(f"body[data-md-color-scheme={name}]").wait_for()
        assert violations(visited) == [], scheme
    # On a phone nothing scrolls sideways.
    visited.set_viewport_size(PHONE)
    visited.wait_for_function(f"innerWidth === {PHONE['width']}")
    assert visited.evaluate("document.scrollingElement.scrollWidth") <= PHONE["width"]


def violations(page):
    """What axe finds: the rule, and the first elements that break it."""
    return page.evaluate(
        "axe.run(document, {runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'], resultTypes: ['violations']})"
        ".then(result => result.violations.map(each => [each.id, "
        "each.nodes.slice(0, 3).map(node => node.html.slice(0, 200) + node.failureSummary)]))"
    )


@pytest.mark.parametrize(
    "start", ["lessons/s01/#the-loop", "zh/lessons/s01/#the-loop", "de/errors/#tool_use_without_result"]
)
def test_language_switch_keeps_page_and_section(visited, site, start):
    name = re.sub(r"^(zh|de)/", "", start)
    visited.goto(site + start, wait_until="networkidle")
    for language in ("de", "zh", "en"):
        visited.locator(".md-select > button").hover()
        visited.locator(f'.md-select__link[hreflang="{language}"]').click()
        visited.wait_for_url(site + ("" if language == "en" else f"{language}/") + name)
        visited.wait_for_load_state("networkidle")
        assert visited.locator("html").get_attribute("lang") == language
    assert visited.course_faults == []


def search(page, words):
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").fill(words)
    page.keyboard.press("End")  # the theme listens to keys, not to the text


SEARCHES = [
    ("zh", "循环"),
    ("zh", "智能体循环"),
    ("zh", "工具结果"),
    ("zh", "tool_result"),
    ("de", "Schleife"),
    ("de", "Stoppgrund"),
    ("de", "tool_result"),
    ("en", "stop reason"),
    ("en", "tool_result"),
    # Everyday words, for which the course has another.
    ("zh", "令牌"),
    ("zh", "沙盒"),
    ("de", "Werkzeug"),
    ("de", "Timeout"),
    ("en", "function calling"),
]


@pytest.mark.parametrize(("language", "words"), SEARCHES)
def test_search_finds_its_own_language(visited, site, language, words):
    prefix = "" if language == "en" else f"{language}/"
    visited.goto(site + prefix, wait_until="networkidle")
    search(visited, words)
    visited.locator(".md-search-result__link").first.wait_for()
    found = visited.locator(".md-search-result__link").evaluate_all("links => links.map(link => link.pathname)")
    assert found
    for address in found:
        first = address.strip("/").split("/")[0]
        assert (first if first in ("zh", "de") else "en") == language
    shown = visited.locator(".md-search-result__item").first.text_content().replace("\u200b", "")
    assert words.split("_")[0].split()[0].lower() in shown.lower()
    visited.locator(".md-search-result__link").first.click()
    visited.wait_for_load_state("networkidle")
    assert visited.course_faults == []


def test_search_of_another_language_finds_nothing(visited, site):
    visited.goto(site + "zh/", wait_until="networkidle")
    search(visited, "Agentenschleifenbau")
    visited.locator(".md-search-result__meta").filter(has_text="没有").wait_for()


def test_copy_button_copies_the_script_and_nothing_else(browser, site):
    from course.site.include import read

    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(site + "lessons/s01/#the-loop", wait_until="networkidle")
    block = page.locator(".highlight", has_text="def agent_loop").first
    block.scroll_into_view_if_needed()
    block.locator("button").first.click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
    copied = page.evaluate("navigator.clipboard.readText()")
    context.close()
    lines = [line.rstrip() for line in copied.splitlines()]
    assert lines == read("agents/s01_agent_loop.py", "agent_loop").splitlines()


def test_keyboard_reaches_everything(page, site):
    page.goto(site + "lessons/s01/", wait_until="networkidle")
    page.evaluate(
        """() => { window.wanted = [...document.querySelectorAll(
                'a[href], button, summary, input, select, [tabindex="0"]')]
        .filter(e => e.checkVisibility({visibilityProperty: true}) && e.tabIndex >= 0 && !e.disabled
                && !(e.type === 'radio' && !e.checked) && e.getClientRects().length);
        window.reached = new Set(); document.addEventListener('focusin', e => reached.add(e.target)); }"""
    )
    for _ in range(page.evaluate("wanted.length") + 60):
        page.keyboard.press("Tab")
    missed = page.evaluate("wanted.filter(e => !reached.has(e) && e.tabIndex >= 0).map(e => e.outerHTML.slice(0, 160))")
    assert missed == []


def test_keyboard_opens_an_answer_and_a_note(page, site):
    page.goto(site + "lessons/s01/#quiz", wait_until="networkidle")
    answer = page.locator("details.question").first
    answer.locator("summary").focus()
    page.keyboard.press("Enter")
    assert answer.get_attribute("open") is not None
    note = page.locator(".md-annotation__index").first
    note.focus()
    assert note.get_attribute("aria-label") == "Note 1"


def test_readable_without_javascript(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(site + "lessons/s01/")
    page.locator("details.question summary").first.click()
    assert page.locator("details.question p").first.is_visible()
    assert page.get_by_text("Claude chooses by this sentence").is_visible()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lesson_on_paper(page, site, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(site + "de/lessons/s01/", wait_until="networkidle")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 at 96 dpi without margins
    page.emulate_media(media="print", color_scheme=scheme)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    for hidden in (".md-sidebar--primary", ".md-header", ".md-footer", ".md-search", "agent-player", "details.tip p"):
        assert not page.locator(hidden).first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(31, 30, 27)"  # dark, whatever the screen was
    cut = page.evaluate(
        "[...document.querySelectorAll('pre, table, svg')].filter(e => e.scrollWidth > e.clientWidth + 1 && "
        "e.clientWidth > 0).map(e => e.textContent.slice(0, 80))"
    )
    assert cut == []
    assert page.locator("details.question summary").last.is_visible()
    assert not page.locator("details.question p").last.is_visible()
    printed = page.locator(".md-content__inner").inner_text()
    asked, given = printed.index("C. Das SDK hat die Funktion"), printed.rindex("C. Nein.")
    assert asked < printed.rindex("Antworten") < given
    # A link in the text and one in a note on code: a number each, and the address at the end.
    for link, where in (("Stoppgründe", "de/stop-reasons/"), ("die Umgebung aktiv ist", "de/setup/#no-key")):
        number = page.locator(f".md-content__inner a:text-is('{link}') + sup").inner_text(timeout=2000)
        assert page.locator(".links > li").nth(int(number) - 1).inner_text() == where


def test_after_printing_the_page_is_as_before(page, site):
    page.goto(site + "lessons/s01/", wait_until="networkidle")
    before = page.locator(".md-content__inner").inner_text()
    page.pdf()
    page.wait_for_function("!document.querySelector('details[open]')")
    assert page.locator(".md-content__inner").inner_text() == before
    assert page.locator(".on-paper").count() > 3
    assert not any(each.is_visible() for each in page.locator(".on-paper").all())


def test_answers_stay_with_the_questions_where_somebody_teaches(page, site):
    page.goto(site + "teach/", wait_until="networkidle")
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.question p").last.is_visible()


def test_unknown_address_is_explained_in_every_language(page, site):
    page.goto(site + "404.html", wait_until="networkidle")
    for language, home in (("en", "Home"), ("zh", "首页"), ("de", "Startseite")):
        assert page.locator(f'p[lang="{language}"] a', has_text=home).is_visible()
    assert page.course_faults == []
