"""What checks a value of a PostgreSQL type, as PostgREST writes it in JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from minato.cli.gen_types.model import Column, Type
from minato.cli.gen_types.names import in_quotes
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.zod.names import Names

_TEXTS: Final = ("text", "varchar", "bpchar", "citext", "name", "bytea", "xml", "bit", "varbit", "vector")
_TIMES: Final = ("date", "time", "timetz", "timestamp", "timestamptz", "interval")
_NETWORK: Final = ("inet", "cidr", "macaddr", "macaddr8")
_RANGES: Final = ("int4", "int8", "num", "ts", "tstz", "date")
_SEARCH: Final = ("tsvector", "tsquery", "money")
_BASE: Final = {
    "bool": "z.boolean()",
    **dict.fromkeys(("int2", "int4"), "z.int()"),
    # An int8 may be beyond the whole numbers that JavaScript counts exactly.
    **dict.fromkeys(("int8", "oid", "float4", "float8", "numeric"), "z.number()"),
    "uuid": "z.guid()",
    **dict.fromkeys((*_TEXTS, *_TIMES, *_NETWORK, *_SEARCH), "z.string()"),
    **{f"{of}{kind}": "z.string()" for of in _RANGES for kind in ("range", "multirange")},
    **dict.fromkeys(("json", "jsonb"), "Json"),
    # Nothing comes back of a function that returns nothing.
    "void": "z.null()",
    "record": "z.record(z.string(), z.unknown())",
}
_ANYTHING: Final = "z.unknown()"


@dataclass(frozen=True)
class Checks:
    """`names` are the constants that stand for enums, composite types and rows."""

    resolver: Resolver
    names: Names

    def of(self, name: str, schema: str) -> str:
        """The type called `name`; `_` before it makes it an array, whose items may be null."""
        if name in _BASE:
            return _BASE[name]
        if name.startswith("_"):
            return f"z.array({nullable(self.of(name[1:], schema))})"
        found = self.resolver.find(name, schema)
        if found is None:
            return _ANYTHING
        constant = self.names.of(found)
        if constant is None:
            return enum(found.enums) if isinstance(found, Type) and found.enums else _ANYTHING
        return constant

    def of_id(self, identity: int) -> str:
        found = self.resolver.catalog.types_by_id.get(identity)
        return self.of(found.name, found.schema) if found is not None else _ANYTHING

    def column(self, column: Column) -> str:
        found = self.of(column.type_name, column.type_schema)
        return nullable(found) if column.is_nullable else found

    def is_row(self, name: str, schema: str) -> bool:
        """Whether it is made of columns: what refers to it may stand before it, or be part of it."""
        bare = name.removeprefix("_")
        found = self.resolver.find(bare, schema) if bare not in _BASE else None
        return found is not None and not (isinstance(found, Type) and found.enums)


def nullable(check: str) -> str:
    return check if check in (_ANYTHING, "Json") else f"{check}.nullable()"


def enum(labels: Sequence[str]) -> str:
    return f"z.enum([{', '.join(map(in_quotes, labels))}])"
