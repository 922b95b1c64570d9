"""The exercises of s03: what Claude says in each, and how to judge the run."""

import datetime
import re
from collections.abc import Iterator
from typing import Any

from ..i18n import translator
from ..standin.talk import Reply, Talk
from .common import crash, empty_result, first, not_printed, obstacle, spread, unanswered, without_tools
from .run import Run, Sent, blocks_of, text_of
from .scene import ask_for, say
from .verdict import Verdict, constant, fail, passed, place

_ = translator("checks")

NO_TOOL = "I cannot create events: I have no tool for it."
WHICH_DAY = "What is today's date? I need it to know which day you mean."


# --- 1: keep the history ----------------------------------------------------------------------------------------------


def play_1(talk: Talk) -> Reply:
    """An event tomorrow; then the same event a day later, if the conversation still holds the first."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    later = "same again" in talk.prompt
    if later and "ana@example.com" not in talk.prompt + "".join(turn.prompt for turn in talk.earlier):
        return say("The same as what? This is the first thing that you say to me.")
    if later and not talk.calls and not any(turn.calls for turn in talk.earlier):
        return say("I have not booked anything for you yet, as far as I can see.")
    if talk.calls:
        return say(f"Done: the sync is on {talk.calls[-1].input.get('start', '')[:10]} at 10:00.")
    return ask_for(("create_calendar_event", event("Sync", today + datetime.timedelta(2 if later else 1), 10, 0.5)))


def event(title: str, day: datetime.date, hour: float, hours: float, *attendees: str) -> dict[str, Any]:
    start = datetime.datetime.combine(day, datetime.time()) + datetime.timedelta(hours=hour)
    end = start + datetime.timedelta(hours=hours)
    who = list(attendees) or ["ana@example.com"]
    return {"title": title, "start": start.isoformat(), "end": end.isoformat(), "attendees": who}


def judge_1(run: Run) -> Verdict:
    return first(
        run,
        _both_at_once,
        obstacle,
        crash,
        without_tools,
        _one_prompt,
        _forgotten,
        unanswered,
        _half_history,
        _said_twice,
        spread,
        not_printed,
        _well_1,
    )


PROMPTS = [  # in the starter
    "Book a 30-minute sync with ana@example.com tomorrow at 10:00.",
    "The same again one day later.",
]


def _prompts(run: Run) -> list[str]:
    """The reader's two prompts."""
    found = constant(run, "PROMPTS", PROMPTS)
    return found if len(found) > 1 and all(isinstance(prompt, str) for prompt in found) else PROMPTS


def _with_second_prompt(run: Run) -> list[Sent]:
    second = _prompts(run)[1]
    return [sent for sent in run.accepted if any(second in text for text in _user_text(sent.body))]


def _both_at_once(run: Run) -> Verdict | None:
    """A list of all prompts, made beforehand: the first answer is already one to both."""
    start = run.accepted[0] if run.accepted else None
    if not start or not all(any(prompt in text for text in _user_text(start.body)) for prompt in _prompts(run)):
        return None
    return fail(
        "both_at_once",
        seen=_("Request 1 holds both prompts already."),
        expected=_("One prompt, Claude's answer to it, and then the next: a conversation takes turns."),
        next=_("Append each prompt to the history in the loop over PROMPTS, just before agent_loop."),
        line=place(run, r"for .* in PROMPTS", r"PROMPTS"),
    )


def _said_twice(run: Run) -> Verdict | None:
    """An answer of Claude's that was appended by the loop and by main() as well."""
    sent = _with_second_prompt(run)[0]
    answers = [one.text for one in run.sent[: run.number(sent) - 1] if one.reply.get("stop_reason") == "end_turn"]
    said = [str(block.get("text")) for block in blocks_of(sent.body, "assistant", "text")]
    twice = next((answer for answer in answers if said.count(answer) > 1), None)
    if twice is None:
        return None
    return fail(
        "said_twice",
        seen=_('In request {number} Claude\'s answer "{text}" stands twice.').format(
            number=run.number(sent), text=twice
        ),
        expected=_("Everything that was said, once: Claude takes the history at its word."),
        next=_("agent_loop has appended the reply already: take out the second append."),
        line=place(run, r"^ {8}messages\.append\(.*assistant", r"role\W+assistant"),
    )


