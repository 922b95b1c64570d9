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
from functools import lru_cache
from typing import Any

from . import arithmetic, dates, repair, schema
from .answers import Reply, ask_for, say
from .conversation import Call, Conversation, clip, has_image
from .facts import Facts, coordinates, expression, measured, numbers, paths, statement, tickers
from .schema import NOTHING
from .wording import Texts, join, phrase

ENOUGH = 3  # the score from which a tool fits
MANY_TOOLS = 15  # with more, they are not listed, and
LONG_TEXTS = 10_000  # characters of descriptions make them those of a program for a real model

WORD = re.compile(r"[A-Za-zÄÖÜäöüß]+|[\u4e00-\u9fff]+")
NOT_TELLING = frozenset(
    "get the a an of to for in on at by with and or is are was be do does did can could will would should i me my you your it its "
    "this that these those what which who how when where why please tool function use using used when given return returns user "
    "data info information current specific based one all any from about tell show want need like give let s t m some there has "
    "have if so as not no ich du der die das den dem ein eine einen und oder ist sind wie was wer wo bitte mir mich mein meine zu "
    "im am auf für von mit kannst du es sich let us more make take api example e g must be value string number name type id".split()
)
ACTIONS = {  # what changes something: a tool that does it is called only if the prompt says so
    "cancel": "cancel|stornier|取消", "delete": "delete|remove|lösch|entfern|删除", "remove": "remove|delete|entfern|lösch|删除|移除",
    "send": "send|mail|message|write to|notify|schick|send|schreib|发|通知", "create": "create|add|new|make|open|file|note|remind|notier|erstell|anleg|leg|创建|新建|添加",
    "update": "update|change|set|modify|änder|aktualisier|更新|修改", "add": "add|remind|erinner|提醒|plus|sum|\\+|append|put|hinzu|addier|füg|加|添加",
    "write": "write|save|store|create|schreib|speicher|写|保存", "save": "save|store|remember|keep|merk|speicher|保存|记住",
    "book": "book|reserve|buch|reservier|预订|订", "transfer": "transfer|send|überweis|转账", "refund": "refund|erstatt|退款",
    "complete": "complet|mark|finish|done|check off|erledig|abhak|完成", "mark": "mark|complet|finish|done|erledig|完成",
    "pay": "pay|zahl|bezahl|支付|付款", "buy": "buy|purchase|kauf|买", "sell": "sell|verkauf|卖", "order": "order|bestell|订单|下单",
    "set": "set|change|turn|switch|make|adjust|dim|stell|setz|schalt|mach|wake|weck|设|开|关|调|叫醒", "turn": "turn|switch|schalt|mach|开|关", "run": "run|execute|test|start|führ|ausführ|query|sql|how many|list|show|select|运行|执行|查询|多少|列出",
    "execute": "execute|run|query|how many|list|show|select|führ|执行|运行|查询|多少|列出", "edit": "edit|change|replace|fix|bearbeit|änder|修改|编辑", "post": "post|publish|send|poste|发布",
    "schedule": "schedul|plan|book|remind|erinner|安排|预约|提醒", "subtract": "subtract|minus|-|abzieh|减", "multiply": "multipl|times|\\*|×|product|mal\\b|乘",
    "divide": "divid|/|÷|geteilt|durch|除", "translate": "translat|übersetz|翻译|how .* say|in (?:french|german|spanish|chinese)", "close": "close|schließ|关闭", "open": "open|öffn|打开",
    "escalate": "escalat|human|supervisor|eskalier|升级|人工",
}  # fmt: skip
SYNONYMS = (  # words of a prompt, in three languages, and the words that names of tools have for them
    (r"weather|forecast|wetter|vorhersage|天气|气温", "weather forecast"), (r"berechne|rechne|calculat|compute|计算|算一?下|how much is|what is \d|what's \d|was ist \d|wie viel ist|等于", "calculate calculator math compute"),
    (r"aktie|börsenkurs|股价|股票|share price|trading at|stock", "stock price quote"), (r"preis|价格|how much (?:is|does)|cost", "price"), (r"bestellung|订单|package|delivery|shipment", "order"),
    (r"kund|客户|顾客", "customer"), (r"such|\bfinde?\b|搜索|查找|look up|look for|google|find out|information (?:on|about)|nachschlagen", "search find lookup"), (r"e-?mail|邮件", "email mail"),
    (r"datei|文件", "file"), (r"lies|liest|读取|open|show me the file|what's in|what is in|was steht in|inhalt", "read"), (r"uhrzeit|wie spät|wie viel uhr|几点|时间|what time", "time clock"),
    (r"datum|今天几号|日期|what day|today's date|the date", "date time"), (r"stornier|取消", "cancel"), (r"status|where(?: i|')s my|wo ist meine|状态", "status details order"), (r"übersetz|翻译", "translate translation"),
    (r"wechselkurs|umrechn|汇率|换算|convert|in (?:euros?|dollars?|usd|eur)\b", "exchange rate convert currency conversion"), (r"flug|flüge|航班|机票", "flight flights"),
    (r"\bhow many \w+ (?:is|are|in|make)\b (?:a |\d)|\d ?(?:°|degrees? |grad )?[a-zäöü]+ (?:in|to|nach) (?:°|degrees? |grad )?[a-zäöü]+[?.]?$|rechne .+ um\b|\d ?[\u4e00-\u9fff]{1,3}(?:等于|是)(?:多少|几)", "convert conversion unit"),
    (r"\bhow (?:do (?:you|i)|to) say\b", "translate translation"), (r"mark|check off|erledigt|abhaken|完成", "complete done"), (r"years? old|jahre? alt|岁", "age"),
    (r"\bunder\b|\bbelow\b|less than|at most|\bunter\b|höchstens|低于|以下", "max"), (r"telefon|电话", "phone telefon"), (r"\bhow many ['\"]?[a-z]['\"]?(?:'?s)?\b|count", "count letter"),
    (r"to-?dos?\b|tasks?\b|待办|任务|aufgabe", "todo task"), (r"\blists?\b|列出|显示|show|zeige?\b|what's on|what is on|was steht auf", "list"), (r"wake me|weck", "alarm"), (r"münze|硬币", "coin"), (r"wirf|抛", "flip"),
    (r"\bdefine\b|\bmean\?|meaning of|definier|bedeutet|的意思", "definition define word meaning"), (r"\bdraw\b|\bpaint\b|zeichne|male?\b|画", "image generate draw"), (r"\bplay\b|\bspiele?\b|播放", "play music"),
    (r"how (?:do (?:i|you)|to) (?:make|cook|bake)|rezept|菜谱|怎么做", "recipe"), (r"coordinates|koordinaten|坐标", "coordinates lat long lng lon latitude longitude"), (r"\bfüge?\b|hinzu\w*|添加|新增", "add"), (r"\bfor \d+ (?:people|persons|guests)|\d+ (?:personen|gäste|人)", "passengers guests people party"), (r"heizung|暖气|heating", "thermostat"), (r"wie warm|how (?:warm|cold)|多少度", "temperature"),
    (r"arriv|deliver|liefer|到货|送达", "delivery date"), (r"to the power of|potenz|次方", "exponentiate power exponent"), (r"supervisor|manager|real person|vorgesetzt|人工", "human escalate"),
    (r"\b(?:add|buy|order|get) \d+\b|\d+ (?:x |pieces|items|stück)", "quantity count"), (r"\bcheck ?out\b|\bbezahlen|结账", "checkout"), (r"überweis|转账", "transfer"), (r"\bPR\b|pull request", "pull request"),
    (r"\b(?:last|latest|first|top|next|letzten) \d+\b|最近 ?\d+", "limit count"), (r"warnung|警报", "alerts"),
    (r"hotel|酒店", "hotel"), (r"restaurant|餐厅", "restaurant"), (r"wikipedia|维基", "wikipedia"), (r"nachrichten|新闻|headlines", "news"),
    (r"dokument|文档|docs?\b|documentation", "docs document documentation"), (r"datenbank|数据库|how many|wie viele|多少|database|table|rows", "sql database query db"),
    (r"schick|sende|发送|发一?[封条个]|发(?:消息|短信)", "send"), (r"消息|短信|nachricht", "message"), (r"wie heißt|叫什么", "name"), (r"schreib|写", "write"), (r"lösch|删除", "delete"), (r"erinner|提醒|remind", "reminder add"), (r"merk dir|记住|remember|note down", "save note memory remember"),
    (r"notiz|笔记|备忘", "note"), (r"würfel|dice|roll|骰", "roll dice random"), (r"zufall|random|随机", "random"), (r"witz|笑话|joke", "joke"), (r"\d\s*(?:\+|plus)\s*\d|summe|sum of|addier|加", "add sum plus"),
    (r"\d\s*(?:\*|×|x|times|mal)\s*\d|multipl|product of|乘", "multiply times product"), (r"\d\s*(?:-|minus)\s*\d|abzieh|subtra|difference|减", "subtract minus"),
    (r"\d\s*(?:/|÷|divided by|geteilt durch)\s*\d|divid|teile|除", "divide division"), (r"verzeichnis|ordner|目录|folder|directory|files are|list files|which files|welche dateien|哪些文件", "list directory files ls"),
    (r"standort|where am i|wo bin ich|位置", "location"), (r"temperatur|温度", "temperature"), (r"licht|灯|lights?", "light lights"), (r"bewert|sentiment|情感", "sentiment"), (r"zusammenfass|总结|摘要|summar", "summary summarize summarise"),
)  # fmt: skip
SYNONYMS_COMPILED = [(re.compile(pattern, re.IGNORECASE), words.split()) for pattern, words in SYNONYMS]
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
FAILED = re.compile(
    r"^\s*(?:error|fehler|错误|can(?:'|no)t|could not|couldn't|unable|failed|无法|不能)\b|not found|nicht gefunden|未找到|does not exist",
    re.IGNORECASE,
)
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
            return say(_report(conversation, [], chained=False))
        return say(TEXTS.get(language, "result", result=values[0]))
    described = sum(len(str(tool.get("description", ""))) for tool in conversation.tools.values())
    if len(conversation.tools) > MANY_TOOLS and described > LONG_TEXTS:
        # A program for a real model: only a tool whose whole name is in the prompt is called.
        said = _said(conversation.words)
        goals = [goal for goal in _goals(conversation) if _words(goal.tool["name"]) <= said]
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
    report = _report(conversation, missing)
    if report:
        return say(report)
    names = join([_readable(name) for name in missing], language)
    return say(TEXTS.get(language, "missing", names=names))


