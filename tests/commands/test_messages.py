"""Messages of the command: every one translated, every .mo current."""

import ast
import gettext
import re

import pytest
from babel.messages.pofile import read_po

from course import i18n
from course.messages import PACKAGE, collect, po_file

TRANSLATIONS = i18n.LANGUAGES[1:]


def catalogue(code, domain):
    if not po_file(code, domain).exists():
        return {}
    with po_file(code, domain).open("rb") as file:
        return {message.id: message.string for message in read_po(file, locale=code) if message.id}


def domains():
    return sorted(collect())


def test_no_message_stands_inside_an_f_string():
    """Babel reads tokens, and before Python 3.12 an f-string is one: such a message would never be collected."""
    for path in PACKAGE.rglob("*.py"):
        for string in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(string, ast.JoinedStr):
                assert "_" not in {node.id for node in ast.walk(string) if isinstance(node, ast.Name)}, path


@pytest.mark.parametrize("code", TRANSLATIONS)
@pytest.mark.parametrize("domain", domains())
def test_every_message_of_the_code_is_translated(domain, code):
    known = catalogue(code, domain)
    assert [message.id for message in collect()[domain] if message.id and not known.get(message.id)] == [], (
        "run `make messages`"
    )


@pytest.mark.parametrize("code", TRANSLATIONS)
@pytest.mark.parametrize("domain", domains())
def test_a_translation_fills_in_the_same_placeholders(domain, code):
    for message, translation in catalogue(code, domain).items():
        assert set(re.findall(r"{\w+}", message)) == set(re.findall(r"{\w+}", translation)), message


@pytest.mark.parametrize(
    "po", sorted(i18n.LOCALE_DIR.glob("*/LC_MESSAGES/*.po")), ids=lambda po: f"{po.parts[-3]}-{po.stem}"
)
def test_the_compiled_file_says_what_the_po_says(po):
    code, domain = po.parts[-3], po.stem
    with po.with_suffix(".mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for message, translation in catalogue(code, domain).items():
        assert compiled.gettext(message) == translation, "run `make messages`"


@pytest.mark.parametrize("code", TRANSLATIONS)
def test_nothing_is_translated_that_no_longer_exists(code):
    messages = {domain: {message.id for message in found} for domain, found in collect().items()}
    for domain in messages:
        assert set(catalogue(code, domain)) <= set(messages[domain]), "run `make messages`"


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "zh_CN.GB18030"}, "zh"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANGUAGE": "de:en", "LANG": "en_US.UTF-8"}, "de"),
        ({"COURSE_LANG": "zh", "LC_ALL": "de_DE"}, "zh"),
        ({"COURSE_LANG": "DE"}, "de"),
        ({"COURSE_LANG": "klingon", "LANG": "de_DE"}, "de"),
    ],
)
def test_language_of_the_reader(environment, expected, monkeypatch):
    for name in ("COURSE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    if i18n.sys.platform == "win32" and not environment:
        pytest.skip("on Windows the language of the system counts")
    assert i18n.language() == expected
