"""The API's own tools that the client runs: offered by type alone, so their inputs are known from the documentation.

Sources: https://platform.claude.com/docs/en/agents-and-tools/tool-use/ (bash-tool, text-editor-tool, memory-tool)
"""

from typing import Any

_COMMANDS = ["view", "create", "str_replace", "insert"]
_EDITS: dict[str, Any] = {
    "file_text": {"type": "string"},
    "old_str": {"type": "string"},
    "new_str": {"type": "string"},
    "insert_line": {"type": "integer"},
    "insert_text": {"type": "string"},
    "view_range": {"type": "array", "items": {"type": "integer"}},
}


def _files(commands: list[str]) -> dict[str, Any]:
    known = {"command": {"type": "string", "enum": commands}, "path": {"type": "string"}, **_EDITS}
    return {"type": "object", "properties": known, "required": ["command", "path"]}


INPUTS: dict[str, tuple[str, dict[str, Any]]] = {  # by the beginning of the type: description, schema of the input
    "bash_": (
        "Runs commands in a bash shell",
        {
            "type": "object",
            "properties": {"command": {"type": "string"}, "restart": {"type": "boolean"}},
            "required": ["command"],
        },
    ),
    "text_editor_": ("Views, creates and changes text files", _files(_COMMANDS)),
    "memory_": ("Keeps notes in files below /memories", _files([*_COMMANDS, "delete", "rename"])),
}


def described(tool: dict[str, Any]) -> dict[str, Any]:
    """Return a tool of the API's own as if it had been written out: with `description` and `input_schema`.

    Any other tool is returned as it is.
    """
    kind = tool.get("type")
    if "input_schema" in tool or not isinstance(kind, str):
        return tool
    for beginning, (description, schema) in INPUTS.items():
        if kind.startswith(beginning):
            return {**tool, "description": description, "input_schema": schema}
    return tool
