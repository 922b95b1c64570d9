"""The review scene: structural reports, the building code that they are to meet, and measurements.

A job is a generator: it yields calls, goes on when they have results, and returns what to say. For every request it is
played from its beginning, so that a reply stays a function of the request alone. Whatever it says of a report or of the
code it has read in results; what it compares stands in review.toml. A report that gives orders to its reader finds one
that obeys, as far as the tools on offer go: what holds then is the program.
"""

import re
from collections.abc import Generator

from course.standin.talk import Asked, Call, Reply, Talk, ask_for, say

from .review_room import Room, Topic, Value, compiled
from .wording import join, listed
from .words import Words, look, pattern, table

KINDS = ("urgent", "missing", "review", "cited", "count", "every", "delete", "sections", "code")
FIRST_PAGES = (1, 2, 3)  # asked for at once where there is more to read than reports

Job = Generator[list[Asked], None, str]


def _name(report: str) -> str:
    """ "Harbor Hall" for harbor-hall."""
    return re.sub(r"[-_]+", " ", report).title()


# --- the jobs ---------------------------------------------------------------------------------------------------------


def _all_pages(room: Room, report: str) -> Job:
    """Read a report to its last page."""
    first = FIRST_PAGES if len(room.roots) > 1 or room.whole else FIRST_PAGES[:1]
    yield [call for page in first for call in room.ask("read_report", report=report, page=page)]
    counts = [look("review", "of_pages").search(call.result or "") for call in room.pages(report).values()]
    last = max((int(count[1]) for count in counts if count), default=0)
    yield [call for page in range(1, min(last, 50) + 1) for call in room.ask("read_report", report=report, page=page)]
    return ""


def review(room: Room, report: str, only: list[Topic]) -> Job:
    """Compare a report with the code: all that it says, or some topics only."""
    yield from _all_pages(room, report)
    pages = room.read(report)
    if not pages:
        return _unread(room, report)
    page, orders = next(((p, made) for p, told in pages.items() if (made := _orders(room, told)) is not None), (0, []))
    if not only:
        yield orders
    everything = " ".join(pages.values())
    topics = [
        topic
        for topic in (only or table("review")["topics"].values())
        if "report" in topic and compiled(topic["report"]).search(everything)
    ]
    cited = {} if only else room.cited(report)
    columns = dict.fromkeys(topic["column"] for topic in topics if "column" in topic)
    numbers = [*cited, *([] if "search_code" in room.roots else [topic["number"] for topic in topics])]
    yield room.section_calls(numbers) + [call for column in columns for call in room.summary_call(report, column)]
    yield from room.find(topics)
    findings, rest = _compare(room, report, topics, [number for number in cited if room.lacks(number)])
    verdict = "verdict_no" if findings else "verdict_yes" if "met" in rest else "verdict_open"
    parts = [room.text(verdict, report=_name(report)), *findings, *rest.values(), _unread(room, report)]
    told = "\n".join(filter(None, parts))
    if only:
        return told
    note = room.ask("write_file", path=f"notes/{report}.md", text=told + "\n")
    yield note
    noted = [_noted(room, call) for call in map(room.result, note) if call]
    return "\n".join(filter(None, [told, _told_of_orders(room, page, orders), *noted]))


def _compare(room: Room, report: str, topics: list[Topic], absent: list[str]) -> tuple[list[str], dict[str, str]]:
    """(the findings, a line each, what was met and what could not be compared)."""
    findings, met, unknown = [], [], []
    worst = room.section(table("review")["topics"]["worst"])
    for topic in topics:
        values = room.values(topic, report) if room.section(topic) and "limit" in topic else []
        if "label" in topic and not values:
            unknown.append(topic["label"][room.language])
        for value in values:
            label, number, limit = topic["label"][room.language], room.section(topic), room.limit(topic, value, report)
            unit = f" {topic['unit']}" if "unit" in topic else ""
            said = room.figure(value.said, unit)
            if limit is None:
                unknown.append(label)
            elif _broken(topic, value, limit):
                mean = room.figure(value.mean)
                more = room.text("not_the_mean", mean=mean, number=worst) if mean and worst else ""
                decimals = 1 if "." in value.said or limit % 1 else 0
                allowed = room.figure(f"{limit:,.{decimals}f}", unit)
                where = {"label": label[0].upper() + label[1:], "place": value.place, "number": number}
                findings.append(room.text(topic["bound"], value=said, limit=allowed, more=more, **where))
            else:
                met.append(room.text("met_one", label=label, value=said, number=number))
    findings += [room.text("absent", number=number, page=room.cited(report)[number]) for number in absent]
    rest = {"met": met, "open": list(dict.fromkeys(unknown))}
    return findings, {name: room.text(name, listed=room.joined(parts)) for name, parts in rest.items() if parts}


def _broken(topic: Topic, value: Value, limit: float) -> bool:
    number = value.number or 0
    return number < limit if topic["bound"] == "least" else number > limit


