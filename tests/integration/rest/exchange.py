"""One request and what must come back, as a row of a table. `behaviours` are ids of docs/data-api-behaviours.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

ANYTHING: Any = object()


@dataclass(frozen=True)
class Exchange:
    """`request` is "METHOD /path"; `body` is JSON, or text as it is. Of `headers` only the named ones are compared;
    None is a header that must be absent. `code` stands for an error with that code."""

    behaviours: str
    request: str
    expected: Any = ANYTHING
    status: int = 200
    body: Any = None
    sent: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str | None] = field(default_factory=dict)
    code: str | None = None

    def __str__(self) -> str:
        return f"{self.behaviours} {self.request}"


async def hold(client: httpx.AsyncClient, exchange: Exchange) -> None:
    """Send it and compare."""
    method, _, path = exchange.request.partition(" ")
    content = exchange.body if isinstance(exchange.body, str | bytes) else None
    json = None if content is not None else exchange.body
    sent = {"content-type": "application/json", **exchange.sent} if content is not None else exchange.sent
    address = (
        quote(path, safe="/?&=%.,:;()!*'\"@<>{}[]|+-_~\\$ ") if path.isascii() else quote(path, safe="/?&=%.,:()!*")
    )
    answer = await client.request(method, address, content=content, json=json, headers=sent)
    assert answer.status_code == exchange.status, answer.text
    shown = {name: answer.headers.get(name) for name in exchange.headers}
    assert shown == dict(exchange.headers)
    if exchange.code is not None:
        assert answer.json()["code"] == exchange.code, answer.text
    if exchange.expected is not ANYTHING:
        assert (answer.text if isinstance(exchange.expected, str) else answer.json()) == exchange.expected
