"""The statements that every reader and writer of an object waits for, each a command of a flush, and their rows."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from typing import Final

import orjson

from minato.database.identifiers import quote_identifier
from minato.database.wire.messages import Row
from minato.database.wire.session import Command
from minato.storage.objects import UPSERT_KEEPS, StoredObject, Values
from minato.storage.tables import TIME, objects

# A row as one JSON array, in the order of StoredObject's fields.
OBJECT: Final = f"json_build_array({', '.join(f'o.{column.name}' for column in objects.columns)})"
TIMES: Final = tuple(place for place, column in enumerate(objects.columns) if column.type is TIME)

FIND: Final = f"select {OBJECT} from storage.objects o where o.bucket_id = $1 and o.name = $2"
FIND_IN_BUCKET: Final = f"""
select b.public::text, case when o.id is not null then {OBJECT} end
from storage.buckets b left join storage.objects o on o.bucket_id = b.id and o.name = $2
where b.id = $1
"""
LOCK_VERSION = "select o.version from storage.objects o where o.bucket_id = $1 and o.name = $2 for update"
RETURNING = f"returning {OBJECT}"
LOCK_NAME = "select pg_advisory_xact_lock(hashtextextended($1, 0))"


def find(bucket: str, key: str, role: str) -> Command:
    """The object, if `role` sees it."""
    return Command(FIND, [bucket, key], role)


def find_in_bucket(bucket: str, key: str, role: str) -> Command:
    """Whether the bucket is public, and its object; no row without the bucket."""
    return Command(FIND_IN_BUCKET, [bucket, key], role)


def lock_name(bucket: str, key: str, role: str) -> Command:
    """Be alone with the object of this name, whether there is one or not."""
    return Command(LOCK_NAME, [f"{bucket}/{key}"], role)


def lock_version(bucket: str, key: str, role: str) -> Command:
    """The object's version, which stays until the transaction ends."""
    return Command(LOCK_VERSION, [bucket, key], role)


def insert(values: Values, role: str) -> Command:
    """Insert without reading back: uploading needs no right to see."""
    return Command(_insert(tuple(values)), _parameters(values), role)


def insert_absent(values: Values, role: str) -> Command:
    """Insert unless there is one; then no row comes back."""
    text = f"{_insert(tuple(values))} on conflict (name, bucket_id) do nothing {RETURNING}"
    return Command(text, _parameters(values), role)


def upsert(values: Values, role: str) -> Command:
    """Insert or replace; id and created_at survive. The row afterwards."""
    return Command(_upsert(tuple(values)), _parameters(values), role)


def replace(values: Values, tags: Collection[str], role: str) -> Command:
    """Replace the object that has one of the tags, any where there are none; without it no row comes back."""
    known = [_json(sorted(tags))] if tags else []
    return Command(_replace(tuple(values), bool(tags)), [*_parameters(values), *known], role)


@lru_cache(maxsize=100)
def _replace(names: tuple[str, ...], tagged: bool) -> str:
    marks = {name: f"${number}" for number, name in enumerate(names, 1)}
    changes = ", ".join(f"{quote_identifier(name)} = {marks[name]}" for name in names if name not in UPSERT_KEEPS)
    tag = f" and cast(${len(names) + 1} as jsonb) ? (o.metadata ->> 'eTag')" if tagged else ""
    place = f"o.bucket_id = {marks['bucket_id']} and o.name = {marks['name']}{tag}"
    return f"update storage.objects as o set {changes} where {place} {RETURNING}"


@lru_cache(maxsize=100)
def _upsert(names: tuple[str, ...]) -> str:
    changed = [quote_identifier(name) for name in names if name not in UPSERT_KEEPS]
    changes = ", ".join(f"{name} = excluded.{name}" for name in changed)
    return f"{_insert(names)} on conflict (name, bucket_id) do update set {changes} {RETURNING}"


@lru_cache(maxsize=100)
def _insert(names: tuple[str, ...]) -> str:
    columns = ", ".join(map(quote_identifier, names))
    marks = ", ".join(f"${number}" for number in range(1, len(names) + 1))
    return f"insert into storage.objects as o ({columns}) values ({marks})"


def _parameters(values: Values) -> list[str | None]:
    """Metadata are JSON; all else that is written is text."""
    return [value if value is None or isinstance(value, str) else _json(value) for value in values.values()]


def _json(value: object) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        # A copied row may hold integers of more than 64 bits, which only the slow one writes.
        return json.dumps(value)


def read_object(rows: list[Row]) -> StoredObject | None:
    """The object in the last column of the first row."""
    if not rows or (column := rows[0][-1]) is None:
        return None
    values = json.loads(column)
    for place in TIMES:
        if values[place] is not None:
            values[place] = datetime.fromisoformat(values[place])
    return StoredObject(*values)
