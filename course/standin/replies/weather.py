"""The weather scene: what it is like in some cities, what to wear, whether to take an umbrella."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

from . import cities, dates, schema
from .answers import Reply, ask_for, say
from .conversation import CHINESE, Call, Conversation, clip
from .schema import NOTHING
from .wording import Texts, join, phrase

TOOL = re.compile(r"weather|forecast|wetter|vorhersage|天气|气温", re.IGNORECASE)
MEASURES = re.compile(r"temperature|(?<![a-z])rain", re.IGNORECASE)  # of a place, or else of something else
PLACE_TOOL = re.compile(r"location|where|\bip\b|position", re.IGNORECASE)
TOPIC = re.compile(
    r"\b(?:weather|wear|forecast|temperature|umbrella|rain|snow|cold|warm|hot|sunny|jacket|coat|dress|clothes|pack|outside"
    r"|degrees|windy|colder|wärm|kält|wetter|ziehe?|anziehe|anzuziehen|regen|regnet|schirm|schnee|schneit|kalt|heiß|jacke|mantel|grad|temperatur)"
    r"|anziehen|wetter|regenschirm|天气|气温|温度|穿|伞|下雨|下雪|冷|热|外套|几度|多少度",
    re.IGNORECASE,
)
UMBRELLA = re.compile(r"umbrella|\brain|schirm|regen|regnet|伞|下雨", re.IGNORECASE)
WEAR = re.compile(
    r"\b(?:wear|dress|clothes|jacket|coat|pack)|anziehe|anzuziehen|ziehe? ich|jacke|mantel|kleid|einpacken|穿|外套",
    re.IGNORECASE,
)
ALSO = re.compile(
    r"\balso\b|, (?:and )?the (?!weather|forecast|temperature)|\d ?%? (?:of|plus|minus|times|mal|von) \d|\d ?[-+*/×÷] ?\d|\band (?:then |also )?(?:what|send|book|tell|e-?mail|calculate|schedule|add|create|save|write|(?:the )?time)\b"
    r"|\bauch\b|\bund (?:dann )?(?:schick|sende|wie spät|wie viel|buch|trag|speicher|schreib)|还|并|然后|另外",
    re.IGNORECASE,
)
COUNTRIES = frozenset(cities.REGION.values()) | {
    "Österreich",
    "Deutschland",
    "Schweiz",
    "Frankreich",
    "Norwegen",
    "Scotland",
    "England",
    "Wales",
}
COLDER = re.compile(r"cold|cool|kält|kühl|冷", re.IGNORECASE)
COMPARE = re.compile(
    r"\b\w+er\b.*\bor\b|\b(?:warm|cold|cool|hott)est\b|compare|wo ist es|vergleich|wärmer|kälter|哪里|哪个|比较|更",
    re.IGNORECASE,
)
TOMORROW = re.compile(r"\btomorrow|\bmorgen\b(?! früh heute)|明天|明日", re.IGNORECASE)
HERE = re.compile(r"\b(?:here|where i am|my (?:location|city|area)|hier|bei mir)\b|这里|我这|当地", re.IGNORECASE)

NAME = r"(?:St\.|Ft\.|Mt\.|[A-ZÄÖÜÉÍÓÁÇ][\w'’-]*)"
NAMES = rf"{NAME}(?: (?:de |la |del |of )?{NAME})*(?:, [A-Z][A-Z]\b)?"
CAPITAL = re.compile(
    rf"\b(?:in|for|at|to|of|near|between|from|nach|für|von|zwischen|aus|than|als)(?: der Stadt| the city of)? ({NAMES}(?:(?:,? (?:and|or|und|oder|than|als|to|with|mit)|,) (?:in )?{NAMES})*)"
)
LIST = re.compile(
    r",(?! [A-Z][A-Z]\b) ?(?:and |or |und |oder )?(?:in )?| (?:and|or|und|oder|than|als|to|with|mit) (?:in )?"
)
SMALL = re.compile(r"\b(?:in|for|nach|für) ([a-zäöü]{3,}(?: [a-z]{3,})?)")
NOT_A_CITY = re.compile(
    r"(?: (?:Today|Tomorrow|Tonight|Now|Heute|Morgen|Please|Right|This|On|The))+$"
    r"|^(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag"
    r"|Sonntag|Celsius|Fahrenheit|Grad|I|My|Today|Tomorrow|The|January|February|March|April|May|June|July|August|September"
    r"|October|November|December|(?!NYC|USA|UAE)[A-Z]{3,5}|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|Regen|Schnee|Stadt|Städten)$"
)
LATIN = re.compile(NAMES, re.ASCII)  # in a Chinese sentence, where no blank has to stand before or behind a name
CHINESE_PLACE = re.compile(
    r"(?:(?<!现)在|去|到|[和与跟、，])([\u4e00-\u9fff]{2,6}?)(?=穿|的?天气|的?气温|要|需|应|该|会|冷|热|下雨|下雪|[和与跟、，])"
)
CHINESE_LEAD = re.compile(r"^([\u4e00-\u9fff]{2,5}?)(?:今天|明天|现在|的)*(?:天气|气温)")
CHINESE_NOISE = re.compile(r"几点|时间|今天|明天|现在|我们|我|请问|查一?下|告诉|看看|什么|怎么|哪里|一下|那么?|呢|的")

TEMPERATURE = re.compile(
    r"(-?\d{1,3}(?:\.\d+)?) ?(?:°|º|degrees?|Grad)? ?(F\b|C\b|℃|℉|Fahrenheit|Celsius|摄氏度|华氏度|度)", re.IGNORECASE
)
PLAIN_NUMBER = re.compile(r"-?\d{1,3}(?:\.\d+)?", re.ASCII)
DEGREES = re.compile(r"(-?\d{1,3}(?:\.\d+)?) ?(?:°|º|degrees?|Grad)", re.IGNORECASE)
UNKNOWN = re.compile(
    r"no weather|unknown|not (?:found|known|available|in)|no data|don't know|cannot find|can't find|couldn't|error|fail"
    r"|nicht gefunden|unbekannt|kein|未找到|找不到|没有|未知|不支持|无法",
    re.IGNORECASE,
)
KNOWN_CITIES = re.compile(
    r"(?:known|available|supported|valid|try|bekannte?|已知|支持)[^:：]*[:：]\s*(.+)", re.IGNORECASE | re.DOTALL
)
SKIES = {
    "storm": re.compile(r"storm|thunder|gewitter|sturm|雷|暴风", re.IGNORECASE),
    "snow": re.compile(r"snow|sleet|blizzard|schnee|雪", re.IGNORECASE),
    "rain": re.compile(r"rain|shower|drizzle|regen|schauer|niesel|雨", re.IGNORECASE),
    "fog": re.compile(r"fog|mist|haze|hazy|nebel|雾", re.IGNORECASE),
    "partly": re.compile(r"partly|partial|leicht bewölkt|多云", re.IGNORECASE),
    "cloud": re.compile(r"cloud|overcast|wolk|bewölkt|bedeckt|阴|云", re.IGNORECASE),
    "wind": re.compile(r"wind|breez|风", re.IGNORECASE),
    "sun": re.compile(r"sun|clear|sonn|klar|晴", re.IGNORECASE),
}


class Weather(NamedTuple):
    """One city's weather as a result gave it. `celsius` is None if no temperature was found, `sky` "" if no sky was."""

    city: str
    celsius: float | None
    fahrenheit: bool  # how the result gave the temperature
    sky: str
    text: str
    unknown: bool


