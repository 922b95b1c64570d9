"""The calendar scene: look into a calendar, find a free time, book events, work around what a calendar refuses."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import json
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from . import cities, dates, people, repair, schema, titles
from .answers import Reply, ask_for, say
from .conversation import Call, Conversation, clip
from .dates import DAY, Date, Repeat, Time, When
from .schema import NOTHING
from .wording import Texts, day, days, join, phrase, span

ABOUT_EVENTS = re.compile(
    r"event|meeting|calendar|appointment|schedul|invit|availab|termin|kalender|会议|日程|日历", re.IGNORECASE
)
CREATES = re.compile(
    r"create|add|schedule|book|insert|new|make|plan|set|invite|anlegen|erstell|创建|添加|安排", re.IGNORECASE
)
LISTS = re.compile(r"list|get|find|search|check|show|read|query|view|free|busy|availab|fetch|查", re.IGNORECASE)
CHANGES = re.compile(r"delete|remove|cancel|update|move|change|edit|resched", re.IGNORECASE)

TOPIC = re.compile(
    r"\b(?:schedul|book|meet|calendar|event|invite|appointment|free\b|busy|stand-?up|sync\b|lunch|dinner|call\b|all-hands|remind"
    r"|agenda|quietest|busiest|tennis|yoga|mittagessen|abendessen|frühstück|my (?:day|week)|focus time|block\b|standup|habe ich|ruhigst|vollst|termin|besprech|kalender|lad(?:e|t)?\b|trag|plan|frei\b|vereinbar|treff)"
    r"|安排|会|日程|预约|预订|日历|约|有空|空闲|最空|最忙|邀请|午饭|午餐|晚饭|提醒|网球",
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
    r"\bfree\b|\bavailable\b|\bopen slot|\bslot\b|\bfind\b|\bno conflicts?\b|\bfrei\w*|\bverfügbar|\bZeit habe|有空|空闲|没有安排|没安排|有时间|找",
    re.IGNORECASE,
)
MOVES = re.compile(
    r"\b(?:move|reschedule|postpone|cancel|delete|remove|verschieb\w*|lösch\w*|streich\w*|sag\b.* ab\b)|取消|删除|改到|改为|推迟|提前到",
    re.IGNORECASE,
)
QUIETEST = re.compile(
    r"quiet|least busy|freest|emptiest|fewest|ruhigst|wenigsten|freieste|最空|最闲|最少", re.IGNORECASE
)
BUSIEST = re.compile(r"busiest|most meetings|fullest|vollste|meisten|最忙|最多", re.IGNORECASE)
EITHER = re.compile(r"\bor\b|\boder\b|或|还是", re.IGNORECASE)

ROLES = (  # what a property of a calendar tool stands for, by its name
    ("reminder", re.compile(r"remind(?!.*(?:text|title|date))|alert|erinner|提醒", re.IGNORECASE)),
    ("timezone", re.compile(r"time_?zone|^tz$", re.IGNORECASE)),
    ("duration", re.compile(r"duration|length|minutes|dauer|时长", re.IGNORECASE)),
    (
        "attendees",
        re.compile(
            r"attendee|participant|invitee|guest|people|e_?mails?$|members|teilnehmer|参会|参与|与会", re.IGNORECASE
        ),
    ),
    ("repeat", re.compile(r"recur|repeat(?!_?count)|rrule|frequency|wiederhol|重复", re.IGNORECASE)),
    ("count", re.compile(r"^count$|occurrences|repeat_?count|repetitions|次数", re.IGNORECASE)),
    ("end", re.compile(r"^end|_end$|^(?:until|to|finish|ende?)$|time_?max|date_?to|结束", re.IGNORECASE)),
    (
        "start",
        re.compile(
            r"start|begin|^(?:from|when|datetime|date_time|time)$|time_?min|date_?from|beginn|开始", re.IGNORECASE
        ),
    ),
    ("date", re.compile(r"date|day|datum|^tag$|日期", re.IGNORECASE)),
    ("location", re.compile(r"location|place|room|where|^ort$|raum|地点", re.IGNORECASE)),
    ("notes", re.compile(r"desc|notes|body|agenda|details|comment", re.IGNORECASE)),
    ("title", re.compile(r"title|summary|subject|name|topic|what|event|titel|betreff|标题|主题|名称", re.IGNORECASE)),
)
PLACE_NAME = r"[A-ZÄÖÜ][\w'’-]*(?: (?:(?:de|la|le|del|di|of|zum|zur) )*(?:[A-ZÄÖÜ][\w'’-]*|\d+\b(?! ?[:.]\d)))*"
LOCATION = re.compile(
    rf"\b(?i:in|at|im|in der|in dem|beim|bei) (?:the |our )?(?P<name>(?i:(?:conference |meeting )?room|office|lobby)\b(?: [A-Z\d][\w-]*)?|{PLACE_NAME})"
    r"|在 *(?P<chinese>[\u4e00-\u9fffA-Za-z0-9'’ ]{2,14}?) *(?=[，。,.！!]|$|[和跟与同]|的|开|见|吃|喝|打|安排|订|预订|约|举行|召开|进行|讨论|周|星期|明天|后天|今天|下午|上午|中午|晚上|\d+[点:：月])"
)
AGAIN = re.compile(
    r"\bsame\b.*\b(?:again|later|for|on|at|next|tomorrow|meeting|event|thing)\b|\b(?:once|one time) more\b|\b(?:book|do|schedule) (?:it|that|this) again\b"
    r"|\b(?:dasselbe|das ?selbe|das gleiche|denselben|noch (?:ein)?mal|nochmals)\b|再(?:来|安排|订|约|开)?一[次个遍]|[同一]样的?.{0,4}(?:再|安排|日程|会)|同样",
    re.IGNORECASE,
)
LATER = re.compile(
    rf"\b(?P<number>{dates.LATIN_NUMBER}|an?) (?P<unit>hours?|days?|weeks?|stunden?|tage?|wochen?) (?:later|after|später|darauf|danach)\b"
    r"|\b(?:the )?(?P<next>(?:next|following) (?P<unit_>day|week)|day after|week after|(?:am )?tag (?:darauf|danach)|woche (?:darauf|danach))\b"
    rf"|(?P<chinese>{dates.CHINESE_NUMBER}) *(?P<chinese_unit>个?小时|天|周|个?星期)(?:之?后)?|第二天",
    re.IGNORECASE,
)
ZONE_SAID = re.compile(
    r"\b(?:[A-Z]\w+ )?(?:[A-Z]\w+) (?:local |standard |daylight )?time\b|\b(?:[A-Z]\w+ )?[A-Z]\w+er (?:Orts)?[Zz]eit\b"
    r"|\b(?:[ECMP][SD]T|GMT|UTC|CES?T|MES?Z|BST|JST|IST)\b|\d *(?:[ap]m )?[ECMP]T\b"
)
STAMP = re.compile(r"(?P<date>\d{4}-\d\d-\d\d)(?:(?P<gap>[T ])(?P<time>\d\d:\d\d))?")
CHINESE_ZONE = re.compile(rf"(?:{cities.CHINESE_NAMES.pattern})(?:当地)?时间")
ZONE_WORDS = re.compile(r"(?i:eastern|pacific|central|mountain|european) |[A-Z]{2}")
EMPTY = re.compile(
    r"^(?:\[\]|\{\}|null|none|-)$|\b(?:free|nothing|no|empty|none|frei|nichts|keine?|leer)\b|空|没有|无", re.IGNORECASE
)
NEXT_FREE_DAY = re.compile(
    r"\b(?:next|first) (?:completely |entirely )?(?:free|open|empty) day\b|\bnächste[rn]? freie[rn]? tag\b|(?:下一个|最近一个|最近的|下个).{0,4}(?:空|没有?安排).{0,3}(?:天|日子?)|(?:最近|下)哪(?:一)?天.{0,4}(?:空|没有?安排)",
    re.IGNORECASE,
)
DAYS_SEEN = re.compile(
    r"\bwhich days (?:have|did) you\b|\bwelche tage hast du\b|你?(?:已经)?(?:看|查)过?了?哪[几些]天", re.IGNORECASE
)
NO_PLACE = re.compile(  # what stands behind "in" or "at", or "在", and is a time or a word of the calendar's own
    rf"(?:{dates.LATIN_DAY}|{dates.LATIN_MONTH}|noon|midnight|lunchtime|lunch|dinner|breakfast|team|kalender|calendar|mittag|abend|anschluss|"
    r"frühjahr|frühling|sommer|herbst|winter|zukunft|voraus|uhr|tag|woche|minuten|stunden|deutsch|english|englisch)\b|.*[年月周日点]|日历|我的|之[前后]",
    re.IGNORECASE,
)
REMINDER = re.compile(
    rf"(?P<number>{dates.LATIN_NUMBER}|an?|{dates.CHINESE_NUMBER})[ -]*(?P<unit>minutes?|mins?|minuten?|hours?|stunden?|days?|tage?|分钟|个?小时|天)"
    r"(?: (?:before|beforehand|ahead|earlier|in advance|vorher|davor|zuvor|vor (?:dem|der|beginn)\b[ \w]{0,12})\b|之?前)"
    rf"|提前 *(?P<number_>{dates.CHINESE_NUMBER}) *(?P<unit_>分钟|个?小时|天)",
    re.IGNORECASE,
)
REMINDS = re.compile(r"remind|reminder|notify|alert|erinner|提醒", re.IGNORECASE)
ZONE = re.compile(r"\b[A-Z][a-z]+/[A-Z][A-Za-z_]+\b")
BUSY = re.compile(
    r"(\d\d?:\d\d)(?::\d\d)?\s*(?:-|–|—|to|until|bis|到|至)\s*(?:\d{4}-\d\d-\d\dT)?(\d\d?:\d\d)(?::\d\d)?\s*:?\s*([^,;\n，；]*)"
)

PARTS = re.compile(
    r"(?P<stop>(?<!\d)(?<!\.m)[.!?](?= +[A-ZÄÖÜ])|\.(?= +(?:then|and|also|book|schedule|dann|danach|und|außerdem)\b)|[。！？])|[,，;；]?\s*(?:\b(?:and|und)\b|和(?! *[她他A-Za-z])|以及|还有|然后|再)|[,，;；、]",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"\bafter (?:it|that|this)\b|\bafterwards?\b|\bdanach\b|\banschließend\b|\bim anschluss\b|之后|然后|接着",
    re.IGNORECASE,
)
AS_WELL = re.compile(r"\bas well\b|\btoo\b|\bauch\b|也", re.IGNORECASE)
SAME_PEOPLE = re.compile(r"\b(?:with|mit) (?:her|him|them|ihr|ihm|ihnen)\b|[她他]", re.IGNORECASE)
EACH = re.compile(r"\beach\b|\bjeweils\b|\bje\b|各", re.IGNORECASE)
REFUSED = re.compile(
    r"\W*(?:taken|conflict|occupied|declined|refused|belegt|abgelehnt|已占用|冲突|拒绝)", re.IGNORECASE
)

MAX_EVENTS = 12  # created one by one where a tool knows no repetition


@dataclass(slots=True)
class Wish:
    """What the user wants booked or looked up."""

    when: When
    title: str
    attendees: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)  # invited by name, without a known address
    location: str = ""
    reminder: int = 0  # minutes before the start; 0: none is wished for


@dataclass(slots=True)
class Event:
    start: datetime.datetime
    end: datetime.datetime
    repeat: Repeat | None = None


def fits(conversation: Conversation) -> bool:
    """Whether a calendar tool is offered and the prompt is about one's time."""
    creator, lister = _tools(conversation)
    if not creator and not lister:
        return False
    mine = {tool["name"] for tool in (creator, lister) if tool}
    if conversation.forced:
        return conversation.forced in mine
    if conversation.calls:
        return conversation.calls[0].name in mine
    if creator and _again(conversation, creator):
        return True
    if lister and DAYS_SEEN.search(conversation.words) and _days_seen(conversation, lister):
        return True
    text = _request(conversation)
    if MOVES.search(text) and any(CHANGES.search(name) for name in conversation.tools):
        return False
    if TOPIC.search(text) or NEXT_FREE_DAY.search(text):
        return True
    if not BOOKS.search(text) and not _names_event(text):
        return False
    when = dates.read(text, None)
    return (bool(when.dates) or when.needs_today) and (when.start is not None or bool(BOOKS.search(text)))


