"""/v1/models and /v1/models/{id}. Source of the fields: anthropic/types/model_info.py in the Python SDK 2.14."""

import datetime
from typing import Any
from urllib.parse import parse_qs

from course import models
from course.standin.rules import Refusal

PAGE = 20  # models, when a request names no limit
MAX_PAGE = 1000


def page(query: str) -> dict[str, Any] | Refusal:
    """The list, newest first, as the query's `limit`, `after_id` and `before_id` ask for it."""
    asked = {key: values[-1] for key, values in parse_qs(query).items()}
    limit = asked.get("limit", str(PAGE))
    if not (limit.isascii() and limit.isdigit() and len(limit) < 6 and 1 <= int(limit) <= MAX_PAGE):
        return _invalid(f"limit: Input should be an integer from 1 to {MAX_PAGE}")
    count = int(limit)
    rows = models.all_models()
    names = [row.id for row in rows]
    for key in ("after_id", "before_id"):
        if key in asked and asked[key] not in names:
            return _invalid(f"{key}: there is no model {asked[key]}")
    if "before_id" in asked:
        rest = rows[: names.index(asked["before_id"])]
        shown = rest[-count:]
    else:
        rest = rows[names.index(asked["after_id"]) + 1 :] if "after_id" in asked else rows
        shown = rest[:count]
    return {
        "data": [info(row) for row in shown],
        "has_more": len(rest) > len(shown),
        "first_id": shown[0].id if shown else None,
        "last_id": shown[-1].id if shown else None,
    }


def one(name: str) -> dict[str, Any] | Refusal:
    """The model of this id or alias."""
    model = models.find(name)
    return info(model) if model else Refusal("model_not_found", 404, "not_found_error", f"model: {name}")


def info(model: models.Model) -> dict[str, Any]:
    """A model as the API describes it. What the stand-in cannot do (server tools) is said to be unsupported."""
    levels = ("low", "medium", "high", "xhigh", "max")
    kinds = ("adaptive", "between_tools", "disabled", "enabled")
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name,
        "created_at": _midnight(model.released),
        "line": model.line,
        "lifecycle": "deprecated" if model.deprecated else "active",
        "deprecated_at": _midnight(model.deprecated),
        "retires_at": _midnight(model.retires),
        "max_input_tokens": model.window,
        "max_tokens": model.max_output,
        "capabilities": {
            "batch": _support(False),
            "citations": _support(False),
            "code_execution": _support(False),
            "context_management": _support(False),
            "effort": _support(bool(model.effort)) | {level: _support(level in model.effort) for level in levels},
            "image_input": _support(True),
            "pdf_input": _support(True),
            "server_tools": _support(False) | {"code_execution": _support(False), "web_search": _support(False)},
            "structured_outputs": _support(True),
            "thinking": _support(True) | {"types": {kind: _support(kind in model.thinking) for kind in kinds}},
        },
    }


def _support(supported: bool) -> dict[str, Any]:
    return {"supported": supported}


def _midnight(day: datetime.date | None) -> str | None:
    return f"{day}T00:00:00Z" if day else None


def _invalid(message: str) -> Refusal:
    return Refusal("query", 400, "invalid_request_error", message)
