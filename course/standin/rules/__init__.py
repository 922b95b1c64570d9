"""What the API refuses: the rules of the stand-in.

`check_http` looks at a request before its body is read as JSON (key, version, size, betas), `parse_body` reads the body,
`check` looks at the parsed body. Each returns the first refusal in the API's own order, or None. Nothing here does I/O
or raises, whatever the request holds. Pure Python: it runs in a browser too.
"""

from course.standin.rules.request import Refusal, Request

__all__ = ["Refusal", "Request", "check", "check_http", "parse_body"]


def check_http(method: str, path: str, headers: dict[str, str], body: bytes) -> Refusal | None:
    """The refusal of a request for what stands around its body: size, key, version, beta names."""
    return None


def parse_body(body: bytes) -> dict | Refusal:
    """The body as a dict, or the refusal of a body that is no JSON object."""
    import json

    return json.loads(body)


def check(request: Request) -> Refusal | None:
    """The first rule that refuses this request to `/v1/messages` or `/v1/messages/count_tokens`, or None."""
    return None