def _unread(room: Room, report: str) -> str:
    """What to say of pages that could not be read."""
    failed = [(page, call) for page, call in room.pages(report).items() if call.is_error]
    return "\n".join(room.text("unread_page", page=page, error=(call.result or "").strip()) for page, call in failed)


class Orders(list[Asked]):
    """Calls that a page of a report orders."""


def _orders(room: Room, told: str) -> Orders | None:
    """The calls that a page orders, as far as the tools go; None if it gives no orders."""
    if not look("review", "orders").search(told):
        return None
    made = Orders()
    if files := look("review", "order_count").search(told):
        made += room.ask("run_command", program="count", arguments=[name.rstrip(".,") for name in files.groups()])
    if saved := look("review", "order_save").search(told):
        made += room.ask("write_file", path=saved[2], text=saved[1])
    if run := look("review", "order_run").search(told):
        made += room.ask("run_command", program=run[1], arguments=[run[2], run[3]])
    return Orders(asked for asked in made if room.allows(asked))


def _told_of_orders(room: Room, page: int, orders: list[Asked]) -> str:
    if not page:
        return ""
    done = [call for call in map(room.result, orders) if call and not call.is_error]
    name = "orders_done" if done else "orders_refused" if orders else "orders"
    listed = room.joined(f"{call.name}: {(call.result or '').strip()[:200]}" for call in done)
    return room.text(name, page=page, n=len(orders), done=len(done), listed=listed)


def _noted(room: Room, call: Call) -> str:
    name = "not_noted" if call.is_error else "noted"
    return room.text(name, path=call.input["path"], error=(call.result or "").strip())


def list_cited(room: Room, report: str, missing: bool) -> Job:
    """Which sections a report names; `missing`: which of them do not exist."""
    yield from _all_pages(room, report)
    if not room.read(report):
        return _unread(room, report)
    cited = room.cited(report)
    listed = room.joined(room.text("cited_one", number=number, page=page) for number, page in cited.items())
    parts = [room.text("cited" if cited else "cited_none", report=_name(report), listed=listed)]
    if missing and cited:
        yield room.section_calls(cited)
        absent = [number for number in cited if room.lacks(number)]
        known = len(absent) + sum(number in room.sections for number in cited) == len(cited)
        name = "unknown_exist" if not known else "missing" if absent else "all_exist"
        parts.append(room.text(name, listed=room.joined(absent)))
    return "\n".join(filter(None, [*parts, _unread(room, report)]))


def quote_report(room: Room, report: str, topics: list[Topic], only: int) -> Job:
    """What a report, or one page of it, says on topics, sentence by sentence; without topics, all of the page."""
    if only:
        yield room.ask("read_report", report=report, page=only)
    else:
        yield from _all_pages(room, report)
    if not room.read(report):
        return _unread(room, report)
    words = [word for topic in topics for word in topic["words"]["en"].split()]
    looks = [rf"\b{word.replace('_', ' ')}\b" for word in words] + [t["about"] for t in topics if "about" in t]
    said = re.compile("|".join(looks), re.IGNORECASE)
    found = []
    for page, told in room.read(report).items():
        if only not in (0, page):
            continue
        if quoted := " ".join(sentence for sentence in re.split(r"(?<=\.)\s+", told) if said.search(sentence)):
            found.append(room.text("says", report=_name(report), page=page, text=quoted))
    found = found or [room.text("says_nothing", report=_name(report))]
    return "\n".join(filter(None, [*found, _unread(room, report)]))


def quote_code(room: Room, topics: list[Topic], numbers: list[str], people: str) -> Job:
    """What the code says on topics, or in sections that are named."""
    yield room.section_calls(numbers)
    yield from room.find(topics)
    titles = [re.compile(topic["title"]) for topic in topics]
    parts = []
    for number, (title, told) in sorted(room.sections.items()):
        if number in numbers or any(one.search(title) for one in titles):
            parts.append(room.text("section", number=number, title=title, text=told))
    width = table("review")["topics"]["width"]
    if people and width in topics and room.section(width):
        limit = room.limit(width, Value("0", "", people=people), "")
        parts += [room.text("wide", people=people, limit=room.figure(f"{limit:,.0f}"))] if limit else []
    parts += [room.text("no_section", number=number) for number in numbers if room.lacks(number)]
    return "\n".join(parts) or room.text("nothing_found")


def urgent(room: Room, talk: Talk) -> str:
    """Which report has most findings, by what was said before: in answers, or in a summary of them."""
    counts: dict[str, int] = {}
    for said in [*talk.summarized(), *(" ".join(turn.answer.split()) for turn in talk.earlier)]:
        for report in room.reports:
            for verdict in table("review")["texts"]["verdict_no"].values():
                begin = verdict.format(report=_name(report))
                if begin in said:
                    counts[report] = len(re.findall(r"(?:^| )- ", said.partition(begin)[2]))
    if not counts:
        return room.text("urgent_none")
    ordered = sorted(counts, key=lambda report: -counts[report])
    found = [room.text("urgent_one", report=_name(report), n=counts[report]) for report in ordered]
    return room.text("urgent", report=_name(ordered[0]), listed=listed(found, room.language))


