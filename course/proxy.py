"""A recording proxy to the real API: an `answer` for `create_app` that asks upstream and passes on what comes.

    create_app(Proxy("https://api.anthropic.com"), observe)

Bodies go through unchanged, a stream chunk by chunk as it arrives. The credential in the headers is passed on and kept
nowhere. Proxies and certificates are those of the environment (HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE), as in the SDK,
which uses the same HTTP library.
"""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import httpx2

from . import i18n, mask
from .env import is_loopback
from .standin.core import Chunk, Reset, Response

_ = i18n.translator("wire")

# Belong to one connection (RFC 9110, 7.6.1), or are made anew by the library here.
_HOP_BY_HOP = {
    "connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade", "host", "content-length", "accept-encoding",
}  # fmt: skip
# No limit for an answer: the SDK has its own, and closes the connection then.
_TIMEOUT = httpx2.Timeout(None, connect=10.0)


class Proxy:
    """Forward every request to `upstream`, the base URL of the API as the SDK would have used it."""

    def __init__(self, upstream: str) -> None:
        self.upstream = upstream.rstrip("/")
        self.host = host(self.upstream)
        self._client: httpx2.AsyncClient | None = None

    async def __call__(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Response:
        client = self._client
        if client is None:
            try:
                # Certificates are the environment's in any case; a proxy cannot reach the loopback of this machine.
                client = httpx2.AsyncClient(
                    timeout=_TIMEOUT, verify=httpx2.create_ssl_context(), trust_env=not is_loopback(self.upstream)
                )
            except (ImportError, ValueError, OSError) as error:  # such as a SOCKS proxy, a missing certificate file
                return self._failed(mask.masked(str(error)))
            self._client = client
        # The request's id is our server's own; the API gives its own.
        sent = {name: value for name, value in headers.items() if name not in _HOP_BY_HOP and name != "request-id"}
        # What is recorded is to be read; and compressing the few kilobytes of a reply saves nothing.
        sent["accept-encoding"] = "identity"
        try:
            request = client.build_request(method, self.upstream + path, headers=sent, content=body)
            answer = await client.send(request, stream=True)
        except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError, ValueError) as error:
            return self._failed(_reason(error))
        kept = {
            name: value
            for name, value in answer.headers.items()
            if name not in _HOP_BY_HOP and name != "content-encoding"
        }
        if not answer.headers.get("content-type", "").startswith("text/event-stream"):
            try:
                return Response(answer.status_code, kept, (await answer.aread(),))
            except (httpx2.HTTPError, OSError):
                return Response(0, {}, [Reset()])
            finally:
                await answer.aclose()
        return Response(answer.status_code, kept, _pass_on(answer))

    def _failed(self, reason: str) -> Response:
        """A 502 in the API's envelope: the SDK shows its sentence, after the retries that a broken network deserves."""
        text = _("{host} could not be reached from here: {reason}").format(host=self.host, reason=reason)
        error = {"type": "error", "error": {"type": "api_error", "message": text}}
        headers = {"content-type": "application/json"}
        return Response(502, headers, (json.dumps(error, ensure_ascii=False).encode("utf-8", "replace"),))


def host(url: str) -> str:
    """The host name in a URL, "?" if it has none. Never the rest: an address may hold a password."""
    try:
        return urlsplit(url).hostname or "?"
    except ValueError:
        return "?"


async def _pass_on(answer: httpx2.Response) -> AsyncIterator[Chunk]:
    try:
        async for chunk in answer.aiter_bytes():
            yield chunk
    except (httpx2.HTTPError, OSError):
        yield Reset()  # broken there, broken here
    finally:
        # Also when the client has left: reading on would cost tokens for nobody.
        await asyncio.shield(answer.aclose())


def _reason(error: Exception) -> str:
    """The innermost cause: the outer ones say only "connection failed"."""
    while (cause := error.__cause__ or error.__context__) is not None and isinstance(cause, Exception):
        error = cause
    return mask.masked(str(error)) or type(error).__name__
