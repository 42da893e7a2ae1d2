"""Go: a struct for what is read, one for what is inserted, one for what is updated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from minato.cli.gen_types.model import Catalog, Column, Kind, Relation, Type
from minato.cli.gen_types.names import in_quotes, pascal

_RANGES: Final = ("int4", "int8", "num", "ts", "tstz", "date")
_TEXTS: Final = ("bpchar", "varchar", "text", "citext", "uuid", "vector", "interval")
_TIMES: Final = ("date", "time", "timetz", "timestamp", "timestamptz")
_ANYTHING: Final = "interface{}"
_BASE: Final = {
    "bool": "bool",
    "int2": "int16",
    "int4": "int32",
    "int8": "int64",
    "float4": "float32",
    **dict.fromkeys(("float8", "numeric"), "float64"),
    "bytea": "[]byte",
    **dict.fromkeys((*_TEXTS, *_TIMES), "string"),
    **{f"{of}{kind}": "string" for of in _RANGES for kind in ("range", "multirange")},
    **dict.fromkeys(("json", "jsonb", "void"), _ANYTHING),
    "record": f"map[string]{_ANYTHING}",
}
# What has a nil of its own needs no pointer.
_NILABLE: Final = frozenset({"[]byte", _ANYTHING, _BASE["record"]})
# A field as it is aligned: its name, its type, its name in JSON.
Row = tuple[str, str, str]


def render_go(catalog: Catalog) -> str:
    """The package `database`; foreign tables stay out."""
    types = {one.name: one for one in reversed(catalog.types) if one.enums or one.attributes}
    types |= {one.name: one for one in reversed(catalog.types) if one.enums}
    sections = [
        [text for table in catalog.of_kind(Kind.TABLE) for text in _table(table, types)],
        [_relation(view, "Select", types) for view in catalog.of_kind(Kind.VIEW)],
        [_relation(view, "Select", types) for view in catalog.of_kind(Kind.MATERIALIZED)],
        [_composite(one, catalog) for one in catalog.types if one.attributes and one.schema in catalog.schemas],
    ]
    return "\n\n".join(["package database", *("\n\n".join(section) for section in sections)]).strip()


def _table(table: Relation, types: dict[str, Type]) -> list[str]:
    return [_relation(table, operation, types) for operation in ("Select", "Insert", "Update")]


def _relation(relation: Relation, operation: str, types: dict[str, Type]) -> str:
    rows = [
        (pascal(column.name), _type(column.type_name, _is_nullable(column, operation), types), column.name)
        for column in relation.columns
    ]
    return _struct(f"{pascal(relation.schema)}{pascal(relation.name)}{operation}", rows)


def _is_nullable(column: Column, operation: str) -> bool:
    left_out = operation == "Insert" and (column.is_optional or column.is_generated)
    return column.is_nullable or left_out or operation == "Update"


def _composite(composite: Type, catalog: Catalog) -> str:
    """Attributes are looked up by the name that PostgreSQL shows, which is not the catalogue's for most types."""
    rows = [
        (pascal(one.name), _type(catalog.types_by_id[one.type_id].format, False, {}), one.name)
        for one in composite.attributes
    ]
    return _struct(f"{pascal(composite.schema)}{pascal(composite.name)}", rows)


def _struct(name: str, rows: Sequence[Row]) -> str:
    names, types = (max((len(row[at]) for row in rows), default=0) for at in (0, 1))
    lines = [f"  {row[0]:<{names}} {row[1]:<{types}} {_tag(row[2])}" for row in rows]
    return f"type {name} struct {{\n" + "\n".join(lines) + "\n}"


def _tag(name: str) -> str:
    tag = f"json:{in_quotes(name)}"
    return in_quotes(tag) if "`" in tag else f"`{tag}`"


def _type(name: str, is_nullable: bool, types: dict[str, Type]) -> str:
    found = types.get(name)
    known = "string" if found is not None and found.enums else _BASE.get(name)
    if known is not None:
        return f"*{known}" if is_nullable and known not in _NILABLE else known
    if found is not None:
        return _BASE["record"]
    return f"[]{_type(name[1:], is_nullable, types)} " if name.startswith("_") else _ANYTHING
