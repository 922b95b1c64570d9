"""The general scene: tools never seen before, and what is said when no tool fits.

A tool is called if the words of the prompt fit its name and description and its required parameters can be filled from
the prompt, or from the results so far. Everything else gets text.
"""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import copy
import json
import re
from dataclasses import dataclass, field
from typing import Any

from . import arithmetic, dates, repair, reports, schema
from .answers import Reply, ask_for, say
from .conversation import Conversation, clip, has_image
from .facts import Facts, coordinates, expression, measured, numbers, statement, tickers
from .reports import data_of, leaves, readable, report
from .schema import NOTHING
from .vocabulary import ACTIONS, WORD, said_in, words_in
from .wording import Texts, join, phrase

ENOUGH = 3  # the score from which a tool fits
MANY_TOOLS = 15  # with more, they are not listed, and
LONG_TEXTS = 10_000  # characters of descriptions make them those of a program for a real model

SPEAKS = re.compile(
    r"answer|response|reply|text|message|summary|content|expla|reason|why|descr|advice|result|comment|note",
    re.IGNORECASE,
)
FINISHES = re.compile(
    r"_user$|(?-i:ToUser$)|final|answer|respond|reply|submit|finish|done|complete|result|output|structured",
    re.IGNORECASE,
)
READS = re.compile(r"^(?:get|find|list|search|lookup|look_up|fetch|read|query|retrieve|check|show)", re.IGNORECASE)
COMPUTES = re.compile(
    r"^(?:calc|compute|evaluate|solve|math|convert|translate|roll|random|count|subtract|multiply|divide|(?:add|sum)(?:_?(?:two_?)?numbers)?$)",
    re.IGNORECASE,
)
CLAUSES = re.compile(
    r"(?<=[a-zA-Z)\d\"'][.!?;]) +(?=[A-ZÄÖÜ])|[。；;！？]|,? and (?=(?:what|how|when|who|where|can|could|please|send|e-?mail|text|save|write|copy|add|buy|put|book|lock|turn|cancel|delete)\b)|, (?:and )?(?=the (?:price|latest|current|weather|time|news)\b)|,? (?:and )?then |,? (?:and )?after that,? |,? (?:und )?dann |,? danach |，?然后|，?接着|再(?=[把将给用])"
)
LOOKS_UP = re.compile(r"search|wiki|article|look_?up|retriev|browse|google|knowledge|documentation|docs", re.IGNORECASE)
ASKS = re.compile(
    r"[?？]|^\W*(?:tell me|explain|describe|who|what|when|where|which|how|why|wer|was|wann|wo|wie|warum|welche\w*|erklär\w*|erzähl\w*)\b|谁|什么|哪|多少|介绍|怎么|为什么",
    re.IGNORECASE,
)
OF_ITSELF = re.compile(
    r"\b(?:are|do|can|could|will|would) you\b(?! (?:know|please|tell|explain|find|search|look|give|show|get)\b)|\byour(?:self)?\b|\bmy name\b|\bwho am i\b"
    r"|\b(?:bist|kannst) du\b(?! mir)|\bdu\b[^.]*kannst|\bdein\w*|\bmein name|\bwie heiße ich\b|你(?:是|能|会|好|叫)|我叫|我的名字",
    re.IGNORECASE,
)
REFERS_BACK = re.compile(
    r"\b(?:result|output|it|that|them|answer|sum|product|ergebnis|das|es|dessen)\b|结果|它|其", re.IGNORECASE
)
NEEDS_BEFORE = re.compile(
    r"\b(?:result|output|that|them|ergebnis)\b|(?<!is )(?<!was )\bit\b(?! is)|结果|它", re.IGNORECASE
)
RECORDS = re.compile(r"(?<=[.?!])\s+|[。；;！？\n]")
TOLD = re.compile(
    r"\b(?:should|must|always|use|first|call|begin by|start by)\b|\b(?:sollst|musst|immer|zuerst)\b|应该|必须|先|总是",
    re.IGNORECASE,
)
CONDITION = re.compile(r"(?<!see )\bif\b|\bwhen(?:ever)?\b|\bcan\b|\bfalls\b|\bwenn\b|如果|当", re.IGNORECASE)
OBSERVATION = re.compile(r"^(?:Call id: \S+\s+)?(?:Observation|Error):\s*(?=\S)", re.MULTILINE)
VALUE = re.compile(r"^(?:search_?|lookup_?)?(?:value|term|val)$", re.IGNORECASE)
GREETING = re.compile(
    r"^\W*(?:hi|hello|hey|hallo|good (?:morning|afternoon|evening|day)|guten (?:tag|morgen|abend)|servus|你好|您好|嗨)\b[^?？]{0,30}$"
    r"|^(?:你好|您好|嗨|早安|(?:早上|上午|中午|下午|晚上)好)",
    re.IGNORECASE,
)
BEFORE = re.compile(r"\b(?:previous|last) (?:response|answer|message|reply|output)\b", re.IGNORECASE)
SUM = re.compile(
    r"^\W*(?:what(?:'s| is)|how much is|calculate|compute|was ist|wie ?viel ist|berechne|rechne|计算)\b|^[-\d\s+*/().×÷]+[=?？]*$|\d ?(?:等于|是多少)",
    re.IGNORECASE,
)
THANKS = re.compile(r"^\W*(?:thanks|thank you|danke|vielen dank|谢谢|多谢)", re.IGNORECASE)
ECHO = re.compile(
    r"\b(?:say|reply with|respond with|answer with|output|write|repeat)(?: back)?(?: only| just| exactly)?(?: the words?| the text)?:? (?:only |just |exactly )?(?:\"([^\"]{1,200})\"|'([^']{1,200})'|([A-Z]{2,20}|hi|hello)\b[.!]?$)",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Goal:
    """One thing to do: a tool, and the words of the prompt that ask for it."""

    tool: dict[str, Any]
    clause: str
    number: int
    inputs: list[dict[str, Any]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)


def fits(conversation: Conversation) -> bool:
    """Always: this scene comes last."""
    return True


def play(conversation: Conversation) -> Reply | None:
    language = conversation.language
    if conversation.choice in ("any", "tool"):
        return forced(conversation)
    if found := arithmetic.steps(conversation):
        calls, values = found
        if calls:
            return ask_for(calls)
        if len(values) > 1 or values[0] is None:
            return say(report(conversation))
        return say(reports.TEXTS.get(language, "result", result=values[0]))
    described = sum(len(str(tool.get("description", ""))) for tool in conversation.tools.values())
    if len(conversation.tools) > MANY_TOOLS and described > LONG_TEXTS:
        # A program for a real model: only a tool whose whole name is in the prompt is called.
        said = said_in(conversation.words)
        goals = [goal for goal in _goals(conversation) if words_in(goal.tool["name"]) <= said]
    else:
        goals = (
            _goals(conversation)
            or _goals_of_system(conversation)
            or _only_goal(conversation)
            or _looked_up(conversation)
        )
    if not goals:
        if conversation.aside and not THANKS.search(conversation.words):
            return None  # a remark on the work that is under way
        return without_tools(conversation)
    calls, missing = _next_calls(goals, conversation)
    if calls:
        return ask_for(calls)
    if told := _report(conversation, missing):
        return say(told)
    names = join([readable(name) for name in missing], language)
    return say(reports.TEXTS.get(language, "missing", names=names))


def without_tools(conversation: Conversation) -> Reply:
    """What is said when there is nothing to call: what came of earlier calls, or what this stand-in is for."""
    return say(_report(conversation, []) if conversation.calls else _small_talk(conversation))


# Which tools


def _score(tool: dict[str, Any], said: frozenset[str], text: str) -> float:
    name = tool["name"]
    named = words_in(name)
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    things = WORD.findall(name.lower())[1:]
    score = 3.0 * len(named & said) + 1.5 * len(set(things) & set(WORD.findall(text.lower())))
    description = str(tool.get("description", ""))
    score += min(2.5, len(words_in(description[:600]) & said) * 1.0)
    score += min(2.0, sum(bool(words_in(key) & said) for key in known) * 1.0)
    for key, about in known.items():
        if re.search("expr|equation|formula", key, re.IGNORECASE) and expression(text):
            score += 4
        if re.search("ticker|symbol", key, re.IGNORECASE) and tickers(text):
            score += 3
        if re.search("sql|database", f"{name} {description}", re.IGNORECASE) and statement(text, description):
            score += 4
        values = schema.resolve(about, root).get("enum")
        if isinstance(values, list) and any(str(value).lower() in text.lower() for value in values if value):
            score += 1
    first = re.split(r"[_\-]|(?<=[a-z])(?=[A-Z])", name)[0].lower()
    if first in ACTIONS:
        if re.search(ACTIONS[first], text, re.IGNORECASE):
            score += 2
        else:
            score -= 5
    return score


def _goals(conversation: Conversation) -> list[Goal]:
    """Return what the prompt asks for, in its order."""
    prompt = conversation.words
    clauses = [clause for clause in CLAUSES.split(prompt) if clause and clause.strip()] or [prompt]
    goals: list[Goal] = []
    if 1 < len(clauses) <= 8:
        for number, clause in enumerate(clauses):
            for tool in _fitting(conversation, clause):
                goals.append(Goal(tool, clause, number))
    if not goals:
        goals = [Goal(tool, prompt, 0) for tool in _fitting(conversation, prompt)]
    elif len({goal.tool["name"] for goal in goals}) == 1 and not NEEDS_BEFORE.search(prompt):
        goals = [Goal(goals[0].tool, prompt, 0)]
    return goals


def _goals_of_system(conversation: Conversation) -> list[Goal]:
    """Return the tools without required parameters that the system prompt says are to be used."""
    if GREETING.search(conversation.words) or THANKS.search(conversation.words):
        return []
    goals: list[Goal] = []
    for sentence in RECORDS.split(clip(conversation.system)):
        if TOLD.search(sentence) and not CONDITION.search(sentence):
            for tool in _fitting(conversation, sentence):
                root = tool["input_schema"]
                if not schema.required_of(schema.resolve(root, root)) and all(goal.tool is not tool for goal in goals):
                    goals.append(Goal(tool, conversation.words, 0))
    return goals


def _only_goal(conversation: Conversation) -> list[Goal]:
    """Return the one tool there is, if the prompt holds all of several things that it needs: a form to be filled in."""
    if len(conversation.tools) != 1:
        return []
    tool = next(iter(conversation.tools.values()))
    goal = Goal(tool, conversation.words, 0)
    _fill(goal, conversation, None, alone=True)
    read = goal.inputs[0] if goal.inputs else {}
    required = schema.required_of(schema.resolve(tool["input_schema"], tool["input_schema"]))
    told = [name for name in required if name in read and read[name] not in ({}, False, conversation.words)]
    return [Goal(tool, conversation.words, 0)] if not goal.missing and len(told) > 1 else []


def _looked_up(conversation: Conversation) -> list[Goal]:
    """Return a search for what a question is about, if there is a tool to search with and no other fits."""
    words = conversation.words
    if OF_ITSELF.search(words) or not ASKS.search(words) or expression(words):
        return []
    for name, tool in conversation.tools.items():
        root = schema.resolve(tool["input_schema"], tool["input_schema"])
        required = schema.required_of(root)
        if (
            LOOKS_UP.search(name)
            and len(required) == 1
            and schema.kind_of(schema.properties_of(root).get(required[0], {})) == "string"
        ):
            return [Goal(tool, words, 0)]
    return []


def _things(name: str) -> set[str]:
    """Return the words of a tool's name without a verb such as "query" in front."""
    return words_in(READS.sub("", name)) or words_in(name)


def _fitting(conversation: Conversation, text: str) -> list[dict[str, Any]]:
    """Return the tool that fits best, and others that fit what it leaves over."""
    said = said_in(text)
    scored = [(_score(tool, said, text), -i, tool) for i, tool in enumerate(conversation.tools.values())]
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    if not scored or scored[0][0] < ENOUGH:
        return []
    best = scored[0][2]
    chosen = [best]
    left = said - words_in(best["name"])
    joined = re.search(r"\b(?:and|also|und|auch)\b|和|以及|并|还有|、|，", text)
    for score, _, tool in scored[1:]:
        new = _things(tool["name"]) & left
        if joined and new and score >= ENOUGH and not words_in(tool["name"]) & words_in(best["name"]):
            chosen.append(tool)
            left -= new
    return chosen[:4]


# With which input


def _next_calls(goals: list[Goal], conversation: Conversation) -> tuple[list[tuple[str, dict[str, Any]]], list[str]]:
    """Return the calls to make now, and the parameters that nothing fills."""
    today = dates.today_said(clip(conversation.system, 12_000), conversation.words)
    calls: list[tuple[str, dict[str, Any]]] = []
    missing: list[str] = []
    for goal in goals:
        waits = goal.number > 0 and (calls or _open_errors(conversation))
        if waits and (NEEDS_BEFORE.search(goal.clause) or _changes(goal.tool) or _lacks_number(goal)):
            break
        _fill(goal, conversation, today)
        if goal.missing:
            provider = _provider(goal, conversation, today)
            if provider:
                calls += [provider] if provider not in calls else []
            elif "_" in goal.tool["name"] and goal.tool["name"] in conversation.words:  # "Use the print_entities tool"
                given = _complete(goal.tool, goal.inputs[0] if goal.inputs else {})
                calls += _follow(goal.tool, given, conversation)
            else:
                missing += [name for name in goal.missing if name not in missing]
            continue
        for given in goal.inputs:
            follow = _follow(goal.tool, given, conversation)
            calls += [call for call in follow if call not in calls]
        if calls and _changes(goal.tool):
            break
    if not calls and not missing:
        calls = _asked_beyond(conversation)
    return calls, missing


def _asked_beyond(conversation: Conversation) -> list[tuple[str, dict[str, Any]]]:
    """Return the call that the results so far make possible, for a thing in the prompt that no call was about yet."""
    if not conversation.calls or conversation.calls[-1].is_error:
        return []
    called = {call.name for call in conversation.calls}
    left = said_in(conversation.words) - {word for name in called for word in words_in(name)}
    for name, tool in conversation.tools.items():
        root = tool["input_schema"]
        required = schema.required_of(schema.resolve(root, root))
        if name not in called and required and READS.search(name) and words_in(name) & left:
            if all(_from_results(one, tool, conversation) for one in required):
                goal = Goal(tool, "", 0)
                _fill(goal, conversation, None)
                return [(name, given) for given in goal.inputs[:1]]
    return []


def _changes(tool: dict[str, Any]) -> bool:
    return not READS.search(tool["name"]) and not COMPUTES.search(tool["name"])


def _is_form(tool: dict[str, Any]) -> bool:
    """Whether a tool's name is a thing, not something to do: programs offer those to have an answer filled in."""
    first = re.split(r"[_\-]|(?<=[a-z])(?=[A-Z])", tool["name"])[0].lower()
    return not READS.search(tool["name"]) and not COMPUTES.search(tool["name"]) and first not in ACTIONS


def _open_errors(conversation: Conversation) -> bool:
    return bool(conversation.calls) and conversation.calls[-1].is_error


def _follow(
    tool: dict[str, Any], given: dict[str, Any], conversation: Conversation
) -> list[tuple[str, dict[str, Any]]]:
    """Return the call still to be made for an input: itself, a second try, a corrected one, or none."""
    for _ in range(3):
        tries = [call for call in conversation.calls if call.name == tool["name"] and call.input == given]
        if not tries or (tries[-1].is_error and len(tries) < 2 and repair.PASSING.search(tries[-1].result or "")):
            return [(tool["name"], given)]
        if not tries[-1].is_error:
            return []
        better, _limit = repair.corrected(given, tries[-1].result or "", tool)
        if not better or better == [given]:
            return []
        if len(better) > 1:
            done = [call.input for call in conversation.calls if call.name == tool["name"]]
            return [(tool["name"], one) for one in better if one not in done]
        given = better[0]
    return []


def _fill(goal: Goal, conversation: Conversation, today: Any, alone: bool = False) -> None:
    """Find the goal's inputs in its words, then in the whole prompt, then in the results so far; `alone`: in its words."""
    root = goal.tool["input_schema"]
    resolved = schema.resolve(root, root)
    known, required = schema.properties_of(resolved), schema.required_of(resolved)
    facts = Facts(goal.clause, conversation.language, today, goal.clause if alone else conversation.words)
    given: dict[str, list[Any]] = {}
    numeric = [name for name, about in known.items() if _is_number(about, root)]
    signed = {
        name: found for name in numeric if (found := measured(goal.clause, name)[:1] or coordinates(goal.clause, name))
    }
    numeric = [name for name in numeric if name not in signed]
    found_numbers = _numbers(goal, conversation, len([name for name in numeric if name in required]))
    for value in (value for values in signed.values() for value in values if value in found_numbers):
        found_numbers.remove(value)
    for name, about in known.items():
        first = schema.variants(about, root)[0]
        if not alone and (records := _records(first, goal, conversation, today)):
            given[name] = [records]
            continue
        values: list[Any]
        if name in signed:
            values = list(signed[name])
        elif name in numeric and not isinstance(first.get("enum"), list) and not re.search(r"id$", name, re.IGNORECASE):
            position = numeric.index(name)
            fitting = found_numbers[position : position + 1] if position < len(found_numbers) else []
            if name not in required and not _mentions(goal.clause, name):
                fitting = []
            values = list(fitting)
        else:
            values = facts.values(name, first, goal.tool)
            if (
                name not in required
                and not isinstance(first.get("enum"), list)
                and not _certain(name, values, required)
            ):
                values = []
        if not values and name in required and VALUE.match(name):
            values = _value_of(given, known, facts, goal.tool)
        if not values and name in required and not alone:
            values = _from_results(name, goal.tool, conversation)
        if not values and name in required and name in numeric and not alone and _is_form(goal.tool):
            values = _only_number(conversation)
        taken = name in numeric and (goal.number or numbers(goal.clause))  # other numbers are for other calls
        if not values and name in required and not alone and not taken and goal.clause != conversation.words:
            values = Facts(conversation.words, conversation.language, today).values(name, first, goal.tool)
        takes_many = schema.kind_of(first) == "array"
        fitted = [schema.fit(value, about, root, name) for value in ([values] if takes_many and values else values)]
        given[name] = [value for value in fitted if value is not NOTHING]
        if not given[name]:
            del given[name]
            if name in required:
                default = first.get("default", NOTHING)
                only = first.get("enum") if isinstance(first.get("enum"), list) else []
                if default is not NOTHING and schema.valid(default, about, root):
                    given[name] = [default]
                elif schema.valid(None, about, root):
                    given[name] = [None]
                elif "const" in first or len(only or []) == 1:
                    given[name] = [schema.placeholder(about, root)]
                elif schema.kind_of(first) in ("object", "boolean"):
                    given[name] = [schema.placeholder(about, root)]
                else:
                    goal.missing.append(name)
    goal.inputs = _combine(given)


def _records(about: dict[str, Any], goal: Goal, conversation: Conversation, today: Any) -> list[dict[str, Any]]:
    """Return the items of a list of objects: one for each sentence that holds all that an object needs."""
    root = goal.tool["input_schema"]
    if schema.kind_of(about) != "array":
        return []
    item = schema.variants(about.get("items", {}), root)[0]
    if schema.kind_of(item) != "object" or not schema.required_of(item):
        return []
    shared = {key: root[key] for key in ("$defs", "definitions") if key in root}
    found: list[dict[str, Any]] = []
    for sentence in RECORDS.split(goal.clause)[:20]:
        one = Goal({"name": goal.tool["name"], "input_schema": {**item, **shared}}, sentence.strip(), goal.number)
        _fill(one, conversation, today, alone=True)
        if one.clause and not one.missing:
            found += [each for each in one.inputs if schema.valid(each, item, root)]
    return found if schema.valid(found, about, root) else []


def _value_of(given: dict[str, list[Any]], known: dict[str, Any], facts: Facts, tool: dict[str, Any]) -> list[Any]:
    """Return what a "value" is that another parameter names the kind of: the address, if the key is "email"."""
    for other, chosen in given.items():
        if isinstance(known[other], dict) and isinstance(known[other].get("enum"), list):
            return facts.values(str(chosen[0]), {"type": "string"}, tool)
    return []


def _is_number(about: Any, root: dict[str, Any]) -> bool:
    return schema.kind_of(schema.variants(about, root)[0]) in ("integer", "number")


def _numbers(goal: Goal, conversation: Conversation, wanted: int) -> list[float]:
    found = numbers(goal.clause)
    if len(found) < wanted and (goal.number or REFERS_BACK.search(goal.clause)):
        last = numbers(_last_result_before(goal, conversation)[:2000])
        found = last[-1:] + found
    return found


def _lacks_number(goal: Goal) -> bool:
    """Whether a later clause leaves a number to what came before: "Multiply 4 and 5, then add 10"."""
    root = goal.tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    wanted = [name for name in schema.required_of(schema.resolve(root, root)) if _is_number(known.get(name, {}), root)]
    return 0 < len(numbers(goal.clause)) < len(wanted)


def _last_result_before(goal: Goal, conversation: Conversation) -> str:
    """Return the result that a clause refers back to: the one before this goal's own call."""
    calls = [call for call in conversation.calls if not call.is_error]
    own = next((place for place, call in enumerate(calls) if call.name == goal.tool["name"]), len(calls))
    place = goal.number - 1 if goal.number else own - 1
    if place < 0:
        calls = [call for turn in conversation.earlier for call in turn.calls if not call.is_error]
    return (calls[min(place, len(calls) - 1)].result if calls else "") or ""


def _mentions(clause: str, name: str) -> bool:
    return bool(words_in(name) & said_in(clause))


def _certain(name: str, values: list[Any], required: list[str]) -> bool:
    """Whether values found for an optional parameter are surely meant for it."""
    return (
        bool(values)
        and bool(re.search(r"date|mail|url|path|city|location|zone|currency|language", name, re.IGNORECASE))
        and name not in required
    )


def _combine(given: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Return one input, or one for each value where the prompt names several for one parameter."""
    several = [name for name, values in given.items() if len(values) > 1]
    if not several:
        return [{name: values[0] for name, values in given.items()}]
    count = min(max(len(given[name]) for name in several), 8)
    return [{name: values[min(i, len(values) - 1)] for name, values in given.items()} for i in range(count)]


def _from_results(name: str, tool: dict[str, Any], conversation: Conversation) -> list[Any]:
    """Return the values that results hold under a parameter's name."""
    plain = re.sub(r"[_\- ]", "", name).lower()
    for call in reversed(conversation.calls):
        if call.is_error or not call.result or call.name == tool["name"]:
            continue
        for key, value in leaves(_best_first(data_of(call.result), conversation.words)):
            key = re.sub(r"[_\- ]", "", key).lower()
            same = key == plain or (
                key == "id" and plain.endswith("id") and bool(_people(plain[:-2]) & _people(call.name))
            )
            if same and isinstance(value, str | int | float) and not isinstance(value, bool):
                return [value]
    others = [call for call in conversation.calls if call.name != tool["name"]]
    if others and not others[-1].is_error and re.search(r"text|body|content|message|input|data", plain):
        return [others[-1].result or ""]
    return []


def _only_number(conversation: Conversation) -> list[float]:
    """Return the number in the last result if it holds one and no more."""
    found = numbers((conversation.calls[-1].result or "")[:2000]) if conversation.calls else []
    return found if len(found) == 1 else []


def _best_first(data: Any, prompt: str) -> Any:
    """Return a list of records with those first that hold a word of the prompt: the order that is "still processing"."""
    if not isinstance(data, list) or not all(isinstance(record, dict) for record in data):
        return data
    said = words_in(prompt)
    return sorted(data, key=lambda record: not any(isinstance(v, str) and words_in(v) & said for v in record.values()))


def _provider(goal: Goal, conversation: Conversation, today: Any, steps: int = 2) -> tuple[str, dict[str, Any]] | None:
    """Return a call whose result may hold what a goal lacks: "get_customer_info" for an order's id.

    If that call lacks something itself, what may hold that: at most so many `steps`.
    """
    best: tuple[float, tuple[str, dict[str, Any]]] | None = None
    said = said_in(conversation.words)
    for name, tool in conversation.tools.items():
        if tool is goal.tool or not READS.search(name):
            continue
        other = Goal(tool, conversation.words, 0)
        _fill(other, conversation, today)
        about = _people(f"{name} {tool.get('description', '')}")
        helps = any(_people(lacking) & about for lacking in goal.missing)
        if other.missing and helps and steps > 1 and not any(call.name == name for call in conversation.calls):
            before = _provider(other, conversation, today, steps - 1)
            if before and (best is None or best[0] < 2):
                best = (2, before)
        if other.missing or not other.inputs:
            continue
        given = other.inputs[0]
        if any(call.name == name and call.input == given for call in conversation.calls):
            continue
        score = len(words_in(name) & said) + 2 * helps
        if (given or helps) and score > 0 and (best is None or score > best[0]):
            best = (score, (name, given))
    return best[1] if best else None


def after_observation(conversation: Conversation) -> Reply | None:
    """End a loop that keeps its calls and their results as text: "Observation: ..." is what a tool brought."""
    found = list(OBSERVATION.finditer(conversation.prompt))
    seen = found[-1] if found else None
    # What follows a task in the same message is an observation only for a program that has demanded a call for the task.
    if not seen or (conversation.prompt[: seen.start()].strip() and conversation.choice not in ("any", "tool")):
        return None
    if not conversation.tools and not seen[0].startswith("Observation"):
        return None
    text = conversation.prompt[seen.end() :].strip()
    for name, tool in conversation.tools.items():
        if FINISHES.search(name) and conversation.forced in ("", name):
            return ask_for([(name, _with_answer(tool, _complete(tool, {}), {}, text, True))])
    return forced(conversation) if conversation.choice in ("any", "tool") else say(text)


def _people(text: str) -> set[str]:
    """Return the words of a text; those for people who have an id are one."""
    return words_in(re.sub(r"user|client|member|account", "customer", text, flags=re.IGNORECASE))


def forced(conversation: Conversation) -> Reply:
    """The request demands a call: the named tool, or the one that fits best."""
    if BEFORE.search(conversation.words) and (turns := conversation.earlier):
        conversation = copy.copy(conversation)
        conversation.words = clip(turns[-1].prompt)
    today = dates.today_said(clip(conversation.system, 12_000), conversation.words)
    done = {call.name for call in conversation.calls}
    if conversation.forced:
        tool = conversation.tools.get(conversation.forced)
        if tool is None:
            return say(_small_talk(conversation))
        goal = Goal(tool, conversation.words, 0)
        _fill(goal, conversation, today)
        return ask_for([(tool["name"], _complete(tool, given)) for given in goal.inputs or [{}]])
    answers = [tool for name, tool in conversation.tools.items() if FINISHES.search(name)]
    if any(FINISHES.search(call.name) and not call.is_error for call in conversation.calls):
        return say(_report(conversation, []))
    goals = _goals(conversation)
    told = any(_is_told(tool, conversation) for tool in conversation.tools.values())
    if not done and not told and all(goal.tool in answers for goal in goals):
        for tool in answers:
            plain = _complete(tool, {})
            if (given := _with_answer(tool, plain, {}, _small_talk(conversation), False)) != plain:
                return ask_for([(tool["name"], given)])
    calls, _ = _next_calls(goals, conversation) if goals else ([], [])
    if calls:
        return ask_for(calls)
    said = said_in(conversation.words)
    ranked = sorted(
        conversation.tools.values(),
        key=lambda tool: (
            bool(done) and bool(FINISHES.search(tool["name"])),
            bool(done) and _is_form(tool) and tool["name"] not in done,
            _score(tool, said, conversation.words),
        ),
        reverse=True,
    )
    tool = ranked[0]
    goal = Goal(tool, conversation.words, 0)
    _fill(goal, conversation, today)
    given = _complete(tool, goal.inputs[0] if goal.inputs else {})
    if done and FINISHES.search(tool["name"]):
        given = _with_answer(tool, given, {}, _report(conversation, []), True)
    return ask_for([(tool["name"], given)])


def _is_told(tool: dict[str, Any], conversation: Conversation) -> bool:
    """Whether the prompt holds all that a tool which gives no answers itself needs."""
    goal = Goal(tool, conversation.words, 0)
    _fill(goal, conversation, None)
    return not FINISHES.search(tool["name"]) and not goal.missing and goal.inputs != [{}]


def _with_answer(
    tool: dict[str, Any], given: dict[str, Any], read: dict[str, Any], answer: str, anywhere: bool
) -> dict[str, Any]:
    """Return the input with the answer in the text that is named like one; `anywhere`: else in the first.

    What was `read` from the prompt stays.
    """
    root = tool["input_schema"]
    texts = [
        name
        for name, about in schema.properties_of(schema.resolve(root, root)).items()
        if name not in read
        and schema.kind_of(schema.variants(about, root)[0]) == "string"
        and schema.valid(answer, about, root)
    ]
    texts = [name for name in texts if SPEAKS.search(name)] or (texts if anywhere else [])
    return {**given, texts[0]: answer} if texts else given


def _complete(tool: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return an input with the plainest values for what is required and not known."""
    root = tool["input_schema"]
    found = schema.fit(given, root, root)
    return found if found is not NOTHING else schema.placeholder(root, root)


def structured(wanted: dict[str, Any], text: str, conversation: Conversation) -> str:
    """Return JSON that a schema for the answer itself takes, filled from the words there are."""
    tool = {"name": "answer", "description": "", "input_schema": wanted}
    goal = Goal(tool, conversation.words, 0)
    _fill(goal, conversation, None)
    read = goal.inputs[0] if goal.inputs else {}
    given = _with_answer(tool, _complete(tool, read), read, text, bool(conversation.calls))
    return json.dumps(
        given if schema.valid(given, wanted, wanted) else schema.placeholder(wanted, wanted), ensure_ascii=False
    )


# What is said


def _report(conversation: Conversation, missing: list[str]) -> str:
    return report(conversation, missing, _is_chain(conversation))


def _is_chain(conversation: Conversation) -> bool:
    """Whether each reply since the prompt asked for one call: then the later ones built on the earlier."""
    if not conversation.rounds == len(conversation.calls) > 1:
        return False
    goals = _goals(conversation)
    several_tools = len({call.name for call in conversation.calls}) > 1
    return (
        NEEDS_BEFORE.search(conversation.words) is not None
        or (several_tools and len(goals) == 1)
        or any(goal.number and _lacks_number(goal) for goal in goals)
    )


def computed(prompt: str, language: str) -> str:
    """Return the answer to a prompt that is nothing but a small calculation, or ""."""
    value = arithmetic.value_of(expression(prompt)) if len(prompt) < 100 and SUM.search(prompt) else None
    return "" if value is None else reports.TEXTS.get(language, "result", result=f"{value:.12g}")


def _small_talk(conversation: Conversation) -> str:
    """What is said when no tool fits: honest about what this is."""
    language = conversation.language
    prompt = conversation.words
    if result := computed(prompt, language):
        return result
    if match := ECHO.search(prompt[:400]):
        return next(group for group in match.groups() if group)
    if THANKS.search(prompt):
        return TEXTS.get(language, "welcome")
    if has_image(conversation.messages[conversation.start]["content"]):
        return reports.TEXTS.get(language, "image")
    opening = TEXTS.get(language, "hello") if GREETING.search(prompt) else ""
    names = list(conversation.tools)
    if names and len(names) <= MANY_TOOLS:
        listed = join(names[:5], language, last="or")
        return phrase([opening, TEXTS.get(language, "no_fit", names=listed)], language)
    return phrase([opening, TEXTS.get(language, "stand_in")], language)


TEXTS = Texts(
    hello={"en": "Hello!", "de": "Hallo!", "zh": "你好！"},
    welcome={"en": "You're welcome.", "de": "Gern geschehen.", "zh": "不客气。"},
    stand_in={
        "en": "I'm an offline stand-in for Claude, not a language model, so I can't answer this freely. I can play an agent "
        "that looks up the weather, keeps a calendar or calls a simple tool of yours.",
        "de": "Ich bin ein Double für Claude, das offline läuft, und kein Sprachmodell; frei antworten kann ich darauf nicht. "
        "Ich kann einen Agenten spielen, der das Wetter nachschlägt, einen Kalender führt oder ein einfaches Tool von dir aufruft.",
        "zh": "我是离线运行的 Claude 本地替身，不是语言模型，没法自由回答这个问题。我能扮演的智能体可以查天气、管理日历，或者调用你的简单工具。",
    },
    no_fit={
        "en": "I'm an offline stand-in for Claude, not a language model. I can call {names}, but your words don't tell me "
        "what for. Say what the tool should do, and with which values.",
        "de": "Ich bin ein Double für Claude, das offline läuft, und kein Sprachmodell. Ich kann {names} aufrufen, erkenne "
        "aber nicht, wofür. Sag, was das Tool tun soll und mit welchen Werten.",
        "zh": "我是离线运行的 Claude 本地替身，不是语言模型。我可以调用 {names}，但没看出你想用它做什么。请说明要做的事和具体的值。",
    },
)
