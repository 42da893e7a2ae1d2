"""Values in PostgreSQL's text form, as parameters carry them."""

from __future__ import annotations

from collections.abc import Iterable


def array_literal(values: Iterable[str | None]) -> str:
    r"""PostgreSQL's text form of a one-dimensional array.

    >>> array_literal(['a"b', None, ""])
    '{"a\\"b",NULL,""}'
    """
    escaped = ("NULL" if v is None else '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values)
    return "{" + ",".join(escaped) + "}"
