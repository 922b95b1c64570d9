"""Which words of a prompt, in three languages, stand for which words in the names of tools."""

# Patterns stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re
from functools import lru_cache
from typing import Any

from .facts import paths

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
    "send": "send|mail|message|write to|notify|schick|send|schreib|发|通知", "create": "create|add|new|make|open|file|note|remind|notier|记|erstell|anleg|leg|创建|新建|添加",
    "update": "update|change|set|modify|änder|aktualisier|更新|修改", "add": "add|\\bleg|加入|remind|erinner|提醒|plus|sum|\\+|append|put|hinzu|addier|füg|加|添加",
    "write": "write|save|store|create|schreib|speicher|写|保存", "save": "save|store|remember|keep|merk|speicher|保存|记住",
    "book": "book|reserve|buch|reservier|预订|订", "transfer": "transfer|send|überweis|转账", "refund": "refund|erstatt|退款",
    "complete": "complet|mark|finish|done|check off|erledig|abhak|完成", "mark": "mark|complet|finish|done|erledig|完成",
    "pay": "pay|zahl|bezahl|支付|付款", "buy": "buy|purchase|kauf|买", "sell": "sell|verkauf|卖", "order": "order|bestell|订单|下单",
    "set": "set|change|turn|switch|make|adjust|dim|stell|setz|schalt|mach|wake|weck|起床|设|开|关|调|叫醒", "turn": "turn|switch|schalt|mach|开|关", "run": "run|execute|test|start|führ|ausführ|query|sql|how many|list|show|select|运行|执行|查询|多少|列出",
    "execute": "execute|run|query|how many|list|show|select|führ|执行|运行|查询|多少|列出", "edit": "edit|change|replace|fix|bearbeit|änder|修改|编辑", "post": "post|publish|send|poste|发布",
    "schedule": "schedul|plan|book|remind|erinner|安排|预约|提醒", "subtract": "subtract|minus|-|abzieh|减", "multiply": "multipl|times|\\*|×|product|mal\\b|乘",
    "divide": "divid|/|÷|geteilt|durch|除", "translate": "translat|übersetz|翻译|how .* say|in (?:french|german|spanish|chinese)", "close": "close|schließ|关闭", "open": "open|öffn|打开",
    "escalate": "escalat|human|supervisor|mensch|mitarbeiter|eskalier|升级|人工",
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
    (r"\bunder\b|\bbelow\b|less than|at most|\bunter\b|höchstens|低于|以下", "max"), (r"telefon|电话", "phone telefon"), (r"\bhow many ['\"]?[a-z]['\"]?(?:'?s)?\b|count|里有[几多]少?个", "count letter"),
    (r"to-?dos?\b|tasks?\b|待办|任务|aufgabe", "todo task"), (r"\blists?\b|列出|显示|show|zeige?\b|what's on|what is on|was steht auf", "list"), (r"wake me|weck|叫我?起床|叫醒|闹钟", "alarm"), (r"münze|硬币", "coin"), (r"wirf|抛", "flip"),
    (r"\bdefine\b|\bmean\?|meaning of|definier|bedeutet|(?:的|什么)意思", "definition define word meaning"), (r"\bdraw\b|\bpaint\b|zeichne|male?\b|画", "image generate draw"), (r"\bplay\b|\bspiele?\b|播放", "play music"),
    (r"how (?:do (?:i|you)|to) (?:make|cook|bake)|\b(?:koche|backe)\b|rezept|菜谱|怎么做", "recipe"), (r"coordinates|koordinaten|坐标", "coordinates lat long lng lon latitude longitude"), (r"\bfüge?\b|hinzu\w*|添加|新增", "add"), (r"\bfor \d+ (?:people|persons|guests)|\d+ (?:personen|gäste|人)", "passengers guests people party"), (r"heizung|暖气|heating", "thermostat"), (r"wie warm|how (?:warm|cold)|多少度", "temperature"),
    (r"arriv|deliver|liefer|到货|送达", "delivery date"), (r"to the power of|potenz|次方", "exponentiate power exponent"), (r"supervisor|manager|real person|mensch(?:en)?\b|vorgesetzt|人工", "human escalate"),
    (r"\b(?:add|buy|order|get) \d+\b|\d+ (?:x |pieces|items|stück)", "quantity count"), (r"\bcheck ?out\b|\bbezahlen|结账", "checkout"), (r"überweis|转账", "transfer"), (r"\bPR\b|pull request", "pull request"),
    (r"\b(?:last|latest|first|top|next|letzten) \d+\b|最近 ?\d+", "limit count"), (r"warnung|警报", "alerts"),
    (r"warenkorb|购物车", "cart"), (r"查看|was ist in|what's in", "view"), (r"sperr|schließ.* ab\b|锁", "lock"), (r"\bdim|bright|helligkeit|亮度", "brightness"), (r"计时|定时", "timer"),
    (r"hotel|酒店", "hotel"), (r"restaurant|餐厅", "restaurant"), (r"wikipedia|维基", "wikipedia"), (r"nachrichten|新闻|headlines", "news"),
    (r"dokument|文档|docs?\b|documentation", "docs document documentation"), (r"datenbank|数据库|how many|wie viele|多少|database|table|rows", "sql database query db"),
    (r"schick|sende|发送|发一?[封条个]|发(?:消息|短信)", "send"), (r"消息|短信|nachricht", "message"), (r"wie heißt|叫什么", "name"), (r"schreib|写", "write"), (r"lösch|删除", "delete"), (r"erinner|提醒|remind", "reminder add"), (r"merk dir|记住|remember|note down", "save note memory remember"),
    (r"notiz|notier|笔记|备忘|记一?下", "note"), (r"würfel|dice|roll|骰", "roll dice random"), (r"zufall|random|随机", "random"), (r"witz|笑话|joke", "joke"), (r"\d\s*(?:\+|plus)\s*\d|summe|sum of|addier|加", "add sum plus"),
    (r"\d\s*(?:\*|×|x|times|mal)\s*\d|multipl|product of|乘", "multiply times product"), (r"\d\s*(?:-|minus)\s*\d|abzieh|subtra|difference|减", "subtract minus"),
    (r"\d\s*(?:/|÷|divided by|geteilt durch)\s*\d|divid|teile|除", "divide division"), (r"verzeichnis|ordner|目录|folder|directory|files are|list files|which files|welche dateien|哪些文件", "list directory files ls"),
    (r"standort|where am i|wo bin ich|位置", "location"), (r"temperatur|温度", "temperature"), (r"licht|灯|lights?", "light lights"), (r"bewert|sentiment|情感", "sentiment"), (r"zusammenfass|总结|摘要|summar", "summary summarize summarise"),
)  # fmt: skip
SYNONYMS_COMPILED = [(re.compile(pattern, re.IGNORECASE), words.split()) for pattern, words in SYNONYMS]


def words_in(text: str) -> set[str]:
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", text)
    return {stem(word) for word in WORD.findall(text.lower().replace("_", " "))} - NOT_TELLING


def stem(word: str) -> str:
    if word in ("note", "notes"):
        return "note"  # and not "not"
    for ending in ("ing", "ies", "es", "ed", "s", "or", "ation", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def asked_by_name(tool: dict[str, Any], text: str) -> bool:
    """Whether a text says all that a tool's name does: "What's in a.py?" names `read_file`."""
    said = said_in(text)
    first, *others = [word for word in re.split(r"[_\-]|(?<=[a-z])(?=[A-Z])", tool["name"].lower()) if word]
    acts = first in ACTIONS and re.search(ACTIONS[first], text, re.IGNORECASE) is not None
    return bool(others) and (acts or stem(first) in said) and {stem(word) for word in others} <= said


@lru_cache(maxsize=256)
def said_in(text: str) -> frozenset[str]:
    """Return the words of a prompt, and those that names of tools would have for them."""
    said = words_in(text)
    for pattern, words in SYNONYMS_COMPILED:
        if pattern.search(text):
            said |= {stem(word) for word in words}
    return frozenset(said | {stem("file")} if paths(text) else said)
