"""s08/1, too much: what Claude says, and how to judge the run."""

import os
import re
from pathlib import Path

from course.checks.accepted import empty_result, not_printed, spread, tool_broke, unanswered, without_tools
from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, text_of
from course.checks.verdict import Verdict, constant, fail, first, flat, place, shortened
from course.standin.talk import Reply, Talk, ask_for, say

NO_TOOL = "I cannot look into the code: I have no tool for it."
MOST = 1000  # characters of one result
TOTAL = 13  # sections that hold "shall": all of them
STARTER = Path(__file__).with_name("starter.py").read_text(encoding="utf-8")
SECTIONS = {title: line for line, title in re.findall(r"^(\d\.\d ([^:]+): .+)$", STARTER, re.MULTILINE)}
WANTED = "60 minutes after the power has failed"  # the end of 5.6
# What counts or names the hits, and does not say how to get at others.
_EMPTY_WORDS = frozenset(
    "a an the of in to for are is was were be and or but only just there here all total altogether found hit hits "
    "match matches matched section sections result results shown show shows showing first last top best follow follows "
    "following below more others other rest remaining left cut truncated shortened limited shall words list listed "
    "es sind wurden nur die der das von davon gefunden treffer abschnitt abschnitte abschnitten insgesamt erste ersten "
    "zeige gezeigt folgen weitere mehr gekürzt hier".split()
)
_EMPTY_CHINESE = re.compile("[共总计一找到了条个节段项结果显示列出前仅只有以下如下其余还更多的在中已截断]+")


def play(talk: Talk) -> Reply:
    """A word that every section has, then the right words, and some that none has."""
    if "search_code" not in talk.tools:
        return say(NO_TOOL)
    if not talk.calls:
        return ask_for(("search_code", {"words": "shall"}), text="I look at what the code demands.")
    if talk.rounds == 1:
        return ask_for(*(("search_code", {"words": words}) for words in ("way out", "lit power", "escalator")))
    answer = f"Each way out shall be lit for {WANTED} (section 5.6)."
    if not any(WANTED in flat(call.result or "") for call in talk.calls):
        answer = "I found no section on light."
    size = len(talk.calls[0].result or "")
    return say(f"My first search brought {size} characters, and I read them anew in every turn. {answer}"
               if size > MOST else answer)  # fmt: skip


def judge(run: Run) -> Verdict:
    return first(
        run, obstacle, crash, without_tools, unanswered, spread, tool_broke,
        _too_long, _too_many, empty_result, _no_hits, _open_end, _silent, _no_way, _lost, not_printed,
    )  # fmt: skip


def _result(run: Run, words: str) -> str:
    """What the search for these words returned."""
    call = next((call for call in run.calls if call["input"].get("words") == words), None)
    return text_of((run.result(call) or {}).get("content")) if call else ""


def _look(run: Run) -> int | None:
    return place(run, r"return .*join", r"def search_code")


def _too_long(run: Run) -> Verdict | None:
    size = len(_result(run, "shall"))
    return fail("too_long", size=size, most=MOST, line=_look(run)) if size > MOST else None


def _too_many(run: Run) -> Verdict | None:
    shown, most = len(_shown(_result(run, "shall"))), constant(run, "MAX_HITS", 5)
    return fail("too_many", shown=shown, most=most, line=_look(run)) if shown > most else None


def _shown(text: str) -> list[str]:
    return [title for title in SECTIONS if title in flat(text)]


def _no_hits(run: Run) -> Verdict | None:
    text = _result(run, "shall")
    return None if _shown(text) else fail("no_hits", text=shortened(text), line=_look(run))


def _open_end(run: Run) -> Verdict | None:
    """A section that stops somewhere, and nothing shows that it goes on."""
    text = flat(_result(run, "shall"))
    for title in _shown(text):
        whole, given = SECTIONS[title].split(title)[1], text.split(title, 1)[1]
        same = len(os.path.commonprefix([whole, given]))
        if len(": ") < same < len(whole) and not re.match(r"\s*(\.\.|…|[\[(>-])", given[same:]):
            return fail("open_end", text=shortened(f"... {(title + whole[:same])[-60:]}"), line=_look(run))
    last = _result(run, "shall").rstrip().rpartition("\n")[2]
    if any(f"{line.split(title)[0]}{title}".startswith(last) and title not in last for title, line in SECTIONS.items()):
        return fail("open_end", text=shortened(f"... {last}"), line=_look(run))
    return None


def _note(run: Run) -> str:
    """What the result of the long search says beside the sections."""
    text = _result(run, "shall")
    for line in SECTIONS.values():
        text = text.replace(line, "\n")
    return "\n".join(line for line in text.splitlines() if not _shown(line))


def _silent(run: Run) -> Verdict | None:
    shown = len(_shown(_result(run, "shall")))
    if re.search(rf"(?<![\d.])({TOTAL}|{TOTAL - shown})(?![\d.]*\d)", _note(run)):
        return None
    return fail("silent", shown=shown, total=TOTAL, line=_look(run))


def _no_way(run: Run) -> Verdict | None:
    note = _note(run)
    words = re.findall(r"[^\W\d_]+", _EMPTY_CHINESE.sub(" ", note))
    if any(word.lower() not in _EMPTY_WORDS for word in words):
        return None
    return fail("no_way", text=shortened(note), line=_look(run))


def _lost(run: Run) -> Verdict | None:
    """The section that was asked for must be found by words that it alone has."""
    text = _result(run, "lit power")
    if WANTED in flat(text):
        return None
    return fail("lost", text=shortened(text), line=_look(run))
