"""What a rule sees (`Request`) and what it answers (`Refusal`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer of the API. `rule` is the catalogue id; `details` goes into `error` beside type and message."""

    rule: str
    status: int
    type: str
    message: str
    details: dict[str, Any] | None = None


class Request:
    """A parsed request. `body` is the JSON object, `headers` have lower-case names, `path` may carry a query."""

    __slots__ = ("body", "count_tokens", "headers", "path", "query", "_merged", "_model")

    def __init__(self, body: dict[str, Any], headers: Mapping[str, str] = {}, path: str = "/v1/messages") -> None:
        self.body = body
        self.headers = headers
        self.path, _, self.query = path.partition("?")
        self.count_tokens = self.path.rstrip("/").endswith("/count_tokens")
        self._merged: list[Any] | None = None
        self._model: Any = None