def fits(conversation: Conversation) -> bool:
    """Whether a weather tool is offered and the prompt is about the weather, or names a city and little else.

    A prompt that wants other tools as well is left to the general scene.
    """
    if len(conversation.tools) > 1 and ALSO.search(conversation.words) and not conversation.forced:
        return False
    return tool_of(conversation) is not None and (
        TOPIC.search(conversation.words) is not None
        or _is_weather(conversation.forced)
        or (len(conversation.tools) == 1 and _names_little_else(conversation.words))
        or (len(conversation.words) < 60 and bool(places(conversation.words)) and _follows_on(conversation))
    )


def _names_little_else(prompt: str) -> bool:
    """Whether a prompt is a city's name and a word or two: "Oslo and Berlin?"."""
    return len(prompt) < 60 and len(prompt) - sum(map(len, found := places(prompt))) < 15 and bool(found)


def _is_weather(name: str) -> bool:
    return bool(name and TOOL.search(name))


def _follows_on(conversation: Conversation) -> bool:
    return any(_is_weather(call.name) for turn in conversation.earlier[-2:] for call in turn.calls)


def tool_of(conversation: Conversation) -> dict[str, Any] | None:
    """Return the tool that the weather is looked up with, if one is offered."""
    if conversation.forced:
        return conversation.tools.get(conversation.forced) if _is_weather(conversation.forced) else None
    named = [
        tool
        for name, tool in conversation.tools.items()
        if TOOL.search(name) or (MEASURES.search(name) and _takes_place(tool))
    ]
    # A name may be misspelled; what a tool is for stands in its description.
    named = named or [tool for tool in conversation.tools.values() if _described_as_weather(tool)]
    named = [tool for tool in named if not _takes_coordinates(tool)]
    if len(named) > 1 and TOMORROW.search(conversation.words):
        named.sort(key=lambda tool: "forecast" not in tool["name"].lower())
    return named[0] if named else None