def without_tools(conversation: Conversation) -> Reply:
    """What is said when there is nothing to call: what came of earlier calls, or what this stand-in is for."""
    return say(_report(conversation, []) if conversation.calls else _small_talk(conversation))


# Which tools


def _words(text: str) -> set[str]:
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return {_stem(word) for word in WORD.findall(text.lower().replace("_", " "))} - NOT_TELLING


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s", "or", "ation", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def asked_by_name(tool: dict[str, Any], text: str) -> bool:
    """Whether a text says all that a tool's name does: "What's in a.py?" names `read_file`."""
    said = _said(text)
    first, *others = [word for word in re.split(r"[_\-]|(?<=[a-z])(?=[A-Z])", tool["name"].lower()) if word]
    acts = first in ACTIONS and re.search(ACTIONS[first], text, re.IGNORECASE) is not None
    return bool(others) and (acts or _stem(first) in said) and {_stem(word) for word in others} <= said


@lru_cache(maxsize=256)
def _said(text: str) -> frozenset[str]:
    """Return the words of a prompt, and those that names of tools would have for them."""
    said = _words(text)
    for pattern, words in SYNONYMS_COMPILED:
        if pattern.search(text):
            said |= {_stem(word) for word in words}
    return frozenset(said | {_stem("file")} if paths(text) else said)


