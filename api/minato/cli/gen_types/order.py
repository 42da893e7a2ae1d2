"""The one order of everything that is printed: by name, and by what tells things of one name apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from minato.cli.gen_types.collation import collation_key, list_key
from minato.cli.gen_types.model import Catalog, Column, Function, Kind, Relation, Relationship, Type

Named = TypeVar("Named", Relation, Type)
Value = TypeVar("Value")


def sort_catalog(catalog: Catalog) -> Catalog:
    """The same, sorted. What is declared in an order keeps it: enums' values, composite types' attributes."""
    types = by_schema_and_name(catalog.types)
    return Catalog(
        schemas=sorted(catalog.schemas, key=collation_key),
        relations=by_schema_and_name(catalog.relations),
        relationships=sorted(catalog.relationships, key=_relationship_key),
        functions=[_with_sorted_arguments(function) for function in sorted(catalog.functions, key=_function_key)],
        types=types,
        types_by_id={found.id: found for found in types},
    )


def by_schema_and_name(given: Iterable[Named]) -> list[Named]:
    return sorted(given, key=lambda one: (collation_key(one.schema), collation_key(one.name), one.id))


def by_relation_name(relations: Iterable[Relation]) -> list[Relation]:
    """Those of one schema; a table stands before a foreign table of its name, a view before a materialized one."""
    kinds = list(Kind)
    return sorted(relations, key=lambda one: (collation_key(one.name), kinds.index(one.kind)))


def by_name(columns: Iterable[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: collation_key(column.name))


def as_object(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """The order of a JavaScript object's keys: whole numbers first, then as they came.

    >>> list(as_object([("b", 1), ("10", 2), ("2", 3), ("02", 4)]))
    ['2', '10', 'b', '02']
    """
    found = dict(pairs)
    numbers = sorted((name for name in found if _is_index(name)), key=int)
    return {name: found[name] for name in [*numbers, *(name for name in found if not _is_index(name))]}


def overloads(functions: Sequence[Function]) -> list[Function]:
    """The functions of one name, in the order of their union."""
    return sorted(functions, key=lambda one: (collation_key(one.argument_types), collation_key(one.return_type)))


def _is_index(name: str) -> bool:
    return name.isascii() and name.isdigit() and str(int(name)) == name and int(name) < 2**32 - 1


def _relationship_key(one: Relationship) -> tuple[object, ...]:
    return collation_key(one.foreign_key), collation_key(one.referenced_relation), list_key(one.referenced_columns)


def _function_key(one: Function) -> tuple[object, ...]:
    return collation_key(one.schema), collation_key(one.name), collation_key(one.identity_arguments), one.id


def _with_sorted_arguments(function: Function) -> Function:
    return replace(function, arguments=sorted(function.arguments, key=lambda one: collation_key(one.name)))
