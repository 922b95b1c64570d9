"""What the words of a prompt ask of a calendar: to look or to book, what and when, with whom, where, reminded how early."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re
from dataclasses import dataclass, field

from . import cities, dates, people, titles
from .calendar_tools import Tool
from .conversation import Conversation, clip
from .time_words import CHINESE_NUMBER, LATIN_DAY, LATIN_MONTH, LATIN_NUMBER, number
from .when import Date, When
from .written_dates import TODAY_SAID

TOPIC = re.compile(
    r"\b(?:schedul|book|meet|calendar|event|invite|appointment|free\b|busy|stand-?up|sync\b|lunch|dinner|call\b|all-hands|remind"
    r"|agenda|quietest|busiest|tennis|yoga|mittagessen|abendessen|frühstück|do i have\b|what(?:'s| is) on\b|was steht|my (?:day|week)|focus time|block\b|standup|habe ich|ruhigst|vollst|termin|besprech|kalender|lad(?:e|t)?\b|trag|plan|frei(?!tag)\w*|vereinbar|treff)"
    r"|安排|会|日程|预约|预订|日历|约|有空|空闲|空[档当]|最空|最忙|邀请|午饭|午餐|晚饭|吃饭|提醒|网球",
    re.IGNORECASE,
)
BOOKS = re.compile(
    r"(?<!my )(?<!the )(?<!our )\b(?:book|schedule|create|add|invite|set up|plan|put|make|arrange|organi[sz]e|block|reserve|trage?|plane?|lege?|buche?"
    r"|erstelle?|vereinbare?|lade?|organisiere?|reserviere?|blocke?|mach|mache|setze?)\b"
    r"|安排|预订|预约|创建|添加|新建|约[^会]|订|邀请|加[一个入到上]|定[一个在]|开[个一会半]|召开|组织",
    re.IGNORECASE,
)
ASKS = re.compile(
    r"^\W*(?:what|which|when|who|am i|do i|is there|are there|is|how|list|show|tell|was|welche[rs]?|wann|habe? ich|bin ich|zeig|gibt es|wie)\b"
    r"|什么(?!时候.*安排)|哪[天个些]|有没有|有空吗|吗？?$|看看|查看|查一下",
    re.IGNORECASE,
)
CHINESE_QUESTION = re.compile(r"有什么|什么安排|哪[天个些]|有没有.{0,6}(?:会|安排|日程)|有空吗|有哪些")
THEN_LOOKS = re.compile(
    r"\b(?:then|and|afterwards),? (?:please )?(?:list|show|tell|check)\b|\band what(?:'s| is) on\b|\bund (?:zeig|liste|nenn|sag|was steht)|然后(?:列出|查看|看|告诉)|再(?:列出|查看)",
    re.IGNORECASE,
)
WHEN_FREE = re.compile(
    r"\bfree\b|\bavailable\b|\bopen slot|\bslot\b|\bfind\b|\bno conflicts?\b|\bfrei(?!tag)\w*|\bverfügbar|\bZeit habe|有空|空闲|空[档当]|没有安排|没安排|有时间|找",
    re.IGNORECASE,
)
CHANGE = r"(?:move|reschedule|postpone|cancel|delete|remove|shift|call off|push (?=.*\b(?:back|to)\b)|change (?=.*\bto\b)|verschieb\w*|verleg\w*|lösch\w*|streich\w*|storniere?|sage? (?=.*\bab\b)|lege? (?=.*\bauf\b))"
CHANGE_CHINESE = "(?:取消|删除|删掉|改到|改为|改成|改期|推迟|延后|推后|提前到|挪到|调到|调整到|换到)"
MOVES = re.compile(rf"\b{CHANGE}|{CHANGE_CHINESE}", re.IGNORECASE)
MOVES_FIRST = re.compile(  # said as what is to be done, whatever else the prompt says
    rf"(?:^|[.!?;,:\n]|\b(?:and|then|please|und|bitte|dann|can you|could you|can we|could we|kannst du|könntest du|können wir))\W*{CHANGE}\b"
    rf"|(?:^|[，。；、]|请|帮我|然后) *{CHANGE_CHINESE}|把.{{1,20}}{CHANGE_CHINESE}",
    re.IGNORECASE,
)
BOOKS_NOTHING = re.compile(
    r"\b(?:don['’]t|do not|never) (?:book|schedule|create|add|plan|put|make|arrange)\b|(?:不要|别|不用|无需)再?(?:安排|预订|预约|创建|添加|约)"
    r"|\b(?:trage?|plane?|buche?|lege?|erstelle?)\b[^.!?,]{0,40}\b(?:nichts|keine[nr]?)\b",
    re.IGNORECASE,
)
ALL_DAY = re.compile(r"\ball[- ]day\b|\bwhole day\b|\bganztägig\w*|\bden ganzen tag\b|全天|一整天", re.IGNORECASE)
QUIETEST = re.compile(
    r"quiet|least busy|freest|emptiest|fewest|ruhigst|wenigsten|freieste|最空|最闲|最少", re.IGNORECASE
)
BUSIEST = re.compile(r"busiest|most meetings|fullest|vollste|meisten|最忙|最多", re.IGNORECASE)
EITHER = re.compile(r"\bor\b|\boder\b|或|还是", re.IGNORECASE)
PLACE_NAME = r"[A-ZÄÖÜ][\w'’-]*(?: (?:(?:de|la|le|del|di|of|zum|zur) )*(?:[A-ZÄÖÜ][\w'’-]*|\d+\b(?! ?[:.]\d)))*"
LOCATION = re.compile(
    rf"\b(?i:in|at|im|in der|in dem|beim|bei) (?:the |our )?(?P<name>(?i:(?:conference |meeting )?room|office|lobby)\b(?: [A-Z\d][\w-]*)?|{PLACE_NAME})"
    r"|在 *(?P<chinese>[\u4e00-\u9fffA-Za-z0-9'’ ]{2,14}?) *(?=[，。,.！!]|$|[和跟与同]|的|开|见|吃|喝|打|安排|订|预订|约|举行|召开|进行|讨论|周|星期|明天|后天|今天|下午|上午|中午|晚上|\d+[点:：月])"
)
NO_PLACE = re.compile(  # what stands behind "in" or "at", or "在", and is a time or a word of the calendar's own
    rf"(?:{LATIN_DAY}|{LATIN_MONTH}|noon|midnight|lunchtime|lunch|dinner|breakfast|team|kalender|calendar|mittag|abend|anschluss|"
    r"frühjahr|frühling|sommer|herbst|winter|zukunft|voraus|uhr|tag|woche|minuten|stunden|deutsch|english|englisch)\b|.*[年月周日点]|日历|我的|之[前后]",
    re.IGNORECASE,
)
ZONE_SAID = re.compile(
    r"\b(?:[A-Z]\w+ )?(?:[A-Z]\w+) (?:local |standard |daylight )?time\b|\b(?:[A-Z]\w+ )?[A-Z]\w+er (?:Orts)?[Zz]eit\b"
    r"|\b(?:[ECMP][SD]T|GMT|UTC|CES?T|MES?Z|BST|JST|IST)\b|\d *(?:[ap]m )?[ECMP]T\b"
)
CHINESE_ZONE = re.compile(rf"(?:{cities.CHINESE_NAMES.pattern})(?:当地)?时间")
ZONE_WORDS = re.compile(r"(?i:eastern|pacific|central|mountain|european) |[A-Z]{2}")
NEXT_FREE_DAY = re.compile(
    r"\b(?:next|first) (?:completely |entirely )?(?:free|open|empty) day\b|\bnächste[rn]? freie[rn]? tag\b|(?:下一个|最近一个|最近的|下个).{0,4}(?:空|没有?安排).{0,3}(?:天|日子?)|(?:最近|下)哪(?:一)?天.{0,4}(?:空|没有?安排)",
    re.IGNORECASE,
)
DAYS_SEEN = re.compile(
    r"\bwhich days (?:have|did) you\b|\bwelche tage hast du\b|你?(?:已经)?(?:看|查)过?了?哪[几些]天", re.IGNORECASE
)
REMINDER = re.compile(
    rf"(?P<number>{LATIN_NUMBER}|an?|{CHINESE_NUMBER})[ -]*(?P<unit>minutes?|mins?|minuten?|hours?|stunden?|days?|tage?|分钟|个?小时|天)"
    r"(?: (?:before|beforehand|ahead|earlier|in advance|vorher|davor|zuvor|vor (?:dem|der|beginn)\b[ \w]{0,12})\b|之?前)"
    rf"|提前 *(?P<number_>{CHINESE_NUMBER}) *(?P<unit_>分钟|个?小时|天)",
    re.IGNORECASE,
)
TODAY_IS = re.compile(
    r"(?:today(?:'s date)?|heute|今天|今日)(?: is| ist|是|：|:) ?[^.。!?\n]*[.。!?\n]?",
    re.IGNORECASE,
)
REMINDS = re.compile(r"remind|reminder|notify|alert|erinner|提醒", re.IGNORECASE)


@dataclass(slots=True)
class Asked:
    """A request to the calendar scene.

    text      the words, without what is understood already
    today     the date, if the request says it
    when      what the words say about time
    reminder  how many minutes before the start to be reminded, 0 for not at all
    """

    conversation: Conversation
    creator: Tool | None
    lister: Tool | None
    text: str
    today: Date | None
    when: When
    reminder: int = 0

    @property
    def language(self) -> str:
        return self.conversation.language


@dataclass(slots=True)
class Wish:
    """An event that the user wants booked."""

    when: When
    title: str
    attendees: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)  # invited by name, without a known address
    location: str = ""
    reminder: int = 0
    all_day: bool = False


def asked_of(conversation: Conversation, creator: Tool | None, lister: Tool | None) -> Asked:
    """Return what a request asks for; `when` is read from the words as they stand."""
    text = request(conversation)
    today = dates.today_said(system_of(conversation), text, *(clip(turn.prompt) for turn in conversation.earlier))
    if today and TODAY_SAID.search(text) and dates.today_said(text) == today:
        text = _without_today(text)
    if zone(text):
        text = f"{conversation.words}\n{text}"  # the time that was asked for goes before the one in the other zone
    reminder, text = _reminder(text)
    return Asked(conversation, creator, lister, text, today, dates.read(text, today), reminder)


def system_of(conversation: Conversation) -> str:
    return clip(conversation.system, 12_000)


def request(conversation: Conversation) -> str:
    """Return the prompt, with the earlier ones that it answers a question about."""
    parts = [conversation.words]
    for turn in reversed(conversation.earlier[-3:]):
        if turn.calls or not turn.answer.rstrip().endswith(("?", "？")):
            break
        parts.insert(0, clip(turn.prompt))
    return clip("\n".join(parts))


def _without_today(text: str) -> str:
    """Take "Today is 2026-11-30." out of a prompt, so that it is not taken for the day that is wished for."""
    return TODAY_IS.sub(" ", text)


def about_time(conversation: Conversation) -> bool:
    """Whether the prompt is about the user's time."""
    text = request(conversation)
    if TOPIC.search(text) or NEXT_FREE_DAY.search(text):
        return True
    if not BOOKS.search(text) and not names_event(text):
        return False
    when = dates.read(text, None)
    timed = when.start or BOOKS.search(text) or titles.usual_start(text)
    return bool((when.dates or when.needs_today) and timed)