def _described_as_weather(tool: dict[str, Any]) -> bool:
    return bool(TOOL.search(str(tool.get("description", "")))) and _takes_place(tool)


def _takes_coordinates(tool: dict[str, Any]) -> bool:
    root = tool["input_schema"]
    return any(re.match("lat", name, re.IGNORECASE) for name in schema.required_of(schema.resolve(root, root)))


def _takes_place(tool: dict[str, Any]) -> bool:
    root = tool["input_schema"]
    return any(map(PLACE.search, schema.properties_of(schema.resolve(root, root))))


@lru_cache(maxsize=256)
def places(prompt: str) -> tuple[str, ...]:
    """Return the cities named in a prompt, as English names where they are known, in their order."""
    found: list[str] = []
    for match in CAPITAL.finditer(prompt):
        for part in LIST.split(match[1]):
            name = NOT_A_CITY.sub("", part.strip(" .,?!"))
            if name and not (found and name in COUNTRIES and name not in cities.GERMAN):
                found.append(name)
    found += cities.CHINESE_NAMES.findall(prompt)
    if not prompt.isascii():
        for match in [*CHINESE_PLACE.finditer(prompt), *CHINESE_LEAD.finditer(prompt)]:
            name = CHINESE_NOISE.sub("", match[1])
            if len(name) > 1 and not cities.CHINESE_NAMES.search(name):
                found.append(name)
    if found and CHINESE.search(prompt):
        named = [word for word in LATIN.findall(prompt) if word.lower() in cities.ENGLISH and word not in found]
        found = sorted([*found, *named], key=prompt.find)
    if not found:
        found += [word for word in re.findall(NAMES, prompt) if word.lower() in cities.ENGLISH]
        found += [name for name in re.findall(r"[a-zäöü]+", prompt) if len(name) > 3 and name in cities.ENGLISH]
        for match in SMALL.finditer(prompt):
            words = match[1].split()
            found += [name.title() for name in (match[1], words[0]) if name in cities.ENGLISH]
    return tuple(dict.fromkeys(cities.english(name) for name in found))


def play(conversation: Conversation) -> Reply | None:
    """Ask for the weather of each city that has none yet; then answer."""
    tool = tool_of(conversation)
    if tool is None:
        return None
    wanted = _wanted(conversation)
    if not wanted:
        return _find_place(conversation, tool)
    mine = [call for call in conversation.calls if call.name == tool["name"]]
    calls = []
    for city in wanted:
        given = input_of(tool, city, conversation)
        if all(call.input != given for call in mine):
            calls.append((tool["name"], given))
    if calls:
        return ask_for(calls)
    return say(_answer(conversation, tool, wanted, mine))


def _wanted(conversation: Conversation) -> tuple[str, ...]:
    found = places(conversation.words)
    if found or HERE.search(conversation.words):
        return found
    for turn in reversed(conversation.earlier):
        if found := places(clip(turn.prompt)):
            return found
    return ()


