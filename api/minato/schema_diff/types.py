"""Reads enums, domains, composite and range types."""

from __future__ import annotations

from dataclasses import dataclass

from minato.database.identifiers import quote_qualified
from minato.schema_diff.entity import Entity, Key, literal, qualified, quoted
from minato.schema_diff.reader import Reader, Row

_TYPES = """
select t.oid, t.typarray, n.nspname, t.typname, t.typtype, t.typrelid from pg_type t
join pg_namespace n on n.oid = t.typnamespace left join pg_class c on c.oid = t.typrelid
where t.typnamespace = any(%s) and (t.typtype in ('e', 'd', 'r') or (t.typtype = 'c' and c.relkind = 'c'))
"""
_LABELS = """
select enumtypid, array_agg(enumlabel::text order by enumsortorder) from pg_enum
where enumtypid = any(%s) group by enumtypid
"""
_ATTRIBUTES = """
select a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod),
  case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end
from pg_attribute a join pg_type t on t.oid = a.atttypid
where a.attrelid = any(%s) and a.attnum > 0 and not a.attisdropped order by a.attrelid, a.attnum
"""
_DOMAINS = """
select t.oid, format_type(t.typbasetype, t.typtypmod), t.typnotnull, t.typdefault,
  case when t.typcollation <> b.typcollation then t.typcollation::regcollation::text end
from pg_type t join pg_type b on b.oid = t.typbasetype where t.oid = any(%s)
"""
_DOMAIN_CHECKS = """
select contypid, oid, conname, pg_get_constraintdef(oid) from pg_constraint
where contypid = any(%s) and contype = 'c' order by conname
"""
_RANGES = """
select r.rngtypid, format_type(r.rngsubtype, null), m.typname, nullif(r.rngsubdiff, 0)::regproc::text
from pg_range r join pg_type m on m.oid = r.rngmultitypid where r.rngtypid = any(%s)
"""
_MULTIRANGES = "select rngtypid, rngmultitypid from pg_range where rngtypid = any(%s)"


@dataclass(frozen=True)
class Enum:
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Domain:
    """`checks` are names and conditions."""

    base: str
    collation: str | None
    default: str | None
    is_not_null: bool
    checks: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Composite:
    """`attributes` are names and types."""

    attributes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Range:
    subtype: str
    multirange: str
    difference: str | None


def read_types(reader: Reader) -> None:
    """Every type of its own; arrays and rows of tables come with what they are of."""
    rows = [row for row in reader.rows(_TYPES, [reader.full]) if not reader.owned("pg_type", row[0])]
    facts = _facts(reader, rows)
    for oid, array, schema, name, _, relation in rows:
        key, what = Key("type", schema, name), facts[oid]
        noun = "domain" if isinstance(what, Domain) else "type"
        entity = Entity(
            key, what, _create(key, what), (f"drop {noun} {qualified(key)}",), Key("schema", "", schema), facts=what
        )
        reader.add(entity, ("pg_type", oid, 0), ("pg_type", array, 0))
        if relation:
            reader.addresses["pg_class", relation, 0] = key
    _note_parts(reader, [row[0] for row in rows])


def _facts(reader: Reader, rows: list[Row]) -> dict[int, Enum | Domain | Composite | Range]:
    oids, relations = [row[0] for row in rows], {row[5]: row[0] for row in rows if row[5]}
    found: dict[int, Enum | Domain | Composite | Range] = {row[0]: Enum(()) for row in rows if row[4] == "e"}
    found |= {relations[relation]: Composite(()) for relation in relations}
    for oid, labels in reader.rows(_LABELS, [oids]):
        found[oid] = Enum(tuple(labels))
    attributes: dict[int, list[tuple[str, str]]] = {}
    for relation, name, kind, collation in reader.rows(_ATTRIBUTES, [list(relations)]):
        attributes.setdefault(relations[relation], []).append((name, _with_collation(kind, collation)))
    found |= {oid: Composite(tuple(pairs)) for oid, pairs in attributes.items()}
    checks: dict[int, list[tuple[str, str]]] = {}
    for oid, _, name, condition in reader.rows(_DOMAIN_CHECKS, [oids]):
        checks.setdefault(oid, []).append((name, condition))
    for oid, base, is_not_null, default, collation in reader.rows(_DOMAINS, [oids]):
        found[oid] = Domain(base, collation, default, is_not_null, tuple(checks.get(oid, ())))
    for oid, subtype, multirange, difference in reader.rows(_RANGES, [oids]):
        found[oid] = Range(subtype, multirange, difference)
    return found


def _note_parts(reader: Reader, oids: list[int]) -> None:
    """What PostgreSQL knows as objects of their own and is part of a type here."""
    for oid, check, _, _ in reader.rows(_DOMAIN_CHECKS, [oids]):
        reader.addresses["pg_constraint", check, 0] = reader.addresses["pg_type", oid, 0]
    for oid, multirange in reader.rows(_MULTIRANGES, [oids]):
        reader.addresses["pg_type", multirange, 0] = reader.addresses["pg_type", oid, 0]


def _create(key: Key, what: Enum | Domain | Composite | Range) -> tuple[str, ...]:
    name = qualified(key)
    if isinstance(what, Enum):
        return (f"create type {name} as enum ({', '.join(map(literal, what.labels))})",)
    if isinstance(what, Composite):
        attributes = ",\n".join(f"    {quoted(attribute)} {kind}" for attribute, kind in what.attributes)
        return (f"create type {name} as (\n{attributes}\n)" if attributes else f"create type {name} as ()",)
    if isinstance(what, Range):
        difference = f", subtype_diff = {what.difference}" if what.difference else ""
        multirange = f", multirange_type_name = {quote_qualified(key.schema, what.multirange)}"
        return (f"create type {name} as range (subtype = {what.subtype}{difference}{multirange})",)
    parts = [f"create domain {name} as {_with_collation(what.base, what.collation)}"]
    parts += [f"default {what.default}"] if what.default else []
    parts += ["not null"] if what.is_not_null else []
    parts += [f"constraint {quoted(check)} {condition}" for check, condition in what.checks]
    return (" ".join(parts),)


def _with_collation(kind: str, collation: str | None) -> str:
    return f"{kind} collate {collation}" if collation else kind
