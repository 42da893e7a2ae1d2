"""What an endpoint answers: a status, headers, and bytes at once or as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache

import orjson

from minato.http.asgi import JSON, Header, Send, send_response

UNSAYABLE = bytes([*range(9), *range(10, 32), 127])


@dataclass
class Reply:
    """With a `stream` the headers hold the Content-Length; a `bodiless` reply sends none of its bytes."""

    status: int = 200
    headers: list[Header] = field(default_factory=list)
    body: bytes = b""
    stream: AsyncIterator[bytes] | None = None

    async def send(self, send: Send) -> None:
        """Send it over ASGI."""
        if self.stream is None:
            await send_response(send, self.status, self.headers, self.body)
            return
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        async for chunk in self.stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def send_head(self, send: Send) -> None:
        """Send it without its body; the Content-Length stays that of the object."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": b""})


def json_reply(value: object, headers: list[Header] | None = None) -> Reply:
    """`value` as JSON, its fields in their order; times must have been rendered."""
    return Reply(200, [JSON, *(headers or [])], orjson.dumps(value))


def iso_time(time: datetime | None) -> str | None:
    """ISO with three decimals and Z, as JavaScript writes a Date."""
    if time is None:
        return None
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@lru_cache(maxsize=1024)
def http_time(time: datetime) -> str:
    """The date format of HTTP headers."""
    return format_datetime(time.astimezone(UTC).replace(microsecond=0), usegmt=True)


def encode_headers(headers: dict[str, str | None]) -> list[Header]:
    """Headers for the wire, without those that are None."""
    return [(name.encode(), encode_value(value)) for name, value in headers.items() if value is not None]


def encode_value(value: str) -> bytes:
    """A header's value; what Latin-1 can't say is left out, line breaks and other control characters with it."""
    return value.encode("latin-1", "ignore").translate(None, UNSAYABLE)
