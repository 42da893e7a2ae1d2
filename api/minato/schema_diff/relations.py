"""Reads tables, their columns and defaults, and sequences."""

from __future__ import annotations

from dataclasses import dataclass, field

from minato.schema_diff.entity import Entity, Key, qualified, quoted
from minato.schema_diff.reader import Reader, Row

_TABLES = """
select c.oid, n.nspname, c.relname, c.relkind, c.relpersistence, c.reltype, c.reloptions, c.relrowsecurity,
  c.relforcerowsecurity, c.relreplident, i.relname, pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid),
  array(select h.inhparent::regclass::text from pg_inherits h where h.inhrelid = c.oid order by h.inhseqno)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
left join pg_index x on x.indrelid = c.oid and x.indisreplident left join pg_class i on i.oid = x.indexrelid
where c.relnamespace = any(%s) and c.relkind in ('r', 'p')
"""
_COLUMNS = """
select a.attrelid, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
  case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end,
  a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid), d.oid,
  a.atttypid, a.attislocal, format_type(a.atttypid, null), t.typcategory = 'S',
  array(select format_type(x.casttarget, null) from pg_cast x where x.castsource = a.atttypid)
from pg_attribute a join pg_type t on t.oid = a.atttypid
left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attrelid = any(%s) and a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum
"""
_SEQUENCES = """
select c.oid, n.nspname, c.relname, format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax,
  s.seqcache, s.seqcycle, c.relpersistence, d.deptype, tn.nspname, t.relname, a.attname, t.oid, a.attnum
from pg_sequence s join pg_class c on c.oid = s.seqrelid join pg_namespace n on n.oid = c.relnamespace
left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
  and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
left join pg_class t on t.oid = d.refobjid left join pg_namespace tn on tn.oid = t.relnamespace
left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
where c.relnamespace = any(%s)
"""
_IDENTITY = {"a": "always", "d": "by default"}
_REPLICA = {"d": "default", "n": "nothing", "f": "full"}


@dataclass(frozen=True)
class Table:
    """`options` are its storage parameters; `bound` is a partition's, `parents` what it inherits from."""

    is_unlogged: bool
    options: tuple[str, ...]
    partition_key: str | None
    bound: str | None
    parents: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """`identity` and `generated` as clauses; `sequence` are the options of an identity's sequence.

    `base` is the type without its length, `casts` are the types that its values can be cast to.
    """

    type: str
    collation: str | None
    is_not_null: bool
    identity: str
    sequence: tuple[object, ...]
    generated: str
    base: str = field(default="", compare=False)
    is_string: bool = field(default=False, compare=False)
    casts: frozenset[str] = field(default=frozenset(), compare=False)

    def cast(self, name: str, after: Column) -> str:
        """The values in another type: where no cast leads there, by way of their text."""
        is_direct = self.base == after.base or after.base in self.casts or self.is_string or after.is_string
        return f"{name}::{after.type}" if is_direct else f"{name}::text::{after.type}"

    def clause(self, name: str, default: str | None) -> str:
        """What stands in CREATE TABLE or after ADD COLUMN."""
        parts = [quoted(name), self.type]
        parts += [f"collate {self.collation}"] if self.collation else []
        parts += [f"default {default}"] if default is not None else []
        parts += [part for part in (self.generated, self.identity) if part]
        parts += ["not null"] if self.is_not_null else []
        return " ".join(parts)


def read_tables(reader: Reader) -> None:
    """Tables, their columns and what is set for them as a whole."""
    rows = [row for row in reader.rows(_TABLES, [reader.full]) if not reader.owned("pg_class", row[0])]
    for oid, schema, name, _, persistence, row_type, options, _, _, _, _, partition_key, bound, parents in rows:
        key = Key("table", schema, name)
        table = Table(persistence == "u", tuple(options or ()), partition_key, bound, tuple(parents))
        entity = Entity(
            key, table, drop=(f"drop table {qualified(key)}",), parent=Key("schema", "", schema), facts=table
        )
        reader.add(entity, ("pg_class", oid, 0), ("pg_type", row_type, 0))
    _note_array_types(reader)
    identities = _read_sequences(reader)
    for row in rows:
        _read_flags(reader, row)
    tables = {row[0]: (Key("table", row[1], row[2]), row[12] is not None) for row in rows}
    for row in reader.rows(_COLUMNS, [list(tables)]):
        _read_column(reader, *tables[row[0]], row, identities)


def _note_array_types(reader: Reader) -> None:
    for oid, element in reader.rows("select oid, typelem from pg_type where typelem <> 0 and typcategory = 'A'"):
        if key := reader.addresses.get(("pg_type", element, 0)):
            reader.addresses["pg_type", oid, 0] = key


def _read_column(
    reader: Reader, table: Key, is_partition: bool, row: Row, identities: dict[tuple[int, int], Row]
) -> None:
    oid, number, name, kind, collation, is_not_null, identity, generated, expression, default_oid, *more = row
    type_oid, own, base, is_string, casts = more
    key = Key("column", table.schema, table.name, name)
    if is_partition or not own:
        # It comes from the parent.
        reader.addresses["pg_class", oid, number] = table
        return
    stored = {"s": " stored", "v": ""}.get(generated, "")
    column = Column(
        kind,
        collation,
        is_not_null,
        f"generated {_IDENTITY[identity]} as identity" + _sequence_clause(identities.get((oid, number)))
        if identity
        else "",
        identities.get((oid, number), ()),
        f"generated always as ({expression}){stored}" if generated else "",
        base,
        is_string,
        frozenset(casts),
    )
    owner = f"alter table {qualified(table)}"
    create = (f"{owner} add column {column.clause(name, None)}",)
    entity = Entity(key, column, create, (f"{owner} drop column {quoted(name)}",), table, facts=column)
    reader.add(entity, ("pg_class", oid, number))
    if type_key := reader.find(("pg_type", type_oid, 0)):
        reader.need(key, type_key)
    if default_oid and generated:
        reader.addresses["pg_attrdef", default_oid, 0] = key
    elif default_oid:
        _read_default(reader, key, default_oid, expression)


