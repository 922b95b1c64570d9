"""`make messages`: bring course/locale up to date with the code. For contributors.

    python -m course.messages [DOMAIN ...]

What `pybabel extract`, `update` and `compile` do, once for each domain, or those named: a module's messages belong to
the domain that it names in `_ = translator("<domain>")`. Domains without such a module ("argparse") are only compiled.
Needs Babel (requirements.txt).
"""

import re
import sys
from datetime import datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from .i18n import LANGUAGES, LOCALE_DIR

PACKAGE = Path(__file__).parent
DOMAIN = re.compile(r'^_ = (?:i18n\.)?translator\("(\w+)"\)$', re.MULTILINE)
# A fixed date, or each .mo would differ from day to day.
ANY_DAY = datetime(2026, 1, 1)

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


def collect() -> dict[str, Catalog]:
    """The messages in the code, by domain, in the order of files and lines."""
    found: dict[str, Catalog] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if domain := DOMAIN.search(path.read_text(encoding="utf-8")):
            catalogue = found.setdefault(domain[1], Catalog())
            for _line, message, _comments, _context in extract_from_file("python", path, keywords={"_": None}):
                catalogue.add(message)
    return found


def merge(po: Path, code: str, template: Catalog | None) -> Catalog:
    """The language's catalogue: what the code says now, with the translations that the .po has. None: as it is."""
    catalogue = Catalog(locale=code)
    if po.exists():
        with po.open("rb") as file:
            catalogue = read_po(file, locale=code)
    if template is not None:
        catalogue.update(template, no_fuzzy_matching=True)
    catalogue.creation_date = catalogue.revision_date = ANY_DAY
    return catalogue


if __name__ == "__main__":
    sys.exit(main())
