"""The whole file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from minato.cli.gen_types.calls import Calls
from minato.cli.gen_types.model import Catalog, Function, Type
from minato.cli.gen_types.order import as_object, by_relation_name
from minato.cli.gen_types.resolve import Resolver
from minato.cli.gen_types.typescript.functions import function_type
from minato.cli.gen_types.typescript.helpers import constants, helper_types
from minato.cli.gen_types.typescript.layout import layout
from minato.cli.gen_types.typescript.syntax import (
    NOTHING,
    Member,
    ObjectType,
    Syntax,
    Text,
    key,
    quoted,
    union,
)
from minato.cli.gen_types.typescript.tables import relation_type
from minato.cli.gen_types.typescript.types import nullable, type_of

_JSON: Final = """\
export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = """
_INTERNAL: Final = """\
// Allows to automatically instantiate createClient with right options
  // instead of createClient<Database, { PostgrestVersion: 'XX' }>(URL, KEY)
  __InternalSupabase"""


def render_typescript(catalog: Catalog, one_to_one: bool = True, postgrest_version: str | None = None) -> str:
    """`postgrest_version` is said of hosted projects alone; `one_to_one` is off for PostgREST 9."""
    members = [Member(key(schema), _schema(schema, catalog, one_to_one)) for schema in catalog.schemas]
    if postgrest_version is not None:
        version = ObjectType([Member("PostgrestVersion", Text(quoted(postgrest_version)))])
        members.insert(0, Member(_INTERNAL, version))
    return f"{_JSON}{layout(ObjectType(members), 0, 0)}\n{helper_types()}{constants(catalog)}"


def _schema(schema: str, catalog: Catalog, one_to_one: bool) -> ObjectType:
    calls = Calls(Resolver(catalog))
    functions = calls.callable(schema)
    relations = [
        (one.is_view, one.name, relation_type(one, functions, calls, catalog.relationships, one_to_one))
        for one in by_relation_name(one for one in catalog.relations if one.schema == schema)
    ]
    return ObjectType(
        [
            _section("Tables", [(name, found) for is_view, name, found in relations if not is_view]),
            _section("Views", [(name, found) for is_view, name, found in relations if is_view]),
            _section("Functions", [(name, function_type(ones, calls)) for name, ones in _named(functions)]),
            _section("Enums", [(enum.name, _enum(enum)) for enum in catalog.enums(schema)]),
            _section("CompositeTypes", [(one.name, _composite(one, calls)) for one in catalog.composites(schema)]),
        ]
    )


def _section(name: str, entries: Sequence[tuple[str, Syntax]]) -> Member:
    members = [Member(key(entry), found) for entry, found in entries]
    return Member(name, ObjectType(members) if members else NOTHING)


def _named(functions: Sequence[Function]) -> list[tuple[str, list[Function]]]:
    groups = [(name, list(group)) for name, group in groupby(functions, key=lambda one: one.name)]
    return list(as_object(groups).items())


def _enum(enum: Type) -> Syntax:
    return union([Text(quoted(label)) for label in enum.enums])


def _composite(composite: Type, calls: Calls) -> ObjectType:
    return ObjectType(
        [Member(key(one.name), nullable(type_of(one.type_id, calls.resolver))) for one in composite.attributes]
    )
