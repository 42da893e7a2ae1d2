"""Reads the catalogue of a database, in one transaction that writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from psycopg2.extensions import ISOLATION_LEVEL_REPEATABLE_READ
from psycopg2.extensions import connection as Connection
from psycopg2.extras import RealDictCursor

from minato.cli.gen_types import queries
from minato.cli.gen_types.model import (
    Argument,
    Attribute,
    Catalog,
    Column,
    Function,
    Kind,
    Relation,
    Relationship,
    Type,
)
from minato.cli.gen_types.order import by_name, sort_catalog
from minato.cli.gen_types.relationships import view_ends, with_views
from minato.json_text import JsonObject

# What no caller can call.
_UNCALLED: Final = frozenset({"trigger", "event_trigger"})


def load_catalog(connection: Connection, schemas: Sequence[str]) -> Catalog:
    """The `schemas` that there are, as the session's role sees them. Raises `psycopg2.Error`."""
    connection.set_session(isolation_level=ISOLATION_LEVEL_REPEATABLE_READ, readonly=True)
    with connection, connection.cursor(cursor_factory=RealDictCursor) as cursor:

        def rows(query: str) -> list[JsonObject]:
            cursor.execute(query, {"schemas": list(schemas)})
            return [dict(row) for row in cursor.fetchall()]

        keys = [Relationship(**row) for row in rows(queries.FOREIGN_KEYS)]
        return sort_catalog(
            Catalog(
                schemas=[row["name"] for row in rows(queries.SCHEMAS)],
                relations=_relations(rows(queries.RELATIONS), rows(queries.COLUMNS)),
                relationships=with_views(keys, view_ends(rows(queries.VIEWS), rows(queries.KEY_COLUMNS))),
                functions=[_function(row) for row in rows(queries.FUNCTIONS) if row["return_type"] not in _UNCALLED],
                types=[_type(row) for row in rows(queries.TYPES)],
            )
        )


def _relations(relations: Sequence[JsonObject], columns: Sequence[JsonObject]) -> list[Relation]:
    found: dict[int, list[Column]] = {row["id"]: [] for row in relations}
    for row in columns:
        identity = row.pop("relation_id")
        if identity in found:
            found[identity].append(Column(**row))
    return [
        Relation(**{**row, "kind": Kind(row["kind"])}, columns=by_name(found[row["id"]]))  # a row's names are its own
        for row in relations
    ]


def _type(row: JsonObject) -> Type:
    attributes = [Attribute(name, type_id) for name, type_id in row["attributes"]]
    return Type(**{**row, "attributes": attributes})


def _function(row: JsonObject) -> Function:
    modes, names, type_ids = row.pop("modes"), row.pop("names"), row.pop("type_ids")
    inputs, defaults = row.pop("inputs"), row.pop("defaults")
    arguments = [
        Argument(
            mode=modes[at],
            name=names[at] if names else "",
            type_id=type_id,
            # Counted over all arguments, as there: an OUT among the inputs shifts who is said to have a default.
            has_default=inputs - defaults <= at < inputs,
        )
        for at, type_id in enumerate(type_ids)
    ]
    return Function(**row, arguments=arguments)
