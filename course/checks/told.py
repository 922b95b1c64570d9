"""Whether Claude was told what was wrong: the same for every exercise in which something fails or is declined."""

import re

# What says that something failed, and nothing of what or why.
_EMPTY_WORDS = frozenset(
    "a an the error err failed failure fail false none null no not ok code exit exception something went wrong tool "
    "call command did work worked it is was result occurred happened during while running fehler fehlgeschlagen "
    "gescheitert ein eine der die das aufruf befehl ist war schief gegangen gelaufen etwas".split()
)
_EMPTY_CHINESE = re.compile("(?:工具|调用|命令|执行|运行|操作|发生|出现|了)*(?:错误|失败|出错|报错|异常)了?")
_EXCEPTION = re.compile(r"\b\w*(?:Error|Exception|Expired|Warning)\b")
# What Python says about a slip in the program itself: no reason that Claude could do anything about.
_SLIP = re.compile(
    r"'\w+' object is not (?:callable|iterable|subscriptable)|name '\w+' is not defined|EOF when reading a line"
    r"|[\w.]*\(\) missing \d+ required positional arguments?: .*|'\w+' object has no attribute '\w+'"
    r"|[\w.]*\(\) got an unexpected keyword argument '\w+'|unsupported operand type\(s\) for .*|can only concatenate .*"
    r"|'[<>=]+' not supported between instances of .*|cannot access local variable '\w+' .*|sequence item \d+: .*"
)
# Not a reason where somebody said no: Claude may take it for a mishap.
_NOT_RUN = re.compile(
    r"(?i)\b(?:was )?(?:not|nicht) (?:run|executed|booked|created|ausgeführt|gelaufen)\b|[未没]有?(?:被)?(?:执行|运行)"
)


def is_slip(content: str) -> bool:
    """Whether a result is what Python says about a slip in the tool itself, with or without the exception's name."""
    return bool(_SLIP.fullmatch(re.sub(r"^(?:\w*Error: )+", "", content)))


def says_no(content: str, *known: str) -> bool:
    """Whether a result says that somebody declined, or why: more than `says_why`, for which "not run" will do."""
    return says_why(_NOT_RUN.sub(" ", content), *known)


def says_why(content: str, *known: str) -> bool:
    """Whether a result holds more than "Error", "failed", the name of an exception, or what Claude knew before.

    Args:
        content: the text of the result.
        known: what Claude said itself, such as the name of the tool that it called.
    """
    for text in known:
        content = content.replace(text, " ")
    content = _EMPTY_CHINESE.sub(" ", _EXCEPTION.sub(" ", _SLIP.sub(" ", content)))
    return any(word.lower() not in _EMPTY_WORDS for word in re.findall(r"[^\W\d_]+", content))
