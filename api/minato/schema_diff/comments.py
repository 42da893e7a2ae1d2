"""Reads comments, of whatever has one."""

from __future__ import annotations

from minato.schema_diff.entity import Entity, Key, literal, qualified, quoted
from minato.schema_diff.reader import Reader
from minato.schema_diff.routines import View
from minato.schema_diff.types import Domain

_COMMENTS = """
select d.classoid::regclass::text, d.objoid, d.objsubid, d.description,
  (select a.attname from pg_attribute a where d.classoid = 'pg_class'::regclass and a.attrelid = d.objoid
    and a.attnum = d.objsubid and d.objsubid > 0)
from pg_description d
where d.classoid in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_type'::regclass, 'pg_namespace'::regclass,
  'pg_constraint'::regclass, 'pg_trigger'::regclass, 'pg_policy'::regclass, 'pg_rewrite'::regclass,
  'pg_event_trigger'::regclass, 'pg_statistic_ext'::regclass, 'pg_publication'::regclass)
"""


def read_comments(reader: Reader) -> None:
    """COMMENT ON each piece, and on the columns of tables and views."""
    for catalogue, oid, number, text, column in reader.rows(_COMMENTS):
        parent = reader.addresses.get((catalogue, oid, number)) or reader.addresses.get((catalogue, oid, 0))
        if parent is None or (number and not column):
            continue
        place = _place_of_column(parent, column) if column else _place(reader, parent, catalogue)
        if place is None:
            continue
        key = Key("comment", parent.schema, parent.name, column or parent.part, "column" if column else parent.kind)
        head = f"comment on {place} is"
        reader.add(Entity(key, text, (f"{head} {literal(text)}",), (f"{head} null",), parent))


def _place_of_column(parent: Key, column: str) -> str | None:
    return f"column {qualified(parent)}.{quoted(column)}" if parent.kind in ("table", "column", "view") else None


def _place(reader: Reader, key: Key, catalogue: str) -> str | None:
    """What COMMENT ON names; None for what is part of something else here."""
    facts = reader.entities[key].facts
    if key.kind in ("schema", "event trigger", "publication"):
        return f"{key.kind} {quoted(key.name)}"
    if key.kind == "function":
        return f"{reader.entities[key].drop[0].removeprefix('drop ')}"
    if key.kind == "constraint":
        # The comment on its index is another one, and rare.
        place = f"constraint {quoted(key.part)} on {quoted(key.schema)}.{quoted(key.name)}"
        return place if catalogue == "pg_constraint" else None
    if key.kind in ("trigger", "policy", "rule"):
        return f"{key.kind} {quoted(key.part)} on {qualified(key)}"
    if key.kind == "type":
        noun = "domain" if isinstance(facts, Domain) else "type"
        return f"{noun} {qualified(key)}" if catalogue == "pg_type" else None
    if key.kind == "view":
        is_materialized = isinstance(facts, View) and facts.is_materialized
        return f"{'materialized view' if is_materialized else 'view'} {qualified(key)}"
    return f"{key.kind} {qualified(key)}" if key.kind in ("table", "sequence", "index", "statistics") else None
