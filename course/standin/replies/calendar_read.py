"""What a prompt asks of a calendar, and which tools keep one."""

import re
from dataclasses import dataclass, field
from datetime import date as Date
from datetime import datetime
from functools import cache, lru_cache
from typing import Any

from course.standin.talk import Talk

from . import schema, slots, when
from .when import When
from .wording import together
from .words import CHINESE, READ, Texts, Words, apart, function_words, language_of, look, pattern, table

LONGEST_TITLE = 60  # characters
LOOKS = ("next_free", "quiet", "busy", "find", "free", "look")  # lists of words that say what to look for

text = Texts("calendar")


# --- what the tools are for -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tool:
    """A tool that keeps a calendar; `roles`: which argument stands for what, {"start": "start_time"}."""

    name: str
    root: dict[str, Any]
    roles: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in schema.properties(self.root):
            role = next((role for role in table("calendar")["roles"] if look("calendar", role).search(apart(name))), "")
            self.roles.setdefault(role, name)

    def about(self, role: str) -> dict[str, Any]:
        """The schema of the argument for a role."""
        return schema.first(schema.properties(self.root).get(self.roles.get(role, ""), {}), self.root)

    def input(self, **values: Any) -> dict[str, Any]:
        """The input with a value for each role that this tool knows, in the order of its arguments.

        Raises LookupError where a value does not fit: no sample stands in for what the prompt says.
        """
        known = schema.properties(self.root)
        given = {}
        for role, name in self.roles.items():
            value = values.get(role, schema.NOTHING)
            if value is not schema.NOTHING:
                given[name] = schema.fit(value, known[name], self.root, name)
                if given[name] is schema.NOTHING:
                    raise LookupError(name)
        return schema.complete({name: given[name] for name in known if name in given}, self.root)

    def takes_a_day(self) -> bool:
        """Whether a day fits where its name says that one belongs."""
        day = datetime(2026, 1, 5)
        try:
            self.input(date=day.date(), start=day, end=day)
        except LookupError:
            return False
        return True

    def date_of(self, given: dict[str, Any]) -> Date | None:
        """The day that an input is about."""
        said = (str(given.get(self.roles.get(role, ""), "")) for role in ("start", "date"))
        found = re.search(r"\d{4}-\d\d-\d\d", " ".join(said))
        return Date.fromisoformat(found[0]) if found else None


def tools_of(talk: Talk) -> tuple[Tool | None, Tool | None]:
    """The tool that creates events and the one that lists them."""
    creator = lister = None
    about, creates, lists = (look("calendar", name) for name in ("about", "creates", "lists"))
    for name, tool in talk.tools.items():
        if look("calendar", "changes").search(name) or not about.search(f"{name} {tool.get('description', '')}"):
            continue
        found = Tool(name, tool["input_schema"])
        timed = bool({"start", "date"} & found.roles.keys())
        if not creator and creates.search(name) and "title" in found.roles and timed:
            creator = found
        elif not lister and lists.search(name) and about.search(name) and timed and found.takes_a_day():
            lister = found
    return creator, lister


# --- what is asked for ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Asked:
    """One thing that a prompt asks for. It is read once and kept: nobody changes it.

    books       whether it is an order to book, and no look
    said        which lists of words of calendar.toml it has words of
    same_people, last_day  it speaks of those and of the series that were just booked
    unread      what nobody understood
    """

    text: str
    language: str
    today: Date | None
    when: When
    attendees: list[str]
    strangers: list[str]
    said: set[str]
    books: bool = False
    same_people: bool = False
    last_day: bool = False
    title: str = ""
    location: str = ""
    unread: list[str] = field(default_factory=list)

    def tell(self, name: str, **values: object) -> str:
        """A sentence of the scene, in the language of the prompt."""
        return text(self.language, name, **values)


def asked(talk: Talk, places: bool) -> list[Asked]:
    """What the prompt asks for, one after the other. `places`: events may have a location."""
    prompts = [talk.prompt]
    for turn in reversed(talk.earlier[-3:]):  # those that this one answers a question about
        if turn.calls or not turn.answer.rstrip().endswith(("?", "？")):
            break
        prompts.insert(0, turn.prompt)
    language = language_of(*reversed(prompts), *(turn.prompt for turn in reversed(talk.earlier)))
    return _read_all("\n".join(prompts), talk.system, language, today_of(talk), places)


def today_of(talk: Talk) -> Date | None:
    """The date that the system prompt says, or a prompt before."""
    texts = (talk.system, *(turn.prompt for turn in talk.earlier))
    return next(filter(None, map(when.today_in, texts)), None)


@lru_cache(maxsize=256)
def _read_all(prompt: str, system: str, language: str, today: Date | None, places: bool) -> list[Asked]:
    parts = [part for part in look("calendar", "then").split(prompt) if part.strip()]
    found: list[Asked] = []
    for part in parts:
        one = _read(part, system, language, today, places, found[-1] if found else None)
        found.append(one)
        today = one.today
    return found


