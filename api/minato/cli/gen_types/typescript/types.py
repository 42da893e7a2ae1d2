"""PostgreSQL's types as TypeScript's."""

from __future__ import annotations

from typing import Final

from minato.cli.gen_types.model import Column, Relation, Type
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.typescript.syntax import (
    NULL,
    UNKNOWN,
    Array,
    Generic,
    Intersection,
    Syntax,
    Text,
    Union,
    quoted,
    union,
)

JSON: Final = Text("Json")
BASE: Final[dict[str, Syntax]] = {
    "bool": Text("boolean"),
    **dict.fromkeys(("int2", "int4", "int8", "float4", "float8", "numeric"), Text("number")),
    **dict.fromkeys(("bytea", "bpchar", "varchar", "text", "citext", "uuid", "vector"), Text("string")),
    **dict.fromkeys(("date", "time", "timetz", "timestamp", "timestamptz", "interval"), Text("string")),
    **dict.fromkeys(("json", "jsonb"), JSON),
    "void": Text("undefined"),
    "record": Generic("Record", ("string", "unknown")),
}


def type_syntax(name: str, schema: str, resolver: Resolver) -> Syntax:
    """The type called `name`, in `schema` where several have the name; `_` before it makes it an array."""
    if name in BASE:
        return BASE[name]
    if name.startswith("_"):
        return Array(type_syntax(name[1:], schema, resolver))
    found = resolver.find(name, schema)
    if found is None:
        return UNKNOWN
    if found.schema not in resolver.catalog.schemas:
        return (
            union([Text(quoted(label)) for label in found.enums])
            if isinstance(found, Type) and found.enums
            else UNKNOWN
        )
    return Text(_reference(found))


def type_of(identity: int, resolver: Resolver) -> Syntax:
    """The type with an oid."""
    found = resolver.catalog.types_by_id.get(identity)
    return type_syntax(found.name, found.schema, resolver) if found is not None else UNKNOWN


def column_type(column: Column, resolver: Resolver, is_nullable: bool | None = None) -> Syntax:
    """A column's; whether it may be null is the column's own matter unless it is said."""
    found = type_syntax(column.type_name, column.type_schema, resolver)
    return nullable(found, column.is_nullable if is_nullable is None else is_nullable)


def nullable(found: Syntax, is_nullable: bool = True) -> Syntax:
    """With null, which `unknown` has anyway; `Json` has it, too, so that it is taken out where a column is not null."""
    if not is_nullable:
        return Generic("NonNullable", ("Json",)) if found == JSON else found
    return found if found == UNKNOWN else union([found, NULL])


def list_of(found: Syntax) -> Syntax:
    """What `[]` behind the text of a type makes of it: of a union or an intersection, its last part is a list."""
    match found:
        case Union(types):
            return Union([*types[:-1], Array(types[-1])])
        case Intersection(left, right):
            return Intersection(left, Array(right))
        case _:
            return Array(found)


def _reference(found: Type | Relation) -> str:
    if isinstance(found, Type):
        section, row = ("Enums" if found.enums else "CompositeTypes"), ""
    else:
        section, row = ("Views" if found.is_view else "Tables"), '["Row"]'
    return f'Database[{quoted(found.schema)}]["{section}"][{quoted(found.name)}]{row}'
