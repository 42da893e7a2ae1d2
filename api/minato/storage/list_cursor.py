"""Where a page of the second listing begins: the last name of the page before, and the order it was in."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from datetime import datetime

from minato.storage.errors import invalid_parameter

LINES = {"l": "after", "o": "order", "c": "column", "a": "after_time"}
COLUMNS = ("name", "updated_at", "created_at")
ORDERS = ("asc", "desc")


@dataclass(frozen=True)
class Cursor:
    """`after` is empty on the first page; `after_time` is set for an order by time."""

    after: str = ""
    order: str = "asc"
    column: str = "name"
    after_time: str | None = None

    def encode(self) -> str:
        """The text a client sends back."""
        lines = [f"{letter}:{value}" for letter, name in LINES.items() if (value := getattr(self, name))]
        return base64.b64encode("\n".join(lines).encode()).decode()


def parse_cursor(text: str) -> Cursor:
    """Read a cursor. Raises InvalidParameter.

    >>> parse_cursor(Cursor("a/b.txt", "desc").encode())
    Cursor(after='a/b.txt', order='desc', column='name', after_time=None)
    """
    try:
        lines = base64.b64decode(text, validate=True).decode().split("\n")
        found = {LINES[line[:1]]: line[2:] for line in lines if line[1:2] == ":"}
        cursor = Cursor(**found)
        if cursor.after_time is not None:
            datetime.fromisoformat(cursor.after_time)
    except (ValueError, KeyError):
        raise invalid_parameter("continuation token") from None
    if not cursor.after or cursor.order not in ORDERS or cursor.column not in COLUMNS:
        raise invalid_parameter("continuation token")
    return cursor