def _tools(conversation: Conversation) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return the tool that creates events and the one that lists them."""
    creator = lister = None
    for name, tool in conversation.tools.items():
        if CHANGES.search(name) or not ABOUT_EVENTS.search(f"{name} {tool.get('description', '')}"):
            continue
        roles = _roles(tool).values()
        if not creator and CREATES.search(name) and ("start" in roles or "date" in roles) and "title" in roles:
            creator = tool
        elif not lister and LISTS.search(name) and ABOUT_EVENTS.search(name) and {"date", "start"} & set(roles):
            lister = tool
    return creator, lister


def _roles(tool: dict[str, Any]) -> dict[str, str]:
    """Return what each property of a tool stands for, if that is known: {"start_time": "start"}."""
    root = tool["input_schema"]
    return _roles_of(tuple(schema.properties_of(schema.resolve(root, root))))


@lru_cache(maxsize=256)
def _roles_of(names: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in names:
        role = next((role for role, pattern in ROLES if pattern.search(name)), "")
        if role and role not in found.values():
            found[name] = role
    return found


def _request(conversation: Conversation) -> str:
    """Return the prompt, with the earlier ones that it answers a question about."""
    parts = [conversation.words]
    for turn in reversed(conversation.earlier[-3:]):
        if turn.calls or not turn.answer.rstrip().endswith(("?", "？")):
            break
        parts.insert(0, clip(turn.prompt))
    return clip("\n".join(parts))


def play(conversation: Conversation) -> Reply | None:
    creator, lister = _tools(conversation)
    text = _request(conversation)
    system = clip(conversation.system, 12_000)
    today = dates.today_said(system, text, *(clip(turn.prompt) for turn in conversation.earlier))
    if today and dates.TODAY_SAID.search(text) and dates.today_said(text) == today:
        text = _without_today(text)
    if creator and (before := _again(conversation, creator)):
        return _book_again(conversation, creator, before, text, today)
    if _zone(conversation.words):
        return say(TEXTS.get(conversation.language, "no_zones"))
    if _zone(text):
        text = f"{conversation.words}\n{text}"  # the time that was asked for goes before the one in the other zone
    reminder, text = _reminder(text)
    when = dates.read(text, today)
    language = conversation.language
    if MOVES.search(text) and not BOOKS.search(text):
        return say(TEXTS.get(language, "cannot_change"))
    looks = _looks(text, when, creator)
    forced = conversation.choice in ("any", "tool") and not conversation.calls
    if conversation.forced:
        looks = lister is not None and conversation.forced == lister["name"]
    if looks and lister is None and not forced:
        if ASKS.search(text) or CHINESE_QUESTION.search(text):
            return say(TEXTS.get(language, "cannot_look"))
        looks = False
    if when.needs_today and not forced:
        return say(TEXTS.get(language, "which_date"))
    if looks and lister:
        return _look(conversation, lister, when, text, today)
    if creator is None:
        return say(TEXTS.get(language, "cannot_book"))
    wish = _wish(conversation, text, when)
    wish.reminder = reminder
    return _book(conversation, creator, lister, wish, text, forced)


def _looks(text: str, when: When, creator: dict[str, Any] | None) -> bool:
    """Whether the user wants to know something of the calendar, rather than to have something booked."""
    if CHINESE_QUESTION.search(text) or not creator:
        return True
    if BOOKS.search(text):
        return False
    return bool(ASKS.search(text) or WHEN_FREE.search(text)) or not (when.start or titles.usual_start(text))


def _without_today(text: str) -> str:
    """Take "Today is 2026-11-30." out of a prompt, so that it is not taken for the day that is wished for."""
    return re.sub(
        r"(?:today(?:'s date)?|heute|今天|今日)(?: is| ist|是|：|:) ?[^.。!?\n]*[.。!?\n]?",
        " ",
        text,
        flags=re.IGNORECASE,
    )


def _wish(conversation: Conversation, text: str, when: When) -> Wish:
    known = people.addresses(clip(conversation.system, 12_000))
    attendees, strangers = people.invited(text, known, clip(conversation.system, 12_000))
    wish = Wish(when, "", attendees, strangers, _place(text))
    names = [people.name_of(address) for address in attendees] + strangers
    wish.title = titles.title(text, conversation.language, names)
    return wish


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
    return dates.number(match["number"] or match["number_"]) * minutes, text.replace(match[0], " ")


# Looking


def _look(conversation: Conversation, lister: dict[str, Any], when: When, text: str, today: Date | None) -> Reply:
    language = conversation.language
    wanted = when.dates
    if DAYS_SEEN.search(conversation.words) and (seen := _days_seen(conversation, lister)):
        return say(TEXTS.get(language, "seen", days=days(seen, language)))
    if not wanted and today and NEXT_FREE_DAY.search(text):
        return _next_free_day(conversation, lister, today)
    if not wanted and "date" in _roles(lister).values() and _required(lister):
        return say(TEXTS.get(language, "which_day"))
    calls = _listing(conversation, lister, wanted)
    if calls:
        return ask_for(calls)
    busy, failures = _busy(conversation, lister)
    if failures and not busy:
        return say(TEXTS.get(language, "look_failed", error=repair.error_of(failures[0])))
    plans = [(date, busy[date]) for date in wanted if date in busy] or list(busy.items())
    if WHEN_FREE.search(text) and (when.length or not when.start) and (when.length or when.window):
        slot = _free_slot(busy, when)
        if slot:
            return say(TEXTS.get(language, "is_free", slot=_slot_text(slot, language)))
        return say(TEXTS.get(language, "nothing_free"))
    parts = []
    if when.start and plans:
        date, events = plans[0]
        at = when.start
        clash = next((e for e in events if e[0] <= at < e[1]), None)
        name = "busy_then" if clash else "free_then"
        parts.append(
            TEXTS.get(language, name, day=day(date, language), time=f"{at:%H:%M}", title=clash[2] if clash else "")
        )
        return say(phrase(parts, language))
    if len(plans) > 1 and (QUIETEST.search(text) or BUSIEST.search(text)):
        load = sorted(plans, key=_load)
        best = load[-1] if BUSIEST.search(text) else load[0]
        name = "busiest" if BUSIEST.search(text) else "quietest"
        if _load(load[0]) == _load(load[-1]):
            parts.append(TEXTS.get(language, "alike"))
        else:
            parts.append(TEXTS.get(language, name, day=day(best[0], language)))
    parts += [_plan_text(date, events, language) for date, events in plans]
    if not parts:
        results = [call.result or "" for call in conversation.calls]
        parts = [TEXTS.get(language, "quoted", text="\n".join(results).strip())]
    return say("\n".join(parts))


def _days_seen(conversation: Conversation, lister: dict[str, Any]) -> list[Date]:
    """Return the days that were looked at for the earlier prompts."""
    calls = [call for turn in conversation.earlier for call in turn.calls if call.name == lister["name"]]
    found = [date for call in calls for date in dates.absolute_dates(json.dumps(call.input), None)[0]]
    return list(dict.fromkeys(found))


def _next_free_day(conversation: Conversation, lister: dict[str, Any], today: Date) -> Reply:
    """Look at one day after the other until one is free."""
    busy, failures = _busy(conversation, lister)
    if failures:
        return say(TEXTS.get(conversation.language, "look_failed", error=repair.error_of(failures[-1])))
    untimed = any(_is_untimed(call) for call in conversation.calls if call.name == lister["name"])
    if free := [] if untimed else [date for date, events in busy.items() if not events]:
        return say(TEXTS.get(conversation.language, "day_free", day=day(min(free), conversation.language)))
    following = max(busy, default=today) + DAY
    calls = _listing(conversation, lister, [following])
    return ask_for(calls) if calls else say(TEXTS.get(conversation.language, "nothing_free"))


def _load(plan: tuple[Date, list[tuple[Time, Time, str]]]) -> int:
    """Return the minutes that are taken on a day."""
    return sum(_minutes(start, end) for start, end, _ in plan[1])


def _required(tool: dict[str, Any]) -> list[str]:
    return schema.required_of(tool["input_schema"])


def _plan_text(date: Date, events: list[tuple[Time, Time, str]], language: str) -> str:
    if not events:
        return TEXTS.get(language, "day_free", day=day(date, language))
    listed = ("、" if language == "zh" else ", ").join(f"{a:%H:%M}-{b:%H:%M} {title}".strip() for a, b, title in events)
    return TEXTS.get(language, "day_plan", day=day(date, language), events=listed)


def _listing(
    conversation: Conversation, lister: dict[str, Any], wanted: list[Date]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that still have to be made to know the wanted days."""
    roles = _roles(lister)
    by_role = {role: name for name, role in roles.items()}
    inputs = []
    if "date" in by_role or "end" not in by_role:
        inputs = [_fill(lister, {"date": date, "start": date}) for date in wanted[:7]]
    elif wanted:
        first, last = min(wanted), max(wanted)
        low, high = datetime.datetime.combine(first, Time(0)), datetime.datetime.combine(last, Time(23, 59))
        inputs = [_fill(lister, {"start": low, "end": high})]
    if not wanted:
        inputs = [_fill(lister, {})]
    done = [call.input for call in conversation.calls if call.name == lister["name"]]
    return [(lister["name"], given) for given in inputs if given not in done]


