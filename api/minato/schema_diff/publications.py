"""Reads publications and what they publish: realtime follows the tables of `supabase_realtime`."""

from __future__ import annotations

from minato.schema_diff.entity import Entity, Key, literal, qualified, quoted
from minato.schema_diff.reader import Reader

_PUBLICATIONS = """
select oid, pubname, puballtables, pubviaroot,
  array_remove(array[case when pubinsert then 'insert' end, case when pubupdate then 'update' end,
    case when pubdelete then 'delete' end, case when pubtruncate then 'truncate' end], null)
from pg_publication
"""
_TABLES = """
select r.oid, p.pubname, n.nspname, c.relname, pg_get_expr(r.prqual, r.prrelid),
  (select array_agg(quote_ident(a.attname) order by k.i) from unnest(r.prattrs) with ordinality k(attnum, i)
    join pg_attribute a on a.attrelid = r.prrelid and a.attnum = k.attnum)
from pg_publication_rel r join pg_publication p on p.oid = r.prpubid join pg_class c on c.oid = r.prrelid
join pg_namespace n on n.oid = c.relnamespace where c.relnamespace = any(%s)
"""
_SCHEMAS = """
select s.oid, p.pubname, n.nspname from pg_publication_namespace s join pg_publication p on p.oid = s.pnpubid
join pg_namespace n on n.oid = s.pnnspid where s.pnnspid = any(%s)
"""


def read_publications(reader: Reader) -> None:
    """Publications, and their members that lie in the scope."""
    if not reader.scope.is_whole:
        return
    for oid, name, everything, via_root, actions in reader.rows(_PUBLICATIONS):
        if reader.owned("pg_publication", oid):
            continue
        options = f"publish = {literal(', '.join(actions))}, publish_via_partition_root = {str(via_root).lower()}"
        tables = " for all tables" if everything else ""
        create = (f"create publication {quoted(name)}{tables} with ({options})",)
        entity = Entity(
            Key("publication", "", name),
            (everything, options),
            create,
            (f"drop publication {quoted(name)}",),
            facts=(everything, f"alter publication {quoted(name)} set ({options})"),
        )
        reader.add(entity, ("pg_publication", oid, 0))
    _read_members(reader)


def _read_members(reader: Reader) -> None:
    for oid, publication, schema, table, condition, columns in reader.rows(_TABLES, [reader.full]):
        place = Key("table", schema, table)
        named = f" ({', '.join(columns)})" if columns else ""
        where = f" where ({condition})" if condition else ""
        _add_member(reader, oid, publication, place, f"table {qualified(place)}", named + where)
    for oid, publication, schema in reader.rows(_SCHEMAS, [reader.full]):
        place = Key("schema", "", schema)
        _add_member(reader, oid, publication, place, f"tables in schema {quoted(schema)}", "")


def _add_member(reader: Reader, oid: int, publication: str, place: Key, what: str, more: str) -> None:
    parent = Key("publication", "", publication)
    if parent not in reader.entities or place not in reader.entities:
        return
    change = f"alter publication {quoted(publication)}"
    key = Key("publication member", place.schema, place.name, publication, place.kind)
    create, drop = (f"{change} add {what}{more}",), (f"{change} drop {what}",)
    catalogue = "pg_publication_rel" if place.kind == "table" else "pg_publication_namespace"
    reader.add(Entity(key, create, create, drop, place, frozenset({parent})), (catalogue, oid, 0))