def _score(tool: dict[str, Any], said: frozenset[str], text: str) -> float:
    name = tool["name"]
    named = _words(name)
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    things = WORD.findall(name.lower())[1:]
    score = 3.0 * len(named & said) + 1.5 * len(set(things) & set(WORD.findall(text.lower())))
    description = str(tool.get("description", ""))
    score += min(2.5, len(_words(description[:600]) & said) * 1.0)
    score += min(2.0, sum(bool(_words(key) & said) for key in known) * 1.0)
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
    return _words(READS.sub("", name)) or _words(name)


def _fitting(conversation: Conversation, text: str) -> list[dict[str, Any]]:
    """Return the tool that fits best, and others that fit what it leaves over."""
    said = _said(text)
    scored = [(_score(tool, said, text), -i, tool) for i, tool in enumerate(conversation.tools.values())]
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    if not scored or scored[0][0] < ENOUGH:
        return []
    best = scored[0][2]
    chosen = [best]
    left = said - _words(best["name"])
    joined = re.search(r"\b(?:and|also|und|auch)\b|和|以及|并|还有|、|，", text)
    for score, _, tool in scored[1:]:
        new = _things(tool["name"]) & left
        if joined and new and score >= ENOUGH and not _words(tool["name"]) & _words(best["name"]):
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
    left = _said(conversation.words) - {word for name in called for word in _words(name)}
    for name, tool in conversation.tools.items():
        root = tool["input_schema"]
        required = schema.required_of(schema.resolve(root, root))
        if name not in called and required and READS.search(name) and _words(name) & left:
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
    return bool(_words(name) & _said(clause))


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
        for key, value in _leaves(_best_first(_data(call.result), conversation.words)):
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
    said = _words(prompt)
    return sorted(data, key=lambda record: not any(isinstance(v, str) and _words(v) & said for v in record.values()))


