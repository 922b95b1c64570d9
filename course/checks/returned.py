"""What the SDK's tool runner made of a tool's return value: it takes a string, or a list of content blocks."""

import re

from .refusals import api
from .run import Run, results, text_of
from .verdict import Verdict, fail, place, shortened


def bad_return(run: Run) -> Verdict | None:
    """A tool that returned None, a dict (of which only the keys are sent), a list of anything, or a number."""
    look = place(run, r"^\s+return (?!runner|client|reply|all)", r"@beta_tool", r"def ")
    for sent in run.sent:
        words = api(sent) if sent.status != 200 else ""
        for block in results(sent.body):
            content = block.get("content")
            if content is None and "content" in block:
                return fail("returned_none", api=words, line=place(run, r"@beta_tool", r"def "))
            if isinstance(content, list) and not all(isinstance(one, dict) and one.get("type") for one in content):
                case = "block" if content == ["type", "text"] else ""
                return fail("returned_list", case, content=shortened(str(content), 120), api=words, line=look)
            if block.get("is_error") and re.search("'\\w+' object is not iterable", text_of(content)):
                return fail("returned_other", content=shortened(text_of(content), 120), line=look)
    return None
