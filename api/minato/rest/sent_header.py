"""Whether a header that SQL code chose can be sent as it is."""

from __future__ import annotations

import re

TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")


def is_sendable(name: str, value: object) -> bool:
    """A name of HTTP's letters with a text; a line break in either would begin a header of its own.

    >>> is_sendable("X-A", "b"), is_sendable("X-A\\n", "b"), is_sendable("X-A", 1)
    (True, False, False)
    """
    return bool(TOKEN.fullmatch(name)) and isinstance(value, str) and value.isprintable()