def count(room: Room, reports: list[str]) -> Job:
    """Count the words of reports with the program for that."""
    asked = room.ask("run_command", program="count", arguments=[f"reports/{report}.txt" for report in reports])
    yield asked
    return "\n".join((call.result or "").strip() for call in map(room.result, asked) if call)


# --- reading the prompt -----------------------------------------------------------------------------------------------


class Prompt:
    """What a prompt names: reports, sections, topics, people; `said`: which lists it has words of."""

    def __init__(self, prompt: str, room: Room) -> None:
        words = self.words = Words(prompt)
        self.reports = [report for report, named in room.names.items() if words.has(named)]
        self.page = int(next((match[1] or match[2] for match in words.take(look("review", "a_page"))), 0))
        self.people = next((match[1] for match in words.take(look("review", "people"))), "")
        self.numbers = [match[0] for match in words.take(look("review", "section_number"))]
        self.topics = _topics(words.rest)
        self.said = {kind for kind in KINDS if pattern("review", kind).search(words.rest)}
        for kind in KINDS:
            words.take(pattern("review", kind))
        for name in table("review")["topics"]:
            words.take(pattern("review", "topics", name, "words"))
        words.take(pattern("review", "known"))


def _topics(said: str) -> list[Topic]:
    """The topics that are named, each by words that are no part of another one's, as a load is of a snow load."""
    topics = table("review")["topics"]
    found = {name: [m.span() for m in pattern("review", "topics", name, "words").finditer(said)] for name in topics}
    spans = {span for several in found.values() for span in several}
    inner = {(a, b) for a, b in spans for c, d in spans if c <= a and b <= d and (a, b) != (c, d)}
    return [topics[name] for name, several in found.items() if set(several) - inner]


def fits(talk: Talk) -> bool:
    """Whether there is a tool that reads reports or the code."""
    return "read_report" in talk.tools or "read_section" in talk.tools


def play(talk: Talk) -> Reply | list[str]:
    """Do the job, call by call; what nobody understood, if there is something."""
    room = Room(talk)
    asked = Prompt(talk.prompt, room)
    left = asked.words.left(titles=True)
    before = Prompt(talk.earlier[-1].prompt, room) if talk.earlier else asked
    if not asked.reports and not asked.said & {"code", "every"} and not asked.numbers:
        asked.reports = before.reports
    if not asked.said and not asked.topics and not asked.page:
        asked.said, asked.topics = before.said, before.topics
    if left or not fits(talk):
        return left
    if "urgent" in asked.said:
        return say(urgent(room, talk))
    job = _job(room, asked)
    if not isinstance(job, str):
        return _perform(room, job, talk) if job else [talk.prompt]
    last = "or" if job == "one_report" else "and"
    return say(room.text(job, reports=join([_name(report) for report in room.reports], room.language, last)))


def _job(room: Room, asked: Prompt) -> Job | str | None:
    """The job that a prompt asks for, a sentence to say instead, or None."""
    said, one = asked.said, asked.reports[0] if len(asked.reports) == 1 else ""
    if "delete" in said:
        return "no_delete"
    if "count" in said:
        reports = room.reports if "every" in said else asked.reports
        return count(room, reports) if reports and "count" in room.programs else None
    if "every" in said or len(asked.reports) > 1:
        return "one_report"
    if one and "read_report" in room.roots:
        if "missing" in said or ("cited" in said and "sections" in said):
            return list_cited(room, one, "missing" in said)
        if "review" in said:
            return review(room, one, asked.topics) if room.reads_code else "no_code"
        return quote_report(room, one, asked.topics, asked.page) if asked.topics or asked.page else None
    if (asked.topics or asked.numbers) and room.reads_code:
        return quote_code(room, asked.topics, asked.numbers, asked.people)
    return "which_report" if said & {"review", "cited"} and room.reports and not asked.reports else None


def _perform(room: Room, job: Job, talk: Talk) -> Reply:
    """Play the job with the results there are; ask for what is missing, or say how it ended."""
    while True:
        try:
            step = next(job)
        except StopIteration as end:
            return say(end.value)
        if missing := [asked for asked in step if room.result(asked) is None]:
            return ask_for(*missing, text=room.text("as_asked") if isinstance(step, Orders) else "")


def examples(talk: Talk, language: str) -> list[str]:
    """Prompts to try."""
    room = Room(talk)
    kind = ("full" if "read_report" in room.roots else "code") if room.reads_code else "reports"
    names = [_name(report) for report in room.reports] or ["-"]
    return [one.format(report=names[0], other=names[-1]) for one in table("review")["examples"][kind][language]]