def _find_place(conversation: Conversation, tool: dict[str, Any]) -> Reply:
    """No city was named: a tool may know where the user is; otherwise ask."""
    for name, other in conversation.tools.items():
        if other is tool or not PLACE_TOOL.search(name) or schema.required_of(other["input_schema"]):
            continue
        done = [call for call in conversation.calls if call.name == name]
        if not done:
            return ask_for([(name, {})])
        if not done[-1].is_error and (place := _place_in(done[-1].result or "")):
            given = input_of(tool, place, conversation)
            mine = [call for call in conversation.calls if call.name == tool["name"]]
            return say(_answer(conversation, tool, (place,), mine)) if mine else ask_for([(tool["name"], given)])
    if conversation.choice in ("any", "tool") and not conversation.calls:
        return ask_for([(tool["name"], input_of(tool, "", conversation))])
    mine = [call for call in conversation.calls if call.name == tool["name"] and call.result]
    if mine:
        return say(_answer(conversation, tool, (str(next(iter(mine[-1].input.values()), "")),), mine))
    return say(TEXTS.get(conversation.language, "which_city"))


def _place_in(result: str) -> str:
    try:
        data = json.loads(result)
    except ValueError:
        return result.strip()[:60]
    if isinstance(data, dict):
        return next((str(data[key]) for key in ("city", "location", "name", "town") if data.get(key)), "")
    return str(data)[:60]


def input_of(tool: dict[str, Any], city: str, conversation: Conversation) -> dict[str, Any]:
    """Return the tool's input for a city: whichever property stands for it, and unit and day if there are such."""
    root = tool["input_schema"]
    known = schema.properties_of(schema.resolve(root, root))
    values: dict[str, Any] = {}
    required = schema.required_of(root)
    for name, property_ in known.items():
        about = schema.resolve(property_, root)
        description = str(about.get("description") or f"{name} {tool.get('description', '')}")
        value: Any = NOTHING
        if PLACE.search(name) or (len(required) == 1 and name in required):
            value = _spelled(city, description, conversation) if city else NOTHING
            if schema.kind_of(schema.variants(property_, root)[0]) == "array":
                value = [value]
        elif UNIT.search(name):
            value = _unit(conversation, name in required)
        elif name.lower().startswith("time") and (clock := dates.read(conversation.words, None).start):
            value = clock
        elif DAY.search(name):
            tomorrow = TOMORROW.search(conversation.words)
            value = "tomorrow" if tomorrow else ("today" if name in required else NOTHING)
            if re.search("days$", name, re.IGNORECASE):
                said = HOW_MANY_DAYS.search(conversation.words)
                value = int(said[1] or said[2]) if said else 2 if tomorrow else 1 if name in required else NOTHING
        found = schema.fit(value, property_, root, name)
        if found is not NOTHING:
            values[name] = found
        elif name in required:
            values[name] = schema.placeholder(property_, root)
    return values


PLACE = re.compile(
    r"city|location|place|town|region|address|query|^q$|stadt|(?<![a-z])ort(?![a-z])|城市|地点", re.IGNORECASE
)
UNIT = re.compile(r"unit|scale|einheit|单位", re.IGNORECASE)
DAY = re.compile(r"date|day|when|time|datum|tag|日期", re.IGNORECASE)
HOW_MANY_DAYS = re.compile(r"\b(\d{1,2})[ -](?:days?|tagen?)\b|(?<!\d)(\d{1,2}) ?天", re.IGNORECASE)
WANTS_ENGLISH = re.compile(r"\benglish|englisch|英文|英语", re.IGNORECASE)
WANTS_REGION = re.compile(r"[Cc]ity and (?:state|country)|, [A-Z][A-Z]\b|(?:[Cc]ity|[Ss]tate), (?:state|country)")
CELSIUS = re.compile(r"celsius|°c|摄氏", re.IGNORECASE)
FAHRENHEIT = re.compile(r"fahrenheit|°f|华氏", re.IGNORECASE)


def _spelled(city: str, description: str, conversation: Conversation) -> str:
    if not WANTS_ENGLISH.search(description):
        if re.search(r"[\u4e00-\u9fff]", description):
            return cities.named_in("zh", city)
        if conversation.language == "de" and re.search(r"\b(?:der|die|das|eine?r?|Stadt)\b", description):
            return cities.named_in("de", city)
    if WANTS_REGION.search(description) and "," not in city and (region := cities.REGION.get(city)):
        return f"{city}, {region}"
    return city


