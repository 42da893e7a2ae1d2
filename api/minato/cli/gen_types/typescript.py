"""Renders a catalog as the TypeScript type `Database` of supabase-js."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import groupby

from minato.cli.gen_types.catalog import Catalog
from minato.json_text import JsonObject

NUMBERS = frozenset({"int2", "int4", "int8", "float4", "float8", "numeric", "money"})
OTHERS = {"bool": "boolean", "json": "Json", "jsonb": "Json", "void": "undefined", "record": "Record<string, unknown>"}
NOTHING = "{ [_ in never]: never }"

HEADER = """\
// Written by `make types` from the database; don't edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
"""

# Shorthands under the names that Supabase's own generator gives them.
FOOTER = """
type PublicSchema = Database['public'];
type Relations = PublicSchema['Tables'] & PublicSchema['Views'];

export type Tables<Name extends keyof Relations> = Relations[Name]['Row'];
export type TablesInsert<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Insert'];
export type TablesUpdate<Name extends keyof PublicSchema['Tables']> = PublicSchema['Tables'][Name]['Update'];
export type Enums<Name extends keyof PublicSchema['Enums']> = PublicSchema['Enums'][Name];
"""

TypeName = Callable[[str, bool], str]


def render_types(catalog: Catalog) -> str:
    """The whole file. `Enums` and the other shorthands exist for the schema `public` alone."""
    type_name = _type_names(catalog)
    tables = [relation for relation in catalog.relations if not relation["is_view"]]
    views = [relation for relation in catalog.relations if relation["is_view"]]
    sections = {
        "Tables": {table["name"]: _table(table, catalog, type_name) for table in tables},
        "Views": {view["name"]: _view(view, catalog, type_name) for view in views},
        "Functions": _functions(catalog, type_name),
        "Enums": {enum["name"]: " | ".join(map(json.dumps, enum["labels"])) for enum in catalog.enums},
        "CompositeTypes": {},
    }
    schema = _object((name, _object(content.items())) for name, content in sections.items())
    body = f"\nexport type Database = {_object([(catalog.schema, schema)])};\n"
    return HEADER + body + (FOOTER if catalog.schema == "public" else "")


def _type_names(catalog: Catalog) -> TypeName:
    enums = {enum["name"] for enum in catalog.enums}
    relations = {relation["name"]: "Views" if relation["is_view"] else "Tables" for relation in catalog.relations}
    root = f"Database[{json.dumps(catalog.schema)}]"

    def type_name(name: str, is_array: bool) -> str:
        if name in enums:
            found = f"{root}['Enums'][{json.dumps(name)}]"
        elif name in relations:
            found = f"{root}['{relations[name]}'][{json.dumps(name)}]['Row']"
        else:
            found = scalar(name)
        return f"{found}[]" if is_array else found

    return type_name


def scalar(name: str) -> str:
    """How PostgREST's JSON carries a value of the PostgreSQL type `name`.

    >>> scalar("int8"), scalar("timestamptz"), scalar("jsonb"), scalar("void")
    ('number', 'string', 'Json', 'undefined')
    """
    if name in NUMBERS:
        return "number"
    known = {
        "bool": "boolean",
        "json": "Json",
        "jsonb": "Json",
        "void": "undefined",
        "record": "Record<string, unknown>",
    }
    return known.get(name, "string")


def _object(fields: Iterable[tuple[str, str]]) -> str:
    listed = [f"{_key(name)}: {value};" for name, value in fields]
    return "{\n" + "\n".join(listed) + "\n}" if listed else NOTHING


def _key(name: str) -> str:
    """A property's name; a trailing question mark stays outside the quotes."""
    bare = name.removesuffix("?")
    return name if bare.isidentifier() and bare.isascii() else f"{json.dumps(bare)}{name[len(bare) :]}"


def _table(table: JsonObject, catalog: Catalog, type_name: TypeName) -> str:
    row = [(column["name"], _column(column, type_name)) for column in table["columns"]]
    insert = [_written(column, column["is_optional"], type_name) for column in table["columns"]]
    update = [_written(column, True, type_name) for column in table["columns"]]
    shapes = (("Row", row), ("Insert", insert), ("Update", update))
    return _object([(name, _object(fields)) for name, fields in shapes] + [_relationships(table, catalog)])


def _view(view: JsonObject, catalog: Catalog, type_name: TypeName) -> str:
    row = [(column["name"], _column(column, type_name)) for column in view["columns"]]
    shapes = [("Row", _object(row))]
    writable = [column for column in view["columns"] if column["is_writable"]]
    if writable:
        written = _object([_written(column, True, type_name) for column in writable])
        shapes += [("Insert", written), ("Update", written)]
    return _object([*shapes, _relationships(view, catalog)])


def _column(column: JsonObject, type_name: TypeName) -> str:
    found = type_name(column["type"], column["is_array"])
    return f"{found} | null" if column["is_nullable"] else found


def _written(column: JsonObject, is_optional: bool, type_name: TypeName) -> tuple[str, str]:
    """A column as one may send it: never when the database computes it."""
    if column["is_generated"]:
        return f"{column['name']}?", "never"
    return column["name"] + ("?" if is_optional else ""), _column(column, type_name)


def _relationships(relation: dict[str, object], catalog: Catalog) -> tuple[str, str]:
    keys = [key for key in catalog.foreign_keys if key["relation"] == relation["name"]]
    return "Relationships", f"[{', '.join(map(_relationship, keys))}]"


def _relationship(key: dict[str, object]) -> str:
    return _object(
        [
            ("foreignKeyName", json.dumps(key["name"])),
            ("columns", json.dumps(key["columns"])),
            ("isOneToOne", json.dumps(key["is_one_to_one"])),
            ("referencedRelation", json.dumps(key["referenced"])),
            ("referencedColumns", json.dumps(key["referenced_columns"])),
        ]
    )


def _functions(catalog: Catalog, type_name: TypeName) -> dict[str, str]:
    """One entry per name; overloaded functions are a union."""
    grouped = groupby(catalog.functions, key=lambda function: function["name"])
    return {name: " | ".join(_function(function, type_name) for function in group) for name, group in grouped}


def _function(function: JsonObject, type_name: TypeName) -> str:
    types = [type_name(*pair) for pair in zip(function["types"], function["arrays"], strict=True)]
    modes = function["modes"] or ["i"] * len(types)
    names = function["names"] or [""] * len(types)
    arguments = list(zip(modes, names, types, strict=True))
    given = [(name, found) for mode, name, found in arguments if mode in "ibv" and name]
    required = len(given) - function["defaults"]
    fields = [(name if at < required else f"{name}?", found) for at, (name, found) in enumerate(given)]
    answer = [(name, found) for mode, name, found in arguments if mode in "obt" and name]
    args = _object(fields) if fields else "Record<PropertyKey, never>"
    return _object([("Args", args), ("Returns", _returns(function, answer, type_name))])


def _returns(function: JsonObject, answer: list[tuple[str, str]], type_name: TypeName) -> str:
    element = function["returns_element"]
    single = _object(answer) if answer else type_name(element or function["returns"], element is not None)
    return f"{single}[]" if function["returns_set"] else single
