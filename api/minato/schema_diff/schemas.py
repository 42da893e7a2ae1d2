"""Reads what lies in no schema: schemas themselves, extensions, casts and event triggers."""

from __future__ import annotations

from minato.schema_diff.entity import Entity, Key, literal, quoted
from minato.schema_diff.reader import Reader

_SCHEMAS = "select oid, nspname from pg_namespace order by nspname"
_MEMBERS = """
select d.classid::regclass::text, d.objid, e.extname from pg_depend d
join pg_extension e on e.oid = d.refobjid and d.refclassid = 'pg_extension'::regclass where d.deptype = 'e'
"""
_EXTENSIONS = """
select e.oid, e.extname, n.nspname, e.extrelocatable from pg_extension e join pg_namespace n on n.oid = e.extnamespace
where e.extname <> 'plpgsql'
"""
# Where a guard is called in the place of the project's function (migration 0130), the trigger depends on that one too.
_EVENT_TRIGGERS = """
select t.oid, t.evtname, t.evtevent, t.evtenabled, coalesce((
  select d.refobjid from pg_depend d where d.classid = 'pg_event_trigger'::regclass and d.objid = t.oid
  and d.refclassid = 'pg_proc'::regclass and d.refobjid <> t.evtfoid), t.evtfoid)::regproc::text, t.evttags
from pg_event_trigger t join pg_roles r on r.oid = t.evtowner where r.rolname !~ '^supabase_'
"""
# PostgreSQL's own have lower numbers, and those of a multirange come with its type.
_CASTS = """
select c.oid, format_type(c.castsource, null), format_type(c.casttarget, null),
  nullif(c.castfunc, 0)::regprocedure::text, c.castmethod, c.castcontext
from pg_cast c where c.oid >= 16384 and not exists (
  select from pg_depend d where d.classid = 'pg_cast'::regclass and d.objid = c.oid and d.deptype = 'i')
"""
_CONTEXTS = {"a": " as assignment", "i": " as implicit"}
_ENABLED = {"O": "enable", "D": "disable", "R": "enable replica", "A": "enable always"}


def read_schemas(reader: Reader) -> None:
    """The schemas of the scope, and what belongs to extensions."""
    reader.members = {(catalogue, oid): name for catalogue, oid, name in reader.rows(_MEMBERS)}
    for oid, name in reader.rows(_SCHEMAS):
        if reader.scope.is_partial(name):
            reader.partial.append(oid)
        if not reader.scope.is_full(name) or reader.owned("pg_namespace", oid):
            continue
        reader.full.append(oid)
        create, drop = (f"create schema if not exists {quoted(name)}",), (f"drop schema {quoted(name)}",)
        reader.add(Entity(Key("schema", "", name), name, create, drop), ("pg_namespace", oid, 0))


def read_extensions(reader: Reader) -> None:
    """Without their versions, which the server has and a project seldom means."""
    for oid, name, schema, is_relocatable in reader.rows(_EXTENSIONS):
        if not reader.scope.is_whole and schema not in reader.scope.schemas:
            continue
        key = Key("extension", "", name)
        create = (f"create extension if not exists {quoted(name)} with schema {quoted(schema)}",)
        drop = (f"drop extension if exists {quoted(name)}",)
        reader.add(Entity(key, schema, create, drop, facts=is_relocatable), ("pg_extension", oid, 0))
        holder = Key("schema", "", schema)
        if holder in reader.entities:
            reader.need(key, holder)


def read_casts(reader: Reader) -> None:
    """CREATE CAST."""
    if not reader.scope.is_whole:
        return
    for oid, source, target, function, method, context in reader.rows(_CASTS):
        if reader.owned("pg_cast", oid):
            continue
        way = {"f": f"with function {function}", "i": "with inout"}.get(method, "without function")
        create = (f"create cast ({source} as {target}) {way}{_CONTEXTS.get(context, '')}",)
        key = Key("cast", "", f"{source} as {target}")
        reader.add(Entity(key, create, create, (f"drop cast ({source} as {target})",)), ("pg_cast", oid, 0))


def read_event_triggers(reader: Reader) -> None:
    """Those of projects; the platform's are its own."""
    if not reader.scope.is_whole:
        return
    for oid, name, event, enabled, function, tags in reader.rows(_EVENT_TRIGGERS):
        if reader.owned("pg_event_trigger", oid):
            continue
        when = f" when tag in ({', '.join(map(literal, tags))})" if tags else ""
        create = [f"create event trigger {quoted(name)} on {event}{when} execute function {function}()"]
        if enabled != "O":
            create.append(f"alter event trigger {quoted(name)} {_ENABLED[enabled]}")
        drop = (f"drop event trigger {quoted(name)}",)
        key = Key("event trigger", "", name)
        reader.add(Entity(key, tuple(create), tuple(create), drop), ("pg_event_trigger", oid, 0))
