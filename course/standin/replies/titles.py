"""What to call an event, and how long and when such events usually are."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import datetime
import re

Time = datetime.time

QUOTED = re.compile(
    r"(?:\"([^\"]{1,80})\"|“([^”]{1,80})”|„([^“”]{1,80})[“”]|「([^」]{1,80})」|《([^》]{1,80})》|(?<!\w)'([^'@]{2,60})'(?!\w))"
)
CALLED = re.compile(
    r"\b(?:called|titled|named|title:?|namens|titel:?) ([A-ZÄÖÜ][\w -]{1,50}?)(?= (?:on|at|with|for|from|tomorrow|am|um|mit|für|next)\b|[,.?!]|$)"
    r"|(?:标题(?:是|为|[:：])|名为|叫做?) *([^，。,\s]{1,30})"
)
REMIND = re.compile(
    r"\bremind me to (.{3,60}?)(?= (?:on|at|tomorrow|today|tonight|next|in|every|this)\b|[,.?!]|$)"
    r"|\berinner\w* mich .{0,40}?\ban (?:den |die |das )?([\w -]{3,40}?)(?= (?:am|um|morgen)\b|[,.?!]|$)"
    r"|提醒我(?:.{0,12}点[半钟]?)?([\u4e00-\u9fff]{2,16})",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"\b(?:about|to discuss|on the topic of|regarding) (?:the )?([\w' -]{2,40}?)(?= (?:on|at|with|from|tomorrow|today|next|every|for)\b|[,.?!]|$)"
    r"|\b(?:zum Thema|über|bezüglich|wegen) (?:das |die |den |der |dem )?([\w -]{2,40}?)(?= (?:am|um|mit|morgen|von|ein|an|heute)\b|[,.?!]|$)"
    r"|(?:关于|讨论) *([\u4e00-\u9fffA-Za-z0-9 ]{2,16}?)(?=的|，|。|,|$)"
)
NOUNS = re.compile(
    r"\b(stand-?up|daily|all-?hands|town ?hall|one-on-one|1:1|1-on-1|sync|check-in|catch-up|meeting|lunch|dinner|breakfast|brunch|coffee"
    r"|review|retro(?:spective)?|kick-?off|workshop|interview|planning|demo|training|call|session|tennis|football|yoga|gym|party|appointment"
    r"|presentation|seminar|webinar|class|lesson|concert|birthday|dentist|haircut|briefing|brainstorming|hackathon|offsite|deployment|deadline|reminder|focus time)s?\b",
    re.IGNORECASE,
)
BEFORE_NOUN = re.compile(r"((?:[A-Za-z][\w'-]* ){0,3})$")
STOP = frozenset(
    "a an the my our your this that next every each weekly daily monthly yearly recurring quick short long new another one two three four "
    "for to with at on in of and or from by me us everyone all schedule book add create set up plan put make arrange organize "
    "organise invite have hold please want need like hour minute minutes hours half an it is be do i'd we would could can you "
    "regular biweekly one-hour half-hour two-hour single team's first brief block reserve let's let start get attend".split()
)
GERMAN_NOUNS = re.compile(
    r"\b([A-ZÄÖÜ][\wäöüß-]*(?:meeting|besprechung|sitzung|runde|essen|gespräch|treffen|training|workshop|call|sync|standup|stand-up|review"
    r"|planung|abstimmung|versammlung|feier|termin|interview|präsentation)|Meeting|Besprechung|Stand-?up|Mittagessen|Abendessen|Frühstück"
    r"|Kaffee|Tennis|Fußball|Workshop|Sync|Call|Telefonat|Review|Retro|Sitzung|Treffen|Feier|Training|Yoga|All-?Hands|Zahnarzt|Friseur|Arzt"
    r"|Planung|Abstimmung|Interview|Präsentation|Jour fixe|Lunch|Party|Geburtstag|Daily)\b"
)
CHINESE_NOUNS = re.compile(
    r"((?:团队|项目|产品|设计|预算|全员|部门|销售|客户|技术|需求|季度|年度|月度|代码|市场|小组|战略|工作)*)"
    r"(站会|例会|周会|晨会|早会|大会|同步会|评审会?|复盘会?|启动会|讨论会|研讨会|沟通会|规划会|会议|午餐|午饭|晚餐|晚饭|早餐|早饭|吃饭|咖啡|面试|培训|电话会议?|网球|足球|瑜伽|聚餐|聚会|演示|看牙|体检|约会|课)"
)
CHINESE_TITLES = {"午饭": "午餐", "晚饭": "晚餐", "早饭": "早餐"}

FALLBACK = {"en": "Meeting", "de": "Besprechung", "zh": "会议"}
WITH = {"en": "{title} with {names}", "de": "{title} mit {names}", "zh": "与 {names} 的{title}"}
BETWEEN_CHINESE = re.compile(r"(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])")
GENERIC = ("Meeting", "Call", "Session", "Appointment", "Besprechung", "Treffen", "Termin", "会议")
AND = {"en": " and ", "de": " und ", "zh": "、"}

USUAL = (  # what such an event is, its usual length in minutes, its usual start
    (re.compile(r"stand-?up|站会|晨会|早会|\bdaily\b", re.IGNORECASE), 15, None),
    (re.compile(r"lunch|mittagessen|午[餐饭]", re.IGNORECASE), 60, Time(12)),
    (re.compile(r"breakfast|frühstück|早[餐饭]", re.IGNORECASE), 60, Time(8)),
    (re.compile(r"dinner|abendessen|晚[餐饭]|聚餐|吃饭", re.IGNORECASE), 120, Time(19)),
    (re.compile(r"workshop|training|研讨|培训", re.IGNORECASE), 120, None),
    (
        re.compile(
            r"all-?hands|versammlung|大会|tennis|yoga|football|fußball|网球|足球|瑜伽|interview|面试", re.IGNORECASE
        ),
        60,
        None,
    ),
)


def title(text: str, language: str, names: list[str]) -> str:
    """Return a title for the event that `text` asks for; `names` are the people it is with."""
    if match := QUOTED.search(text) or CALLED.search(text):
        return next(group for group in match.groups() if group).strip()
    if match := REMIND.search(text):
        words = next(group for group in match.groups() if group).strip()
        return words[0].upper() + words[1:]
    found = {"en": _english, "de": _german, "zh": _chinese}[language](text)
    about = ABOUT.search(text)
    topic = next((group for group in about.groups() if group), "").strip() if about else ""
    if topic:
        return _with_topic(found, topic, language)
    if found and found not in GENERIC:
        return found
    if 1 <= len(names) <= 2:
        named = WITH[language].format(title=found or FALLBACK[language], names=AND[language].join(names))
        return BETWEEN_CHINESE.sub("", named)
    return found or FALLBACK[language]


def _with_topic(found: str, topic: str, language: str) -> str:
    if language == "zh":
        return topic + (found or "讨论")
    if not found:
        return topic[0].upper() + topic[1:]
    return f"{found}: {topic}"


def _english(text: str) -> str:
    generic = ""
    for match in NOUNS.finditer(text):
        noun = match[1]
        if noun.lower() == "daily" and NOUNS.search(text[match.end() :]):
            continue
        before = BEFORE_NOUN.search(text[max(0, match.start() - 80) : match.start()])
        words: list[str] = []
        for word in reversed(before[1].split() if before else []):
            if word.lower() in STOP or word.endswith(("-minute", "-hour")):
                break
            words.insert(0, word)
        found = " ".join([*words, noun])
        found = found[0].upper() + found[1:]
        if found not in GENERIC:
            return found
        generic = generic or found
    return generic


def _german(text: str) -> str:
    generic = ""
    for match in GERMAN_NOUNS.finditer(text):
        if match[1] not in GENERIC:
            return {"Zahnarzt": "Zahnarzttermin", "Friseur": "Friseurtermin", "Arzt": "Arzttermin"}.get(
                match[1], match[1]
            )
        generic = generic or match[1]
    return generic


def _chinese(text: str) -> str:
    for match in CHINESE_NOUNS.finditer(text):
        if match[0] != "会议":
            return match[1] + CHINESE_TITLES.get(match[2], match[2])
    return _english(text) if re.search(r"[A-Za-z]", text) else ""


def usual_length(name: str) -> datetime.timedelta:
    """Return how long events of this title usually are: half an hour if nothing better is known."""
    return datetime.timedelta(minutes=next((minutes for test, minutes, _ in USUAL if test.search(name)), 30))


def usual_start(name: str) -> Time | None:
    """Return when events of this title usually start, if they do: lunch at noon."""
    return next((start for test, _, start in USUAL if start and test.search(name)), None)
