"""A JSON body as rows: json_to_recordset with the columns' own types, defaults filled in where asked."""

from __future__ import annotations

from collections.abc import Sequence

from minato.database.identifiers import quote_identifier
from minato.rest.parse.payload import Payload
from minato.rest.schema_cache.model import Column
from minato.rest.sql.fields import Parameters, column

BODY = '"pgrst_body"'


def body_rows(payload: Payload, columns: Sequence[Column], parameters: Parameters, defaults: bool = False) -> str:
    """A FROM item called pgrst_body with one row for each object of the body."""
    if not columns:
        return _empty_rows(payload, parameters)
    with_defaults = [each for each in columns if each.default is not None] if defaults else []
    function = "to_recordset" if payload.is_array else "to_record"
    described = ", ".join(f"{quote_identifier(each.name)} {_read_as(each)}" for each in columns)
    if not with_defaults:
        return f"json_{function}({parameters.json(payload.text)}) AS {BODY}({described})"
    filled = _with_defaults(payload, with_defaults, parameters)
    return f"jsonb_{function}({filled}) AS {BODY}({described})"


def body_value(target: Column) -> str:
    """The value of a column in a row of the body; json is a domain's own reading where it has one."""
    value = column(BODY, target.name)
    reader = target.representation.from_json
    return f"{reader}({value})" if reader else value


def _read_as(target: Column) -> str:
    return "json" if target.representation.from_json else target.type


def _empty_rows(payload: Payload, parameters: Parameters) -> str:
    """As many rows without columns as the body has objects."""
    if payload.is_array:
        return f"json_array_elements({parameters.json(payload.text)}) AS {BODY}"
    return f"(SELECT {parameters.json(payload.text)}) AS {BODY}"


def _with_defaults(payload: Payload, columns: Sequence[Column], parameters: Parameters) -> str:
    pairs = ", ".join(f"{parameters.text(each.name)}, {each.default}" for each in columns)
    if not payload.is_array:
        return f"jsonb_build_object({pairs}) || ({parameters.json(payload.text)})::jsonb"
    elements = f"jsonb_array_elements(({parameters.json(payload.text)})::jsonb) AS element"
    return f"(SELECT jsonb_agg(jsonb_build_object({pairs}) || element) FROM {elements})"
