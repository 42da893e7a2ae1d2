"""What the one statement of a request gave back, before it is an answer."""

from __future__ import annotations

from dataclasses import dataclass

from minato.database.wire.stream import RowStream

Body = bytes | RowStream


@dataclass(frozen=True)
class QueryResult:
    """What came back; a large `body` may still be arriving.

    `total` is None when nobody counted; `inserted` when nothing could be updated.
    """

    total: int | None = None
    page_total: int = 0
    body: Body = b""
    response_headers: str | None = None
    response_status: str | None = None
    location: tuple[str, ...] = ()
    inserted: int | None = None
