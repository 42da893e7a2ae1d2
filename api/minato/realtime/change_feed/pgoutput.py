"""Decodes pgoutput, version 1: the messages of PostgreSQL's logical replication protocol, with text tuples.

https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html. It keeps what the stream says once
(relations, the transaction under way) and makes each row message a `Change`.
"""

from __future__ import annotations

import struct
from datetime import UTC, datetime, timedelta

from minato.realtime.change_feed.base import Action, Change, Column, Mark, Relation, Row, Told

POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
FULL = b"f"
# Of messages that are put into the log by hand, ours begin so.
MARKS = "minato"


class ProtocolError(Exception):
    """Bytes that are not pgoutput as we asked for it; the stream can't be trusted any further."""


class Reader:
    """Takes a message apart, field by field."""

    __slots__ = ("_data", "_position")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._position = 0

    def number(self, layout: str) -> int:
        """The next integer; `layout` is a struct format of one big-endian field."""
        try:
            (value,) = struct.unpack_from(layout, self._data, self._position)
        except struct.error as error:
            raise ProtocolError("a message ends too early") from error
        self._position += struct.calcsize(layout)
        return int(value)

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        end = self._position + count
        if count < 0 or end > len(self._data):
            raise ProtocolError("a message ends too early")
        taken = self._data[self._position : end]
        self._position = end
        return taken

    def string(self) -> str:
        """The next zero-terminated string."""
        end = self._data.find(b"\0", self._position)
        if end < 0:
            raise ProtocolError("a string has no end")
        text = self._data[self._position : end].decode()
        self._position = end + 1
        return text


class PgOutputDecoder:
    """Turns the messages of one replication stream, in order, into changes."""

    def __init__(self) -> None:
        self._relations: dict[int, tuple[Relation, bool]] = {}
        self._lsn = 0
        self._xid = 0
        self._committed_at = POSTGRES_EPOCH

    def decode(self, message: bytes) -> Told | None:
        """What `message` tells of; None for messages that only prepare others. Raises ProtocolError."""
        reader = Reader(message)
        match reader.take(1):
            case b"B":
                self._begin(reader)
            case b"R":
                self._relation(reader)
            case b"I" | b"U" | b"D" as kind:
                return self._change(kind, reader, len(message))
            case b"M":
                return _mark(reader)
            case b"C" | b"O" | b"Y" | b"T":
                pass  # commit, origin, type, truncate: nothing a subscriber hears of
            case kind:
                raise ProtocolError(f"unknown message {kind!r}")
        return None

    def _begin(self, reader: Reader) -> None:
        self._lsn = reader.number(">Q")
        self._committed_at = POSTGRES_EPOCH + timedelta(microseconds=reader.number(">q"))
        self._xid = reader.number(">I")

    def _relation(self, reader: Reader) -> None:
        oid = reader.number(">I")
        schema, table = reader.string() or "pg_catalog", reader.string()
        identity = reader.take(1)
        columns = tuple(_column(reader) for _ in range(reader.number(">H")))
        self._relations[oid] = (Relation(oid, schema, table, columns), identity == FULL)

    def _change(self, kind: bytes, reader: Reader, size: int) -> Change:
        known = self._relations.get(reader.number(">I"))
        if known is None:
            raise ProtocolError("a row of a relation that was never described")
        relation, is_full = known
        old, record = _tuples(reader, relation, with_new=kind != b"D")
        match kind:
            case b"I":
                action, old = Action.INSERT, None
            case b"U":
                action = Action.UPDATE
                old, record = _complete(relation, is_full, old, record or {})
            case _:
                action = Action.DELETE
        return Change(relation, action, record, old, self._xid, self._lsn, self._committed_at, size)


def _mark(reader: Reader) -> Mark | None:
    reader.take(9)  # flags, and where it is in the log
    prefix, length = reader.string(), reader.number(">I")
    return Mark(reader.take(length).decode("utf-8", "replace")) if prefix == MARKS else None


def _column(reader: Reader) -> Column:
    flags = reader.number(">B")
    name, type_oid = reader.string(), reader.number(">I")
    reader.number(">i")  # the type modifier: values are complete text without it
    return Column(name, type_oid, bool(flags & 1))


def _tuples(reader: Reader, relation: Relation, with_new: bool) -> tuple[Row | None, Row | None]:
    """The old and the new row of a message; old rows by key ('K') hold only the identity columns."""
    marker, old = reader.take(1), None
    if marker in (b"K", b"O"):
        old = _row(reader, relation, only_identity=marker == b"K")
        marker = reader.take(1) if with_new else b""
    if not with_new:
        return old, None
    if marker != b"N":
        raise ProtocolError("a change without its new row")
    return old, _row(reader, relation, only_identity=False)


def _row(reader: Reader, relation: Relation, only_identity: bool) -> Row:
    if reader.number(">H") != len(relation.columns):
        raise ProtocolError("a row with another number of columns than its relation")
    row: dict[str, str | None] = {}
    for column in relation.columns:
        match reader.take(1):
            case b"t":
                value: str | None = reader.take(reader.number(">I")).decode()
            case b"n":
                value = None
            case b"u":
                continue  # an unchanged TOASTed value is not in the log
            case kind:
                raise ProtocolError(f"unknown kind of value {kind!r}")
        if column.is_identity or not only_identity:
            row[column.name] = value
    return row


def _complete(relation: Relation, is_full: bool, old: Row | None, record: Row) -> tuple[Row, Row]:
    """Both rows of an UPDATE: the log leaves out an unchanged key, and unchanged TOASTed values of the new row."""
    if is_full and old is not None:
        return old, {**{c.name: old[c.name] for c in relation.columns if c.name in old}, **record}
    if old is None:
        old = {c.name: record[c.name] for c in relation.columns if c.is_identity and c.name in record}
    return old, record
