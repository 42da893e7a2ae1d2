"""Indexes that are missing, there twice, or broken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from minato.advisors.finding import Finding, Level, Lint
from minato.advisors.snapshot import ForeignKey, Index, Snapshot
from minato.database.identifiers import quote_identifier, quote_qualified

UNINDEXED_KEY = Lint(
    "unindexed_foreign_keys",
    "Unindexed foreign keys",
    Level.INFO,
    "PERFORMANCE",
    "Each delete and each changed key of the referenced table reads the whole referencing table.",
)
DUPLICATE = Lint(
    "duplicate_index",
    "Duplicate Index",
    Level.WARN,
    "PERFORMANCE",
    "Each write keeps both indexes, and each search needs but one.",
)
INVALID = Lint(
    "invalid_index",
    "Invalid Index",
    Level.WARN,
    "PERFORMANCE",
    "An index that was not finished is kept with each write and used by no search.",
)


def unindexed_keys(snapshot: Snapshot) -> Iterator[Finding]:
    """Foreign keys whose columns no index begins with, in any order."""
    for key in snapshot.foreign_keys:
        table = snapshot.relations.get(key.relation)
        if table is None or any(_serves(index, key, snapshot) for index in snapshot.indexes_of.get(table.oid, [])):
            continue
        names = snapshot.names(table.oid, key.columns)
        detail = f'Foreign key "{key.name}" of {table.schema}.{table.name} ({", ".join(names)}) has no index.'
        mend = snapshot.new_index(table, names)
        yield Finding(UNINDEXED_KEY, "table", table.schema, table.name, key.name, detail, (mend,))


def _serves(index: Index, key: ForeignKey, snapshot: Snapshot) -> bool:
    """Whether a search for a key's value can use an index; one of the rows that have a value at all can."""
    begins = set(index.keys[: len(key.columns)]) == set(key.columns)
    names = [quote_identifier(name) for name in snapshot.names(key.relation, key.columns)]
    plain = [name[1:-1] for name in names]
    enough = {f"({name} IS NOT NULL)" for name in (*names, *plain)}
    return begins and index.is_valid and (index.predicate is None or index.predicate in enough)


def duplicates(snapshot: Snapshot) -> Iterator[Finding]:
    """Of indexes alike, those that nothing would miss: no constraint of others, no replica identity."""
    for oid, indexes in snapshot.indexes_of.items():
        alike: dict[str, list[Index]] = {}
        for index in indexes:
            alike.setdefault(index.shape, []).append(index)
        table = snapshot.relations.get(oid)
        for group in alike.values():
            for spare in _spare(group) if table is not None else ():
                detail = f"Index {spare.schema}.{spare.name} of {table.name} holds what another does." if table else ""
                mend = (_dropped(spare, table.place if table else ""),)
                yield Finding(DUPLICATE, "index", spare.schema, spare.name, "", detail, mend)


def _spare(group: Sequence[Index]) -> list[Index]:
    """All but the one that does most; those that must stay are no finding."""
    ranked = sorted(
        group, key=lambda index: (index.is_needed, index.is_primary, index.is_unique, bool(index.constraint))
    )
    best = ranked[-1]
    return [index for index in ranked[:-1] if not index.is_needed and (best.is_unique or not index.is_unique)]


def _dropped(index: Index, table: str) -> str:
    if index.constraint is not None:
        return f"alter table {table} drop constraint {quote_identifier(index.constraint)}"
    return f"drop index {quote_qualified(index.schema, index.name)}"


def invalid(snapshot: Snapshot) -> Iterator[Finding]:
    """Indexes that `create index concurrently` left unfinished."""
    for index in snapshot.indexes:
        table = snapshot.relations.get(index.relation)
        if not index.is_valid and table is not None and table.kind == "r":
            detail = f"Index {index.schema}.{index.name} of {table.name} is invalid."
            mend = (f"reindex index {quote_qualified(index.schema, index.name)}",)
            yield Finding(INVALID, "index", index.schema, index.name, "", detail, mend)