def changes(text: str) -> bool:
    """Whether events are to be moved or removed."""
    text = titles.REMIND.sub(" ", text)
    return bool(MOVES_FIRST.search(text) or (MOVES.search(text) and not BOOKS.search(text)))


def books_nothing(text: str) -> bool:
    """Whether the user does not want something booked, and nothing else instead."""
    return bool(BOOKS_NOTHING.search(text)) and not BOOKS.search(BOOKS_NOTHING.sub(" ", text))


def wants_to_look(asked: Asked) -> bool:
    """Whether the user wants to know something of the calendar, rather than to have something booked."""
    text = asked.text
    if CHINESE_QUESTION.search(text) or not asked.creator:
        return True
    if BOOKS.search(text):
        return False
    return bool(ASKS.search(text) or WHEN_FREE.search(text)) or not (asked.when.start or titles.usual_start(text))


def names_event(text: str) -> bool:
    return bool(titles.QUOTED.search(text)) or any(
        nouns.search(text) for nouns in (titles.NOUNS, titles.GERMAN_NOUNS, titles.CHINESE_NOUNS)
    )


def wish_of(asked: Asked, text: str, when: When, names_title: str = "") -> Wish:
    """Return the event that `text`, the whole prompt or a part of it, wishes for; `names_title` is what says its title."""
    system = system_of(asked.conversation)
    attendees, strangers = people.invited(text, people.addresses(system), system)
    names = [people.name_of(address) for address in attendees] + strangers
    title = titles.title(names_title or text, asked.language, names)
    all_day = bool(asked.creator and "all_day" in asked.creator.roles and not when.start and ALL_DAY.search(text))
    return Wish(when, title, attendees, strangers, _place(text), asked.reminder, all_day)


def _place(text: str) -> str:
    """Return the place that a text names, or ""."""
    for match in LOCATION.finditer(text):
        place = (match["name"] or match["chinese"]).strip()
        if not NO_PLACE.match(place):
            return place
    return ""


def _reminder(text: str) -> tuple[int, str]:
    """Return how many minutes before the start a reminder is wished for, 0 if none is, and the text without it."""
    match = REMINDER.search(text) if REMINDS.search(text) else None
    if not match:
        return 0, text
    unit = (match["unit"] or match["unit_"]).lower()
    minutes = 60 if unit[0] in "hs" or "小时" in unit else 24 * 60 if unit[0] in "dt天" else 1
    return number(match["number"] or match["number_"]) * minutes, text.replace(match[0], " ")


def zone(text: str) -> str:
    """Return the time zone that a prompt names, or ""."""
    if match := CHINESE_ZONE.search(text):
        return match[0]
    for match in ZONE_SAID.finditer(text):
        words = re.sub(r"er (?:Orts)?zeit$", "", match[0], flags=re.IGNORECASE).split()
        names = [*words, " ".join(words[:2])]
        if ZONE_WORDS.search(match[0]) or any(cities.english(n).lower() in cities.ENGLISH for n in names):
            return match[0]
    return ""
