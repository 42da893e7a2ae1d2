"""Reads a whole catalogue, in one transaction that sees one moment and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

import psycopg2

from minato.schema_diff.comments import read_comments
from minato.schema_diff.constraints import read_constraints, read_indexes, read_statistics
from minato.schema_diff.entity import Entity, Key
from minato.schema_diff.privileges import Items, creation_items, read_default_privileges, read_privileges
from minato.schema_diff.publications import read_publications
from minato.schema_diff.reader import Reader
from minato.schema_diff.relations import read_tables
from minato.schema_diff.routines import read_functions, read_rules, read_views
from minato.schema_diff.schemas import read_casts, read_event_triggers, read_extensions, read_schemas
from minato.schema_diff.scope import Scope
from minato.schema_diff.table_rules import read_policies, read_triggers
from minato.schema_diff.types import read_types

# Every name outside pg_catalog is written with its schema.
_SETTINGS = "set local search_path = ''; set local quote_all_identifiers = off"
# An identity's sequence ('i') and what a piece owns ('a' from a sequence to its column) point the other way.
_DEPENDENCIES = """
select d.classid::regclass::text, d.objid, d.objsubid, d.refclassid::regclass::text, d.refobjid, d.refobjsubid
from pg_depend d
where d.deptype in ('n', 'a', 'i')
  and not (d.classid = 'pg_class'::regclass and exists (select from pg_sequence s where s.seqrelid = d.objid)
    and d.refclassid = 'pg_class'::regclass)
"""


@dataclass(frozen=True)
class Catalog:
    """What a database consists of; `privileges` are the default privileges of the creator."""

    entities: Mapping[Key, Entity]
    privileges: dict[tuple[str, str], Items]

    def new_items(self, schema: str, code: str) -> Items:
        """Who may do what with an object as soon as it is made here."""
        return creation_items(self.privileges, schema, code)


def read_catalog(dsn: str, scope: Scope) -> Catalog:
    """What lies in the scope. Raises psycopg2.Error."""
    with closing(psycopg2.connect(dsn)) as connection:
        connection.set_session(isolation_level="REPEATABLE READ", readonly=True)
        with connection.cursor() as cursor:
            cursor.execute(_SETTINGS)
            reader = Reader(cursor, scope)
            privileges = _read_all(reader)
            _note_needs(reader)
    return Catalog(reader.entities, privileges)


def _read_all(reader: Reader) -> dict[tuple[str, str], Items]:
    read_schemas(reader)
    read_extensions(reader)
    read_types(reader)
    read_tables(reader)
    read_functions(reader)
    read_views(reader)
    read_constraints(reader)
    read_indexes(reader)
    read_statistics(reader)
    read_rules(reader)
    read_triggers(reader)
    read_policies(reader)
    read_casts(reader)
    read_event_triggers(reader)
    read_publications(reader)
    read_privileges(reader)
    read_comments(reader)
    return read_default_privileges(reader)


def _note_needs(reader: Reader) -> None:
    """As pg_depend tells: from one piece to another, or to the extension that another belongs to."""
    for catalogue, oid, number, other_catalogue, other_oid, other_number in reader.rows(_DEPENDENCIES):
        key = reader.addresses.get((catalogue, oid, number)) or reader.addresses.get((catalogue, oid, 0))
        if key is None or key not in reader.entities:
            continue
        other = reader.find((other_catalogue, other_oid, other_number))
        if other is not None and other != key and other in reader.entities:
            reader.need(key, other)
    for entity in list(reader.entities.values()):
        if entity.parent is not None and entity.parent in reader.entities:
            reader.need(entity.key, entity.parent)
