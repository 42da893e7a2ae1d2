"""The one place where a name becomes SQL. Values never come here: they are always parameters."""

from __future__ import annotations


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