def _busy(
    conversation: Conversation, lister: dict[str, Any]
) -> tuple[dict[Date, list[tuple[Time, Time, str]]], list[Call]]:
    """Return what the results say is taken, by day, and the calls that failed."""
    busy: dict[Date, list[tuple[Time, Time, str]]] = {}
    failures = []
    for call in conversation.calls:
        if call.name != lister["name"]:
            continue
        if call.is_error:
            failures.append(call)
            continue
        asked = dates.absolute_dates(" ".join(str(value) for value in call.input.values()), None)[0]
        for date in asked:
            busy.setdefault(date, [])
        for on, event in _events_in(call.result or "", asked[0] if asked else None):
            if on is not None and event not in busy.setdefault(on, []):
                busy[on].append(event)
    for events in busy.values():
        events.sort()
    return busy, failures


def _is_untimed(call: Call) -> bool:
    """Whether a result names something for a day, but no times: it can only be quoted."""
    text = (call.result or "").strip()
    rest = dates.absolute_dates(text, None)[1].strip(" :：.\n")
    return bool(rest) and not call.is_error and not EMPTY.search(rest) and not _events_in(text, Date(2000, 1, 3))


def _events_in(text: str, date: Date | None) -> list[tuple[Date | None, tuple[Time, Time, str]]]:
    """Return the events that a result lists, as text ("09:00-09:15 Standup") or as JSON with start and end."""
    found: list[tuple[Date | None, tuple[Time, Time, str]]] = []
    if text.lstrip()[:1] in ("[", "{"):
        try:
            for item in _records(json.loads(text)):
                start, end = (
                    _stamp(next((v for k, v in item.items() if word in k.lower()), "")) for word in ("start", "end")
                )
                if start[1] and end[1]:
                    title = next((str(v) for k, v in item.items() if re.search("title|summary|name|subject", k)), "")
                    found.append((start[0] or date, (start[1], end[1], title)))
            if found:
                return found
        except ValueError:
            pass
    here = date
    for line in text[:20_000].splitlines():
        here = next(iter(dates.absolute_dates(line[:2000], None)[0]), here)
        for match in BUSY.finditer(line[:2000]):
            a, b = _clock(match[1]), _clock(match[2])
            if a and b:
                found.append((here, (a, b, match[3].strip(" .()[]\"'"))))
    return found


