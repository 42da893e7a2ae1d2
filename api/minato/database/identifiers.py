"""The one place where a name becomes SQL. Values never do: they are parameters, lists in PostgreSQL's text form."""

from __future__ import annotations

from collections.abc import Iterable


def quote_identifier(name: str) -> str:
    """`name` as a quoted identifier.

    >>> quote_identifier('we"ird')
    '"we""ird"'
    """
    if "\x00" in name:
        raise ValueError("an identifier can't contain a NUL character")
    return '"' + name.replace('"', '""') + '"'


def quote_qualified(schema: str, name: str) -> str:
    """`schema.name`, both quoted.

    >>> quote_qualified("public", "cars")
    '"public"."cars"'
    """
    return f"{quote_identifier(schema)}.{quote_identifier(name)}"


def quote_dotted(name: str) -> str:
    """`schema.function` of a setting with each part quoted."""
    return ".".join(quote_identifier(part) for part in name.split("."))


def array_literal(values: Iterable[str | None]) -> str:
    r"""PostgreSQL's text form of a one-dimensional array.

    >>> array_literal(['a"b', None, ""])
    '{"a\\"b",NULL,""}'
    """
    escaped = ("NULL" if v is None else '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"' for v in values)
    return "{" + ",".join(escaped) + "}"
