"""`course budget`: what a room full of people needs of the API when they run lessons with a key.

The lowest figures are the recorded runs (docs/assets/traces, counted by the stand-in). The highest take input for a
third longer, and so many tokens of output that a run costs what the table of lessons names as the most.
"""

import argparse
import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from .. import console, i18n, models
from ..lessons import LESSONS, Lesson

_ = i18n.translator("course")

TRACES = Path(__file__).parents[2] / "docs" / "assets" / "traces"
LIMITS = ("rpm", "tpm", "itpm", "otpm")
RUNS = 3  # how often a learner runs each lesson


@dataclass(frozen=True)
class Use:
    """What one run of a lesson takes: requests, and tokens as (lowest, highest)."""

    requests: int
    input: tuple[int, int]
    output: tuple[int, int]

    def most(self, limit: str) -> int:
        """The most that one run takes of what an account's limit counts."""
        most = {"rpm": self.requests, "itpm": self.input[1], "otpm": self.output[1]}
        return most[limit] if limit in most else most["itpm"] + most["otpm"]


def HELP() -> str:
    return _("reckon what a room full of people needs with a key: requests, tokens, USD")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--people", type=count, required=True, metavar="N", help=_("how many learners have a key"))
    parser.add_argument(
        "--lessons", metavar="s01-s07", help=_("which lessons: s03, s01-s07 or s01,s04; by default all")
    )
    parser.add_argument(
        "--runs", type=count, default=RUNS, metavar="N", help=_("how often each runs a lesson; 3 by default")
    )
    parser.add_argument("--model", metavar="ID", help=_("the model; by default that of the lessons"))
    for limit in LIMITS:
        parser.add_argument(f"--{limit}", type=count, metavar="N", help=meaning(limit))


def count(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number < 1:
        raise argparse.ArgumentTypeError(_("a whole number from 1 on is needed, not {text}").format(text=text))
    return number


def meaning(limit: str) -> str:
    return {
        "rpm": _("requests a minute"),
        "tpm": _("tokens a minute"),
        "itpm": _("input tokens a minute"),
        "otpm": _("output tokens a minute"),
    }[limit]


def run(args: argparse.Namespace) -> int:
    lessons = chosen(args.lessons)
    if isinstance(lessons, str):
        return console.problem(lessons)
    uses = {lesson.id: use(lesson) for lesson in lessons}
    model = models.find(args.model or recorded_model(lessons[0]))
    if model is None:
        return console.problem(
            _("There is no price for the model {name}; known are {names}.").format(
                name=args.model, names=", ".join(each.id for each in models.all_models())
            )
        )
    times = args.people * args.runs
    total = Use(
        sum(each.requests for each in uses.values()) * times,
        (sum(each.input[0] for each in uses.values()) * times, sum(each.input[1] for each in uses.values()) * times),
        (sum(each.output[0] for each in uses.values()) * times, sum(each.output[1] for each in uses.values()) * times),
    )
    low, high = ((total.input[end] * model.price[0] + total.output[end] * model.price[1]) / 1_000_000 for end in (0, 1))
    print(_("People: {people}; lessons: {lessons}; runs of each: {runs}").format(
        people=whole(args.people), lessons=", ".join(uses), runs=whole(args.runs)
    ))  # fmt: skip
    print(_("Requests in all: {count}").format(count=whole(total.requests)))
    print(_("Input tokens: {low} to {high}").format(low=whole(total.input[0]), high=whole(total.input[1])))
    print(_("Output tokens: {low} to {high}").format(low=whole(total.output[0]), high=whole(total.output[1])))
    print(_("USD: {low} to {high}").format(low=money(low), high=money(high)))
    print()
    print(_("If all run the same lesson within one minute, that minute needs at most:"))
    for limit in LIMITS:
        need = args.people * max(each.most(limit) for each in uses.values())
        line = _("  {what}: {count}").format(what=meaning(limit), count=whole(need))
        allowed = getattr(args, limit)
        if allowed is not None:
            line += _(". {verdict}").format(verdict=verdict(allowed, need, need // args.people, args.people))
        print(line)
    print()
    print(
        _(
            "Assumed: lowest, the course's recorded runs, in which the stand-in answers and estimates the tokens; "
            "highest, a third more input, and output until a run costs the most that the table of lessons names, "
            "thinking included. None of it was measured with the real API. Exercises are checked without a key and "
            "cost nothing. Prices: "
            "{model}, as read on {date}."
        ).format(model=model.name, date=models.prices_checked())
    )
    return 0


def chosen(text: str | None) -> list[Lesson] | str:
    """The lessons of "s01-s03,s05", or one sentence that says what is wrong with it."""
    recorded = [lesson for lesson in LESSONS if trace(lesson).is_file()]
    ids = [lesson.id for lesson in recorded]
    if text is None:
        return recorded
    wanted: set[str] = set()
    for part in text.replace(" ", "").split(","):
        ends = re.fullmatch(r"(\w+)(?:-(\w+))?", part)
        first, last = (ends[1], ends[2] or ends[1]) if ends else ("", "")
        if first not in ids or last not in ids or ids.index(first) > ids.index(last):
            return _("The lessons {part} are not known; write s03, s01-s07 or s01,s04, of {first} to {last}.").format(
                part=part or "?", first=ids[0], last=ids[-1]
            )
        wanted |= set(ids[ids.index(first) : ids.index(last) + 1])
    return [lesson for lesson in recorded if lesson.id in wanted]


def trace(lesson: Lesson) -> Path:
    """The committed recording of the lesson's default run; runs that differ by language have a name with it too."""
    return TRACES / f"{lesson.id}.json"


def recorded_model(lesson: Lesson) -> str:
    recorded = json.loads(trace(lesson).read_text(encoding="utf-8"))
    return str(recorded["exchanges"][0]["request"]["model"])


def use(lesson: Lesson) -> Use:
    """What one run takes, from its recording."""
    totals = json.loads(trace(lesson).read_text(encoding="utf-8"))["totals"]
    model = models.find(recorded_model(lesson))
    assert model is not None  # a test keeps the lessons' model in the table
    into = math.ceil(totals["input_tokens"] * 4 / 3)
    rest = lesson.cost_usd - into * model.price[0] / 1_000_000
    out = max(math.ceil(rest * 1_000_000 / model.price[1]), math.ceil(totals["output_tokens"] * 4 / 3))
    return Use(totals["requests"], (totals["input_tokens"], into), (totals["output_tokens"], out))


def verdict(allowed: int, need: int, each: int, people: int) -> str:
    """Whether a limit a minute is enough, and if not, in how many groups the room has to begin."""
    if allowed < each:
        return _("Your {allowed} are too few even for one learner's run.").format(allowed=whole(allowed))
    if allowed >= need:
        return _("Your {allowed} are enough.").format(allowed=whole(allowed))
    groups = math.ceil(people / (allowed // each))
    return _("Your {allowed} are too few: begin in {groups} groups, a minute apart.").format(
        allowed=whole(allowed), groups=groups
    )


def whole(number: int) -> str:
    return i18n.number(f"{number:,}")


def money(usd: float) -> str:
    return i18n.number(f"{usd:,.2f}")