def _read_default(reader: Reader, column: Key, oid: int, expression: str) -> None:
    change = f"alter table {qualified(column)} alter column {quoted(column.part)}"
    key = column._replace(kind="default")
    create, drop = (f"{change} set default {expression}",), (f"{change} drop default",)
    reader.add(Entity(key, expression, create, drop, column, facts=expression), ("pg_attrdef", oid, 0))


def _read_flags(reader: Reader, row: Row) -> None:
    _, schema, name, _, _, _, _, enabled, forced, replica, index, *_ = row
    table = Key("table", schema, name)
    change = f"alter table {qualified(table)}"
    key = table._replace(kind="rls")
    wanted = {"enable": enabled, "force": forced}
    create = tuple(f"{change} {verb} row level security" for verb, is_wanted in wanted.items() if is_wanted)
    reader.add(Entity(key, (enabled, forced), create, (), table, facts=(enabled, forced)))
    identity = f"using index {quoted(index)}" if replica == "i" and index else _REPLICA.get(replica, "default")
    key = table._replace(kind="replica identity")
    text = f"{change} replica identity {identity}"
    reader.add(Entity(key, identity, (text,) if identity != "default" else (), (), table, facts=text))
    if replica == "i" and index:
        reader.need(key, Key("index", schema, index))


def _read_sequences(reader: Reader) -> dict[tuple[int, int], tuple[object, ...]]:
    """Sequences of their own; those of identity columns are part of these, and come back by table and column."""
    identities: dict[tuple[int, int], tuple[object, ...]] = {}
    for row in reader.rows(_SEQUENCES, [reader.full]):
        oid, schema, name, kind, *options, persistence, bond, owner_schema, owner, column, owner_oid, number = row
        if bond == "i":
            identities[owner_oid, number] = (kind, *options)
        elif not reader.owned("pg_class", oid):
            key = Key("sequence", schema, name)
            _add_sequence(reader, key, oid, (kind, *options), persistence == "u")
            if bond == "a":
                _add_sequence_owner(reader, key, Key("column", owner_schema, owner, column))
    return identities


def _add_sequence(reader: Reader, key: Key, oid: int, options: Row, is_unlogged: bool) -> None:
    unlogged = "unlogged " if is_unlogged else ""
    clause = _sequence_options(options)
    create = (f"create {unlogged}sequence {qualified(key)}{clause}",)
    drop = (f"drop sequence {qualified(key)}",)
    entity = Entity(
        key, (options, is_unlogged), create, drop, Key("schema", "", key.schema), facts=_all_sequence_options(options)
    )
    reader.add(entity, ("pg_class", oid, 0))


def _add_sequence_owner(reader: Reader, sequence: Key, column: Key) -> None:
    key = sequence._replace(kind="sequence owner")
    change = f"alter sequence {qualified(sequence)} owned by"
    create = (f"{change} {qualified(column)}.{quoted(column.part)}",)
    entity = Entity(key, column, create, (f"{change} none",), sequence, frozenset({column}), facts=column)
    reader.add(entity)


def _sequence_clause(options: Row | None) -> str:
    """The options of an identity, in parentheses, where they are not the usual ones; its type is the column's.

    >>> _sequence_clause(("integer", 5, 1, 1, 2147483647, 1, False))
    ' (start with 5)'
    """
    clause = _sequence_options(options).removeprefix(f" as {options[0]}").strip() if options else ""
    return f" ({clause})" if clause else ""


def _sequence_options(options: Row) -> str:
    """What differs from a sequence that nothing was said of.

    >>> _sequence_options(("integer", 5, 1, 1, 2147483647, 1, False))
    ' as integer start with 5'
    """
    kind, start, step, least, most, cache, cycles = options
    usual_least, usual_most = _usual_bounds(kind, step)
    parts = [f"as {kind}"] if kind != "bigint" else []
    parts += [f"start with {start}"] if start != (least if step > 0 else most) else []
    parts += [f"increment by {step}"] if step != 1 else []
    parts += [f"minvalue {least}"] if least != usual_least else []
    parts += [f"maxvalue {most}"] if most != usual_most else []
    parts += [f"cache {cache}"] if cache != 1 else []
    parts += ["cycle"] if cycles else []
    return "".join(f" {part}" for part in parts)


def _all_sequence_options(options: Row) -> str:
    kind, start, step, least, most, cache, cycles = options
    cycle = "cycle" if cycles else "no cycle"
    bounds = f"minvalue {least} maxvalue {most}"
    return f"as {kind} start with {start} increment by {step} {bounds} cache {cache} {cycle}"


def _usual_bounds(kind: str, step: int) -> tuple[int, int]:
    most = {"smallint": 2**15, "integer": 2**31}.get(kind, 2**63)
    return (1, most - 1) if step > 0 else (-most, -1)