def _provider(goal: Goal, conversation: Conversation, today: Any, steps: int = 2) -> tuple[str, dict[str, Any]] | None:
    """Return a call whose result may hold what a goal lacks: "get_customer_info" for an order's id.

    If that call lacks something itself, what may hold that: at most so many `steps`.
    """
    best: tuple[float, tuple[str, dict[str, Any]]] | None = None
    said = _said(conversation.words)
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
        score = len(_words(name) & said) + 2 * helps
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
    return _words(re.sub(r"user|client|member|account", "customer", text, flags=re.IGNORECASE))


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
    said = _said(conversation.words)
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


def _data(result: str) -> Any:
    if result.lstrip()[:1] not in ("{", "["):
        return result
    try:
        return json.loads(result)
    except ValueError:
        return result


def _leaves(data: Any, key: str = "") -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        return [leaf for name, value in list(data.items())[:40] for leaf in _leaves(value, str(name))]
    if isinstance(data, list):
        return [leaf for value in data[:20] for leaf in _leaves(value, key)]
    return [(key, data)]


def report(conversation: Conversation) -> str:
    """Say what all results of this turn hold; "" if there are none."""
    return _report(conversation, [], chained=False)


def _report(conversation: Conversation, missing: list[str], chained: bool | None = None) -> str:
    """Say what the results of this turn hold; "" if there are none."""
    language = conversation.language
    calls = [call for call in conversation.calls if call.result is not None]
    if not calls:
        return ""
    good = [call for call in calls if not call.is_error]
    bad = [call for call in calls if call.is_error and not _made_good(call, calls)]
    lines = []
    if len(good) == 1:
        lines.append(_one_result(good[0], language, conversation.words))
    elif good:
        # Steps on the way to the last one are not told again: what counts is where they led.
        chained = _is_chain(conversation) if chained is None else chained
        lines += (
            [_one_result(good[-1], language, conversation.words)]
            if chained
            else [_listed(call, language, len({call.name for call in good}) > 1) for call in good]
        )
    lines += [TEXTS.get(language, "failed", error=repair.error_of(call)) for call in bad[-2:]]
    if missing:
        lines.append(TEXTS.get(language, "missing", names=join([_readable(name) for name in missing], language)))
    elif bad:
        lines.append(TEXTS.get(language, "what_now"))
    return "\n".join(line for line in lines if line)


def _made_good(bad: Call, calls: list[Call]) -> bool:
    return any(call.name == bad.name and not call.is_error for call in calls[calls.index(bad) + 1 :])


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


def _one_result(call: Call, language: str, prompt: str) -> str:
    text = (call.result or "").strip()
    if call.has_image:
        return phrase([text, TEXTS.get(language, "image")], language)
    data = _data(text)
    changes = re.split(r"[_\-]", call.name)[0].lower() in ACTIONS
    if isinstance(data, dict) and (wanted := _wanted_fields(data, prompt)):
        label = _label(call)
        return phrase(
            [TEXTS.get(language, "field", label=label, key=_readable(key), value=value) for key, value in wanted],
            language,
        )
    if isinstance(data, dict | list) and data:
        return TEXTS.get(language, "found") + "\n" + _bullets(data)
    if not text or text.lower() in ("true", "ok", "null", "none", "done", "success"):
        return TEXTS.get(language, "done_silently" if changes else "done_without", name=call.name)
    if text.lower() == "false":
        return TEXTS.get(language, "failed", error=f"{call.name}: {text}")
    if FAILED.search(text):
        return TEXTS.get(language, "failed", error=repair.error_of(call))
    label = _label(call)
    if re.fullmatch(r"[-+]?[\d.,]+(?:e[-+]?\d+)?", text) and not re.fullmatch("[A-Za-z]{2,}", label):
        return TEXTS.get(language, "result", result=text)
    if len(text) > 1500:
        text = text[:1500].rstrip() + " ..."
    if "\n" in text:
        return TEXTS.get(language, "found") + "\n" + text
    if changes and not re.match(r"run|execute|add$|subtract|multiply|divide|translate", call.name):
        return TEXTS.get(language, "done", result=text)
    if len(text) < 25 and re.fullmatch(r"[\w/-]*[^\W\d][\w/-]*", label):
        return TEXTS.get(language, "short", label=label, result=text)
    return text


