"""Events of the script and exchanges on the wire, joined into one trace. Pure; schema.json has the layout."""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..standin import ids
from ..wire.record import Record, redact
from . import FORMAT, VERSION

Step = dict[str, Any]
Event = dict[str, Any]
_FRAMES = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t].*\n)*")
_DURATION = re.compile(r"\b(\d+\.\d) s\b")
Exchanges = Sequence[tuple[float, float, Record]]


def build(
    name: str,
    source: str,
    arguments: Sequence[str],
    events: Sequence[Event],
    exchanges: Exchanges,
    answered_by: str,
    secrets: Sequence[str] = (),
    masked: bool = False,
    status: int = 0,
) -> dict[str, Any]:
    """The trace of one run.

    Args:
        name, source, arguments: the script's file name, its text, what followed it on the command line.
        events: what the recorder told, in order.
        exchanges: (request arrived, answer began, record); times as in the events (time.perf_counter of this machine).
        answered_by: "stand-in", or the host that answered.
        secrets: credentials to take out of everything that was printed or kept.
        masked: leave out what differs from run to run: times, and the order in which threads happened to run.
        status: the exit status, for a script that did not live to tell it.
    """
    began = events[0]["t"] if events else 0.0
    calls = _calls(exchanges)
    spans = _spans(events, calls)
    moments = _script_moments(events, spans, calls)
    for number, (arrived, answered, _record) in enumerate(exchanges):
        # An answer counts from its first byte: until then the script waits, so its next step comes surely later.
        moments.append((arrived, {"kind": "request", "exchange": number}))
        moments.append((max(arrived, answered), {"kind": "reply", "exchange": number}))
    moments.sort(key=lambda moment: moment[0])
    steps = [step if masked else {**step, "t": round(t - began, 4)} for t, step in moments]
    records = [record for _arrived, _answered, record in exchanges]
    if masked:
        steps = _in_turns(steps)
        records = [{**record, "seconds": 0} for record in records]  # the machine's chance; what a tool waits is not
    _add_results(calls, records, steps)
    end = next((event for event in reversed(events) if event["kind"] == "end"), None)
    _mark_caught(steps, calls, ended_badly=bool(end and end["status"]))
    trace = {
        "format": FORMAT,
        "version": VERSION,
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "script": name,
        "arguments": list(arguments),
        "answered_by": answered_by,
        "masked": masked,
        "end": {key: end[key] for key in ("how", "status", "text")}
        if end
        else {"how": "killed", "status": status, "text": None},
        "totals": _totals(records, round(events[-1]["t"] - began, 4) if events and not masked else 0),
        "source": source,
        "exchanges": records,
        "calls": [_rounded(call) if masked else call for call in calls],
        "steps": [_without_chance(step) for step in _tidy(steps)] if masked else _tidy(steps),
    }
    cleaned: dict[str, Any] = redact(trace, secrets)
    if masked:
        cleaned = json.loads(ids.without_chance(json.dumps(cleaned)))
    return cleaned


def _calls(exchanges: Exchanges) -> list[dict[str, Any]]:
    """Every tool call of every reply, in order. Lane, result and seconds are filled in later."""
    calls = []
    for number, (_arrived, _answered, record) in enumerate(exchanges):
        content = (record["reply"] or {}).get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                call = {"id": str(block.get("id")), "name": str(block.get("name")), "input": block.get("input")}
                calls.append(
                    {**call, "exchange": number, "lane": 0, "result": None, "is_error": False, "seconds": None}
                )
    return calls


@dataclass
class _Span:
    """The time in which a function worked on a call, in one thread. `first` and `last` are places among the events."""

    call: int
    thread: int
    first: int
    last: int
    ran: set[str] = field(default_factory=set)


def _spans(events: Sequence[Event], calls: list[dict[str, Any]]) -> dict[int, _Span]:
    """For each call that was run, by its number: where. Sets the lane and the seconds of those calls.

    A function works on a call if it was given the tool_use block (`run_tool(call)`), or else if it is named as the
    tool is: the SDK's tool runner calls the tools itself.
    """
    numbers = {call["id"]: number for number, call in enumerate(calls)}
    names = {call["name"] for call in calls}
    found: dict[int, list[_Span]] = {}
    by_name: list[tuple[str, _Span]] = []
    stacks: dict[int, list[_Span | None]] = {}
    for place, event in enumerate(events):
        if event["kind"] not in ("enter", "leave"):
            continue
        stack = stacks.setdefault(event["thread"], [])
        if event["kind"] == "leave":
            if stack and (span := stack.pop()):
                span.last = place
            continue
        outer = next((span for span in stack if span), None)
        span = None
        if outer:
            outer.ran.add(event["function"])
        elif event["call"] in numbers:
            span = _Span(numbers[event["call"]], event["thread"], place, len(events) - 1)
            found.setdefault(span.call, []).append(span)
        elif event["function"] in names:
            span = _Span(-1, event["thread"], place, len(events) - 1, {event["function"]})
            by_name.append((event["function"], span))
        stack.append(span)

    chosen = {}
    for number, call in enumerate(calls):
        candidates = found.get(number, [])
        best = next((span for span in candidates if call["name"] in span.ran), None)
        if best is None:
            free = next((pair for pair in by_name if pair[0] == call["name"]), None)
            if free:
                by_name.remove(free)
                best = free[1]
                best.call = number
            elif candidates:  # no tool of that name, or arguments that were not good enough to call it
                best = max(candidates, key=lambda span: events[span.last]["t"] - events[span.first]["t"])
        if best:
            chosen[number] = best
            call["seconds"] = round(events[best.last]["t"] - events[best.first]["t"], 4)
            if best.thread:
                siblings = [other for other in range(len(calls)) if calls[other]["exchange"] == call["exchange"]]
                call["lane"] = siblings.index(number) + 1
    return chosen