def _records(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, list):
        return [record for item in data for record in _records(item)]
    if isinstance(data, dict):
        if any("start" in key.lower() for key in data):
            return [data]
        return [record for value in data.values() for record in _records(value)]
    return []


def _stamp(value: Any) -> tuple[Date | None, Time | None]:
    text = " ".join(map(str, value.values())) if isinstance(value, dict) else str(value)
    found, _, _, times = dates.absolute_dates(text, None)
    match = re.search(r"\b(\d\d?:\d\d)", text)
    return (found[0] if found else None), (times[0] if times else _clock(match[1]) if match else None)


def _clock(text: str) -> Time | None:
    hour, minute = map(int, text.split(":"))
    return Time(hour, minute) if hour < 24 and minute < 60 else None


def _minutes(start: Time, end: Time) -> int:
    return (end.hour - start.hour) * 60 + end.minute - start.minute


def _free_slot(busy: dict[Date, list[tuple[Time, Time, str]]], when: When) -> Event | None:
    """Return the first free time of the wanted length in the wanted days and hours."""
    low, high = when.window or (when.start or Time(9), when.end or Time(17))
    length = when.length or datetime.timedelta(minutes=60)
    if when.start and not when.window:
        low, high = when.start, _plus(when.start, when.end, length)
    for date in when.dates:
        if date not in busy:
            continue
        start = datetime.datetime.combine(date, low)
        last = datetime.datetime.combine(date, high)
        for a, b, _ in busy[date]:
            if datetime.datetime.combine(date, a) < start + length and datetime.datetime.combine(date, b) > start:
                start = datetime.datetime.combine(date, b)
        if start + length <= last:
            return Event(start, start + length)
    return None