def _label(call: Call) -> str:
    return ", ".join(
        str(value)
        for value in call.input.values()
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )


def _wanted_fields(data: dict[str, Any], prompt: str) -> list[tuple[str, Any]]:
    """Return the fields of a record that the prompt asks about by their names."""
    said = _said(prompt)
    if re.search(r"status|where(?: i|')s|wo ist|状态|到哪", prompt, re.IGNORECASE):
        said |= {_stem("status")}
    found = []
    for key, value in data.items():
        if isinstance(value, str | int | float) and _words(str(key)) & said and not re.search(r"(?:^|_)id$", str(key)):
            found.append((str(key), value))
    return found if len(found) <= 2 else []


def _listed(call: Call, language: str, named: bool) -> str:
    label = f"{_readable(call.name)} {_label(call)}".strip() if named else _label(call) or _readable(call.name)
    data = _data((call.result or "").strip())
    if isinstance(data, dict):
        text = ", ".join(f"{_readable(key)}: {value}" for key, value in _leaves(data)[:12])
    else:
        text = str(call.result or "").strip()[:600]
    colon = "：" if language == "zh" else ": "
    return f"- {label[:80]}{colon}{text}"


def _bullets(data: Any) -> str:
    if isinstance(data, list):
        rows = []
        for item in data[:20]:
            if isinstance(item, dict):
                rows.append("- " + ", ".join(f"{_readable(key)}: {value}" for key, value in _leaves(item)[:12]))
            else:
                rows.append(f"- {item}")
        return "\n".join(rows)
    return "\n".join(
        f"- {_readable(str(key))}: {value if isinstance(value, str | int | float) else json.dumps(value, ensure_ascii=False)}"
        for key, value in list(data.items())[:20]
    )


def _readable(name: str) -> str:
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").strip()


def computed(prompt: str, language: str) -> str:
    """Return the answer to a prompt that is nothing but a small calculation, or ""."""
    value = arithmetic.value_of(expression(prompt)) if len(prompt) < 100 and SUM.search(prompt) else None
    return "" if value is None else TEXTS.get(language, "result", result=f"{value:.12g}")


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
        return TEXTS.get(language, "image")
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
    missing={
        "en": "I still need to know: {names}. Can you tell me?",
        "de": "Mir fehlt noch eine Angabe: {names}. Kannst du sie mir nennen?",
        "zh": "我还需要知道：{names}。能告诉我吗？",
    },
    result={"en": "The result is {result}.", "de": "Das Ergebnis ist {result}.", "zh": "结果是 {result}。"},
    short={"en": "{label}: {result}", "de": "{label}: {result}", "zh": "{label}：{result}"},
    field={
        "en": "The {key} for {label} is {value}.",
        "de": "{key} von {label}: {value}.",
        "zh": "{label} 的 {key}：{value}。",
    },
    found={"en": "Here is what I found:", "de": "Das habe ich gefunden:", "zh": "查到的结果如下："},
    done={"en": "Done. {result}", "de": "Erledigt. {result}", "zh": "已完成。{result}"},
    done_silently={"en": "Done.", "de": "Erledigt.", "zh": "已完成。"},
    done_without={
        "en": "{name} ran and returned nothing more.",
        "de": "{name} lief durch und gab nichts weiter zurück.",
        "zh": "{name} 执行完毕，没有更多内容。",
    },
    failed={
        "en": "That did not work: {error}.",
        "de": "Das hat nicht geklappt: {error}.",
        "zh": "没有成功：{error}。",
    },
    image={
        "en": "There is an image, but I can't see it: I'm an offline stand-in for Claude, not a language model.",
        "de": "Da ist ein Bild, aber ich kann es nicht sehen: Ich bin ein Double für Claude, das offline läuft, und kein "
        "Sprachmodell.",
        "zh": "这里有一张图片，可我看不到：我是离线运行的 Claude 本地替身，不是语言模型。",
    },
    what_now={
        "en": "How would you like to go on?",
        "de": "Wie möchtest du weitermachen?",
        "zh": "你想怎么处理？",
    },
)
