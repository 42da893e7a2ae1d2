"""What the one statement of a request gave back, before it is an answer; headers that SQL code chose among it."""

from __future__ import annotations

import re
from typing import NamedTuple

from minato.database.wire.stream import RowStream

Body = bytes | RowStream
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


class QueryResult(NamedTuple):
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


def is_sendable(name: str, value: object) -> bool:
    """Whether the header can be sent as it is: a name of HTTP's letters with a text.

    A line break in either would begin a header of its own.

    >>> is_sendable("X-A", "b"), is_sendable("X-A\\n", "b"), is_sendable("X-A", 1)
    (True, False, False)
    """
    return bool(TOKEN.fullmatch(name)) and isinstance(value, str) and value.isprintable()
