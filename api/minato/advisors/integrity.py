"""Tables that lose rows, can't change them, or run out of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.row_security import ANYTHING
from minato.advisors.snapshot import Column, Relation, Sequence, Snapshot
from minato.database.identifiers import quote_identifier, quote_qualified

NO_KEY = Lint(
    "no_primary_key",
    "No Primary Key",
    Level.INFO,
    "PERFORMANCE",
    "Rows without a primary key can't be told apart: not by the API, not by realtime, not by replication.",
)
NO_IDENTITY = Lint(
    "published_without_replica_identity",
    "Published Without Replica Identity",
    Level.ERROR,
    "RELIABILITY",
    "PostgreSQL refuses each update and delete of a published table by whose rows it can't name them.",
)
UNLOGGED = Lint(
    "unlogged_table_in_api",
    "Unlogged Table in API",
    Level.WARN,
    "RELIABILITY",
    "An unlogged table is empty after a crash, and is in no publication and no replica.",
)
NEAR_END = Lint(
    "sequence_near_its_end",
    "Sequence Near Its End",
    Level.WARN,
    "RELIABILITY",
    "When a sequence or the column it fills has no number left, each insert fails.",
)
REG_TYPES = Lint(
    "unsupported_reg_types",
    "Unsupported reg types",
    Level.WARN,
    "RELIABILITY",
    "Columns of these types hold numbers of this very server and keep pg_upgrade from running.",
)
ACCOUNT_KEY = Lint(
    "fkey_to_auth_unique",
    "Foreign Key to Auth Unique Constraint",
    Level.ERROR,
    "RELIABILITY",
    "The unique constraints of auth.users are the platform's and may go with an upgrade; its primary key stays.",
)
# Of a sequence's numbers, from where on it is told.
NEARLY: Final = 0.8
_LARGEST: Final = {"int2": 2**15 - 1, "int4": 2**31 - 1, "int8": 2**63 - 1}
_UNSUPPORTED: Final = frozenset(
    {"regcollation", "regconfig", "regdictionary", "regnamespace", "regoper", "regoperator", "regproc", "regprocedure"}
)


def without_key(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables without a primary key; of partitions their parent is told."""
    for table in snapshot.relations.values():
        if table.is_table and not table.is_partition and not _has_key(table, snapshot):
            detail = f"Table {table.schema}.{table.name} has no primary key."
            mend = (f"alter table {table.place} {_new_key(table, snapshot)}",)
            yield Finding(NO_KEY, "table", table.schema, table.name, "", detail, mend)


def _has_key(table: Relation, snapshot: Snapshot) -> bool:
    return any(index.is_primary for index in snapshot.indexes_of.get(table.oid, []))


def _new_key(table: Relation, snapshot: Snapshot) -> str:
    """The unique index that is as good as one becomes it; else a new column does."""
    columns = snapshot.columns_of.get(table.oid, [])
    required = {column.number for column in columns if column.is_required}
    for index in snapshot.indexes_of.get(table.oid, []):
        is_whole = index.is_unique and index.is_valid and index.predicate is None and required >= set(index.keys)
        if is_whole and index.constraint is None and table.kind == "r":
            return f"add primary key using index {quote_identifier(index.name)}"
        if is_whole and index.constraint is not None and not index.is_needed:
            names = ", ".join(quote_identifier(name) for name in snapshot.names(table.oid, index.keys))
            constraint = quote_identifier(index.constraint)
            return f"drop constraint {constraint}, add constraint {constraint} primary key ({names})"
    taken = {column.name for column in columns}
    name = next(name for name in ("id", "row_id", *(f"row_id_{n}" for n in range(len(taken)))) if name not in taken)
    return f"add column {quote_identifier(name)} bigint generated always as identity primary key"