def _script_moments(
    events: Sequence[Event], spans: dict[int, _Span], calls: list[dict[str, Any]]
) -> list[tuple[float, Step]]:
    """(time, step) for everything that the script did."""
    starts = {span.first: number for number, span in spans.items()}
    ends = {span.last: number for number, span in spans.items()}
    working: dict[int, int] = {}  # thread -> lane
    moments: list[tuple[float, Step]] = []
    for place, event in enumerate(events):
        thread, kind = event["thread"], event["kind"]
        if place in starts:
            if thread:
                working[thread] = calls[starts[place]]["lane"]
            moments.append((event["t"], {"kind": "call", "call": starts[place], **_lane(working, thread)}))
        step: Step | None = None
        if kind in ("line", "raise", "messages", "print", "cut"):
            step = {key: value for key, value in event.items() if key not in ("t", "thread")}
            moments.append((event["t"], {**step, **_lane(working, thread)}))
        if place in ends:
            moments.append((event["t"], {"kind": "result", "call": ends[place], **_lane(working, thread)}))
            working.pop(thread, None)
    return moments


def _lane(working: dict[int, int], thread: int) -> dict[str, int]:
    lane = working.get(thread, thread)
    return {"lane": lane} if lane else {}


def _in_turns(steps: list[Step]) -> list[Step]:
    """The steps of threads that run side by side, each taking one step in turn, whatever their order was.

    The main thread's steps among them come after.
    """
    done: list[Step] = []
    place = 0
    while place < len(steps):
        if not steps[place].get("lane"):
            done.append(steps[place])
            place += 1
            continue
        end = place
        for later in range(place, len(steps)):
            if steps[later]["kind"] in ("request", "reply"):
                break
            if steps[later].get("lane"):
                end = later
        lanes: dict[int, list[Step]] = {}
        for step in steps[place : end + 1]:
            lanes.setdefault(step.get("lane", 0), []).append(step)
        main = lanes.pop(0, [])
        queues = [lanes[lane] for lane in sorted(lanes)]
        for turn in range(max(map(len, queues))):
            done += [queue[turn] for queue in queues if turn < len(queue)]
        done += main
        place = end + 1
    return done


def _add_results(calls: list[dict[str, Any]], records: Sequence[Record], steps: Sequence[Step]) -> None:
    """Each call's result: as it was sent, else (no request followed) as it stands in `messages`."""
    sent: list[Any] = []
    for record in records:
        messages = record["request"].get("messages") if isinstance(record["request"], dict) else None
        sent += messages if isinstance(messages, list) else []
    for step in steps:
        sent += step["messages"] if step["kind"] == "messages" else []
    results: dict[Any, dict[str, Any]] = {}
    for message in sent:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                results.setdefault(str(block.get("tool_use_id")), block)
    for call in calls:
        if call["id"] in results:
            call["result"] = results[call["id"]].get("content")
            call["is_error"] = bool(results[call["id"]].get("is_error"))


def _mark_caught(steps: list[Step], calls: list[dict[str, Any]], ended_badly: bool) -> None:
    """`caught` for each exception that neither made a tool call fail nor ended the script."""
    last = next((step for step in reversed(steps) if step["kind"] == "raise"), None)
    working: dict[int, dict[str, Any]] = {}  # lane -> the call that is worked on there
    for step in steps:
        lane = step.get("lane", 0)
        if step["kind"] == "call":
            working[lane] = calls[step["call"]]
        elif step["kind"] == "result":
            working.pop(lane, None)
        elif step["kind"] == "raise":
            failed = lane in working and working[lane]["is_error"]
            if not failed and not (ended_badly and step is last):
                step["caught"] = True


def _totals(records: Sequence[Record], seconds: float) -> dict[str, Any]:
    tokens = [record["tokens"] for record in records if record["tokens"]]
    costs = [record["cost_usd"] for record in records if record["tokens"]]
    return {
        "requests": len(records),
        "input_tokens": sum(each["input"] + each["cache_read"] + each["cache_write"] for each in tokens),
        "output_tokens": sum(each["output"] for each in tokens),
        "cost_usd": None if None in costs else round(sum(costs), 9),
        "seconds": seconds,
    }


def _without_chance(step: Step) -> Step:
    """What is printed, without what differs from run to run: a part of a second, and the paths of a traceback."""
    if step["kind"] != "print":
        return step
    text = _DURATION.sub(lambda match: f"{round(float(match[1]))}.0 s", step["text"])
    return {**step, "text": _FRAMES.sub("Traceback (most recent call last):\n  ...\n", text)}


def _rounded(call: dict[str, Any]) -> dict[str, Any]:
    return {**call, "seconds": None if call["seconds"] is None else round(call["seconds"])}


def _tidy(steps: list[Step]) -> list[Step]:
    """Writes that follow one another are one print; a line that goes on (a comprehension's next item) is one line."""
    tidy: list[Step] = []
    last: dict[int, Step] = {}  # of each lane
    for step in steps:
        lane = step.get("lane", 0)
        before = last.get(lane)
        if step["kind"] == "print" and before and tidy[-1] is before and before["kind"] == "print":
            if before["stream"] == step["stream"]:
                before["text"] += step["text"]
                continue
        if step["kind"] == "line" and before and before["kind"] == "line":
            if (before["line"], before["function"]) == (step["line"], step["function"]):
                continue
        last[lane] = step = dict(step)
        tidy.append(step)
    return tidy
