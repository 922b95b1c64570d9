"""`make messages`: bring course/locale up to date with the code. For contributors.

    python -m course.messages [DOMAIN ...]

For each domain, or those named: collect the messages from the modules that say `translator("<domain>")`, merge them
into each language's .po, compile the .mo. Domains without such a module ("argparse") are only compiled.
Needs Babel (requirements.txt).
"""

import ast
import sys
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from .i18n import LANGUAGES, LOCALE_DIR

PACKAGE = Path(__file__).parent


# Only what gettext needs: no dates and no tool versions, so that the same messages make the same file on any day.
HEADER = """# {domain}: {code}. Update with `make messages`.
msgid ""
msgstr ""
"Language: {code}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def main() -> int:
    sources = collect()
    known = sorted(sources.keys() | {path.stem for path in LOCALE_DIR.glob("*/LC_MESSAGES/*.po")})
    domains = sys.argv[1:] or known
    if not set(domains) <= set(known):
        print(f"Usage: python -m course.messages [DOMAIN ...]; the domains are {', '.join(known)}.", file=sys.stderr)
        return 2
    complete = True
    for code in LANGUAGES[1:]:
        for domain in domains:
            po = po_file(code, domain)
            catalogue = merge(po, code, sources.get(domain))
            po.parent.mkdir(parents=True, exist_ok=True)
            po.write_bytes(as_po(catalogue, code, domain))
            with po.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
            for message in catalogue:
                if message.id and not message.string:
                    complete = False
                    print(f"{po.relative_to(PACKAGE.parent)}: no translation yet: {message.id!r}")
    return 0 if complete else 1


def po_file(code: str, domain: str) -> Path:
    return LOCALE_DIR / code / "LC_MESSAGES" / f"{domain}.po"


def as_po(catalogue: Catalog, code: str, domain: str) -> bytes:
    body = BytesIO()
    write_po(body, catalogue, width=120, omit_header=True, ignore_obsolete=True)
    return HEADER.format(domain=domain, code=code).encode() + body.getvalue().lstrip()


def collect() -> dict[str, list[str]]:
    """The messages in the code, by domain, in the order of files and lines.

    Raises:
        ValueError: a call of the translator whose argument is not a plain string, so that it cannot be translated.
    """
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "translator(" not in source:
            continue
        tree = ast.parse(source, str(path))
        names = dict(_translators(tree))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            if isinstance(node.func, ast.Name) and node.func.id in names:
                argument = node.args[0]
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise ValueError(f"{path}:{node.lineno}: a message must be one plain string")
                messages = found.setdefault(names[node.func.id], [])
                if argument.value not in messages:
                    messages.append(argument.value)
    return found


def _translators(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(name, domain) for each `name = translator("domain")` or `name = i18n.translator("domain")` of a module."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and isinstance(node.targets[0], ast.Name):
            function, arguments = node.value.func, node.value.args
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if called == "translator" and arguments and isinstance(arguments[0], ast.Constant):
                yield node.targets[0].id, str(arguments[0].value)


def merge(po: Path, code: str, messages: list[str] | None) -> Catalog:
    """The language's catalogue: what the code says now, with the translations that the .po has. None: as it is."""
    old = Catalog(locale=code)
    if po.exists():
        with po.open("rb") as file:
            old = read_po(file, locale=code)
    # A fixed date, or each .mo would differ from day to day.
    new = Catalog(locale=code, creation_date=datetime(2026, 1, 1), revision_date=datetime(2026, 1, 1))
    for text in [str(message.id) for message in old if message.id] if messages is None else messages:
        known = old.get(text)
        new.add(text, known.string if known else "")
    return new


if __name__ == "__main__":
    sys.exit(main())
