"""What keeps a program from being judged by what it does: it cannot be read, does not end, crashes, asks nobody.

Each function looks for one kind of mistake, and returns None if it does not find it.
"""

import ast
import difflib
import re
from functools import lru_cache

from .refusals import ASKS, refused
from .run import Run
from .verdict import Verdict, fail, place, place_of, shortened


def obstacle(run: Run) -> Verdict | None:
    """What keeps a program from being judged by what it does, and requests that the API refuses."""
    for judge in (unreadable, without_load_env, own_key, stopped, died, elsewhere, asks_for_input, refused):
        if found := judge(run):
            return found
    return None


def unreadable(run: Run) -> Verdict | None:
    try:
        _compiled(run.source, run.file)
        if not run.failure or run.failure.type not in ("SyntaxError", "UnicodeDecodeError") or run.sent:
            return None
        # Not in the encoding that it says it has, which the source alone does not show.
        return fail("syntax", "encoding", message=run.failure.message, text="", line=run.failure.line)
    except SyntaxError as error:
        message, lines = error.msg.rstrip(".?"), run.source.splitlines()
        text = lines[error.lineno - 1].strip() if error.lineno and error.lineno <= len(lines) else ""
        mark = next((mark for mark in _PASTED if text.startswith(mark)), "")
        case = "pasted" if mark else "encoding" if "\0" in run.source else _slip(error)  # a null byte: UTF-16, mostly
        return fail("syntax", case, message=message, text=mark, line=error.lineno)
    except ValueError as error:
        return fail("syntax", "no_text", message=str(error), text="")


# What is copied along with code: Python's prompt, a fence of Markdown, the marks of a merge.
_PASTED = (">>>", "...", "```", "<<<<<<<", "=======", ">>>>>>>")
_SLIPS = {  # by Python's message
    "colon": r"expected ':'",
    "equals": r"Maybe you meant '=='",
    "character": r"invalid (?:non-printable )?character|invalid decimal literal",
    "open": r"was never closed|unterminated|unexpected EOF|EOF while",
    "closing": r"unmatched|does not match opening",
    "comma": r"forgot a comma",
}


def _slip(error: SyntaxError) -> str:
    """The case of the explanation: which slip of the pen it is."""
    if isinstance(error, IndentationError):
        return "indent"
    return next((case for case, pattern in _SLIPS.items() if re.search(pattern, error.msg)), "")


@lru_cache(maxsize=1)
def _compiled(source: str, file: str) -> object:
    return compile(source, file, "exec", dont_inherit=True)


def without_load_env(run: Run) -> Verdict | None:
    if all(isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in ast.parse(run.source).body):
        return fail("empty", file=run.file)
    called = _calls(run.source)
    loads = [call for name in ("load_env", "load_dotenv") for call in called.get(name, ())]
    clients = [call for name in ("Anthropic", "AsyncAnthropic") for call in called.get(name, ())]
    loads_at_once = [line for line, at_once in loads if at_once]
    clients_at_once = [line for line, at_once in clients if at_once]
    # Of what functions do, nothing is known about the order.
    late = bool(loads_at_once and clients_at_once) and min(loads_at_once) > min(clients_at_once)
    if loads and not late:
        return None
    return fail("no_load_env", line=min(clients_at_once or [line for line, _at_once in clients], default=None))


@lru_cache(maxsize=1)
def _calls(source: str) -> dict[str, list[tuple[int, bool]]]:
    """By the name of a function: the lines on which it is called, and whether that is outside of any function."""
    found: dict[str, list[tuple[int, bool]]] = {}
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(source), True)]
    while todo:
        node, outside = todo.pop()
        if isinstance(node, ast.Call):
            function = node.func
            name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            found.setdefault(name, []).append((node.lineno, outside))
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        todo += [(child, outside and not inside) for child in ast.iter_child_nodes(node)]
    return found


def own_key(run: Run) -> Verdict | None:
    """A key that stands in the program: it was sent to nobody, and still must not stay there."""
    return fail("own_key", line=place_of(run, r"sk-ant-", r"api_key", r"API_KEY")) if run.own_key else None


def stopped(run: Run) -> Verdict | None:
    if run.stopped == "time":
        return fail("time", count=len(run.sent), line=run.line)
    if run.stopped == "output":
        return fail("output", line=place(run, r"while "))
    if run.stopped == "requests":
        return endless(run)
    return None


def died(run: Run) -> Verdict | None:
    return fail("died", what=run.died) if run.died else None


def endless(run: Run) -> Verdict:
    return fail("endless", count=len(run.sent), line=place(run, r"while ", r"for .*range", *ASKS))


def elsewhere(run: Run) -> Verdict | None:
    if not run.reached:
        return None
    return fail("elsewhere", host=run.reached, line=place(run, r"base_url", r"Anthropic\("))


def asks_for_input(run: Run) -> Verdict | None:
    if not run.failure or run.failure.type != "EOFError":
        return None
    return fail("input", line=run.failure.line)


def no_request(run: Run) -> Verdict | None:
    if run.accepted:
        return None
    return fail("no_request", line=place(run, r"__main__", *ASKS))


def crash(run: Run) -> Verdict | None:
    """An exception that no other judge knew; and a program that never got as far as a request."""
    if not run.failure:
        return no_request(run)
    if "not JSON serializable" in run.failure.message:
        return fail("not_json", message=run.failure.message, line=run.failure.line)
    spoken = f"{run.failure.type}: {run.failure.message}"
    case = next((case for case, pattern in _CRASHES.items() if re.search(pattern, spoken)), "")
    near = _meant(run) if case == "name" else ""
    return fail(
        "crash",
        "near" if near else case,
        near=near,
        type=run.failure.type,
        message=shortened(run.failure.message),
        file=run.file,
        line=run.failure.line,
    )


def _meant(run: Run) -> str:
    """The name in the program that is nearly the one that nothing has; "" if there is none."""
    found = re.search(r"name '(\w+)'", run.failure.message if run.failure else "")
    if not found:
        return ""
    names = set(re.findall(r"[A-Za-z_]\w{2,}", run.source)) - {found[1]}
    return next(iter(difflib.get_close_matches(found[1], sorted(names), n=1, cutoff=0.75)), "")


_CRASHES = {  # by what Python says: the first that fits
    "none": r"'NoneType' object",
    "no_text": r"'(Thinking|ToolUse)Block' object has no attribute 'text'",
    "no_call": r"'(Thinking|Text)Block' object has no attribute '(id|name|input)'",
    "capital": r"^NameError: name '(true|false|null|none)'",
    "name": r"^(NameError|UnboundLocalError)",
    "module": r"^(ModuleNotFoundError|ImportError)",
    "endless_call": r"^RecursionError",
    "key": r"^KeyError",
    "argument": r"^TypeError: .*unexpected keyword argument",
    "dump": r"dump\(\) missing",
    "missing": r"^TypeError: .*missing \d+ required",
    "concatenate": r"can only concatenate|unsupported operand type\(s\) for \+",
    "dot": r"'(\w+Block|Message|Usage)' object is not subscriptable",
    "await": r"'coroutine' object",
    "not_called": r"'(function|method|builtin_function_or_method)' object (has no attribute|is not)",
    "attribute": r"^AttributeError: .* has no attribute",
}