def _unit(conversation: Conversation, required: bool) -> Any:
    if CELSIUS.search(conversation.words):
        return "celsius"
    if FAHRENHEIT.search(conversation.words):
        return "fahrenheit"
    if conversation.language != "en":
        return "celsius"
    return "fahrenheit" if required else NOTHING


def read(call: Call) -> Weather:
    """Return what a result says. Understands text such as "Weather in Austin: 95F, sunny" and JSON."""
    values = [str(value) for _, value in _leaves(call.input)]
    text = clip(call.result or "", 2000)
    return _read(text, values[0] if values else "", " ".join(values[1:]).lower(), call.is_error)


@lru_cache(maxsize=256)
def _read(text: str, city: str, unit: str, is_error: bool) -> Weather:
    said = text.replace(city, " ") if city else text  # the name says nothing about the sky, not even Windhoek's
    celsius, fahrenheit = _temperature(said, unit)
    sky = next((name for name, pattern in SKIES.items() if pattern.search(said)), "")
    unknown = celsius is None and (is_error or not text.strip() or bool(UNKNOWN.search(text)))
    return Weather(city, celsius, fahrenheit, "" if unknown else sky, text, unknown)


def _temperature(text: str, unit: str) -> tuple[float | None, bool]:
    """Return (degrees Celsius, whether they were given in Fahrenheit); None if a result names no temperature."""
    found = TEMPERATURE.search(text)
    if found:
        fahrenheit = found[2][0] in "fF℉华"
        return _celsius(float(found[1]), fahrenheit), fahrenheit
    number: float | None = None
    if text.lstrip()[:1] == "{":
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = {}
        for key, value in _leaves(data):
            if number is None and "temp" in key.lower() and (degrees := PLAIN_NUMBER.fullmatch(str(value))):
                number = float(degrees[0])
                unit += " fahrenheit" if key.lower().endswith(("_f", "fahrenheit")) else ""
            elif "unit" in key.lower():
                unit += f" {str(value).lower()}"
    elif found := DEGREES.search(text):
        number = float(found[1])
    if number is None:
        return None, False
    fahrenheit = "fahrenheit" in unit or (number > 45 and "celsius" not in unit)
    return _celsius(number, fahrenheit), fahrenheit


def _leaves(data: Any, key: str = "") -> list[tuple[str, Any]]:
    if isinstance(data, dict):
        return [leaf for name, value in data.items() for leaf in _leaves(value, str(name))]
    if isinstance(data, list):
        return [leaf for value in data[:3] for leaf in _leaves(value, key)]
    return [(key, data)]


def _celsius(degrees: float, fahrenheit: bool) -> float:
    return (degrees - 32) / 1.8 if fahrenheit else degrees


def _answer(conversation: Conversation, tool: dict[str, Any], wanted: tuple[str, ...], calls: list[Call]) -> str:
    language = conversation.language
    asked = conversation.words
    if not TOPIC.search(asked) and (turns := conversation.earlier):
        asked = f"{clip(turns[-1].prompt)}\n{asked}"  # "And in Oslo?"
    reports = [read(call) for call in calls]
    known = [report for report in reports if not report.unknown]
    parts = [_report(report, language, asked) for report in known]
    told = {report.celsius for report in known}
    if len(told) > 1 and COMPARE.search(asked) and None not in told:
        order = sorted(known, key=lambda report: report.celsius or 0)
        name, most = ("cold", order[0]) if COLDER.search(asked) else ("warm", order[-1])
        name += "er" if len(known) == 2 else "est"
        parts.insert(0, TEXTS.get(language, name, city=cities.named_in(language, most.city)))
    if unknown := [report for report in reports if report.unknown]:
        parts.append(_not_known(unknown, language))
    today_only = "today" in str(tool.get("description", "")).lower() or not any(
        DAY.search(name) for name in schema.properties_of(tool["input_schema"])
    )
    if known and today_only and TOMORROW.search(asked):
        parts.insert(0, TEXTS.get(language, "today_only"))
    return "\n".join(parts) if len(reports) > 1 else phrase(parts, language)