def _one_prompt(run: Run) -> Verdict | None:
    if _with_second_prompt(run):
        return None
    return fail(
        "one_prompt",
        seen=_("The second prompt was never sent."),
        expected=_("Both prompts, one after the other, in one conversation."),
        next=_("Let main() go through all of PROMPTS."),
        line=place(run, r"for .* in PROMPTS", r"PROMPTS"),
    )


def _forgotten(run: Run) -> Verdict | None:
    sent = _with_second_prompt(run)[0]
    if any(_prompts(run)[0] in text for text in _user_text(sent.body)):
        return None
    return fail(
        "forgotten",
        seen=_("Request {number} holds the second prompt and nothing of the first. Claude answered: {text}").format(
            number=run.number(sent), text=sent.text
        ),
        expected=_("All that was said so far, in every request: the API remembers nothing."),
        next=_("Make the list once, before the loop over PROMPTS, and append each prompt to it."),
        line=place(run, r"messages = \[", r"agent_loop\("),
    )


def _user_text(body: dict[str, Any]) -> list[str]:
    return [str(block.get("text")) for block in blocks_of(body, "user", "text")]


def _half_history(run: Run) -> Verdict | None:
    """The first prompt is there, but not all that followed it."""
    sent = _with_second_prompt(run)[0]
    number = run.number(sent)
    said = [text_of(message["content"]) for message in sent.messages if message["role"] == "assistant"]
    calls = list(blocks_of(sent.body, "assistant", "tool_use"))
    answers = [one.text for one in run.sent[: number - 1] if one.reply.get("stop_reason") == "end_turn"]
    if not calls:
        return fail(
            "calls_lost",
            seen=_("Request {number} holds the prompts, but not the call that Claude made, nor its result.").format(
                number=number
            ),
            expected=_("Calls and results belong to the history. Without them Claude does not know what it has done."),
            next=_("Keep the list that agent_loop appends to, instead of building a new one from texts."),
            line=place(run, r"agent_loop\(", r"messages"),
        )
    if answers and not any(answers[-1] in text for text in said):
        return fail(
            "answer_lost",
            seen=_("Request {number} lacks Claude's answer to the first prompt.").format(number=number),
            expected=_(
                "The last reply of a turn belongs to the history as well. The API takes it without, and Claude "
                "then does not know what it told the user."
            ),
            next=_("Append every reply, also the one that asks for no tool, before you leave the loop."),
            line=place(run, r"role\W+assistant", r"break"),
        )
    return None


def _well_1(run: Run) -> Verdict:
    return passed(_('The second prompt came with all that was said before, and Claude knew what "the same" was.'))


# --- 2: what day is it? -----------------------------------------------------------------------------------------------


