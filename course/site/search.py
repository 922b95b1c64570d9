"""One search index per language. MkDocs writes one for all; readers want hits in the language they read."""

import json
from pathlib import Path

import jieba

from course.site import LANGUAGES
from course.site.glossary import chinese_words

SPLIT = r"\-_,:!=\[\]()\"/`"  # "_" too: "loop" finds agent_loop
# No German stemmer: Material searches "word*", and lunr does not stem wildcards, so "Schleife*" would miss "schleif".
OPTIONS = {
    "en": {"lang": ["en"], "separator": rf"[\s{SPLIT}]+|\.(?!\d)", "pipeline": ["stopWordFilter"]},
    "de": {"lang": ["de"], "separator": rf"[\s{SPLIT}„“]+|\.(?!\d)", "pipeline": ["stopWordFilter"]},
    "zh": {
        "lang": ["zh"],
        "separator": rf"[\s\u200b\u3000{SPLIT}、。，．？！；：（）“”]+|\.(?!\d)",
        "pipeline": ["stemmer"],
    },
}


def teach_words() -> None:
    """Tell the word splitter the course's terms, or 智能体 is cut into 智能 and 体."""
    jieba.setLogLevel("WARNING")
    for word in chinese_words():
        jieba.add_word(word, freq=100_000)


def split_index(site: Path) -> None:
    """Replace search/search_index.json by one for each language, in that language's folder."""
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    folders = {code: "" if code == LANGUAGES[0] else f"{code}/" for code in LANGUAGES}
    for code, folder in folders.items():
        docs = [
            {**entry, "location": entry["location"].removeprefix(folder)}
            for entry in index["docs"]
            if _language(entry["location"]) == code
        ]
        file = site / folder / "search" / "search_index.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        data = {"config": {**index["config"], **OPTIONS[code]}, "docs": docs}
        file.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def _language(location: str) -> str:
    first = location.split("/")[0]
    return first if first in LANGUAGES[1:] else LANGUAGES[0]
