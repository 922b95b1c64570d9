"""s11/1, the first word: what Claude says, where its stream breaks off, and how to judge the run."""

from dataclasses import replace

from course.checks.obstacles import crash, obstacle
from course.checks.refusals import ASKS
from course.checks.run import Run
from course.checks.verdict import Verdict, called, fail, first, flat, place, shortened
from course.standin.talk import PLAYED, ApiFails, Reply, Talk, say

WHOLE = "A beam sags because its own weight and all that stands on it bend it. The longer the span, the more it sags."
BROKEN = (
    "It cracks where it is pulled: concrete bears pressure well, and pull badly. So steel lies there, near the edge."
)
BEGIN = 24  # characters: the first piece of a text


def play(talk: Talk) -> Reply:
    """The first reply whole, thinking first; the second breaks off in the middle, each time."""
    if "crack" not in talk.prompt:
        return say(WHOLE, think=True)
    raise ApiFails("stream_error", say(BROKEN))


def judge(run: Run) -> Verdict:
    if run.died.startswith("os._exit") and _breaks(run):  # that is how the starter ends
        run = replace(run, died="")
    return first(run, _every_delta, obstacle, _one_prompt, _forgotten, _late, crash, _doubled, _in_pieces)


def _breaks(run: Run) -> bool:
    return any(sent.rule == PLAYED for sent in run.sent)


def _look(run: Run) -> int | None:
    return place(run, r"print\(.*(text|delta|block|snapshot)", r"def ask_claude")


def _every_delta(run: Run) -> Verdict | None:
    """`.delta.text` of a delta that holds thinking."""
    failure = run.failure
    if not failure or failure.type != "AttributeError" or "Delta" not in failure.message:
        return None
    return fail("every_delta", message=failure.message, line=failure.line)


def _one_prompt(run: Run) -> Verdict | None:
    if len(run.sent) > 1 or not run.sent or run.failure:
        return None
    return fail("one_prompt", line=place(run, r"for prompt in", *ASKS))


def _forgotten(run: Run) -> Verdict | None:
    """The second request does not hold the first reply."""
    for sent in run.sent[1:]:
        if "assistant" not in [message["role"] for message in sent.messages]:
            return fail("forgotten", number=run.number(sent), line=place(run, r"return", r"role\W+assistant"))
    return None


def _late(run: Run) -> Verdict | None:
    """Nothing is seen of the words that had come."""
    if not _breaks(run) or BROKEN[:BEGIN] in flat(run.printed):
        return None
    whole = {"get_final_message", "get_final_text"} & called(run.source)
    streamed = {"text_stream", "content_block_delta", "text_delta"}
    case = "" if whole and not any(word in run.source for word in streamed) else "buffer"
    return fail("late", case, text=BROKEN[:BEGIN], line=_look(run))


def _doubled(run: Run) -> Verdict | None:
    count = flat(run.printed).count(WHOLE[:BEGIN])
    return fail("doubled", count=count, text=WHOLE[:BEGIN], line=_look(run)) if count > 1 else None


def _in_pieces(run: Run) -> Verdict | None:
    """The text is there, with line breaks or blanks between its pieces; or it is not there."""
    if WHOLE in run.printed:
        return None
    return fail("in_pieces", text=shortened(run.printed.partition("\n")[2], 120), line=_look(run))
