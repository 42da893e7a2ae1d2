"""What somebody does with an object, as an attempt that `minato.why` explains."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from minato.database.as_caller import Setting
from minato.storage.errors import StorageError
from minato.why.attempt import Attempt, TableName, Upsert
from minato.why.hints import Hints

OBJECTS: Final = TableName("storage", "objects")
_KEY: Final = ("name", "bucket_id")
_TYPES: Final = {"owner": "uuid", "metadata": "jsonb", "user_metadata": "jsonb"}
_THIS_ONE: Final = "storage.objects.bucket_id = $1::text and storage.objects.name = $2::text"


def upload_attempt(values: Mapping[str, object], upsert: bool, role: str, settings: Sequence[Setting]) -> Attempt:
    """The row of an upload; one that replaces reads what it replaced."""
    placed = {name: f"${place}::text::{_TYPES.get(name, 'text')}" for place, name in enumerate(values, 1)}
    given = tuple(each if each is None or isinstance(each, str) else json.dumps(each) for each in values.values())
    return Attempt(
        command="INSERT",
        table=OBJECTS,
        role=role,
        settings=settings,
        written=placed,
        parameters=given,
        reads=("*",) if upsert else None,
        upsert=Upsert(_KEY, True) if upsert else None,
    )


def object_attempt(bucket: str, key: str, role: str, settings: Sequence[Setting], deletes: bool = False) -> Attempt:
    """To see an object, or to delete it."""
    return Attempt(
        command="DELETE" if deletes else "SELECT",
        table=OBJECTS,
        role=role,
        settings=settings,
        where=_THIS_ONE,
        parameters=(bucket, key),
        reads=("bucket_id", "name"),
    )


async def explained(hints: Hints | None, refusal: StorageError, attempt: Attempt) -> StorageError:
    """The refusal, with what PostgreSQL refused and why where that is told."""
    if hints is not None:
        is_hidden = refusal.code == "NoSuchKey"
        refusal.hint = await (hints.hidden(attempt) if is_hidden else hints.refused(attempt))
    return refusal