def _report(report: Weather, language: str, asked: str) -> str:
    city = cities.named_in(language, report.city)
    if report.celsius is None and not report.sky:
        return TEXTS.get(language, "quoted", city=city, text=report.text.strip())
    facts = []
    if report.celsius is not None:
        in_fahrenheit = language == "en" and report.fahrenheit and not CELSIUS.search(asked)
        degrees = round(report.celsius * 1.8 + 32) if in_fahrenheit else round(report.celsius)
        facts.append(DEGREE[language].format(degrees=degrees, unit="F" if in_fahrenheit else "C"))
    if report.sky:
        facts.append(SKY[language][report.sky])
    sentences = [TEXTS.get(language, "state", city=city, facts=SKY_JOIN[language].join(facts))]
    if language == "de" and len(facts) == 1 and report.celsius is None:
        sentences = [f"In {city}: Es {facts[0]}."]
    if WEAR.search(asked):
        if report.celsius is not None:
            sentences.append(_clothes(report.celsius, language))
        sentences.append(_extra(report, language))
    elif UMBRELLA.search(asked):
        wet = report.sky in ("rain", "storm")
        sentences.insert(0, TEXTS.get(language, "umbrella_yes" if wet else "umbrella_no"))
    return phrase(sentences, language)


def _clothes(celsius: float, language: str) -> str:
    for limit, name in ((29.5, "hot"), (20, "warm"), (13, "mild"), (6, "cool"), (0.5, "cold")):
        if celsius >= limit:
            return CLOTHES[language][name]
    return CLOTHES[language]["freezing"]


def _extra(report: Weather, language: str) -> str:
    if report.sky == "sun" and (report.celsius or 0) < 20:
        return ""
    return EXTRA[language].get(report.sky, "")


def _not_known(reports: list[Weather], language: str) -> str:
    names = join([cities.named_in(language, report.city) for report in reports], language, last="or")
    listed = KNOWN_CITIES.search(reports[0].text)
    if listed:
        options = [name.strip(" .") for name in re.split(r"[,，、]", listed[1]) if name.strip(" .")][:12]
        return TEXTS.get(
            language,
            "unknown_but",
            city=names,
            known=join([cities.named_in(language, name) for name in options], language),
        )
    return TEXTS.get(language, "unknown", city=names)


