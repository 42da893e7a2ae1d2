"""What the rows of an answer are made into: JSON, CSV, GeoJSON, or what a media type handler makes of them."""

from __future__ import annotations

from minato.rest.parse.media_type import MediaKind
from minato.rest.plan.action import ActionPlan
from minato.rest.schema_cache.model import MediaHandler, Routine
from minato.rest.sql.fields import relation

ROWS = "_postgrest_t"


def body(plan: ActionPlan, routine: Routine | None) -> str:
    """The body, as json, text or bytea; explained, whatever type a handler makes."""
    if plan.handler is not None:
        return _handled(plan.handler, routine, explains=plan.explain is not None)
    # One of a set of values is asked for as an object, so it stays the row it came in.
    kind = plan.media.kind
    is_row = routine is None or routine.returns_composite or (routine.returns_set and kind is MediaKind.OBJECT)
    if kind is MediaKind.CSV:
        return _csv()
    if kind is MediaKind.GEOJSON:
        features = f"coalesce(json_agg(ST_AsGeoJSON({ROWS})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})"
    aggregated = f"json_agg({ROWS if is_row else f'{ROWS}.pgrst_scalar'})"
    if plan.media.strips_nulls:
        aggregated = f"json_strip_nulls({aggregated})"
    if kind is MediaKind.OBJECT or (routine and not routine.returns_set):
        return f"coalesce({aggregated}->0, 'null')"
    return f"coalesce({aggregated}, '[]')"


def _handled(handler: MediaHandler, routine: Routine | None, explains: bool) -> str:
    value = f"{ROWS}.pgrst_scalar" if routine and not routine.returns_composite else ROWS
    if handler.aggregate is not None:
        row = f"{value}::{relation(handler.target)}" if handler.target else value
        value = f"{relation(handler.aggregate)}({row})"
    if explains:
        return value
    # concat writes a value as its type goes out; a cast of xml to text keeps what PostgreSQL then leaves out.
    if handler.aggregate is not None:
        return f"coalesce({value}{'' if handler.is_bytes else '::text'}, '')"
    return f"coalesce(string_agg({f'{value}::bytea' if handler.is_bytes else f'concat({value})'}, ''), '')"


def _csv() -> str:
    """A header line from the first row's keys, then each row as PostgreSQL writes a record, without its brackets."""
    keys = f"SELECT coalesce(string_agg(key, ','), '') FROM json_object_keys(json_agg({ROWS})->0) AS key"
    line = f"substring({ROWS}::text, 2, length({ROWS}::text) - 2)"
    return f"({keys}) || E'\\n' || coalesce(string_agg({line}, E'\\n'), '')"
