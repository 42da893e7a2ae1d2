"""A request's body → the JSON the database expands, and the columns it names.

JSON is read here only to learn its keys; what the database gets is the caller's own text.
"""

from __future__ import annotations

import csv
import io
import json
import re
from contextlib import suppress
from dataclasses import dataclass

import orjson

from minato.json_text import encode
from minato.rest.errors import invalid_body
from minato.rest.parse.media_type import MediaKind, MediaType
from minato.rest.parse.query_string import split_pairs

BEYOND_DOUBLE = re.compile(r"[eE]\+?\d{3}")
ESCAPED_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
NOT_JSON = "Empty or invalid json"
KEYS_DIFFER = "All object keys must match"
NO_HEADER = 'parse error (not enough input) at ""'
UNEVEN_LINES = "All lines must have same number of fields"


@dataclass(frozen=True)
class Payload:
    """`text` is JSON (or, for `raw`, the body as it came); `keys` are the columns or arguments, in their order.

    `rows` is None when only the database will know. `is_array` tells json_to_recordset from json_to_record.
    """

    text: str
    keys: tuple[str, ...] = ()
    is_array: bool = False
    rows: int | None = 1
    raw: bytes | None = None
    parameters: tuple[tuple[str, str], ...] | None = None


def parse_payload(body: bytes, media: MediaType, columns: tuple[str, ...] | None, for_function: bool) -> Payload:
    """The payload of a POST, PATCH or PUT. Raises PGRST102.

    >>> from minato.rest.parse.media_type import JSON
    >>> parse_payload(b'[{"a":1},{"a":2}]', JSON, None, False).keys
    ('a',)
    """
    if media.kind is MediaKind.JSON:
        text = "{}" if for_function and not body.strip() else _decode(body)
        return _unparsed(text, columns) if columns is not None else _json(text)
    if media.kind is MediaKind.CSV:
        return _csv(_decode(body))
    if media.kind is MediaKind.FORM:
        return _form(body)
    if for_function and media.kind in (MediaKind.TEXT, MediaKind.XML, MediaKind.BYTES):
        return Payload("", raw=body)
    raise invalid_body(f"Content-Type not acceptable: {media.essence}")


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise invalid_body(NOT_JSON) from None


def _unparsed(text: str, columns: tuple[str, ...]) -> Payload:
    return Payload(text, columns, is_array=text.lstrip().startswith("["), rows=None)


def _json(text: str) -> Payload:
    value = _parsed(text)
    if isinstance(value, dict):
        return Payload(text, tuple(value))
    if not isinstance(value, list) or not value:
        return Payload("[]", is_array=True, rows=0)
    first = value[0]
    if not isinstance(first, dict):
        raise invalid_body(KEYS_DIFFER)
    keys = first.keys()
    if not all(isinstance(item, dict) and item.keys() == keys for item in value):
        raise invalid_body(KEYS_DIFFER)
    return Payload(text, tuple(first), is_array=True, rows=len(value))


def _parsed(text: str) -> object:
    try:
        return orjson.loads(text)
    except (orjson.JSONDecodeError, RecursionError):
        if BEYOND_DOUBLE.search(text) and not ESCAPED_SURROGATE.search(text):
            # A number that no double holds is JSON, and PostgreSQL's numeric may hold it.
            with suppress(ValueError, RecursionError):
                return json.loads(text, parse_float=str, parse_constant=_no_json)
        raise invalid_body(NOT_JSON) from None


def _no_json(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


def _csv(text: str) -> Payload:
    try:
        lines = [line for line in csv.reader(io.StringIO(text, newline=""), strict=True) if line]
    except csv.Error as error:
        raise invalid_body(str(error)) from None
    if not lines or (len(lines) == 1 and not text.endswith(("\r", "\n"))):
        raise invalid_body(NO_HEADER)
    header, *records = lines
    if any(len(record) != len(header) for record in records):
        raise invalid_body(UNEVEN_LINES)
    values = [[None if value == "NULL" else value for value in record] for record in records]
    rows = [dict(zip(header, record, strict=True)) for record in values]
    return Payload(encode(rows).decode(), tuple(dict.fromkeys(header)) if rows else (), is_array=True, rows=len(rows))


def _form(body: bytes) -> Payload:
    pairs = tuple((key, value or "") for key, value in split_pairs(body))
    fields = dict(pairs)
    return Payload(encode(fields).decode(), tuple(fields), parameters=pairs)