TEXTS = Texts(
    which_city={
        "en": "Which city do you mean? Tell me and I'll look up the weather there.",
        "de": "Welche Stadt meinst du? Dann sehe ich nach, wie das Wetter dort ist.",
        "zh": "你想问哪个城市？告诉我，我来查那里的天气。",
    },
    state={"en": "It's {facts} in {city}.", "de": "In {city} {facts}.", "zh": "{city}{facts}。"},
    quoted={
        "en": 'For {city} the tool says: "{text}"',
        "de": "Zu {city} meldet das Tool: „{text}“",
        "zh": "关于{city}，工具返回：“{text}”",
    },
    warmer={"en": "It's warmer in {city}.", "de": "Wärmer ist es in {city}.", "zh": "{city}更暖和。"},
    colder={"en": "It's colder in {city}.", "de": "Kälter ist es in {city}.", "zh": "{city}更冷。"},
    warmest={"en": "{city} is the warmest.", "de": "Am wärmsten ist es in {city}.", "zh": "{city}最暖和。"},
    coldest={"en": "{city} is the coldest.", "de": "Am kältesten ist es in {city}.", "zh": "{city}最冷。"},
    unknown={
        "en": "I couldn't find any weather for {city}, so I won't guess.",
        "de": "Für {city} habe ich kein Wetter gefunden, und raten möchte ich nicht.",
        "zh": "我没有查到{city}的天气，所以就不猜了。",
    },
    unknown_but={
        "en": "I couldn't find any weather for {city}. The cities I can look up are {known}.",
        "de": "Für {city} habe ich kein Wetter gefunden. Nachsehen kann ich für {known}.",
        "zh": "我没有查到{city}的天气。目前能查的城市有{known}。",
    },
    today_only={
        "en": "I can only see today's weather, so take it as a guide and check again in the morning.",
        "de": "Ich sehe nur das Wetter von heute; nimm es als Anhaltspunkt und schau morgen früh noch einmal nach.",
        "zh": "我只能查到今天的天气，明天的情况仅供参考，出门前最好再看一下。",
    },
    umbrella_yes={"en": "Yes, take an umbrella.", "de": "Ja, nimm einen Schirm mit.", "zh": "要带伞。"},
    umbrella_no={
        "en": "You won't need an umbrella.",
        "de": "Einen Schirm brauchst du nicht.",
        "zh": "不用带伞。",
    },
)
DEGREE = {"en": "{degrees}{unit}", "de": "sind es {degrees} °{unit}", "zh": "现在 {degrees} °{unit}"}
SKY_JOIN = {"en": " and ", "de": ", und es ", "zh": "，"}
SKY = {
    "en": {
        "storm": "stormy", "snow": "snowing", "rain": "raining", "fog": "foggy", "partly": "partly cloudy",
        "cloud": "cloudy", "wind": "windy", "sun": "sunny",
    },
    "de": {
        "storm": "gewittert", "snow": "schneit", "rain": "regnet", "fog": "ist neblig", "partly": "ist teils bewölkt",
        "cloud": "ist bewölkt", "wind": "ist windig", "sun": "ist sonnig",
    },
    "zh": {
        "storm": "有雷暴", "snow": "在下雪", "rain": "在下雨", "fog": "有雾", "partly": "局部多云",
        "cloud": "多云", "wind": "有风", "sun": "天晴",
    },
}  # fmt: skip
CLOTHES = {
    "en": {
        "hot": "Wear light, breathable clothes.",
        "warm": "A T-shirt and light trousers will do.",
        "mild": "Wear long sleeves and take a light jacket.",
        "cool": "Wear a sweater and a warm jacket.",
        "cold": "Wear a winter coat and a scarf.",
        "freezing": "Dress in layers: a heavy coat, a hat, gloves and a scarf.",
    },
    "de": {
        "hot": "Zieh leichte, luftige Kleidung an.",
        "warm": "T-Shirt und leichte Hose reichen.",
        "mild": "Zieh etwas Langärmliges an und nimm eine leichte Jacke mit.",
        "cool": "Zieh einen Pullover und eine warme Jacke an.",
        "cold": "Zieh einen Wintermantel an und nimm einen Schal mit.",
        "freezing": "Zieh mehrere Schichten an: dicker Mantel, Mütze, Handschuhe und Schal.",
    },
    "zh": {
        "hot": "穿轻薄透气的衣服就好。",
        "warm": "穿 T 恤和薄长裤就行。",
        "mild": "建议穿长袖，再带一件薄外套。",
        "cool": "建议穿毛衣，外面加一件保暖的外套。",
        "cold": "建议穿厚大衣，围上围巾。",
        "freezing": "要多穿几层：厚羽绒服、帽子、手套和围巾。",
    },
}
EXTRA = {
    "en": {
        "sun": "A hat and sunscreen are a good idea.",
        "rain": "Take an umbrella and shoes that keep the water out.",
        "snow": "Waterproof boots with a good grip will help in the snow.",
        "storm": "Stay indoors if you can; if not, wear something waterproof.",
        "wind": "Something windproof helps.",
        "fog": "Fog feels damp, so one layer more does no harm.",
    },
    "de": {
        "sun": "Dazu Sonnenhut und Sonnencreme.",
        "rain": "Nimm einen Schirm mit und zieh wasserdichte Schuhe an.",
        "snow": "Bei Schnee helfen wasserdichte Stiefel mit gutem Profil.",
        "storm": "Bleib möglichst drinnen; sonst zieh etwas Wasserdichtes an.",
        "wind": "Etwas Winddichtes hilft.",
        "fog": "Nebel fühlt sich klamm an, eine Schicht mehr schadet nicht.",
    },
    "zh": {
        "sun": "记得戴帽子、涂防晒霜。",
        "rain": "记得带伞，最好穿防水的鞋。",
        "snow": "雪天路滑，最好穿防水防滑的靴子。",
        "storm": "尽量待在室内；要出门的话，穿防水的衣服。",
        "wind": "最好穿防风的外套。",
        "fog": "雾天比较潮，多加一件也好。",
    },
}
