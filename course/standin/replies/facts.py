"""What can be read from a prompt to fill the parameters of a tool never seen before."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import json
import re
from datetime import date
from functools import lru_cache
from typing import Any

from . import cities, dates, people, schema
from .weather import COUNTRIES, places

QUOTED = re.compile(
    r"\"([^\"\n]{1,2000})\"|“([^”\n]{1,2000})”|„([^“”\n]{1,2000})[“”]|「([^」]{1,2000})」|`([^`\n]{1,2000})`|(?<![\w])'([^'\n]{2,2000})'(?!\w)"
)
FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.#@-])[-−]?\$?\d+(?:,\d{3})*(?:\.\d+)?(?![\w@]*@)(?!\w*[A-Za-z]\d)", re.ASCII)
EXPRESSION = re.compile(r"[-(]*\d[\d.,]*(?:%|\*\*\d+)?\)*(?:\s*(?:\*\*|[-+*/^×÷−x·])\s*[-(]*\d[\d.,]*%?\)*)+")
WORDED = (  # arithmetic in words, as a program writes it
    (
        re.compile(r"\b(?:multiplied by|times|mal|multipliziert mit)\b|[×·]|乘以?|(?<=\d) ?x ?(?=\d)", re.IGNORECASE),
        "*",
    ),
    (re.compile(r"\b(?:divided by|over|geteilt durch|durch)\b|÷|除以", re.IGNORECASE), "/"),
    (re.compile(r"\b(?:plus|und(?= \d))\b|加上?", re.IGNORECASE), "+"),
    (re.compile(r"\bminus\b|减去?|−", re.IGNORECASE), "-"),
    (re.compile(r"\b(?:(?:raised )?to the power of|hoch)\b|\^|的?次方", re.IGNORECASE), "**"),
    (re.compile(r" squared\b| zum quadrat\b|的平方(?!根)", re.IGNORECASE), "**2"),
)
_N = r"(-?\d[\d,]*(?:\.\d+)?)"
ORDERED = (  # and those where the sign comes first
    (re.compile(rf"\b(?:subtract|deduct|take|subtrahiere|ziehe?) {_N} (?:away )?(?:from|von) {_N}(?: ab\b)?", re.IGNORECASE), r"\2 - \1"),
    (re.compile(rf"\b(?:multiply|multipliziere|product of|produkt von|produkt aus) {_N} (?:by|and|with|mit|und) {_N}", re.IGNORECASE), r"\1 * \2"),
    (re.compile(rf"\b(?:divide|dividiere|teile?|quotient of) {_N} (?:by|and|durch) {_N}", re.IGNORECASE), r"\1 / \2"),
    (re.compile(rf"\b(?:add|sum of|addiere|summe (?:von|aus)) {_N} (?:and|to|with|und|zu) {_N}", re.IGNORECASE), r"\1 + \2"),
    (re.compile(rf"\b(?:difference (?:between|of)|differenz (?:zwischen|von)) {_N} (?:and|und) {_N}", re.IGNORECASE), r"\1 - \2"),
)  # fmt: skip
QUESTIONS = re.compile(
    r"[?？;；\n]|(?:,? (?:and|und)|,|和|，) ?(?:what(?:'s| is) |was ist )?(?=[\d(][\d.,() ]*[-+*/×÷])", re.IGNORECASE
)
ROOT = re.compile(r"(?:square root of|wurzel (?:aus|von)) (\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?的平方根", re.IGNORECASE)
MORE_THAN_ROOT = re.compile(r"\s*(plus|minus|times|mal|\+|-|\*|/)\s*(\d+(?:\.\d+)?)\b", re.IGNORECASE)
SIGNS = {"plus": "+", "minus": "-", "times": "*", "mal": "*", "+": "+", "-": "-", "*": "*", "/": "/"}
PERCENT_OF = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent|prozent) (?:of|von) (\d+(?:\.\d+)?)", re.IGNORECASE)
URL = re.compile(r"https?://[^\s\"'<>）)，。]+")
PATH = re.compile(
    r"(?<![\w@:/])(?:[A-Za-z]:\\|~?\.{0,2}/)?[\w.-]+(?:[/\\][\w.-]+)*\.[A-Za-z]\w{0,5}\b(?!@)|(?<![\w:/])(?:~|\.{1,2})?/[\w./-]+|(?<!\w)\.\.?(?=[\s?!,]|$)",
    re.ASCII,
)
FOLDER = re.compile(
    r"\b(?:folder|directory|dir|ordner|verzeichnis) ([\w./-]+)|\b(?!this|the|current|my|a\b|which|what|diese|dem|den)([\w./-]+) (?:folder|directory|ordner)",
    re.IGNORECASE,
)
ID = re.compile(
    r"(?<![\w@.])#?([A-Z]{1,8}[-_]?\d[\w-]*|\d+[A-Z]\w*|[a-z]{2,8}[-_]\d[\w-]*|[0-9a-f]{8}-[0-9a-f-]{27})(?![\w@])|#(\w+)",
    re.ASCII,
)
TICKER = re.compile(r"(?<![\w@.])\$?([A-Z]{2,5}(?:\.[A-Z])?)(?![\w@])", re.ASCII)
NAME = re.compile(r"(?<![.!?\n„“\"] )(?<!^)(?<!\w)([A-ZÄÖÜ][a-zäöüßé]+(?: [A-ZÄÖÜ][a-zäöüßé]+)*)")
NO_TICKER = frozenset("USD EUR API CEO SQL AI US USA UK PM AM".split())
FULL_NAME = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+(?: [A-ZÄÖÜ][a-zäöüß]+)+")
NAME_OR_FIRST = re.compile(r"[A-ZÄÖÜ][a-zäöüß]+(?: [A-ZÄÖÜ][a-zäöüß]+)*")
NAMED = re.compile(
    r"\b(?:named|called|name is|namens|heißt|user|customer|kunden?|kundin|nutzer|benutzer|employee|mitarbeiter|author|artist) ([A-ZÄÖÜ][\w-]+(?: [A-ZÄÖÜ][\w-]+)*)|\b(?!What|Who|Where|When|How|It|He|She|That|There|Here|Let)([A-ZÄÖÜ][a-zäöüß]+)'s\b|(?:^|[.!?:] +)(?!It |This |That |There |Here |He |She |Who |What |Where |How |Das |Es |Wer |Wie |Wo )([A-ZÄÖÜ][a-zäöüß]+(?: [A-ZÄÖÜ][a-zäöüß]+)*) (?:is|works|lives|ist|arbeitet|wohnt)\b|(?:叫|名为|名字是|用户|客户) *([\w\u4e00-\u9fff]{2,12})"
)
TO_WHOM = re.compile(
    r"\b(?:to|an|tell|message|text|call) ([A-ZÄÖÜ][a-zäöüß]+)\b|[给向]([\u4e00-\u9fff]{1,4}?)(?=发|写|打|转)"
)
LISTED = re.compile(r"\s*(?:,|、|and|und|&|和)+\s*$")
FROM_ACCOUNT = re.compile(
    r"\b(?:from|von) (?:account |konto )?([\w-]*\d[\w-]*) (?:to|auf|an|nach) (?:account |konto )?([\w-]*\d[\w-]*)",
    re.IGNORECASE,
)
LOGIN = re.compile(r"(?:user ?name|login|benutzername|用户名)(?: is| ist|是|为)?[:：]? *@?([\w.-]+\w)", re.IGNORECASE)
SQL = re.compile(r"\b((?:select|insert into|update|delete from|with)\s.+?)(?:;|$)", re.IGNORECASE | re.DOTALL)
COUNT_OF = re.compile(
    r"\bhow many ([a-z_]+)|\bwie viele ([A-Za-zäöü_]+)|多少[个位名条]?([\u4e00-\u9fffA-Za-z_]+)", re.IGNORECASE
)
ALL_OF = re.compile(
    r"\b(?:list|show|get|select|display|find)(?: me)?(?: all| every)?(?: of)?(?: the)? ([a-z_]+)|\b(?:zeige?|liste)(?: mir)? alle ([a-zäöü_]+)|(?:显示|列出)所有(?:的)?([\u4e00-\u9fff]+)",
    re.IGNORECASE,
)
QUALIFIED = re.compile(
    r"\b(?:over|under|above|below|more than|less than|older|younger|where|who|whose|without|not|über|unter|mehr als|weniger als|älter als|jünger als|ohne)\b|\b(?:in|from|aus) (?!the\b|der\b)[A-ZÄÖÜ]|大于|小于|超过|低于"
)
TABLE = re.compile(r"(\w+) ?\(([\w\s,]+)\)")
AGGREGATES = (
    (r"average|mean|durchschnitt|平均", "AVG"), (r"total|sum|summe|总", "SUM"), (r"highest|largest|oldest|max|höchste|ältest|最高|最大", "MAX"),
    (r"lowest|smallest|youngest|min|niedrigste|最低|最小", "MIN"),
)  # fmt: skip
NOUNS = {
    "order": "order|bestellung|订单", "customer": "customer|kunde[n]?|kundin|客户|顾客", "user": "user|nutzer|benutzer|用户",
    "product": "product|item|produkt|产品|商品", "ticket": "ticket|issue|工单", "account": "account|konto|账户|账号",
    "employee": "employee|mitarbeiter|员工",
}  # fmt: skip
SUBJECT = re.compile(
    r"\b(?:subject|betreff|with the title|titled|called)[:：]? *(?:is |line )?([^,.\n\"“„]{2,80}?)(?= and (?:body|text|message)| (?:and|und) |[,.\n]|$)|主题(?:是|为|[:：]) *([^，。,\n]{1,60})|\b(?:about|regarding|über|wegen) (?:the |das |die |den )?([^,.\n]{2,80}?)(?=[,.\n?!]|$)|关于([^，。,\n的]{1,40})",
    re.IGNORECASE,
)
QUOTED_SUBJECT = re.compile(
    r"(?:subject|betreff|titled?|called|titel|标题)[:：]? *(?:is |ist |是|为)?[\"'“„「]", re.IGNORECASE
)
SAYING = re.compile(
    r"\b(?:saying|says|that says|telling (?:him|her|them)|body|message|text|content|containing|contains|note|tell (?:him|her|them)|dass|mit dem (?:text|inhalt)|inhalt|nachricht)[:：]?(?: is| that)? +(.{2,2000}?)$|(?:内容(?:是|为|[:：])|告诉(?:他|她|他们)|说[:：]?) *(.{1,2000}?)$|[:：] +(.{3,2000})$|：(.{2,2000})$",
    re.IGNORECASE | re.DOTALL,
)
LOOK_FOR = re.compile(
    r"\b(?:search(?: the \w+| my \w+)?(?: for)?|look up|look for|find(?: out| me)?|google|information (?:on|about)|suche?(?: nach)?|finde|such|about|über|docs? (?:for|on))"
    r" (?:information (?:on|about) |the (?:docs|documentation|web) (?:for|about) |nach )?(.{2,200}?)(?: in the (?:docs|documentation|web)| online| im internet)?[.?!]*$"
    r"|(?:搜索|查找|搜一下|查一下|找一下|查询)(?:一下)?(?:关于)?(.{1,80}?)(?:的(?:资料|信息|文档))?[。？！?]*$",
    re.IGNORECASE | re.DOTALL,
)
THE_DOCS = re.compile(
    r"(?:in )?(?:the |our |my )?(?:docs|documentation|web|internet|database|knowledge base)$", re.IGNORECASE
)
# What is to be noted down or translated, without the words that say so.
TOLD = re.compile(
    r"^(?:please |can you |could you )*(?:add|put|create|save|write|note|jot|remember|remind me)(?: down)?(?: (?:a|an|the|new|me|my|\w+[- ]priority))*"
    r"(?: (?:task|to-?do|note|reminder|item|entry))?(?:[:,]| to(?! (?:my|the)\b)| that| for| called| saying)? +(.{2,300}?)"
    r"(?: (?:to|in|on|onto|into) (?:my|the|our) [\w -]{0,20}(?:list|notes?|to-?dos?|tasks?))?[.!]*$"
    r"|^(?:bitte )?(?:füge?|setze?|schreibe?|notiere?|trage?) (.{2,300}?) (?:zu|auf|in|bei) (?:mein|die|der|den|unser)\w*[\w -]* ?\w*[.!]*$"
    r"|^(?:bitte )?(?:notiere?|merk dir|erinnere mich(?: bitte)?(?: daran| an)?)[:,]? +(.{2,300}?)[.!]*$"
    r"|^请?(?:帮我)?(?:添加|新增|新建|创建|加|记)(?:一[个条下项])?(?:新的?)?(?:任务|待办事?项?|笔记|备忘)?[：:，,]? *([^：:]{1,200}?)[。！]*$|提醒我(.{1,200}?)[。！]*$"
    r"|\b(?:translate|übersetze?)(?: the (?:word|phrase|sentence|text))?(?! the following\b| this\b| diese| folgende) +(.{1,300}?) (?:in)?(?:to|ins|nach|auf|in) \w+|\bhow (?:do (?:you|i)|to) say (.{1,100}?) in \w+"
    r"|把(.{1,200}?)(?:翻译|译)成",
    re.IGNORECASE,
)
OF_BEFORE = re.compile(
    r"\b(?:its|the|this|that|these|those) (contents?|text|results?|summary|output|answer|findings)(?=$|[.!,]| (?:to|into?|via|with|as|by|for)\b)|\bdas (ergebnis)\b|\bden (inhalt)\b|把?(结果|内容)(?=发|写|存|保存)",
    re.IGNORECASE,
)
PRINTS = re.compile(
    r"\b(?:that|which|to) (?:prints?|says?|outputs?) (.{1,100}?)[.!]*$|\bd(?:as|ie) (.{1,100}?) ausgibt", re.IGNORECASE
)
LEAD = re.compile(
    r"^(?:please |bitte |can you |could you )*(?:play|draw|paint|generate|make|spiele?|zeichne|male)(?: me| mir)?(?: some| etwas)? +|^请?(?:帮我)?(?:播放|画一?[张幅个]?|讲一?个?)",
    re.IGNORECASE,
)
SENTENCES = re.compile(r"(?<=[.?!。？！])\s*")
FROM_TO = re.compile(
    r"\b(?:from|von|aus) ([A-ZÄÖÜ][\w-]+(?: [A-Z][\w-]+)*) (?:to|nach|bis) ([A-ZÄÖÜ][\w-]+(?: [A-Z][\w-]+)*)|从([\u4e00-\u9fff]{2,5})[到去飞]([\u4e00-\u9fff]{2,5}?)(?=的|[，。！？ ]|$)"
)
RUN = re.compile(r"\b(?:run|execute)[: ]+(?:the command )?([a-z][\w./-]*(?: [-\w./]+)*)")
UNIT = re.compile(r"\bunits?\b|einheit|单位|\b(?:from|to)$|scale")
MEASURED = re.compile(
    r"\d ?(?:degrees? |grad )?(°[CF]|[A-Za-zäöüµ]+²?|[公英千毫厘华摄]?[\u4e00-\u9fff]{1,2}?)(?=$|[\s.,?!]|等|是|换|转|为|合)",
    re.IGNORECASE,
)
INTO_UNIT = re.compile(
    r"\b(?:to|in|into|nach|zu) (?:degrees? |grad )?(°[CF]|[A-Za-zäöüµ]+²?)|(?:how many|wie viele?) ([A-Za-zäöü]+)|(?:等于|是|合|换成|换算成|转换成|转为)(?:多少|几)?([\u4e00-\u9fff]{1,3})",
    re.IGNORECASE,
)
UNITS = {
    "°c": "celsius",
    "°f": "fahrenheit",
    "公里": "kilometers",
    "千米": "kilometers",
    "英里": "miles",
    "公斤": "kilograms",
    "磅": "pounds",
    "米": "meters",
}
WAKES = re.compile(r"\bwake|\balarm|weck|叫醒|闹钟", re.IGNORECASE)
CUISINE = re.compile(
    r"\b(?:italian|chinese|japanese|mexican|indian|thai|french|greek|vietnamese|korean|spanish|turkish|vegan|vegetarian)\b|\b(?:italien|chines|japan|mexikan|ind|thailänd|französ|griech|span|türk)isch\w*|[川粤湘]菜|(?:意大利|日本|法国|泰国|韩国)(?=菜|餐)",
    re.IGNORECASE,
)
DISH = re.compile(
    r"\b(?:make|cook|bake|recipes? for|rezept für|koche ich|backe ich) (?:a |an |some )?(.{2,60}?)[.?!]*$|(?:怎么做|菜谱)[：:]? *(.{1,20}?)[？?。]*$",
    re.IGNORECASE,
)
ROOM = re.compile(
    r"\b(?:living[ -]?room|dining[ -]?room|bedroom|kitchen|bathroom|office|hallway|garage|garden|study|basement|attic|porch|wohnzimmer|schlafzimmer"
    r"|küche|badezimmer|bad|büro|flur|garten|keller|esszimmer)\b|客厅|卧室|厨房|浴室|书房|车库|餐厅|办公室|阳台",
    re.IGNORECASE,
)
LETTER = re.compile(
    r"\b(?:letter|buchstaben?|character) ['\"]?([a-z])\b|\bhow many ['\"]?([a-z])['\"]?(?:'?s)?\b|(?:多少|几)个? ?([a-z])",
    re.IGNORECASE,
)
WORD_ASKED = re.compile(
    r"\b(?:the word|das wort|define|definition of|meaning of|in|are there in|definiere|bedeutet) ['\"]?([A-Za-zäöüß-]{3,})['\"]?[.?!]*$|^['\"]?([A-Za-z-]{3,})['\"]? ?(?:里|中|是什么意思|的意思)",
    re.IGNORECASE,
)
REPOSITORY = re.compile(r"(?<![\w./])([A-Za-z][\w-]*)/([A-Za-z][\w.-]*\w)(?![\w/])", re.ASCII)
IN_FILE = re.compile("[里中]的|里 ")
# "Change A to B in C" in three parts, so that no text takes long: what comes before A, between A and B, and after B.
CHANGES = [
    (re.compile(before, re.IGNORECASE), re.compile(between, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for before, between, after in (
        (
            r"\b(?:change|replace|rename)(?: the)?(?: word| text| string| line)? ",
            r" (?:to|with|by|into) ",
            r" (?:in|of|inside) |[.!]*$",
        ),
        (r"\b(?:ändere|ersetze|tausche)(?: den text| das wort)? ", r" (?:zu|durch|in|gegen|mit) ", r" in |[.!]*$"),
        (r"[把将]", r"改成|改为|换成|替换为|替换成", r"[。！]*$"),
    )
]
PHONE = re.compile(r"(?<![\w-])\+?\(?\d[\d ()./-]{5,}\d(?![\w-])", re.ASCII)
DIALLED = re.compile(r"(?<![\w-])(?:\+\d[\d ()-]{6,}\d|\(?\d{3}\)?[- ]\d{3}-\d{4}|\d{3}-\d{4})(?![\w-])", re.ASCII)
MEASURES = (  # by the parameter's name
    (r"percent|\bpct\b|\brate\b|prozent|百分", re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent|prozent)", re.IGNORECASE)),
    (r"\byear\b|\bjahr\b|年", re.compile(r"(?<![\w-])((?:19|20)\d\d)(?![\w-])")),
    (
        r"price|amount|\bbill\b|cost|budget|total|betrag|preis|金额|价",
        re.compile(
            r"[$€£¥] ?(\d[\d,]*(?:\.\d+)?)|(\d[\d,]*(?:\.\d+)?) ?(?:[$€£¥元]|dollars?\b|euros?\b|USD\b|EUR\b)",
            re.IGNORECASE,
        ),
    ),
)
WRITTEN_DATE = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?\b"
    r"|\b\d{1,2}\. (?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)[a-z]*(?: \d{4})?|(?:\d{4} ?年 ?)?\d{1,2} ?月 ?\d{1,2} ?[日号]",
    re.IGNORECASE,
)
CLOCK = re.compile(r"\b\d{1,2}(?::\d\d(?: ?[ap]m\b)?| ?[ap]m\b| uhr\b)", re.IGNORECASE)
CURRENCY = re.compile(r"\b(USD|EUR|GBP|JPY|CNY|CHF|CAD|AUD|INR|SEK|NOK|KRW|BRL|MXN)\b")
CURRENCY_WORDS = {
    "dollar": "USD",
    "euro": "EUR",
    "pound": "GBP",
    "pfund": "GBP",
    "yen": "JPY",
    "yuan": "CNY",
    "franken": "CHF",
    "美元": "USD",
    "欧元": "EUR",
    "人民币": "CNY",
    "日元": "JPY",
    "英镑": "GBP",
}
COMPANIES = {
    "apple": "AAPL", "microsoft": "MSFT", "google": "GOOGL", "alphabet": "GOOGL", "amazon": "AMZN", "tesla": "TSLA", "nvidia": "NVDA",
    "meta": "META", "netflix": "NFLX", "intel": "INTC", "ibm": "IBM", "amd": "AMD", "oracle": "ORCL", "苹果": "AAPL", "微软": "MSFT",
    "谷歌": "GOOGL", "亚马逊": "AMZN", "特斯拉": "TSLA", "英伟达": "NVDA", "sap": "SAP",
}  # fmt: skip
ZONES = {
    "Austin": "America/Chicago", "Chicago": "America/Chicago", "Dallas": "America/Chicago", "New York": "America/New_York",
    "Boston": "America/New_York", "Washington": "America/New_York", "Toronto": "America/Toronto", "Denver": "America/Denver",
    "San Francisco": "America/Los_Angeles", "Los Angeles": "America/Los_Angeles", "Seattle": "America/Los_Angeles",
    "London": "Europe/London", "Paris": "Europe/Paris", "Berlin": "Europe/Berlin", "Munich": "Europe/Berlin", "Hamburg": "Europe/Berlin",
    "Vienna": "Europe/Vienna", "Zurich": "Europe/Zurich", "Madrid": "Europe/Madrid", "Rome": "Europe/Rome", "Oslo": "Europe/Oslo",
    "Moscow": "Europe/Moscow", "Dubai": "Asia/Dubai", "Mumbai": "Asia/Kolkata", "Delhi": "Asia/Kolkata", "Singapore": "Asia/Singapore",
    "Tokyo": "Asia/Tokyo", "Osaka": "Asia/Tokyo", "Seoul": "Asia/Seoul", "Beijing": "Asia/Shanghai", "Shanghai": "Asia/Shanghai",
    "Chengdu": "Asia/Shanghai", "Shenzhen": "Asia/Shanghai", "Hong Kong": "Asia/Hong_Kong", "Sydney": "Australia/Sydney",
    "Sao Paulo": "America/Sao_Paulo", "Mexico City": "America/Mexico_City", "Cairo": "Africa/Cairo", "Istanbul": "Europe/Istanbul",
}  # fmt: skip
ZONE_NAME = re.compile(r"\b[A-Z][a-z]+/[A-Z][A-Za-z_]+\b|\bUTC(?:[+-]\d+)?\b|\bGMT\b")
LANGUAGES = {
    "french": ("French", "fr"), "german": ("German", "de"), "spanish": ("Spanish", "es"), "english": ("English", "en"),
    "chinese": ("Chinese", "zh"), "japanese": ("Japanese", "ja"), "italian": ("Italian", "it"), "portuguese": ("Portuguese", "pt"),
    "französisch": ("French", "fr"), "deutsch": ("German", "de"), "spanisch": ("Spanish", "es"), "englisch": ("English", "en"),
    "chinesisch": ("Chinese", "zh"), "japanisch": ("Japanese", "ja"), "italienisch": ("Italian", "it"), "法语": ("French", "fr"),
    "德语": ("German", "de"), "英语": ("English", "en"), "英文": ("English", "en"), "日语": ("Japanese", "ja"), "西班牙语": ("Spanish", "es"),
}  # fmt: skip


def first(match: re.Match[str] | None) -> str:
    """Return the group that matched, or ""."""
    return next((group for group in match.groups() if group), "").strip() if match else ""


def quoted(text: str) -> list[str]:
    fenced = FENCED.findall(text)
    return fenced or [first(match) for match in QUOTED.finditer(text)]


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, in their order; those inside ids, dates and addresses are none."""
    found: list[float] = []
    text = DIALLED.sub(" ", URL.sub(" ", people.ADDRESS.sub(" ", text)))
    text = CLOCK.sub(" ", WRITTEN_DATE.sub(" ", text))
    for match in NUMBER.findall(re.sub(r"(?<=\d)[-+*/x×](?=\d)", " ", text)):
        value = float(match.replace(",", "").replace("$", "").replace("−", "-"))
        if abs(value) < 1e15:
            found.append(int(value) if value == int(value) else value)
    return found


