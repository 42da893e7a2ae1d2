"""Python: pydantic models of rows, typed dictionaries of what is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from minato.cli.gen_types.model import Catalog, Column, Kind, Relation, Type
from minato.cli.gen_types.names import in_quotes, pascal, snake
from minato.cli.gen_types.order import as_object

_HEAD: Final = """\
from __future__ import annotations

import datetime
import uuid
from typing import (
    Annotated,
    Any,
    List,
    Literal,
    Optional,
    TypedDict,
)
from typing_extensions import NotRequired, TypeAlias

from pydantic import BaseModel, Field, JsonValue"""
_RANGES: Final = ("int4", "int8", "num", "ts", "tstz", "date")
_BASE: Final = {
    "bool": "bool",
    **dict.fromkeys(("int2", "int4", "int8"), "int"),
    **dict.fromkeys(("float4", "float8", "numeric"), "float"),
    "bytea": "bytes",
    **dict.fromkeys(("bpchar", "varchar", "string", "text", "citext", "interval"), "str"),
    "date": "datetime.date",
    **dict.fromkeys(("time", "timetz"), "datetime.time"),
    **dict.fromkeys(("timestamp", "timestamptz"), "datetime.datetime"),
    "uuid": "uuid.UUID",
    "vector": "list[Any]",
    **dict.fromkeys(("json", "jsonb"), "JsonValue"),
    **{f"{of}{kind}": "str" for of in _RANGES for kind in ("range", "multirange")},
    "void": "None",
    "record": "dict[str, Any]",
}


def render_python(catalog: Catalog) -> str:
    """The module. Enums are those of the whole database: a column may have any."""
    names = _Names(catalog)
    sections: list[Iterable[str]] = [
        names.enums.values(),
        (text for table in catalog.of_kind(Kind.TABLE) for text in _table(table, names)),
        (_model(view, names) for view in catalog.of_kind(Kind.VIEW)),
        (_model(view, names) for view in catalog.of_kind(Kind.MATERIALIZED)),
        (_composite(one, names) for one in catalog.types if one.attributes and one.schema in catalog.schemas),
    ]
    return "\n\n".join([_HEAD, *("\n\n".join(section) for section in sections)]).strip()


@dataclass(frozen=True)
class _Names:
    """What types are called. Of several types of one name the last counts."""

    catalog: Catalog

    @cached_property
    def enums(self) -> dict[str, str]:
        """Each enum's alias, by its name."""
        return as_object((one.name, _alias(one)) for one in self.catalog.types if one.enums)

    def annotation(self, type_name: str) -> str:
        if type_name.startswith("_"):
            return f"List[{self.annotation(type_name[1:])}]"
        if type_name not in self.enums and type_name in _BASE:
            return _BASE[type_name]
        found = self._enums.get(type_name) or self._types.get(type_name)
        return _class(found.schema, found.name) if found is not None else "Any"

    def attribute(self, type_id: int) -> str:
        return self.annotation(self.catalog.types_by_id[type_id].name)

    @cached_property
    def _types(self) -> dict[str, Type]:
        return {one.name: one for one in self.catalog.types}

    @cached_property
    def _enums(self) -> dict[str, Type]:
        return {one.name: one for one in self.catalog.types if one.enums}


def _class(schema: str, name: str) -> str:
    return pascal(schema) + pascal(name)


def _alias(enum: Type) -> str:
    return f"{_class(enum.schema, enum.name)}: TypeAlias = Literal[{', '.join(map(in_quotes, enum.enums))}]"


def _table(table: Relation, names: _Names) -> list[str]:
    name = _class(table.schema, table.name)
    inserted = [_written(column, column.is_optional, names) for column in table.columns]
    updated = [_written(column, True, names) for column in table.columns]
    return [
        _model(table, names),
        _body(f"class {name}Insert(TypedDict):", inserted),
        _body(f"class {name}Update(TypedDict):", updated),
    ]


def _model(relation: Relation, names: _Names) -> str:
    lines = [
        _field(column.name, _optional(names.annotation(column.type_name), column.is_nullable))
        for column in relation.columns
    ]
    return _body(f"class {_class(relation.schema, relation.name)}(BaseModel):", lines)


def _composite(composite: Type, names: _Names) -> str:
    lines = [_field(one.name, _optional(names.attribute(one.type_id), True)) for one in composite.attributes]
    return _body(f"class {_class(composite.schema, composite.name)}(BaseModel):", lines)


def _body(head: str, lines: Sequence[str]) -> str:
    return "\n".join([head, *(lines or ["    pass"])])


def _field(name: str, annotation: str) -> str:
    return f"    {snake(name)}: {annotation} = Field(alias={in_quotes(name)})"


def _written(column: Column, is_optional: bool, names: _Names) -> str:
    annotation = _optional(names.annotation(column.type_name), column.is_nullable)
    annotated = f"Annotated[{annotation}, Field(alias={in_quotes(column.name)})]"
    return f"    {snake(column.name)}: {f'NotRequired[{annotated}]' if is_optional else annotated}"


def _optional(annotation: str, is_nullable: bool) -> str:
    return f"Optional[{annotation}]" if is_nullable else annotation
