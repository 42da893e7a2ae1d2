"""How a request is answered."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from minato.auth.request.context import RequestContext
from minato.auth.wire.json_format import render_json
from minato.auth.wire.redirects import as_header


@dataclass(frozen=True)
class Response:
    """What goes back: a JSON value, nothing at all, or bytes of the type that `headers` tell.

    `later` is work of the request that its answer does not wait for.
    """

    body: Any = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    later: Callable[[RequestContext], Awaitable[Response]] | None = None

    def __post_init__(self) -> None:
        # Here, because once the request is committed it is too late to find that a header cannot be sent.
        if "Location" in self.headers:
            location = as_header(self.headers["Location"])
            object.__setattr__(self, "headers", {**self.headers, "Location": location})

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return b"" if self.body is None else render_json(self.body)


Endpoint = Callable[[RequestContext], Awaitable[Response]]
