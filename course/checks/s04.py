"""The exercises of s04: what Claude says in each, and how to judge the run."""

import datetime
import re

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import crash, empty_result, first, not_printed, obstacle, spread, unanswered, without_tools
from .run import Run, results, text_of
from .s03 import WHICH_DAY, told_date
from .scene import ask_for, say
from .verdict import Verdict, fail, passed, place

_ = translator("checks")

NO_TOOL = "I cannot look that up: I have no tool for it."
CITIES = ("Oslo", "Austin", "Chengdu")
WARMTH = re.compile(r"(-?\d+)F")


# --- 1: answer every call ---------------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """Three cities at once; then the warmest, by the results."""
    if "get_weather" not in talk.tools:
        return say(NO_TOOL)
    missing = [city for city in CITIES if not any(call.input.get("city") == city for call in talk.calls)]
    if missing:
        return ask_for(*[("get_weather", {"city": city}) for city in missing], text="I will look at all three.")
    degrees = {}
    for call in talk.calls:
        if found := WARMTH.search(call.result or ""):
            degrees[call.input["city"]] = int(found[1])
    if len(degrees) < len(CITIES):
        return say("I cannot tell: some of the results are missing.")
    warmest = max(degrees, key=lambda city: degrees[city])
    return say(f"The warmest of the three is {warmest}, with {degrees[warmest]} degrees Fahrenheit.")


def judge_1(run: Run) -> Verdict:
    return first(
        run, obstacle, crash, without_tools, unanswered, empty_result, spread, _foreign_content, not_printed, _well_1
    )


def _foreign_content(run: Run) -> Verdict | None:
    """A result that goes back with the id of another call."""
    for call in run.calls:
        result = run.result(call)
        city = str(call["input"].get("city"))
        content = text_of(result.get("content")) if result else ""
        if result and city not in content and WARMTH.search(content):
            return fail(
                "foreign_content",
                seen=_('To the call for {city} the program answered "{content}".').format(city=city, content=content),
                expected=_(
                    "Each result under the id of the call that it belongs to. The API cannot notice this mistake, "
                    "and Claude believes what it reads."
                ),
                next=_(
                    "Keep call and result together from the start; pool.map, for one, returns in the order of the "
                    "calls."
                ),
                line=place(run, r"as_completed", r"zip\(", r"tool_use_id"),
            )
    return None


def _well_1(run: Run) -> Verdict:
    return passed(_("Three calls in one reply, three results in one message."))


# --- 2: whose result is it? -------------------------------------------------------------------------------------------

play_2 = play_1


def judge_2(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _foreign_content,
        _too_quick,
        _one_by_one_2,
        not_printed,
        _well_2,
    )


def side_by_side(run: Run, began: str, ended: str) -> bool:
    """Whether two tools were at work at the same time: the second began before the first ended, by their prints."""
    begins = [match.start() for match in re.finditer(began, run.printed)]
    ends = [match.start() for match in re.finditer(ended, run.printed)]
    return len(begins) > 1 and bool(ends) and begins[1] < ends[0]


def pause(run: Run) -> float:
    """Seconds between the first reply and the next request: what the tools took."""
    return run.sent[1].started - run.sent[0].ended if len(run.sent) > 1 else 0.0


def _too_quick(run: Run) -> Verdict | None:
    """get_weather does not wait for its station any more, or was not called: what the judge goes by is gone."""
    if pause(run) >= 0.1:
        return None
    return fail(
        "too_quick",
        seen=_("The results were there at once. Nothing shows whether the calls ran side by side, or ran at all."),
        expected=_("get_weather as it was delivered: each station takes its time."),
        next=_("Leave time.sleep(...) in get_weather, and let run_tools call it for each city."),
        line=place(run, r"def get_weather"),
    )


def _one_by_one_2(run: Run) -> Verdict | None:
    # By the prints, or, should the reader have taken them out, by the time: one after another takes 0.6 s at least.
    if side_by_side(run, "asking", "answers") or (" answers" not in run.printed and pause(run) < 0.6):
        return None
    return _one_by_one(run)


def _one_by_one(run: Run) -> Verdict:
    return fail(
        "one_by_one",
        seen=_("The calls ran one after another, and took as long as all of them together."),
        expected=_(
            "Side by side: the time of the slowest. Claude asked for them in one reply because none needs another."
        ),
        next=_("Start all of them in the pool first, and wait for the results after that."),
        line=place(run, r"run_tool\(", r"def run_tools"),
    )


