"""Calling the tool until everything is booked: correcting what it refused, and saying in the end what came of it."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import json
import re
from dataclasses import dataclass, field
from typing import Any

from . import repair
from .answers import Reply, ask_for, say
from .calendar_taken import stamp
from .calendar_texts import FREQUENCIES, TEXTS
from .calendar_tools import Tool
from .calendar_words import Wish
from .conversation import Call, Conversation
from .when import Date
from .wording import day, join, phrase, span

REFUSED = re.compile(
    r"\W*(?:taken|conflict|occupied|declined|refused|belegt|abgelehnt|已占用|冲突|拒绝)", re.IGNORECASE
)
RULE = re.compile(r"\b(FREQ|COUNT)=(\w+)")
MAX_CORRECTIONS = 2  # of one input
MAX_NAMED = 4  # people, before they are only counted


@dataclass(slots=True)
class Progress:
    """How far the work is. `splits`: (limit, count) for each call that a limit on people made `count` calls of."""

    todo: list[dict[str, Any]] = field(default_factory=list)
    done: list[dict[str, Any]] = field(default_factory=list)
    failed: list[Call] = field(default_factory=list)
    splits: list[tuple[int, int]] = field(default_factory=list)


def carry_out(
    conversation: Conversation, creator: Tool, inputs: list[dict[str, Any]], wish: Wish, intro: list[str]
) -> Reply:
    """Ask for what is not yet done; answer when nothing is left to do. `intro`: what the answer begins with."""
    language = conversation.language
    progress = Progress()
    for given in inputs:
        _follow(given, creator, creator.calls(conversation), progress)
    if progress.todo:
        splitting = [TEXTS.get(language, "split", limit=limit, count=count) for limit, count in progress.splits]
        return ask_for([(creator.name, given) for given in progress.todo], phrase(splitting, language))
    return say(phrase([*intro, *_outcome(progress, creator, wish, language)], language))


def _follow(given: dict[str, Any], creator: Tool, calls: list[Call], progress: Progress, corrections: int = 0) -> None:
    """Note what became of an input, and of those that it was corrected to."""
    tries = [call for call in calls if call.input == given]
    if not tries:
        progress.todo.append(given)
        return
    result = tries[-1].result or ""
    if REFUSED.match(result):
        progress.failed.append(tries[-1])
    elif not tries[-1].is_error:
        progress.done.append(given)
    elif len(tries) < 2 and repair.PASSING.search(result):
        progress.todo.append(given)
    else:
        better, limit = repair.corrected(given, result, creator.definition, creator.roles.get("title", ""))
        if corrections == MAX_CORRECTIONS or not better or given in better:
            progress.failed.append(tries[-1])
            return
        if limit:
            progress.splits.append((limit, len(better)))
        for one in better:
            _follow(one, creator, calls, progress, corrections + 1)


def _outcome(progress: Progress, creator: Tool, wish: Wish, language: str) -> list[str]:
    """Say what was booked, what of the wish was left out, and what failed."""
    parts: list[str] = []
    remarks: list[str] = []  # behind what was booked, which may be a list
    if progress.done:
        parts += [TEXTS.get(language, "was_split", limit=limit, count=count) for limit, count in progress.splits]
        parts.append(_done_text(progress.done, creator, language))
        said = json.dumps(progress.done)
        left_out = [address for address in wish.attendees if address not in said]
        if left_out and not progress.failed:
            remarks.append(TEXTS.get(language, "not_invited", who=join(left_out, language)))
        if wish.strangers:
            remarks.append(TEXTS.get(language, "strangers", names=join(wish.strangers, language)))
        if wish.reminder and "reminder" not in creator.roles:
            remarks.append(TEXTS.get(language, "no_reminder"))
    if progress.failed:
        remarks.append(TEXTS.get(language, "failed", error=repair.error_of(progress.failed[0])))
    if len(progress.done) > 1 and remarks:
        return [f"{phrase(parts, language)}\n{phrase(remarks, language)}"]
    return parts + remarks


def _done_text(done: list[dict[str, Any]], creator: Tool, language: str) -> str:
    """Say what was created, from the inputs themselves."""
    items = [_event_text(given, creator, language) for given in done]
    if len(items) == 1:
        return TEXTS.get(language, "booked", event=items[0])
    return TEXTS.get(language, "booked_several", events="\n".join(f"- {item}" for item in items))


def _event_text(given: dict[str, Any], creator: Tool, language: str) -> str:
    by_role = {role: given.get(name) for role, name in creator.roles.items()}
    start, end = stamp(by_role.get("start") or ""), stamp(by_role.get("end") or "")
    date = start[0] or stamp(by_role.get("date") or "")[0]
    repeat = by_role.get("repeat")
    parts = [TEXTS.get(language, "title", title=by_role.get("title") or "")]
    if date:
        parts[0] += TEXTS.get(language, "from" if repeat else "on", day=day(date, language))
    if by_role.get("all_day") is True:
        parts.append(TEXTS.get(language, "all_day"))
    elif start[1]:
        anyday = date or Date(2000, 1, 1)
        finish = datetime.datetime.combine(anyday, end[1]) if end[1] else None
        parts.append(span(datetime.datetime.combine(anyday, start[1]), finish, language))
    parts += _repeat_text(repeat, by_role.get("count"), language)
    if names := _names(by_role.get("attendees")):
        few = "、".join(names) if language == "zh" else join(names, language)
        who = few if len(names) <= MAX_NAMED else TEXTS.get(language, "people", count=len(names))
        parts.append(TEXTS.get(language, "with", who=who))
    return ("，" if language == "zh" else ", ").join(parts)


def _repeat_text(repeat: Any, count: Any, language: str) -> list[str]:
    """Say how often: ["weekly", "4 times"]."""
    rule = dict(RULE.findall(str(repeat)))  # FREQ=WEEKLY;COUNT=4
    values = [*(repeat.values() if isinstance(repeat, dict) else [repeat]), *rule.values(), count]
    known = FREQUENCIES[language]
    frequency = next((known[str(value).lower()] for value in values if str(value).lower() in known), None)
    times = next((value for value in values if isinstance(value, int)), rule.get("COUNT"))
    return [*filter(None, [frequency, TEXTS.get(language, "times", count=times) if times else None])]


def _names(people: Any) -> list[str]:
    """Return the people in an input: objects, or text."""
    listed = people if isinstance(people, list) else [people] if people and isinstance(people, str) else []
    return [str(next(iter(one.values()), "")) if isinstance(one, dict) else str(one) for one in listed]
