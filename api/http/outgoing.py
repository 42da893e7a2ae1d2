"""Calls that this server makes to others: hooks, senders of text messages, judges of captchas.

One client with kept connections for the whole backend, opened with the first call; redirects are not followed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

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
        import httpx  # 10 MB that a server which calls nobody has no use for

        call = {"content": content, "data": form, "headers": headers, "auth": auth, "timeout": seconds}
        try:
            async with asyncio.timeout(seconds), self._opened().stream("POST", url, **call) as response:  # type: ignore[arg-type]
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

            self._client = httpx.AsyncClient(trust_env=False)
        return self._client