def without_identity(snapshot: Snapshot) -> Iterator[Finding]:
    """Published tables whose rows have no name for those that follow."""
    for table in snapshot.relations.values():
        is_named = table.identity in "fi" or (table.identity == "d" and _has_key(table, snapshot))
        if table.is_table and table.oid in snapshot.published and not is_named:
            detail = (
                f"Table {table.schema}.{table.name} is published for updates or deletes without a replica identity."
            )
            mend = "default" if _has_key(table, snapshot) else "full"
            mended = (f"alter table {table.place} replica identity {mend}",)
            yield Finding(NO_IDENTITY, "table", table.schema, table.name, "", detail, mended)


def unlogged(snapshot: Snapshot) -> Iterator[Finding]:
    """Tables of the API that a crash empties."""
    for table in snapshot.in_api("rp", *ANYTHING):
        if table.is_unlogged:
            detail = f"Table {table.schema}.{table.name} is unlogged."
            mend = (f"alter table {table.place} set logged",)
            yield Finding(UNLOGGED, "table", table.schema, table.name, "", detail, mend)


def near_their_end(snapshot: Snapshot) -> Iterator[Finding]:
    """Sequences that have given out most of the numbers that they have, or that their column can hold."""
    for sequence in snapshot.sequences:
        column = _filled(sequence, snapshot)
        limit = min(sequence.limit, _LARGEST.get(column.type, sequence.limit)) if column else sequence.limit
        if sequence.last is None or sequence.cycles or sequence.step < 0 or sequence.last < limit * NEARLY:
            continue
        share = 100 * sequence.last // limit
        detail = f"Sequence {sequence.schema}.{sequence.name} is at {sequence.last} of {limit} ({share} %)."
        mend = _widened(sequence, column, snapshot)
        yield Finding(NEAR_END, "sequence", sequence.schema, sequence.name, "", detail, mend)


def _filled(sequence: Sequence, snapshot: Snapshot) -> Column | None:
    columns = snapshot.columns_of.get(sequence.relation or 0, [])
    return next((column for column in columns if column.number == sequence.column), None)


def _widened(sequence: Sequence, column: Column | None, snapshot: Snapshot) -> tuple[str, ...]:
    """The sequence, its column, and the columns that refer to it become bigint."""
    found = []
    if column is not None and column.type in ("int2", "int4"):
        places = [(column.relation, column.number)]
        for key in snapshot.foreign_keys:
            pairs = zip(key.columns, key.target_columns, strict=True)
            places += [(key.relation, own) for own, other in pairs if (key.target, other) == places[0]]
        for oid, number in dict.fromkeys(places):
            name = quote_identifier(snapshot.names(oid, (number,))[0])
            found.append(f"alter table {snapshot.relations[oid].place} alter column {name} type bigint")
    place = quote_qualified(sequence.schema, sequence.name)
    return (*found, f"alter sequence {place} as bigint maxvalue {_LARGEST['int8']}")


def reg_types(snapshot: Snapshot) -> Iterator[Finding]:
    """Columns of types that an upgrade of PostgreSQL refuses."""
    for column in snapshot.columns:
        table = snapshot.relations.get(column.relation)
        if table is not None and column.type.removeprefix("_") in _UNSUPPORTED:
            detail = f"Column {column.name} of {table.schema}.{table.name} is of the type {column.type}."
            target = "text[]" if column.type.startswith("_") else "text"
            name = quote_identifier(column.name)
            mend = (f"alter table {table.place} alter column {name} type {target} using {name}::{target}",)
            yield Finding(REG_TYPES, "table", table.schema, table.name, column.name, detail, mend)


def keys_to_accounts(snapshot: Snapshot) -> Iterator[Finding]:
    """Foreign keys that lean on another column of auth.users than its id."""
    for key in snapshot.foreign_keys:
        table = snapshot.relations.get(key.relation)
        if table is not None and key.target == snapshot.accounts and not key.to_primary:
            detail = f'Foreign key "{key.name}" of {table.schema}.{table.name} refers to a unique column of auth.users.'
            mend = (f"alter table {table.place} drop constraint {quote_identifier(key.name)}",)
            yield Finding(ACCOUNT_KEY, "table", table.schema, table.name, key.name, detail, mend)