def play_2(talk: Talk) -> Reply:
    """An event on the day after the one that the request names as today."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    if talk.calls:
        return say(f"Done: tennis with Mia is on {talk.calls[-1].input.get('start', '')[:10]}, from 18:00 to 19:00.")
    return ask_for(("create_calendar_event", event("Tennis", today + datetime.timedelta(1), 18, 1, "mia@example.com")))


def judge_2(run: Run) -> Verdict:
    return first(run, obstacle, crash, _not_told, _wrong_day, _fixed_day, unanswered, not_printed, _well_2)


def _not_told(run: Run) -> Verdict | None:
    sent = run.accepted[0]
    if sent.calls:
        return None
    system = text_of(sent.body.get("system"))
    if "{" in system:
        return fail(
            "no_f_string",
            seen=_('Claude got to read this, letter for letter: "{system}". It asked for the date.').format(
                system=system
            ),
            expected=_("The date itself in place of the braces."),
            next=_("Python fills the braces of a string only if an f stands before its first quotation mark."),
            line=place(run, r"SYSTEM = "),
        )
    step = _('Put the date into SYSTEM, as in f"... Today is {today}."').replace("{today}", "{TODAY:%A}, {TODAY}")
    if not system:
        step = _("Look at ask_claude: the request has no system prompt. Hand it over with system=SYSTEM.")
    return fail(
        "not_told",
        seen=_("Nothing in the request says what day it is, and Claude asked for it."),
        expected=_("Today's date, with the year, in the system prompt: a weekday alone fits fifty days a year."),
        next=step,
        line=place(run, r"SYSTEM = ", r"system="),
    )


def _wrong_day(run: Run) -> Verdict | None:
    wanted = {str(datetime.date.fromisoformat(day) + datetime.timedelta(1)) for day in run.days}
    got = str(run.calls[0]["input"].get("start", ""))[:10]
    if got in wanted:
        return None
    return fail(
        "wrong_day",
        seen=_("By the date that the program gave, Claude booked {got}. Tomorrow is {wanted}.").format(
            got=got, wanted=max(wanted)
        ),
        expected=_("The date of the day on which the program runs."),
        next=_("Take the date from datetime.date.today()."),
        line=place(run, r"\d{4}-\d\d-\d\d", r"SYSTEM = "),
    )


def _fixed_day(run: Run) -> Verdict | None:
    """Right today, wrong tomorrow: the date is written in the file."""
    if not any(told in (datetime.date.fromisoformat(day) for day in run.days) for told in dates_in(run.source)):
        return None
    return fail(
        "fixed_day",
        seen=_("Today's date is written in the file. Claude booked the right day, today."),
        expected=_("A program that is right next week too."),
        next=_("Take the date from datetime.date.today()."),
        line=place(run, r"\d{4}-\d\d-\d\d", r"20\d\d"),
    )


def _well_2(run: Run) -> Verdict:
    return passed(_("Claude was told the date and booked the right day."))


MONTHS = "january february march april may june july august september october november december".split()
_NAME = "|".join(MONTHS)
_FORMS = (
    re.compile(r"\b(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)"),
    re.compile(r"\b(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4})\b"),
    re.compile(r"(?P<y>\d{4})年\s?(?P<m>\d{1,2})月\s?(?P<d>\d{1,2})日"),
    re.compile(rf"\b(?P<n>{_NAME})\s(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\.?\s(?:of\s)?(?P<n>{_NAME}),?\s(?P<y>\d{{4}})\b", re.IGNORECASE),
    re.compile(r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})\b"),
    re.compile(r"\bdate\((?P<y>\d{4}), (?P<m>\d{1,2}), (?P<d>\d{1,2})\)"),
)


def dates_in(text: str) -> Iterator[datetime.date]:
    """The dates that a text names with their year, in the usual ways to write one."""
    for form in _FORMS:
        for match in form.finditer(text):
            parts = match.groupdict()
            month = int(parts.get("m") or 0) or MONTHS.index(parts["n"].lower()) + 1
            try:
                yield datetime.date(int(parts["y"]), month, int(parts["d"]))
            except ValueError:
                continue


def told_date(body: dict[str, Any]) -> datetime.date | None:
    """The date that a request names in its system prompt, its first message or its tools."""
    messages = [message for message in body.get("messages") or [] if message.get("role") in ("user", "system")]
    texts = [text_of(body.get("system")), *(text_of(message.get("content")) for message in messages)]
    texts += [str(tool.get("description", "")) for tool in body.get("tools") or []]
    return next((day for text in texts for day in dates_in(text)), None)


# --- 3: count the tokens ----------------------------------------------------------------------------------------------


def play_3(talk: Talk) -> Reply:
    """Two events, one after the other."""
    if "create_calendar_event" not in talk.tools:
        return say(NO_TOOL)
    today = told_date(talk.body)
    if not today:
        return say(WHICH_DAY)
    day = today + datetime.timedelta(1)
    if not talk.calls:
        return ask_for(("create_calendar_event", event("Tennis", day, 18, 1, "mia@example.com")), text="Tennis first.")
    if len(talk.calls) == 1:
        return ask_for(("create_calendar_event", event("Lunch", day, 19, 1, "mia@example.com")))
    return say("Tennis and lunch with Mia are both in your calendar.")


def judge_3(run: Run) -> Verdict:
    return first(run, obstacle, crash, without_tools, unanswered, empty_result, spread, not_printed, _sums, _well_3)


def _sums(run: Run) -> Verdict | None:
    usage = [sent.reply["usage"] for sent in run.accepted]
    into, out = (sum(one[name] for one in usage) for name in ("input_tokens", "output_tokens"))
    printed = {int(re.sub(r"[.,_' ]", "", number)) for number in re.findall(r"\d[\d.,_']*\d|\d", run.printed)}
    if {into, out} <= printed:
        return _swapped(run, into, out)
    numbers = ", ".join(f"{one['input_tokens']}/{one['output_tokens']}" for one in usage)
    expected = _("The sums over all turns: {into} in, {out} out. (The turns, in/out: {numbers}.)").format(
        into=into, out=out, numbers=numbers
    )
    look = place(run, r"usage", r"def agent_loop")
    last = usage[-1]
    if into + out in printed:
        return fail(
            "one_sum",
            seen=_("The program printed one number for both, {sum}.").format(sum=into + out),
            expected=expected,
            next=_("Keep two sums: a token that comes out costs several times as much as one that goes in."),
            line=look,
        )
    if {into - last["input_tokens"], out - last["output_tokens"]} <= printed:
        return fail(
            "without_last",
            seen=_("The last turn is missing from the sums."),
            expected=expected,
            next=_("Add up before you leave the loop: the reply that asks for no tool costs tokens too."),
            line=look,
        )
    if len({into, out} & printed) == 1:
        return fail(
            "half_sum",
            seen=_("Only one of the two sums was printed."),
            expected=expected,
            next=_("Add up usage.input_tokens and usage.output_tokens, each for itself."),
            line=look,
        )
    if run.printed.count(str(last["input_tokens"])) > 1:
        return fail(
            "last_only",
            seen=_("The program printed the numbers of the last turn as if they were the sum."),
            expected=expected,
            next=_("Start both sums at 0 before the loop, and add to them in every turn."),
            line=look,
        )
    return fail(
        "no_sums",
        seen=_("The sums were not among the numbers that the program printed."),
        expected=expected,
        next=_("Add up reply.usage.input_tokens and reply.usage.output_tokens over the turns, and print both sums."),
        line=look,
    )


def _swapped(run: Run, into: int, out: int) -> Verdict | None:
    """Both sums, each under the name of the other, as the starter writes a turn: 12 in, 34 out."""
    if not re.search(rf"\b{out} in\b.*\b{into} out\b", run.printed):
        return None
    return fail(
        "sums_swapped",
        seen=_("The program printed {out} in and {into} out.").format(into=into, out=out),
        expected=_("The other way round: {into} in, {out} out.").format(into=into, out=out),
        next=_("usage.input_tokens went in, usage.output_tokens came out."),
        line=place(run, r"print\(.* in, ", r"usage"),
    )


def _well_3(run: Run) -> Verdict:
    usage = [sent.reply["usage"]["input_tokens"] for sent in run.accepted]
    return passed(
        _("The sums are right. The last request sent {last} tokens, the first {first}: the history grows.").format(
            last=usage[-1], first=usage[0]
        )
    )