def _plus(start: Time, end: Time | None, length: datetime.timedelta) -> Time:
    if end:
        return end
    total = min(start.hour * 60 + start.minute + int(length.total_seconds() // 60), 23 * 60 + 59)
    return Time(total // 60, total % 60)


def _slot_text(event: Event, language: str) -> str:
    return f"{day(event.start.date(), language)}{'，' if language == 'zh' else ', '}{span(event.start, event.end, language)}"


# Booking


def _book(
    conversation: Conversation,
    creator: dict[str, Any],
    lister: dict[str, Any] | None,
    wish: Wish,
    text: str,
    forced: bool,
) -> Reply:
    language = conversation.language
    when = wish.when
    missing = _missing(wish, creator, lister, text)
    if missing and not forced:
        return say(TEXTS.get(language, missing))
    chosen = None
    intro: list[str] = []
    choosing = lister is not None and when.dates and not when.repeat and _must_choose(when, text)
    if choosing and lister is not None:
        calls = _listing(conversation, lister, when.dates)
        if calls:
            return ask_for(calls)
        busy, failures = _busy(conversation, lister)
        if not busy and failures:
            return say(TEXTS.get(language, "look_failed", error=repair.error_of(failures[0])))
        chosen = _free_slot(busy, when)
        if chosen is None:
            later = _free_slot(busy, replace(when, window=(Time(8), Time(18)), start=None, end=None))
            offer = TEXTS.get(language, "offer", slot=_slot_text(later, language)) if later else ""
            return say(phrase([TEXTS.get(language, "nothing_free"), offer], language))
        full = [date for date in when.dates if date in busy and date < chosen.start.date()]
        if full:
            intro.append(TEXTS.get(language, "full", days=days(full, language)))
    wishes = [] if chosen else _several(conversation, wish, text)
    if wishes:
        inputs = [_input(creator, one, event, conversation) for one in wishes for event in _events(one, "")]
        wish.attendees = list(dict.fromkeys(address for one in wishes for address in one.attendees))
    else:
        events = [chosen] if chosen else _events(wish, text)
        inputs = [_input(creator, wish, event, conversation) for event in _spread(events, creator)]
    if forced and not inputs:
        inputs = [_fill(creator, {"title": wish.title, "attendees": wish.attendees or NOTHING})]
    reply = _carry_out(conversation, creator, inputs, wish, intro)
    if lister is not None and reply.stop_reason == "end_turn" and THEN_LOOKS.search(text):
        return _look_after(conversation, creator, lister, wish, reply)
    return reply


def _several(conversation: Conversation, whole: Wish, text: str) -> list[Wish]:
    """Return a wish for each event of a prompt that names several, each with a time of its own; [] if it does not."""
    if whole.when.repeat or dates.BETWEEN.search(text) or EITHER.search(text):
        return []
    today = dates.today_said(
        clip(conversation.system, 12_000), text, *(clip(turn.prompt) for turn in conversation.earlier)
    )
    if (looks := THEN_LOOKS.search(text)) and dates.read(text[: looks.start()], today).start:
        text = text[: looks.start()]
    parts = _parts(text, today)
    if len(parts) < 2:
        return []
    own = sum(bool(_names_event(part)) for part in parts)
    wishes: list[Wish] = []
    for part in parts[:MAX_EVENTS]:
        when = dates.read(part, today)
        before = wishes[-1] if wishes else None
        if own > 1 and (_names_event(part) or before is None):
            one = _wish(conversation, part, when)
            if before and not one.attendees and SAME_PEOPLE.search(part):
                one.attendees = before.attendees
        else:
            like = before if own > 1 and before else whole
            one = replace(like, when=when)
        when.dates = when.dates[:1] or (before.when.dates if before else whole.when.dates[:1])
        if when.length is None and (own < 2 or EACH.search(text)):
            when.length = whole.when.length
        if before and when.start is None:
            last = _events(before, "")[-1]
            when.start = last.end.time() if AFTER.search(part) else last.start.time()
        one.reminder = whole.reminder
        wishes.append(one)
    return wishes


def _parts(text: str, today: Date | None) -> list[str]:
    """Cut a prompt where another event begins: with a time of its own, or a relation to the one before."""
    ranges = [m.span() for pattern in (dates.TIME_RANGE, dates.CHINESE_TIME_RANGE) for m in pattern.finditer(text)]
    cuts = [m for m in PARTS.finditer(text) if not any(a < m.end() and m.start() < b for a, b in ranges)]
    found: list[str] = []
    begin = 0
    for cut, following in zip(cuts, [*cuts, None][1:], strict=True):
        start = cut.start() if AFTER.search(cut[0]) else cut.end()
        piece = text[start : following.start() if following else len(text)]
        when = dates.read(piece, today)
        named = _names_event(piece)
        timed = when.start and (named or (when.dates and not cut["stop"]))
        related = named and (AFTER.search(piece) or AS_WELL.search(piece))
        if (timed or related) and dates.read(text[begin : cut.start()], today).start:
            found.append(text[begin : cut.start()])
            begin = start
    return [*found, text[begin:]]


def _names_event(text: str) -> bool:
    return bool(titles.QUOTED.search(text)) or any(
        nouns.search(text) for nouns in (titles.NOUNS, titles.GERMAN_NOUNS, titles.CHINESE_NOUNS)
    )


def _again(conversation: Conversation, creator: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what was booked for the prompt before, if this one wants the same again."""
    if not conversation.earlier or not AGAIN.search(conversation.words):
        return []
    calls = conversation.earlier[-1].calls
    return [call.input for call in calls if call.name == creator["name"] and call.result and not call.is_error]


def _book_again(
    conversation: Conversation, creator: dict[str, Any], before: list[dict[str, Any]], text: str, today: Date | None
) -> Reply:
    """Book what was booked before, so much later or on another day or at another time."""
    roles = _roles(creator)
    start = next((before[0][name] for name, role in roles.items() if role == "start" and name in before[0]), "")
    date, time = _stamp(start)
    date = date or next((_stamp(value)[0] for name, value in before[0].items() if roles.get(name) == "date"), None)
    shift = datetime.timedelta()
    if match := LATER.search(text):
        unit = (match["unit"] or match["unit_"] or match["next"] or match["chinese_unit"] or "day").lower()
        count = dates.number(match["number"] or match["chinese"] or "one")
        weeks, hours = re.search("we+k|woche|周|星期", unit), re.search("hour|stunde|小时", unit)
        shift = datetime.timedelta(hours=count) if hours else DAY * count * (7 if weeks else 1)
        text = text.replace(match[0], " ")
    when = dates.read(text, today)
    if not shift and when.needs_today:
        return say(TEXTS.get(conversation.language, "which_date"))
    if not shift and when.dates and date:
        shift = when.dates[0] - date
    if when.start and time:
        anywhen = Date(2000, 1, 1)
        shift += datetime.datetime.combine(anywhen, when.start) - datetime.datetime.combine(anywhen, time)
    if not shift:
        return say(TEXTS.get(conversation.language, "which_day"))
    times = {name for name, role in roles.items() if role in ("start", "end", "date")}
    inputs = [{name: _later(v, shift) if name in times else v for name, v in given.items()} for given in before]
    return _carry_out(conversation, creator, inputs, Wish(when, ""), [])


def _later(value: Any, shift: datetime.timedelta) -> Any:
    """Return a date, a date and time or a time of day so much later, in the form it has."""

    def moved(match: re.Match[str]) -> str:
        if not match["time"]:
            return str(Date.fromisoformat(match["date"]) + DAY * round(shift / DAY))
        moment = datetime.datetime.fromisoformat(f"{match['date']}T{match['time']}") + shift
        return f"{moment:%Y-%m-%d}{match['gap']}{moment:%H:%M}"

    if isinstance(value, dict):
        return {key: _later(part, shift) for key, part in value.items()}
    if not isinstance(value, str):
        return value
    if re.fullmatch(r"\d\d:\d\d(?::\d\d)?", value):
        moment = datetime.datetime.fromisoformat(f"2000-01-03T{value}") + shift
        return moment.time().isoformat()[: len(value)]
    return STAMP.sub(moved, value)


def _zone(text: str) -> str:
    """Return the time zone that a prompt names, or ""."""
    if match := CHINESE_ZONE.search(text):
        return match[0]
    for match in ZONE_SAID.finditer(text):
        words = re.sub(r"er (?:Orts)?zeit$", "", match[0], flags=re.IGNORECASE).split()
        names = [*words, " ".join(words[:2])]
        if ZONE_WORDS.search(match[0]) or any(cities.english(n).lower() in cities.ENGLISH for n in names):
            return match[0]
    return ""


def _look_after(
    conversation: Conversation, creator: dict[str, Any], lister: dict[str, Any], wish: Wish, reply: Reply
) -> Reply:
    """Once all is booked, list those days, as the prompt asks, and say what is on them."""
    last = max((i for i, call in enumerate(conversation.calls) if call.name == creator["name"]), default=-1)
    since = [call.input for call in conversation.calls[last + 1 :] if call.name == lister["name"]]
    wanted = [_fill(lister, {"date": date, "start": date}) for date in wish.when.dates[:7]]
    calls = [(lister["name"], given) for given in wanted if given not in since]
    if last >= 0 and calls:
        return ask_for(calls)
    busy, _ = _busy(conversation, lister)
    plans = [_plan_text(date, busy[date], conversation.language) for date in wish.when.dates if date in busy]
    if any(_is_untimed(call) for call in conversation.calls if call.name == lister["name"]):
        results = "\n".join(call.result or "" for call in conversation.calls if call.name == lister["name"])
        plans = [TEXTS.get(conversation.language, "quoted", text=results)]
    return say("\n".join([reply.content[0]["text"], *plans]))


def _missing(wish: Wish, creator: dict[str, Any], lister: dict[str, Any] | None, text: str) -> str:
    """Return the name of the question to ask before anything can be booked, or ""."""
    when = wish.when
    if not when.start:
        when.start = titles.usual_start(wish.title)
    has_time = when.start or (lister and when.dates and (when.window or WHEN_FREE.search(text)))
    if not has_time and when.window and when.dates:
        when.start = when.window[0]
        has_time = when.start
    if not when.dates:
        return "which_day" if has_time else "which_day_and_time"
    if not has_time:
        return "which_time"
    if when.repeat and not when.repeat.count and _needs_count(creator):
        return "how_often"
    many = people.EVERYONE.search(text) or people.people_wanted(text)
    if many and not wish.attendees and "attendees" in _roles(creator).values():
        return "who"
    return ""


def _needs_count(creator: dict[str, Any]) -> bool:
    """Whether a repetition must say how often: its schema requires a count, or there is none and events are made singly."""
    root = creator["input_schema"]
    by_role = {role: name for name, role in _roles(creator).items()}
    if "repeat" not in by_role:
        return True
    about = schema.variants(schema.properties_of(schema.resolve(root, root))[by_role["repeat"]], root)[0]
    return any(_repeat_role(name) == "count" for name in schema.required_of(about)) or "count" in by_role


def _must_choose(when: When, text: str) -> bool:
    return bool(WHEN_FREE.search(text)) or not when.start or (len(when.dates) > 1 and bool(EITHER.search(text)))


def _events(wish: Wish, text: str) -> list[Event]:
    when = wish.when
    length = when.length or titles.usual_length(wish.title)
    start = when.start or (when.window and when.window[0])
    if start is None:
        return []
    wanted = list(dict.fromkeys(when.dates))
    chosen = wanted[:1] if EITHER.search(text) and not when.repeat else wanted
    found = []
    for date in chosen[:MAX_EVENTS]:
        begin = datetime.datetime.combine(date, start)
        end = datetime.datetime.combine(date, when.end) if when.end and when.end > start else begin + length
        found.append(Event(begin, end, when.repeat))
    return found


def _spread(events: list[Event], creator: dict[str, Any]) -> list[Event]:
    """Turn a repetition that the tool cannot express into single events."""
    spread: list[Event] = []
    for event in events:
        if event.repeat is None or _can_repeat(creator, event.repeat):
            spread.append(event)
            continue
        days_on = event.repeat.weekdays if event.repeat.frequency == "daily" else []
        moment = event.start
        count = min(event.repeat.count or 1, MAX_EVENTS)
        while count:
            if not days_on or moment.weekday() in days_on:
                spread.append(Event(moment, moment + (event.end - event.start)))
                count -= 1
            moment = _next(moment, event.repeat)
    return spread


def _next(moment: datetime.datetime, repeat: Repeat) -> datetime.datetime:
    if repeat.frequency in ("monthly", "yearly"):
        months = moment.month - 1 + (12 if repeat.frequency == "yearly" else 1) * repeat.every
        year, month = moment.year + months // 12, months % 12 + 1
        return moment.replace(year=year, month=month, day=min(moment.day, 28) if moment.day > 28 else moment.day)
    return moment + DAY * dates.FREQUENCY_DAYS[repeat.frequency] * repeat.every


def _can_repeat(creator: dict[str, Any], repeat: Repeat) -> bool:
    if repeat.frequency == "daily" and repeat.weekdays and (repeat.count or 0) > 5:
        return False
    given = _fill(creator, {"repeat": repeat, "count": repeat.count or NOTHING})
    by_role = {role: name for name, role in _roles(creator).items()}
    value = given.get(by_role.get("repeat", ""))
    if value is None:
        return False
    return repeat.every == 1 or str(repeat.every) in json.dumps(value)


def _input(creator: dict[str, Any], wish: Wish, event: Event, conversation: Conversation) -> dict[str, Any]:
    zone = ZONE.search(clip(conversation.system, 12_000))
    values: dict[str, Any] = {
        "title": wish.title,
        "start": event.start,
        "end": event.end,
        "date": event.start.date(),
        "duration": event.end - event.start,
        "attendees": wish.attendees or NOTHING,
        "repeat": event.repeat or NOTHING,
        "count": event.repeat.count if event.repeat and event.repeat.count else NOTHING,
        "location": wish.location or NOTHING,
        "reminder": wish.reminder or NOTHING,
        "timezone": zone[0] if zone else NOTHING,
        "method": "email" if re.search(r"e-?mail|邮件", conversation.words, re.IGNORECASE) else "popup",
    }
    return _fill(creator, values)


def _fill(tool: dict[str, Any], values: dict[str, Any]) -> dict[str, Any]:
    """Return an input for a tool: a value for each property whose role has one, in the form its schema asks for."""
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    roles = _roles(tool)
    required = schema.required_of(root)
    apart = "date" in roles.values() and "start" in roles.values()  # a date and times of day, each for itself
    given: dict[str, Any] = {}
    for name, about in known.items():
        role = roles.get(name, "")
        value = values.get(role, NOTHING)
        if isinstance(value, Repeat):
            value = _repeat_value(value, about, root)
        elif role == "reminder" and value is not NOTHING:
            value = _reminder_value(value, values["method"], about, root)
        elif apart and isinstance(value, datetime.datetime) and _is_time_only(about, root):
            value = value.time()
        found = schema.fit(value, about, root, name)
        if found is not NOTHING:
            given[name] = found
        elif name in required:
            given[name] = schema.placeholder(about, root, name=name)
    return given


def _reminder_value(minutes: int, method: str, about: Any, root: dict[str, Any]) -> Any:
    """Return a reminder as a number, as an object with its minutes and way, or as a list of one of those."""
    first = schema.variants(about, root)[0]
    kind = schema.kind_of(first)
    if kind == "array":
        return [_reminder_value(minutes, method, first.get("items", {}), root)]
    if kind == "boolean":
        return True
    if kind != "object":
        return minutes
    parts = {
        name: schema.fit(
            minutes if schema.kind_of(schema.variants(part, root)[0]) in ("integer", "number") else method,
            part,
            root,
            name,
        )
        for name, part in schema.properties_of(first).items()
    }
    return {name: part for name, part in parts.items() if part is not NOTHING}


def _is_time_only(about: Any, root: dict[str, Any]) -> bool:
    first = schema.variants(about, root)[0]
    return first.get("format") != "date-time" and not re.search(
        r"\d{4}-\d\d|date|ISO", str(first.get("description", ""))
    )


def _repeat_value(repeat: Repeat, about: Any, root: dict[str, Any]) -> Any:
    first = schema.variants(about, root)[0]
    kind = schema.kind_of(first)
    if kind == "object":
        value: dict[str, Any] = {}
        for name in schema.properties_of(first):
            role = _repeat_role(name)
            if role == "frequency":
                if schema.fit(repeat.frequency, schema.properties_of(first)[name], root, name) is NOTHING:
                    return NOTHING
                value[name] = repeat.frequency
            elif role == "count" and repeat.count:
                value[name] = repeat.count
            elif role == "every" and (repeat.every > 1 or name in schema.required_of(first)):
                value[name] = repeat.every
        return value if any(_repeat_role(name) == "frequency" for name in value) else NOTHING
    rule = f"FREQ={repeat.frequency.upper()}" + (f";INTERVAL={repeat.every}" if repeat.every > 1 else "")
    rule = f"RRULE:{rule}" + (f";COUNT={repeat.count}" if repeat.count else "")
    if kind == "array":
        return [rule]
    if "enum" in first or "rrule" not in str(about).lower():
        return repeat.frequency if repeat.every == 1 else NOTHING
    return rule


def _repeat_role(name: str) -> str:
    name = name.lower()
    if re.search(r"count|times|occur|number|repetition", name):
        return "count"
    if re.search(r"interval|every", name):
        return "every"
    return "frequency" if re.search(r"freq|type|rule|pattern|unit|period|kind", name) else ""


# Carrying out, and working around what was refused


def _carry_out(
    conversation: Conversation, creator: dict[str, Any], inputs: list[dict[str, Any]], wish: Wish, intro: list[str]
) -> Reply:
    """Ask for what is not yet done; correct what was refused, once or twice; answer when nothing is left to do."""
    language = conversation.language
    mine = [call for call in conversation.calls if call.name == creator["name"]]
    todo: list[dict[str, Any]] = []
    done: list[dict[str, Any]] = []
    failed: list[Call] = []
    remarks: list[str] = []
    done_remarks: list[str] = []
    title = next((name for name, role in _roles(creator).items() if role == "title"), "")

    def follow(given: dict[str, Any], corrections: int) -> None:
        tries = [call for call in mine if call.input == given]
        if not tries:
            todo.append(given)
        elif REFUSED.match(tries[-1].result or ""):
            failed.append(tries[-1])
        elif not tries[-1].is_error:
            done.append(given)
        elif len(tries) < 2 and repair.PASSING.search(tries[-1].result or ""):
            todo.append(given)
        else:
            better, limit = repair.corrected(given, tries[-1].result or "", creator, title)
            if corrections < 2 and better and given not in better:
                if limit:
                    remarks.append(TEXTS.get(language, "split", limit=limit, count=len(better)))
                    done_remarks.append(TEXTS.get(language, "was_split", limit=limit, count=len(better)))
                for one in better:
                    follow(one, corrections + 1)
            else:
                failed.append(tries[-1])

    for given in inputs:
        follow(given, 0)
    if todo:
        return ask_for([(creator["name"], given) for given in todo], phrase(remarks, language))
    parts = [*intro, *(done_remarks if done else [])]
    if done:
        parts.append(_done_text(done, creator, language))
        said = json.dumps(done)
        if left_out := [address for address in wish.attendees if address not in said and not failed]:
            parts.append(TEXTS.get(language, "not_invited", who=join(left_out, language)))
    if wish.strangers and done:
        parts.append(TEXTS.get(language, "strangers", names=join(wish.strangers, language)))
    if wish.reminder and done and "reminder" not in _roles(creator).values():
        parts.append(TEXTS.get(language, "no_reminder"))
    if failed:
        error = repair.error_of(failed[0])
        parts.append(TEXTS.get(language, "failed", error=error))
    return say(phrase(parts, language))


def _done_text(done: list[dict[str, Any]], creator: dict[str, Any], language: str) -> str:
    """Say what was created, from the inputs themselves."""
    items = [_event_text(given, creator, language) for given in done]
    if len(items) == 1:
        return TEXTS.get(language, "booked", event=items[0])
    return TEXTS.get(language, "booked_several", events="\n".join(f"- {item}" for item in items))


def _event_text(given: dict[str, Any], creator: dict[str, Any], language: str) -> str:
    by_role = {role: given.get(name) for name, role in _roles(creator).items()}
    title = str(by_role.get("title") or "")
    start, end = _stamp(by_role.get("start") or ""), _stamp(by_role.get("end") or "")
    date = start[0] or _stamp(by_role.get("date") or "")[0]
    repeat = by_role.get("repeat")
    parts = [TEXTS.get(language, "title", title=title)]
    if date:
        parts[0] += TEXTS.get(language, "from" if repeat else "on", day=day(date, language))
    if start[1]:
        begin = datetime.datetime.combine(date or Date(2000, 1, 1), start[1])
        finish = datetime.datetime.combine(date or Date(2000, 1, 1), end[1]) if end[1] else None
        parts.append(span(begin, finish, language))
    values = list(repeat.values()) if isinstance(repeat, dict) else [repeat] if isinstance(repeat, str) else []
    if by_role.get("count"):
        values.append(by_role["count"])
    frequency = next((value for value in values if isinstance(value, str) and value in FREQUENCIES[language]), None)
    count = next((value for value in values if isinstance(value, int)), None)
    if frequency:
        parts.append(FREQUENCIES[language][frequency])
    if count:
        parts.append(TEXTS.get(language, "times", count=count))
    people_in = by_role.get("attendees")
    listed = (
        [str(next(iter(p.values()), "")) if isinstance(p, dict) else str(p) for p in people_in or []]
        if (isinstance(people_in, list))
        else ([people_in] if isinstance(people_in, str) and people_in else [])
    )
    if listed:
        few = "、".join(listed) if language == "zh" else join(listed, language)
        who = few if len(listed) <= 4 else TEXTS.get(language, "people", count=len(listed))
        parts.append(TEXTS.get(language, "with", who=who))
    return ("，" if language == "zh" else ", ").join(parts)


FREQUENCIES = {
    "en": {"daily": "daily", "weekly": "weekly", "monthly": "monthly", "yearly": "yearly"},
    "de": {"daily": "täglich", "weekly": "wöchentlich", "monthly": "monatlich", "yearly": "jährlich"},
    "zh": {"daily": "每天", "weekly": "每周", "monthly": "每月", "yearly": "每年"},
}
TEXTS = Texts(
    which_date={
        "en": "I don't know today's date, so I can't tell which day you mean. What date is it, as in 2027-09-06?",
        "de": "Ich kenne das heutige Datum nicht und weiß deshalb nicht, welchen Tag du meinst. Welches Datum ist es, zum Beispiel 06.09.2027?",
        "zh": "我不知道今天的日期，没法确定你说的是哪一天。请告诉我具体日期，比如 2027-09-06，好吗？",
    },
    which_day={
        "en": "On which day should it be?",
        "de": "An welchem Tag soll es sein?",
        "zh": "你想安排在哪一天？",
    },
    which_time={
        "en": "At what time should it start?",
        "de": "Um wie viel Uhr soll es losgehen?",
        "zh": "几点开始？",
    },
    which_day_and_time={
        "en": "On which day and at what time should it be?",
        "de": "An welchem Tag und um wie viel Uhr soll es sein?",
        "zh": "你想安排在哪一天、几点？",
    },
    how_often={
        "en": "How many times should it take place?",
        "de": "Wie oft soll der Termin insgesamt stattfinden?",
        "zh": "一共要重复多少次？",
    },
    cannot_look={
        "en": "I can't look into your calendar with the tools I have; I can only add events to it.",
        "de": "Mit meinen Tools kann ich nicht in deinen Kalender sehen, nur Termine eintragen.",
        "zh": "我现有的工具不能查看你的日历，只能添加日程。",
    },
    cannot_book={
        "en": "I can look into your calendar, but none of my tools adds events to it.",
        "de": "Ich kann in deinen Kalender sehen, aber keines meiner Tools trägt Termine ein.",
        "zh": "我可以查看你的日历，但没有添加日程的工具。",
    },
    cannot_change={
        "en": "None of my tools changes or removes events.",
        "de": "Keines meiner Tools kann Termine ändern oder löschen.",
        "zh": "我没有可以修改或删除日程的工具。",
    },
    who={
        "en": "I don't have all the e-mail addresses. Whom should I invite?",
        "de": "Mir fehlen die E-Mail-Adressen. Wen soll ich einladen?",
        "zh": "我没有这些人的邮箱地址。要邀请哪些人？",
    },
    not_invited={
        "en": "I could not invite {who}.",
        "de": "Einladen konnte ich {who} nicht.",
        "zh": "没能邀请 {who}。",
    },
    no_reminder={
        "en": "I can't set a reminder with the tools I have.",
        "de": "Eine Erinnerung kann ich mit meinen Tools nicht einrichten.",
        "zh": "我现有的工具不能设置提醒。",
    },
    seen={
        "en": "I have looked at {days}.",
        "de": "Angesehen habe ich {days}.",
        "zh": "我查看过：{days}。",
    },
    no_zones={
        "en": "I can't convert time zones with the tools I have: all times here are local. What time is it for you?",
        "de": "Mit meinen Tools kann ich keine Zeitzonen umrechnen: Alle Zeiten hier sind Ortszeit. Wie viel Uhr ist das bei dir?",
        "zh": "我现有的工具不能换算时区，这里的时间都是你当地的时间。按你当地的时间是几点？",
    },
    look_failed={
        "en": "I couldn't read your calendar: {error}. Shall I try again?",
        "de": "Ich konnte deinen Kalender nicht lesen: {error}. Soll ich es noch einmal versuchen?",
        "zh": "我没能读取你的日历：{error}。要再试一次吗？",
    },
    is_free={
        "en": "You are free on {slot}.",
        "de": "Frei bist du am {slot}.",
        "zh": "你有空的时间：{slot}。",
    },
    nothing_free={
        "en": "I found no free time of that length there, so I booked nothing.",
        "de": "Ich habe in dieser Zeit keine passende Lücke gefunden und deshalb nichts eingetragen.",
        "zh": "这段时间里没有足够长的空档，所以我没有安排。",
    },
    offer={
        "en": "You would be free on {slot}. Shall I book that?",
        "de": "Frei wärst du am {slot}. Soll ich das eintragen?",
        "zh": "{slot}有空，要安排在那时吗？",
    },
    full={
        "en": "There is no gap long enough on {days}.",
        "de": "Am {days} ist keine passende Lücke frei.",
        "zh": "{days}没有足够长的空档。",
    },
    free_then={
        "en": "Yes, you are free on {day} at {time}.",
        "de": "Ja, am {day} um {time} Uhr bist du frei.",
        "zh": "有空，{day} {time} 没有安排。",
    },
    busy_then={
        "en": "No, on {day} at {time} you have {title}.",
        "de": "Nein, am {day} um {time} Uhr hast du schon etwas vor: {title}.",
        "zh": "没空，{day} {time} 已有安排：{title}。",
    },
    quietest={
        "en": "The quietest day is {day}.",
        "de": "Am ruhigsten ist {day}.",
        "zh": "最空的一天是 {day}。",
    },
    busiest={"en": "The busiest day is {day}.", "de": "Am vollsten ist {day}.", "zh": "最忙的一天是 {day}。"},
    alike={"en": "They are all alike.", "de": "Sie sind alle gleich.", "zh": "这几天都一样。"},
    day_free={"en": "{day}: nothing planned.", "de": "{day}: nichts geplant.", "zh": "{day}：没有安排。"},
    day_plan={"en": "{day}: {events}.", "de": "{day}: {events}.", "zh": "{day}：{events}。"},
    quoted={"en": "Your calendar says: {text}", "de": "In deinem Kalender steht: {text}", "zh": "你的日历里有：{text}"},
    title={"en": '"{title}"', "de": "„{title}“", "zh": "“{title}”"},
    booked={
        "en": "Done, I've booked {event}.",
        "de": "Erledigt, eingetragen ist {event}.",
        "zh": "已安排好：{event}。",
    },
    booked_several={
        "en": "Done, I've booked:\n{events}",
        "de": "Erledigt, eingetragen sind:\n{events}",
        "zh": "已安排好：\n{events}",
    },
    on={"en": " on {day}", "de": " am {day}", "zh": "，{day}"},
    **{"from": {"en": " from {day}", "de": " ab {day}", "zh": "，从 {day}起"}},
    times={"en": "{count} times", "de": "{count}-mal", "zh": "共 {count} 次"},
    people={"en": "{count} people", "de": "{count} Personen", "zh": "{count} 人"},
    **{"with": {"en": "with {who}", "de": "mit {who}", "zh": "参会人：{who}"}},
    strangers={
        "en": "I have no e-mail address for {names}, so no invitation went there. What is it?",
        "de": "Für {names} habe ich keine E-Mail-Adresse und konnte deshalb nicht einladen. Wie lautet sie?",
        "zh": "我没有{names}的邮箱地址，所以没有发出邀请。能告诉我地址吗？",
    },
    split={
        "en": "One event takes at most {limit} people, so I'll make {count} events at the same time.",
        "de": "Ein Termin fasst höchstens {limit} Personen, deshalb lege ich {count} Termine zur selben Zeit an.",
        "zh": "一个日程最多 {limit} 人，我来分成 {count} 个同时进行的日程。",
    },
    was_split={
        "en": "One event takes at most {limit} people, so I made {count} events at the same time.",
        "de": "Ein Termin fasst höchstens {limit} Personen, deshalb sind es {count} Termine zur selben Zeit geworden.",
        "zh": "一个日程最多 {limit} 人，所以我分成了 {count} 个同时进行的日程。",
    },
    failed={
        "en": "That did not work: {error}. How would you like to go on?",
        "de": "Das hat nicht geklappt: {error}. Wie möchtest du weitermachen?",
        "zh": "没有成功：{error}。你想怎么处理？",
    },
)