def _well_2(run: Run) -> Verdict:
    asked = [call["id"] for call in run.sent[0].calls]
    if [block["tool_use_id"] for block in results(run.accepted[-1].body)] != asked:
        return passed(
            _(
                "Each result belongs to its call. They went back in another order than the calls: the API takes "
                "that, but the order of the calls is easier to read."
            )
        )
    return passed(_("The calls ran side by side, and each result went back under the id of its call."))


# --- 3: reading side by side, writing in turn -------------------------------------------------------------------------


def play_3(talk: Talk) -> Reply:
    """Two bookings of one slot and two days to read, all at once."""
    if not {"create_calendar_event", "list_calendar_events"} <= talk.tools.keys():
        return say("I cannot do that: I have no tool for it.")
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day, after = (today + datetime.timedelta(days) for days in (1, 2))
    if not talk.calls:
        return ask_for(
            ("list_calendar_events", {"date": str(day)}),
            ("create_calendar_event", {"title": "Sync", "start": f"{day}T10:00:00"}),
            ("create_calendar_event", {"title": "Review", "start": f"{day}T10:00:00"}),
            ("list_calendar_events", {"date": str(after)}),
        )
    made = [call.input["title"] for call in talk.calls if (call.result or "").startswith("Created")]
    if len(made) == 2:
        return say("The sync and the review are both booked for tomorrow at 10:00.")
    return say(f"Booked for tomorrow at 10:00: {', '.join(made) or 'nothing'}. The day after tomorrow is free.")


def judge_3(run: Run) -> Verdict:
    return first(
        run,
        obstacle,
        crash,
        without_tools,
        unanswered,
        empty_result,
        spread,
        _mixed_up,
        _double,
        _wrong_order,
        _one_by_one_3,
        _results_in_disorder,
        not_printed,
        _well_3,
    )


def _booking(run: Run, title: str) -> str:
    """What Claude was told of a booking."""
    call = next((call for call in run.calls if call["input"].get("title") == title), None)
    return text_of((run.result(call) or {}).get("content")) if call else ""


def _mixed_up(run: Run) -> Verdict | None:
    if len(run.accepted) < 2 or not run.calls:
        return None
    for call in run.calls:
        content = text_of((run.result(call) or {}).get("content"))
        reads = call["name"] == "list_calendar_events"
        # A list begins with its date; a booking says Created or Taken, and Created names its title.
        if reads != content.startswith(str(call["input"].get("date"))) or (
            content.startswith("Created") and call["input"]["title"] not in content
        ):
            return fail(
                "mixed_up",
                seen=_('To the call {call} the program answered "{content}".').format(
                    call=f"{call['name']}({call['input']})", content=content
                ),
                expected=_("Each result under the id of the call that it belongs to."),
                next=_("Keep call and result together: build each tool_result where you still hold its call."),
                line=place(run, r"zip\(", r"def run_tools"),
            )
    return None


def _double(run: Run) -> Verdict | None:
    if not all(_booking(run, title).startswith("Created") for title in ("Sync", "Review")):
        return None
    return fail(
        "double_booking",
        seen=_("Both bookings of one slot went through: each looked before the other had written."),
        expected=_("One is created, the other learns that the time is taken."),
        next=_("Send only the calls of READING to the pool, and run the others yourself, one after another."),
        line=place(run, r"pool\.(map|submit)", r"def run_tools"),
    )


def _wrong_order(run: Run) -> Verdict | None:
    if _booking(run, "Sync").startswith("Created"):
        return None
    return fail(
        "wrong_order",
        seen=_("The review was booked before the sync, although Claude asked for the sync first."),
        expected=_("Writing calls in the order in which Claude made them."),
        next=_("Go through the calls from first to last."),
        line=place(run, r"reversed|sorted|\.sort\(", r"def run_tools"),
    )


def _one_by_one_3(run: Run) -> Verdict | None:
    if side_by_side(run, "reading", "is read") or ("is read" not in run.printed and pause(run) < 0.6):
        return None
    return _one_by_one(run)


def _results_in_disorder(run: Run) -> Verdict | None:
    """Right in themselves, in another order than the calls: the starter's prints put them beside the wrong calls."""
    asked = [call["id"] for call in run.calls]
    answered = [block.get("tool_use_id") for block in results(run.accepted[-1].body)]
    if answered == asked:
        return None
    return fail(
        "disorder",
        seen=_("The results went back in another order than the calls."),
        expected=_(
            "The order of the calls. The API takes any, but what the program prints then stands beside the wrong call."
        ),
        next=_("Keep each result under its call's id first, and make the list of them by going through the calls."),
        line=place(run, r"results \+=", r"def run_tools"),
    )


def _well_3(run: Run) -> Verdict:
    return passed(
        _("Reading went side by side, writing in turn: the sync has the slot, the review was told that it is taken.")
    )
