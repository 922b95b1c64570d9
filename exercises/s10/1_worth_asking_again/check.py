"""s10/1, which are worth it: which prompt fails in which way, and how to judge the run."""

from course.checks.obstacles import crash, obstacle
from course.checks.run import Run, Sent
from course.checks.verdict import Verdict, fail, first, passed, place, shortened
from course.standin.talk import ApiFails, Reply, Talk, say

ANSWERED = "How wide must a stair be?"
PASSES = {  # the prompt, and the fault that it meets
    "How long may a way out be?": "overloaded@0",
    "How much may a beam sag?": "reset",
    "How wet may timber be?": "rate_limit@0",
}
STAYS = {
    "Which load must the floor of a hall bear?": "bad_key",
    "How thick must concrete cover steel?": "no_credit",
    "How wide may a crack be?": "spend_limit",
    "Where does the code speak of snow?": "no_permission",
}
TRIES = 3


def play(talk: Talk) -> Reply:
    """Each prompt meets its own fault, however often it comes."""
    if fault := (PASSES | STAYS).get(talk.opening):
        raise ApiFails(fault)
    return say("A stair must be at least 1,200 mm wide.")


def judge(run: Run) -> Verdict:
    return first(run, _too_often, obstacle, _no_status, crash, _left_out, _in_vain, _given_up, _well)


def _asked(run: Run, prompt: str) -> list[Sent]:
    return [sent for sent in run.sent if prompt in str(sent.body.get("messages"))]


def _look(run: Run) -> int | None:
    return place(run, r"def is_passing")


def _what(sent: Sent) -> str:
    """What came: the API's words, or that nothing came."""
    return f"{sent.status}: {shortened(sent.problem, 120)}" if sent.status else "Connection error."


def _too_often(run: Run) -> Verdict | None:
    for prompt in [*PASSES, *STAYS]:
        if len(asked := _asked(run, prompt)) > TRIES:
            look = place(run, r"Anthropic\(", r"TRIES = ")
            return fail("too_often", prompt=prompt, count=len(asked), tries=TRIES, line=look)
    return None


def _no_status(run: Run) -> Verdict | None:
    """Of a connection that breaks, no status is known."""
    failure = run.failure
    if not failure or failure.type != "AttributeError" or "APIConnectionError" not in failure.message:
        return None
    return fail("no_status", message=failure.message, line=failure.line)


def _left_out(run: Run) -> Verdict | None:
    for prompt in [ANSWERED, *PASSES, *STAYS]:
        if not _asked(run, prompt):
            return fail("left_out", prompt=prompt, line=place(run, r"PROMPTS(?! =)"))
    return None


def _in_vain(run: Run) -> Verdict | None:
    for prompt, fault in STAYS.items():
        if len(asked := _asked(run, prompt)) > 1:
            case = "spend" if fault == "spend_limit" else ""
            return fail("in_vain", case, prompt=prompt, count=len(asked), what=_what(asked[0]), line=_look(run))
    return None


def _given_up(run: Run) -> Verdict | None:
    for prompt, fault in PASSES.items():
        if len(asked := _asked(run, prompt)) == 1:
            case = "connection" if fault == "reset" else ""
            return fail("given_up", case, prompt=prompt, what=_what(asked[0]), line=_look(run))
    return None


def _well(run: Run) -> Verdict:
    return passed(count=len(run.sent))
