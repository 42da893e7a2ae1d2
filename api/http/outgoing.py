"""Calls that this server makes to others: hooks, senders of text messages, judges of captchas, sign-in providers.

One client with kept connections for the whole backend, opened with the first call; redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

LARGEST_REPLY = 1024 * 1024


class OutgoingError(Exception):
    """There is no reply; the text says why."""


class OutgoingTimeout(OutgoingError):
    """There was no reply in time."""


class ReplyTooLarge(OutgoingError):
    """The reply has more bytes than were asked for."""


@dataclass(frozen=True)
class Reply:
    """What came back; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Outgoing:
    """The way out of one backend."""

    def __init__(self) -> None:
        self._client: httpx.AsyncClient | None = None

    async def get(
        self, url: str, *, headers: Mapping[str, str] | None = None, seconds: float, limit: int = LARGEST_REPLY
    ) -> Reply:
        """What is at `url`: at most `limit` bytes, within `seconds`. Raises OutgoingError."""
        return await self._send("GET", url, {"headers": headers}, seconds, limit)

    async def post(
        self,
        url: str,
        *,
        content: bytes | None = None,
        form: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
        seconds: float,
        limit: int = LARGEST_REPLY,
    ) -> Reply:
        """Post bytes or a form and read the reply: at most `limit` bytes, within `seconds`. Raises OutgoingError."""
        call = {"content": content, "data": form, "headers": headers, "auth": auth}
        return await self._send("POST", url, call, seconds, limit)

    async def _send(self, method: str, url: str, call: Mapping[str, Any], seconds: float, limit: int) -> Reply:
        import httpx  # 10 MB that a server which calls nobody has no use for

        try:
            opened = self._opened().stream(method, url, timeout=seconds, **call)
            async with asyncio.timeout(seconds), opened as response:
                body = bytearray()
                async for part in response.aiter_bytes():
                    body += part
                    if len(body) > limit:
                        raise ReplyTooLarge(f"the reply has more than {limit} bytes")
                return Reply(response.status_code, {k.lower(): v for k, v in response.headers.items()}, bytes(body))
        except (TimeoutError, httpx.TimeoutException) as error:
            raise OutgoingTimeout(f"no reply from {url} within {seconds:g} seconds") from error
        except httpx.LocalProtocolError as error:
            # Its text shows the header, which may be a secret.
            raise OutgoingError("the request cannot be written as HTTP") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise OutgoingError(str(error) or type(error).__name__) from error

    async def close(self) -> None:
        """Let the kept connections go."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            import httpx

            # No proxy of the environment, but its authorities (SSL_CERT_FILE).
            self._client = httpx.AsyncClient(trust_env=False, verify=httpx.create_ssl_context())
        return self._client