def measured(text: str, name: str) -> list[float]:
    """Return the numbers in a text whose sign says that they are for a parameter of this name: 20% for "percent"."""
    for named, sign in MEASURES:
        if re.search(named, _spaced(name)):
            return [number for match in sign.finditer(text) for number in numbers(first(match))]
    return []


@lru_cache(maxsize=256)
def expression(text: str) -> str:
    """Return the arithmetic that a text asks for, as a program would write it, or ""."""
    if match := ROOT.search(text):
        rest = MORE_THAN_ROOT.match(text[match.end() :])
        more = f" {SIGNS[rest[1].lower()]} {rest[2]}" if rest else ""
        return f"sqrt({first(match)}){more}"
    if match := PERCENT_OF.search(text):
        return f"{match[1]} / 100 * {match[2]}"
    for pattern, ordered in ORDERED:
        text = pattern.sub(ordered, text)
    for pattern, sign in WORDED:
        text = pattern.sub(f" {sign} ", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    match = max(EXPRESSION.finditer(text), key=lambda found: len(found[0]), default=None)
    if match is None or re.fullmatch(r"\d{4}-\d\d?-\d\d?|\d\d?/\d\d?/\d{4}|\d+-\d+-\d+.*", match[0].strip()):
        return ""
    found = re.sub(r"\s+", " ", match[0]).strip()
    found = re.sub(r"\s*(\*\*|[*/+])\s*", r" \1 ", found).strip(" ,.")
    while found.count(")") > found.count("(") and found.endswith(")"):
        found = found[:-1]
    return found if found.count("(") == found.count(")") else found.lstrip("(")


def expressions(text: str) -> list[str]:
    """Return each calculation that a text asks for: "5 + 3 and 7 * 6" are two."""
    found = [one for part in QUESTIONS.split(text) if (one := expression(part))]
    return found if len(found) > 1 else [one for one in [expression(text)] if one]


def ids(text: str, noun: str) -> list[str]:
    """Return the ids in a text that belong to a noun ("order", "customer"): beside it, or starting like it."""
    text = DIALLED.sub(" ", people.ADDRESS.sub(" ", text))
    noun = re.escape(noun)
    if noun:
        word = NOUNS.get(noun, noun)
        beside = re.findall(
            rf"(?:{word})s?(?:[ -]?(?:id|number|no\.?|nummer|nr\.?|编号|号))?(?: is| ist|是|为)?[ :：#]*([A-Za-z]*[-_]?\d[\w-]*)",
            text,
            re.IGNORECASE,
        )
        if beside:
            more = re.findall(rf"{re.escape(beside[-1])}(?:,? (?:and|und) |、|和|, )#?([A-Za-z]*[-_]?\d[\w-]*)", text)
            return list(dict.fromkeys(beside + more))
    found = [first(match) for match in ID.finditer(text)]
    like = [one for one in found if noun and one[0].lower() == noun[0].lower()]
    return list(dict.fromkeys(like or found))


def paths(text: str) -> list[str]:
    text = URL.sub(" ", people.ADDRESS.sub(" ", text))
    found = [match.rstrip(".,?!") if len(match) > 2 else match for match in PATH.findall(text)]
    return [one for one in found if one and not re.fullmatch(r"[\d.]+|e\.g|i\.e|z\.B", one)]


def changed(text: str) -> tuple[str, str] | None:
    """Return what is to be replaced in a file, and by what, or None."""
    for before, between, after in CHANGES:
        if (start := before.search(text)) and (middle := between.search(text, start.end())):
            end = after.search(text, middle.end())
            parts = text[start.end() : middle.start()], text[middle.end() : end.start() if end else len(text)]
            old, new = (IN_FILE.split(part)[-1].strip(" \"'`“”„「」") for part in parts)
            if old and new and old != new and len(old) <= 200:
                return old, new
    return None


def content_in(text: str) -> str:
    """Return what a new file is to hold, "" if the text does not say."""
    said = [one for one in quoted(text) if one not in paths(text)]
    return said[-1] if said else first(SAYING.search(text))


class Facts:
    """The values that a prompt holds for parameters, by what a parameter's name or description says."""

    def __init__(self, text: str, language: str, today: date | None, whole: str = "") -> None:
        self.text = text
        self.whole = whole or text  # the whole prompt, when `text` is one clause of it
        self.language = language
        self.today = today
        self.used: dict[int, int] = {}

    def values(self, name: str, about: dict[str, Any], tool: dict[str, Any]) -> list[Any]:
        """Return the values for one parameter, several if the prompt names several; [] if it names none."""
        if isinstance(about.get("enum"), list):
            return (_units(self, name, "", tool) if UNIT.search(_spaced(name)) else []) or self._enum(
                about["enum"], name
            )
        kind = schema.kind_of(about)
        description = str(about.get("description", ""))
        if kind == "boolean":
            return []
        for pattern, get in KINDS:
            if pattern.search(_spaced(name)):
                found = get(self, name, description, tool)
                return found if found is not None else []
        if kind in ("integer", "number"):
            return list(numbers(self.text))
        for pattern, get in KINDS:
            if pattern.search(description):
                found = get(self, name, description, tool)
                if found:
                    return found
        return quoted(self.text)

    def _enum(self, choices: list[Any], name: str) -> list[Any]:
        text = self.text.lower()
        if match := re.search(rf"\b{re.escape(_spaced(name))}(?: to| is| as|:)? +(\w+)", text):
            text = next((match[1] for choice in choices if str(choice).lower() == match[1]), text)
        found: list[tuple[int, Any]] = []
        for choice in choices:
            word = str(choice).lower().replace("_", " ")
            end = "" if len(word) > 3 else "(?![a-z])"
            said = word and (
                re.search(rf"(?<![a-z]){re.escape(word)}{end}", text) or re.search(SAME.get(word, "$^"), text)
            )
            if said:
                found.append((said.start(), choice))
        found.sort(key=lambda one: one[0])
        count = 1  # and those that are listed with the first
        while count < len(found) and LISTED.match(
            text[found[count - 1][0] + len(str(found[count - 1][1])) : found[count][0]]
        ):
            count += 1
        return [choice for _, choice in found[:count]]


SAME = {
    "celsius": "celsius|°c|摄氏", "fahrenheit": "fahrenheit|°f|华氏", "high": "urgent|dringend|紧急|important|hoch", "add": r"\+|plus|sum|addier",
    "multiply": r"\*|×|times|product|mal\b|multipli", "subtract": r" - |minus|subtract|difference", "divide": r"/|÷|divided|geteilt",
    "email": r"[\w.+-]+@\w", "username": "benutzername|用户名", "phone": rf"telefon|电话|{DIALLED.pattern}",
"front": "haustür|vordertür|前门", "back": "hintertür|后门", "garage": "车库", "on": r"bright|\bdim\b|heller|\b(?:ein|an)\b|einschalt|anschalt|anmach|(?:打|点)?开", "off": r"\baus\b|ausschalt|ausmach|关", "done": "erledigt|完成",
    "positive": "love|great|excellent|amazing|wonderful|toll|super|喜欢|很好", "negative": "hate|terrible|awful|bad|schlecht|讨厌|糟糕",
}  # fmt: skip


def _spaced(name: str) -> str:
    """Return a parameter's name as words: "customer id" for customerId and customer_id."""
    return re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").replace("-", " ").lower()


def _texts(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    text = facts.text
    if found := quoted(text):
        return found if schema.required_of(tool["input_schema"]) == [name] else [found[-1]]
    if OF_BEFORE.search(text):
        return []  # what a result holds
    if not paths(text) and (match := TOLD.search(text)):
        return [first(match)]
    if (prints := PRINTS.search(text)) and any(path.endswith(".py") for path in paths(text)):
        return [f"print({json.dumps(first(prints), ensure_ascii=False)})\n"]
    if match := SAYING.search(text):
        return [first(match)[:1].upper() + first(match)[1:]]
    return [_object_of(text)] if name in schema.required_of(tool["input_schema"]) else []


def _object_of(text: str) -> str:
    """Return a text without the words that only say what is to be done with it: "a cat" of "Draw a cat"."""
    return LEAD.sub("", text.strip()) or text.strip()


def _query(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    if re.search(
        r"\bsql\b|database|select", f"{tool['name']} {tool.get('description', '')} {description}", re.IGNORECASE
    ):
        return _sql(facts, name, description, tool)
    if found := quoted(facts.text):
        return found
    for text in (facts.text, *SENTENCES.split(facts.text)):
        wanted = first(LOOK_FOR.search(text)).strip(" .?!。？！")
        if wanted and not THE_DOCS.match(wanted):
            return [wanted]
    rest = [part for part in SENTENCES.split(facts.whole) if part.strip() and not LOOK_FOR.search(part)]
    return [_object_of((rest or [facts.whole])[0]).strip(" ?？.。!")]


def _sql(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    found = statement(facts.text, f"{tool.get('description', '')} {description}")
    return [found] if found else []


def statement(text: str, about: str) -> str:
    """Return the SQL that a text holds or asks for in plain words, or "". `about` may name tables: "users(id, name)"."""
    if match := SQL.search(quoted(text)[0] if quoted(text) else text):
        if re.search(r"\b(?:from|into|set|where)\b|^select\s+[\d*(]", match[1], re.IGNORECASE):
            return match[1].strip(' .`"')
    if QUALIFIED.search(text):
        return ""  # a condition: the plain statement would answer another question
    counted = COUNT_OF.search(text)
    tables = dict(TABLE.findall(about))
    lower = text.lower()
    for table, columns in tables.items():
        one = table.lower().removesuffix("s")
        if not re.search(rf"(?<![a-z])(?:{NOUNS.get(one, one)})", lower):
            continue
        if counted:
            return f"SELECT COUNT(*) FROM {table}"
        for words, function in AGGREGATES:
            column = next((one for one in re.findall(r"\w+", columns) if one.lower() in lower), "")
            if column and re.search(words, lower):
                return f"SELECT {function}({column}) FROM {table}"
        if ALL_OF.search(text):
            return f"SELECT * FROM {table}"
    noun = "" if tables else first(counted) or first(ALL_OF.search(text))
    return (f"SELECT COUNT(*) FROM {noun}" if counted else f"SELECT * FROM {noun}") if noun else ""


def _ids(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    words = [word for word in _spaced(name).split() if word not in ("id", "ids", "number", "no", "code", "key", "the")]
    noun = (
        words[-1]
        if words
        else next((w for w in _spaced(tool["name"]).split()[::-1] if w not in ("details", "info", "get", "status")), "")
    )
    found = ids(facts.text, noun)
    others = {
        other
        for kind in ("order", "customer", "user", "product", "ticket", "account")
        if kind != noun
        for other in _beside(facts.text, kind)
    }
    found = [one for one in found if one not in others]
    said = numbers(facts.text)
    return list(found) or (said[:1] if len(said) == 1 or (noun and noun in facts.text.lower()) else [])


def _beside(text: str, noun: str) -> list[str]:
    return re.findall(
        rf"{noun}s?(?:[ -]?(?:id|number|no\.?))?(?: is)?[ :#]*([A-Za-z]*[-_]?\d[\w-]*)", text, re.IGNORECASE
    )


def _names(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    if match := (LOGIN.search(facts.text) if "user" in name.lower() else None) or NAMED.search(facts.text):
        parts = first(match).split()
        whole = len(parts) < 2 or not (part := re.search(r"first|given|last|sur|family|vor|nach", name, re.IGNORECASE))
        return [
            " ".join(parts)
            if whole
            else parts[0]
            if part and part[0].lower() in ("first", "given", "vor")
            else parts[-1]
        ]
    if found := quoted(facts.text):
        return found[:1]
    if (match := FULL_NAME.match(facts.text)) and match[0].split()[0].lower() not in people.NOT_NAMES:
        return [match[0]]
    return [one for one in NAME.findall(facts.text) if one.split()[0].lower() not in people.NOT_NAMES and one != "I"]


def _cities(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    if match := FROM_TO.search(facts.text):
        pair = [cities.english(group) for group in match.groups() if group]
        if re.search(r"origin|from|depart|source|start|^von$|abflug|abfahrt|出发", name, re.IGNORECASE):
            return pair[:1]
        if re.search(r"dest|to\b|arriv|end|^nach$|ziel|到达|目的", name, re.IGNORECASE):
            return pair[1:2]
    found = [re.sub(r"^(?:the) ", "", one) for one in places(facts.text)]
    lands = [one for one in found if one in COUNTRIES]
    if lands and "country" in name.lower():
        return lands
    known = [one for one in NAME_OR_FIRST.findall(facts.text) if one.lower() in cities.ENGLISH]
    return (known or found) if lands == found and "city" in name.lower() else found


def _zones(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    found = ZONE_NAME.findall(facts.text)
    return found or [ZONES[city] for city in places(facts.text) if city in ZONES]


def _tickers(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return list(tickers(facts.text))


def tickers(text: str) -> list[str]:
    """Return the ticker symbols in a text, and those of the companies that it names."""
    found = [(match.start(), match[1]) for match in TICKER.finditer(text) if match[1] not in NO_TICKER]
    for company, ticker in COMPANIES.items():
        if match := re.search(rf"(?<![a-z]){company}(?![a-z])", text.lower()):
            found.append((match.start(), ticker))
    return list(dict.fromkeys(ticker for _, ticker in sorted(found)))


def _accounts(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    if not (match := FROM_ACCOUNT.search(facts.text)):
        return _ids(facts, name, description, tool)
    return [match[2] if re.search(r"^to\b|target|dest|recipient", _spaced(name)) else match[1]]


def _states(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    said = {code: facts.text.find(state) for state, code in cities.STATES.items() if state in facts.text}
    said |= {
        code: facts.text.find(code)
        for code in re.findall(r"\b[A-Z]{2}\b", facts.text)
        if code in cities.STATES.values()
    }
    return sorted(said, key=lambda code: said[code])


def coordinates(text: str, name: str) -> list[float]:
    """Return the latitudes or longitudes, whichever a parameter's name stands for, that a text or its cities give."""
    which = (
        0
        if re.match(r"lat(?:itude)?\b", _spaced(name))
        else 1
        if re.match(r"(?:lon|lng|long|longitude)\b", _spaced(name))
        else 2
    )
    if which == 2:
        return []
    if match := re.search(r"(-?\d{1,3}\.\d+)[^\d-]{1,20}(-?\d{1,3}(?:\.\d+)?)", text):
        return [float(match[which + 1])]
    found = [city.split(",")[0] for city in places(text)]
    return [cities.COORDINATES[city][which] for city in found if city in cities.COORDINATES]


def _dates(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    found = dates.read(facts.text, facts.today).dates
    if len(found) > 1 and re.search(r"end|to\b|return|until|out", _spaced(name)):
        return found[-1:]
    return list(found[:1] if re.search(r"start|from|begin|depart|in\b", _spaced(name)) else found)


def _subjects(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    said = quoted(facts.text)
    if len(said) > 1 or (said and QUOTED_SUBJECT.search(facts.text)):
        return said[:1]
    found = first(SUBJECT.search(facts.text))
    if found:
        return [found[0].upper() + found[1:]]
    if said and not any(
        re.search("body|content|message|text|desc", other) for other in schema.properties_of(tool["input_schema"])
    ):
        return said
    if match := OF_BEFORE.search(facts.text):
        return [first(match).capitalize()]
    words = _texts(facts, name, description, tool)
    return [" ".join(str(words[0]).split()[:6]).strip(" .,!?")] if words else []


def _languages(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    lower = facts.text.lower()
    short = re.search(r"code|iso|e\.g\.? ?,?['\"]?[a-z]{2}\b['\"]?", description)
    found = sorted((lower.index(word), pair[1 if short else 0]) for word, pair in LANGUAGES.items() if word in lower)
    return list(dict.fromkeys(name for _, name in found))


def _currencies(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    lower = facts.text.lower()
    spots = [(m.start(), m[1]) for m in CURRENCY.finditer(facts.text)]
    spots += [(lower.index(word), code) for word, code in CURRENCY_WORDS.items() if word in lower]
    codes = list(dict.fromkeys(code for _, code in sorted(spots)))
    if re.search(r"to|target|dest", _spaced(name)):
        return codes[1:] or codes[:1]
    return codes[:1]


def _units(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    source = MEASURED.search(facts.text)
    if not source:
        return []
    target = INTO_UNIT.search(facts.text, source.end()) or INTO_UNIT.search(facts.text[: source.start()])
    found = first(target) if re.search(r"\bto\b|target|dest|output", _spaced(name)) else source[1]
    return [UNITS.get(found.lower(), found)] if found else []


def _rooms(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return list(dict.fromkeys(found[0] for found in ROOM.finditer(facts.text)))


def _letters(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return [first(LETTER.search(facts.text))] if LETTER.search(facts.text) else []


def _one_word(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return quoted(facts.text)[:1] or [first(match) for match in [WORD_ASKED.search(facts.text)] if match]


def _clock_times(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    when = dates.read(facts.text, facts.today)
    if (
        when.start
        and WAKES.search(facts.text)
        and when.start.hour >= 12
        and not re.search(r"\d ?pm\b|[晚下]", facts.text)
    ):
        return [when.start.replace(hour=when.start.hour - 12)]
    return [found for found in [when.end if re.search(r"\bend|until", _spaced(name)) else when.start] if found]


def _commands(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    said = quoted(facts.text)[:1] or [first(RUN.search(facts.text))]
    return [command for command in said if command]


def _expressions(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return list(expressions(facts.text)) or quoted(facts.text)


def _urls(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return URL.findall(facts.text)


def _addresses(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    found = people.addresses(facts.text) or people.invited(facts.text, [], "")[1]
    if not found and not re.search("mail|address|adresse|邮", f"{name} {description}"):
        found = [first(match) for match in [TO_WHOM.search(facts.text)] if match]
    return list(found)


def _phones(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    return [found.strip() for found in PHONE.findall(facts.text)]


def _repositories(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    match = REPOSITORY.search(URL.sub(lambda found: found[0].rpartition(".com/")[2], facts.text))
    if not match:
        return []
    return [match[1]] if "owner" in name or "org" in name else [match[2]]


def _paths(facts: Facts, name: str, description: str, tool: dict[str, Any]) -> list[Any]:
    found = paths(facts.text)
    if not found and (match := FOLDER.search(facts.text)):
        found = [first(match)]
    if not found and re.search(r"director|folder|list_files|ls\b", f"{name} {tool['name']}"):
        found = ["."]
    return list(found)


# A parameter's kind, by the words of its name or else of its description. The first that matches is taken.
KINDS: list[tuple[re.Pattern[str], Any]] = [
    (re.compile(pattern, re.IGNORECASE), get)
    for pattern, get in (
        (
            r"\bexpr|equation|formula|calculation",
            _expressions,
        ),
        (r"\bsql\b", _sql),
        (r"time ?zone|\btz\b", _zones),
        (r"\burl\b|\buri\b|\blink\b|website", _urls),
        (
            r"e ?-?mail|recipient|^to$|^cc$",
            _addresses,
        ),
        (r"^old\b|\bold (?:str|text|string|content)|\bfind\b", lambda facts, *_: [(changed(facts.text) or [""])[0]]),
        (r"^new (?:str|text|string|content)|replace", lambda facts, *_: [(changed(facts.text) or ["", ""])[1]]),
        (r"^(?:owner|org|repo|repository)(?: name)?$", _repositories),
        (r"phone|\btel", _phones),
        (r"\bunits?\b|einheit|单位", _units),
        (r"\broom\b|\bzone\b|\braum|zimmer|房间", _rooms),
        (r"\bletter\b|\bchar(?:acter)?\b", _letters),
        (r"^words?$", _one_word),
        (r"cuisine|küche", lambda facts, *_: CUISINE.findall(facts.text)[:1]),
        (r"^dish$|^recipe", lambda facts, *_: [first(match) for match in [DISH.search(facts.text)] if match]),
        (r"^(?:start |end )?time$|uhrzeit|^时间$", _clock_times),
        (r"path|file ?name|^file$|director|folder", _paths),
        (r"ticker|symbol|stock", _tickers),
        (r"currency", _currencies),
        (r"\bids?\b|\bnumber of the\b|order number|tracking|account number|编号|单号|订单|nummer", _ids),
        (r"account|konto|账户", _accounts),
        (r"^(?:us )?state$|state code", _states),
        (r"language|\blang\b", _languages),
        (
            r"\bcity|location|\bplace|country|destination|origin|airport|depart(?:ure)? ?(?:city|from)|^from$|region|stadt|^ort$|^von$|^nach$|城市|地点|出发|目的地",
            _cities,
        ),
        (r"\bdates?\b|\bday\b|check ?in|check ?out|deadline|\bdue\b|datum|日期", _dates),
        (r"subject|^title$|headline", _subjects),
        (r"command|\bcode\b|\bscript", _commands),
        (r"query|^q$|search|keyword|question|topic|\bterm", _query),
        (
            r"body|message|content|^text$|\btext\b|note|description|comment|prompt|input|summary|reason|details|task",
            _texts,
        ),
        (r"\bname\b|customer|person|author|artist|\buser", _names),
    )
]
