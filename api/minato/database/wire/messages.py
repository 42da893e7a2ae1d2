"""The messages of PostgreSQL's protocol (version 3) that a request needs, as bytes. Pure; chapter 54 of the manual."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from struct import pack

Value = str | bytes | None
Row = list[bytes | None]

SYNC = b"S\x00\x00\x00\x04"
EXECUTE_ALL = b"E\x00\x00\x00\x09\x00\x00\x00\x00\x00"
TEXT, BINARY = b"\x00\x00", b"\x00\x01"
_SHORT = struct.Struct("!h")
_LONG = struct.Struct("!i")
_length_at = _LONG.unpack_from
NULL = b"\xff\xff\xff\xff"


def parse(name: bytes, text: str) -> bytes:
    """Prepare `text` under `name`; PostgreSQL infers the types of its parameters."""
    return _message(b"P", name + b"\x00" + _text(text) + b"\x00\x00\x00")


def close(name: bytes) -> bytes:
    """Forget the prepared statement; no error when there is none."""
    return _message(b"C", b"S" + name + b"\x00")


def bind(name: bytes, values: Sequence[Value], result_formats: bytes) -> bytes:
    """Give the prepared statement its parameters: text as text, bytes in binary format."""
    types = [*map(type, values)]
    formats = b"\x00\x00"
    if bytes in types:
        formats = pack("!h", len(values)) + b"".join([BINARY if each is bytes else TEXT for each in types])
    parts = [b"\x00", name, b"\x00", formats, pack("!H", len(values))]
    for value in values:
        if value is None:
            parts.append(NULL)
        else:
            raw = value.encode("utf-8", "replace") if isinstance(value, str) else value
            parts += (_LONG.pack(len(raw)), raw)
    parts.append(result_formats)
    return _message(b"B", b"".join(parts))


def bind_ready(name: bytes, parameters: bytes, result_formats: bytes) -> bytes:
    """The same with parameters that are bytes already: their count, then each with its size."""
    return b"".join(
        (
            b"B",
            _LONG.pack(len(name) + len(parameters) + len(result_formats) + 6),
            b"\x00",
            name,
            b"\x00",
            parameters,
            result_formats,
        )
    )


def parameter_count(count: int) -> bytes:
    """What stands before so many parameters that are all text."""
    return pack("!hH", 0, count)


def sized(value: bytes) -> bytes:
    """One parameter.

    >>> sized(b"anon")
    b'\\x00\\x00\\x00\\x04anon'
    """
    return _LONG.pack(len(value)) + value


def texts(values: Iterable[str]) -> bytes:
    """Parameters that are text."""
    return b"".join([sized(_text(value)) for value in values])


def query(text: str) -> bytes:
    """A simple query: several statements in a text, no parameters."""
    return _message(b"Q", _text(text) + b"\x00")


def command_complete(tag: bytes) -> bytes:
    """What PostgreSQL says at the end of a command."""
    return _message(b"C", tag + b"\x00")


def formats(*codes: bytes) -> bytes:
    """The formats of a result's columns, for `bind`; one code stands for all."""
    return pack("!h", len(codes)) + b"".join(codes)


def data_row(data: bytes, position: int) -> Row:
    """The columns of a DataRow whose content begins at `position`."""
    (count,) = _SHORT.unpack_from(data, position)
    position += 2
    row: Row = []
    for _ in range(count):
        (length,) = _length_at(data, position)
        position += 4
        if length < 0:
            row.append(None)
        else:
            row.append(data[position : position + length])
            position += length
    return row


def error_fields(content: bytes) -> dict[str, str]:
    """The fields of an ErrorResponse by their letter: C is the SQLSTATE, M the message, D detail, H hint.

    >>> error_fields(b"SERROR\\x00C42P01\\x00Mno such table\\x00\\x00")
    {'S': 'ERROR', 'C': '42P01', 'M': 'no such table'}
    """
    fields = (field.decode("utf-8", "replace") for field in content.split(b"\x00") if field)
    return {field[0]: field[1:] for field in fields}


def _message(kind: bytes, content: bytes) -> bytes:
    return kind + _LONG.pack(len(content) + 4) + content


def _text(value: str) -> bytes:
    return value.encode("utf-8", "replace")
