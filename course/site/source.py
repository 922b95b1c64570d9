"""Find named parts of a Python script, so that pages need no markers in it."""

import ast
import re
from dataclasses import dataclass

from course.site import SiteError


@dataclass(frozen=True)
class Part:
    """One top-level piece of a script: `first` and `last` are line numbers from 1, both included."""

    name: str
    first: int
    last: int


def parts(text: str) -> list[Part]:
    """All top-level pieces of a script in order: `docstring`, `imports`, names, calls such as `load_env()`, `__main__`.

    Neighbours of one name are one part: imports, calls of one function. Comments straight above a piece, and its
    decorators, belong to it.
    """
    lines = text.splitlines()
    found: list[Part] = []
    for node in ast.parse(text).body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        while first > 1 and lines[first - 2].startswith("#"):
            first -= 1
        part = Part(_name(node, is_first=not found), first, node.end_lineno or node.lineno)
        if found and part.name == found[-1].name:
            part = Part(part.name, found.pop().first, part.last)
        found.append(part)
    return found


def _name(node: ast.stmt, is_first: bool) -> str:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return node.name
        case (
            ast.Assign(targets=[ast.Name(id=name)])
            | ast.Assign(targets=[ast.Tuple(elts=[ast.Name(id=name), *_])])
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.AugAssign(target=ast.Name(id=name))
        ):
            return name
        case ast.Import() | ast.ImportFrom():
            return "imports"
        case ast.Expr(value=ast.Constant(value=str())) if is_first:
            return "docstring"
        case ast.Expr(value=ast.Call(func=function)):
            return f"{ast.unparse(function)}()"
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return "__main__"
        case ast.If(test=test):
            return f"if {ast.unparse(test)}"
        case ast.For(target=target):
            return f"for {ast.unparse(target)}"
        case ast.Try():
            return "try"
        case ast.With():
            return "with"
    return f"line {node.lineno}"


def find(text: str, wanted: str) -> str:
    """The source of one part (`agent_loop`), a method (`Agent.run`) or a range (`imports..client`), dedented.

    Raises SiteError with the names there are when `wanted` is not one of them.
    """
    first, _, last = wanted.partition("..")
    start, end = _locate(text, first), _locate(text, last or first)
    if end.last < start.first:
        raise SiteError(f"`{wanted}`: {last} comes before {first}")
    lines = text.splitlines()[start.first - 1 : end.last]
    margin = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[margin:] for line in lines)


def unchanged(text: str) -> str:
    """What a script shows as taken over from the lessons before it: all between its two marks.

    Raises SiteError when it has no such marks.
    """
    block = re.search(r"^# ---- as in .+, unchanged\n(.*?)^# ---- new from here\n", text, re.MULTILINE | re.DOTALL)
    if not block:
        raise SiteError("the script has no block between `# ---- as in ..., unchanged` and `# ---- new from here`")
    return block[1].strip("\n")


def _locate(text: str, name: str) -> Part:
    owner, _, method = name.partition(".")
    if method:
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.name == owner:
                for inner in node.body:
                    if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) and inner.name == method:
                        first = min([inner.lineno, *(d.lineno for d in inner.decorator_list)])
                        return Part(name, first, inner.end_lineno or first)
    known = parts(text)
    for part in known:
        if part.name == name:
            return part
    raise SiteError(f"no `{name}` there; it has {', '.join(part.name for part in known)}")
