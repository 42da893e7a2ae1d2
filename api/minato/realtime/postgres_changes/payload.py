"""How one change looks to one role: the `data` of a `postgres_changes` message."""

from __future__ import annotations

from collections.abc import Collection

import orjson

from minato.realtime.change_feed.base import Action, Change
from minato.realtime.postgres_changes.catalog import TableFacts
from minato.realtime.postgres_changes.values import JsonRow

NO_PRIMARY_KEY = "Error 400: Bad Request, no primary key"
UNAUTHORIZED = "Error 401: Unauthorized"
TOO_LARGE = "Error 413: Payload Too Large"
KEPT_BYTES = 64
"""Of a change that is too large, only values whose JSON is no longer than this stay."""


def build_data(
    change: Change,
    facts: TableFacts,
    rows: tuple[JsonRow | None, JsonRow | None],
    shown: Collection[str],
    too_large: bool,
) -> bytes:
    """The JSON of a change. `rows` are the new and the old row, `shown` the columns this subscriber gets."""
    record, old = rows
    data: dict[str, object] = {
        **_head(change),
        "commit_timestamp": commit_timestamp(change),
        "columns": [{"name": c.name, "type": c.type_name} for c in facts.columns.values() if c.name in shown],
        "errors": [TOO_LARGE] if too_large else None,
    }
    if record is not None:
        data["record"] = _fields(record, shown, too_large)
    if old is not None:
        # Policies can't be asked about a row that is gone, so under RLS a DELETE tells only its key.
        only_key = change.action is Action.DELETE and facts.row_security
        visible = {c.name for c in facts.key}.intersection(shown) if only_key else shown
        data["old_record"] = _fields(old, visible, too_large)
    return orjson.dumps(data)


def build_error(change: Change, error: str) -> bytes:
    """The JSON of a change that can't be checked: it names the table and the reason, and shows no value."""
    data = {**_head(change), "commit_timestamp": None, "columns": [], "record": {}, "errors": [error]}
    if change.action is Action.UPDATE:
        data["old_record"] = {}
    return orjson.dumps(data)


def commit_timestamp(change: Change) -> str:
    """UTC with exactly three decimals."""
    return change.committed_at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{change.committed_at.microsecond // 1000:03d}Z"


def _head(change: Change) -> dict[str, object]:
    return {"schema": change.relation.schema, "table": change.relation.table, "type": change.action.value}


def _fields(row: JsonRow, shown: Collection[str], too_large: bool) -> dict[str, orjson.Fragment]:
    return {
        name: orjson.Fragment(value)
        for name, value in row.items()
        if name in shown and not (too_large and len(value) > KEPT_BYTES)
    }
