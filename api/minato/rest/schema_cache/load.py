"""pg_catalog → a SchemaCache, in one read-only transaction and one flush."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from minato.config.rest import RestSettings
from minato.database.identifiers import array_literal
from minato.database.wire.messages import Row as WireRow
from minato.database.wire.pool import SessionPool
from minato.database.wire.session import Command
from minato.rest.schema_cache import queries
from minato.rest.schema_cache.model import (
    PLAIN,
    Cardinality,
    Column,
    QualifiedName,
    Relationship,
    Representation,
    SchemaCache,
    Table,
)
from minato.rest.schema_cache.relationships import ViewColumns, all_relationships, told_order
from minato.rest.schema_cache.routines import read_handlers, read_routines, role_settings
from minato.rest.schema_cache.view_columns import follow, view_origins

Row = Mapping[str, Any]
TEXTS = ("text", "character varying")
SNAPSHOT = Command("begin isolation level repeatable read read only")


async def load_schema_cache(sessions: SessionPool, settings: RestSettings, within: float) -> SchemaCache:
    """The cache as the catalog is now. Raises StatementError and CONNECTION_ERRORS, also without a free session."""
    schemas = array_literal(settings.schemas)
    asking = [
        Command("set local search_path = ''"),
        Command(queries.VERSION),
        queries.as_json(queries.TABLES),
        queries.as_json(queries.FOREIGN_KEYS),
        queries.as_json(queries.VIEWS),
        queries.as_json(queries.ROUTINES, schemas),
        queries.as_json(queries.ROLES),
        queries.as_json(queries.HANDLERS, schemas),
        queries.as_json(queries.REPRESENTATIONS),
    ]
    async with sessions.asked(within, begin=SNAPSHOT) as session:
        _, ((version,),), *answers = await session.run(asking, reset=False)
    # A catalog of thousands of tables takes a second to understand; requests are served meanwhile.
    return await asyncio.to_thread(_understand, (version or b"").decode(), answers, settings)


async def catalog_version(sessions: SessionPool, within: float) -> str:
    """A text that changes with every DDL. Raises what `load_schema_cache` does."""
    async with sessions.lent(within) as session:
        (((version,),),) = await session.run([Command(queries.VERSION)])
    return (version or b"").decode()


def _understand(version: str, answers: Sequence[Sequence[WireRow]], settings: RestSettings) -> SchemaCache:
    tables, keys, views, routines, roles, handlers, representations = map(queries.rows, answers)
    return build_schema_cache(
        version, tables, keys, views, routines, roles, handlers, _representations(representations), settings
    )


def build_schema_cache(
    version: str,
    table_rows: Sequence[Row],
    key_rows: Sequence[Row],
    view_rows: Sequence[Row],
    routine_rows: Sequence[Row],
    role_rows: Sequence[Row],
    handler_rows: Sequence[Row],
    representations: Mapping[str, Representation],
    settings: RestSettings,
) -> SchemaCache:
    names = {row["oid"]: QualifiedName(row["schema"], row["name"]) for row in table_rows}
    views = _view_columns(table_rows, view_rows, names)
    tables = _with_view_keys({names[row["oid"]]: _table(row, representations) for row in table_rows}, views)
    detected = all_relationships(_foreign_keys(key_rows, names), tables, views)
    computed = _computed_relationships(routine_rows, names)
    exposed = set(settings.schemas)
    routines = read_routines(routine_rows, exposed)
    return SchemaCache(
        version=version,
        tables=_with_computed({name: tables[name] for name in tables if name.schema in exposed}, routine_rows, names),
        relationships=_by_table(detected, computed, exposed),
        hidden=_hidden(detected, exposed),
        routines=routines,
        roles={row["role"]: role_settings(orjson.loads(row["settings"])) for row in role_rows},
        handlers=read_handlers(routines, handler_rows),
    )


def _table(row: Row, representations: Mapping[str, Representation]) -> Table:
    described = orjson.loads(row["columns"])
    indexed = {0} if row["indexed"] is None else set(orjson.loads(row["indexed"]))
    columns = [
        Column(name, kind, base, nullable, default, representations.get(kind, PLAIN), unindexed=unindexed)
        for name, kind, base, nullable, default, number, own_collation in described
        for unindexed in [kind in TEXTS and own_collation and not {0, number} & indexed]
    ]
    return Table(
        name=QualifiedName(row["schema"], row["name"]),
        columns={column.name: column for column in columns},
        primary_key=tuple(orjson.loads(row["primary_key"])),
        is_view=row["is_view"],
        insertable=row["insertable"],
        updatable=row["updatable"],
        deletable=row["deletable"],
    )


def _representations(rows: Sequence[Row]) -> dict[str, Representation]:
    """By domain, from casts told as (source, target, function)."""
    found: dict[str, Representation] = defaultdict(Representation)
    for row in rows:
        if row["target"] == "json":
            found[row["source"]] = found[row["source"]]._replace(to_json=row["function"])
        elif row["source"] in ("json", "text"):
            found[row["target"]] = found[row["target"]]._replace(**{f"from_{row['source']}": row["function"]})
    return dict(found)


def _foreign_keys(rows: Sequence[Row], names: Mapping[int, QualifiedName]) -> list[Relationship]:
    return [
        Relationship(
            table=names[row["table"]],
            foreign_table=names[row["foreign_table"]],
            cardinality=Cardinality.ONE_TO_ONE if row["is_one_to_one"] else Cardinality.MANY_TO_ONE,
            constraint=row["constraint"],
            columns=tuple((ours, theirs) for ours, theirs in orjson.loads(row["columns"])),
        )
        for row in rows
        if row["table"] in names and row["foreign_table"] in names
    ]


def _view_columns(
    table_rows: Sequence[Row], view_rows: Sequence[Row], names: Mapping[int, QualifiedName]
) -> ViewColumns:
    numbered = {row["oid"]: {column[5]: column[0] for column in orjson.loads(row["columns"])} for row in table_rows}
    origins = {row["oid"]: view_origins(row["definition"]) for row in view_rows}
    shown: dict[QualifiedName, dict[tuple[QualifiedName, str], tuple[str, ...]]] = {}
    for oid, columns in origins.items():
        found: dict[tuple[QualifiedName, str], tuple[str, ...]] = defaultdict(tuple)
        for number, origin in columns.items():
            base, column = follow(origin, origins)
            if base in numbered and base not in origins and oid in numbered:
                found[names[base], numbered[base][column]] += (numbered[oid][number],)
        if oid in names:
            shown[names[oid]] = dict(found)
    return shown


def _with_view_keys(tables: dict[QualifiedName, Table], views: ViewColumns) -> dict[QualifiedName, Table]:
    """A view that shows the whole primary key of a table has that key."""
    for view, columns in views.items():
        key: list[str] = []
        for base in dict.fromkeys(table for table, _ in columns):
            shown = [columns.get((base, column), ()) for column in tables[base].primary_key] if base in tables else []
            if shown and all(shown):
                key += [names[0] for names in shown]
        tables[view] = replace(tables[view], primary_key=tuple(dict.fromkeys(key)))
    return tables


def _with_computed(
    tables: dict[QualifiedName, Table], rows: Sequence[Row], names: Mapping[int, QualifiedName]
) -> dict[QualifiedName, Table]:
    computed: dict[QualifiedName, dict[str, str]] = defaultdict(dict)
    for row in rows:
        table = names.get(row["row_argument"])
        if table in tables and not row["returns_composite"] and not row["returns_set"]:
            computed[table][row["name"]] = row["return_type"]
    return {name: replace(table, computed=computed.get(name, {})) for name, table in tables.items()}


def _computed_relationships(rows: Sequence[Row], names: Mapping[int, QualifiedName]) -> list[Relationship]:
    return [
        Relationship(
            table=names[row["row_argument"]],
            foreign_table=names[row["return_relation"]],
            cardinality=(
                Cardinality.MANY_TO_ONE if row["returns_one_row"] or not row["returns_set"] else Cardinality.ONE_TO_MANY
            ),
            function=QualifiedName(row["schema"], row["name"]),
        )
        for row in rows
        if row["row_argument"] in names and row["return_relation"] in names
    ]


def _by_table(
    detected: list[Relationship], computed: list[Relationship], exposed: set[str]
) -> dict[QualifiedName, tuple[Relationship, ...]]:
    """By source, both ends (and a junction) exposed; a computed one replaces the detected ones it is named like."""
    overridden = {(each.table, each.function) for each in computed}
    found: dict[QualifiedName, list[Relationship]] = defaultdict(list)
    for each in [*computed, *detected]:
        if _is_seen(each, exposed) and (each.function or (each.table, each.foreign_table) not in overridden):
            found[each.table].append(each)
    return {table: tuple(sorted(relationships, key=told_order)) for table, relationships in found.items()}


def _is_seen(each: Relationship, exposed: set[str]) -> bool:
    has_ends = {each.table.schema, each.foreign_table.schema, each.schema} <= exposed
    return has_ends and (each.junction is None or each.junction.table.schema in exposed)


def _hidden(detected: list[Relationship], exposed: set[str]) -> frozenset[tuple[QualifiedName, str]]:
    """The ends of what goes through junctions: the reference takes them for related though it sees no junction."""
    return frozenset(
        (each.table, each.schema)
        for each in detected
        if each.junction is not None and {each.table.schema, each.schema} <= exposed
    )