def _read(prompt: str, system: str, language: str, today: Date | None, places: bool, before: Asked | None) -> Asked:
    """Read one part of a prompt; `before` is the part before it. The order of reading is the scene's hidden grammar."""
    words = Words(prompt)
    today = when.take_today(words) or today
    quoted = words.quoted()
    last_day = bool(before and before.when.repeat) and words.has(look("calendar", "last_day"))
    same_people = before is not None and words.has(look("calendar", "same_people"))
    invites = bool(_order_to(look("calendar", "invites").pattern).search(words.rest))  # read with those invited
    attendees, strangers = slots.people(words, system)
    if same_people and before:
        attendees, strangers = [*before.attendees, *attendees], [*before.strangers, *strangers]
    said = {name for name in ("next_free", "nothing", "change", "free") if words.has(pattern("calendar", name))}
    one = Asked(prompt, language, today, when.read(words, today), attendees, strangers, said)
    one.same_people, one.last_day = same_people, last_day
    if places:
        one.location = _location(words)
    said |= {name for name in ("quiet", "busy", "find") if words.has(pattern("calendar", name))}
    question = bool(look("calendar", "asks").match(prompt))
    ordered = not question and (_order(words) or invites)
    if not ordered and words.has(pattern("calendar", "look")):
        said.add("look")
    looks = question or said & set(LOOKS) - {"free"} or ("free" in said and not attendees)
    one.books = ordered or not looks
    if one.books:
        topics = [match["latin"] or match["chinese"] for match in words.take(look("calendar", "topic"))]
        pieces = words.pieces()
        one.title, untitled = _title(one, pieces, quoted, "".join(topics[:1]).strip(), ordered)
        meant = ordered or (one.title and _alone(words, pieces))
        one.unread = words.left() or untitled or ([] if meant else [prompt])
    else:
        words.take(pattern("calendar", "beside_look"))
        asked_whether = question and pattern("calendar", "book").search(prompt)  # "Should I book ...?"
        one.unread = (
            words.left() or quoted or ([prompt] if asked_whether else _beside(words, 24 if one.when.said() else 0))
        )
    if one.when.problem:
        one.unread = [one.when.problem]
    return one


def _alone(words: Words, pieces: list[str]) -> bool:
    """Whether these pieces stand alone, a noun phrase that nobody makes a sentence of."""
    rest = words.rest.replace(READ, " ")
    for piece in pieces:
        rest = rest.replace(piece, " ", 1)
    return not re.search(r"\w", pattern("calendar", "bare").sub(" ", rest))


def _beside(words: Words, most: int) -> list[str]:
    """What is left of a question, if it is longer than `most` letters: a word or two, where it names a day."""
    pieces = words.pieces()
    size = sum(len(piece) * (4 if CHINESE.search(piece) else 1) for piece in pieces)
    return pieces if size > most else []


def _location(words: Words) -> str:
    found = words.take(look("calendar", "in_place"), lambda match: not look("calendar", "no_place").match(match[0]))
    return next(((match["room"] or match["chinese"]).strip() for match in found), "")


def _order(words: Words) -> bool:
    """Whether it is an order to book: in front of its verb stand polite words alone, and what has been read."""
    for name in ("order", "order_apart"):  # trag ... ein
        if found := _order_to(look("calendar", name).pattern).search(words.rest):
            words.mark(*found.span("verb"))
            if name == "order_apart":
                words.take(re.compile(rf"\b{found['apart']}\b(?=\W*$)", re.IGNORECASE))
            return True
    return words.has(look("calendar", "order_last")) or words.has(look("calendar", "order_chinese"))


@cache
def _order_to(verb: str) -> re.Pattern[str]:
    """The pattern for a verb with nothing but polite words before it, and what has been read."""
    polite = pattern("calendar", "polite").pattern
    before = rf"(?:^|[.!;,\n。！；，])(?:[\s{READ},，:：]|(?:{polite})|(?<={READ}[ ])(?:an?|einen?)(?=[ ]{READ}))*"
    return re.compile(rf"{before}(?P<verb>{verb})", re.VERBOSE | re.IGNORECASE)


def _title(one: Asked, pieces: list[str], quoted: list[str], topic: str, ordered: bool) -> tuple[str, list[str]]:
    """What to call the event, and what nobody understood: a title is what is left when all else has been read."""
    language = one.language
    pieces = [look("calendar", "around_title").sub("", piece) for piece in pieces]
    pieces = [table("calendar")["titles"].get(piece, piece) for piece in pieces if piece]
    if len(pieces) > 1 or (pieces and quoted) or len(quoted) > 1:
        return "", pieces or quoted
    title = (quoted or pieces or [""])[0]
    names = [slots.first_name(address) for address in one.attendees] + one.strangers
    if title and not quoted:
        second = look("calendar", "second").search(one.text.partition(title)[0])  # "... and order cake"
        if not _may_be_title(title, ordered and not second):
            return "", [title]
    if not title and not ordered:
        return "", []
    if not quoted and title.lower() in table("calendar")["plain"]["words"].split() + [""] and 1 <= len(names) <= 2:
        listed = together(names, language)
        title = text(language, "title_with", title=title or text(language, "meeting"), names=listed)
        title = re.sub("(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])", "", title)
    elif not title and not topic:
        title = text(language, "meeting")
    if topic:
        title = text(language, "title_topic", title=title, topic=topic) if title else topic
    return title[0].upper() + title[1:], []


def _may_be_title(title: str, ordered: bool) -> bool:
    """Whether words are a noun phrase: no sentence and, where nobody ordered anything or in Chinese, a known noun."""
    if len(title) > LONGEST_TITLE or look("calendar", "elsewhere").search(title):
        return False
    if CHINESE.search(title):
        return bool(look("calendar", "noun_chinese").search(title) and not look("calendar", "no_title").search(title))
    plain = " ".join(word for word in title.lower().split() if word not in table("calendar")["plain"]["nouns"].split())
    return not function_words(plain) and (ordered or bool(look("calendar", "noun").search(title)))
