"""Reads functions, procedures, aggregates, views and rules: what has a body."""

from __future__ import annotations

from dataclasses import dataclass

from minato.schema_diff.entity import Entity, Key, literal, qualified, quoted
from minato.schema_diff.reader import Reader, Row

# Not those that PostgreSQL makes along with a range type.
_FUNCTIONS = """
select p.oid, n.nspname, p.proname, pg_get_function_identity_arguments(p.oid), p.prokind,
  case when p.prokind <> 'a' then pg_get_functiondef(p.oid) end, pg_get_function_result(p.oid),
  coalesce(p.proargnames, '{}'), coalesce(p.proargmodes::text[], '{}'), p.pronargdefaults
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where p.pronamespace = any(%s) and not exists (
  select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'i')
"""
_AGGREGATES = """
select a.aggfnoid::oid, pg_get_function_arguments(a.aggfnoid), a.aggkind, a.aggtransfn::text,
  format_type(a.aggtranstype, null), a.agginitval, nullif(a.aggfinalfn::oid, 0)::regproc::text,
  nullif(a.aggcombinefn::oid, 0)::regproc::text, p.proparallel
from pg_aggregate a join pg_proc p on p.oid = a.aggfnoid where p.pronamespace = any(%s)
"""
_VIEWS = """
select c.oid, n.nspname, c.relname, c.relkind, c.reltype, pg_get_viewdef(c.oid), c.reloptions, c.relispopulated,
  array(select a.attname || ' ' || format_type(a.atttypid, a.atttypmod) from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum),
  (select r.oid from pg_rewrite r where r.ev_class = c.oid and r.rulename = '_RETURN')
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any(%s) and c.relkind in ('v', 'm')
"""
_RULES = """
select r.oid, n.nspname, c.relname, r.rulename, c.relkind, pg_get_ruledef(r.oid)
from pg_rewrite r join pg_class c on c.oid = r.ev_class join pg_namespace n on n.oid = c.relnamespace
where c.relnamespace = any(%s) and r.rulename <> '_RETURN'
"""
_PARALLEL = {"s": "safe", "r": "restricted"}


@dataclass(frozen=True)
class Signature:
    """What CREATE OR REPLACE FUNCTION cannot change."""

    kind: str
    result: str | None
    names: tuple[str, ...]
    modes: tuple[str, ...]
    defaults: int


@dataclass(frozen=True)
class View:
    """`columns` are names and types, in order."""

    is_materialized: bool
    columns: tuple[str, ...]


def read_functions(reader: Reader) -> None:
    """Functions, procedures and aggregates, told apart by their arguments."""
    aggregates = {row[0]: row for row in reader.rows(_AGGREGATES, [reader.full])}
    for oid, schema, name, arguments, kind, definition, result, names, modes, count in reader.rows(
        _FUNCTIONS, [reader.full]
    ):
        if reader.owned("pg_proc", oid):
            continue
        key = Key("function", schema, name, arguments)
        text = _aggregate(key, aggregates[oid]) if kind == "a" else definition.rstrip()
        noun = {"p": "procedure", "a": "aggregate"}.get(kind, "function")
        drop = (f"drop {noun} {qualified(key)}({arguments})",)
        facts = Signature(kind, result, tuple(names), tuple(modes), count)
        entity = Entity(key, text, (text,), drop, Key("schema", "", schema), facts=facts)
        reader.add(entity, ("pg_proc", oid, 0))


def _aggregate(key: Key, row: Row) -> str:
    _, arguments, kind, transition, state, initial, final, combine, parallel = row
    parts = [f"sfunc = {transition}", f"stype = {state}"]
    parts += [f"finalfunc = {final}"] if final else []
    parts += [f"combinefunc = {combine}"] if combine else []
    parts += [f"initcond = {literal(initial)}"] if initial is not None else []
    parts += [f"parallel = {_PARALLEL[parallel]}"] if parallel in _PARALLEL else []
    parts += ["hypothetical"] if kind == "h" else []
    return f"create aggregate {qualified(key)}({arguments or '*'}) ({', '.join(parts)})"


def read_views(reader: Reader) -> None:
    """Views and materialized views, with their options."""
    for oid, schema, name, kind, row_type, definition, options, is_full, columns, rule in reader.rows(
        _VIEWS, [reader.full]
    ):
        if reader.owned("pg_class", oid):
            continue
        key = Key("view", schema, name)
        is_materialized = kind == "m"
        noun = "materialized view" if is_materialized else "view"
        with_options = f" with ({', '.join(map(_option, options))})" if options else ""
        begin = "create materialized view" if is_materialized else "create or replace view"
        empty = " with no data" if is_materialized and not is_full else ""
        text = f"{begin} {qualified(key)}{with_options} as\n{definition.rstrip().removesuffix(';')}{empty}"
        entity = Entity(
            key,
            text,
            (text,),
            (f"drop {noun} {qualified(key)}",),
            Key("schema", "", schema),
            facts=View(is_materialized, tuple(columns)),
        )
        reader.add(entity, ("pg_class", oid, 0), ("pg_type", row_type, 0), ("pg_rewrite", rule, 0))


def _option(text: str) -> str:
    name, _, value = text.partition("=")
    return f"{name} = {literal(value)}"


def read_rules(reader: Reader) -> None:
    """Those a person wrote; a view is one, too."""
    for oid, schema, table, name, kind, definition in reader.rows(_RULES, [reader.full]):
        parent = Key("view" if kind in "vm" else "table", schema, table)
        if parent in reader.entities:
            key = Key("rule", schema, table, name)
            drop = (f"drop rule {quoted(name)} on {qualified(parent)}",)
            text = definition.rstrip().removesuffix(";")
            reader.add(Entity(key, text, (text,), drop, parent), ("pg_rewrite", oid, 0))
