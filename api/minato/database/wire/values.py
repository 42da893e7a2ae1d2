"""Values in PostgreSQL's text form: Python's to what a command is sent with, and back by the type of their column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import types
from sqlalchemy.types import TypeEngine

from minato.database.identifiers import array_literal

Decode = Callable[[bytes], object]
_ELEMENT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"|([^,{}"]+)', re.S)
# What asyncpg makes of them: a moment that every other one is before, or after.
_ENDLESS: Final = {"infinity": datetime.max, "-infinity": datetime.min}


def as_text(value: object) -> str | None:
    r"""`value` as PostgreSQL reads it; a list is an array of one dimension.

    >>> as_text(True), as_text(7), as_text(b"\x01a"), as_text(["a", None])
    ('t', '7', '\\x0161', '{"a",NULL}')
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return f"\\x{value.hex()}"
    if isinstance(value, list | tuple):
        return array_literal(map(as_text, value))
    return str(value)


def as_moment(text: str) -> datetime:
    """A timestamp, with its zone if it has one.

    >>> as_moment("2026-08-20 10:54:52.12+00").isoformat()
    '2026-08-20T10:54:52.120000+00:00'
    """
    endless = _ENDLESS.get(text)
    return datetime.fromisoformat(text) if endless is None else endless.replace(tzinfo=UTC)


def array_elements(text: str) -> list[str | None]:
    r"""The elements of an array of one dimension.

    >>> array_elements('{a,"b \\"c\\"",NULL,"NULL",""}')
    ['a', 'b "c"', None, 'NULL', '']
    """
    found: list[str | None] = []
    for match in _ELEMENT.finditer(text):
        plain = match[2]
        if plain is None:
            found.append(re.sub(r"\\(.)", r"\1", match[1], flags=re.S))
        else:
            found.append(None if plain == "NULL" else plain)
    return found


def decoder(kind: TypeEngine[Any]) -> Decode:
    """How a column of `kind` is read."""
    for known, decode in _DECODERS:
        if isinstance(kind, known):
            return decode
    return bytes.decode


def row_decoder(kinds: Iterable[TypeEngine[Any]]) -> Callable[[list[bytes | None]], tuple[object, ...]]:
    """How a row with columns of `kinds` is read."""
    decoders = tuple(map(decoder, kinds))

    def decode(row: list[bytes | None]) -> tuple[object, ...]:
        pairs = zip(decoders, row, strict=True)
        return tuple([None if raw is None else decode(raw) for decode, raw in pairs])

    return decode


def _moment(raw: bytes) -> datetime:
    return as_moment(raw.decode())


_DECODERS: Final[tuple[tuple[type[TypeEngine[Any]], Decode], ...]] = (
    (types.JSON, json.loads),
    (types.Uuid, lambda raw: UUID(raw.decode())),
    (types.DateTime, _moment),
    (types.Boolean, lambda raw: raw == b"t"),
    (types.Integer, int),
    (types.LargeBinary, lambda raw: bytes.fromhex(raw[2:].decode())),
    (types.ARRAY, lambda raw: array_elements(raw.decode())),
)
