"""Who is meant: e-mail addresses, names, "everyone"."""

# Patterns and sentences stand unbroken: cut in two they are harder to check.
# ruff: noqa: E501

import re

ADDRESS = re.compile(r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
EVERYONE = re.compile(
    r"\beveryone\b|\beverybody\b|\b(?:whole|entire|full) (?:team|company|group)\b|\ball of (?:us|them)\b|\balle[nr]?\b(?! \w+ (?:wochen|tage))"
    r"|\b(?:ganze[ns]?|gesamte[ns]?) team\b|大家|所有人|全员|全体|每个人|全团队|整个团队",
    re.IGNORECASE,
)
MANY = re.compile(
    r"\b\d+ (?:attendees|people|persons|guests|personen|leuten?|teilnehmer\w*)|\d+ *[个位名]?(?:人|同事)", re.IGNORECASE
)
LIST_OF_ALL = re.compile(
    r"(?:everyone|everybody|the team|team members|\bteam\b|\balle\b|大家|所有人|全员|团队|成员)[^@.。\n]*?(?=[A-Za-z0-9._%+-]+@)",
    re.IGNORECASE,
)
EXCEPT = re.compile(
    r"(?i:\b(?:except(?: for)?|but(?: not)?|without|excluding|don['’]t invite|do not invite|außer|ohne|bis auf)) +(?P<who>{one}(?:(?:,| and| und| or| oder)+ {one})*)"
    r"|除了? *(?P<who_>[A-Za-z@._+-]+(?:[、和与] *[A-Za-z@._+-]+)*) *(?:以外|之外|外)?".replace(
        "{one}", r"(?:[A-ZÄÖÜ][a-zäöüß]+|\S+@[\w.-]+\w)"
    )
)
WITH = re.compile(
    r"\b(?:with|invite|mit|und|and|for|meet) ((?-i:[A-ZÄÖÜ][a-zäöüß]+))\b(?=\s*(?:,|and|und|&|on|at|about|for|next|tomorrow|today|every|from|am|um|morgen|heute|nächste\w*|zum|zu|über|ein|zwischen|between|in|to|\.|\?|!|$))"
    r"|(?:和|跟|与|邀请) *([A-Z][a-z]+|[小老]?(?:[王李张刘陈杨赵黄吴徐孙胡朱林何郭马罗梁宋郑谢韩唐冯董曹袁邓许沈曾彭吕]|周(?![一二三四五六日天末]))[\u4e00-\u9fff]{0,2}?(?=开|吃|喝|见|打|讨论|聊|一起|[、和，。,\s]|$))",
    re.IGNORECASE,
)
AND_NAME = re.compile(r"(?:, | and | und |和|、) ?([A-ZÄÖÜ][a-zäöüß]+)\b(?![@.]\w)")
NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni "
    "juli oktober dezember everyone everybody the lunch dinner tennis meeting besprechung team zoom mittagessen kaffee "
    "termin stunde stunden minuten woche wochen uhr".split()
)


def addresses(text: str) -> list[str]:
    """Return the e-mail addresses in a text, each once."""
    return list(dict.fromkeys(match.rstrip(".") for match in ADDRESS.findall(text)))


def everyone_in(system: str) -> list[str]:
    """Return the addresses that a system prompt lists as everyone, all of its addresses if it does not say."""
    listed = LIST_OF_ALL.search(system)
    return addresses(system[listed.end() :] if listed else system)


def invited(text: str, known: list[str], system: str) -> tuple[list[str], list[str]]:
    """Return (addresses of those to invite, names of those without a known address)."""
    if match := EXCEPT.search(text):
        found, strangers = invited(text.replace(match[0], " "), known, system)
        left_out = {
            _address_of(name, known) or name for name in re.findall(r"[^\s,、和与]+", match["who"] or match["who_"])
        }
        return [address for address in found if address not in left_out], strangers
    found = addresses(text)
    everyone = everyone_in(system)
    if EVERYONE.search(text) or (not found and people_wanted(text) == len(everyone)):
        return list(dict.fromkeys(found + everyone)), []
    strangers = []
    bare = ADDRESS.sub(" ", text)
    for match in WITH.finditer(bare):
        rest = bare[match.end() : match.end() + 60]
        names = [match[1] or match[2]]
        while more := AND_NAME.match(rest):
            names.append(more[1])
            rest = rest[more.end() :]
        for name in names:
            if name.lower() in NOT_NAMES:
                continue
            address = _address_of(name, known)
            if address and address not in found:
                found.append(address)
            elif not address and name not in strangers and name_of_none(name, found):
                strangers.append(name)
    return found, strangers


def _address_of(name: str, known: list[str]) -> str | None:
    return next((a for a in known if re.split(r"[@._-]", a)[0].lower() == name.lower()), None)


def people_wanted(text: str) -> int:
    """Return how many people a text wants to invite, if it gives a number: "with 15 people"."""
    match = MANY.search(text)
    return int(re.findall(r"\d{1,6}", match[0])[0]) if match else 0


def name_of_none(name: str, found: list[str]) -> bool:
    return all(name_of(address) != name for address in found)


def name_of(address: str) -> str:
    """Return the first name in an address: "Ana" for ana@example.com."""
    return re.split(r"[@._+-]", address)[0].capitalize()
