"""Commands that players ask for, and what became of them."""

import json
from typing import Any

from .run import Run, text_of


def bash(command: str) -> tuple[str, dict[str, Any]]:
    return "bash", {"command": command}


def windows(body: dict[str, Any]) -> bool:
    """Is it cmd that runs the commands? The starters' system prompts say so."""
    return "win32" in json.dumps(body.get("system"), ensure_ascii=False)


def output(run: Run, command: str) -> list[str]:
    """What Claude was told about this command, once for each time it asked for it."""
    calls = [call for call in run.calls if call["input"] == {"command": command}]
    return [text_of((run.result(call) or {}).get("content")) for call in calls]
