"""Reads constraints, indexes and extended statistics."""

from __future__ import annotations

from minato.schema_diff.entity import Entity, Key, qualified, quoted
from minato.schema_diff.reader import Reader

# NOT NULL is a matter of the column; what a parent hands down comes with the partition or the heir.
_CONSTRAINTS = """
select c.oid, n.nspname, t.relname, c.conname, c.contype, pg_get_constraintdef(c.oid), c.conindid, c.confrelid
from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
where t.relnamespace = any(%s) and t.relkind in ('r', 'p') and c.contype in ('p', 'u', 'x', 'c', 'f')
  and c.conparentid = 0 and c.conislocal
"""
_INDEXES = """
select i.indexrelid, n.nspname, c.relname, tn.nspname, t.relname, t.relkind, pg_get_indexdef(i.indexrelid)
from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
join pg_class t on t.oid = i.indrelid join pg_namespace tn on tn.oid = t.relnamespace
where c.relnamespace = any(%s) and not c.relispartition and i.indislive and t.relkind in ('r', 'p', 'm')
  and not exists (select from pg_constraint k where k.conindid = c.oid and k.contype in ('p', 'u', 'x'))
"""
_STATISTICS = """
select s.oid, n.nspname, s.stxname, pg_get_statisticsobjdef(s.oid), tn.nspname, t.relname
from pg_statistic_ext s join pg_namespace n on n.oid = s.stxnamespace join pg_class t on t.oid = s.stxrelid
join pg_namespace tn on tn.oid = t.relnamespace where s.stxnamespace = any(%s)
"""


def read_constraints(reader: Reader) -> None:
    """Of tables; those of domains are part of them."""
    for oid, schema, table, name, kind, definition, index, referenced in reader.rows(_CONSTRAINTS, [reader.full]):
        parent = Key("table", schema, table)
        if parent not in reader.entities:
            continue
        key = Key("constraint", schema, table, name)
        change = f"alter table {qualified(parent)}"
        create = (f"{change} add constraint {quoted(name)} {definition}",)
        drop = (f"{change} drop constraint {quoted(name)}",)
        entity = Entity(key, definition, create, drop, parent, facts=kind)
        reader.add(entity, ("pg_constraint", oid, 0))
        if kind in "pux" and index:
            reader.addresses["pg_class", index, 0] = key
        if kind == "f" and (other := reader.find(("pg_class", referenced, 0))):
            reader.need(key, other)


def read_indexes(reader: Reader) -> None:
    """Those that no constraint has brought along."""
    for oid, schema, name, table_schema, table, kind, definition in reader.rows(_INDEXES, [reader.full]):
        parent = Key("view" if kind == "m" else "table", table_schema, table)
        if parent not in reader.entities:
            continue
        key = Key("index", schema, name)
        # An index ON ONLY a partitioned table would have to be completed piece by piece.
        definition = definition.replace(" ON ONLY ", " ON ", 1) if kind == "p" else definition
        drop = (f"drop index {qualified(key)}",)
        reader.add(Entity(key, definition, (definition,), drop, parent), ("pg_class", oid, 0))


def read_statistics(reader: Reader) -> None:
    """CREATE STATISTICS."""
    for oid, schema, name, definition, table_schema, table in reader.rows(_STATISTICS, [reader.full]):
        parent = Key("table", table_schema, table)
        if parent in reader.entities:
            key = Key("statistics", schema, name)
            drop = (f"drop statistics {qualified(key)}",)
            reader.add(Entity(key, definition, (definition,), drop, parent), ("pg_statistic_ext", oid, 0))
