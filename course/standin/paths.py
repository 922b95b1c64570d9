"""Which paths the stand-in plays, and what it says of the others."""

import re

PLAYED = "POST /v1/messages, POST /v1/messages/count_tokens, GET /v1/models and GET /v1/models/{model_id}"
POST = ("/v1/messages", "/v1/messages/count_tokens")

# What of the API begins with which path: anthropic 2.14, resources/.
OTHER_PARTS = {
    "/v1/messages/batches": "the Message Batches API",
    "/v1/files": "the Files API",
    "/v1/skills": "the Skills API",
    "/v1/agents": "the Managed Agents API",
    "/v1/environments": "the Managed Agents API",
    "/v1/sessions": "the Managed Agents API",
    "/v1/vaults": "the Managed Agents API",
    "/v1/memory_stores": "the Managed Agents API",
    "/v1/organizations": "the Admin API",
    "/v1/complete": "the Text Completions API, which came before Messages",
    "/v1/chat/completions": "the endpoint for OpenAI's SDK",
    "/v1/responses": "a path of OpenAI's API",
}


def method_of(place: str) -> str | None:
    """The method that a path (without query) takes, or None if the stand-in does not play it."""
    if place in POST:
        return "POST"
    return "GET" if place == "/v1/models" or place.startswith("/v1/models/") else None


def not_played(method: str, place: str) -> str:
    """The sentences of the 404 for a path that is not played: what it is, and what there is instead."""
    shown = f"{method} {place[:100]}"
    meant = re.sub("/+", "/", place).rstrip("/").replace("/v1/v1/", "/v1/")
    if not method_of(meant):
        meant = "/v1" + meant
    if method_of(meant):
        return f"There is no {shown}: the path is {meant}. The base URL of an SDK ends before /v1, without a slash."
    for start, what in OTHER_PARTS.items():
        if place == start or place.startswith(start + "/"):
            return f"{shown} is {what}, which this stand-in does not play. It plays {PLAYED}."
    return f"There is no {shown} here: this is the stand-in for the Claude API from a course. It plays {PLAYED}."
